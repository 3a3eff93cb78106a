package utility

import "github.com/flockwork-ai/flockwork/components/blackboard"

// Definition describes an evaluator: actions to choose between and how. It is a description only; [Build] compiles it
// and reports what is wrong with it.
type Definition struct {
	actions     []*Action
	combination Combination
	mode        mode
	temperature float64
	best        int
	inertia     float64
	minimum     float64
	commitment  float64
	rescore     float64
	rescores    bool
}

// Combination is how an action's considerations become one number. It is one for all actions of an evaluator, since
// scores of different combinations do not compare. n is the number of the action's considerations, gates included.
type Combination uint8

// The combinations. The action's weight multiplies the result, which is clamped to 0..1 before.
const (
	// Compensated is the product p, to which part of what n factors took away is added back, once at the end:
	// p + (1-p)·(1-1/n)·p. See Mark, "Behavioral Mathematics for Game AI".
	Compensated Combination = iota
	// CompensatedEach compensates each consideration s by s + (1-s)·(1-1/n)·s and multiplies them.
	CompensatedEach
	// Product is the plain product.
	Product
	// WeightedSum is the mean, by the considerations' weights; 0 if all of them are 0.
	WeightedSum
	// GeometricMean is the n-th root of the product.
	GeometricMean
	// Min is the least.
	Min
	// Max is the greatest.
	Max
	combinations
)

var combinationNames = [...]string{
	"Compensated", "CompensatedEach", "Product", "WeightedSum", "GeometricMean", "Min", "Max",
}

// String returns the combination's name.
func (c Combination) String() string {
	if c < combinations {
		return combinationNames[c]
	}
	return "unknown combination"
}

type mode uint8

const (
	argmax mode = iota
	softmax
	weightedRandom
	topN
)

// Choose describes the choice between actions: the best wins, of equals the first. Scores of 0 are never chosen; when
// no action has more, there is no choice.
func Choose(actions ...*Action) *Definition { return &Definition{actions: actions} }

// Combine sets how considerations become a score; [Compensated] unless it is set.
func (d *Definition) Combine(c Combination) *Definition { d.combination = c; return d }

// Inertia adds a bonus to the score of the choice in force, if it is above 0, so that near-ties do not flicker. It has
// no meaning for the random modes.
func (d *Definition) Inertia(bonus float64) *Definition { d.inertia = bonus; return d }

// Minimum is the least score, without inertia, that an action needs to be chosen.
func (d *Definition) Minimum(score float64) *Definition { d.minimum = score; return d }

// Commit keeps a choice for a time, in seconds, unless it is vetoed, scores 0 or below the minimum, loses its target,
// or an action of a higher rank comes up.
func (d *Definition) Commit(seconds float64) *Definition { d.commitment = seconds; return d }

// Softmax draws the action instead: each in proportion to e^(score/temperature). Temperatures below 1e-4 count as 1e-4.
func (d *Definition) Softmax(temperature float64) *Definition {
	d.mode, d.temperature = softmax, temperature
	return d
}

// WeightedRandom draws the action, in proportion to the scores.
func (d *Definition) WeightedRandom() *Definition { d.mode = weightedRandom; return d }

// TopN draws among the n best, in proportion to their scores.
func (d *Definition) TopN(n int) *Definition { d.mode, d.best = topN, n; return d }

// RescoreBeyond lets a running choice stand without scoring for as long as no fact that a consideration reads has
// moved by more than an amount since the last scoring, no target came or went, and no commitment ran out. Facts
// differ in unit: an amount for all of them has a meaning when they are of like range. What was read last is
// remembered in the agent's state; see [Evaluator.Memory].
func (d *Definition) RescoreBeyond(amount float64) *Definition {
	d.rescore, d.rescores = amount, true
	return d
}

// Action is something an agent could do, and what speaks for it.
type Action struct {
	name           string
	weight         float64
	rank           int
	list           *blackboard.List
	considerations []*Consideration
}

// NewAction describes an action. Without considerations it scores its weight.
func NewAction(name string, considerations ...*Consideration) *Action {
	return &Action{name: name, weight: 1, considerations: considerations}
}

// Weight multiplies the action's score, which may exceed 1 so; 1 unless it is set.
func (a *Action) Weight(w float64) *Action { a.weight = w; return a }

// Rank puts the action before all of a lower rank: those are considered only when none of this rank can be chosen. 0
// unless it is set.
func (a *Action) Rank(r int) *Action { a.rank = r; return a }

// For scores the action against each target of a list: what is chosen is an action and a target. Considerations of
// facts over the list's elements are about the target. An agent without targets cannot choose it.
func (a *Action) For(list blackboard.List) *Action { a.list = &list; return a }

// Consideration is one thing that speaks for or against an action: an input, made 0..1 by a range and a curve. One
// consideration may stand in several actions, and equal ones are evaluated once.
type Consideration struct {
	name   string
	fact   blackboard.Fact
	input  *Input
	custom bool
	ranged bool
	a, b   float64
	curve  Curve
	gate   bool
	weight float64
}

// Consider describes a consideration of a fact. A bool is 0 or 1, an age is in seconds, an entity is 1 while it is
// alive.
func Consider(fact blackboard.Fact, c Curve) *Consideration {
	return &Consideration{name: fact.Name(), fact: fact, curve: c, weight: 1}
}

// ConsiderInput describes a consideration of an input of the user's own.
func ConsiderInput(in *Input, c Curve) *Consideration {
	k := &Consideration{input: in, custom: true, curve: c, weight: 1}
	if in != nil {
		k.name = in.name
	}
	return k
}

// Range maps the input to 0..1 before the curve: a to 0, b to 1, what is outside to the nearer. a may be greater than
// b. Where they are equal it is a step: 1 from b on.
func (c *Consideration) Range(a, b float64) *Consideration { c.ranged, c.a, c.b = true, a, b; return c }

// Gate vetoes the action where the consideration is exactly 0, whatever the combination and the mode. Gates are
// evaluated first, so that a vetoed action costs nothing more.
func (c *Consideration) Gate() *Consideration { c.gate = true; return c }

// Weight is the consideration's part in a [WeightedSum]; 1 unless it is set. A weight of 0 makes a gate that is
// nothing but a gate.
func (c *Consideration) Weight(w float64) *Consideration { c.weight = w; return c }

// Named gives the consideration a name, which errors and explanations show; the fact's unless it is set.
func (c *Consideration) Named(name string) *Consideration { c.name = name; return c }

// Input is an input of the user's own: a function that fills a lane for a block of agents.
type Input struct {
	name  string
	fill  func(*Context, *[64]float32)
	reads []blackboard.Fact
}

// NewInput describes an input. The function fills the lanes of the context's mask; what is not finite, or left alone,
// counts as 0. It must be a pure function of facts and of what else does not change within an AI stage, and may be
// called from several goroutines at once.
func NewInput(name string, fill func(*Context, *[64]float32)) *Input {
	return &Input{name: name, fill: fill}
}

// Reads declares the facts that the input reads; it gets at them by their place in this list.
func (in *Input) Reads(facts ...blackboard.Fact) *Input { in.reads = facts; return in }
