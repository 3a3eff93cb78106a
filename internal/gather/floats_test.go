package gather_test

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/gather"
)

// narrow is smaller than a window of words, and broad is not.
type (
	narrow struct{ Value float32 }
	broad  struct {
		Pad           uint32
		Value, Finite float32
		Double        float64
		Last          float32
	}
)

// Numbers that are not finite, in some rows or in none, read as the default, whatever part of a block is read first
// and last, and by every kernel. A number next to one that is not finite reads as it is.
func TestFloatsThatAreNotFiniteReadAsTheDefaultInAnyOrderOfReading(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	columnOf := func(values []float32) (*arche.World, []func(row int) float32) {
		world := arche.NewWorld()
		both := generic.NewMap2[narrow, broad](&world)
		for _, v := range values {
			n, b := both.Get(both.New())
			*n = narrow{v}
			*b = broad{Value: v, Finite: 1.5, Double: float64(v), Last: -v}
		}
		return &world, []func(int) float32{
			func(r int) float32 { return values[r] }, func(r int) float32 { return values[r] },
			func(int) float32 { return 1.5 }, func(r int) float32 { return values[r] },
			func(r int) float32 { return -values[r] },
		}
	}
	facts := []blackboard.Fact{
		blackboard.FloatFact("narrow", func(n *narrow) *float32 { return &n.Value }, 0.25),
		blackboard.FloatFact("broad", func(b *broad) *float32 { return &b.Value }, 0.25),
		blackboard.FloatFact("finite", func(b *broad) *float32 { return &b.Finite }, 0.25),
		blackboard.FloatFact("double", func(b *broad) *float64 { return &b.Double }, 0.25),
		blackboard.FloatFact("last", func(b *broad) *float32 { return &b.Last }, 0.25),
	}
	some, all := make([]float32, 70), make([]float32, 70)
	for r := range some {
		some[r] = []float32{-1, 0, 0.5, 1, math.MaxFloat32, 1e-40, 2}[r%7]
		if all[r] = some[r]; r%11 == 3 {
			some[r] = []float32{nan, inf, -inf}[r%3]
		}
	}
	blocks := map[string][]blackboard.Row{}
	for i := range int32(64) {
		blocks["successive"] = append(blocks["successive"], blackboard.Row{Row: 2 + i})
		blocks["scattered"] = append(blocks["scattered"], blackboard.Row{Row: i * 31 % 70})
	}
	blocks["odd"] = blocks["successive"][:13]
	for _, values := range [][]float32{some, all} {
		world, read := columnOf(values)
		want := func(f, row int) float32 {
			if v := read[f](row); v-v == 0 {
				return v
			}
			return 0.25
		}
		for _, kernel := range cpu.Available() {
			cpu.Force(t, kernel)
			columns := gather.NewFactColumns(world, facts, ecs.Need[narrow]())
			columns.Open()
			for name, rows := range blocks {
				whole := uint64(1)<<len(rows) - 1
				const even = 0x0f0f0f0f0f0f0f0f
				for _, first := range []uint64{whole, 1, 1 << 5, 0xff, even & whole, ^uint64(0xf) & whole} {
					g := gather.NewGather()
					g.Set(columns, []int32{0, 1, 2, 3, 4}, rows)
					for f := range facts {
						var scratch [64]float32
						for _, bound := range []float32{-1, 0.25, 0.26, 1, 2} {
							below := uint64(0)
							for l, r := range rows {
								if want(f, int(r.Row)) < bound {
									below |= 1 << l
								}
							}
							require.Equal(t, below&first, g.FloatsBelow(f, first, bound),
								"%s, %s, %v, lanes %x, below %v", facts[f].Name(), name, kernel, first, bound)
						}
						given := g.Floats(f, first, &scratch)
						if rest := whole &^ first; rest != 0 {
							given = g.Floats(f, rest, &scratch)
						}
						for l, r := range rows {
							require.Equal(t, want(f, int(r.Row)), given[l], "%s, %s, %v, lanes %x first, lane %d",
								facts[f].Name(), name, kernel, first, l)
						}
					}
					g.Clear()
				}
			}
			columns.Close()
			columns.Release()
		}
	}
}
