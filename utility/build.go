package utility

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// MaxActions is the number of actions that an evaluator can have.
const MaxActions = 64

const _ = uint(MaxActions-scoring.MaxActions) + uint(scoring.MaxActions-MaxActions) // they are equal

const maxCommitment = math.MaxInt32 * time.Microsecond // 35 minutes, as for the durations of a tree

// Build compiles an evaluator. The name is a key of its draws, so two evaluators of different names draw differently.
//
// An error names the evaluator, the action and the consideration, what is wrong and how to correct it: no actions or
// more than [MaxActions], a name that is missing or used twice, a weight, minimum, inertia, commitment, temperature or
// amount that is negative or not finite, a range or curve with a parameter that is not finite, points out of order, a
// fact that is unknown or belongs to a target of an action without targets.
func Build(name string, d *Definition) (*Evaluator, error) {
	b := &builder{
		e:    &scoring.Evaluator{Name: name, Hash: random.String(name)},
		path: []string{fmt.Sprintf("evaluator %q", name)},
	}
	if name == "" {
		return nil, fmt.Errorf("utility: an evaluator has no name")
	}
	if d == nil {
		return nil, b.errorf("no definition; use Choose")
	}
	if err := b.settings(d); err != nil {
		return nil, err
	}

	for i, a := range d.actions {
		if err := b.action(i, a); err != nil {
			return nil, err
		}
	}
	b.e.Link()
	return &Evaluator{compiled: b.e}, nil
}

// builder fills the tables of an evaluator.
type builder struct {
	e      *scoring.Evaluator
	custom []customInput
	path   []string // for errors
}

// customInput is a custom input that has been compiled, with its number.
type customInput struct {
	input *Input
	at    int32
}

func (b *builder) errorf(format string, args ...any) error {
	return fmt.Errorf("utility: %s: %s", strings.Join(b.path, " > "), fmt.Sprintf(format, args...))
}

// enter adds a step to the path of errors; the function that it returns removes it.
func (b *builder) enter(format string, args ...any) func() {
	b.path = append(b.path, fmt.Sprintf(format, args...))
	return func() { b.path = b.path[:len(b.path)-1] }
}

// positive checks a number of 0 or more.
func (b *builder) positive(what string, v float64) error {
	if !finite(v) || v < 0 {
		return b.errorf("%s is %v; use a finite number of 0 or more", what, v)
	}
	return nil
}

// settings checks and stores the settings of the whole evaluator.
func (b *builder) settings(d *Definition) error {
	if len(d.actions) == 0 {
		return b.errorf("no actions; give Choose at least one")
	}
	if len(d.actions) > MaxActions {
		return b.errorf("%d actions; the limit is %d", len(d.actions), MaxActions)
	}
	if d.combination >= combinations {
		return b.errorf("combination %d; use Compensated, Product or another", d.combination)
	}
	for _, s := range []struct {
		what string
		v    float64
	}{
		{"the inertia", d.inertia}, {"the minimum score", d.minimum},
		{"the temperature", d.temperature}, {"the amount of RescoreBeyond", d.rescore},
	} {
		if err := b.positive(s.what, s.v); err != nil {
			return err
		}
	}
	if d.mode == scoring.TopN && d.best < 1 {
		return b.errorf("TopN(%d); use 1 or more", d.best)
	}
	if d.commitment < 0 {
		return b.errorf("the commitment is %v; use 0 or more", d.commitment)
	}
	if d.commitment > maxCommitment {
		return b.errorf("a commitment of %v; the limit is %v", d.commitment, maxCommitment)
	}
	e := b.e
	e.Combination, e.Mode, e.Best = scoring.Combination(d.combination), d.mode, d.best
	e.Temperature = max(float32(d.temperature), 1e-4)
	e.Minimum = float32(d.minimum)
	if d.mode == scoring.Argmax {
		e.Inertia = float32(d.inertia)
	}
	e.Commitment = d.commitment.Microseconds()
	e.Rescores, e.RescoreBeyond = d.rescores, float32(d.rescore)
	return nil
}

// action adds an action.
func (b *builder) action(index int, a *Action) error {
	e := b.e
	if a == nil {
		return b.errorf("action %d is nil", index)
	}
	if a.name == "" {
		return b.errorf("action %d has no name", index)
	}
	defer b.enter("action %q", a.name)()
	for i := range e.Actions {
		if e.Actions[i].Name == a.name {
			return b.errorf("two actions have this name")
		}
	}
	if err := b.positive("the weight", a.weight); err != nil {
		return err
	}
	if a.rank < math.MinInt32 || a.rank > math.MaxInt32 {
		return b.errorf("a rank of %d; use one of 32 bits", a.rank)
	}
	n := len(a.considerations)
	c := scoring.Action{
		Name: a.name, Weight: float32(a.weight), Rank: int32(a.rank), List: -1,
		First: int32(len(e.Considerations)), Count: int32(n),
	}
	if n > 0 {
		c.Compensation = 1 - 1/float32(n)
		c.Root = 1 / float32(n)
	}
	if a.list != nil {
		if err := a.list.Err(); err != nil {
			return b.errorf("unknown list: %v", err)
		}
		c.List = b.list(*a.list)
	}
	for i, k := range a.considerations {
		if err := b.consideration(i, k, &c); err != nil {
			return err
		}
	}
	if !finite(float64(c.Weights)) {
		return b.errorf("the weights of the considerations add up to more than a float32 holds; use smaller ones")
	}
	e.Actions = append(e.Actions, c)
	return nil
}

// list returns the index of a list.
func (b *builder) list(l blackboard.List) int32 {
	e := b.e
	for i := range e.Lists {
		if e.Lists[i].List.Same(l) {
			return int32(i)
		}
	}
	k := scoring.List{List: l, Count: b.fact(l.Count())}
	for i := range l.Len() {
		k.Entities = append(k.Entities, b.fact(l.Entity(i)))
	}
	e.Lists = append(e.Lists, k)
	return int32(len(e.Lists) - 1)
}
