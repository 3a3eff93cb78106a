package benchmarks

import "github.com/flockwork-ai/flockwork/components"

// Utility AI within trees of node objects: an evaluator of actions and considerations, which are closures over the
// blackboard, and a node that ticks the subtree of the action that scores best. Actions may be scored against each of
// an agent's candidates. It was written for this comparison.

// wish is a consideration: a fact, of the agent or of a candidate, and its curve. target is nil where there is none.
type wish struct {
	name  string
	fact  func(bb *pointerBoard, target *components.Candidate) float32
	curve func(float32) float32
	gate  bool // a 0 vetoes the action
}

// option is an action that can be chosen.
type option struct {
	name     string
	weight   float32
	targeted bool
	wishes   []*wish
}

// score returns the option's score, 0 when it is vetoed.
func (o *option) score(bb *pointerBoard, target *components.Candidate) float32 {
	n := len(o.wishes)
	if n == 0 {
		return o.weight
	}
	product := float32(1)
	for _, w := range o.wishes {
		y := clamp01(w.curve(w.fact(bb, target)))
		if w.gate && y == 0 {
			return 0
		}
		product *= y
	}
	makeUp := (1 - product) * (1 - 1/float32(n))
	return o.weight * clamp01(product+float32(makeUp*product))
}

// brain is what a kind of agent weighs up. It is shared.
type brain struct {
	options    []option
	inertia    float32
	commitment int64 // microseconds for which a choice is kept
	hold       bool  // choose anew only when the branch has completed
	remember   bool  // the last choice has its inertia after it has completed

	candidates func(*pointerBoard) *components.Candidates
}

// utilitySelector ticks the branch of what a brain chooses.
type utilitySelector struct {
	brain     *brain
	branches  []node // by option
	choice    int    // or -1
	target    components.Entity
	running   bool
	committed bool
	until     int64 // end of the commitment
}

func newUtilitySelector(brain *brain, branches ...node) node {
	return &utilitySelector{brain: brain, branches: branches, choice: -1}
}

func (n *utilitySelector) Tick(bb *pointerBoard, dt float32) status {
	now := bb.time()
	if n.running && n.committed && now >= n.until {
		n.committed = false
	}
	if !n.running || !n.brain.hold {
		n.choose(bb, now)
	}
	if n.choice < 0 {
		return failure
	}
	above := bb.chosen
	bb.chosen = n.target
	s := n.branches[n.choice].Tick(bb, dt)
	bb.chosen = above
	n.running = s == running
	if !n.running && !n.brain.remember {
		n.choice = -1
	}
	return s
}

// choose takes the best option above 0, and for an option with targets the best of those.
func (n *utilitySelector) choose(bb *pointerBoard, now int64) {
	choice, target, best, kept := -1, components.Entity{}, float32(0), false
	consider := func(i int, t *components.Candidate) {
		score, e := n.brain.options[i].score(bb, t), components.Entity{}
		if t != nil {
			e = t.Entity
		}
		if score > 0 && i == n.choice && e == n.target {
			kept = kept || n.running && n.committed
			score += n.brain.inertia
		}
		if score > best {
			choice, target, best = i, e, score
		}
	}
	for i := range n.brain.options {
		if !n.brain.options[i].targeted {
			consider(i, nil)
			continue
		}
		list := n.brain.candidates(bb)
		for k := range list.List[:list.Count] {
			if t := &list.List[k]; bb.alive(t.Entity) {
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
	n.committed, n.until = n.brain.commitment > 0, now+n.brain.commitment
}

func (n *utilitySelector) Reset(bb *pointerBoard) {
	if n.running {
		n.branches[n.choice].Reset(bb)
		n.running = false
	}
	if !n.brain.remember {
		n.choice = -1
	}
}
