package aitree

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Limits of a tree.
const (
	maxDepth    = 256
	maxTriggers = components.MaxTriggers
)

// Build compiles a tree. The actions may be nil when the tree posts none.
//
// An error names the path to the node, what is wrong and what would be right: a composite without
// children, a decorator without a child, an unknown fact, action or subtree, a fact of a component that the AI writes,
// a duration that is negative, not a number or beyond 35 minutes, a policy that no number of children meets, two Do
// leaves of one channel in different branches of a Parallel, more than 4 triggers on one path, a subtree that contains
// itself, a depth beyond 256, more state than the largest mind holds.
func Build(name string, actions *Actions, root *Node, subtrees ...Definition) (*Program, error) {
	b := &builder{
		actions:  actions,
		subtrees: subtrees,
		program:  &executor.Program{Name: name, Hash: random.String(name)},
	}
	if name == "" {
		return nil, fmt.Errorf("aitree: a tree has no name")
	}
	for i, s := range subtrees {
		if s.name == "" {
			return nil, fmt.Errorf("aitree: tree %q: subtree %d has no name", name, i)
		}
		for _, o := range subtrees[:i] {
			if o.name == s.name {
				return nil, fmt.Errorf("aitree: tree %q: subtree %q is defined twice", name, s.name)
			}
		}
	}
	b.path = []string{fmt.Sprintf("tree %q", name)}
	if root == nil {
		return nil, b.errorf("no root")
	}
	if err := b.node(root, -1, "", ""); err != nil {
		return nil, err
	}
	if err := b.layOut(); err != nil {
		return nil, err
	}
	return &Program{b.program, actions}, nil
}

type builder struct {
	program  *executor.Program
	actions  *Actions
	subtrees []Definition
	open     []string // subtrees being inlined, against recursion
	path     []string
	depth    int
	fires    []fireBudget // by node
	channels [][]post     // Do leaves below, by node
	tests    []test       // by index of Program.tests
}

// post remembers where a Do leaf stands, for the error about channels.
type post struct {
	channel components.Channel
	path    string
}

// fireBudget holds the most triggers one tick of a subtree can post, by its result; impossible is a
// result it cannot have.
type fireBudget struct{ success, failure, running int }

const impossible = math.MinInt32

func (b *builder) errorf(format string, args ...any) error {
	return fmt.Errorf("aitree: %s: %s", strings.Join(b.path, " > "), fmt.Sprintf(format, args...))
}

// node compiles n and what is below it. prefix goes before the names of leaves, label in the place of its own.
func (b *builder) node(n *Node, parent int32, prefix, label string) error {
	if n.op == executor.OpSubtree {
		return b.inline(n, parent, prefix)
	}
	if label == "" {
		label = n.label
	}
	b.path = append(b.path, b.step(n, parent))
	b.depth++
	defer func() { b.path = b.path[:len(b.path)-1]; b.depth-- }()

	if b.depth > maxDepth {
		return b.errorf("deeper than %d nodes; split the tree or flatten it", maxDepth)
	}
	p := b.program
	if len(p.Nodes) >= executor.MaxNodes {
		return b.errorf("more than %d nodes", executor.MaxNodes)
	}
	if len(n.faults) > 0 {
		return b.errorf("%s", n.faults[0])
	}
	if err := b.checkChildren(n); err != nil {
		return err
	}

	self := int32(len(p.Nodes))
	p.Nodes = append(p.Nodes, executor.Node{
		Op: n.op, Parent: parent, Leaf: -1, Test: -1, Slot: -1, Posting: -1,
		Latched: n.latched, ClearedByAbort: n.clearedByAbort, Count: int32(len(n.children)),
	})
	b.fires = append(b.fires, fireBudget{})
	b.channels = append(b.channels, nil)
	if err := b.parameters(n, self, prefix, label); err != nil {
		return err
	}
	for i, c := range n.children {
		if c == nil {
			return b.errorf("child %d is nil; give it a node", i)
		}
		p.Nodes[self].Children = append(p.Nodes[self].Children, int32(len(p.Nodes)))
		if err := b.node(c, self, prefix, ""); err != nil {
			return err
		}
	}
	p.Nodes[self].End = int32(len(p.Nodes))
	if n.op == executor.OpUtilitySelector {
		k := &p.UtilityNodes[p.Nodes[self].UtilityNode]
		for i, at := range k.Branches {
			k.Branches[i] = p.Nodes[self].Children[at]
		}
	}
	return b.summarise(self)
}

// step renders a node's place below its parent.
func (b *builder) step(n *Node, parent int32) string {
	s := n.op.String()
	if parent >= 0 {
		s = fmt.Sprintf("%s[%d]", s, len(b.program.Nodes[parent].Children)-1)
	}
	if n.label != "" {
		s += fmt.Sprintf(" %q", n.label)
	}
	return s
}

// inline compiles the use of a subtree in its place.
func (b *builder) inline(n *Node, parent int32, prefix string) error {
	b.path = append(b.path, fmt.Sprintf("Subtree %q", n.subtree))
	defer func() { b.path = b.path[:len(b.path)-1] }()
	if len(n.faults) > 0 {
		return b.errorf("%s", n.faults[0])
	}
	for _, o := range b.open {
		if o == n.subtree {
			return b.errorf("the subtree contains itself; a subtree may use others only")
		}
	}
	for _, s := range b.subtrees {
		if s.name != n.subtree {
			continue
		}
		if s.root == nil {
			return b.errorf("the subtree has no root")
		}
		b.open = append(b.open, s.name)
		defer func() { b.open = b.open[:len(b.open)-1] }()
		use := n.label
		if use == "" {
			use = n.subtree
		}
		return b.node(s.root, parent, prefix+use+".", "")
	}
	known := make([]string, len(b.subtrees))
	for i, s := range b.subtrees {
		known[i] = fmt.Sprintf("%q", s.name)
	}
	return b.errorf("unknown subtree; defined are: %s", strings.Join(append(known, ""), " "))
}

func (b *builder) checkChildren(n *Node) error {
	switch {
	case n.op == executor.OpUtilitySelector:
		return nil // its evaluator says which branches it needs
	case n.op.IsComposite() && len(n.children) == 0:
		return b.errorf("no children; give it one or more")
	case n.op.IsDecorator() && n.children[0] == nil:
		return b.errorf("no child; give it one")
	case (n.op == executor.OpRandomSequence || n.op == executor.OpRandomSelector || n.op == executor.OpWeightedChoice) &&
		len(n.children) > executor.MaxChoices:
		return b.errorf("%d children; the limit is %d", len(n.children), executor.MaxChoices)
	}
	return nil
}

// parameters checks and compiles what stands on the node itself.
func (b *builder) parameters(n *Node, self int32, prefix, label string) error {
	p := b.program
	c := &p.Nodes[self]
	var err error
	switch n.op {
	case executor.OpParallel:
		if c.Success, err = b.policy("success", n.success, len(n.children)); err == nil {
			c.Failure, err = b.policy("failure", n.failure, len(n.children))
		}
		p.Parallels = append(p.Parallels, self)
	case executor.OpRepeat, executor.OpRetry:
		c.Count = int32(max(n.count, 0))
		if n.count > math.MaxInt32 {
			return b.errorf("%d rounds; the limit is %d", n.count, math.MaxInt32)
		}
		p.Loops = append(p.Loops, self)
	case executor.OpUntilSuccess, executor.OpUntilFailure:
		p.Loops = append(p.Loops, self)
	case executor.OpCooldown, executor.OpTimeout:
		c.Micros, err = b.micros(n.seconds)
		if n.op == executor.OpCooldown {
			p.Cooldowns = append(p.Cooldowns, self)
		}
	case executor.OpWait:
		c.Micros, err = b.micros(n.seconds)
		if err == nil {
			c.Span, err = b.micros(n.longest)
			c.Span -= c.Micros
		}
		if err == nil && c.Span < 0 {
			return b.errorf("waits between %v and %v seconds; the first must not exceed the second",
				n.seconds, n.longest)
		}
	case executor.OpWeightedChoice:
		err = b.weights(n, c)
	case executor.OpUtilitySelector:
		err = b.brain(n, self)
	case executor.OpGuard, executor.OpCheck:
		err = b.condition(n.condition, c)
	case executor.OpDo, executor.OpFire:
		err = b.action(n, self)
	case executor.OpLeaf:
		if n.leaf == nil {
			return b.errorf("no function")
		}
		if n.keeps < 0 {
			return b.errorf("keeps %d words; use 0 or more", n.keeps)
		}
		if n.keeps > executor.MaxWords-executor.HeaderWords {
			return b.errorf("keeps %d words; the largest mind has room for %d", n.keeps, executor.MaxWords-executor.HeaderWords)
		}
	}
	if err != nil || !n.op.CanRun() {
		return err
	}
	l := executor.Leaf{Node: self, Tick: n.leaf, Keeps: int32(n.keeps), Enter: n.enter, Exit: exitHook(n.exit)}
	if label == "" {
		label = n.action
	}
	if label == "" {
		label = n.op.String()
	}
	l.Name = prefix + label
	for _, f := range n.reads {
		i, err := b.fact(f)
		if err != nil {
			return err
		}
		l.Facts = append(l.Facts, i)
	}
	p.Nodes[self].Leaf = int32(len(p.Leaves))
	p.Leaves = append(p.Leaves, l)
	p.Custom = p.Custom || n.op == executor.OpLeaf
	p.Hooked = p.Hooked || l.Enter != nil || l.Exit != nil
	return nil
}

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

// micros converts seconds. It rounds down, so that a time that is a whole number of frames to the nearest microsecond
// never lasts one frame more; the allowance makes up for the error of the product.
func (b *builder) micros(seconds float64) (int64, error) {
	if math.IsNaN(seconds) || seconds < 0 {
		return 0, b.errorf("a duration of %v seconds; use 0 or more", seconds)
	}
	if seconds*1e6 > executor.MaxMicros {
		return 0, b.errorf("a duration of %v seconds; the limit is %v (35 minutes)", seconds, executor.MaxMicros/1e6)
	}
	return int64(float64(seconds*1e6) + 1e-4), nil
}

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

func (b *builder) fact(f blackboard.Fact) (int32, error) {
	if err := f.Err(); err != nil {
		return 0, b.errorf("unknown fact: %v", err)
	}
	if name, ok := blackboard.ListOfElement(f.Component()); ok {
		return 0, b.errorf("fact %q of %v, which is one of a target: it belongs in an evaluator's action "+
			"that is scored for a list, as %q is", f.Name(), f.Component(), name)
	}
	if writtenByAI(f.Component()) {
		return 0, b.errorf("fact %q of %v, which the AI itself writes: what it reads would depend on who else is "+
			"ticked; copy what you need into a component of your own",
			f.Name(), f.Component())
	}
	for i, known := range b.program.Facts {
		if known.Same(f) {
			return int32(i), nil
		}
	}
	b.program.Facts = append(b.program.Facts, f)
	return int32(len(b.program.Facts) - 1), nil
}

// writtenByAI reports whether ticking agents changes a component. A fact of it may be gathered before or after another
// agent of the block, or the same one, has been written.
func writtenByAI(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[components.Intent](), reflect.TypeFor[components.Triggers](),
		reflect.TypeFor[components.Mind64](), reflect.TypeFor[components.Mind128](),
		reflect.TypeFor[components.Mind256]():
		return true
	}
	return false
}

// condition compiles a condition onto a node, sharing the test with others that are the same.
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
		if t.Kind == blackboard.Age {
			t.Integer = int64(math.RoundToEven(float64(cond.test.number.float * 1e9)))
		}
	}
	t.ChooseQuery()
	c.Test = int32(len(p.Tests))
	p.Tests = append(p.Tests, t)
	b.tests = append(b.tests, cond.test)
	return nil
}

// brain compiles the evaluator of a UtilitySelector. Which child an action has is its place among them at first.
func (b *builder) brain(n *Node, self int32) error {
	p := b.program
	if n.evaluator == nil || len(n.evaluator.Actions()) == 0 {
		return b.errorf("no evaluator; make one with utility.Build")
	}
	e := n.evaluator
	k := executor.UtilityNode{Node: self, Name: cmp.Or(n.label, e.Name()), Evaluator: e, Hold: n.hold, Remember: n.remember}
	actions := e.Actions()
	for i, name := range n.branches {
		if !slices.Contains(actions, name) {
			return b.errorf("a branch for %q, which is no action of evaluator %q; its actions are %q",
				name, e.Name(), actions)
		}
		if slices.Contains(n.branches[:i], name) {
			return b.errorf("two branches for action %q; give it one", name)
		}
	}
	for i, name := range actions {
		at := slices.Index(n.branches, name)
		if at < 0 {
			return b.errorf("no branch for action %q of evaluator %q; give it one with On", name, e.Name())
		}
		k.Branches = append(k.Branches, int32(at))
		k.Targeted = k.Targeted || e.Targeted(i)
	}
	for _, f := range e.Facts() {
		i, err := b.fact(f)
		if err != nil {
			return err
		}
		k.Facts = append(k.Facts, i)
	}
	k.KeepsAction = n.remember || e.Commitment() > 0
	k.Words = k.MemoryOffset() + int32(e.Memory())
	p.Nodes[self].UtilityNode = int32(len(p.UtilityNodes))
	p.UtilityNodes = append(p.UtilityNodes, k)
	return nil
}

// chooser returns the nearest UtilitySelector above a node, as an index of Program.brains, if the action of the branch
// that the node stands in has targets.
func (b *builder) chooser(self int32) (int32, error) {
	p := b.program
	for at := self; p.Nodes[at].Parent >= 0; at = p.Nodes[at].Parent {
		above := &p.Nodes[p.Nodes[at].Parent]
		if above.Op != executor.OpUtilitySelector {
			continue
		}
		k := &p.UtilityNodes[above.UtilityNode]
		action := slices.Index(k.Branches, int32(len(above.Children)-1)) // the branch that is being compiled is the last
		if !k.Evaluator.Targeted(action) {
			return 0, b.errorf("ChosenTarget below action %q of evaluator %q, which has no targets; use Action.For",
				k.Evaluator.Actions()[action], k.Evaluator.Name())
		}
		return above.UtilityNode, nil
	}
	return 0, b.errorf("ChosenTarget, and no UtilitySelector above; use Target")
}

// action compiles the action, the until condition and the bindings of a Do or a Fire.
func (b *builder) action(n *Node, self int32) error {
	p := b.program
	handle, ok := b.actions.Lookup(n.action)
	if !ok {
		register := "Register"
		if n.op == executor.OpFire {
			register = "RegisterTrigger"
		}
		known := "none is registered"
		if len(b.actions.names) > 0 {
			known = "known are " + strings.Join(b.actions.names, ", ")
		}
		return b.errorf("unknown action %q; %s; register it with Actions.%s, or the library's own with "+
			"systems.Install before Build", n.action, known, register)
	}
	sort := b.actions.sorts[handle-1]
	if sort.trigger && n.op == executor.OpDo {
		return b.errorf("action %q is registered as a trigger, which is over at once; post it with Fire", n.action)
	}
	if !sort.trigger && n.op == executor.OpFire {
		return b.errorf("action %q is registered as a durative action of channel %v; post it with Do, or register it "+
			"with Actions.RegisterTrigger",
			n.action, sort.channel)
	}
	p.Nodes[self].Action = handle
	p.ActionCount = max(p.ActionCount, int(handle)+1)
	if n.op == executor.OpDo {
		p.Nodes[self].Channel = sort.channel
		p.Does = true
		if n.until != nil {
			if err := b.condition(n.until, &p.Nodes[self]); err != nil {
				return err
			}
		}
		b.channels[self] = []post{{p.Nodes[self].Channel, strings.Join(b.path, " > ")}}
	} else {
		p.Fires = true
	}
	order := executor.Posting{
		Target: -1, Chosen: -1, X: -1, Y: -1, Numbers: [2]int32{-1, -1}, Order: components.Order{Action: handle},
	}
	bound := [bindInvalid]bool{}
	for i := range n.bindings {
		bind := &n.bindings[i]
		if fault := bind.fault(n.op); fault != "" {
			return b.errorf("%s", fault)
		}
		facts := [2]int32{-1, -1}
		for k, f := range bind.facts[:bind.count] {
			at, err := b.fact(f)
			if err != nil {
				return err
			}
			facts[k] = at
			p.Nodes[self].FollowsFacts = n.op == executor.OpDo
		}
		if bound[bind.field] {
			return b.errorf("one field is bound twice; bind target, point and each number once")
		}
		bound[bind.field] = true
		switch bind.field {
		case bindTarget:
			order.Target = facts[0]
			if bind.chosen {
				chooser, err := b.chooser(self)
				if err != nil {
					return err
				}
				order.Chosen = chooser
			}
		case bindPoint:
			order.X, order.Y = facts[0], facts[1]
			order.Order.Point = components.Vec2{X: bind.values[0], Y: bind.values[1]}
		default:
			i := bind.field - bindNumber0
			order.Numbers[i] = facts[0]
			order.Order.Numbers[i] = bind.values[0]
		}
	}
	p.Nodes[self].Posting = int32(len(p.Postings))
	p.Postings = append(p.Postings, order)
	return nil
}

// summarise works out, from the children's, what a subtree can post in a tick.
func (b *builder) summarise(self int32) error {
	p := b.program
	n := &p.Nodes[self]
	var seen [components.Channels]*post
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

// add sums two counts, either of which may be impossible.
func add(x, y int) int {
	if x == impossible || y == impossible {
		return impossible
	}
	return x + y
}

func (b *builder) budget(n *executor.Node) fireBudget {
	no := fireBudget{impossible, impossible, impossible}
	child := func(c int32) fireBudget { return b.fires[c] }
	most := func(f fireBudget) int { return max(f.success, f.failure, f.running) }
	switch n.Op {
	case executor.OpFire:
		return fireBudget{1, impossible, impossible}
	case executor.OpCheck:
		return fireBudget{0, 0, impossible}
	case executor.OpWait:
		return fireBudget{0, impossible, 0}
	case executor.OpDo, executor.OpLeaf:
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
			// Memory resumes behind what has passed, so a later child may be the first of a tick.
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
	case executor.OpRandomSequence, executor.OpRandomSelector:
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
			if n.Op == executor.OpRandomSelector {
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
		r := no
		if n.Op == executor.OpUtilitySelector {
			r.failure = 0 // nothing can be chosen
		}
		for _, c := range n.Children {
			f := child(c)
			r = fireBudget{max(r.success, f.success), max(r.failure, f.failure), max(r.running, f.running)}
		}
		return r
	}
	f := child(n.Children[0])
	switch n.Op {
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
	// Cooldown and Guard can fail without their child.
	return fireBudget{f.success, max(f.failure, 0), f.running}
}

// layOut gives every node that keeps something its words in the mind. What cannot be active together shares
// words; a cooldown lives while its node is idle, so it has its own.
func (b *builder) layOut() error {
	p := b.program
	p.WideCursors = len(p.Nodes)+2 > math.MaxUint8
	for i := range p.Nodes {
		p.Parents = append(p.Parents, p.Nodes[i].Parent)
	}
	for _, l := range p.Leaves {
		n := &p.Nodes[l.Node]
		p.LeafNodes = append(p.LeafNodes, executor.LeafNode{
			Node: l.Node, Action: n.Action, Channel: n.Channel, Does: n.Op == executor.OpDo, FollowsFacts: n.FollowsFacts,
			Hooked: l.Enter != nil || l.Exit != nil,
		})
	}
	next := int32(executor.HeaderWords)
	for _, c := range p.Cooldowns {
		p.Nodes[c].Slot = next
		next++
	}
	for i := range p.UtilityNodes {
		if k := &p.UtilityNodes[i]; k.Remember {
			p.Nodes[k.Node].Slot = next
			next += k.Words
		}
	}
	p.Words = int(b.place(0, next))
	if p.Words > executor.MaxWords {
		return b.errorf("the tree needs %d bytes of state; the largest mind has %d: split it, or use fewer cooldowns, "+
			"timers, Parallels and evaluators that remember what they read",
			p.Words*4, executor.MaxWords*4)
	}
	b.strands(0, executor.Strand{Word: 1})
	for n := range p.Nodes {
		if !p.Rests(0, n+1) {
			p.NonResting = append(p.NonResting, int32(n))
		}
	}
	return nil
}

// place gives n and what is below it words from next on and returns the first that is free behind them.
func (b *builder) place(self, next int32) int32 {
	p := b.program
	n := &p.Nodes[self]
	own := int32(0)
	switch n.Op {
	case executor.OpTimeout, executor.OpWait, executor.OpRandomSequence, executor.OpRandomSelector:
		own = 1
	case executor.OpRepeat, executor.OpRetry:
		own = min(n.Count, 1)
	case executor.OpParallel:
		per := int32(32 / p.CursorBits())
		own = (n.Count + per - 1) / per
	case executor.OpLeaf:
		own = p.Leaves[n.Leaf].Keeps
	case executor.OpUtilitySelector:
		if k := &p.UtilityNodes[n.UtilityNode]; !k.Remember {
			own = k.Words
		}
	}
	if own > 0 {
		n.Slot = next
		next += own
	}
	end := next
	for _, c := range n.Children {
		after := b.place(c, next)
		end = max(end, after)
		// The children of a reactive composite are active together for a moment: an earlier one is entered, and may
		// fail, while a later one still runs.
		if n.Op == executor.OpReactiveSequence || n.Op == executor.OpReactiveSelector || n.Op == executor.OpParallel {
			next = after
		}
	}
	return end
}

// strands tells every node where the cursor of its strand lies.
func (b *builder) strands(self int32, s executor.Strand) {
	p := b.program
	n := &p.Nodes[self]
	n.Strand = s
	width := int32(p.CursorBits())
	for i, c := range n.Children {
		below := s
		if n.Op == executor.OpParallel {
			bit := int32(i) * width
			below = executor.Strand{Word: n.Slot + bit/32, Shift: uint8(bit % 32)}
		}
		b.strands(c, below)
	}
}
