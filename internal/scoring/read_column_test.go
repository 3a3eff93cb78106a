package scoring

import (
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// Assembly reads a choice as six words.
func TestAChoiceIsLaidOutAsAssemblyReadsIt(t *testing.T) {
	var c components.Choice
	assert.Equal(t, uintptr(24), unsafe.Sizeof(c))
	assert.Equal(t, uintptr(0), unsafe.Offsetof(c.Target))
	assert.Equal(t, uintptr(16), unsafe.Offsetof(c.Action))
	assert.Equal(t, uintptr(18), unsafe.Offsetof(c.Committed))
}

func TestAColumnIsReadTheSameByAllKernels(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for round := range 2000 {
		actions := 1 + r.Intn(MaxActions)
		n := 64
		if round%4 == 0 {
			n = 1 + r.Intn(64)
		}
		// The rows before and after have targets, which must not count.
		other := components.Choice{Action: 1, Committed: true, Target: components.Entity{Index: ^uint32(0),
			Generation: ^uint32(0)}}
		all := make([]components.Choice, n+2)
		all[0], all[n+1] = other, other
		rows := all[1 : n+1 : n+1]
		for i := range rows {
			rows[i] = DrawChoice(r, actions)
		}
		switch r.Intn(4) { // one bit of one target
		case 0:
			rows[r.Intn(n)].Target.Index = 1 << r.Intn(32)
		case 1:
			rows[r.Intn(n)].Target.Generation = 1 << r.Intn(32)
		}
		var held, committed uint64
		target := false
		for i, c := range rows {
			held |= bitmask.Of(c.Action > 0 && int(c.Action) <= actions) << i
			committed |= bitmask.Of(c.Committed) << i
			target = target || c.Target != components.Entity{}
		}
		s := &Scorer{e: &Evaluator{Actions: make([]Action, actions)}}
		for _, k := range cpu.Available() {
			cpu.Force(t, k)
			// Words before and after that nothing may write.
			var out struct {
				before [64]uint8
				action [64]uint8
				after  [64]uint8
			}
			h, c, with := s.readColumn(rows, &out.action)
			require.Equal(t, held, h, "held, %s", k)
			require.Equal(t, committed, c, "committed, %s", k)
			require.Equal(t, target, with, "a target, %s", k)
			require.Zero(t, out.before, "%s", k)
			require.Zero(t, out.after, "%s", k)
			for i := range rows {
				require.Equal(t, uint8(rows[i].Action-1), out.action[i], "row %d, %s", i, k)
			}
		}
	}
}

// DrawChoice returns a random choice, of an action that may be unknown.
func DrawChoice(r *rand.Rand, actions int) (c components.Choice) {
	c.Action = uint16(r.Intn(actions + 3))
	if r.Intn(8) == 0 {
		c.Action = uint16(r.Uint32())
	}
	c.Committed = r.Intn(2) == 0
	c.Since = components.Timestamp(r.Uint64())
	return c
}
