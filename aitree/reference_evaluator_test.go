package aitree_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/scoringref"
	"github.com/flockwork-ai/flockwork/utility"
)

// A refEvaluator is an evaluator as it is described.
type refEvaluator struct {
	name       string
	evaluator  scoringref.Evaluator
	list       int
	commitment float64 // seconds, as exactly as the package gets them
	rescores   bool
	amount     float32
	tests      []string // the conditions that are inputs from inputTests on
}

func (b *refEvaluator) action(i int) string { return "a" + strconv.Itoa(i) }

func (b *refEvaluator) targeted() bool {
	return slices.ContainsFunc(b.evaluator.Actions, func(a scoringref.Action) bool { return a.Targeted })
}

// reads returns the inputs that considerations read, of the agent or of its targets.
func (b *refEvaluator) reads(ofTarget bool) (inputs []int) {
	for _, a := range b.evaluator.Actions {
		for _, c := range a.Considerations {
			if c.OfTarget == ofTarget && !slices.Contains(inputs, c.Input) {
				inputs = append(inputs, c.Input)
			}
		}
	}
	return inputs
}

// moved reports whether what considerations read differs by more than the amount, or a target has come or gone.
func (b *refEvaluator) moved(then, now *readings) bool {
	differ := func(x, y []float32, inputs []int) bool {
		return slices.ContainsFunc(inputs, func(i int) bool {
			return float32(math.Abs(float64(x[i]-y[i]))) > b.amount
		})
	}
	if differ(then.own, now.own, b.reads(false)) {
		return true
	}
	if !b.targeted() {
		return false
	}
	before, after := then.targets[b.list], now.targets[b.list]
	if len(before) != len(after) {
		return true
	}
	for _, t := range after {
		at := slices.IndexFunc(before, func(o scoringref.Target) bool { return o.ID == t.ID })
		if at < 0 || differ(before[at].Inputs, t.Inputs, b.reads(true)) {
			return true
		}
	}
	return false
}

// words returns how much state a node of it keeps.
func (b *refEvaluator) words(remember bool) int {
	n := 0
	if remember || b.commitment > 0 {
		n++
	}
	if b.targeted() {
		n += 2
	}
	if b.commitment > 0 {
		n++
	}
	if b.rescores {
		n += len(b.reads(false))
		if b.targeted() {
			n += lists[b.list].Len() * (2 + len(b.reads(true)))
		}
	}
	return n
}

// backOffWords returns how much a node of it that backs off keeps of failures.
func (b *refEvaluator) backOffWords() int {
	if b.targeted() {
		return 1 + 4*3
	}
	return 1 + min(4, len(b.evaluator.Actions))
}

// String writes the evaluator.
func (b *refEvaluator) String() string {
	text := fmt.Sprintf("%s: list %d, commits for %v s, rescores %v beyond %v, ", b.name, b.list, b.commitment,
		b.rescores, b.amount)
	return text + strings.ReplaceAll(fmt.Sprintf("%+v", b.evaluator), "Considerations:", "\n\tConsiderations:")
}

var combinations = map[string]utility.Combination{
	"compensated": utility.Compensated, "compensated_each": utility.CompensatedEach, "product": utility.Product,
	"weighted_sum": utility.WeightedSum, "geometric_mean": utility.GeometricMean, "min": utility.Min,
	"max": utility.Max,
}

// curveOf describes a curve to the package.
func curveOf(c *scoringref.Curve) utility.Curve {
	f := func(v float32) float64 { return float64(v) }
	var k utility.Curve
	switch c.Type {
	case "linear":
		k = utility.Linear()
	case "polynomial":
		k = utility.Polynomial(f(c.Exponent))
	case "inverse_quadratic":
		k = utility.InverseQuadratic()
	case "exponential":
		k = utility.Exponential(f(c.Steepness))
	case "logistic":
		k = utility.Logistic(f(c.Steepness), f(c.Mid))
	case "bell":
		k = utility.Bell(f(c.Mean), f(c.Deviation))
	case "smoothstep":
		k = utility.Smoothstep()
	case "step":
		k = utility.Step(f(c.Threshold))
	case "piecewise":
		var points []utility.Point
		for _, p := range c.Points {
			points = append(points, utility.Point{X: f(p[0]), Y: f(p[1])})
		}
		k = utility.Piecewise(points...)
	default:
		panic("curve " + c.Type)
	}
	k = k.Slope(f(c.Slope)).ShiftX(f(c.XShift)).ShiftY(f(c.YShift))
	if c.Inverted {
		k = k.Inverted()
	}
	return k
}

// build makes the evaluator of the package. custom is its input of number inputCustom, and condition makes those of the
// numbers from inputTests on.
func (b *refEvaluator) build(
	custom *utility.Input, condition func(string) *aitree.Condition,
) (*utility.Evaluator, error) {
	var actions []*utility.Action
	for i := range b.evaluator.Actions {
		a := &b.evaluator.Actions[i]
		var considerations []*utility.Consideration
		for k := range a.Considerations {
			c := &a.Considerations[k]
			curve := curveOf(&c.Curve)
			var made *utility.Consideration
			switch {
			case c.OfTarget:
				made = utility.Consider(thingFacts[c.Input], curve)
			case c.Input == inputCustom:
				made = utility.ConsiderInput(custom, curve)
			case c.Input >= inputTests:
				made = utility.ConsiderCondition(condition(b.tests[c.Input-inputTests]))
			default:
				facts := slices.Concat(levelFacts, tallyFacts, flagFacts, []blackboard.Fact{whenFact, whomFact})
				made = utility.Consider(facts[c.Input], curve)
			}
			if c.Ranged {
				made.Range(float64(c.A), float64(c.B))
			}
			if c.Gate {
				made.Gate()
			}
			considerations = append(considerations, made.Weight(float64(c.Weight)))
		}
		action := utility.NewAction(b.action(i), considerations...).Weight(float64(a.Weight)).Rank(a.Rank)
		if a.Targeted {
			action.For(lists[b.list])
		}
		actions = append(actions, action)
	}
	e := &b.evaluator
	d := utility.Choose(actions...).Combine(combinations[e.Combination]).Inertia(float64(e.Inertia)).
		Minimum(float64(e.Minimum)).Commit(time.Duration(math.Round(b.commitment * 1e9)))
	switch e.Mode {
	case "softmax":
		d.Softmax(float64(e.Temperature))
	case "weighted_random":
		d.WeightedRandom()
	case "top_n":
		d.TopN(e.N)
	}
	if b.rescores {
		d.RescoreBeyond(float64(b.amount))
	}
	return utility.Build(b.name, d)
}
