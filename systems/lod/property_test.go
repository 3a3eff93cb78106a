package lod_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// scatter deals the agents of an oracle's world out to chunks in a random order, with the components they have.
type scatter struct {
	lods map[uint32]components.LOD
}

func (s *scatter) chunks(o *oracle, r *rand.Rand) []lod.Chunk {
	all := o.sorted(func(*oracleAgent) bool { return true })
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var chunks []lod.Chunk
	for start := 0; start < len(all); {
		end := min(len(all), start+1+r.IntN(len(all)))
		var k lod.Chunk
		for _, a := range all[start:end] {
			k.Entities = append(k.Entities, components.Entity{Index: a.entity, Generation: uint32(r.IntN(4))})
			l := s.lods[a.entity]
			l.Importance = a.importance
			if l.Flags&lodflag.Seen == 0 && a.importance == components.NoImportance && a.entity%2 == 0 {
				l = components.LOD{Flags: l.Flags &^ lodflag.New} // the zero value serves as well
			}
			k.LODs = append(k.LODs, l)
			k.Transforms = append(k.Transforms, components.Transform{Position: a.at})
		}
		chunks = append(chunks, k)
		start = end
	}
	return chunks
}

func (s *scatter) store(chunks []lod.Chunk) {
	for _, k := range chunks {
		for i, e := range k.Entities {
			s.lods[e.Index] = k.LODs[i]
		}
	}
}

// playAgainstOracle runs frames of joins, leaves, moves, wakes and changes of importance, and compares all that can be
// seen. The agents lie in another storage order in each frame.
func playAgainstOracle(t require.TestingT, o *oracle, r *rand.Rand, frames, agents int, churn float64) {
	const fps = 1000
	c, err := lod.NewCadence(o.config(fps), fps)
	require.NoError(t, err)
	world := scatter{lods: map[uint32]components.LOD{}}
	reach := float32(2 * o.radii[len(o.radii)-1])
	position := func() components.Vec2 {
		if r.IntN(200) == 0 {
			return components.Vec2{X: math.Float32frombits(0x7fc00000 + uint32(r.IntN(100)))} // not a number
		}
		return components.Vec2{X: float32(r.IntN(int(reach))), Y: float32(r.IntN(int(reach)))}
	}
	importance := func() uint8 {
		if r.IntN(4) > 0 {
			return components.NoImportance
		}
		return uint8(r.IntN(len(o.periods)))
	}
	join := func(n int) {
		for range n {
			entity := uint32(1 + r.IntN(4*agents)) // an index may be used again
			if o.agents[entity] == nil {
				o.agents[entity] = &oracleAgent{entity: entity, at: position(), importance: importance()}
				world.lods[entity] = components.NewLOD()
			}
		}
	}
	var observers []components.Vec2
	for range r.IntN(4) {
		observers = append(observers, position())
	}
	join(agents)
	now, total := int64(1_000_000*(1+r.IntN(3))), map[string]int{}
	for frame := 1; frame <= frames; frame++ {
		now += int64(r.IntN(2_000_000))
		if r.Float64() < churn {
			join(r.IntN(1 + agents/10))
		}
		for _, a := range o.sorted(func(*oracleAgent) bool { return true }) {
			switch p := r.Float64(); {
			case p < 0.01*churn:
				delete(o.agents, a.entity)
				delete(world.lods, a.entity)
			case p < 0.1*churn:
				a.at = position()
			case p < 0.12*churn:
				a.importance = importance()
			case p < 0.18*churn:
				a.woken = true
				l := world.lods[a.entity]
				l.Flags |= lodflag.Woken
				world.lods[a.entity] = l
			default:
				a.at.X += float32(r.IntN(3) - 1)
			}
		}
		if r.Float64() < 0.02 && len(observers) > 0 {
			observers[0] = position()
		}

		chunks := world.chunks(o, r)
		want := o.step(frame, now, observers, fps)
		c.Frame(uint32(frame), components.Timestamp(now), chunks, observers)
		scheduled, woken, late := 0, 0, 0
		decided := map[uint32]int64{}
		agentsOf := make([]int, len(o.periods))
		for _, k := range chunks {
			for i := range k.LODs {
				l, a := &k.LODs[i], o.agents[k.Entities[i].Index]
				type state struct {
					ring, tier  int
					late, woken bool
				}
				want := state{a.distanceTier, a.tier, a.late, a.woken}
				got := state{int(l.DistanceTier), int(l.Tier), l.Flags&lodflag.Late != 0, l.Flags&lodflag.Woken != 0}
				if got != want { // require is too slow to be asked each time
					require.Equal(t, want, got, "agent %d in frame %d", a.entity, frame)
				}
				if l.Due() {
					decided[a.entity] = int64(l.Elapsed(components.Timestamp(now)))
				}
				agentsOf[a.tier]++
				if a.scheduled {
					scheduled++
				}
				if a.wokenNow {
					woken++
				}
				if a.late || a.woken {
					late++
				}
			}
		}
		require.Equal(t, want, decided, "frame %d", frame)
		require.Equal(t, o.longestWait(), c.LongestWait(chunks), "frame %d", frame)
		stats := c.Stats()
		require.Equal(t, scheduled, stats.Scheduled)
		require.Equal(t, woken, stats.Woken)
		require.Equal(t, late, stats.Late)
		require.InDelta(t, o.expected, stats.Expected, 1e-9)
		require.InDelta(t, float64(o.overdue)*1000/fps, stats.Overdue, 1e-9)
		require.Equal(t, agentsOf, stats.Agents[:len(o.periods)])
		for tier, limit := range o.caps {
			if limit >= 0 {
				require.LessOrEqual(t, stats.Agents[tier], limit, "the cap of tier %d in frame %d", tier, frame)
			}
		}
		if o.budget > 0 {
			require.LessOrEqual(t, stats.Scheduled+stats.Woken, o.budget)
		}

		// Wakes by a system that runs later in the frame.
		for _, a := range o.sorted(func(a *oracleAgent) bool { return r.Float64() < 0.3*churn }) {
			k, i := find(chunks, a.entity)
			l := &chunks[k].LODs[i]
			before := l.Due()
			elapsed, served := o.wakeNow(a)
			require.Equal(t, served || before, c.WakeNow(l))
			require.Equal(t, served || before, l.Due())
			if served {
				require.Equal(t, elapsed, int64(l.Elapsed(components.Timestamp(now))))
				woken++
			}
		}
		require.Equal(t, woken, c.Stats().Woken)
		total["scheduled"] += scheduled
		total["woken"] += woken
		total["late"] += late
		world.store(chunks)
	}
	stats := c.Stats()
	require.Equal(t, int64(total["scheduled"]), stats.TotalScheduled)
	require.Equal(t, int64(total["woken"]), stats.TotalWoken)
	require.Equal(t, int64(total["late"]), stats.TotalLate)
	require.Equal(t, frames, stats.Frames)
}

func find(chunks []lod.Chunk, entity uint32) (int, int) {
	for k := range chunks {
		for i, e := range chunks[k].Entities {
			if e.Index == entity {
				return k, i
			}
		}
	}
	panic("no such agent")
}

func TestCadenceEqualsSortingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "tiers")
		longest := rapid.SampledFrom([]int{3, 12, 40, 700}).Draw(t, "longest")
		var radii, periods, caps []int
		for range n {
			last := func(s []int, or int) int {
				if len(s) == 0 {
					return or
				}
				return s[len(s)-1]
			}
			radii = append(radii, last(radii, 0)+rapid.IntRange(1, 20).Draw(t, "width"))
			periods = append(periods,
				rapid.IntRange(last(periods, 1), max(last(periods, 1), longest)).Draw(t, "period"))
			caps = append(caps, rapid.SampledFrom([]int{-1, 0, 1, 7, 30}).Draw(t, "cap"))
		}
		slow := 0
		if rapid.Bool().Draw(t, "slow lane") {
			slow = periods[n-1] + rapid.IntRange(0, 9).Draw(t, "slower")
		} else {
			caps[n-1] = -1
		}
		periods, caps = append(periods, slow), append(caps, -1)
		hysteresis := rapid.SampledFrom([]float32{0, 0.1, 0.25, 0.9}).Draw(t, "hysteresis")
		budget := rapid.SampledFrom([]int{0, 0, 1, 5, 20, 40}).Draw(t, "budget")
		every := rapid.IntRange(1, 6).Draw(t, "every")
		churn := rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, "churn")
		agents := rapid.IntRange(1, 150).Draw(t, "agents")
		frames := rapid.IntRange(1, 60).Draw(t, "frames")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		playAgainstOracle(t, newOracle(radii, periods, caps, hysteresis, budget, every), r, frames, agents, churn)
	})
}

// Waits that overflow the histogram, and herds in which selection has real work.
func TestCadenceEqualsSortingEverythingInLargeHerdsAndLongRuns(t *testing.T) {
	for name, test := range map[string]struct {
		o              *oracle
		frames, agents int
		churn          float64
	}{
		"large": {newOracle([]int{40, 100, 300}, []int{6, 12, 60, 0}, []int{25, 150, -1, -1}, 0.1, 0, 6), 40,
			1000, 0.3},
		"large and cut": {newOracle([]int{40, 100, 300}, []int{6, 12, 60, 0}, []int{25, -1, -1, -1}, 0.1, 30, 6), 40,
			1000, 0.3},
		"long waits": {newOracle([]int{10, 20}, []int{1400, 1500, 1600}, []int{-1, -1, -1}, 0.1, 0, 6), 3200, 60,
			0.001},
		"starved waits":    {newOracle([]int{10, 20}, []int{3, 7, 11}, []int{-1, -1, -1}, 0.1, 1, 6), 1500, 20, 0.05},
		"beyond the bins":  {newOracle([]int{10}, []int{2, 5}, []int{-1, -1}, 0, 1, 1), 400, 300, 0.05},
		"one tier a frame": {newOracle([]int{10}, []int{1, 0}, []int{-1, -1}, 0, 0, 1), 50, 100, 1},
	} {
		t.Run(name, func(t *testing.T) {
			playAgainstOracle(t, test.o, rand.New(rand.NewPCG(7, 7)), test.frames, test.agents, test.churn)
		})
	}
}
