package pointertree

import (
	"github.com/flockwork-ai/flockwork/benchmarks/internal/curves"
	"github.com/flockwork-ai/flockwork/components"
)

// Consideration is a fact of the agent, or of a candidate, and its response curve. target is nil for an action without
// targets.
type Consideration struct {
	Name  string
	Fact  func(bb *Blackboard, target *components.Candidate) float32
	Curve func(float32) float32
	Gate  bool // a 0 vetoes the action
}

// Action is an action that an evaluator can choose.
type Action struct {
	Name           string
	Weight         float32
	Targeted       bool // scored against each candidate of the agent
	Considerations []*Consideration
}

// score returns the score of the action, 0 when a consideration vetoes it.
func (a *Action) score(bb *Blackboard, target *components.Candidate) float32 {
	n := len(a.Considerations)
	if n == 0 {
		return a.Weight
	}
	product := float32(1)
	for _, c := range a.Considerations {
		y := curves.Clamp(c.Curve(c.Fact(bb, target)))
		if c.Gate && y == 0 {
			return 0
		}
		product *= y
	}
	makeup := (1 - product) * (1 - 1/float32(n))
	return a.Weight * curves.Clamp(product+float32(makeup*product))
}

// Evaluator is the actions that a kind of agent chooses from. The agents share it.
type Evaluator struct {
	Actions    []Action
	Inertia    float32
	Commitment int64 // microseconds for which a choice is kept; 0 is none
	Hold       bool  // choose again only when the branch has completed
	Remember   bool  // the last choice keeps its inertia after it has completed

	Candidates func(*Blackboard) *components.Candidates
}

type utilitySelector struct {
	evaluator *Evaluator
	branches  []Node // by action
	choice    int    // or -1
	target    components.Entity
	running   bool
	committed bool
	until     int64 // end of the commitment
}

// UtilitySelector ticks the branch of the action that scores best. There is one branch for each action.
func UtilitySelector(evaluator *Evaluator, branches ...Node) Node {
	return &utilitySelector{evaluator: evaluator, branches: branches, choice: -1}
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

// choose takes the action with the best score above 0, and for a targeted action the best target.
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
