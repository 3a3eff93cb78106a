package scoring_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
)

// steepest is the greatest slope of a curve, from the differences of a fine grid: those of a smooth curve miss it by
// less than a hundredth, which is added.
func steepest(c utility.Curve) (slope float64) {
	const step = 1.0 / 2048
	for t := -0.5; t < 1.5; t += step {
		slope = max(slope, math.Abs(float64(c.At(float32(t+step)))-float64(c.At(float32(t))))/step)
	}
	return 1.01 * slope
}

// When the choice c was scored last, at the facts x, no action j scored more than c, or more than c and its inertia:
//
//	S_j(x) <= S_c(x) + inertia
//
// While it stands no fact is further from x than the amount. A score moves by no more than the sum of what its
// considerations move, each by the amount times the curve's greatest slope, over the range's width, times the greatest
// derivative of the combination by one of its considerations, times the action's weight: B_j times the amount. So at
// the facts y that it stands at
//
//	S_j(y) - S_c(y) <= S_j(x) - S_c(x) + amount·(B_j + B_c) <= inertia + amount·(B_j + B_c)
//
// The derivatives: of the product p at most 1; of p + (1-p)·m·p, by p, 1 + m·(1-2p) <= 1+m, where m is 1-1/n, and so
// of a factor that is compensated by itself; of a weighted sum w/Σw; of the least and the greatest at most 1. A
// geometric mean has no bound near 0, nor have a step and the ends of a logit: a curve like that makes a choice stale
// by as much as it jumps.
func TestAKeptChoiceIsWithinTheThresholdTimesTheSlopesOfTheBest(t *testing.T) {
	const facts, agents, ticks = 5, 16, 100
	curves := []utility.Curve{
		utility.Linear(), utility.Linear().Slope(-1.5).ShiftY(1), utility.Polynomial(3), utility.Quadratic(),
		utility.InverseQuadratic(),
		utility.Exponential(4), utility.Logistic(10, 0.5), utility.LogisticExact(8, 0.4).Inverted(), utility.Bell(0.5,
			0.2), utility.Sine(1),
		utility.Smoothstep(), utility.Smootherstep().Inverted(),
		utility.Piecewise(utility.Point{X: 0, Y: 0.2}, utility.Point{X: 0.3, Y: 0.9}, utility.Point{X: 1, Y: 0.4}),
	}
	slopes := make([]float64, len(curves))
	for i := range curves {
		slopes[i] = steepest(curves[i])
	}
	require.InDelta(t, 1, slopes[0], 0.02)
	require.InDelta(t, math.Pi, slopes[9], 0.05) // of half a sine of one wave
	for _, how := range []utility.Combination{
		utility.Compensated, utility.CompensatedEach, utility.Product, utility.WeightedSum, utility.Min, utility.Max,
	} {
		overtaken := 0
		for seed, inertia := range []float64{0, 0, 0, 0.05} {
			r := rand.New(rand.NewPCG(uint64(how), uint64(seed)))
			amount := []float64{0.02, 0.05, 0.1}[r.IntN(3)]
			var actions []*utility.Action
			bounds := map[string]float64{}
			for a := range 6 {
				n := 1 + r.IntN(3)
				weight := 0.9 + r.Float64()/5
				var considerations []*utility.Consideration
				parts, sum := 0.0, 0.0
				for range n {
					c, width, w := r.IntN(len(curves)), 0.5+r.Float64(), 0.25+r.Float64()
					considerations = append(considerations,
						utility.Consider(slotFact(r.IntN(facts)), curves[c]).Range(0, width).Weight(w))
					part := slopes[c] / width
					if how == utility.WeightedSum {
						part *= w
					}
					parts, sum = parts+part, sum+w
				}
				switch how {
				case utility.Compensated, utility.CompensatedEach:
					parts *= 2 - 1/float64(n)
				case utility.WeightedSum:
					parts /= sum
				}
				name := fmt.Sprint(a)
				bounds[name] = weight * parts
				actions = append(actions, utility.NewAction(name, considerations...).Weight(weight))
			}
			e, err := utility.Build("walk",
				utility.Choose(actions...).Combine(how).Inertia(inertia).RescoreBeyond(amount))
			require.NoError(t, err)
			lanes := blackboard.NewLanes(e.Facts())
			s := new(scoring.Scorer)
			b := &scoring.Block{Mask: 1<<agents - 1, Facts: lanes}
			var choices [agents]components.Choice
			var at [agents][facts]float64
			for i := range agents {
				b.Choices[i], b.Memory[i] = &choices[i], make([]uint32, e.Compiled().MemoryWords)
				for f := range facts {
					at[i][f] = r.Float64()
				}
			}
			for range ticks {
				b.Now += 100e6
				for i := range agents {
					for f := range facts {
						at[i][f] = min(max(at[i][f]+(r.Float64()-0.5)*amount/2, 0), 1)
						if fact := slotFact(f); reads(e, fact) {
							lanes.SetFloat(fact, i, float32(at[i][f]))
						}
					}
				}
				s.Tick(e.Compiled(), b)
				for i := range agents {
					if choices[i].Action == 0 {
						continue
					}
					x := s.Explain(e.Compiled(), b, i)
					kept := x.Options[choices[i].Action-1]
					for _, o := range x.Options {
						bound := inertia + amount*(bounds[o.Action]+bounds[kept.Action])
						require.LessOrEqual(t, float64(o.Score)-float64(kept.Score), bound+1e-5, "%v: %v", how, x)
						if o.Score > kept.Score {
							overtaken++
						}
					}
				}
			}
			assert.Positive(t, s.Skipped, how)
			assert.Greater(t, s.Scored, int64(agents), how)
		}
		assert.Positive(t, overtaken, "%v: no choice ever stood overtaken another", how)
	}
}

// A hunter decides among targets, and remembers them.
type hunter struct{ *soloAgent }

func newHunter(t *testing.T, spoil func(*utility.Definition)) *hunter {
	d := utility.Choose(
		utility.NewAction("hunt", utility.Consider(distance, utility.Linear().Inverted()).Range(0, 100)).For(otherList),
		utility.NewAction("rest", utility.Consider(hunger, utility.Linear().Inverted()).Range(0, 100)).Weight(0.5),
	).RescoreBeyond(5)
	if spoil != nil {
		spoil(d)
	}
	return &hunter{newSolo(t, d)}
}

type prey struct {
	index, generation uint32
	distance          float64
}

// skips reports whether the choice stood, at these targets.
func (h *hunter) skips(targets ...prey) bool {
	h.lanes.SetInt(otherList.Count(), 0, int64(len(targets)))
	for k, p := range targets {
		h.lanes.SetEntity(otherList.Entity(k), 0, components.Entity{Index: p.index, Generation: p.generation})
		h.lanes.SetFloat(otherList.Field(k, distance), 0, float32(p.distance))
	}
	skipped := h.s.Skipped
	h.tick()
	return h.s.Skipped > skipped
}

func TestAChoiceStandsUntilAFactMovesBeyondTheAmount(t *testing.T) {
	h := newHunter(t, nil)
	h.see(50)
	require.False(t, h.skips(), "nothing is in force yet")
	require.True(t, h.skips())
	h.see(55)
	require.True(t, h.skips(), "by the amount and not beyond")
	h.see(52)
	require.True(t, h.skips())
	h.see(55.5)
	require.False(t, h.skips(), "what moves slowly adds up")
	require.True(t, h.skips())
	h.see(50)
	require.False(t, h.skips(), "measured from the last scoring")
	h.see(math.NaN())
	require.False(t, h.skips(), "that is 0, the default")
	require.True(t, h.skips())
}

func TestTheOrderOfTargetsIsNoChangeButComersAndGoersAre(t *testing.T) {
	h := newHunter(t, nil)
	a, b, c := prey{1, 7, 30}, prey{2, 7, 40}, prey{3, 7, 90}
	require.False(t, h.skips(a, b))
	require.EqualValues(t, 1, h.choice.Target.Index)
	require.True(t, h.skips(b, a), "the order")
	require.True(t, h.skips(prey{2, 7, 36}, prey{1, 7, 34}), "each by less than the amount")
	require.False(t, h.skips(prey{2, 7, 34}, prey{1, 7, 34}), "one by more")
	require.False(t, h.skips(a, b, c), "a comer")
	require.True(t, h.skips(c, a, b))
	require.False(t, h.skips(a, b), "a goer")
	require.False(t, h.skips(a, c), "one for another")
	require.False(t, h.skips(a, prey{3, 8, 90}), "another of the same index")
	require.True(t, h.skips(prey{3, 8, 90}, a))
	require.False(t, h.skips(a, prey{0, 0, 90}), "it died")
	require.True(t, h.skips(a), "one that is dead is no target")
	require.False(t, h.skips(a, a), "listed twice")
	require.True(t, h.skips(a, a))
	require.False(t, h.skips(a, b))
	require.False(t, h.skips(a, a), "one is gone, and the other stands twice")
	require.False(t, h.skips(), "all are gone")
	require.EqualValues(t, 2, h.choice.Action)
	require.True(t, h.skips())
}

// What stands in the list beyond its count is not looked at.
func TestWhatIsBeyondTheCountOfAListIsNoTarget(t *testing.T) {
	h := newHunter(t, nil)
	require.False(t, h.skips(prey{1, 7, 30}, prey{2, 7, 40}))
	require.False(t, h.skips(prey{1, 7, 30}))
	h.lanes.SetFloat(otherList.Field(1, distance), 0, 0)
	h.lanes.SetEntity(otherList.Entity(1), 0, components.Entity{Index: 5})
	require.True(t, h.skips(prey{1, 7, 30}))
	require.Len(t, h.explain().Options, 2)
}

func TestACommitmentThatRunsOutIsScoredThoughNothingMoved(t *testing.T) {
	h := newHunter(t, func(d *utility.Definition) { d.Commit(250 * time.Millisecond) })
	require.False(t, h.skips(prey{1, 7, 30}))
	require.True(t, h.skips(prey{1, 7, 30}))
	require.True(t, h.skips(prey{1, 7, 30}))
	require.False(t, h.skips(prey{1, 7, 30}), "0.3 s later")
	require.True(t, h.skips(prey{1, 7, 30}), "once")
	require.EqualValues(t, 1.1e9, h.choice.Since)
}

func TestWithoutAChoiceEveryTickIsScored(t *testing.T) {
	h := newHunter(t, func(d *utility.Definition) { d.Minimum(0.6) })
	for range 3 {
		require.False(t, h.skips(prey{1, 7, 90}))
		require.Zero(t, h.choice)
	}
}

// Two words for the entity and one for each fact of a target that is read, sixteen times, and one for each own.
func TestMemoryHoldsWhatIsRead(t *testing.T) {
	require.Equal(t, 1+blackboard.MaxListed*3, newHunter(t, nil).e.Compiled().MemoryWords)
	require.Equal(t, 2, newSolo(t, only(linear(2)...).RescoreBeyond(0)).e.Compiled().MemoryWords)
	require.Zero(t, newSolo(t, only(linear(2)...)).e.Compiled().MemoryWords)
}
