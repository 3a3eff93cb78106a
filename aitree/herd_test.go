package aitree_test

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// A herd is agents that run one tree twice, each alone in the reference and all together in blocks of the
// executor, and that are compared after every step. The blocks are as rough as they may be: agents sit in
// random lanes, another on every tick, between holes that are filled with decoys.
type herd struct {
	tree     *refTree
	program  *executor.Program
	actions  *aitree.Actions
	leaves   []*refNode // by the program's index of leaves
	members  map[components.Entity]*member
	executor *executor.Executor
	block    executor.Block
	rng      *rand.Rand
	conds    map[string]*condFact
	reads    []bool // which of memberFacts the program reads
	setters  []wishSetter
	brains   map[*refBrain]*utility.Evaluator
	custom   *utility.Input
	hooks    []hookCall
	hooked   bool
	faults   []string
	keeps    bool
	twin     *herd // of the random tests: the same agents in other blocks
}

// A member is one agent of a herd.
type member struct {
	entity   components.Entity
	agent    *refAgent
	mind     []uint32
	intent   components.Intent
	triggers components.Triggers
	stale    bool                 // the triggers hold those of an earlier tick
	last     components.Timestamp // clock of the last tick
	since    int64
	pulse    float32 // a fact, which Do leaves bind as their second number
	wishes   *wishes // what its UtilitySelectors choose by

	expected refStep         // of the reference
	pending  []refInvocation // that the executor has not made yet
	token    uint32
	tokens   map[*refNode]uint32 // what a leaf wrote into its state last
	tested   map[string]bool     // the predicates that were evaluated in this tick
	observed refStep             // of the executor
	twin     *member
}

type hookCall struct {
	who   components.Entity
	leaf  *refNode
	event string
}

// mindProgram is the program's number in a world, which the executor leaves alone.
const mindProgram = 77

// herdSeed is the seed of every herd's world.
const herdSeed = 0x5eed

// newHerd builds the tree. The error is that of Build.
func newHerd(root *refNode, subtrees map[string]*refNode, options herdOptions) (*herd, error) {
	tree, err := expand(root, subtrees)
	if err != nil {
		return nil, err
	}
	h := &herd{
		tree: tree, actions: aitree.NewActions(), members: map[components.Entity]*member{}, executor: sharedExecutor,
		rng: rand.New(rand.NewPCG(options.seed, 1)), conds: map[string]*condFact{}, hooked: options.hooked, keeps: options.keeps,
		brains: map[*refBrain]*utility.Evaluator{},
	}
	h.custom = utility.NewInput("custom", h.fillCustom).Reads(levelFacts[0], tallyFacts[1])
	// Every program has an action that no leaf posts, so that no handle is right by chance.
	if _, err := h.actions.Register("never posted", components.Act); err != nil {
		return nil, err
	}
	var definitions []aitree.Definition
	for _, name := range slices.Sorted(maps.Keys(subtrees)) {
		definitions = append(definitions, aitree.Define(name, h.node(subtrees[name])))
	}
	if h.program, err = compile("herd", h.actions, h.node(root), definitions...); err != nil {
		return nil, err
	}
	// A subtree may have been defined and not used.
	reads := func(f blackboard.Fact) bool { return slices.ContainsFunc(h.program.Facts, f.Same) }
	maps.DeleteFunc(h.conds, func(_ string, c *condFact) bool { return !reads(c.fact) })
	for _, f := range memberFacts {
		h.reads = append(h.reads, reads(f.fact))
	}
	h.setters = settersOf(h.program)
	for _, leaf := range tree.leaves {
		if leaf.canRun() {
			h.leaves = append(h.leaves, leaf)
		}
	}
	for i, info := range h.program.Leaves {
		switch {
		case i >= len(h.leaves), int(info.Node) != h.leaves[i].index, h.leaves[i].label != "" && info.Name != h.leaves[i].label:
			return nil, fmt.Errorf("herd: the program's leaf %d is %v", i, info)
		}
	}
	if len(h.program.Leaves) != len(h.leaves) || len(h.program.Nodes) != len(tree.nodes) {
		return nil, fmt.Errorf("herd: the program has %d leaves and %d nodes, not %d and %d",
			len(h.program.Leaves), len(h.program.Nodes), len(h.leaves), len(tree.nodes))
	}
	return h, nil
}

type herdOptions struct {
	seed   uint64 // of the arrangement of blocks
	hooked bool   // leaves have hooks, and only their events are asked for
	keeps  bool   // every action leaf keeps a word in the mind
}

// sharedExecutor ticks all trees of all tests, one after the other: nothing may be left over in it.
var sharedExecutor = executor.NewExecutor()

// The facts of the conditions. Each condition is a fact of its own, and its name decides what kind it is.
type condFacts struct {
	Flag  [16]bool
	Level [16]float32
	Count [16]int16
	When  [16]components.Timestamp
	Who   [16]components.Entity

	Pulse float32
	Drift float32
	Even  bool
	Index uint32
	Since components.Timestamp
	Self  components.Entity
}

// A condFact is a condition and the fact that gives it its value in a lane.
type condFact struct {
	condition *aitree.Condition
	fact      blackboard.Fact // the zero one if it reads none
	set       func(lanes *blackboard.Lanes, lane int, now components.Timestamp, holds bool)
}

// Facts that leaves, orders and triggers read, and what they are of a member.
var (
	pulseFact = blackboard.FloatFact("pulse", func(c *condFacts) *float32 { return &c.Pulse }, -1)
	driftFact = blackboard.FloatFact("drift", func(c *condFacts) *float32 { return &c.Drift }, -1)
	evenFact  = blackboard.BoolFact("even", func(c *condFacts) *bool { return &c.Even }, false)
	indexFact = blackboard.IntFact("index", func(c *condFacts) *uint32 { return &c.Index }, 0)
	sinceFact = blackboard.AgeFact("since", func(c *condFacts) *components.Timestamp { return &c.Since })
	selfFact  = blackboard.EntityFact("self", func(c *condFacts) *components.Entity { return &c.Self })
)

var memberFacts = []struct {
	fact blackboard.Fact
	set  func(l *blackboard.Lanes, lane int, m *member, now components.Timestamp)
}{
	{pulseFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetFloat(pulseFact, lane, m.pulse)
	}},
	{driftFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetFloat(driftFact, lane, -m.pulse)
	}},
	{evenFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetBool(evenFact, lane, m.even())
	}},
	{indexFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetInt(indexFact, lane, int64(m.entity.Index))
	}},
	{sinceFact, func(l *blackboard.Lanes, lane int, m *member, now components.Timestamp) {
		l.SetTime(sinceFact, lane, now-components.Timestamp(m.since))
	}},
	{selfFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetEntity(selfFact, lane, m.entity)
	}},
}

func (m *member) even() bool { return m.entity.Index%2 == 0 }

// condition returns the condition of a name, the same one every time.
func (h *herd) condition(name string) *aitree.Condition {
	if name[0] == '!' {
		return aitree.Not(h.condition(name[1:]))
	}
	if c := h.conds[name]; c != nil {
		return c.condition
	}
	c := &condFact{}
	i := len(h.conds) % 16 // a field that no other condition reads
	hash := fnv.New32()
	hash.Write([]byte(name))
	kind := hash.Sum32() % 7
	if len(h.conds) >= 16 {
		kind = 0 // no field is left: a predicate
	}
	switch kind {
	case 1:
		f := blackboard.BoolFact(name, func(c *condFacts) *bool { return &c.Flag[i] }, false)
		c.fact = f
		c.condition = aitree.True(f)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) { l.SetBool(f, lane, holds) }
	case 2:
		f := blackboard.FloatFact(name, func(c *condFacts) *float32 { return &c.Level[i] }, 0)
		c.fact = f
		c.condition = aitree.Greater(f, 0.5)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) {
			l.SetFloat(f, lane, map[bool]float32{true: 0.75, false: 0.5}[holds])
		}
	case 3:
		f := blackboard.IntFact(name, func(c *condFacts) *int16 { return &c.Count[i] }, 0)
		c.fact = f
		c.condition = aitree.LessEqual(f, -7)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) {
			l.SetInt(f, lane, map[bool]int64{true: -7, false: -6}[holds])
		}
	case 4:
		f := blackboard.AgeFact(name, func(c *condFacts) *components.Timestamp { return &c.When[i] })
		c.fact = f
		c.condition = aitree.Less(f, 2*time.Second)
		c.set = func(l *blackboard.Lanes, lane int, now components.Timestamp, holds bool) {
			when := components.Timestamp(0)
			if holds {
				when = max(1, now-1_999_999_999)
			}
			l.SetTime(f, lane, when)
		}
	case 5:
		f := blackboard.EntityFact(name, func(c *condFacts) *components.Entity { return &c.Who[i] })
		c.fact = f
		c.condition = aitree.Alive(f)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) {
			l.SetEntity(f, lane, components.Entity{Index: map[bool]uint32{true: 9, false: 0}[holds]})
		}
	case 6: // a predicate that reads a fact
		f := blackboard.BoolFact(name, func(c *condFacts) *bool { return &c.Flag[i] }, false)
		c.fact = f
		c.condition = aitree.Predicate(name, func(ctx *blackboard.Context) uint64 {
			h.lookAt(ctx, name)
			return ctx.Bool(0) | h.rng.Uint64()&^ctx.Mask
		}).Reads(f)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) { l.SetBool(f, lane, holds) }
	default:
		c.condition = aitree.Predicate(name, func(ctx *blackboard.Context) uint64 {
			holds := h.rng.Uint64() &^ ctx.Mask // what is answered for other lanes means nothing
			for _, lane := range h.lookAt(ctx, name) {
				if h.members[ctx.Entities[lane]].agent.script.holds(name) {
					holds |= 1 << lane
				}
			}
			return holds
		})
	}
	h.conds[name] = c
	return c.condition
}

// lookAt checks what a predicate is shown and returns its lanes.
func (h *herd) lookAt(ctx *blackboard.Context, name string) []int {
	in := h.lanesOf(ctx)
	for _, lane := range in {
		m := h.members[ctx.Entities[lane]]
		if m.tested[name] {
			h.fault("%v: predicate %s is evaluated twice in a tick", m.entity, name)
		}
		m.tested[name] = true
	}
	return in
}

// lanesOf returns the lanes of a context's mask, after a check that they hold agents of the block.
func (h *herd) lanesOf(ctx *blackboard.Context) []int {
	if ctx.Mask == 0 || ctx.Mask&^h.block.Mask != 0 || ctx.Now != h.block.Now || ctx.Worker != 3 || ctx.User != any(h) {
		h.fault("context %+v in a block of %x", ctx, h.block.Mask)
		return nil
	}
	var in []int
	for m := ctx.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros64(m)
		in = append(in, lane)
		who := h.members[ctx.Entities[lane]]
		if want := who.since; ctx.Since[lane] != want {
			h.fault("%v: since %d, want %d", who.entity, ctx.Since[lane], want)
		}
	}
	return in
}

// fillCustom is the evaluators' input of the user's own.
func (h *herd) fillCustom(ctx *utility.Context, lane *[64]float32) {
	if ctx.Mask == 0 || ctx.Mask&^h.block.Mask != 0 || ctx.Now != h.block.Now || ctx.Worker != 3 || ctx.User != any(h) {
		h.fault("input: context %+v in a block of %x", ctx, h.block.Mask)
		return
	}
	level, tally := ctx.Float(0), ctx.Int(1)
	for i := range 64 {
		if ctx.Mask>>i&1 == 0 {
			continue
		}
		m := h.members[ctx.Entities[i]]
		if w := m.wishes; level[i] != orElse(w.Level[0], levelFacts[0]) || tally[i] != int64(w.Tally[1]) {
			h.fault("%v: an input reads %v and %v", m.entity, level[i], tally[i])
		}
		lane[i] = m.wishes.custom()
	}
}

func (h *herd) fault(format string, args ...any) {
	h.faults = append(h.faults, fmt.Sprintf(format, args...))
}

// node turns a written tree into a description of the package.
func (h *herd) node(n *refNode) *aitree.Node {
	kids := make([]*aitree.Node, len(n.children))
	for i, child := range n.children {
		kids[i] = h.node(child)
	}
	var made *aitree.Node
	policy := func(threshold int) aitree.Policy {
		switch threshold {
		case 0:
			return aitree.All
		case 1:
			return aitree.One
		}
		return aitree.AtLeast(threshold)
	}
	switch n.kind {
	case refAction:
		made = h.leaf(n)
	case refCondition:
		return aitree.Check(h.condition(n.cond))
	case refDo:
		name := "do " + n.label
		h.register(name, n.channel)
		made = aitree.Do(name, orderBindings(n)...)
		if n.until != "" {
			made = made.Until(h.condition(n.until))
		}
	case refFire:
		name := "fire " + n.label
		if _, err := h.actions.RegisterTrigger(name); err != nil {
			panic(err)
		}
		return aitree.Fire(name, triggerBindings(n)...)
	case refWait:
		if n.most != n.seconds {
			made = aitree.WaitBetween(duration(n.seconds), duration(n.most))
		} else {
			made = aitree.Wait(duration(n.seconds))
		}
	case refSequence:
		made = aitree.Sequence(kids...)
	case refSelector:
		made = aitree.Selector(kids...)
	case refReactiveSequence:
		made = aitree.ReactiveSequence(kids...)
	case refReactiveSelector:
		made = aitree.ReactiveSelector(kids...)
	case refRandomSequence:
		made = aitree.RandomSequence(kids...)
	case refRandomSelector:
		made = aitree.RandomSelector(kids...)
	case refWeightedChoice:
		choices := make([]aitree.Choice, len(kids))
		for i := range kids {
			choices[i] = aitree.Weight(n.weights[i], kids[i])
		}
		made = aitree.WeightedChoice(choices...)
	case refParallel:
		made = aitree.Parallel(policy(n.success), policy(n.failure), kids...)
		if n.latched {
			made = made.Latched()
		}
	case refUtility:
		made = utilitySelector(n, h.evaluator(n.brain), kids)
	case refUse:
		made = aitree.Subtree(n.subtree)
	case refInverter, refForceSuccess, refForceFailure, refRepeat, refRetry, refUntilSuccess, refUntilFailure, refCooldown, refTimeout, refGuard:
		var child *aitree.Node
		if len(kids) > 0 {
			child = kids[0]
		}
		switch n.kind {
		case refInverter:
			made = aitree.Inverter(child)
		case refForceSuccess:
			made = aitree.ForceSuccess(child)
		case refForceFailure:
			made = aitree.ForceFailure(child)
		case refRepeat:
			made = aitree.Repeat(n.times, child)
		case refRetry:
			made = aitree.Retry(n.times, child)
		case refUntilSuccess:
			made = aitree.UntilSuccess(child)
		case refUntilFailure:
			made = aitree.UntilFailure(child)
		case refCooldown:
			made = aitree.Cooldown(duration(n.seconds), child)
			if n.resets {
				made = made.ClearedByAbort()
			}
		case refTimeout:
			made = aitree.Timeout(duration(n.seconds), child)
		case refGuard:
			made = aitree.Guard(h.condition(n.cond), child)
		}
	}
	if n.label != "" {
		made = made.Named(n.label)
	}
	if h.hooked && n.canRun() {
		made = made.OnEnter(func(e components.Entity) {
			h.hooks = append(h.hooks, hookCall{e, n, "enter"})
		}).OnExit(func(e components.Entity, how aitree.Exit) {
			h.hooks = append(h.hooks, hookCall{e, n, how.String()})
		})
	}
	return made
}

// evaluator returns that of a description, the same one every time.
func (h *herd) evaluator(b *refBrain) *utility.Evaluator {
	if h.brains[b] == nil {
		e, err := b.build(h.custom)
		if err != nil {
			panic(err)
		}
		h.brains[b] = e
	}
	return h.brains[b]
}

// utilitySelector makes the node of a written one.
func utilitySelector(n *refNode, brain *utility.Evaluator, kids []*aitree.Node) *aitree.Node {
	var branches []aitree.Branch
	for i, kid := range kids {
		branches = append(branches, aitree.On(n.brain.action(n.branches[i]), kid))
	}
	made := aitree.UtilitySelector(brain, branches...)
	if n.hold {
		made = made.HoldUntilDone()
	}
	if n.remember {
		made = made.RememberChoice()
	}
	return made
}

func (h *herd) register(name string, channel components.Channel) {
	if _, err := h.actions.Register(name, channel); err != nil {
		panic(err)
	}
}

// labelNumber is the number that a Do or Fire binds.
func labelNumber(label string) float32 {
	hash := fnv.New32()
	hash.Write([]byte(label[strings.LastIndexByte(label, '.')+1:]))
	return float32(hash.Sum32()%1000) / 8
}

// Orders and triggers come in two sorts: one has constants where the other has facts.

func secondSort(label string) bool { return int(labelNumber(label)*8)%2 == 1 }

// stillSort is the sort of orders that bind a chosen target and no fact, so that nothing of them is followed.
func stillSort(n *refNode) bool { return n.chosen && int(labelNumber(n.label)*8)%3 == 1 }

func orderBindings(n *refNode) (list []aitree.Binding) {
	c := labelNumber(n.label)
	switch {
	case stillSort(n):
		list = []aitree.Binding{aitree.NumberOf(0, c)}
	case secondSort(n.label):
		list = []aitree.Binding{aitree.Number(0, pulseFact), aitree.NumberOf(1, c), aitree.Point(pulseFact, driftFact)}
	default:
		list = []aitree.Binding{aitree.NumberOf(0, c), aitree.Number(1, pulseFact), aitree.PointAt(c, -c)}
		if !n.chosen {
			list = append(list, aitree.Target(selfFact))
		}
	}
	if n.chosen {
		list = append(list, aitree.ChosenTarget())
	}
	return list
}

// order is what a running Do has posted, but for action and serial.
func (m *member) order(leaf *refNode) (o components.Order) {
	c := labelNumber(leaf.label)
	switch {
	case stillSort(leaf):
		o = components.Order{Numbers: [2]float32{c}}
	case secondSort(leaf.label):
		o = components.Order{Numbers: [2]float32{m.pulse, c}, Point: components.Vec2{X: m.pulse, Y: -m.pulse}}
	default:
		o = components.Order{Numbers: [2]float32{c, m.pulse}, Point: components.Vec2{X: c, Y: -c}, Target: m.entity}
	}
	if leaf.chosen {
		o.Target = m.agent.state[leaf.index].aim
	}
	return o
}

func triggerBindings(n *refNode) []aitree.Binding {
	target := aitree.Target(selfFact)
	if n.chosen {
		target = aitree.ChosenTarget()
	}
	switch {
	case secondSort(n.label):
		return []aitree.Binding{target, aitree.Number(0, pulseFact)}
	case n.chosen:
		return []aitree.Binding{target, aitree.NumberOf(0, labelNumber(n.label))}
	}
	return []aitree.Binding{aitree.NumberOf(0, labelNumber(n.label))}
}

func (m *member) trigger(leaf *refNode) (t components.Trigger) {
	t.Number = labelNumber(leaf.label)
	if secondSort(leaf.label) {
		t = components.Trigger{Target: m.entity, Number: m.pulse}
	}
	if leaf.chosen {
		t.Target = m.agent.state[leaf.index].aim
	}
	return t
}

// leaf makes an action leaf. It plays back what the reference has invoked in this tick, and complains
// when it is invoked otherwise.
func (h *herd) leaf(n *refNode) *aitree.Node {
	tick := func(ctx *blackboard.Context, lane int) result {
		m := h.members[ctx.Entities[lane]]
		entering := ctx.Entering>>lane&1 != 0
		if h.keeps {
			h.useState(m, n, ctx.State(lane), entering)
		}
		i := slices.IndexFunc(m.pending, func(p refInvocation) bool { return p.leaf.origin == n })
		if i < 0 {
			h.fault("%v: leaf %s is invoked where the reference does not", m.entity, n.label)
			return failed
		}
		p := m.pending[i]
		m.pending = slices.Delete(m.pending, i, i+1)
		if p.entering != entering {
			h.fault("%v: leaf %s is shown entering %v", m.entity, n.label, entering)
		}
		return p.result
	}
	words := 0
	if h.keeps {
		words = 1
	}
	var reads []blackboard.Fact
	kind := uint32(labelNumber(n.label)*8) / 4 % 4
	if kind < 2 { // so a fact is gathered for the lanes of one leaf first, and then for another's
		reads = []blackboard.Fact{pulseFact, evenFact, indexFact, sinceFact, selfFact}
	}
	if kind%2 == 0 {
		return aitree.AgentLeaf(n.label, func(a aitree.Agent) aitree.Status {
			if e := a.Entity(); a.Context().Mask>>a.Lane&1 == 0 || a.Entering() != (a.Context().Entering>>a.Lane&1 != 0) ||
				a.Since() != h.members[e].since || a.Now() != h.block.Now {
				h.fault("agent %v of lane %d", e, a.Lane)
			}
			if reads != nil {
				h.checkFacts(h.members[a.Entity()], a.Float(0), a.Bool(1), a.Int(2), a.Age(3), a.EntityFact(4))
			}
			switch tick(a.Context(), a.Lane) {
			case succeeded:
				return aitree.Success
			case running:
				return aitree.Running
			}
			return aitree.Failure
		}).Keeps(words).Reads(reads...)
	}
	return aitree.Leaf(n.label, func(ctx *blackboard.Context) (success, runs uint64) {
		if ctx.Entering&^ctx.Mask != 0 {
			h.fault("leaf %s: entering %x of %x", n.label, ctx.Entering, ctx.Mask)
		}
		// What is answered for other lanes means nothing.
		success, runs = h.rng.Uint64()&^ctx.Mask, h.rng.Uint64()&^ctx.Mask
		for _, lane := range h.lanesOf(ctx) {
			if reads != nil {
				h.checkFacts(h.members[ctx.Entities[lane]], ctx.Float(0)[lane], ctx.Bool(1)>>lane&1 != 0, ctx.Int(2)[lane], ctx.Age(3)[lane], ctx.Entity(4)[lane])
			}
			switch tick(ctx, lane) {
			case succeeded:
				success |= 1 << lane
			case running:
				runs |= 1 << lane
			}
		}
		return success, runs
	}).Keeps(words).Reads(reads...)
}

func (h *herd) checkFacts(m *member, pulse float32, even bool, index, age int64, self components.Entity) {
	born := m.since
	if h.block.Now == components.Timestamp(m.since) { // the last tick was at 0, which reads as never
		born = blackboard.NeverAge
	}
	if pulse != m.pulse || even != m.even() || index != int64(m.entity.Index) || age != born || self != m.entity {
		h.fault("%v reads facts %v, %v, %v, %v, %v", m.entity, pulse, even, index, age, self)
	}
}

// useState checks the word that a leaf keeps: zero when it is entered, else what it wrote there last.
// The uses of a subtree share a leaf here, so its tokens are not told apart.
func (h *herd) useState(m *member, n *refNode, state []uint32, entering bool) {
	want := m.tokens[n]
	if entering {
		want = 0
	}
	if len(state) != 1 || state[0] != want {
		h.fault("%v: leaf %s has state %v, want %d", m.entity, n.label, state, want)
		return
	}
	m.token++
	state[0] = m.token
	m.tokens[n] = m.token
}

// join adds an agent that has never been ticked. The mind may be one that another agent left behind.
func (h *herd) join(entity components.Entity, script refScript, since components.Timestamp, mind []uint32) *member {
	m := &member{
		entity: entity, mind: mind, last: since, tokens: map[*refNode]uint32{}, tested: map[string]bool{},
		agent: newRefAgent(h.tree, entity, script, h.draw),
	}
	m.agent.now = int64(since) / 1000
	if mind == nil {
		m.mind = make([]uint32, h.program.MindBytes()/4)
		m.mind[0] = mindProgram
	}
	h.members[entity] = m
	return m
}

// leave takes an agent out; its mind may be used again after a reset.
func (h *herd) leave(m *member) []uint32 {
	delete(h.members, m.entity)
	return m.mind
}

func (m *member) setWishes(w *wishes) { m.wishes, m.agent.wishes = w, w }

func (h *herd) draw(entity components.Entity, clock components.Timestamp, n *refNode, k int) uint64 {
	return executor.DrawKey(
		herdSeed, uint64(entity.Generation)<<32|uint64(entity.Index), uint32(int64(clock)/1000), h.program.Hash, int32(n.index), k)
}

// tick ticks agents at a clock, in the reference and in the executor, and returns how they differ.
// Reports are of the action systems, since the agents' last step.
func (h *herd) tick(now components.Timestamp, due []*member, reports map[*member]map[*refNode]result) error {
	for _, m := range due {
		m.since = int64(now - m.last)
		m.last = now
		m.pulse = float32(uint32(now)%1000 + m.entity.Index)
		m.expected = m.agent.tick(now, reports[m])
		m.pending = append(m.pending[:0], m.agent.log...)
		clear(m.tested)
		for leaf, r := range reports[m] {
			m.intent.Orders[leaf.channel].Outcome = map[result]components.Outcome{succeeded: components.Succeeded, failed: components.Failed}[r]
		}
	}
	err := h.blocks(now, due, false)
	for _, m := range due {
		m.agent.script.next()
	}
	return err
}

// reset resets agents from outside, in both.
func (h *herd) reset(now components.Timestamp, who []*member) error {
	for _, m := range who {
		m.expected = m.agent.resetAgent()
		m.pending = m.pending[:0]
	}
	return h.blocks(now, who, true)
}

// blocks spreads agents over blocks and ticks or resets each.
func (h *herd) blocks(now components.Timestamp, members []*member, reset bool) error {
	rest := slices.Clone(members)
	h.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	for len(rest) > 0 {
		size := min(64, len(rest))
		if h.rng.IntN(3) == 0 {
			size = 1 + h.rng.IntN(size)
		}
		if err := h.inBlock(now, rest[:size], reset); err != nil {
			return err
		}
		rest = rest[size:]
	}
	return nil
}

// decoy is what lies in the lanes of no agent.
const decoy = 0xdec0

var decoyTriggers = func() (t components.Triggers) {
	for i := range t.List {
		t.List[i] = components.Trigger{Action: decoy, Target: components.Entity{Index: decoy}, Number: decoy}
	}
	return t
}()

func (h *herd) inBlock(now components.Timestamp, members []*member, reset bool) error {
	b := &h.block
	b.Mask, b.Now, b.Seed, b.Worker, b.User = 0, now, herdSeed, 3, h
	h.faults, h.hooks = nil, nil
	lanes := blackboard.NewLanes(h.program.Facts)
	spots := h.rng.Perm(64)
	if h.rng.IntN(4) == 0 { // dense, as the frame fills them
		for i := range spots {
			spots[i] = i
		}
	}
	decoyMind := slices.Repeat([]uint32{decoy}, h.program.MindBytes()/4)
	decoyIntent := components.Intent{Orders: [components.Channels]components.Order{{Action: decoy}, {Action: decoy}}}
	intent, triggers := decoyIntent, decoyTriggers
	for i, lane := range spots {
		if i >= len(members) {
			b.Minds[lane], b.Intents[lane], b.Triggers[lane] = nil, nil, nil
			b.Since[lane] = decoy
			if i%2 == 0 {
				b.Minds[lane], b.Intents[lane], b.Triggers[lane] = decoyMind, &intent, &triggers
				for _, s := range h.setters {
					s.set(lanes, lane, members[i%len(members)].wishes)
				}
			}
			b.Entities[lane] = components.Entity{Index: decoy, Generation: uint32(i)}
			continue
		}
		m := members[i]
		b.Mask |= 1 << lane
		b.Entities[lane], b.Minds[lane], b.Intents[lane], b.Triggers[lane] = m.entity, m.mind, &m.intent, &m.triggers
		b.Since[lane] = m.since
		m.stale = h.rng.IntN(2) == 0
		if m.triggers = (components.Triggers{}); m.stale { // the last ones may not have been cleared
			m.triggers = decoyTriggers
		}
		for name, c := range h.conds {
			c.set(lanes, lane, now, m.agent.script.holds(name))
		}
		for i, f := range memberFacts {
			if h.reads[i] {
				f.set(lanes, lane, m, now)
			}
		}
		for _, s := range h.setters {
			s.set(lanes, lane, m.wishes)
		}
	}
	source := newHerdSource(h, lanes)
	b.Facts = source
	if !h.program.Does {
		b.Intents = [64]*components.Intent{}
	}
	if !h.program.Fires {
		b.Triggers = [64]*components.Triggers{}
	}
	before := make([]components.Intent, len(members))
	for i, m := range members {
		before[i] = m.intent
	}

	x := h.executor
	x.EveryLeaf = !h.hooked
	all := b.Mask
	strangers := h.addStrangers(b)
	columns := h.layInColumns(b)
	clear(x.Starts)
	clear(x.Active)
	x.Switches = 0
	scored, spared := x.Scorings()
	if !reset && h.tree.chooses() && h.rng.IntN(4) == 0 {
		i := h.rng.IntN(len(members))
		h.checkExplanation(members[i], spots[i])
		b.Facts = source
	}
	if reset {
		x.Reset(h.program, b)
		all = 0
	} else {
		x.Tick(h.program, b)
	}
	if columns != nil {
		columns.takeBack(h, b)
	}
	if x.Mismatched != strangers {
		h.fault("a block of %x has strangers %x, found %x", b.Mask, strangers, x.Mismatched)
	}
	b.Mask &^= strangers

	if x.Succeeded|x.Failed|x.Running != all || x.Succeeded&x.Failed|x.Succeeded&x.Running|x.Failed&x.Running != 0 {
		h.fault("a block of %x has succeeded %x, failed %x, runs %x", b.Mask, x.Succeeded, x.Failed, x.Running)
	}
	if !slices.Equal(decoyMind, slices.Repeat([]uint32{decoy}, len(decoyMind))) || intent != decoyIntent || triggers != decoyTriggers {
		h.fault("lanes outside the mask are changed")
	}
	h.sortEvents(x.Events)
	enters := 0
	for i, m := range members {
		lane := spots[i]
		h.observe(m, lane, before[i])
		enters += len(m.observed.enters)
		if !m.expected.equals(&m.observed) {
			h.fault("%v:\nthe reference:\n%v\nthe executor:\n%v", m.entity, &m.expected, &m.observed)
		}
		if len(m.pending) > 0 {
			h.fault("%v: the reference invokes %s, the executor does not", m.entity, m.pending[0].leaf.label)
		}
	}
	h.checkCounts(members, scored, spared)
	if x.Transitions != enters {
		h.fault("%d transitions, %d enters", x.Transitions, enters)
	}
	if len(h.faults) == 0 {
		return nil
	}
	return fmt.Errorf("at %v ns:\n%s", now, strings.Join(h.faults[:min(4, len(h.faults))], "\n"))
}

// checkExplanation lets the executor explain what an agent will choose, and compares it with what the reference has
// chosen.
func (h *herd) checkExplanation(m *member, lane int) {
	b := &h.block
	b.Facts = newHerdSource(h, b.Facts.(*herdSource).lanes)
	before := slices.Clone(m.mind)
	list := h.executor.Explain(h.program, b, lane)
	if !slices.Equal(before, m.mind) {
		h.fault("%v: an explanation has changed its mind", m.entity)
	}
	for _, n := range h.tree.nodes {
		if n.kind != refUtility {
			continue
		}
		if len(list) == 0 || list[0].Node != n.index {
			h.fault("%v: %v is not explained", m.entity, n)
			return
		}
		x := list[0]
		list = list[1:]
		s := &m.agent.state[n.index]
		if x.Running != s.before {
			h.fault("%v: %v is explained as running %v", m.entity, n, x.Running)
		}
		if s.ticked != m.agent.serial || s.restarted == m.agent.serial {
			continue
		}
		got := refChoice{}
		if x.Chosen >= 0 {
			o := &x.Options[x.Chosen]
			got.made, got.target = true, idOf(o.Target)
			for o.Action != n.brain.action(got.action) {
				got.action++
			}
		}
		if want := s.took; got.made != want.made || got.action != want.action || got.target != want.target {
			h.fault("%v: the choice of %v is explained as %+v, want %+v: %+v", m.entity, n, got, want, x.Explanation)
		}
	}
}

// checkCounts compares what the executor has counted in a block with the reference.
func (h *herd) checkCounts(members []*member, scored, spared int64) {
	var did, want [3]int64 // choices scored, spared and exchanged
	did[0], did[1] = h.executor.Scorings()
	did[0], did[1], did[2] = did[0]-scored, did[1]-spared, h.executor.Switches
	starts, active := make([]int64, len(h.executor.Starts)), make([]int64, len(h.executor.Active))
	for _, m := range members {
		c := &m.agent.did
		want[0] += int64(c.scored)
		want[1] += int64(c.spared)
		want[2] += int64(c.turned + c.retargeted)
		for _, leaf := range slices.Concat(m.expected.enters, m.expected.anew) {
			if leaf.kind == refDo {
				starts[h.handle("do ", leaf)]++
			}
		}
		for _, leaf := range m.expected.enters {
			if leaf.kind == refDo {
				active[h.handle("do ", leaf)]++
			}
		}
		for _, e := range m.expected.exits {
			if e.leaf.kind == refDo {
				active[h.handle("do ", e.leaf)]--
			}
		}
		for _, leaf := range m.expected.fired {
			starts[h.handle("fire ", leaf)]++
		}
	}
	if did != want {
		h.fault("choices scored, spared and exchanged are counted as %d, want %d", did, want)
	}
	if !slices.Equal(starts, h.executor.Starts) || !slices.Equal(active, h.executor.Active) {
		h.fault("starts are counted as %v, want %v; those under way as %v, want %v", h.executor.Starts, starts,
			h.executor.Active, active)
	}
}

// addStrangers adds minds of another program to some blocks. They must be left alone.
func (h *herd) addStrangers(b *executor.Block) (strangers uint64) {
	b.Number = 0
	if h.rng.IntN(2) == 0 {
		return 0
	}
	b.Number = mindProgram
	for lane := range 64 {
		if b.Mask>>lane&1 == 0 && b.Minds[lane] != nil && h.rng.IntN(2) == 0 {
			strangers |= 1 << lane
		}
	}
	b.Mask |= strangers
	return strangers
}

// herdColumns is a block's agents moved into columns, among rows of nobody.
type herdColumns struct {
	minds    [64][]uint32
	intents  [64]*components.Intent
	triggers [64]*components.Triggers
	before   executor.Columns
}

// layInColumns moves the agents of some blocks into columns: side by side, or here and there in several chunks.
func (h *herd) layInColumns(b *executor.Block) *herdColumns {
	b.Columns, b.Rows, b.First = nil, nil, blackboard.Row{}
	if b.Mask == 0 || h.rng.IntN(3) == 0 {
		return nil
	}
	c := &herdColumns{minds: b.Minds, intents: b.Intents, triggers: b.Triggers}
	words := h.program.MindBytes() / 4
	const chunks, rows = 3, 80
	columns := &executor.Columns{Words: words}
	for range chunks {
		k := executor.Chunk{Entities: make([]components.Entity, rows), Minds: slices.Repeat([]uint32{decoy}, rows*words)}
		if h.program.Does {
			k.Intents = slices.Repeat([]components.Intent{{Orders: [components.Channels]components.Order{{Action: decoy}, {Action: decoy}}}}, rows)
		}
		if h.program.Fires {
			k.Triggers = slices.Repeat([]components.Triggers{decoyTriggers}, rows)
		}
		columns.Chunks = append(columns.Chunks, k)
	}
	first := blackboard.Row{Chunk: int32(h.rng.IntN(chunks)), Row: int32(h.rng.IntN(rows - 64))}
	lanes := bits.Len64(b.Mask)
	if h.rng.IntN(2) == 0 { // there may be rows behind the last lane of the mask
		lanes = 64
	}
	for lane := range lanes {
		b.Rows = append(b.Rows, blackboard.Row{Chunk: first.Chunk, Row: first.Row + int32(lane)})
	}
	switch h.rng.IntN(3) {
	case 0:
		for lane, spot := range h.rng.Perm(chunks * rows)[:len(b.Rows)] {
			b.Rows[lane] = blackboard.Row{Chunk: int32(spot / rows), Row: int32(spot % rows)}
		}
	case 1:
		b.Rows, b.First = nil, first
	}
	b.Columns = columns
	for lane := range lanes {
		if c.minds[lane] == nil {
			continue
		}
		r := b.Row(lane)
		k := &columns.Chunks[r.Chunk]
		k.Entities[r.Row] = b.Entities[lane]
		copy(k.Minds[int(r.Row)*words:], c.minds[lane])
		if k.Intents != nil {
			k.Intents[r.Row] = *c.intents[lane]
		}
		if k.Triggers != nil {
			k.Triggers[r.Row] = *c.triggers[lane]
		}
	}
	b.Minds, b.Intents, b.Triggers = [64][]uint32{}, [64]*components.Intent{}, [64]*components.Triggers{}
	for _, k := range columns.Chunks {
		c.before.Chunks = append(c.before.Chunks, executor.Chunk{
			Entities: slices.Clone(k.Entities), Minds: slices.Clone(k.Minds), Intents: slices.Clone(k.Intents), Triggers: slices.Clone(k.Triggers),
		})
	}
	return c
}

// takeBack moves the agents back and checks that no other row was written.
func (c *herdColumns) takeBack(h *herd, b *executor.Block) {
	words := b.Columns.Words
	for lane := range bits.Len64(b.Mask) {
		if b.Mask>>lane&1 == 0 {
			continue
		}
		r := b.Row(lane)
		k, before := &b.Columns.Chunks[r.Chunk], &c.before.Chunks[r.Chunk]
		mind := k.Minds[int(r.Row)*words : (int(r.Row)+1)*words]
		copy(c.minds[lane], mind)
		copy(before.Minds[int(r.Row)*words:], mind)
		if k.Intents != nil {
			*c.intents[lane], before.Intents[r.Row] = k.Intents[r.Row], k.Intents[r.Row]
		}
		if k.Triggers != nil {
			*c.triggers[lane], before.Triggers[r.Row] = k.Triggers[r.Row], k.Triggers[r.Row]
		}
	}
	for i, k := range b.Columns.Chunks {
		was := c.before.Chunks[i]
		if !slices.Equal(k.Entities, was.Entities) || !slices.Equal(k.Minds, was.Minds) || !slices.Equal(k.Intents, was.Intents) || !slices.Equal(k.Triggers, was.Triggers) {
			h.fault("rows of other agents are changed")
		}
	}
	b.Minds, b.Intents, b.Triggers = c.minds, c.intents, c.triggers
	b.Columns, b.Rows = nil, nil
}

// sortEvents checks the order of events, by leaf and then by lane, and that no leaf has two in a lane.
func (h *herd) sortEvents(events []executor.Event) {
	for i, e := range events {
		if int(e.Leaf) >= len(h.leaves) || h.block.Mask>>e.Lane&1 == 0 {
			h.fault("event %+v", e)
		}
		if i > 0 && cmp.Or(cmp.Compare(events[i-1].Leaf, e.Leaf), cmp.Compare(events[i-1].Lane, e.Lane)) >= 0 {
			h.fault("event %+v comes after %+v", e, events[i-1])
		}
		if h.hooked {
			h.hooks = h.hooks[:0]
			h.program.CallHook(e, h.block.Entities[e.Lane])
			want := hookCall{h.block.Entities[e.Lane], h.leaves[e.Leaf].origin, [...]string{"done", "failed", "aborted", "enter"}[e.Kind]}
			if len(h.hooks) != 1 || h.hooks[0] != want {
				h.fault("event %+v calls hooks %v, want %v", e, h.hooks, want)
			}
		}
	}
}

// observe reads a step of the executor out of its results and the agent's components.
func (h *herd) observe(m *member, lane int, before components.Intent) {
	x := h.executor
	bit := uint64(1) << lane
	did := refStep{ticked: nil}
	switch {
	case x.Succeeded&bit != 0:
		did.status = succeeded
	case x.Failed&bit != 0:
		did.status = failed
	case x.Running&bit != 0:
		did.status = running
	}
	entered := map[*refNode]bool{}
	for _, e := range x.Events {
		if int(e.Lane) != lane || int(e.Leaf) >= len(h.leaves) {
			continue
		}
		leaf := h.leaves[e.Leaf]
		switch e.Kind {
		case executor.Enter:
			did.enters = append(did.enters, leaf)
			entered[leaf] = true
		case executor.ExitSuccess:
			did.exits = append(did.exits, refExit{leaf, succeeded})
		case executor.ExitFailure:
			did.exits = append(did.exits, refExit{leaf, failed})
		case executor.ExitAborted:
			did.exits = append(did.exits, refExit{leaf, aborted})
		}
	}
	runs := map[components.Channel]*refNode{}
	for _, i := range h.program.RunningLeaves(m.mind, nil) {
		leaf := h.leaves[i]
		did.running = append(did.running, leaf)
		if leaf.kind == refDo {
			runs[leaf.channel] = leaf
		}
	}

	// The order of a channel is its running Do, posted anew if that was entered in this step, or begun anew.
	for c := range components.Channel(components.Channels) {
		order, was := m.intent.Orders[c], before.Orders[c]
		for _, leaf := range h.leaves {
			if leaf.kind == refDo && h.handle("do ", leaf) == order.Action && (runs[c] == nil || runs[c].origin == leaf.origin) {
				did.intents[c] = leaf
				if runs[c] != nil {
					did.intents[c] = runs[c]
				}
				break
			}
		}
		if order.Action != 0 && did.intents[c] == nil {
			h.fault("%v: order %+v", m.entity, order)
		}
		leaf := did.intents[c]
		switch {
		case leaf == nil:
			if order.Outcome != components.Pending || order.Serial != was.Serial {
				h.fault("%v: withdrawn order %+v, before %+v", m.entity, order, was)
			}
		case entered[leaf]:
			if order.Serial == was.Serial || order.Outcome != components.Pending {
				h.fault("%v: new order %+v, before %+v", m.entity, order, was)
			}
		case order.Serial != was.Serial && order.Outcome == components.Pending:
			did.anew = append(did.anew, leaf)
		case order.Serial != was.Serial:
			h.fault("%v: order %+v of a Do that ran on, before %+v", m.entity, order, was)
		}
		if leaf != nil {
			want := m.order(leaf)
			want.Action, want.Serial, want.Outcome = order.Action, order.Serial, order.Outcome
			if order != want {
				h.fault("%v: order %+v of %s, want %+v", m.entity, order, leaf.label, want)
			}
		}
	}

	fired := m.triggers.List[:]
	if m.stale && m.triggers == decoyTriggers {
		fired = nil // nothing was written
	}
	for _, trigger := range fired {
		if trigger.Action == 0 {
			break
		}
		// Uses of one subtree fire the same action; of those it is one that should have fired, if any.
		var by *refNode
		for _, leaves := range [][]*refNode{m.expected.fired, h.tree.leaves} {
			for _, leaf := range leaves {
				if by == nil && leaf.kind == refFire && h.handle("fire ", leaf) == trigger.Action && !slices.Contains(did.fired, leaf) {
					by = leaf
				}
			}
		}
		if by == nil {
			h.fault("%v: trigger %+v", m.entity, trigger)
			continue
		}
		if want := m.trigger(by); trigger.Number != want.Number || trigger.Target != want.Target {
			h.fault("%v: trigger %+v of %s, want %+v", m.entity, trigger, by.label, want)
		}
		did.fired = append(did.fired, by)
	}
	if m.mind[0]&0xffff != mindProgram {
		h.fault("%v: the mind names program %d", m.entity, m.mind[0]&0xffff)
	}

	// The invocations are those of the reference, or there was a fault; a leaf that was entered and does
	// not run was entered for this tick alone.
	for _, leaf := range m.expected.ticked {
		if leaf.kind == refAction || slices.Contains(did.fired, leaf) {
			did.ticked = append(did.ticked, leaf)
		}
	}
	for _, invocation := range m.agent.log {
		if invocation.entering && !slices.Contains(did.running, invocation.leaf) {
			how := invocation.result
			if how == running {
				how = aborted
			}
			did.instant = append(did.instant, refExit{invocation.leaf, how})
		}
	}
	m.observed = did
}

func (h *herd) handle(prefix string, leaf *refNode) components.Action {
	a, _ := h.actions.Lookup(prefix + leaf.origin.label)
	return a
}

// equals compares all but what was entered and ended in the step, and instants.
func (s *refStep) equals(o *refStep) bool {
	return s.status == o.status && slices.Equal(s.exits, o.exits) && slices.Equal(s.enters, o.enters) &&
		slices.Equal(s.running, o.running) && slices.Equal(s.ticked, o.ticked) && slices.Equal(s.fired, o.fired) &&
		s.intents == o.intents && slices.Equal(inOrder(s.anew), inOrder(o.anew))
}

// inOrder returns nodes in tree order.
func inOrder(nodes []*refNode) []*refNode {
	return slices.SortedFunc(slices.Values(nodes), func(a, b *refNode) int { return cmp.Compare(a.index, b.index) })
}

func (s *refStep) String() string {
	var exits []string
	for _, e := range s.exits {
		exits = append(exits, e.String())
	}
	return fmt.Sprintf("status %v, exits %v, enters %v, runs %v, ticked %v, fired %v, intents %v, posted anew %v",
		s.status, exits, names(s.enters), names(s.running), names(s.ticked), names(s.fired), intentNames(s.intents), names(s.anew))
}

func intentNames(intents [components.Channels]*refNode) []string {
	list := make([]string, len(intents))
	for i, leaf := range intents {
		if leaf != nil {
			list[i] = leaf.label
		}
	}
	return list
}

// A herdSource gives facts for no more lanes than it is asked for and spoils those outside the block. It
// complains when it is asked twice for the same.
type herdSource struct {
	lanes  *blackboard.Lanes
	h      *herd
	asked  []uint64 // by fact
	living []uint64
}

func newHerdSource(h *herd, lanes *blackboard.Lanes) *herdSource {
	facts := len(h.program.Facts)
	return &herdSource{lanes: lanes, h: h, asked: make([]uint64, facts), living: make([]uint64, facts)}
}

func (s *herdSource) ask(fact int, mask uint64) {
	if s.asked[fact]&mask != 0 || mask&^s.h.block.Mask != 0 || mask == 0 {
		s.h.fault("fact %d is asked for in lanes %x, was in %x, of a block of %x", fact, mask, s.asked[fact], s.h.block.Mask)
	}
	s.asked[fact] |= mask
}

// fillLane copies the lanes of a mask, and spoils those outside the block.
func fillLane[T any](to, from *[64]T, mask, block uint64, spoilt T) {
	for i := range to {
		switch {
		case mask>>i&1 != 0:
			to[i] = from[i]
		case block>>i&1 == 0:
			to[i] = spoilt
		}
	}
}

func (s *herdSource) Floats(fact int, mask uint64, lane *[64]float32) *[64]float32 {
	s.ask(fact, mask)
	fillLane(lane, s.lanes.Floats(fact, mask, nil), mask, s.h.block.Mask, float32(math.NaN()))
	return lane
}

func (s *herdSource) Ints(fact int, mask uint64, lane *[64]int64) {
	s.ask(fact, mask)
	var all [64]int64
	s.lanes.Ints(fact, mask, &all)
	fillLane(lane, &all, mask, s.h.block.Mask, math.MinInt64)
}

func (s *herdSource) Bools(fact int, mask uint64) uint64 {
	s.ask(fact, mask)
	return s.lanes.Bools(fact, mask) | s.h.rng.Uint64()&^s.h.block.Mask
}

// compare checks what a comparison is asked for. Each condition has one value in a tick, but several may compare a fact.
func (s *herdSource) compare(fact int, mask uint64) {
	if mask&^s.h.block.Mask != 0 || mask == 0 {
		s.h.fault("fact %d is compared in lanes %x of a block of %x", fact, mask, s.h.block.Mask)
	}
}

func (s *herdSource) FloatsBelow(fact int, mask uint64, bound float32) uint64 {
	s.compare(fact, mask)
	return s.lanes.FloatsBelow(fact, mask, bound) | s.h.rng.Uint64()&^s.h.block.Mask
}

func (s *herdSource) IntsBelow(fact int, mask uint64, bound int64) uint64 {
	s.compare(fact, mask)
	return s.lanes.IntsBelow(fact, mask, bound) | s.h.rng.Uint64()&^s.h.block.Mask
}

func (s *herdSource) Alive(fact int, mask uint64) uint64 {
	if mask&^s.h.block.Mask != 0 || mask == 0 || s.living[fact]&mask != 0 {
		s.h.fault("fact %d is asked to be alive in lanes %x, was in %x, of a block of %x", fact, mask, s.living[fact], s.h.block.Mask)
	}
	s.living[fact] |= mask
	return s.lanes.Alive(fact, mask) | s.h.rng.Uint64()&^s.h.block.Mask
}

func (s *herdSource) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	s.ask(fact, mask)
	var all [64]components.Entity
	s.lanes.Entities(fact, mask, &all)
	fillLane(lane, &all, mask, s.h.block.Mask, components.Entity{Index: 4, Generation: 4})
}

// A randomScript plays the leaves of a stranger: pure functions of its seed.
type randomScript struct {
	seed          uint64
	succeed, fail uint32 // in 256; the rest runs
	flip          uint32 // in 256, how often a condition holds
	counts        map[string]uint64
	treeTick      uint64
}

func newRandomScript(seed uint64) *randomScript {
	return &randomScript{seed: seed, succeed: 90, fail: 60, flip: 128, counts: map[string]uint64{}}
}

func (s *randomScript) roll(name string, i uint64) uint32 {
	hash := fnv.New64a()
	fmt.Fprint(hash, name)
	h := (hash.Sum64() ^ s.seed + i*0x9e3779b97f4a7c15) * 0xd1342543de82ef95
	return uint32((h ^ h>>31) * 0xbf58476d1ce4e5b9 >> 56)
}

func (s *randomScript) invoke(leaf *refNode, _ bool) result {
	i := s.counts[leaf.label]
	s.counts[leaf.label]++
	switch roll := s.roll(leaf.label, i); {
	case roll < s.succeed:
		return succeeded
	case roll < s.succeed+s.fail:
		return failed
	}
	return running
}

func (s *randomScript) next() { s.treeTick++ }

// holds changes its mind every other tick at most, so that what a condition allows can get somewhere.
func (s *randomScript) holds(name string) bool { return s.roll(name, s.treeTick/2) < s.flip }

// randomReports lets each running Do report now and then.
func randomReports(m *member, lot *rand.Rand) map[*refNode]result {
	var reports map[*refNode]result
	for _, leaf := range m.expected.intents {
		if leaf == nil || lot.IntN(3) != 0 {
			continue
		}
		if reports == nil {
			reports = map[*refNode]result{}
		}
		reports[leaf] = resultIf(lot.IntN(2) == 0)
	}
	return reports
}
