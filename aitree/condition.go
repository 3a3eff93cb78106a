package aitree

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Condition is a test of an agent's facts. It has one value per agent and tick, wherever and however
// often it stands in a tree.
type Condition struct {
	test   test
	negate bool
	faults []string
}

// test is what is evaluated; conditions that differ in nothing but negation share it.
type test struct {
	op        executor.TestOp
	fact      blackboard.Fact
	other     blackboard.Fact // factwise
	number    number
	predicate *predicate
}

type predicate struct {
	name  string
	test  func(*blackboard.Context) uint64
	reads []blackboard.Fact
}

// Numeric is any type of number that a fact can be compared with.
type Numeric interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64
}

// number is a constant, kept as exactly as it was given.
type number struct {
	float   float64
	integer int64
	whole   bool // integer holds it exactly
}

func numberOf[N Numeric](v N) number {
	f := float64(v)
	n := number{float: f, integer: int64(v)}
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

// Less holds when a fact is less than a number. Ages compare in seconds.
func Less[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLess, f, v, false)
}

// LessEqual holds when a fact is at most a number.
func LessEqual[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLessEqual, f, v, false)
}

// Greater holds when a fact is greater than a number.
func Greater[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLessEqual, f, v, true)
}

// GreaterEqual holds when a fact is at least a number.
func GreaterEqual[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestLess, f, v, true)
}

// Equal holds when a fact equals a number.
func Equal[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestEqual, f, v, false)
}

// NotEqual holds when a fact does not equal a number.
func NotEqual[N Numeric](f blackboard.Fact, v N) *Condition {
	return compare(executor.TestEqual, f, v, true)
}

// LessFact holds when f is less than g, both facts of one kind.
func LessFact(f, g blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestLessFact, fact: f, other: g}}
}

// LessEqualFact holds when f is at most g, both facts of one kind.
func LessEqualFact(f, g blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestLessEqualFact, fact: f, other: g}}
}

// EqualFact holds when f equals g, both facts of one kind, entities among them.
func EqualFact(f, g blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestEqualFact, fact: f, other: g}}
}

// Alive holds when an entity fact refers to an entity that is alive.
func Alive(f blackboard.Fact) *Condition {
	return &Condition{test: test{op: executor.TestAlive, fact: f}}
}

// Predicate is a test of the user's own. It gets the agents to test in the context's mask and returns
// those for which it holds. It must be a pure function of facts and of what else does not change within
// an AI stage.
func Predicate(name string, f func(*blackboard.Context) uint64) *Condition {
	c := &Condition{test: test{op: executor.TestPredicate, predicate: &predicate{name: name, test: f}}}
	if f == nil {
		c.faults = append(c.faults, fmt.Sprintf("predicate %q has no function", name))
	}
	return c
}

// Reads declares the facts that a predicate reads; it gets at them by their place in this list.
func (c *Condition) Reads(facts ...blackboard.Fact) *Condition {
	if c.test.predicate == nil {
		c.faults = append(c.faults, "Reads has no meaning for a comparison; it belongs to Predicate")
		return c
	}
	c.test.predicate.reads = facts
	return c
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

// fault returns what is wrong with the condition, or "".
func (c *Condition) fault() string {
	if c == nil {
		return "no condition; use True, Less, Predicate or another"
	}
	if len(c.faults) > 0 {
		return c.faults[0]
	}
	t := &c.test
	if t.op == executor.TestPredicate {
		for _, f := range t.predicate.reads {
			if err := f.Err(); err != nil {
				return "unknown fact: " + err.Error()
			}
		}
		return ""
	}
	if err := t.fact.Err(); err != nil {
		return "unknown fact: " + err.Error()
	}
	kind := t.fact.Kind()
	name := t.fact.Name()
	switch t.op {
	case executor.TestTrue:
		if kind != blackboard.Bool {
			return fmt.Sprintf("True of fact %q, which is of kind %v; it takes a bool", name, kind)
		}
	case executor.TestAlive:
		if kind != blackboard.EntityRef {
			return fmt.Sprintf("Alive of fact %q, which is of kind %v; it takes an entity", name, kind)
		}
	case executor.TestLess, executor.TestLessEqual, executor.TestEqual:
		switch {
		case kind != blackboard.Float && kind != blackboard.Int && kind != blackboard.Age:
			return fmt.Sprintf("fact %q of kind %v compared with a number; use True, Alive or EqualFact", name, kind)
		case math.IsNaN(t.number.float) || math.IsInf(t.number.float, 0):
			return fmt.Sprintf("fact %q compared with %v; use a finite number", name, t.number.float)
		case kind == blackboard.Int && !t.number.whole:
			return fmt.Sprintf("integer fact %q compared with %v; use a whole number", name, t.number.float)
		case kind == blackboard.Float && math.IsInf(float64(float32(t.number.float)), 0):
			return fmt.Sprintf("fact %q compared with %v, which is beyond the range of a float32", name, t.number.float)
		case kind == blackboard.Age && math.Abs(t.number.float) > 9e9:
			return fmt.Sprintf("age %q compared with %v seconds; the limit is 9e9", name, t.number.float)
		}
	default:
		if err := t.other.Err(); err != nil {
			return "unknown fact: " + err.Error()
		}
		if kind != t.other.Kind() || kind == blackboard.Bool || kind == blackboard.EntityRef && t.op != executor.TestEqualFact {
			return fmt.Sprintf("fact %q of kind %v compared with fact %q of kind %v; compare two numbers, two ages, "+
				"or two entities for equality",
				name, kind, t.other.Name(), t.other.Kind())
		}
	}
	return ""
}

// same reports whether two tests have the same value for every agent and tick.
func (t *test) same(o *test) bool {
	return t.op == o.op && t.predicate == o.predicate && t.number == o.number &&
		t.fact.Same(o.fact) && t.other.Same(o.other)
}
