package aitree

import (
	"fmt"
	"slices"
	"time"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Condition is a test of an agent's facts. It has one value per agent and tick, wherever and however often it is used
// in a tree. Conditions that are equal, though made apart, are evaluated once. utility.ConsiderCondition makes a
// consideration of one.
type Condition struct {
	test   test
	negate bool
	faults []string
}

// Numeric is any type of number that a fact can be compared with. A fact of kind [blackboard.Age] is compared with a
// [time.Duration], and no other fact is.
type Numeric interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64
}

// number is a constant, as exact as it was given.
type number struct {
	float    float64
	integer  int64
	whole    bool // integer holds it exactly
	duration bool // integer is nanoseconds
}

func numberOf[N Numeric](v N) number {
	f := float64(v)
	n := number{float: f, integer: int64(v)}
	_, n.duration = any(v).(time.Duration)
	if half := N(1) / 2; half == 0 { // an integer type, none of which is wider than 64 bits
		n.whole = true
	} else {
		n.whole = f >= -1<<63 && f < 1<<63 && float64(n.integer) == f
	}
	return n
}

// True holds when a bool fact is true.
func True(f blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestTrue, fact: f}}
}

// Less holds when a number is less than v, or an age less than a [time.Duration].
func Less[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLess, f, v, false)
}

// LessEqual holds when a number or an age is at most v.
func LessEqual[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLessEqual, f, v, false)
}

// Greater holds when a number or an age is greater than v.
func Greater[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLessEqual, f, v, true)
}

// GreaterEqual holds when a number or an age is at least v.
func GreaterEqual[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLess, f, v, true)
}

// Equal holds when a number or an age equals v.
func Equal[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestEqual, f, v, false)
}

// NotEqual holds when a number or an age does not equal v.
func NotEqual[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestEqual, f, v, true)
}

// LessFact holds when f is less than g. Both are numbers of one kind, or ages.
func LessFact(f, g blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestLessFact, fact: f, other: g}}
}

// LessEqualFact holds when f is at most g. Both are numbers of one kind, or ages.
func LessEqualFact(f, g blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestLessEqualFact, fact: f, other: g}}
}

// EqualFact holds when f equals g. Both are numbers of one kind, ages or entities.
func EqualFact(f, g blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestEqualFact, fact: f, other: g}}
}

// Alive holds when an entity fact refers to an entity that is alive.
func Alive(f blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestAlive, fact: f}}
}

// Predicate is a custom test. The function gets the agents to test in the context's mask and returns those for which
// the test holds. It must be a pure function of facts and of what does not change within an AI stage. It may be called
// from several goroutines at once, for different agents.
func Predicate(name string, f func(*blackboard.Context) uint64) *Condition {
	c := &Condition{test: test{op: executor.TestPredicate, predicate: &predicate{name: name, test: f}}}
	if f == nil {
		c.faults = append(c.faults, fmt.Sprintf("predicate %q has no function", name))
	}
	return c
}

// Reads declares the facts that a predicate reads. The predicate reads them by their position in this list.
func (c *Condition) Reads(facts ...blackboard.Fact) *Condition {
	if c.test.predicate == nil {
		c.faults = append(c.faults, "Reads has no meaning for a comparison; it belongs to Predicate")
		return c
	}
	c.test.predicate.reads = facts
	return c
}

// Chance holds with the probability that a float fact has: never at 0 and below, always at 1 and above. It draws once
// per agent and tick, for all uses of the condition; each call of Chance makes a condition that draws for itself.
//
// A [Guard] and an Until draw anew in every tick, so how often an agent is ticked matters there. A [Check] in a
// [Sequence] draws once on the way to what follows it.
//
// A draw is a function of the world's seed, the agent, the clock, the tree's name and the number of the Chance: the
// first that [Build] meets in tree order is 0.
func Chance(probability blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestChance, fact: probability, draw: &draw{}}}
}

// AllOf holds when all of its conditions hold. It tests them in order until one does not. It takes one condition or
// more.
func AllOf(conditions ...*Condition) *Condition {
	return &Condition{test: test{op: executor.TestAll, of: slices.Clone(conditions)}}
}

// AnyOf holds when one of its conditions holds or more. It tests them in order until one does. It takes one condition
// or more.
func AnyOf(conditions ...*Condition) *Condition {
	return &Condition{test: test{op: executor.TestAll, of: slices.Clone(conditions), any: true}}
}

// Not holds when c does not.
func Not(c *Condition) *Condition {
	if c == nil {
		return nil
	}
	n := *c
	n.negate = !n.negate
	return &n
}

func compare[N Numeric](op executor.TestOp, f blackboard.Fact, v N, negate bool) *Condition {
	return &Condition{test: test{op: op, fact: f, number: numberOf(v)}, negate: negate}
}
