package aitree_test

import (
	"fmt"
	"slices"
	"testing"

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
