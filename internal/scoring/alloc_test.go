package scoring_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/factcache"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
)

func TestATickAllocatesNothing(t *testing.T) {
	curves := []utility.Curve{
		utility.Linear(), utility.Polynomial(3), utility.Exponential(4), utility.Logistic(8,
			0.5), utility.Logit(), utility.Bell(0.5, 0.2),
		utility.Sine(1), utility.Smoothstep(), utility.Piecewise(utility.Point{X: 0, Y: 0.1},
			utility.Point{X: 1, Y: 0.9}),
	}
	in := utility.NewInput("in", func(c *blackboard.Context, out *[64]float32) {
		*out = *c.Float(0)
	}).Reads(slotFact(0))
	definition := func() *utility.Definition {
		var actions []*utility.Action
		for a := range 8 {
			k := utility.Consider(slotFact(a), curves[a]).Range(0, 2)
			actions = append(actions, utility.NewAction(fmt.Sprint(a), k,
				utility.ConsiderInput(in, curves[8])).Rank(a/4))
		}
		return utility.Choose(append(actions,
			utility.NewAction("hunt", utility.Consider(distance, utility.Linear().Inverted()).Range(0,
				100)).For(otherList))...)
	}
	for name, d := range map[string]*utility.Definition{
		"argmax":          definition().Inertia(0.1).Commit(300 * time.Millisecond),
		"softmax":         definition().Softmax(0.1),
		"weighted random": definition().WeightedRandom().Combine(utility.GeometricMean),
		"top n":           definition().TopN(3).Combine(utility.WeightedSum),
		"rescoring":       definition().Inertia(0.1).RescoreBeyond(0.5),
	} {
		e, err := utility.Build("e", d)
		require.NoError(t, err)
		lanes := blackboard.NewLanes(e.Facts())
		b := &scoring.Block{Mask: 0xffff_ffff_0fff_fff7, Facts: lanes, Now: 1e9}
		var choices [64]components.Choice
		for i := range 64 {
			b.Choices[i], b.Memory[i] = &choices[i], make([]uint32, e.Compiled().MemoryWords)
			b.Entities[i] = components.Entity{Index: uint32(i + 1)}
		}
		var own, entities, distances []blackboard.Fact // made once, since to make one is to make its name
		for i := range 8 {
			own = append(own, slotFact(i))
		}
		for k := range 4 {
			entities, distances = append(entities, otherList.Entity(k)), append(distances, otherList.Field(k, distance))
		}
		s := new(scoring.Scorer)
		tick := 0
		assert.Zero(t, testing.AllocsPerRun(100, func() { // the first is not counted
			tick++
			b.Now += 100e6
			for i := range 64 {
				lanes.SetFloat(own[tick%8], i, float32((i*7+tick)%20)/10)
				lanes.SetInt(otherList.Count(), i, int64((i+tick/8)%5))
				for k := range 4 {
					lanes.SetEntity(entities[k], i, components.Entity{Index: uint32(k + 1)})
					lanes.SetFloat(distances[k], i, float32(i*k))
				}
			}
			s.Tick(e.Compiled(), b)
		}), name)
		assert.Positive(t, s.Scored, name)
		assert.Equal(t, name == "rescoring", s.Skipped > 0, name)
	}
}

// A scorer that has seen the largest evaluator allocates nothing for the others, in whatever order they come.
func TestAScorerThatHasSeenTheLargestAllocatesNothing(t *testing.T) {
	small := newSolo(t, weights(1, 2))
	large := newHunter(t, func(d *utility.Definition) { d.Softmax(1) }).soloAgent
	s := new(scoring.Scorer)
	s.Tick(large.e.Compiled(), &large.block)
	s.Tick(small.e.Compiled(), &small.block)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		s.Tick(small.e.Compiled(), &small.block)
		s.Tick(large.e.Compiled(), &large.block)
		s.Clear()
	}))
}

// A scorer that has been cleared, of a block of its own and of one of a host, keeps nothing of it alive.
func TestAClearedScorerKeepsNothingOfABlockAlive(t *testing.T) {
	in := utility.NewInput("in", func(*blackboard.Context, *[64]float32) {})
	e, err := utility.Build("e", utility.Choose(utility.NewAction("a", linear(1)...),
		utility.NewAction("b", utility.ConsiderInput(in, utility.Linear()))))
	require.NoError(t, err)
	s := new(scoring.Scorer)
	type large [100]uint64
	use := func(of func(lanes *blackboard.Lanes, user *large)) (weak.Pointer[blackboard.Lanes], weak.Pointer[large]) {
		lanes, user := blackboard.NewLanes(e.Facts()), new(large)
		of(lanes, user)
		return weak.Make(lanes), weak.Make(user)
	}
	for name, of := range map[string]func(lanes *blackboard.Lanes, user *large){
		"a block": func(lanes *blackboard.Lanes, user *large) {
			b := &scoring.Block{Mask: 1, Facts: lanes, User: user, Now: 1}
			b.Choices[0] = new(components.Choice)
			s.Tick(e.Compiled(), b)
		},
		"a host": func(lanes *blackboard.Lanes, user *large) {
			cache := new(factcache.Cache)
			cache.Begin(lanes, len(e.Facts()), 1)
			s.Begin(e.Compiled(), scoring.Host{Facts: cache, Mask: 1, User: user})
		},
	} {
		lanes, user := use(of)
		s.Clear()
		runtime.GC()
		assert.Nil(t, lanes.Value(), name)
		assert.Nil(t, user.Value(), name)
	}
	runtime.KeepAlive(s)
}
