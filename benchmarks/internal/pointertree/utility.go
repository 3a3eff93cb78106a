package pointertree

import (
	"github.com/flockwork-ai/flockwork/benchmarks/internal/curves"
	"github.com/flockwork-ai/flockwork/components"
)

// Utility AI within trees of node objects: an evaluator of actions and considerations, which are closures over the
// blackboard, and a node that ticks the subtree of the action that scores best. Actions may be scored against each of
// an agent's candidates. It was written for this comparison.

// Consideration is a consideration: a fact, of the agent or of a candidate, and its curve. target is nil where there is none.
type Consideration struct {
	Name  string
	Fact  func(bb *Blackboard, target *components.Candidate) float32
	Curve func(float32) float32
	Gate  bool // a 0 vetoes the action
}

// Action is an action that can be chosen.
type Action struct {
	Name           string
	Weight         float32
	Targeted       bool
	Considerations []*Consideration
}

// score returns the option's score, 0 when it is vetoed.
func (o *Action) score(bb *Blackboard, target *components.Candidate) float32 {
	n := len(o.Considerations)
	if n == 0 {
		return o.Weight
	}
	product := float32(1)
	for _, w := range o.Considerations {
		y := curves.Clamp(w.Curve(w.Fact(bb, target)))
		if w.Gate && y == 0 {
			return 0
		}
		product *= y
	}
	makeUp := (1 - product) * (1 - 1/float32(n))
	return o.Weight * curves.Clamp(product+float32(makeUp*product))
}

// Evaluator is what a kind of agent weighs up. It is shared.
type Evaluator struct {
	Actions    []Action
	Inertia    float32
	Commitment int64 // microseconds for which a choice is kept
	Hold       bool  // choose anew only when the branch has completed
	Remember   bool  // the last choice has its inertia after it has completed

	Candidates func(*Blackboard) *components.Candidates
}

// utilitySelector ticks the branch of what a brain chooses.
type utilitySelector struct {
	evaluator *Evaluator
	branches  []Node // by option
	choice    int    // or -1
	target    components.Entity
	running   bool
	committed bool
	until     int64 // end of the commitment
}

func NewUtilitySelector(brain *Evaluator, branches ...Node) Node {
	return &utilitySelector{evaluator: brain, branches: branches, choice: -1}
}

func (n *utilitySelector) Tick(bb *Blackboard, dt float32) Status {
	now := bb.time()
	if n.running && n.committed && now >= n.until {
		n.committed = false
	}
	if !n.running || !n.evaluator.Hold {
		n.choose(bb, now)
	}
	if n.choice < 0 {
		return Failure
	}
	above := bb.Chosen
	bb.Chosen = n.target
	s := n.branches[n.choice].Tick(bb, dt)
	bb.Chosen = above
	n.running = s == Running
	if !n.running && !n.evaluator.Remember {
		n.choice = -1
	}
	return s
}

// choose takes the best option above 0, and for an option with targets the best of those.
func (n *utilitySelector) choose(bb *Blackboard, now int64) {
	choice, target, best, kept := -1, components.Entity{}, float32(0), false
	consider := func(i int, t *components.Candidate) {
		score, e := n.evaluator.Actions[i].score(bb, t), components.Entity{}
		if t != nil {
			e = t.Entity
		}
		if score > 0 && i == n.choice && e == n.target {
			kept = kept || n.running && n.committed
			score += n.evaluator.Inertia
		}
		if score > best {
			choice, target, best = i, e, score
		}
	}
	for i := range n.evaluator.Actions {
		if !n.evaluator.Actions[i].Targeted {
			consider(i, nil)
			continue
		}
		list := n.evaluator.Candidates(bb)
		for k := range list.List[:list.Count] {
			if t := &list.List[k]; bb.Alive(t.Entity) {
				consider(i, t)
			}
		}
	}
	same := choice == n.choice && target == n.target
	if kept || same && n.running {
		return
	}
	if n.running {
		n.branches[n.choice].Reset(bb)
		n.running = false
	}
	n.choice, n.target = choice, target
	n.committed, n.until = n.evaluator.Commitment > 0, now+n.evaluator.Commitment
}

func (n *utilitySelector) Reset(bb *Blackboard) {
	if n.running {
		n.branches[n.choice].Reset(bb)
		n.running = false
	}
	if !n.evaluator.Remember {
		n.choice = -1
	}
}
