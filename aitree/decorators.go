package aitree

import (
	"time"

	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Inverter fails when its child succeeds and succeeds when its child fails.
func Inverter(child *Node) *Node { return decorator(executor.OpInverter, child) }

// ForceSuccess succeeds when its child completes, whatever the child's result.
func ForceSuccess(child *Node) *Node { return decorator(executor.OpForceSuccess, child) }

// ForceFailure fails when its child completes, whatever the child's result.
func ForceFailure(child *Node) *Node { return decorator(executor.OpForceFailure, child) }

// Repeat runs its child n times, at most once per tick, and succeeds. It fails when the child fails. With an n of 0 or
// less it repeats without end.
func Repeat(n int, child *Node) *Node {
	d := decorator(executor.OpRepeat, child)
	d.count = n
	return d
}

// Retry runs its child until it succeeds, at most n times and at most once per tick. It fails when the child fails the
// n-th time. With an n of 0 or less it retries without end.
func Retry(n int, child *Node) *Node {
	d := decorator(executor.OpRetry, child)
	d.count = n
	return d
}

// UntilSuccess runs its child until it succeeds, at most once per tick.
func UntilSuccess(child *Node) *Node { return decorator(executor.OpUntilSuccess, child) }

// UntilFailure runs its child until it fails, at most once per tick, and then succeeds.
func UntilFailure(child *Node) *Node { return decorator(executor.OpUntilFailure, child) }

// Cooldown starts when its child succeeds, and then fails for a duration, from 0 to 35 minutes, rounded down to
// microseconds. A child that fails or is aborted does not start it; see [Node.StartedByCompletion]. Aborts and loop
// rounds do not end it, because it limits a rate; a reset of the agent does.
func Cooldown(duration time.Duration, child *Node) *Node {
	d := decorator(executor.OpCooldown, child)
	d.duration = duration
	return d
}

// StartedByCompletion makes a [Cooldown] start when its child succeeds and when it fails. An abort of the child does
// not start it.
func (n *Node) StartedByCompletion() *Node {
	n.startedByCompletion = true
	return n.only("StartedByCompletion", n.op == executor.OpCooldown, executor.OpCooldown)
}

// ClearedByAbort makes a [Cooldown] end when the branch that it is in is aborted, and when a loop above it begins a new
// round.
func (n *Node) ClearedByAbort() *Node {
	n.clearedByAbort = true
	return n.only("ClearedByAbort", n.op == executor.OpCooldown, executor.OpCooldown)
}

// Every begins its child at most once in a duration, from 0 to 35 minutes, rounded down to microseconds. Once the child
// has completed, it begins again on the first tick at or after the duration from the instant at which it last began;
// until then its last result stands, and the child is not ticked. A running child is ticked on every tick. A child that
// was aborted before it ever completed has no result, so it begins again at once. The limit and the result survive the
// completion and the aborts of the node; a reset of the agent clears them.
func Every(duration time.Duration, child *Node) *Node {
	d := decorator(executor.OpEvery, child)
	d.duration = duration
	return d
}

// Timeout resets its child and fails when the child still runs a duration after it was entered, from 0 to 35 minutes,
// rounded down to microseconds. The result of a child that completes on the tick that reaches the deadline counts.
func Timeout(duration time.Duration, child *Node) *Node {
	d := decorator(executor.OpTimeout, child)
	d.duration = duration
	return d
}

// Guard ticks its child while a condition holds. It tests the condition before the child on every tick. When the
// condition does not hold, it resets a running child and fails.
func Guard(c *Condition, child *Node) *Node {
	d := decorator(executor.OpGuard, child)
	d.condition = c
	return d
}

func decorator(op executor.Opcode, child *Node) *Node { return &Node{op: op, children: []*Node{child}} }
