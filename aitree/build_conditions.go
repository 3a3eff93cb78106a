package aitree

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
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
	key := factKey{f.Component(), f.Field().Offset, f.Kind(), f.Field().DefaultFloat, f.Field().DefaultInt}
	for _, i := range b.facts[key] {
		if b.program.Facts[i].Same(f) {
			return i, nil
		}
	}
	i := int32(len(b.program.Facts))
	b.program.Facts = append(b.program.Facts, f)
	b.facts[key] = append(b.facts[key], i)
	return i, nil
}

// factKey is equal for facts that are the same.
type factKey struct {
	component    reflect.Type
	offset       uintptr
	kind         blackboard.Kind
	defaultFloat float32
	defaultInt   int64
}

// factsOf returns the indices of facts.
func (b *builder) factsOf(facts []blackboard.Fact) (indices []int32, err error) {
	for _, f := range facts {
		i, err := b.fact(f)
		if err != nil {
			return nil, err
		}
		indices = append(indices, i)
	}
	return indices, nil
}

// writtenByAI reports whether a tick changes a component. A fact of such a component may be gathered before or after
// another agent of the block, or the same one, has been written.
func writtenByAI(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[components.Intent](), reflect.TypeFor[components.Mind64](),
		reflect.TypeFor[components.Mind128](), reflect.TypeFor[components.Mind256]():
		return true
	}
	return false
}

// condition compiles a condition. Conditions with the same test share it.
func (b *builder) condition(c *Condition) (executor.Operand, error) {
	if o, ok := b.conditions[c]; ok {
		return o, nil
	}
	if fault := c.fault(); fault != "" {
		return executor.Operand{}, b.errorf("%s", fault)
	}
	t := executor.Test{
		Op: c.test.op, Fact: -1, Other: -1, Kind: c.test.fact.Kind(),
		Float: float32(c.test.number.float), Integer: c.test.number.integer,
	}
	key := testKey{op: t.Op, number: c.test.number, predicate: c.test.predicate, draw: c.test.draw}
	var err error
	switch t.Op {
	case executor.TestPredicate:
		t.Predicate = c.test.predicate.test
		t.Reads, err = b.factsOf(c.test.predicate.reads)
	case executor.TestAll:
		if t.Of, err = b.operands(&c.test); err == nil {
			key.of = sameOperands(t.Of)
		}
	default:
		if t.Fact, err = b.fact(c.test.fact); err == nil && c.test.other.Kind() != blackboard.Invalid {
			t.Other, err = b.fact(c.test.other)
		}
		key.fact, key.other = t.Fact, t.Other
	}
	if err != nil {
		return executor.Operand{}, err
	}
	o := executor.Operand{Test: b.test(c, &t, key)}
	if c.negate != c.test.any {
		o.Negate = ^uint64(0)
	}
	b.conditions[c] = o
	return o, nil
}

// test returns the index of a test, which it adds to the program when it is new.
func (b *builder) test(c *Condition, t *executor.Test, key testKey) int32 {
	at, ok := b.tests[key]
	if !ok {
		p := b.program
		if t.Op == executor.TestChance {
			t.Chance = b.chances
			b.chances++
		}
		p.Custom = p.Custom || t.Op == executor.TestPredicate
		t.ChooseQuery()
		at = int32(len(p.Tests))
		p.Tests = append(p.Tests, *t)
		b.texts.tests = append(b.texts.tests, c.texts())
		b.tests[key] = at
	}
	return at
}

// operands compiles the conditions of an AllOf or an AnyOf, each once. Any of them holds unless all of their negations
// do, so those of an AnyOf are negated.
func (b *builder) operands(t *test) (of []executor.Operand, err error) {
	name := "AllOf"
	if t.any {
		name = "AnyOf"
	}
	if len(t.of) == 0 {
		return nil, b.errorf("%s of no conditions; give it one or more", name)
	}
	if b.nesting++; b.nesting > maxDepth {
		return nil, b.errorf("conditions nested deeper than %d; flatten them", maxDepth)
	}
	defer func() { b.nesting-- }()
	seen := make(map[executor.Operand]bool, len(t.of))
	for i, c := range t.of {
		b.path = append(b.path, fmt.Sprintf("%s[%d]", name, i))
		o, err := b.condition(c)
		if err != nil {
			return nil, err
		}
		b.path = b.path[:len(b.path)-1]
		if t.any {
			o.Negate = ^o.Negate
		}
		if !seen[o] {
			seen[o] = true
			of = append(of, o)
		}
	}
	return of, nil
}

// sameOperands returns a text that is the same for the same operands in any order.
func sameOperands(of []executor.Operand) string {
	sorted := make([]int64, len(of))
	for i, o := range of {
		sorted[i] = int64(o.Test)<<1 | int64(o.Negate&1)
	}
	slices.Sort(sorted)
	text := make([]byte, 0, 8*len(of))
	for _, v := range sorted {
		text = binary.LittleEndian.AppendUint64(text, uint64(v))
	}
	return string(text)
}

// test is what is evaluated. Conditions that differ only in negation share it.
type test struct {
	op        executor.TestOp
	fact      blackboard.Fact
	other     blackboard.Fact // of a comparison of two facts
	number    number
	predicate *predicate
	draw      *draw        // of a Chance
	of        []*Condition // of an AllOf or an AnyOf
	any       bool         // it is an AnyOf
}

// testKey is equal for two tests that have the same value for every agent and tick. Facts are indices of
// Program.Facts.
type testKey struct {
	op          executor.TestOp
	fact, other int32
	number      number
	predicate   *predicate
	draw        *draw
	of          string
}

// draw makes a Chance differ from every other. It has a size, or two could have one address.
type draw struct{ _ byte }

// predicate is a custom test.
type predicate struct {
	name  string
	test  func(*blackboard.Context) uint64
	reads []blackboard.Fact
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
	if t.op == executor.TestAll {
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
	case executor.TestChance:
		if kind != blackboard.Float {
			return fmt.Sprintf("Chance of fact %q, which is of kind %v; it takes a float, the probability", name, kind)
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
