package eventlist

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
)

func indexed(index uint32) components.Entity { return components.Entity{Index: index} }

func TestWoundsAreSumsByTarget(t *testing.T) {
	e := New(2)
	e.Hurt(1, indexed(9), indexed(2), 5)
	e.Hurt(0, indexed(4), indexed(7), 1)
	e.Hurt(0, indexed(3), indexed(2), 10)
	e.Hurt(0, indexed(9), indexed(2), -2)
	assert.Equal(t, []Wound{
		{Target: indexed(2), Amount: 13, By: indexed(9), Blows: 3},
		{Target: indexed(7), Amount: 1, By: indexed(4), Blows: 1},
	}, e.Wounds())
	assert.Empty(t, e.Wounds(), "taken once")
}

func TestWoundsKeepGenerationsApart(t *testing.T) {
	e := New(1)
	old, young := components.Entity{Index: 2, Generation: 1}, components.Entity{Index: 2, Generation: 2}
	e.Hurt(0, old, young, 1)
	e.Hurt(0, young, old, 2)
	assert.Equal(t, []Wound{
		{Target: old, Amount: 2, By: young, Blows: 1},
		{Target: young, Amount: 1, By: old, Blows: 1},
	}, e.Wounds())
}

func TestWoundsAreLimitedAfterTheSum(t *testing.T) {
	for _, c := range []struct {
		blows []int32
		want  int32
	}{
		{[]int32{math.MaxInt32, 1}, math.MaxInt32},
		{[]int32{math.MinInt32, -1}, math.MinInt32},
		// A limit on the way would forget the excess and leave 0.
		{[]int32{math.MaxInt32, math.MaxInt32, -math.MaxInt32}, math.MaxInt32},
	} {
		e := New(1)
		for _, amount := range c.blows {
			e.Hurt(0, indexed(1), indexed(2), amount)
		}
		assert.Equal(t, c.want, e.Wounds()[0].Amount, "%v", c.blows)
	}
}

func TestNoisesComeInOrderOfSourceAndPlace(t *testing.T) {
	e := New(2)
	at := func(x, y float32) components.Vec2 { return components.Vec2{X: x, Y: y} }
	e.Noise(0, indexed(5), at(1, 2), 30)
	e.Noise(1, indexed(5), at(1, 2), 20)
	e.Noise(1, indexed(5), at(1, 1), 40)
	e.Noise(1, indexed(3), at(8, 8), 10)
	assert.Equal(t, []Noise{
		{indexed(3), at(8, 8), 10},
		{indexed(5), at(1, 1), 40},
		{indexed(5), at(1, 2), 20},
		{indexed(5), at(1, 2), 30},
	}, e.Noises())
	assert.Empty(t, e.Noises(), "taken once")
}

func TestWakesAreOrderedAndUnique(t *testing.T) {
	e := New(3)
	e.Wake(2, indexed(4))
	e.Wake(0, indexed(9))
	e.Wake(1, indexed(4))
	e.Wake(0, indexed(1))
	assert.Equal(t, []components.Entity{indexed(1), indexed(4), indexed(9)}, e.Wakes())
	assert.Empty(t, e.Wakes(), "taken once")
}

func TestMergingOneKindLeavesTheOthers(t *testing.T) {
	e := New(1)
	e.Hurt(0, indexed(1), indexed(2), 3)
	e.Noise(0, indexed(1), components.Vec2{}, 4)
	e.Wake(0, indexed(1))
	assert.Len(t, e.Wakes(), 1)
	assert.Len(t, e.Noises(), 1)
	assert.Len(t, e.Wounds(), 1)
}

func TestCountsAreSumsOverWorkers(t *testing.T) {
	e := New(2)
	e.Count(0, Strike, 2)
	e.Count(1, Strike, 3)
	e.Count(1, Death, 1)
	assert.EqualValues(t, 5, e.Total(Strike))
	assert.EqualValues(t, 1, e.Total(Death))
	assert.Zero(t, e.Total(Respawn))
	e.Wounds()
	assert.EqualValues(t, 5, e.Total(Strike), "counts run since the start")
}

func TestEachEventKindHasAName(t *testing.T) {
	seen := map[string]bool{}
	for k := range Kind(Kinds) {
		assert.NotEmpty(t, k.String())
		seen[k.String()] = true
	}
	assert.Len(t, seen, 5)
	assert.Equal(t, "unknown", Kind(Kinds).String())
}

type raised struct {
	kind           int
	source, target uint32
	value          int32
}

// raise gives events to workers as told and returns all that comes out.
func raise(list []raised, workers int, who []int) ([]Wound, []Noise, []components.Entity) {
	e := New(workers)
	for i, r := range list {
		w := who[i]
		switch r.kind {
		case 0:
			e.Hurt(w, indexed(r.source), indexed(r.target), r.value)
		case 1:
			e.Noise(w, indexed(r.source), components.Vec2{X: float32(r.target), Y: float32(r.value)}, float32(r.value))
		case 2:
			e.Wake(w, indexed(r.source))
		}
	}
	return e.Wounds(), e.Noises(), e.Wakes()
}

func TestEventsDoNotDependOnWorkersOrOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) raised {
			return raised{
				kind:   rapid.IntRange(0, 2).Draw(t, "kind"),
				source: rapid.Uint32Range(1, 5).Draw(t, "source"),
				target: rapid.Uint32Range(1, 5).Draw(t, "target"),
				value:  rapid.Int32().Draw(t, "value"),
			}
		}), 0, 40).Draw(t, "events")
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		who := rapid.SliceOfN(rapid.IntRange(0, workers-1), len(list), len(list)).Draw(t, "who")
		wounds, noises, wakes := raise(list, 1, make([]int, len(list)))
		shuffled := rapid.Permutation(list).Draw(t, "order")
		gotWounds, gotNoises, gotWakes := raise(shuffled, workers, who)
		require.Equal(t, wounds, gotWounds)
		require.Equal(t, noises, gotNoises)
		require.Equal(t, wakes, gotWakes)
	})
}

func TestWoundsAgreeWithAPlainSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := New(1)
		sum := map[uint32]int32{}
		last := map[uint32]uint32{}
		for range rapid.IntRange(0, 50).Draw(t, "blows") {
			source, target := rapid.Uint32Range(1, 6).Draw(t, "source"), rapid.Uint32Range(1, 6).Draw(t, "target")
			amount := rapid.Int32Range(-1000, 1000).Draw(t, "amount")
			e.Hurt(0, indexed(source), indexed(target), amount)
			sum[target] += amount
			last[target] = max(last[target], source)
		}
		wounds := e.Wounds()
		require.Len(t, wounds, len(sum))
		require.True(t, slices.IsSortedFunc(wounds, func(a, b Wound) int { return a.Target.Compare(b.Target) }))
		for _, wound := range wounds {
			require.Equal(t, sum[wound.Target.Index], wound.Amount)
			require.Equal(t, indexed(last[wound.Target.Index]), wound.By)
		}
	})
}

func TestEventsAllocateNothingOnceWarm(t *testing.T) {
	e := New(2)
	frame := func() {
		for i := range 50 {
			e.Hurt(i%2, indexed(uint32(i)), indexed(uint32(i%7)), 1)
			e.Noise(i%2, indexed(uint32(99-i)), components.Vec2{}, 1)
			e.Wake(i%2, indexed(uint32(i%9)))
			e.Count(i%2, Strike, 1)
		}
		e.Wounds()
		e.Noises()
		e.Wakes()
	}
	frame()
	allocs.None(t, 100, frame)
}
