package utility

import (
	"fmt"
	"math/bits"
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Assembly reads a choice as six words.
func TestAChoiceIsLaidOutAsAssemblyReadsIt(t *testing.T) {
	var c components.Choice
	assert.Equal(t, uintptr(24), unsafe.Sizeof(c))
	assert.Equal(t, uintptr(0), unsafe.Offsetof(c.Target))
	assert.Equal(t, uintptr(16), unsafe.Offsetof(c.Action))
	assert.Equal(t, uintptr(18), unsafe.Offsetof(c.Committed))
}

func drawChoice(r *rand.Rand, actions int) (c components.Choice) {
	c.Action = uint16(r.Intn(actions + 3))
	if r.Intn(8) == 0 {
		c.Action = uint16(r.Uint32())
	}
	c.Committed = r.Intn(2) == 0
	c.Since = components.Timestamp(r.Uint64())
	return c
}

func TestAColumnIsReadAlikeByAllKernels(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for round := range 2000 {
		actions := 1 + r.Intn(MaxActions)
		n := 64
		if round%4 == 0 {
			n = 1 + r.Intn(64)
		}
		// The rows before and behind have targets, which must not count.
		other := components.Choice{Action: 1, Committed: true, Target: components.Entity{Index: ^uint32(0),
			Generation: ^uint32(0)}}
		all := make([]components.Choice, n+2)
		all[0], all[n+1] = other, other
		rows := all[1 : n+1 : n+1]
		for i := range rows {
			rows[i] = drawChoice(r, actions)
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
			held |= bit(c.Action > 0 && int(c.Action) <= actions) << i
			committed |= bit(c.Committed) << i
			target = target || c.Target != components.Entity{}
		}
		s := &Scorer{e: &Evaluator{actions: make([]action, actions)}}
		for _, k := range cpu.Available() {
			cpu.Force(t, k)
			// Words before and behind that nothing may write.
			var out struct {
				before [64]uint8
				action [64]uint8
				behind [64]uint8
			}
			h, c, with := s.readColumn(rows, &out.action)
			require.Equal(t, held, h, "held, %s", k)
			require.Equal(t, committed, c, "committed, %s", k)
			require.Equal(t, target, with, "a target, %s", k)
			require.Zero(t, out.before, "%s", k)
			require.Zero(t, out.behind, "%s", k)
			for i := range rows {
				require.Equal(t, uint8(rows[i].Action-1), out.action[i], "row %d, %s", i, k)
			}
		}
	}
}

// evaluators are of all the kinds that Tick treats differently.
func evaluators(t *testing.T) map[string]*Evaluator {
	inputs := make([]*Input, 5)
	for i := range inputs {
		inputs[i] = NewInput(fmt.Sprint(i), func(c *Context, out *[64]float32) {
			for m := c.Mask; m != 0; m &= m - 1 {
				k := bits.TrailingZeros64(m)
				hash := random.Mix(random.Mix(uint64(c.Now), uint64(c.Entities[k].Index)), uint64(i))
				out[k] = float32(1.5*random.Unit(hash)) - 0.25
			}
		})
	}
	define := func() *Definition {
		return Choose(
			NewAction("a", ConsiderInput(inputs[0], Logistic(10, 0.5)), ConsiderInput(inputs[1], Linear())).Weight(1.2),
			NewAction("b", ConsiderInput(inputs[2], Quadratic()), ConsiderInput(inputs[1], Smoothstep()),
				ConsiderInput(inputs[0], Bell(0.5, 0.2))),
			NewAction("c", ConsiderInput(inputs[3], Step(0.9)).Gate(), ConsiderInput(inputs[4], Linear().Inverted())).Rank(1),
			NewAction("d", ConsiderInput(inputs[4], Linear())).Weight(0.3),
		).Inertia(0.05)
	}
	all := map[string]*Evaluator{}
	for name, d := range map[string]*Definition{
		"plain": define(), "committed": define().Commit(1.5), "minimum": define().Minimum(0.6),
		"softmax":      define().Softmax(0.2),
		"weighted sum": define().Combine(WeightedSum), "least": define().Combine(Min),
		"mean": define().Combine(GeometricMean),
	} {
		e, err := Build(name, d)
		require.NoError(t, err)
		all[name] = e
	}
	return all
}

func TestAColumnAndSingleChoicesAreDecidedAlikeByAllKernels(t *testing.T) {
	for name, e := range evaluators(t) {
		for _, mask := range []uint64{^uint64(0), 1<<17 - 1, 1, 0xf0f0_1234_5678_9abc} {
			var want []components.Choice
			for _, k := range cpu.Available() {
				for _, column := range []bool{false, true} {
					cpu.Force(t, k)
					got := decideFor(e, mask, column)
					if want == nil {
						want = got
						continue
					}
					require.Equal(t, want, got, "%s, mask %#x, %s, a column %v", name, mask, k, column)
				}
			}
		}
	}
}

// decideFor lets agents decide for a while and returns all their choices. To begin with they hold whatever.
func decideFor(e *Evaluator, mask uint64, column bool) (all []components.Choice) {
	r := rand.New(rand.NewSource(3))
	rows := make([]components.Choice, 64)
	for i := range rows {
		rows[i] = drawChoice(r, len(e.actions))
		rows[i].Since = 0
		if i%9 == 0 {
			rows[i].Target = components.Entity{Index: 7, Generation: 1}
		}
	}
	b := &Block{Mask: mask, Seed: 5}
	for i := range rows {
		b.Entities[i] = components.Entity{Index: uint32(i + 1)}
		b.Choices[i] = &rows[i]
	}
	if column {
		b.Column, b.Choices = rows, [64]*components.Choice{}
	}
	s := NewScorer()
	for tick := range 12 {
		b.Now = components.Timestamp(1e9 + int64(tick)*4e8)
		s.Tick(e, b)
		all = append(all, rows...)
	}
	return all
}
