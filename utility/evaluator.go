package utility

import (
	"slices"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// Evaluator is a compiled choice between actions: flat tables, immutable, and shared by all agents and goroutines. Make
// it with [Build].
type Evaluator struct {
	name        string
	hash        uint64 // of the name: the evaluator's part in the keys of draws
	actions     []action
	uses        []use // of the actions, in the order in which they were described
	terms       []term
	inputs      []input
	own         []int32 // the inputs that are no target's
	facts       []blackboard.Fact
	lists       []list
	order       []int32   // the actions by falling rank, then weight
	groups      [][]int32 // order, cut by rank
	combination Combination
	mode        mode
	rescores    bool
	best        int     // of topN
	pairs       int32   // of all actions and the elements of their lists
	temperature float32 // of softmax
	inertia     float32
	minimum     float32
	amount      float32 // of RescoreBeyond
	commitment  int64   // microseconds
	memory      int     // words
}

type action struct {
	name    string
	weight  float32
	makeUp  float32 // 1 - 1/n, of n considerations
	root    float32 // 1/n
	weights float32 // the sum of the considerations'
	rank    int32
	list    int32 // that it is scored for, or -1
	pairs   int32 // the number of its first pair
	first   int32 // its considerations are uses[first:first+count]
	count   int32
	gated   bool // one of its considerations is a gate
}

// use is a consideration as an action has it.
type use struct {
	name   string
	term   int32 // of a target's, that of the first element
	list   int32 // whose targets it is about, or -1
	weight float32
	gate   bool
}

// term is what a consideration computes, once for all actions that share it. Those of a target follow one another, one
// for each element.
type term struct {
	input    int32
	list     int32 // or -1
	element  int32
	elements int32 // of all that follow one another
	ranged   bool
	a, span  float32
	curve    lane.Curve
}

func (t *term) same(o *term) bool {
	x, y := &t.curve, &o.curve
	return t.input == o.input && t.list == o.list && t.element == o.element && t.ranged == o.ranged &&
		t.a == o.a && t.span == o.span &&
		x.Kind == y.Kind && x.Slope == y.Slope && x.XShift == y.XShift && x.YShift == y.YShift &&
		x.Base == y.Base && x.Sign == y.Sign &&
		x.P == y.P && slices.Equal(x.X, y.X) && slices.Equal(x.Y, y.Y)
}

// input is a number that terms read.
type input struct {
	kind   blackboard.Kind
	plain  bool  // a Float fact
	fact   int32 // index of Evaluator.facts
	custom *Input
	reads  []int32 // of custom, as indices of Evaluator.facts
}

// list is a list of targets.
type list struct {
	list     blackboard.List
	count    int32   // indices of Evaluator.facts
	entities []int32 // by element
	fields   []blackboard.Fact
	inputs   []int32 // by field: the first of the inputs
	memory   int     // where its targets begin in an agent's memory
}

// Name returns the evaluator's name.
func (e *Evaluator) Name() string { return e.name }

// Actions returns the names of the actions, in the order in which they were described. An action's number is its place
// here.
func (e *Evaluator) Actions() []string {
	names := make([]string, len(e.actions))
	for i := range names {
		names[i] = e.actions[i].name
	}
	return names
}

// Facts returns the facts that the evaluator reads, each once. A [blackboard.Source] is asked for them by their index here.
func (e *Evaluator) Facts() []blackboard.Fact { return e.facts }

// Targeted reports whether an action is scored against targets.
func (e *Evaluator) Targeted(action int) bool { return e.actions[action].list >= 0 }

// Memory returns how many words of 32 bits an agent needs to remember what was read at its last scoring; 0 without
// [Definition.RescoreBeyond].
func (e *Evaluator) Memory() int { return e.memory }

// elements returns how many pairs an action has at most.
func (e *Evaluator) elements(a *action) int {
	if a.list < 0 {
		return 1
	}
	return e.lists[a.list].list.Len()
}
