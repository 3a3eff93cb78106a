package gather_test

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/gather"
)

// Bools, references and numbers of components that are smaller than a window of words and of those that are not, in
// blocks of every size and for masks of few and of many lanes, by every kernel.
func TestBlocksOfEverySizeAreReadToTheirLastRow(t *testing.T) {
	type (
		flag  struct{ On bool }
		flags struct {
			Pad [5]bool
			On  bool
			Who components.Entity
			N   int32
		}
		bond struct{ Who components.Entity }
		sums struct{ N int16 }
	)
	world := arche.NewWorld()
	agents := generic.NewMap4[flag, flags, bond, sums](&world)
	const rows = 67
	on := func(row int) bool { return row*row%7 < 3 }
	number := func(row int) int64 { return int64(row*37%11 - 5) }
	alive := func(row int) bool { return row%5 != 1 }
	var first components.Entity
	for row := range rows {
		e := agents.New()
		if row == 0 {
			first = ecs.FromArche(e)
		}
		f, all, b, s := agents.Get(e)
		f.On, all.On, s.N, all.N = on(row), on(row), int16(number(row)), int32(number(row))
		if alive(row) {
			b.Who, all.Who = first, first
		}
	}
	facts := []blackboard.Fact{
		blackboard.BoolFact("flag", func(f *flag) *bool { return &f.On }, false),
		blackboard.BoolFact("one of flags", func(f *flags) *bool { return &f.On }, false),
		blackboard.EntityFact("bond", func(b *bond) *components.Entity { return &b.Who }),
		blackboard.EntityFact("one of more", func(f *flags) *components.Entity { return &f.Who }),
		blackboard.IntFact("short", func(s *sums) *int16 { return &s.N }, 0),
		blackboard.IntFact("int", func(f *flags) *int32 { return &f.N }, 0),
	}
	for _, kernel := range cpu.Available() {
		cpu.Force(t, kernel)
		columns := gather.NewFactColumns(&world, facts, ecs.Need[flag]())
		columns.Open()
		for count := 1; count <= 64; count++ {
			start := count % 4
			for _, mask := range []uint64{^uint64(0), 0x1010101010101010, 1, 1 << (count - 1)} {
				if mask &= uint64(1)<<count - 1; mask == 0 {
					continue
				}
				bits := func(holds func(row int) bool) (v uint64) {
					for l := range count {
						if holds(start + l) {
							v |= 1 << l
						}
					}
					return v & mask
				}
				g := gather.NewGather()
				g.SetRange(columns, []int32{0, 1, 2, 3, 4, 5}, blackboard.Row{Row: int32(start)}, count)
				for k := range 2 {
					at := []any{"%s, %v, %d rows, mask %x", facts[k].Name(), kernel, count, mask}
					require.Equal(t, bits(on), g.Bools(k, mask), at...)
					require.Equal(t, bits(alive), g.Alive(2+k, mask), at...)
					require.Equal(t, bits(func(r int) bool { return number(r) < 1 }), g.IntsBelow(4+k, mask, 1), at...)
					var ints [64]int64
					var who [64]components.Entity
					g.Ints(4+k, mask, &ints)
					g.Entities(2+k, mask, &who)
					for l := range count {
						if mask>>l&1 == 1 {
							require.Equal(t, number(start+l), ints[l], at...)
							require.Equal(t, alive(start+l), who[l] == first, at...)
						}
					}
				}
				g.Clear()
			}
		}
		columns.Close()
		columns.Release()
	}
}
