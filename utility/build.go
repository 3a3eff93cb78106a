package utility

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Limits of an evaluator.
const (
	MaxActions = 64
	maxMicros  = math.MaxInt32 // 35 minutes, as for the durations of a tree
)

// Build compiles an evaluator.
//
// An error names the evaluator, the action and the consideration, what is wrong and what would be right: no actions or
// more than [MaxActions], a name missing or given twice, a weight, minimum, inertia, commitment, temperature or amount
// that is negative or not finite, a range or curve with a parameter that is not finite, points out of order, a fact
// that is unknown or belongs to a target where there is none.
func Build(name string, d *Definition) (*Evaluator, error) {
	b := &builder{
		e:    &Evaluator{name: name, hash: random.String(name)},
		path: []string{fmt.Sprintf("evaluator %q", name)},
	}
	if name == "" {
		return nil, fmt.Errorf("utility: an evaluator has no name")
	}
	if d == nil {
		return nil, b.errorf("no definition; use Choose")
	}
	if err := b.settings(d); err != nil {
		return nil, err
	}

	for i, a := range d.actions {
		if err := b.action(i, a); err != nil {
			return nil, err
		}
	}
	b.order()
	b.layOut()
	return b.e, nil
}

type builder struct {
	e    *Evaluator
	path []string
}

func (b *builder) errorf(format string, args ...any) error {
	return fmt.Errorf("utility: %s: %s", strings.Join(b.path, " > "), fmt.Sprintf(format, args...))
}

func (b *builder) enter(format string, args ...any) func() {
	b.path = append(b.path, fmt.Sprintf(format, args...))
	return func() { b.path = b.path[:len(b.path)-1] }
}

// positive checks a number of 0 or more.
func (b *builder) positive(what string, v float64) error {
	if !finite(v) || v < 0 {
		return b.errorf("%s is %v; use a finite number of 0 or more", what, v)
	}
	return nil
}

func (b *builder) settings(d *Definition) error {
	if len(d.actions) == 0 {
		return b.errorf("no actions; give Choose at least one")
	}
	if len(d.actions) > MaxActions {
		return b.errorf("%d actions; the limit is %d", len(d.actions), MaxActions)
	}
	if d.combination >= combinations {
		return b.errorf("combination %d; use Compensated, Product or another", d.combination)
	}
	for _, s := range []struct {
		what string
		v    float64
	}{
		{"the inertia", d.inertia}, {"the minimum score", d.minimum},
		{"the commitment", d.commitment}, {"the temperature", d.temperature},
		{"the amount of RescoreBeyond", d.rescore}} {
		if err := b.positive(s.what, s.v); err != nil {
			return err
		}
	}
	if d.mode == topN && d.best < 1 {
		return b.errorf("the best %d; TopN takes 1 or more", d.best)
	}
	if d.commitment*1e6 > maxMicros {
		return b.errorf("a commitment of %v seconds; the limit is %v (35 minutes)", d.commitment, maxMicros/1e6)
	}
	e := b.e
	e.combination, e.mode, e.best = d.combination, d.mode, d.best
	e.temperature = max(float32(d.temperature), 1e-4)
	e.minimum = float32(d.minimum)
	if d.mode == argmax {
		e.inertia = float32(d.inertia)
	}
	// Rounded down, with an allowance for the product's error, as a tree's durations are.
	e.commitment = int64(float64(d.commitment*1e6) + 1e-4)
	e.rescores, e.amount = d.rescores, float32(d.rescore)
	return nil
}

func (b *builder) action(index int, a *Action) error {
	e := b.e
	if a == nil {
		return b.errorf("action %d is nil", index)
	}
	if a.name == "" {
		return b.errorf("action %d has no name", index)
	}
	defer b.enter("action %q", a.name)()
	for i := range e.actions {
		if e.actions[i].name == a.name {
			return b.errorf("two actions have this name")
		}
	}
	if err := b.positive("the weight", a.weight); err != nil {
		return err
	}
	if a.rank < math.MinInt32 || a.rank > math.MaxInt32 {
		return b.errorf("a rank of %d; use one of 32 bits", a.rank)
	}
	n := len(a.considerations)
	c := action{
		name: a.name, weight: float32(a.weight), rank: int32(a.rank), list: -1,
		first: int32(len(e.uses)), count: int32(n),
	}
	if n > 0 {
		c.makeUp = 1 - 1/float32(n)
		c.root = 1 / float32(n)
	}
	if a.list != nil {
		if err := a.list.Err(); err != nil {
			return b.errorf("unknown list: %v", err)
		}
		i, err := b.list(*a.list)
		if err != nil {
			return err
		}
		c.list = i
	}
	for i, k := range a.considerations {
		if err := b.consideration(i, k, &c); err != nil {
			return err
		}
	}
	if !finite(float64(c.weights)) {
		return b.errorf("the considerations' weights add up to more than a float32 holds; use smaller ones")
	}
	e.actions = append(e.actions, c)
	return nil
}

func (b *builder) list(l blackboard.List) (int32, error) {
	e := b.e
	for i := range e.lists {
		if e.lists[i].list.Same(l) {
			return int32(i), nil
		}
	}
	k := list{list: l, count: b.fact(l.Count())}
	for i := range l.Len() {
		k.entities = append(k.entities, b.fact(l.Entity(i)))
	}
	e.lists = append(e.lists, k)
	return int32(len(e.lists) - 1), nil
}

func (b *builder) consideration(index int, k *Consideration, a *action) error {
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
	t := term{elements: 1, curve: k.curve.compiled()}
	if k.ranged {
		if !finite(k.a) || !finite(k.b) || !finite(float64(float32(k.b)-float32(k.a))) {
			return b.errorf("a range of %v to %v; use finite numbers whose difference is finite", k.a, k.b)
		}
		t.ranged, t.a, t.span = true, float32(k.a), float32(k.b)-float32(k.a)
	}
	var err error
	if t.input, t.list, err = b.input(k, a); err != nil {
		return err
	}
	if t.list >= 0 {
		t.elements = int32(b.e.lists[t.list].list.Len())
	}
	u := use{name: name, term: b.term(&t), list: t.list, weight: float32(k.weight), gate: k.gate}
	a.weights += u.weight
	a.gated = a.gated || u.gate
	b.e.uses = append(b.e.uses, u)
	return nil
}

// input returns the input of a consideration, and the list that it is a target's of, or -1. That of a target is the
// first of several that follow one another, one for each element.
func (b *builder) input(k *Consideration, a *action) (at, list int32, err error) {
	e := b.e
	if k.custom {
		at, err = b.custom(k.input)
		return at, -1, err
	}
	if err := k.fact.Err(); err != nil {
		return 0, 0, b.errorf("unknown fact: %v", err)
	}
	if a.list >= 0 && k.fact.Component() == e.lists[a.list].list.Element() {
		return b.ofTargets(&e.lists[a.list], k.fact), a.list, nil
	}
	if name := k.fact.Field().List; name != "" {
		return 0, 0, b.errorf(
			"fact %q is one of a target, a %v, and the action is not scored for a list of them; use For, "+
				"as with list %q",
			k.fact.Name(), k.fact.Component(), name)
	}
	f := b.fact(k.fact)
	for _, i := range e.own {
		if e.inputs[i].custom == nil && e.inputs[i].fact == f {
			return i, -1, nil
		}
	}
	return b.add(input{kind: k.fact.Kind(), plain: k.fact.Kind() == blackboard.Float, fact: f}), -1, nil
}

// add adds an input that is no target's.
func (b *builder) add(in input) int32 {
	e := b.e
	at := int32(len(e.inputs))
	e.inputs, e.own = append(e.inputs, in), append(e.own, at)
	return at
}

// ofTargets returns the first of the inputs that read a fact of a list's elements.
func (b *builder) ofTargets(l *list, f blackboard.Fact) int32 {
	e := b.e
	for i, known := range l.fields {
		if known.Same(f) {
			return l.inputs[i]
		}
	}
	first := int32(len(e.inputs))
	for i := range l.list.Len() {
		plain := f.Kind() == blackboard.Float
		e.inputs = append(e.inputs, input{kind: f.Kind(), plain: plain, fact: b.fact(l.list.Field(i, f))})
	}
	l.fields, l.inputs = append(l.fields, f), append(l.inputs, first)
	return first
}

// custom returns the input that a function of the user's own fills.
func (b *builder) custom(in *Input) (int32, error) {
	if in == nil || in.fill == nil {
		return 0, b.errorf("an input without a function; give NewInput one")
	}
	for _, i := range b.e.own {
		if b.e.inputs[i].custom == in {
			return i, nil
		}
	}
	c := input{kind: blackboard.Float, custom: in}
	for _, f := range in.reads {
		if err := f.Err(); err != nil {
			return 0, b.errorf("input %q: unknown fact: %v", in.name, err)
		}
		if name := f.Field().List; name != "" {
			return 0, b.errorf("input %q reads fact %q, which is one of a target of list %q; read List.Field of it",
				in.name, f.Name(), name)
		}
		c.reads = append(c.reads, b.fact(f))
	}
	return b.add(c), nil
}

// fact returns the index of a fact.
func (b *builder) fact(f blackboard.Fact) int32 {
	for i, known := range b.e.facts {
		if known.Same(f) {
			return int32(i)
		}
	}
	b.e.facts = append(b.e.facts, f)
	return int32(len(b.e.facts) - 1)
}

// term returns the first of the terms that are equal to t, whatever their names.
func (b *builder) term(t *term) int32 {
	e := b.e
	for i := range e.terms {
		if e.terms[i].same(t) {
			return int32(i)
		}
	}
	first := int32(len(e.terms))
	for i := range t.elements {
		one := *t
		one.input += i
		one.element = i
		e.terms = append(e.terms, one)
	}
	return first
}

// order sorts the actions by rank and, so that a good score settles the most, by weight.
func (b *builder) order() {
	e := b.e
	for i := range e.actions {
		e.order = append(e.order, int32(i))
	}
	slices.SortStableFunc(e.order, func(i, j int32) int {
		x, y := &e.actions[i], &e.actions[j]
		if c := cmp.Compare(y.rank, x.rank); c != 0 {
			return c
		}
		if e.mode != argmax {
			return 0 // draws are from all, in the order of the description
		}
		return cmp.Compare(y.weight, x.weight)
	})
	for start := 0; start < len(e.order); {
		end := start + 1
		for end < len(e.order) && e.actions[e.order[end]].rank == e.actions[e.order[start]].rank {
			end++
		}
		e.groups = append(e.groups, e.order[start:end:end])
		start = end
	}
}

// layOut numbers the pairs of actions and targets and the words of memory.
func (b *builder) layOut() {
	e := b.e
	for i := range e.actions {
		a := &e.actions[i]
		a.pairs = e.pairs
		e.pairs += int32(e.elements(a))
	}
	if !e.rescores {
		return
	}
	e.memory = len(e.own)
	for i := range e.lists {
		l := &e.lists[i]
		l.memory = e.memory
		e.memory += l.list.Len() * (entityWords + len(l.inputs))
	}
}
