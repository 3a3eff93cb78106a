package aitree_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// coverage counts what happened in the random tests, to show that they test something.
type coverage struct {
	trees, discarded int
	steps, exits     int
	kinds            map[refKind]int // nodes of the trees that ran
	ended            map[refKind]map[result]int
	results          map[result]int
	runs             map[refKind]int            // nodes found running
	parked           int                        // loops between rounds
	recovered        int                        // recoveries between rounds
	standing         int                        // times that the last result of an Every stood
	limited          int                        // orders that ended because their time was over
	minds            map[int]int                // programs by the size of mind they need
	late             int                        // steps that went on before now
	rehearsed        map[executor.NodeState]int // ticks that were foretold, by their result
	chosen           refChoosing
	aimed            [2]int // enters of Do leaves and triggers with a chosen target
	anew             int    // orders posted anew, for another target
	shared           int    // evaluators that stand in a tree twice

	combined map[string]map[bool]int // values of conditions that are put together
}

func newCoverage() *coverage {
	return &coverage{kinds: map[refKind]int{}, ended: map[refKind]map[result]int{}, results: map[result]int{},
		runs: map[refKind]int{}, minds: map[int]int{}, combined: map[string]map[bool]int{},
		rehearsed: map[executor.NodeState]int{}}
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
	crowd    crowdOptions
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
	written := map[*refEvaluator]bool{}
	var write func(n *refNode)
	write = func(n *refNode) {
		if n.evaluator != nil && !written[n.evaluator] {
			written[n.evaluator] = true
			text += "\n" + n.evaluator.String()
		}
		for _, child := range n.children {
			write(child)
		}
	}
	write(s.root)
	for _, name := range slices.Sorted(maps.Keys(s.subtrees)) {
		write(s.subtrees[name])
	}
	return fmt.Sprintf("%s\n%+v, mix %v, %d agents, each due once in %d, at %v", text, s.crowd, s.mix, s.agents,
		s.chance, s.clock)
}

// GoString is what rapid shows of a draw.
func (s scenario) GoString() string { return s.String() }

// drawScenario draws a scenario.
func drawScenario(d dice, flavour string) scenario {
	s := scenario{}
	s.root, s.subtrees = generateTree(d, flavour)
	s.crowd = crowdOptions{seed: uint64(d.below(1 << 16)), hooked: oneIn(d, 3), keeps: len(s.subtrees) == 0 &&
		oneIn(d, 3)}
	s.mix = pick(d, [3]uint32{90, 60, 128}, [3]uint32{40, 40, 200}, [3]uint32{200, 30, 200}, [3]uint32{100, 150, 60},
		[3]uint32{10, 5, 240})
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
		if n.kind == refWait || n.kind == refTimeout || n.kind == refCooldown || n.kind == refEvery || n.limited {
			durations = append(durations, components.Timestamp(micros(n.seconds)*1000))
		}
		if n.kind == refUtility && n.backOff > 0 {
			durations = append(durations, components.Timestamp(micros(n.backOff)*1000))
		}
		if n.kind == refUtility && n.evaluator.commitment > 0 {
			durations = append(durations, components.Timestamp(micros(n.evaluator.commitment)*1000))
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
			dt = pick[components.Timestamp](d, 0, 1e9, 1000, 1, 999, 60e9, wrap/2, wrap, wrap-1000, wrap+1000, 3*3600e9,
				30*86400e9)
		}
		now += dt
	}
	return s
}

// simulate lets a crowd of random agents live with a random tree, and fails where executor and reference differ.
func simulate(t fataler, s scenario, tally *coverage) {
	t.Helper()
	tally.trees++
	h, err := newCrowd(s.root, s.subtrees, s.crowd)
	if err == nil {
		// The same crowd once more, in other blocks: what is remembered of an agent may not depend on them.
		other := s.crowd
		other.seed += 1 << 20
		h.twin, err = newCrowd(s.root, s.subtrees, other)
	}
	if err != nil {
		if !strings.Contains(err.Error(), "bytes of state") {
			t.Fatalf("%v\n%v", s, err)
		}
		tally.discarded++
		return
	}
	tally.minds[h.program.MindBytes()]++
	uses := map[*refEvaluator]int{}
	for _, n := range h.tree.nodes {
		tally.kinds[n.kind]++
		if uses[n.evaluator]++; n.evaluator != nil && uses[n.evaluator] == 2 {
			tally.shared++
		}
	}
	lot := rand.New(rand.NewPCG(s.crowd.seed, 2))
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
			m.setUtilityFacts(newUtilityFacts(seed))
			m.twin.setUtilityFacts(m.utility)
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
			if m.utility != nil && lot.IntN(4) != 0 {
				m.utility.walk(now)
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
	for state, n := range h.rehearsed {
		tally.rehearsed[state] += n
	}
}

// tickTwice ticks agents and their twins, and compares what is remembered of them.
func (h *crowd) tickTwice(now components.Timestamp, due []*member, lot *rand.Rand) error {
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

func (h *crowd) resetTwice(now components.Timestamp, who []*member) error {
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
			return fmt.Errorf("%v: in other blocks its mind is\n%x\nand not\n%x, its intent %v and not %v", m.entity,
				m.twin.mind, m.mind, m.twin.intent, m.intent)
		}
	}
	return nil
}

func (c *coverage) count(h *crowd, m *member) {
	c.steps++
	c.results[m.expected.status]++
	c.exits += len(m.expected.exits)
	for _, e := range m.expected.exits {
		if c.ended[e.leaf.kind] == nil {
			c.ended[e.leaf.kind] = map[result]int{}
		}
		c.ended[e.leaf.kind][e.how]++
		if s := &m.agent.state[e.leaf.index]; e.leaf.limited && e.how == succeeded && m.agent.now >= s.deadline {
			c.limited++
		}
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
	for text, value := range m.agent.conditions {
		if text[0] == '(' {
			head, _ := combination(text)
			if c.combined[head] == nil {
				c.combined[head] = map[bool]int{}
			}
			c.combined[head][value]++
		}
	}
	for i, n := range h.tree.nodes {
		if s := &m.agent.state[i]; n.kind == refEvery && s.ticked == m.agent.serial && !s.before &&
			m.agent.state[n.children[0].index].ticked != m.agent.serial {
			c.standing++
		}
		if !m.agent.state[i].running {
			continue
		}
		c.runs[n.kind]++
		switch {
		case n.kind >= refRepeat && n.kind <= refUntilFailure && !m.agent.state[n.children[0].index].running:
			c.parked++
		case n.kind == refRecovery && !m.agent.state[n.children[0].index].running &&
			!m.agent.state[n.children[1].index].running:
			c.recovered++
		}
	}
	if m.expected.status != running && m.expected.next < m.agent.now {
		c.late++
	}
}

// TestExecutorIsTheReference compares the block executor with the reference on random trees. It runs
// 100 trees of each flavour; -rapid.checks sets another number.
func TestExecutorIsTheReference(t *testing.T) {
	all := newCoverage()
	// The rarest of what is counted below decides whether chance has drawn enough trees.
	for round := 0; round == 0 || round < 4 && all.chosen.remembered <= 5 && !t.Failed(); round++ {
		for _, flavour := range flavours {
			t.Run(flavour, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					simulate(t, rapid.Custom(func(t *rapid.T) scenario {
						return drawScenario(rapidDice{t},
							flavour)
					}).Draw(t, "scenario"), all)
				})
			})
		}
	}
	if t.Failed() {
		return
	}
	t.Logf("%d trees, %d of them discarded for their state; %d steps, %d exits, %d went on before now, %d rests "+
		"between rounds; results %v",
		all.trees, all.discarded, all.steps, all.exits, all.late, all.parked, all.results)
	t.Logf("choices %+v; with a chosen target %d orders and %d triggers, %d orders posted anew; %d evaluators used "+
		"twice",
		all.chosen, all.aimed[0], all.aimed[1], all.anew, all.shared)
	t.Logf("%d recoveries between rounds, %d results that stood, %d orders whose time was over", all.recovered,
		all.standing, all.limited)
	t.Logf("conditions that are put together %v", all.combined)
	t.Logf("minds %v, nodes %v, found running %v, leaves ended %v", all.minds, all.kinds, all.runs, all.ended)
	if checks := flag.Lookup("rapid.checks").Value.String(); checks != "100" || testing.Short() {
		return // too few, it may be, for what follows
	}
	require.GreaterOrEqual(t, all.trees-all.discarded, 1000-100, "trees")
	require.Less(t, all.discarded, all.trees/10, "trees discarded because they need too much state")
	for kind := refAction; kind < refUse; kind++ {
		require.Greater(t, all.kinds[kind], 100, "nodes of kind %d", kind)
		if kind != refCondition && kind != refFire && kind != refSucceed && kind != refFail {
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
	for _, head := range []string{"all", "any", "not", "chance"} {
		for _, value := range []bool{false, true} {
			require.Greater(t, all.combined[head][value], 50, "conditions %s that were %v", head, value)
		}
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
		{"choices of the next best", chosen.next, 150},
		{"choices of the same action as the next best", chosen.again, 10},
		{"choices of what had run as the next best", chosen.back, 5},
		{"failures after which nothing was left", chosen.left, 100},
		{"choices that a back off decided", chosen.out, 100},
		{"orders with a chosen target", all.aimed[0], 50},
		{"triggers with a chosen target", all.aimed[1], 100},
		{"orders posted anew", all.anew, 10},
		{"evaluators used twice", all.shared, 8},
	} {
		require.Greater(t, c.n, c.least, c.what)
	}
	for _, state := range []executor.NodeState{executor.NodeSucceeded, executor.NodeFailed, executor.NodeRunning} {
		require.Greater(t, all.rehearsed[state], 100, "ticks that were foretold to end with state %d", state)
	}
	require.Greater(t, all.late, 100, "ticks that went on before now")
	require.Greater(t, all.parked, 100, "loops between rounds")
	require.Greater(t, all.recovered, 100, "recoveries between rounds")
	require.Greater(t, all.standing, 100, "results of an Every that stood")
	require.Greater(t, all.limited, 100, "orders whose time was over")
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
	if minimise := flag.Lookup("test.fuzzminimizetime"); minimise != nil &&
		minimise.Value.String() == minimise.DefValue {
		require.NoError(f, minimise.Value.Set("20x"))
	}
	f.Fuzz(func(t *testing.T, flavour uint8, data []byte) {
		s := drawScenario(&byteDice{data[:min(len(data), 400)]}, flavours[int(flavour)%len(flavours)])
		s.agents = min(s.agents, 9)
		simulate(t, s, newCoverage())
	})
}
