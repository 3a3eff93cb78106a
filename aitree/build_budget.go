package aitree

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// doLeaf is the channel and the path of a Do, for the error about channels.
type doLeaf struct {
	channel components.Channel
	path    string
}

// fireBudget is the largest number of triggers that one tick of a subtree can post, by its result; impossible is a
// result that it cannot have.
type fireBudget struct{ success, failure, running int }

const impossible = math.MinInt32

// summarise derives from the children of a node what the subtree can post in a tick.
func (b *builder) summarise(self int32) error {
	p := b.program
	n := &p.Nodes[self]
	var seen [components.Channels]*doLeaf
	for _, c := range n.Children {
		for i := range b.channels[c] {
			at := &b.channels[c][i]
			if n.Op == executor.OpParallel && seen[at.channel] != nil {
				return b.errorf("two Do leaves of one channel in different branches of a Parallel would both hold it: "+
					"%s and %s; use different channels, or one branch",
					seen[at.channel].path, at.path)
			}
		}
		for i := range b.channels[c] {
			at := &b.channels[c][i]
			seen[at.channel] = at
		}
		b.channels[self] = append(b.channels[self], b.channels[c]...)
		b.channels[c] = nil
	}
	b.fires[self] = b.budget(n)
	if f := b.fires[self]; max(f.success, f.failure, f.running) > maxTriggers {
		return b.errorf("more than %d Fire leaves on one path of a tick; the limit is %d", maxTriggers, maxTriggers)
	}
	return nil
}

// add returns the sum of two budgets, either of which may be impossible.
func add(x, y int) int {
	if x == impossible || y == impossible {
		return impossible
	}
	return x + y
}

// budget returns the budget of a node from those of its children.
func (b *builder) budget(n *executor.Node) fireBudget {
	no := fireBudget{impossible, impossible, impossible}
	child := func(c int32) fireBudget { return b.fires[c] }
	most := func(f fireBudget) int { return max(f.success, f.failure, f.running) }
	switch n.Op {
	case executor.OpFire:
		return fireBudget{1, impossible, impossible}
	case executor.OpCheck, executor.OpSucceed, executor.OpFail:
		return fireBudget{0, 0, impossible}
	case executor.OpWait:
		return fireBudget{0, impossible, 0}
	case executor.OpDo, executor.OpLeaf, executor.OpRun:
		return fireBudget{0, 0, 0}
	case executor.OpSequence, executor.OpReactiveSequence, executor.OpSelector, executor.OpReactiveSelector:
		r, passed := no, 0
		for _, c := range n.Children {
			f := child(c)
			r.running = max(r.running, add(passed, f.running))
			if n.Op == executor.OpSequence || n.Op == executor.OpReactiveSequence {
				r.failure = max(r.failure, add(passed, f.failure))
				passed = add(passed, f.success)
			} else {
				r.success = max(r.success, add(passed, f.success))
				passed = add(passed, f.failure)
			}
			// A composite with memory resumes at a later child, which then is the first of its tick.
			if n.Op == executor.OpSequence || n.Op == executor.OpSelector {
				passed = max(passed, 0)
			}
		}
		if n.Op == executor.OpSequence || n.Op == executor.OpReactiveSequence {
			r.success = passed
		} else {
			r.failure = passed
		}
		return r
	case executor.OpRecovery:
		return recoveryBudget(child(n.Children[0]), child(n.Children[1]))
	case executor.OpRandomSequence, executor.OpRandomSelector, executor.OpRoundRobin:
		// Any order: every child that can pass may have passed before the one that decides.
		all := 0
		for _, c := range n.Children {
			f := child(c)
			if n.Op == executor.OpRandomSequence {
				all += max(f.success, 0)
			} else {
				all += max(f.failure, 0)
			}
		}
		r := fireBudget{all, all, all}
		for _, c := range n.Children {
			f := child(c)
			passed := f.success
			if n.Op != executor.OpRandomSequence {
				passed = f.failure
			}
			other := all - max(passed, 0) + most(f)
			r = fireBudget{max(r.success, other), max(r.failure, other), max(r.running, other)}
		}
		return r
	case executor.OpParallel:
		sum := 0
		for _, c := range n.Children {
			sum += most(child(c))
		}
		return fireBudget{sum, sum, sum}
	case executor.OpWeightedChoice, executor.OpUtilitySelector:
		r, before := no, 0
		if n.Op == executor.OpUtilitySelector {
			r.failure = 0 // nothing can be chosen
			before = b.failedBudget(n)
		}
		for _, c := range n.Children {
			f := child(c)
			r = fireBudget{max(r.success, f.success), max(r.failure, f.failure), max(r.running, f.running)}
		}
		return fireBudget{add(before, r.success), add(before, r.failure), add(before, r.running)}
	}
	return decoratorBudget(n.Op, child(n.Children[0]))
}

// failedBudget returns how many triggers the branches of a UtilitySelector that chooses the next best can post before
// the last one that it ticks.
func (b *builder) failedBudget(n *executor.Node) (posts int) {
	u := &b.program.UtilityNodes[n.UtilityNode]
	if !u.NextBest {
		return 0
	}
	for action, c := range u.Branches {
		if f := b.fires[c].failure; f > 0 {
			posts += f * u.Evaluator.PairsOf(action)
		}
	}
	return posts
}

// recoveryBudget returns the budget of a Recovery from those of its child and its recovery.
func recoveryBudget(child, recovery fireBudget) fireBudget {
	before := max(child.failure, 0) // it may resume in the recovery
	return fireBudget{
		child.success, max(child.failure, add(before, recovery.failure)),
		max(child.running, add(before, recovery.running), add(before, recovery.success)),
	}
}

// decoratorBudget returns the budget of a decorator from that of its child.
func decoratorBudget(op executor.Opcode, f fireBudget) fireBudget {
	switch op {
	case executor.OpInverter:
		return fireBudget{f.failure, f.success, f.running}
	case executor.OpForceSuccess:
		return fireBudget{max(f.success, f.failure), impossible, f.running}
	case executor.OpForceFailure:
		return fireBudget{impossible, max(f.success, f.failure), f.running}
	case executor.OpRepeat:
		return fireBudget{f.success, f.failure, max(f.success, f.running)}
	case executor.OpRetry:
		return fireBudget{f.success, f.failure, max(f.failure, f.running)}
	case executor.OpUntilSuccess:
		return fireBudget{f.success, impossible, max(f.failure, f.running)}
	case executor.OpUntilFailure:
		return fireBudget{f.failure, impossible, max(f.success, f.running)}
	case executor.OpTimeout:
		return fireBudget{f.success, max(f.failure, f.running), f.running}
	}
	if op == executor.OpEvery { // an earlier result stands
		return fireBudget{max(f.success, 0), max(f.failure, 0), f.running}
	}
	// Cooldown and Guard can fail without their child.
	return fireBudget{f.success, max(f.failure, 0), f.running}
}
