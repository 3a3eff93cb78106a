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
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/gather"
)

// The components and the resource of a host.
type (
	bee struct {
		Age    float64
		Nectar uint64
		Home   arche.Entity
		Load   uint
		Legs   int8
	}
	queenTag struct{}
	hive     struct {
		Brood float64
		Cells uint16
		Open  bool
		Queen arche.Entity
		Names []string // a resource may hold pointers
	}
)

// foreignWorld is a world of bees, some with a tag, of which some refer to a dead bee and some to none.
func foreignWorld(t *testing.T) (*arche.World, []arche.Entity) {
	t.Helper()
	world := arche.NewWorld()
	bees, tagged := generic.NewMap1[bee](&world), generic.NewMap2[bee, queenTag](&world)
	var all []arche.Entity
	for i := range 150 {
		var e arche.Entity
		if i%3 == 0 {
			e = tagged.New()
		} else {
			e = bees.New()
		}
		all = append(all, e)
	}
	for i, e := range all {
		b := bees.Get(e)
		*b = bee{Age: float64(i) / 7, Nectar: uint64(i), Load: uint(i), Legs: int8(-i % 7)}
		switch i % 5 {
		case 0:
			b.Age = math.Inf(1)
		case 1:
			b.Age, b.Nectar = 1e300, math.MaxUint64
		}
		if i%4 != 0 {
			b.Home = all[(i*7+1)%len(all)]
		}
	}
	for i := 10; i < 20; i++ {
		world.RemoveEntity(all[i])
	}
	return &world, append(all[:10:10], all[20:]...)
}

// float32Of is what a float64 reads as, with a default of -1.
func float32Of(x float64) float32 {
	if f := float32(x); !math.IsInf(float64(f), 0) {
		return f
	}
	return -1
}

func int64Of(x uint64) int64 {
	if x > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(x)
}

func TestFactsOfForeignComponentsReadWhatTheWorldHas(t *testing.T) {
	world, all := foreignWorld(t)
	arche.AddResource(world, &hive{Brood: 0.1, Cells: 65535, Open: true, Queen: all[3]})
	home := ecs.EntityFact("home", func(b *bee) *arche.Entity { return &b.Home })
	age := blackboard.FloatFact("age", func(b *bee) *float64 { return &b.Age }, -1)
	nectar := blackboard.IntFact("nectar", func(b *bee) *uint64 { return &b.Nectar }, 5)
	brood := blackboard.FloatFact("brood", func(h *hive) *float64 { return &h.Brood }, 0).OfResource()
	facts := []blackboard.Fact{
		age, nectar, home,
		blackboard.IntFact("load", func(b *bee) *uint { return &b.Load }, 0),
		blackboard.HasFact[queenTag]("is tagged"),
		brood,
		blackboard.IntFact("cells", func(h *hive) *uint16 { return &h.Cells }, 0).OfResource(),
		blackboard.BoolFact("open", func(h *hive) *bool { return &h.Open }, false).OfResource(),
		age.Of(home), nectar.Of(home), home.Of(home),
		blackboard.HasFact[queenTag]("home is tagged").Of(home),
		blackboard.IntFact("queen's legs", func(b *bee) *int8 { return &b.Legs }, 9).
			Of(ecs.EntityFact("queen", func(h *hive) *arche.Entity { return &h.Queen }).OfResource()),
	}
	for _, f := range facts {
		require.NoError(t, f.Err())
	}
	columns := gather.NewFactColumns(world, facts, ecs.Need[bee]())
	defer columns.Release()
	index := make([]int32, len(facts))
	for i := range index {
		index[i] = int32(i)
	}
	bees := generic.NewMap1[bee](world)
	chunks := columns.Open()
	defer columns.Close()
	require.Len(t, chunks, 2)
	var every []blackboard.Row
	for k := range chunks {
		for row := range chunks[k].Len() {
			every = append(every, blackboard.Row{Chunk: int32(k), Row: int32(row)})
		}
	}
	scattered := make([]blackboard.Row, 64)
	for i := range scattered {
		scattered[i] = every[i*31%len(every)]
	}
	g := gather.NewGather()
	for name, rows := range map[string][]blackboard.Row{
		"dense": every[:40], "last": every[100:], "scattered": scattered,
	} {
		g.Set(columns, index, rows)
		for _, mask := range []uint64{1<<len(rows) - 1, 0x5555555555 & (1<<len(rows) - 1), 1} {
			var floats [64]float32
			var ints [64]int64
			var entities [64]components.Entity
			for m := mask; m != 0; m &= m - 1 {
				l := bitmask.Lowest(m)
				e := ecs.ToArche(chunks[rows[l].Chunk].Entities()[rows[l].Row])
				own := bees.Get(e)
				assert.Equal(t, float32Of(own.Age), g.Floats(0, mask, &floats)[l], name)
				assert.Equal(t, float32Of(own.Age) < 3, g.FloatsBelow(0, mask, 3)>>l&1 == 1, name)
				g.Ints(1, mask, &ints)
				assert.Equal(t, int64Of(own.Nectar), ints[l], name)
				assert.Equal(t, int64Of(own.Nectar) < 70, g.IntsBelow(1, mask, 70)>>l&1 == 1, name)
				g.Ints(3, mask, &ints)
				assert.Equal(t, int64(own.Load), ints[l], name)
				assert.Equal(t, world.Has(e, arche.ComponentID[queenTag](world)), g.Bools(4, mask)>>l&1 == 1, name)
				assert.Equal(t, float32(0.1), g.Floats(5, mask, &floats)[l], name)
				g.Ints(6, mask, &ints)
				assert.Equal(t, int64(65535), ints[l], name)
				assert.Equal(t, mask, g.Bools(7, mask), name)

				lives := !own.Home.IsZero() && world.Alive(own.Home)
				g.Entities(2, mask, &entities)
				assert.Equal(t, lives, !entities[l].IsZero(), name)
				assert.Equal(t, lives, g.Alive(2, mask)>>l&1 == 1, name)
				g.Ints(9, mask, &ints)
				entities[l] = components.Entity{Index: 77} // of another block
				g.Entities(10, mask, &entities)
				if lives {
					other := bees.Get(own.Home)
					assert.Equal(t, ecs.FromArche(own.Home), func() components.Entity {
						var own [64]components.Entity
						g.Entities(2, mask, &own)
						return own[l]
					}(), name)
					assert.Equal(t, float32Of(other.Age), g.Floats(8, mask, &floats)[l], name)
					assert.Equal(t, int64Of(other.Nectar), ints[l], name)
					assert.Equal(t, world.Alive(other.Home) && !other.Home.IsZero(), !entities[l].IsZero(), name)
					assert.Equal(t, world.Alive(other.Home) && !other.Home.IsZero(), g.Alive(10, mask)>>l&1 == 1, name)
					assert.Equal(t, world.Has(own.Home, arche.ComponentID[queenTag](world)),
						g.Bools(11, mask)>>l&1 == 1, name)
				} else {
					assert.Equal(t, float32(-1), g.Floats(8, mask, &floats)[l], name)
					assert.Equal(t, int64(5), ints[l], name)
					assert.True(t, entities[l].IsZero(), name)
					assert.Zero(t, g.Bools(11, mask)>>l&1, name)
				}
				g.Ints(12, mask, &ints)
				assert.Equal(t, int64(bees.Get(all[3]).Legs), ints[l], name)
			}
		}
	}
	g.Clear()
}

func TestAChunkHasAFactIfItsAgentsHaveTheComponent(t *testing.T) {
	world, _ := foreignWorld(t)
	tagged := blackboard.HasFact[queenTag]("is tagged")
	columns := gather.NewFactColumns(world, []blackboard.Fact{
		blackboard.IntFact("legs", func(b *bee) *int8 { return &b.Legs }, 0), // of the first term
		tagged,
		blackboard.BoolFact("open", func(h *hive) *bool { return &h.Open }, false).OfResource(), // of no agent
		tagged.Of(ecs.EntityFact("home", func(b *bee) *arche.Entity { return &b.Home })),
	}, ecs.Need[bee]())
	defer columns.Release()
	chunks := columns.Open()
	defer columns.Close()
	require.Len(t, chunks, 2)
	var tags []bool
	for k := range chunks {
		e := ecs.ToArche(chunks[k].Entities()[0])
		has := world.Has(e, arche.ComponentID[queenTag](world))
		tags = append(tags, has)
		for fact, want := range []bool{true, has, false, has} {
			assert.Equal(t, want, columns.HasFact(&chunks[k], fact), "chunk %d, fact %d", k, fact)
		}
	}
	assert.ElementsMatch(t, []bool{true, false}, tags)
}

func TestAMissingResourceReadsAsTheDefault(t *testing.T) {
	world, _ := foreignWorld(t)
	brood := blackboard.FloatFact("brood", func(h *hive) *float64 { return &h.Brood }, 0.5).OfResource()
	columns := gather.NewFactColumns(world, []blackboard.Fact{brood}, ecs.Need[bee]())
	g := gather.NewGather()
	read := func() float32 {
		columns.Open()
		defer columns.Close()
		g.SetRange(columns, []int32{0}, blackboard.Row{}, 3)
		var lane [64]float32
		return g.Floats(0, 0b111, &lane)[2]
	}
	assert.Equal(t, float32(0.5), read())
	h := &hive{Brood: 4}
	arche.AddResource(world, h)
	assert.Equal(t, float32(4), read())
	h.Brood = 5
	assert.Equal(t, float32(5), read())
	world.Resources().Remove(arche.ResourceID[hive](world))
	assert.Equal(t, float32(0.5), read())
}

func TestForeignFactsAllocateNothing(t *testing.T) {
	world, _ := foreignWorld(t)
	arche.AddResource(world, &hive{})
	home := ecs.EntityFact("home", func(b *bee) *arche.Entity { return &b.Home })
	facts := []blackboard.Fact{
		blackboard.FloatFact("brood", func(h *hive) *float64 { return &h.Brood }, 0).OfResource(),
		blackboard.FloatFact("age", func(b *bee) *float64 { return &b.Age }, 0).Of(home),
	}
	columns := gather.NewFactColumns(world, facts, ecs.Need[bee]())
	g := gather.NewGather()
	index := []int32{0, 1}
	var lane [64]float32
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		columns.Open()
		g.SetRange(columns, index, blackboard.Row{}, 40)
		for k := range index {
			g.Floats(k, 1<<40-1, &lane)
		}
		g.Clear()
		columns.Close()
	}))
}
