package aitree_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// dice decides how a random test goes on. Small numbers stand for what is simple, so that a failing test
// shrinks.
type dice interface {
	// below returns a number from 0 to n-1.
	below(n int) int
}

type rapidDice struct{ t *rapid.T }

// below draws bits, because rapid's ranges prefer small numbers.
func (d rapidDice) below(n int) int {
	v := 0
	for m := n - 1; m > 0; m >>= 1 {
		v <<= 1
		if rapid.Bool().Draw(d.t, "") {
			v |= 1
		}
	}
	return v % n
}

// byteDice take their numbers from bytes; when these have run out, all is 0.
type byteDice struct{ data []byte }

func (d *byteDice) below(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	v := int(d.data[0])
	d.data = d.data[1:]
	if n > 256 && len(d.data) > 0 {
		v |= int(d.data[0]) << 8
		d.data = d.data[1:]
	}
	return v % n
}

func pick[T any](d dice, from ...T) T { return from[d.below(len(from))] }

// oneIn is true once in n times; the simple answer is no.
func oneIn(d dice, n int) bool { return d.below(n) == n-1 }

// A gardener grows random trees that can be built, but for the state they need.
type gardener struct {
	dice
	actions, dos, fires, waits int // that have been made, for their names
	thoughts                   int
	brains                     []*refBrain
	room                       int  // words that evaluators may still keep in a mind
	targeted                   bool // the branch that grows has a chosen target
	subtrees                   map[string]*refNode
	flavour                    string
}

// The flavours of trees: what they have more of.
var flavours = []string{"any", "time", "parallel", "reactive", "loops", "random", "deep", "wide", "actions",
	"cooldowns", "subtrees", "large", "utility"}

// seconds draws a duration. There are few, so that deadlines meet.
func (g *gardener) seconds() float64 {
	return pick(g.dice, 0.25, 0, 0.5, 1, 0.1, 1.0/3, 1e-6, 3, 60, 1799.9999, 2000)
}

// grow makes a tree of at most size nodes, at least 1. Channels are those its Do leaves may use, fires how many
// triggers it may post in a tick.
func (g *gardener) grow(size int, channels []components.Channel, fires, depth int) *refNode {
	if size <= 1 || depth > 240 {
		return g.leaf(channels, fires)
	}
	composites := []refKind{
		refSequence, refSelector, refReactiveSelector, refReactiveSequence, refParallel, refRandomSelector,
		refRandomSequence, refWeightedChoice,
	}
	decorators := []refKind{
		refInverter, refForceSuccess, refForceFailure, refGuard, refTimeout, refCooldown, refRepeat, refRetry,
		refUntilSuccess, refUntilFailure,
	}
	if g.flavour == "utility" || g.flavour == "any" {
		composites = append(composites, refUtility)
	}
	kind := pick(g.dice, composites...)
	if g.below(100) >= 55 {
		kind = pick(g.dice, decorators...)
	}
	if g.below(100) >= 40 {
		switch g.flavour {
		case "time":
			kind = pick(g.dice, refSequence, refTimeout, refParallel, refSelector, refRepeat, refCooldown)
		case "parallel":
			kind = pick(g.dice, refParallel, refGuard, refReactiveSequence)
		case "reactive":
			kind = pick(g.dice, refReactiveSelector, refReactiveSequence, refGuard)
		case "loops":
			kind = pick(g.dice, refRepeat, refRetry, refUntilSuccess, refUntilFailure)
		case "random":
			kind = pick(g.dice, refRandomSelector, refRandomSequence, refWeightedChoice)
		case "deep":
			kind = pick(g.dice, refInverter, refForceSuccess, refGuard, refForceFailure, refSequence)
		case "cooldowns":
			kind = pick(g.dice, refCooldown, refSelector, refSequence, refGuard)
		case "utility":
			kind = pick(g.dice, refUtility, refUtility, refUtility, refUtility, refRandomSequence, refParallel, refParallel,
				refRepeat, refTimeout, refCooldown, refGuard, refSequence, refSelector)
		}
	}
	if g.flavour == "utility" && depth == 0 && len(g.brains) == 0 && g.below(4) > 0 {
		kind = refUtility
	}
	if g.targeted && g.below(3) == 0 { // what lies side by side in a mind is what beginning anew could mix up
		kind = pick(g.dice, refSequence, refSelector, refParallel, refParallel, refRepeat, refRandomSequence)
	}
	if g.subtrees != nil && g.below(6) == 5 {
		names := slices.Sorted(maps.Keys(g.subtrees))
		if !g.targeted || fires == 0 {
			names = slices.DeleteFunc(names, func(name string) bool { return name == aimedSubtree })
		}
		if len(names) > 0 {
			g.waits++
			return &refNode{kind: refUse, label: "u" + strconv.Itoa(g.waits), subtree: pick(g.dice, names...)}
		}
	}
	n := &refNode{kind: kind}
	if slices.Contains(decorators, kind) {
		switch kind {
		case refRepeat, refRetry:
			n.times = pick(g.dice, 1, 2, 3, 0, -1, 7)
		case refTimeout:
			n.seconds = g.seconds()
		case refCooldown:
			n.seconds = g.seconds()
			n.resets = oneIn(g.dice, 2)
		case refGuard:
			n.cond = g.condition()
		}
		n.children = []*refNode{g.grow(size-1, channels, fires, depth+1)}
		return n
	}

	count := 1 + g.below(min(5, size-1))
	if g.flavour == "wide" && oneIn(g.dice, 2) || oneIn(g.dice, 20) {
		count = 1 + g.below(min(16, size-1))
	}
	if kind == refUtility {
		n.brain = g.brain(count, size-1)
		count = len(n.brain.evaluator.Actions)
		n.hold = oneIn(g.dice, 6)
		n.remember = oneIn(g.dice, 2) && n.brain.words(true) <= g.room
		if n.remember || n.brain.rescores {
			g.room -= n.brain.words(n.remember)
		}
		for i := range count { // in any order
			n.branches = slices.Insert(n.branches, g.below(i+1), i)
		}
	}
	above := g.targeted
	rest := size - 1 - count // nodes beyond one for each child
	own := make([][]components.Channel, count)
	for i := range own {
		own[i] = channels
	}
	if kind == refParallel { // a channel is one child's alone
		own = make([][]components.Channel, count)
		for _, c := range channels {
			i := g.below(count)
			own[i] = append(own[i], c)
		}
		n.success, n.failure = g.below(count+1), g.below(count+1)
		n.latched = oneIn(g.dice, 2)
	}
	for i := range count {
		some := rest
		if i < count-1 {
			some = g.below(rest + 1)
		}
		rest -= some
		posts := fires
		if kind == refUtility { // one branch alone is ticked
			g.targeted = n.brain.evaluator.Actions[n.branches[i]].Targeted
		} else {
			if i < count-1 {
				posts = g.below(fires + 1)
			}
			fires -= posts
		}
		n.children = append(n.children, g.grow(1+some, own[i], posts, depth+1))
	}
	g.targeted = above
	if kind == refWeightedChoice {
		for range n.children {
			n.weights = append(n.weights, pick(g.dice, 1, 0, 0.5, 3))
		}
		n.weights[g.below(count)] = 1
	}
	return n
}

// brain returns an evaluator of so many actions or, one in four times, one that stands in the tree already, of most
// actions at most.
func (g *gardener) brain(actions, most int) *refBrain {
	if oneIn(g.dice, 4) {
		for _, b := range g.brains {
			if len(b.evaluator.Actions) <= most && (!b.rescores || b.words(false) <= g.room) {
				return b
			}
		}
	}
	b := g.think(actions)
	g.brains = append(g.brains, b)
	return b
}

func (g *gardener) condition() string {
	return pick(g.dice, "", "!") + "C" + strconv.Itoa(g.below(12))
}

func (g *gardener) leaf(channels []components.Channel, fires int) *refNode {
	kind := pick(g.dice, refAction, refAction, refCondition, refWait, refDo, refAction, refWait, refFire)
	if g.flavour == "time" && g.below(3) > 0 {
		kind = refWait
	}
	if g.flavour == "actions" && g.below(3) > 0 {
		kind = pick(g.dice, refDo, refFire)
	}
	if g.targeted && g.below(2) > 0 {
		kind = pick(g.dice, refDo, refDo, refFire)
	}
	switch {
	case kind == refFire && fires > 0:
		g.fires++
		return &refNode{kind: kind, label: "X" + strconv.Itoa(g.fires), chosen: g.targeted && g.below(4) > 0}
	case kind == refCondition && (g.flavour != "utility" || g.below(4) == 0):
		return &refNode{kind: kind, cond: g.condition()}
	case kind == refWait:
		g.waits++
		n := &refNode{kind: kind, label: "w" + strconv.Itoa(g.waits), seconds: g.seconds()}
		n.most = n.seconds
		if oneIn(g.dice, 4) {
			n.most = max(n.seconds, g.seconds())
		}
		return n
	case kind == refDo && len(channels) > 0:
		g.dos++
		n := &refNode{kind: kind, label: "D" + strconv.Itoa(g.dos), channel: pick(g.dice, channels...)}
		n.chosen = g.targeted && g.below(4) > 0
		if oneIn(g.dice, 3) {
			n.until = g.condition()
		}
		return n
	}
	g.actions++
	return &refNode{kind: refAction, label: "A" + strconv.Itoa(g.actions)}
}

// aimedSubtree is a subtree that binds the target of the UtilitySelector it is used below, and posts a trigger.
const aimedSubtree = "Q"

// garden makes a tree of up to 200 nodes, of the large flavour up to 800, and the subtrees it uses.
func garden(d dice, flavour string) (*refNode, map[string]*refNode) {
	g := &gardener{dice: d, flavour: flavour, room: 28}
	if oneIn(d, 4) || flavour == "subtrees" {
		g.subtrees = map[string]*refNode{}
		for i := range 1 + d.below(2) { // the second may use the first
			g.subtrees["P"+strconv.Itoa(i)] = g.grow(1+d.below(12), nil, 0, 0)
		}
		if flavour == "utility" {
			g.fires++
			g.subtrees[aimedSubtree] = &refNode{kind: refSequence, children: []*refNode{
				{kind: refFire, label: "X" + strconv.Itoa(g.fires), chosen: true}, g.leaf(nil, 0),
			}}
		}
	}
	size := 1 + d.below(pick(d, 6, 30, 100, 200))
	switch flavour {
	case "utility":
		size = 3 + d.below(pick(d, 12, 30, 60, 100))
	case "deep":
		size = 200
	case "large": // a cursor is more than a byte
		size = 200 + d.below(600)
	}
	return g.grow(size, []components.Channel{components.Move, components.Act}, components.MaxTriggers, 0), g.subtrees
}

// tally counts what happened in the random tests, to show that they test something.
type tally struct {
	trees, discarded int
	steps, exits     int
	kinds            map[refKind]int // nodes of the trees that ran
	ended            map[refKind]map[result]int
	results          map[result]int
	runs             map[refKind]int // nodes found running
	parked           int             // loops between rounds
	minds            map[int]int     // programs by the size of mind they need
	late             int             // steps that went on before now
	chosen           refChoosing
	aimed            [2]int // enters of Do leaves and triggers with a chosen target
	anew             int    // orders posted anew, for another target
	shared           int    // evaluators that stand in a tree twice
}

func newTally() *tally {
	return &tally{kinds: map[refKind]int{}, ended: map[refKind]map[result]int{}, results: map[result]int{}, runs: map[refKind]int{}, minds: map[int]int{}}
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// A scenario is all that a random test draws.
type scenario struct {
	root     *refNode
	subtrees map[string]*refNode
	herd     herdOptions
	mix      [3]uint32 // how often of 256 an action succeeds and fails, and a condition holds
	agents   int
	chance   int // an agent is due once in so many ticks
	clock    []components.Timestamp
}

// String is what a failing test shows.
func (s scenario) String() string {
	text := s.root.String()
	for _, name := range slices.Sorted(maps.Keys(s.subtrees)) {
		text += "\n" + name + ": " + s.subtrees[name].String()
	}
	written := map[*refBrain]bool{}
	var write func(n *refNode)
	write = func(n *refNode) {
		if n.brain != nil && !written[n.brain] {
			written[n.brain] = true
			text += "\n" + n.brain.String()
		}
		for _, child := range n.children {
			write(child)
		}
	}
	write(s.root)
	for _, name := range slices.Sorted(maps.Keys(s.subtrees)) {
		write(s.subtrees[name])
	}
	return fmt.Sprintf("%s\n%+v, mix %v, %d agents, each due once in %d, at %v", text, s.herd, s.mix, s.agents, s.chance, s.clock)
}

// GoString is what rapid shows of a draw.
func (s scenario) GoString() string { return s.String() }

// plan draws a scenario.
func plan(d dice, flavour string) scenario {
	s := scenario{}
	s.root, s.subtrees = garden(d, flavour)
	s.herd = herdOptions{seed: uint64(d.below(1 << 16)), hooked: oneIn(d, 3), keeps: len(s.subtrees) == 0 && oneIn(d, 3)}
	s.mix = pick(d, [3]uint32{90, 60, 128}, [3]uint32{40, 40, 200}, [3]uint32{200, 30, 200}, [3]uint32{100, 150, 60}, [3]uint32{10, 5, 240})
	if flavour == "utility" { // what is chosen should run for a while
		s.mix = pick(d, [3]uint32{40, 40, 200}, [3]uint32{10, 5, 240}, [3]uint32{90, 60, 128}, [3]uint32{20, 20, 200})
	}
	s.agents = 1 + d.below(pick(d, 2, 8, 40, 80))
	if flavour == "large" {
		s.agents = min(s.agents, 10)
	}
	s.chance = pick(d, 1, 2, 8)

	var durations []components.Timestamp // of the tree
	var find func(n *refNode)
	find = func(n *refNode) {
		if n.kind == refWait || n.kind == refTimeout || n.kind == refCooldown {
			durations = append(durations, components.Timestamp(micros(n.seconds)*1000))
		}
		if n.kind == refUtility && n.brain.commitment > 0 {
			durations = append(durations, components.Timestamp(micros(n.brain.commitment)*1000))
		}
		for _, child := range n.children {
			find(child)
		}
	}
	find(s.root)
	const wrap = components.Timestamp(1 << 32 * 1000) // of the low 32 bits of a clock in microseconds
	now := pick[components.Timestamp](d, 1e9, 1, wrap-1e6, wrap/2-1e6, 3*wrap+5e8, 400*86400e9)
	step := pick[components.Timestamp](d, 100e6, 250e6, 16_666_667, 1e9, 1e6)
	ticks := 2 + d.below(20)
	if flavour == "utility" {
		ticks += 10
	}
	for range ticks {
		s.clock = append(s.clock, now)
		dt := step
		switch {
		case len(durations) > 0 && oneIn(d, 3): // a deadline, or a microsecond beside it
			dt = max(0, pick(d, durations...)+pick[components.Timestamp](d, 0, -1000, 1000))
		case oneIn(d, 3):
			dt = pick[components.Timestamp](d, 0, 1e9, 1000, 1, 999, 60e9, wrap/2, wrap, wrap-1000, wrap+1000, 3*3600e9, 30*86400e9)
		}
		now += dt
	}
	return s
}

// roam lets a herd of random agents live with a random tree, and fails where executor and reference differ.
func roam(t fataler, s scenario, tally *tally) {
	t.Helper()
	tally.trees++
	h, err := newHerd(s.root, s.subtrees, s.herd)
	if err == nil {
		// The same herd once more, in other blocks: what is remembered of an agent may not depend on them.
		other := s.herd
		other.seed += 1 << 20
		h.twin, err = newHerd(s.root, s.subtrees, other)
	}
	if err != nil {
		if !strings.Contains(err.Error(), "bytes of state") {
			t.Fatalf("%v\n%v", s, err)
		}
		tally.discarded++
		return
	}
	tally.minds[h.program.MindBytes()]++
	uses := map[*refBrain]int{}
	for _, n := range h.tree.nodes {
		tally.kinds[n.kind]++
		if uses[n.brain]++; n.brain != nil && uses[n.brain] == 2 {
			tally.shared++
		}
	}
	lot := rand.New(rand.NewPCG(s.herd.seed, 2))
	var members []*member
	join := func(who components.Entity, now components.Timestamp, mind, twin []uint32) {
		seed := lot.Uint64()
		script := func() *randomScript {
			script := newRandomScript(seed)
			script.succeed, script.fail, script.flip = s.mix[0], s.mix[1], s.mix[2]
			return script
		}
		m := h.join(who, script(), now, mind)
		m.twin = h.twin.join(who, script(), now, twin)
		if h.tree.chooses() {
			m.setWishes(newWishes(seed))
			m.twin.setWishes(m.wishes)
		}
		members = append(members, m)
	}
	index := uint32(0)
	add := func(now components.Timestamp) {
		index++
		join(components.Entity{Index: index}, now, nil, nil)
	}
	for range s.agents {
		add(s.clock[0])
	}
	for _, now := range s.clock {
		var due []*member
		for _, m := range members {
			if s.chance == 1 || lot.IntN(s.chance) == 0 {
				due = append(due, m)
			}
		}
		for _, m := range due {
			if m.wishes != nil && lot.IntN(4) != 0 {
				m.wishes.walk(now)
			}
		}
		if err := h.tickTwice(now, due, lot); err != nil {
			t.Fatalf("%v\n%v", s, err)
		}
		for _, m := range due {
			tally.count(h, m)
		}

		// Some are reset, some leave, and another agent takes over the mind; some join.
		var out []*member
		for _, m := range members {
			if lot.IntN(24) == 0 {
				out = append(out, m)
			}
		}
		if err := h.resetTwice(now, out); err != nil {
			t.Fatalf("%v\nreset: %v", s, err)
		}
		for _, m := range out {
			tally.count(h, m)
			if lot.IntN(2) != 0 {
				continue
			}
			who := m.entity
			who.Generation++
			members = slices.DeleteFunc(members, func(o *member) bool { return o == m })
			join(who, now, h.leave(m), h.twin.leave(m.twin))
		}
		if lot.IntN(4) == 0 {
			add(now)
		}
	}
}

// tickTwice ticks agents and their twins, and compares what is remembered of them.
func (h *herd) tickTwice(now components.Timestamp, due []*member, lot *rand.Rand) error {
	reports, twinReports := map[*member]map[*refNode]result{}, map[*member]map[*refNode]result{}
	for _, m := range due {
		reports[m] = randomReports(m, lot)
		twinReports[m.twin] = map[*refNode]result{}
		for leaf, r := range reports[m] {
			twinReports[m.twin][h.twin.tree.nodes[leaf.index]] = r
		}
	}
	return cmp.Or(h.tick(now, due, reports), h.twin.tick(now, twins(due), twinReports), sameMinds(due))
}

func (h *herd) resetTwice(now components.Timestamp, who []*member) error {
	return cmp.Or(h.reset(now, who), h.twin.reset(now, twins(who)), sameMinds(who))
}

func twins(members []*member) []*member {
	list := make([]*member, len(members))
	for i, m := range members {
		list[i] = m.twin
	}
	return list
}

func sameMinds(members []*member) error {
	for _, m := range members {
		if !slices.Equal(m.mind, m.twin.mind) || m.intent != m.twin.intent {
			return fmt.Errorf("%v: in other blocks its mind is\n%x\nand not\n%x, its intent %v and not %v", m.entity, m.twin.mind, m.mind, m.twin.intent, m.intent)
		}
	}
	return nil
}

func (c *tally) count(h *herd, m *member) {
	c.steps++
	c.results[m.expected.status]++
	c.exits += len(m.expected.exits)
	for _, e := range m.expected.exits {
		if c.ended[e.leaf.kind] == nil {
			c.ended[e.leaf.kind] = map[result]int{}
		}
		c.ended[e.leaf.kind][e.how]++
	}
	c.chosen.add(&m.agent.did)
	c.anew += len(m.expected.anew)
	for _, leaf := range m.expected.enters {
		if leaf.kind == refDo && leaf.chosen {
			c.aimed[0]++
		}
	}
	for _, leaf := range m.expected.fired {
		if leaf.chosen {
			c.aimed[1]++
		}
	}
	for i, n := range h.tree.nodes {
		if !m.agent.state[i].running {
			continue
		}
		c.runs[n.kind]++
		if n.kind >= refRepeat && n.kind <= refUntilFailure && !m.agent.state[n.children[0].index].running {
			c.parked++
		}
	}
	if m.expected.status != running && m.expected.next < m.agent.now {
		c.late++
	}
}

// TestExecutorIsTheReference compares the block executor with the reference on random trees. It runs
// 100 trees of each flavour; -rapid.checks sets another number.
func TestExecutorIsTheReference(t *testing.T) {
	all := newTally()
	for _, flavour := range flavours {
		t.Run(flavour, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				roam(t, rapid.Custom(func(t *rapid.T) scenario { return plan(rapidDice{t}, flavour) }).Draw(t, "scenario"), all)
			})
		})
	}
	if t.Failed() {
		return
	}
	t.Logf("%d trees, %d of them discarded for their state; %d steps, %d exits, %d went on before now, %d rests between rounds; results %v",
		all.trees, all.discarded, all.steps, all.exits, all.late, all.parked, all.results)
	t.Logf("choices %+v; with a chosen target %d orders and %d triggers, %d orders posted anew; %d evaluators used twice",
		all.chosen, all.aimed[0], all.aimed[1], all.anew, all.shared)
	t.Logf("minds %v, nodes %v, found running %v, leaves ended %v", all.minds, all.kinds, all.runs, all.ended)
	if checks := flag.Lookup("rapid.checks").Value.String(); checks != "100" || testing.Short() {
		return // too few, it may be, for what follows
	}
	require.GreaterOrEqual(t, all.trees-all.discarded, 1000-100, "trees")
	require.Less(t, all.discarded, all.trees/10, "trees discarded because they need too much state")
	for kind := refAction; kind < refUse; kind++ {
		require.Greater(t, all.kinds[kind], 100, "nodes of kind %d", kind)
		if kind != refCondition && kind != refFire {
			require.Greater(t, all.runs[kind], 100, "running nodes of kind %d", kind)
		}
	}
	for _, kind := range []refKind{refAction, refDo, refWait} {
		for _, how := range []result{succeeded, failed, aborted} {
			if kind != refWait || how != failed {
				require.Greater(t, all.ended[kind][how], 100, "leaves of kind %d that ended with %v", kind, how)
			}
		}
	}
	for _, r := range []result{succeeded, failed, running} {
		require.Greater(t, all.results[r], 100, "ticks that ended with %v", r)
	}
	for _, size := range []int{64, 128, 256} {
		require.Greater(t, all.minds[size], 10, "programs with minds of %d bytes", size)
	}
	chosen := &all.chosen
	for _, c := range []struct {
		what     string
		n, least int
	}{
		{"choices scored", chosen.scored, 2000},
		{"choices spared", chosen.spared, 200},
		{"choices on entry", chosen.made, 1000},
		{"exchanges for another action", chosen.turned, 100},
		{"exchanges for another target", chosen.retargeted, 50},
		{"choices of nothing", chosen.none, 200},
		{"choices held until done", chosen.held, 200},
		{"choices that a commitment kept", chosen.committed, 20},
		{"choices that inertia kept", chosen.inert, 40},
		{"choices that a remembered one decided", chosen.remembered, 5},
		{"draws", chosen.drawn, 1000},
		{"orders with a chosen target", all.aimed[0], 50},
		{"triggers with a chosen target", all.aimed[1], 20},
		{"orders posted anew", all.anew, 10},
		{"evaluators used twice", all.shared, 8},
	} {
		require.Greater(t, c.n, c.least, c.what)
	}
	require.Greater(t, all.late, 100, "ticks that went on before now")
	require.Greater(t, all.parked, 100, "loops between rounds")
}

// FuzzExecutor is the same comparison with bytes for dice. The trees are small, so that it gets through many.
func FuzzExecutor(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 2 * len(flavours) {
		seed := make([]byte, 40+rng.IntN(200))
		for k := range seed {
			seed[k] = byte(rng.Uint32())
		}
		f.Add(uint8(i), seed)
	}
	// To minimise an input that merely reaches new code takes a minute by default, and the run would do
	// little else.
	if minimise := flag.Lookup("test.fuzzminimizetime"); minimise != nil && minimise.Value.String() == minimise.DefValue {
		require.NoError(f, minimise.Value.Set("20x"))
	}
	f.Fuzz(func(t *testing.T, flavour uint8, data []byte) {
		s := plan(&byteDice{data[:min(len(data), 400)]}, flavours[int(flavour)%len(flavours)])
		s.agents = min(s.agents, 9)
		roam(t, s, newTally())
	})
}
