package aitree

import (
	"time"

	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Inverter swaps its child's success and failure.
func Inverter(child *Node) *Node { return decorator(executor.OpInverter, child) }

// ForceSuccess succeeds whatever its child's result.
func ForceSuccess(child *Node) *Node { return decorator(executor.OpForceSuccess, child) }

// ForceFailure fails whatever its child's result.
func ForceFailure(child *Node) *Node { return decorator(executor.OpForceFailure, child) }

// Repeat runs its child n times, one round per tick at most, and succeeds; a failure of the child fails it.
// With n of 0 or less it repeats for ever.
func Repeat(n int, child *Node) *Node {
	d := decorator(executor.OpRepeat, child)
	d.count = n
	return d
}

// Retry runs its child until it succeeds, n times at most, one round per tick at most; the n-th failure fails it.
// With n of 0 or less it retries for ever.
func Retry(n int, child *Node) *Node {
	d := decorator(executor.OpRetry, child)
	d.count = n
	return d
}

// UntilSuccess runs its child again and again, one round per tick at most, until it succeeds.
func UntilSuccess(child *Node) *Node { return decorator(executor.OpUntilSuccess, child) }

// UntilFailure runs its child again and again, one round per tick at most, until it fails, and then
// succeeds.
func UntilFailure(child *Node) *Node { return decorator(executor.OpUntilFailure, child) }

// Cooldown fails for a duration after its child succeeded, from 0 to 35 minutes, rounded down to microseconds. Aborts and
// loop rounds do not end it, because it limits a rate; a reset of the agent does.
func Cooldown(duration time.Duration, child *Node) *Node {
	d := decorator(executor.OpCooldown, child)
	d.duration = duration
	return d
}

// ClearedByAbort makes a [Cooldown] end when a branch it stands in is aborted or a loop above it begins a new
// round.
func (n *Node) ClearedByAbort() *Node {
	n.clearedByAbort = true
	return n.only("ClearedByAbort", n.op == executor.OpCooldown, executor.OpCooldown)
}

// Timeout resets its child and fails when the child still runs a duration after it was entered, from 0 to 35 minutes,
// rounded down to microseconds. The result of a child that completes on the tick that reaches the deadline counts.
func Timeout(duration time.Duration, child *Node) *Node {
	d := decorator(executor.OpTimeout, child)
	d.duration = duration
	return d
}

// Guard ticks its child while a condition holds, which is tested before the child on every tick. When it
// does not hold, a running child is reset and the guard fails.
func Guard(c *Condition, child *Node) *Node {
	d := decorator(executor.OpGuard, child)
	d.condition = c
	return d
}

func decorator(op executor.Opcode, child *Node) *Node { return &Node{op: op, children: []*Node{child}} }
