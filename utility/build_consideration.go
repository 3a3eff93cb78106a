package utility

import (
	"fmt"
	"reflect"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// consideration adds a consideration of an action.
func (b *builder) consideration(index int, k *Consideration, a *scoring.Action) error {
	if k == nil {
		return b.errorf("consideration %d is nil", index)
	}
	name := k.name
	if name == "" {
		name = fmt.Sprint(index)
	}
	defer b.enter("consideration %q", name)()
	if err := b.positive("the weight", k.weight); err != nil {
		return err
	}
	if fault := k.curve.fault(); fault != "" {
		return b.errorf("%s", fault)
	}
	t := scoring.Term{Elements: 1, Curve: k.curve.compiled()}
	if k.ranged {
		if !finite(k.a) || !finite(k.b) || !finite(float64(float32(k.b)-float32(k.a))) {
			return b.errorf("a range of %v to %v; use finite numbers whose difference is finite", k.a, k.b)
		}
		t.Ranged, t.A, t.Span = true, float32(k.a), float32(k.b)-float32(k.a)
	}
	var err error
	if t.Input, t.List, err = b.input(k, a); err != nil {
		return err
	}
	if t.List >= 0 {
		t.Elements = int32(b.e.Lists[t.List].List.Len())
	}
	c := scoring.Consideration{
		Name: name, Term: b.term(&t), List: t.List, Weight: float32(k.weight), Gate: k.gate,
	}
	a.Weights += c.Weight
	a.Gated = a.Gated || c.Gate
	b.e.Considerations = append(b.e.Considerations, c)
	return nil
}

// input returns the input of a consideration, and the list whose targets it is about, or -1. An input about targets is
// the first of several that follow one another, one for each element of the list.
func (b *builder) input(k *Consideration, a *scoring.Action) (at, list int32, err error) {
	e := b.e
	if k.custom {
		at, err = b.customInput(k.input)
		return at, -1, err
	}
	if k.ofTree {
		at, err = b.conditionInput(k.tests)
		return at, -1, err
	}
	if err := k.fact.Err(); err != nil {
		return 0, 0, b.errorf("fact that cannot be used: %v", err)
	}
	if a.List >= 0 && k.fact.Component() == e.Lists[a.List].List.Element() {
		return b.targetInputs(&e.Lists[a.List], k.fact), a.List, nil
	}
	if name := k.fact.Field().List; name != "" {
		return 0, 0, b.errorf(
			"fact %q is a fact of a target, a %v, and the action is not scored for a list of them; use For, "+
				"for example with list %q",
			k.fact.Name(), k.fact.Component(), name)
	}
	f := b.fact(k.fact)
	for _, i := range e.AgentInputs {
		if in := &e.Inputs[i]; in.Fill == nil && in.Condition == 0 && in.Fact == f {
			return i, -1, nil
		}
	}
	in := scoring.Input{Kind: k.fact.Kind(), Plain: k.fact.Kind() == blackboard.Float, Fact: f}
	return b.add(in), -1, nil
}

// add adds an input about the agent.
func (b *builder) add(in scoring.Input) int32 {
	e := b.e
	at := int32(len(e.Inputs))
	e.Inputs, e.AgentInputs = append(e.Inputs, in), append(e.AgentInputs, at)
	return at
}

// targetInputs returns the first of the inputs that read a fact of a list's elements.
func (b *builder) targetInputs(l *scoring.List, f blackboard.Fact) int32 {
	e := b.e
	for i, known := range l.Fields {
		if known.Same(f) {
			return l.Inputs[i]
		}
	}
	first := int32(len(e.Inputs))
	for i := range l.List.Len() {
		plain := f.Kind() == blackboard.Float
		e.Inputs = append(e.Inputs, scoring.Input{Kind: f.Kind(), Plain: plain, Fact: b.fact(l.List.Field(i, f))})
	}
	l.Fields, l.Inputs = append(l.Fields, f), append(l.Inputs, first)
	return first
}

// customInput returns the input of a custom input.
func (b *builder) customInput(in *Input) (int32, error) {
	if in == nil || in.fill == nil {
		return 0, b.errorf("the input has no function; pass one to NewInput")
	}
	for _, known := range b.custom {
		if known.input == in {
			return known.at, nil
		}
	}
	c := scoring.Input{Name: in.name, Kind: blackboard.Float, Fill: in.fill}
	for _, f := range in.reads {
		if err := f.Err(); err != nil {
			return 0, b.errorf("input %q: fact that cannot be used: %v", in.name, err)
		}
		if name := f.Field().List; name != "" {
			return 0, b.errorf("input %q reads fact %q, which is a fact of a target of list %q; read the "+
				"fact that List.Field returns",
				in.name, f.Name(), name)
		}
		c.Reads = append(c.Reads, b.fact(f))
	}
	at := b.add(c)
	b.custom = append(b.custom, customInput{in, at})
	return at, nil
}

// conditionInput returns the input of a condition.
func (b *builder) conditionInput(c Condition) (int32, error) {
	if v := reflect.ValueOf(c); c == nil || v.Kind() != reflect.Pointer || v.IsNil() {
		return 0, b.errorf("no condition; pass one of package aitree to ConsiderCondition")
	}
	e := b.e
	for _, i := range e.AgentInputs {
		if in := &e.Inputs[i]; in.Condition > 0 && e.Conditions[in.Condition-1] == any(c) {
			return i, nil
		}
	}
	e.Conditions = append(e.Conditions, c)
	return b.add(scoring.Input{Kind: blackboard.Bool, Condition: int32(len(e.Conditions))}), nil
}

// fact returns the index of a fact.
func (b *builder) fact(f blackboard.Fact) int32 {
	for i, known := range b.e.Facts {
		if known.Same(f) {
			return int32(i)
		}
	}
	b.e.Facts = append(b.e.Facts, f)
	return int32(len(b.e.Facts) - 1)
}

// term returns the first of the terms that are equal to t, whatever their names.
func (b *builder) term(t *scoring.Term) int32 {
	e := b.e
	for i := range e.Terms {
		if e.Terms[i].Same(t) {
			return int32(i)
		}
	}
	first := int32(len(e.Terms))
	for i := range t.Elements {
		one := *t
		one.Input += i
		one.Element = i
		e.Terms = append(e.Terms, one)
	}
	return first
}
