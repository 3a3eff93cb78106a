package aitree_test

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// decoy is what lies in the lanes of no agent.
const decoy = 0xdec0

func (h *crowd) inBlock(now components.Timestamp, members []*member, reset bool) error {
	b := &h.block
	b.Mask, b.Now, b.Seed, b.Worker, b.User = 0, now, crowdSeed, 3, h
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
	intent := decoyIntent
	for i, lane := range spots {
		if i >= len(members) {
			b.Minds[lane], b.Intents[lane] = nil, nil
			b.Since[lane] = decoy
			if i%2 == 0 {
				b.Minds[lane], b.Intents[lane] = decoyMind, &intent
				for _, s := range h.setters {
					s.set(lanes, lane, members[i%len(members)].utility)
				}
			}
			b.Entities[lane] = components.Entity{Index: decoy, Generation: uint32(i)}
			continue
		}
		m := members[i]
		b.Mask |= 1 << lane
		b.Entities[lane], b.Minds[lane], b.Intents[lane] = m.entity, m.mind, &m.intent
		b.Since[lane] = m.since
		for name, c := range h.conds {
			c.set(lanes, lane, now, m.agent.script.holds(name))
		}
		for _, n := range h.numbers {
			lanes.SetFloat(n.fact, lane, n.value(m.agent.script))
		}
		for i, f := range memberFacts {
			if h.reads[i] {
				f.set(lanes, lane, m, now)
			}
		}
		for _, s := range h.setters {
			s.set(lanes, lane, m.utility)
		}
	}
	source := newCrowdSource(h, lanes)
	b.Facts = source
	if !h.program.HasDo {
		b.Intents = [64]*components.Intent{}
	}
	before := make([]components.Intent, len(members))
	for i, m := range members {
		before[i] = m.intent
	}

	x := h.executor
	x.EveryLeaf = !h.hooked
	all := b.Mask
	mismatched := h.addMismatched(b)
	columns := h.moveToColumns(b)
	clear(x.Starts)
	clear(x.Active)
	x.Switches, x.Failures = 0, 0
	scored, spared := x.Scorings()
	if !reset && h.rng.IntN(4) == 0 {
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
		columns.copyBack(h, b)
	}
	if x.Mismatched != mismatched {
		h.fault("a block of %x has mismatched %x, found %x", b.Mask, mismatched, x.Mismatched)
	}
	b.Mask &^= mismatched

	if x.Succeeded|x.Failed|x.Running != all || x.Succeeded&x.Failed|x.Succeeded&x.Running|x.Failed&x.Running != 0 {
		h.fault("a block of %x has succeeded %x, failed %x, runs %x", b.Mask, x.Succeeded, x.Failed, x.Running)
	}
	if !slices.Equal(decoyMind, slices.Repeat([]uint32{decoy}, len(decoyMind))) || intent != decoyIntent {
		h.fault("lanes outside the mask are changed")
	}
	for _, fired := range x.Fired {
		if all>>fired.Lane&1 == 0 {
			h.fault("trigger %+v of a lane that is not ticked", fired)
		}
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
func (h *crowd) checkExplanation(m *member, lane int) {
	b := &h.block
	b.Facts = newCrowdSource(h, b.Facts.(*crowdSource).lanes)
	h.explaining = true
	defer func() { h.explaining = false }()
	before, intent := slices.Clone(m.mind), m.intent
	r := executor.Rehearse(h.program, b, lane)
	clear(m.tested) // the tick evaluates anew
	if !slices.Equal(before, m.mind) || m.intent != intent {
		h.fault("%v: an explanation has changed it", m.entity)
	}
	h.checkRehearsal(m, r)
	list := r.Choices
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
		h.checkBackOffs(m, n, x.Choice)
		got := refChoice{}
		if x.Chosen >= 0 {
			o := &x.Options[x.Chosen]
			got.made, got.target = true, idOf(o.Target)
			for o.Action != n.evaluator.action(got.action) {
				got.action++
			}
		}
		if want := s.first; got.made != want.made || got.action != want.action || got.target != want.target {
			h.fault("%v: the choice of %v is explained as %+v, want %+v: %+v", m.entity, n, got, want, x.Choice)
		}
	}
}

// checkRehearsal compares what a tick was said to do with what the reference has done. Where a custom leaf was reached
// the two may differ, since none is called for a rehearsal.
func (h *crowd) checkRehearsal(m *member, r *executor.Rehearsal) {
	for _, n := range h.tree.nodes {
		if n.kind == refAction && r.Nodes[n.index].State != executor.NotReached {
			return
		}
	}
	status := map[result]executor.NodeState{
		succeeded: executor.NodeSucceeded, failed: executor.NodeFailed, running: executor.NodeRunning,
	}[m.expected.status]
	if r.Status != status {
		h.fault("%v: its tick was said to end with %v, and ended with %v", m.entity, r.Status, status)
	}
	var runs []*refNode
	for _, n := range h.tree.leaves {
		if h.program.Nodes[n.index].Leaf >= 0 && r.Nodes[n.index].State == executor.NodeRunning {
			runs = append(runs, n)
		}
	}
	if !slices.Equal(inOrder(runs), inOrder(m.expected.running)) {
		h.fault("%v: it was said to run %v, and runs %v", m.entity, names(runs), names(m.expected.running))
	}
	h.rehearsed[r.Status]++
}

// checkBackOffs compares what an explanation says of failures with the reference. The reference has ticked since.
func (h *crowd) checkBackOffs(m *member, n *refNode, x *explain.Choice) {
	for i := range x.Options {
		o := &x.Options[i]
		if n.backOff == 0 && o.Out > 0 || !o.Failed && o.Out > 0 {
			h.fault("%v: an option of %v has failed %v, is out for %v", m.entity, n, o.Failed, o.Out)
		}
		for _, b := range m.agent.state[n.index].backOffs {
			left := b.until - m.agent.now
			if b.until == 0 || o.Action != n.evaluator.action(b.action) || idOf(o.Target) != b.target {
				continue
			}
			// It may have failed in this tick.
			if o.Failed && o.Out > 0 && o.Out.Microseconds() != left {
				h.fault("%v: option %s of %v is out for %v, want %d µs", m.entity, o.Action, n, o.Out, left)
			}
		}
	}
}

// checkCounts compares what the executor has counted in a block with the reference.
func (h *crowd) checkCounts(members []*member, scored, spared int64) {
	var did, want [4]int64 // choices scored, spared and exchanged, and branches that failed
	did[0], did[1] = h.executor.Scorings()
	did[0], did[1], did[2], did[3] = did[0]-scored, did[1]-spared, h.executor.Switches, h.executor.Failures
	starts, active := make([]int64, len(h.executor.Starts)), make([]int64, len(h.executor.Active))
	for _, m := range members {
		c := &m.agent.did
		want[0] += int64(c.scored)
		want[1] += int64(c.spared)
		want[2] += int64(c.turned + c.retargeted)
		want[3] += int64(c.failures)
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
		h.fault("choices scored, spared, exchanged and failed are counted as %d, want %d", did, want)
	}
	if !slices.Equal(starts, h.executor.Starts) || !slices.Equal(active, h.executor.Active) {
		h.fault("starts are counted as %v, want %v; those under way as %v, want %v", h.executor.Starts, starts,
			h.executor.Active, active)
	}
}

// addMismatched adds minds of another program to some blocks. They must be left alone.
func (h *crowd) addMismatched(b *executor.Block) (mismatched uint64) {
	b.Number = 0
	if h.rng.IntN(2) == 0 {
		return 0
	}
	b.Number = mindProgram
	for lane := range 64 {
		if b.Mask>>lane&1 == 0 && b.Minds[lane] != nil && h.rng.IntN(2) == 0 {
			mismatched |= 1 << lane
		}
	}
	b.Mask |= mismatched
	return mismatched
}

// crowdColumns is a block's agents moved into columns, among rows of nobody.
type crowdColumns struct {
	minds   [64][]uint32
	intents [64]*components.Intent
	before  executor.Columns
}

// moveToColumns moves the agents of some blocks into columns: side by side, or here and there in several chunks.
func (h *crowd) moveToColumns(b *executor.Block) *crowdColumns {
	b.Columns, b.Rows, b.First = nil, nil, blackboard.Row{}
	if b.Mask == 0 || h.rng.IntN(3) == 0 {
		return nil
	}
	c := &crowdColumns{minds: b.Minds, intents: b.Intents}
	words := h.program.MindBytes() / 4
	const chunks, rows = 3, 80
	columns := &executor.Columns{Words: words}
	for range chunks {
		k := executor.Chunk{Entities: make([]components.Entity, rows),
			Minds: slices.Repeat([]uint32{decoy}, rows*words)}
		if h.program.HasDo {
			k.Intents = slices.Repeat(
				[]components.Intent{{Orders: [components.Channels]components.Order{{Action: decoy}, {Action: decoy}}}},
				rows)
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
	}
	b.Minds, b.Intents = [64][]uint32{}, [64]*components.Intent{}
	for _, k := range columns.Chunks {
		c.before.Chunks = append(c.before.Chunks, executor.Chunk{
			Entities: slices.Clone(k.Entities), Minds: slices.Clone(k.Minds), Intents: slices.Clone(k.Intents),
		})
	}
	return c
}

// copyBack moves the agents back and checks that no other row was written.
func (c *crowdColumns) copyBack(h *crowd, b *executor.Block) {
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
	}
	for i, k := range b.Columns.Chunks {
		was := c.before.Chunks[i]
		if !slices.Equal(k.Entities, was.Entities) || !slices.Equal(k.Minds, was.Minds) ||
			!slices.Equal(k.Intents, was.Intents) {
			h.fault("rows of other agents are changed")
		}
	}
	b.Minds, b.Intents = c.minds, c.intents
	b.Columns, b.Rows = nil, nil
}
