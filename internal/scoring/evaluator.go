package scoring

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// MaxActions is the number of actions that an evaluator can have.
const MaxActions = 64

// Evaluator is a compiled choice between actions: flat tables, immutable once [Evaluator.Link] has been called, and
// shared by all agents and goroutines. Package utility builds it.
type Evaluator struct {
	Name           string
	Hash           uint64 // of the name: the evaluator's part in the keys of draws
	Actions        []Action
	Considerations []Consideration // of the actions, in the order in which they were described
	Terms          []Term
	Inputs         []Input
	AgentInputs    []int32 // the inputs about the agent; the others are about targets
	Facts          []blackboard.Fact
	Conditions     []any // of a tree, which inputs read: *aitree.Condition
	Lists          []List
	Combination    Combination
	Mode           Mode
	Best           int     // the number of TopN
	Temperature    float32 // of Softmax
	Inertia        float32 // 0 for the random modes
	Minimum        float32 // the least score that can be chosen
	Commitment     int64   // microseconds
	Rescores       bool    // a running choice is scored again only when a fact has changed by more than RescoreBeyond
	RescoreBeyond  float32

	// Derived by Link.
	MemoryWords int       // size of an agent's memory of its last scoring, in words of 32 bits
	ranks       [][]int32 // the actions by falling rank; in each rank by falling weight
	pairs       int32     // the number of pairs of an action and an element of its list
}

// Combination is how the considerations of an action become one number. The values are those of utility.Combination.
type Combination uint8

// The combinations.
const (
	Compensated Combination = iota
	CompensatedEach
	Product
	WeightedSum
	GeometricMean
	Min
	Max
	Combinations // their number
)

// Mode is how an action is chosen by the scores.
type Mode uint8

// The modes.
const (
	Argmax Mode = iota // the best score; the others draw
	Softmax
	WeightedRandom
	TopN
)

// Action is an action of an evaluator.
type Action struct {
	Name         string
	Weight       float32
	Compensation float32 // 1 - 1/n, of n considerations
	Root         float32 // 1/n
	Weights      float32 // the sum of the considerations' weights
	Rank         int32
	List         int32 // the list whose targets it is scored for, or -1
	First        int32 // its considerations are Considerations[First : First+Count]
	Count        int32
	Gated        bool  // one of its considerations is a gate
	pairs        int32 // the number of its first pair
}

// Consideration is a consideration as one action has it.
type Consideration struct {
	Name   string
	Term   int32 // about a target: the term of the first element
	List   int32 // the list of the targets that it is about, or -1
	Weight float32
	Gate   bool
}

// Term is what a consideration computes, once for all actions that share it. The terms about a target follow one
// another, one for each element of the list.
type Term struct {
	Input    int32
	List     int32 // or -1
	Element  int32
	Elements int32 // the number of terms that follow one another
	Ranged   bool
	A, Span  float32 // the range is from A to A + Span
	Curve    lane.Curve
}

// Same reports whether two terms compute the same.
func (t *Term) Same(o *Term) bool {
	x, y := &t.Curve, &o.Curve
	return t.Input == o.Input && t.List == o.List && t.Element == o.Element && t.Ranged == o.Ranged &&
		t.A == o.A && t.Span == o.Span &&
		x.Kind == y.Kind && x.Slope == y.Slope && x.XShift == y.XShift && x.YShift == y.YShift &&
		x.Base == y.Base && x.Sign == y.Sign &&
		x.P == y.P && slices.Equal(x.X, y.X) && slices.Equal(x.Y, y.Y)
}

// Input is a number that terms read: a fact, or what a custom function fills.
type Input struct {
	Name  string // of a custom input
	Kind  blackboard.Kind
	Plain bool  // a Float fact, which is read in place
	Fact  int32 // index of Evaluator.Facts
	Fill  func(*blackboard.Context, *[64]float32)
	Reads []int32 // what Fill reads, as indices of Evaluator.Facts

	Condition int32 // one more than an index of Evaluator.Conditions, or 0
}

// List is a list of targets.
type List struct {
	List     blackboard.List
	Count    int32   // index of Evaluator.Facts
	Entities []int32 // by element: index of Evaluator.Facts
	Fields   []blackboard.Fact
	Inputs   []int32 // by field: the first of its inputs
	memory   int     // where its targets begin in an agent's memory
}

// Link derives what follows from the tables. It is called once, when they are complete.
func (e *Evaluator) Link() {
	e.sortByRank()
	e.numberPairs()
	e.layOutMemory()
}

// sortByRank sorts the actions by rank and, so that a good score rules out the most, by weight.
func (e *Evaluator) sortByRank() {
	order := make([]int32, len(e.Actions))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		x, y := &e.Actions[i], &e.Actions[j]
		if c := cmp.Compare(y.Rank, x.Rank); c != 0 {
			return c
		}
		if e.Mode != Argmax {
			return 0 // draws are from all, in the order of the description
		}
		return cmp.Compare(y.Weight, x.Weight)
	})
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && e.Actions[order[end]].Rank == e.Actions[order[start]].Rank {
			end++
		}
		e.ranks = append(e.ranks, order[start:end:end])
		start = end
	}
}

func (e *Evaluator) numberPairs() {
	for i := range e.Actions {
		a := &e.Actions[i]
		a.pairs = e.pairs
		e.pairs += int32(e.elements(a))
	}
}

func (e *Evaluator) layOutMemory() {
	if !e.Rescores {
		return
	}
	e.MemoryWords = len(e.AgentInputs)
	for i := range e.Lists {
		l := &e.Lists[i]
		l.memory = e.MemoryWords
		e.MemoryWords += l.List.Len() * (entityWords + len(l.Inputs))
	}
}

// elements returns the greatest number of pairs of an action.
func (e *Evaluator) elements(a *Action) int {
	if a.List < 0 {
		return 1
	}
	return e.Lists[a.List].List.Len()
}

// Pairs returns the number of pairs of an action and an element of its list; an action without a list has one.
func (e *Evaluator) Pairs() int { return int(e.pairs) }

// PairsOf returns the number of pairs of an action.
func (e *Evaluator) PairsOf(action int) int { return e.elements(&e.Actions[action]) }

// Targeted reports whether an action is scored against targets.
func (e *Evaluator) Targeted(action int) bool { return e.Actions[action].List >= 0 }

// Draws reports whether the evaluator draws its choices.
func (e *Evaluator) Draws() bool { return e.Mode != Argmax }

// Custom reports whether the evaluator has custom inputs.
func (e *Evaluator) Custom() bool {
	for i := range e.Inputs {
		if e.Inputs[i].Fill != nil {
			return true
		}
	}
	return false
}

// RefuseConditions panics when the evaluator has conditions of a tree, which only the tree's executor can evaluate.
func (e *Evaluator) RefuseConditions(who string) {
	if len(e.Conditions) > 0 {
		panic(fmt.Sprintf("%s: evaluator %q considers the condition %v of a tree; use it in a UtilitySelector, or "+
			"consider facts", who, e.Name, e.Conditions[0]))
	}
}

// NeedsEntities reports whether a decision reads Block.Entities: they are keys of draws, and custom inputs see them.
func (e *Evaluator) NeedsEntities() bool { return e.Draws() || e.Custom() }
