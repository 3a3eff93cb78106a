package aitree_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// columnsOf are n agents in one chunk whose minds have been ticked in another epoch.
func columnsOf(p *executor.Program, n int) *executor.Columns {
	words := p.MindBytes() / 4
	k := executor.Chunk{
		Entities: make([]components.Entity, n), Minds: make([]uint32, n*words),
		Intents: make([]components.Intent, n),
	}
	for i := range n {
		k.Entities[i].Index = uint32(i + 1)
		k.Minds[i*words] = 7<<16 | 1
		k.Minds[i*words+1] = started | 2 // at the first child
	}
	return &executor.Columns{Words: words, Chunks: []executor.Chunk{k}}
}

func TestLanesOutsideTheMaskAreLeftAlone(t *testing.T) {
	p, err := compile("t", testActions(t), aitree.Sequence(aitree.Do("walk"), aitree.Fire("bang")))
	require.NoError(t, err)
	const agents, first = 70, 3
	rows := make([]blackboard.Row, 64)
	for i := range rows {
		rows[i].Row = int32(first + i)
	}
	apart := slices.Clone(rows)
	slices.Reverse(apart)
	for name, block := range map[string]executor.Block{"Rows": {Rows: rows}, "Rows apart": {Rows: apart},
		"First": {First: rows[0]}} {
		for _, mask := range []uint64{0, 1, 0b111, 0b1011, 1 << 63, 0xffff0000, ^uint64(1), ^uint64(0)} {
			for _, number := range []uint16{0, 1, 2} {
				for _, reset := range []bool{false, true} {
					c := columnsOf(p, agents)
					before := columnsOf(p, agents).Chunks[0]
					b := block
					b.Mask, b.Columns, b.Number, b.Now = mask, c, number, 1e9
					x := executor.NewExecutor()
					if reset {
						x.Reset(p, &b)
					} else {
						x.Tick(p, &b)
					}
					at := fmt.Sprintf("%s, mask %x, number %d, reset %t", name, mask, number, reset)
					assert.Zero(t, (x.Mismatched|x.Running|x.Succeeded|x.Failed)&^mask, at)
					for _, f := range x.Fired {
						assert.NotZero(t, mask>>f.Lane&1, at)
					}
					after := c.Chunks[0]
					for lane := range 64 {
						r := int(b.Row(lane).Row)
						if mask>>lane&1 != 0 && number != 2 {
							copy(before.Minds[r*c.Words:(r+1)*c.Words], after.Minds[r*c.Words:])
							before.Intents[r] = after.Intents[r]
							assert.Zero(t, after.Minds[r*c.Words]>>16, "ticked or reset: %s", at)
						}
					}
					require.Equal(t, before, after, at)
				}
			}
		}
	}
}

func TestAnOutcomeMeansTheSameWhereverTheIntentLies(t *testing.T) {
	for channel, action := range []string{"walk", "aim"} {
		p, err := compile("t", testActions(t), aitree.Do(action))
		require.NoError(t, err)
		for first := 0; first < 256; first += 64 {
			rows := make([]blackboard.Row, 64)
			for i := range rows {
				rows[i].Row = int32(63 - i)
			}
			for name, b := range map[string]executor.Block{"dense": {}, "scattered": {Rows: rows}} {
				c := columnsOf(p, 64)
				clear(c.Chunks[0].Minds)
				b.Mask, b.Columns, b.Now = ^uint64(0), c, 1
				x := executor.NewExecutor()
				x.Tick(p, &b) // posts
				for lane := range 64 {
					c.Chunks[0].Intents[b.Row(lane).Row].Orders[channel].Outcome = components.Outcome(first + lane)
				}
				x.Tick(p, &b)
				pending, succeeded := uint64(0), uint64(0)
				if first == 0 {
					pending, succeeded = 1, 2
				}
				assert.Equal(t, [3]uint64{pending, succeeded, ^(pending | succeeded)},
					[3]uint64{x.Running, x.Succeeded, x.Failed},
					"%s, %s, outcomes from %d", action, name, first)
			}
		}
	}
}

// Whether they decided in this epoch or long ago, and in successive rows or not.
func TestAgentsOfAnotherProgramAreSkipped(t *testing.T) {
	p, err := compile("t", testActions(t), aitree.Do("walk"))
	require.NoError(t, err)
	const agents, others, outsiders = 64, uint64(0x8000_0000_00f0_0005), 2
	apart := make([]blackboard.Row, agents)
	for i := range apart {
		apart[i].Row = int32(agents - 1 - i)
	}
	for _, rows := range [][]blackboard.Row{nil, apart} {
		for _, mask := range []uint64{^uint64(0), 1<<24 - 1, 0xffff_0000_0000_ffff} {
			for _, epoch := range []uint32{0, 7} {
				c := columnsOf(p, agents)
				b := &executor.Block{Mask: mask, Columns: c, Rows: rows, Number: 1, Now: 1e9}
				minds := c.Chunks[0].Minds
				for lane := range agents {
					mind := minds[int(b.Row(lane).Row)*c.Words:]
					mind[0], mind[1] = epoch<<16|1, started
					if others>>lane&1 != 0 {
						mind[0] = epoch<<16 | outsiders
					}
				}
				x := executor.NewExecutor()
				x.Tick(p, b)
				assert.Equal(t, mask&others, x.Mismatched)
				assert.Equal(t, mask&^others, x.Running)
				for lane := range agents {
					row := int(b.Row(lane).Row)
					if (mask&^others)>>lane&1 != 0 {
						assert.NotZero(t, c.Chunks[0].Intents[row].Orders[components.Move].Action, "lane %d", lane)
						continue
					}
					assert.Zero(t, c.Chunks[0].Intents[row], "lane %d", lane)
					if others>>lane&1 != 0 {
						mind := minds[row*c.Words:][:2]
						assert.Equal(t, []uint32{epoch<<16 | outsiders, started}, mind, "lane %d", lane)
					}
				}
			}
		}
	}
}

// What a program needs and a block has not is named, in a block of columns and in one of single agents, and also after
// a block that had it.
func TestABlockThatLacksSomethingIsRefused(t *testing.T) {
	p, err := compile("needy", testActions(t), aitree.Sequence(aitree.Fire("bang"), aitree.ForceSuccess(aitree.Check(
		aitree.True(alarm))), aitree.Do("walk")))
	require.NoError(t, err)
	missing := func(field string) string {
		return `executor: Tick of tree "needy" by a Block without ` + field + `; set them for each lane of Mask`
	}
	columns := columnsOf(p, 3)
	good := columns.Chunks[0]
	clear(good.Minds)
	noIntents := good
	noIntents.Intents = nil
	columns.Chunks = append(columns.Chunks, noIntents)
	x := executor.NewExecutor()
	block := func(chunk int32) *executor.Block {
		return &executor.Block{
			Mask: 0b101, Columns: columns, First: blackboard.Row{Chunk: chunk}, Facts: blackboard.NewLanes(p.Facts),
			Now: 1,
		}
	}
	x.Tick(p, block(0))
	assert.EqualValues(t, 0b101, x.Running)
	assert.PanicsWithValue(t, missing("Intents"), func() { x.Tick(p, block(1)) })
	assert.PanicsWithValue(t, missing("Facts"), func() {
		b := block(0)
		b.Facts = nil
		x.Tick(p, b)
	})
	for lane := range 2 { // the first and the last of the mask
		at := []int{0, 2}[lane]
		single := func(spoil func(b *executor.Block)) func() {
			b := &newManyAgents(p, 0b101, blackboard.NewLanes(p.Facts)).Block
			x.Tick(p, b)
			assert.EqualValues(t, 0b101, x.Running)
			spoil(b)
			return func() { x.Tick(p, b) }
		}
		assert.PanicsWithValue(t, missing("Minds"), single(func(b *executor.Block) { b.Minds[at] = nil }))
		assert.PanicsWithValue(t, missing("Intents"), single(func(b *executor.Block) { b.Intents[at] = nil }))
		assert.PanicsWithValue(t, missing("Facts"), single(func(b *executor.Block) { b.Facts = nil }))
		assert.NotPanics(t, single(func(b *executor.Block) { b.Minds[1], b.Intents[1] = nil, nil }))
	}
	// A program that posts nothing and reads nothing needs minds alone.
	idle, err := compile("idle", nil, aitree.Run())
	require.NoError(t, err)
	b := &executor.Block{Mask: 1}
	b.Minds[0] = make([]uint32, idle.MindBytes()/4)
	assert.NotPanics(t, func() { x.Tick(idle, b) })
	assert.EqualValues(t, 1, x.Running)
}

// Of a block whose custom code has been called, too.
func TestAClearedExecutorKeepsNothingOfABlockAlive(t *testing.T) {
	p, err := compile("t", testActions(t), aitree.Sequence(
		aitree.Leaf("l", func(*blackboard.Context) (success, running uint64) { return ^uint64(0), 0 }),
		aitree.Check(aitree.Greater(health, 0)), aitree.Fire("bang"), aitree.Do("walk")))
	require.NoError(t, err)
	x := executor.NewExecutor()
	type large [100]uint64
	use := func() (weak.Pointer[executor.Columns], weak.Pointer[uint32], weak.Pointer[components.Intent],
		weak.Pointer[blackboard.Lanes], weak.Pointer[large]) {
		c, lanes, user := columnsOf(p, 3), blackboard.NewLanes(p.Facts), new(large)
		clear(c.Chunks[0].Minds)
		x.Tick(p, &executor.Block{Mask: 0b111, Columns: c, Facts: lanes, User: user, Now: 1})
		require.EqualValues(t, 0b111, x.Running)
		k := &c.Chunks[0]
		return weak.Make(c), weak.Make(&k.Minds[0]), weak.Make(&k.Intents[0]), weak.Make(lanes), weak.Make(user)
	}
	columns, minds, intents, lanes, user := use()
	x.Clear()
	runtime.GC()
	assert.Nil(t, columns.Value())
	assert.Nil(t, minds.Value())
	assert.Nil(t, intents.Value())
	assert.Nil(t, lanes.Value())
	assert.Nil(t, user.Value())
	runtime.KeepAlive(x)
}
