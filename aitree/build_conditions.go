package aitree

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// fact returns the index of a fact in Program.Facts, to which it adds the fact when it is new.
func (b *builder) fact(f blackboard.Fact) (int32, error) {
	if err := f.Err(); err != nil {
		return 0, b.errorf("fact that cannot be used: %v", err)
	}
	if name := f.Field().List; name != "" {
		return 0, b.errorf("fact %q of %v is a fact of a target; use it in an action of an evaluator that is "+
			"scored for list %q", f.Name(), f.Component(), name)
	}
	if writtenByAI(f.Component()) {
		return 0, b.errorf("fact %q of %v, which the AI writes: its value would depend on which agents were ticked "+
			"before; copy what you need into a custom component", f.Name(), f.Component())
	}
	for i, known := range b.program.Facts {
		if known.Same(f) {
			return int32(i), nil
		}
	}
	b.program.Facts = append(b.program.Facts, f)
	return int32(len(b.program.Facts) - 1), nil
}

// writtenByAI reports whether a tick changes a component. A fact of such a component may be gathered before or after
// another agent of the block, or the same one, has been written.
func writtenByAI(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[components.Intent](), reflect.TypeFor[components.Triggers](),
		reflect.TypeFor[components.Mind64](), reflect.TypeFor[components.Mind128](),
		reflect.TypeFor[components.Mind256]():
		return true
	}
	return false
}

// condition compiles a condition onto a node. Conditions with the same test share it.
func (b *builder) condition(cond *Condition, c *executor.Node) error {
	if fault := cond.fault(); fault != "" {
		return b.errorf("%s", fault)
	}
	if cond.negate {
		c.Negate = ^uint64(0)
	}
	p := b.program
	for i := range b.tests {
		if b.tests[i].same(&cond.test) {
			c.Test = int32(i)
			return nil
		}
	}
	t := executor.Test{
		Op: cond.test.op, Fact: -1, Other: -1,
		Float: float32(cond.test.number.float), Integer: cond.test.number.integer,
	}
	if t.Op == executor.TestPredicate {
		p.Custom = true
		t.Predicate = cond.test.predicate.test
		for _, f := range cond.test.predicate.reads {
			i, err := b.fact(f)
			if err != nil {
				return err
			}
			t.Reads = append(t.Reads, i)
		}
	} else {
		var err error
		if t.Fact, err = b.fact(cond.test.fact); err != nil {
			return err
		}
		t.Kind = cond.test.fact.Kind()
		if t.Op == executor.TestLessFact || t.Op == executor.TestLessEqualFact || t.Op == executor.TestEqualFact {
			if t.Other, err = b.fact(cond.test.other); err != nil {
				return err
			}
		}
	}
	t.ChooseQuery()
	c.Test = int32(len(p.Tests))
	p.Tests = append(p.Tests, t)
	b.tests = append(b.tests, cond.test)
	return nil
}

// test is what is evaluated. Conditions that differ only in negation share it.
type test struct {
	op        executor.TestOp
	fact      blackboard.Fact
	other     blackboard.Fact // of a comparison of two facts
	number    number
	predicate *predicate
}

// predicate is a custom test.
type predicate struct {
	name  string
	test  func(*blackboard.Context) uint64
	reads []blackboard.Fact
}

// same reports whether two tests have the same value for every agent and tick.
func (t *test) same(o *test) bool {
	return t.op == o.op && t.predicate == o.predicate && t.number == o.number &&
		t.fact.Same(o.fact) && t.other.Same(o.other)
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
				return "fact that cannot be used: " + err.Error()
			}
		}
		return ""
	}
	if err := t.fact.Err(); err != nil {
		return "fact that cannot be used: " + err.Error()
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
		case kind == blackboard.Age && !t.number.duration:
			return fmt.Sprintf("age %q compared with the number %v; use a time.Duration", name, t.number.float)
		case kind != blackboard.Age && t.number.duration:
			return fmt.Sprintf("fact %q of kind %v compared with the duration %v; use a number, or a fact of kind age",
				name, kind, time.Duration(t.number.integer))
		case kind == blackboard.Age && math.Abs(t.number.float) > 9e18:
			return fmt.Sprintf("age %q compared with %v; the limit is 9e9 seconds", name,
				time.Duration(t.number.integer))
		case math.IsNaN(t.number.float) || math.IsInf(t.number.float, 0):
			return fmt.Sprintf("fact %q compared with %v; use a finite number", name, t.number.float)
		case kind == blackboard.Int && !t.number.whole:
			return fmt.Sprintf("integer fact %q compared with %v; use a whole number", name, t.number.float)
		case kind == blackboard.Float && math.IsInf(float64(float32(t.number.float)), 0):
			return fmt.Sprintf("fact %q compared with %v, which is beyond the range of a float32", name, t.number.float)
		}
	default:
		if err := t.other.Err(); err != nil {
			return "fact that cannot be used: " + err.Error()
		}
		ordered := t.op != executor.TestEqualFact
		if kind != t.other.Kind() || kind == blackboard.Bool || kind == blackboard.EntityRef && ordered {
			return fmt.Sprintf("fact %q of kind %v compared with fact %q of kind %v; compare two numbers, two ages, "+
				"or two entities for equality",
				name, kind, t.other.Name(), t.other.Kind())
		}
	}
	return ""
}
