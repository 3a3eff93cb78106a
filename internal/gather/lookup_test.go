package gather_test

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/gather"
)

// vessel has floats of both widths, not at its beginning.
type vessel struct {
	Tag   int32
	Level float32
	Depth float64
	Open  bool
}

func TestALookupReadsAFloatOfTheLivingThatHaveIt(t *testing.T) {
	world := arche.NewWorld()
	vessels := generic.NewMap1[vessel](&world)
	level := blackboard.FloatFact("level", func(v *vessel) *float32 { return &v.Level }, 0.25)
	depth := blackboard.FloatFact("depth", func(v *vessel) *float64 { return &v.Depth }, 0.75)
	defer gather.NewFactColumns(&world, []blackboard.Fact{level, depth}).Release()
	e := vessels.New()
	bare := ecs.FromArche(world.NewEntity())
	dead := vessels.New()
	world.RemoveEntity(dead)
	for _, c := range []struct {
		value float64
		level float32
		depth float32
	}{
		{1.5, 1.5, 1.5}, {-0.1, -0.1, -0.1}, {math.NaN(), 0.25, 0.75}, {math.Inf(1), 0.25, 0.75},
		{math.Inf(-1), 0.25, 0.75}, {math.MaxFloat32, math.MaxFloat32, math.MaxFloat32},
		{1e300, 0.25, 0.75}, // no float32
	} {
		*vessels.Get(e) = vessel{Tag: 9, Level: float32(c.value), Depth: c.value}
		for f, want := range map[*blackboard.Fact]float32{&level: c.level, &depth: c.depth} {
			l := gather.NewFloatLookup(&world, *f)
			got, ok := l.Get(ecs.FromArche(e))
			assert.True(t, ok)
			assert.Equal(t, want, got, "%s of %v", f.Name(), c.value)
			for _, none := range []components.Entity{{}, bare, ecs.FromArche(dead)} {
				got, ok = l.Get(none)
				assert.False(t, ok, "%v", none)
				assert.Zero(t, got)
			}
		}
	}
}

// The facts of another entity, of which there are four: with the component, without it, dead, and none.
func TestFactsOfAnotherEntityReadAsTheirDefaultsWithoutIt(t *testing.T) {
	type owner struct{ Of arche.Entity }
	world := arche.NewWorld()
	vessels, owners := generic.NewMap1[vessel](&world), generic.NewMap1[owner](&world)
	full, dead := vessels.New(), vessels.New()
	vessels.Get(full).Level, vessels.Get(full).Depth, vessels.Get(full).Tag = 2, 3, 4
	world.RemoveEntity(dead)
	of := ecs.EntityFact("of", func(o *owner) *arche.Entity { return &o.Of })
	open := func(v *vessel) *bool { return &v.Open }
	facts := []blackboard.Fact{
		blackboard.FloatFact("level", func(v *vessel) *float32 { return &v.Level }, 0.25).Of(of),
		blackboard.FloatFact("depth", func(v *vessel) *float64 { return &v.Depth }, 0.75).Of(of),
		blackboard.IntFact("tag", func(v *vessel) *int32 { return &v.Tag }, -7).Of(of),
		blackboard.BoolFact("open", open, true).Of(of),
		blackboard.BoolFact("closed", open, false).Of(of),
		blackboard.HasFact[vessel]("has").Of(of),
	}
	for _, other := range []arche.Entity{full, world.NewEntity(), dead, {}} {
		owners.Get(owners.New()).Of = other
	}
	columns := gather.NewFactColumns(&world, facts, ecs.Need[owner]())
	defer columns.Release()
	require.Len(t, columns.Open(), 1)
	defer columns.Close()
	g := gather.NewGather()
	defer g.Clear()
	const all = 0b1111
	for _, rows := range [][]blackboard.Row{
		{{Row: 0}, {Row: 1}, {Row: 2}, {Row: 3}}, // successive
		{{Row: 0}, {Row: 2}, {Row: 1}, {Row: 3}},
	} {
		g.Set(columns, []int32{0, 1, 2, 3, 4, 5}, rows)
		var floats [64]float32
		var ints [64]int64
		assert.Equal(t, []float32{2, 0.25, 0.25, 0.25}, g.Floats(0, all, &floats)[:4])
		assert.EqualValues(t, 0b1110, g.FloatsBelow(0, all, 2))
		assert.EqualValues(t, 0b1010, g.FloatsBelow(0, 0b1011, 2))
		assert.Equal(t, []float32{3, 0.75, 0.75, 0.75}, g.Floats(1, all, &floats)[:4])
		g.Ints(2, all, &ints)
		assert.Equal(t, []int64{4, -7, -7, -7}, ints[:4])
		assert.EqualValues(t, 0b1110, g.Bools(3, all))
		assert.EqualValues(t, 0b0110, g.Bools(3, 0b0111))
		assert.EqualValues(t, 0, g.Bools(4, all))
		assert.EqualValues(t, 0b0001, g.Bools(5, all))
	}
	vessels.Get(full).Open = true
	assert.EqualValues(t, 0b1111, g.Bools(3, all))
	assert.EqualValues(t, 0b0001, g.Bools(4, all))
	vessels.Get(full).Level, vessels.Get(full).Depth = float32(math.NaN()), math.Inf(-1)
	assert.Equal(t, float32(0.25), g.Floats(0, all, new([64]float32))[0])
	assert.Equal(t, float32(0.75), g.Floats(1, all, new([64]float32))[0])
}
