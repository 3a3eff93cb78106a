package aitree

import (
	"math"
	"time"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// parameters checks and compiles the parameters of a node.
func (b *builder) parameters(n *Node, self int32, prefix string) error {
	p := b.program
	c := &p.Nodes[self]
	var err error
	switch n.op {
	case executor.OpParallel:
		if c.Success, err = b.policy("success", n.success, len(n.children)); err == nil {
			c.Failure, err = b.policy("failure", n.failure, len(n.children))
		}
		p.Parallels = append(p.Parallels, self)
	case executor.OpRepeat, executor.OpRetry, executor.OpRecovery:
		c.Count = int32(max(n.count, 0))
		if n.count > math.MaxInt32 {
			return b.errorf("%d rounds; the limit is %d", n.count, math.MaxInt32)
		}
		p.Loops = append(p.Loops, self)
	case executor.OpUntilSuccess, executor.OpUntilFailure:
		p.Loops = append(p.Loops, self)
	case executor.OpCooldown, executor.OpEvery, executor.OpTimeout:
		c.Micros, err = b.micros(n.duration)
		if n.op != executor.OpTimeout {
			p.Cooldowns = append(p.Cooldowns, self)
		}
	case executor.OpWait:
		err = b.wait(n, c)
	case executor.OpWeightedChoice:
		err = b.weights(n, c)
	case executor.OpUtilitySelector:
		err = b.evaluator(n, self)
	case executor.OpGuard, executor.OpCheck:
		c.Condition, err = b.condition(n.condition)
	case executor.OpDo, executor.OpFire:
		err = b.action(n, self)
	case executor.OpLeaf:
		err = b.customLeaf(n)
	}
	if err != nil || !n.op.CanRun() {
		return err
	}
	return b.leaf(n, self, prefix)
}

// wait compiles the duration of a Wait.
func (b *builder) wait(n *Node, c *executor.Node) (err error) {
	if n.ofFact {
		if k := n.fact.Kind(); n.fact.Err() == nil && k != blackboard.Float {
			return b.errorf("a duration of fact %q, which is of kind %v; it takes a float, the seconds", n.fact.Name(),
				k)
		}
		c.Fact, err = b.fact(n.fact)
		return err
	}
	if c.Micros, err = b.micros(n.duration); err != nil {
		return err
	}
	if c.Span, err = b.micros(n.longest); err != nil {
		return err
	}
	if c.Span -= c.Micros; c.Span < 0 {
		return b.errorf("waits between %v and %v; the first must not exceed the second", n.duration, n.longest)
	}
	return nil
}

// policy returns how many children a policy asks for.
func (b *builder) policy(which string, policy Policy, children int) (int32, error) {
	switch {
	case policy == All:
		return int32(children), nil
	case policy.n < 1 || policy.n > children:
		return 0, b.errorf("%s policy cannot be met by %d children; use One, All or AtLeast(1…%d)",
			which, children, children)
	}
	return int32(policy.n), nil
}

// micros converts a duration to microseconds. It rounds down, so that a duration of a whole number of frames never
// lasts one frame more.
func (b *builder) micros(d time.Duration) (int64, error) {
	const limit = executor.MaxMicros * time.Microsecond
	if d < 0 {
		return 0, b.errorf("a duration of %v; use 0 or more", d)
	}
	if d > limit {
		return 0, b.errorf("a duration of %v; the limit is %v", d, limit)
	}
	return d.Microseconds(), nil
}

// weights compiles the weights of a WeightedChoice to the upper ends of the draws of each child.
func (b *builder) weights(n *Node, c *executor.Node) error {
	sum := 0.0
	for i, w := range n.weights {
		if math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
			return b.errorf("weight %d is %v; use a finite number of 0 or more", i, w)
		}
		sum += w
	}
	if sum == 0 || math.IsInf(sum, 0) {
		return b.errorf("the weights add up to %v; use a finite sum above 0", sum)
	}
	upTo, last := 0.0, 0
	for i, w := range n.weights {
		upTo += w
		c.Thresholds = append(c.Thresholds, uint32(min(float64(upTo/sum*(1<<32)), math.MaxUint32)))
		if w > 0 {
			last = i
		}
	}
	// Draws are below 2^32: the last choice that has a weight takes the rest, and none after it gets any.
	for i := last; i < len(c.Thresholds); i++ {
		c.Thresholds[i] = math.MaxUint32
	}
	return nil
}
