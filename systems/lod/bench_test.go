package lod_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// crowd is n agents that stand around in a square of some metres, in columns of an archetype.
func crowd(n int, r *rand.Rand, side float32) lod.Chunk {
	k := lod.Chunk{
		Entities:   make([]components.Entity, n),
		LODs:       make([]components.LOD, n),
		Transforms: make([]components.Transform, n),
	}
	for i := range n {
		k.Entities[i] = components.Entity{Index: uint32(i + 1)}
		k.LODs[i] = components.NewLOD()
		k.Transforms[i].Position = components.Vec2{X: side * r.Float32(), Y: side * r.Float32()}
	}
	return k
}

// runFrames is a function, not a loop in the benchmark, so that it is compiled as in a program.
func runFrames(c *lod.Cadence, chunks []lod.Chunk, observers []components.Vec2, frame, frames uint32) {
	for range frames {
		frame++
		c.Frame(frame, components.Timestamp(int64(frame)*1e9/60), chunks, observers)
	}
}

// BenchmarkCadence measures six frames, one of which has the pass over distances. With observers all tiers are
// occupied, without them everyone decides ten times a second.
func BenchmarkCadence(b *testing.B) {
	const side = 900
	for _, n := range []int{10_000, 1_000_000} {
		for _, test := range []struct {
			name      string
			observers int
			config    func(*lod.Config)
		}{
			{"observers=0", 0, nil},
			{"observers=1", 1, nil},
			{"observers=4", 4, nil},
			{"observers=1/capped", 1, func(c *lod.Config) { c.Tiers[0].Cap, c.Tiers[1].Cap = new(n/500), new(n/50) }},
			{"observers=1/overloaded", 1, func(c *lod.Config) { c.Budget = n / 400 }},
		} {
			b.Run(fmt.Sprintf("agents=%d/%s", n, test.name), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, uint64(n)))
				config := lod.DefaultConfig()
				if test.config != nil {
					test.config(&config)
				}
				c, err := lod.NewCadence(config, 60)
				if err != nil {
					b.Fatal(err)
				}
				chunks := []lod.Chunk{crowd(n, r, side)}
				eyes := make([]components.Vec2, test.observers)
				for i := range eyes {
					eyes[i] = components.Vec2{X: side * (0.3 + 0.4*r.Float32()), Y: side * (0.3 + 0.4*r.Float32())}
				}
				runFrames(c, chunks, eyes, 0, 120)
				frame := uint32(120)
				b.ReportAllocs()
				for b.Loop() {
					runFrames(c, chunks, eyes, frame, 6)
					frame += 6
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(6*n), "ns/agent-frame")
			})
		}
	}
}
