package systems_test

import (
	"fmt"
	"math"

	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
)

func TestGridHoldsTheLivingWhoStandSomewhere(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	people := []person{
		{at: components.Vec2{X: 5, Y: 5}, faction: 3, body: &components.Body{Radius: 0.4}},
		{at: components.Vec2{X: 50, Y: 5}, faction: 1, health: &components.Health{Current: 1}},
		{at: components.Vec2{X: 6, Y: 5}, faction: 1, health: &components.Health{Current: 0}},
		{at: components.Vec2{X: 6, Y: 5}, faction: 1, health: &components.Health{Current: -7}},
		{at: components.Vec2{X: nan, Y: 5}, faction: 1},
		{at: components.Vec2{X: 5, Y: -inf}, faction: 1},
		{at: components.Vec2{X: -30, Y: 1e30}, faction: 0},
	}
	h := newVillage(t, systems.NewMap(60, 40), 1, people, nil)
	w := h.world
	var bystander components.Entity // has no faction
	ecs.NewPrefab(w, components.Transform{}).SpawnNow(w, 1, func(_ int, e components.Entity) { bystander = e })
	frame := run(h, &systems.GridSystem{})
	frame()

	assert.Len(t, h.grid.Entities, 3)
	assert.Equal(t, int64(2), h.grid.Ignored)
	for _, i := range []int{0, 1, 6} {
		slot, ok := h.grid.Find(h.entities[i])
		require.True(t, ok, "person %d", i)
		assert.Equal(t, h.entities[i], h.grid.Entities[slot])
		assert.Equal(t, people[i].at, h.grid.Positions[slot])
		assert.Equal(t, people[i].faction, h.grid.Factions[slot])
		radius := float32(0)
		if people[i].body != nil {
			radius = people[i].body.Radius
		}
		assert.Equal(t, radius, h.grid.Radii[slot])
	}
	for _, e := range []components.Entity{
		h.entities[2], h.entities[3], h.entities[4], h.entities[5], bystander,
		{}, {Index: 1 << 31}, {Index: h.entities[0].Index, Generation: 99},
	} {
		_, ok := h.grid.Find(e)
		assert.False(t, ok, "%v", e)
	}
	frame()
	assert.Equal(t, int64(4), h.grid.Ignored, "counted in each frame")
}

func TestGridForgetsWhoIsGone(t *testing.T) {
	h := newVillage(t, systems.NewMap(20, 20), 1, []person{{faction: 1}, {faction: 2}}, nil)
	frame := run(h, &systems.GridSystem{})
	frame()
	h.world.RemoveEntity(ecs.ToArche(h.entities[0]))
	again := ecs.FromArche(h.world.NewEntity()) // takes the index
	require.Equal(t, h.entities[0].Index, again.Index)
	frame()
	_, ok := h.grid.Find(h.entities[0])
	assert.False(t, ok)
	_, ok = h.grid.Find(again)
	assert.False(t, ok)
	assert.Equal(t, []components.Entity{h.entities[1]}, h.grid.Entities)
	assert.Empty(t, h.grid.NearFaction(nil, 1, components.Vec2{}, 100), "a faction that is not there any more")
	assert.Len(t, h.grid.NearFaction(nil, 2, components.Vec2{}, 100), 1)
}

func TestGridIsEmptyInAnEmptyWorld(t *testing.T) {
	for _, m := range []*systems.Map{nil, systems.NewMap(1, 1)} {
		h := newVillage(t, m, 2, nil, nil)
		run(h, &systems.GridSystem{})()
		assert.Empty(t, h.grid.Near(nil, components.Vec2{}, 1000))
		_, ok := h.grid.Find(components.Entity{Index: 1})
		assert.False(t, ok)
	}
}

func TestGridIsRebuiltOnceAFrame(t *testing.T) {
	h := newVillage(t, systems.NewMap(20, 20), 1, []person{{faction: 1}}, nil)
	s := &systems.GridSystem{}
	frame := run(h, s)
	frame()
	get[components.Transform](t, h, 0).Position = components.Vec2{X: 7, Y: 7}
	s.Update(h.world)
	assert.Equal(t, components.Vec2{}, h.grid.Positions[0], "it shows how the frame began")
	frame()
	assert.Equal(t, components.Vec2{X: 7, Y: 7}, h.grid.Positions[0])
}

func TestGridCellHoldsEntitiesInOrderWhateverTheStorage(t *testing.T) {
	people := make([]person, 9)
	for i := range people {
		people[i] = person{at: components.Vec2{X: 1 + float32(i)/16, Y: 1}, faction: 1, marked: i%3 == 0}
	}
	for _, order := range [][]int{nil, reversed(9), {4, 8, 0, 2, 6, 1, 7, 3, 5}} {
		h := newVillage(t, systems.NewMap(8, 8), 1, people, order)
		run(h, &systems.GridSystem{})()
		assert.Equal(t, h.entities, h.grid.Entities)
	}
}

// drawPeople draws a crowd around a ground of the given sides: most on it, some off it, some in the same place.
func drawPeople(t *rapid.T, width, height int) []person {
	people := make([]person, rapid.IntRange(0, 150).Draw(t, "people"))
	seed := rapid.Uint64().Draw(t, "seed")
	spread := rapid.SampledFrom([]float32{0.05, 0.5, 1, 1.5}).Draw(t, "spread")
	factions := rapid.SliceOfNDistinct(rapid.Uint8(), 1, 4, rapid.ID[uint8]).Draw(t, "factions")
	for i := range people {
		draw := random.Mix(seed, uint64(i))
		unit := func(k uint64) float32 { return random.Unit(random.Mix(draw, k)) }
		people[i] = person{
			at: components.Vec2{
				X: float32(width) * (0.5 + spread*(unit(0)-0.5)),
				Y: float32(height) * (0.5 + spread*(unit(1)-0.5)),
			},
			faction: factions[int(float32(len(factions))*unit(2))],
			marked:  unit(3) < 0.3,
			body:    &components.Body{Radius: unit(4)},
		}
		if unit(5) < 0.1 {
			people[i].health = &components.Health{Current: int32(20*unit(6)) - 3}
		}
	}
	return people
}

func (p *person) isAlive() bool { return p.health == nil || p.health.Current > 0 }

func TestGridFindsEveryoneNearAndIsTheSameForAnyStorageAndWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 90).Draw(t, "height")
		ground := systems.NewMap(width, height)
		if rapid.Bool().Draw(t, "open country") {
			ground = nil
		}
		people := drawPeople(t, width, height)
		order := rapid.Permutation(reversed(len(people))).Draw(t, "order")
		h := newVillage(t, ground, 1, people, nil)
		other := newVillage(t, ground, rapid.IntRange(2, 4).Draw(t, "workers"), people, order)
		for _, h := range []*village{h, other} {
			s := &systems.GridSystem{}
			s.Initialize(h.world)
			h.clock.Advance()
			s.Update(h.world)
		}
		require.Equal(t, h.grid.Entities, other.grid.Entities)
		require.Equal(t, h.grid.Positions, other.grid.Positions)
		require.Equal(t, h.grid.Radii, other.grid.Radii)
		require.Equal(t, h.grid.Factions, other.grid.Factions)

		alive := 0
		for i := range people {
			slot, ok := h.grid.Find(h.entities[i])
			require.Equal(t, people[i].isAlive(), ok)
			if ok {
				alive++
				require.Equal(t, people[i].at, h.grid.Positions[slot])
				require.Equal(t, people[i].faction, h.grid.Factions[slot])
				require.Equal(t, people[i].body.Radius, h.grid.Radii[slot])
			}
		}
		require.Len(t, h.grid.Entities, alive)

		for range 5 {
			at := components.Vec2{
				X: float32(width) * rapid.Float32Range(-0.5, 1.5).Draw(t, "x"),
				Y: float32(height) * rapid.Float32Range(-0.5, 1.5).Draw(t, "y"),
			}
			radius := rapid.SampledFrom([]float32{0, 0.5, 1, 5, 40, 1e6}).Draw(t, "radius")
			near := slotsOf(h.grid, h.grid.Near(nil, at, radius))
			require.Equal(t, near, slotsOf(other.grid, other.grid.Near(nil, at, radius)))
			seen := map[components.Entity]bool{}
			for _, e := range near {
				require.False(t, seen[e], "once each")
				seen[e] = true
			}
			for i := range people {
				dx, dy := people[i].at.X-at.X, people[i].at.Y-at.Y
				if people[i].isAlive() && dx*dx+dy*dy <= radius*radius {
					require.True(t, seen[h.entities[i]], "%v within %v of %v", people[i].at, radius, at)
				}
				if onGround := float32(width) > people[i].at.X && float32(height) > people[i].at.Y && people[i].at.X >= 0 && people[i].at.Y >= 0; ground != nil && onGround &&
					max(dx, -dx, dy, -dy) > radius+8.1 {
					require.False(t, seen[h.entities[i]] && at.X >= 0 && at.Y >= 0 && at.X < float32(width) && at.Y < float32(height),
						"%v is not within %v of %v by far", people[i].at, radius, at)
				}
			}
			for _, faction := range []uint8{0, people1Faction(people)} {
				var want []components.Entity
				for _, e := range near {
					slot, _ := h.grid.Find(e)
					if h.grid.Factions[slot] == faction {
						want = append(want, e)
					}
				}
				require.Equal(t, want, slotsOf(h.grid, h.grid.NearFaction(nil, faction, at, radius)))
			}
		}
	})
}

// people1Faction returns the faction of the first person, or 1.
func people1Faction(people []person) uint8 {
	if len(people) == 0 {
		return 1
	}
	return people[0].faction
}

func TestGridWithoutAMapSpansAnyDistance(t *testing.T) {
	people := []person{
		{at: components.Vec2{X: -1e6, Y: 3}, faction: 1},
		{at: components.Vec2{X: 2e5, Y: -1e30}, faction: 1},
		{at: components.Vec2{X: 0, Y: 0}, faction: 2},
		{at: components.Vec2{X: 100, Y: 100}, faction: 2},
	}
	h := newVillage(t, nil, 1, people, nil)
	run(h, &systems.GridSystem{})()
	for i := range people {
		assert.Contains(t, slotsOf(h.grid, h.grid.Near(nil, people[i].at, 1)), h.entities[i])
	}
}

func TestGridNearFindsNobodyAroundAPointThatIsNone(t *testing.T) {
	h := newVillage(t, systems.NewMap(9, 9), 1, []person{{faction: 1}}, nil)
	run(h, &systems.GridSystem{})()
	nan := float32(math.NaN())
	assert.Empty(t, h.grid.Near(nil, components.Vec2{X: nan}, 1))
	assert.Empty(t, h.grid.Near(nil, components.Vec2{}, nan))
	assert.Empty(t, h.grid.Near(nil, components.Vec2{}, -1))
	assert.Len(t, h.grid.Near(nil, components.Vec2{}, float32(math.Inf(1))), 1)
}

func TestGridAllocatesNothingInTheSteadyState(t *testing.T) {
	people := make([]person, 5000)
	for i := range people {
		draw := random.Mix(3, uint64(i))
		people[i] = person{at: components.Vec2{X: 280 * random.Unit(draw), Y: 280 * random.Unit(random.Mix(draw, 1))}, faction: uint8(i % 3), marked: i%2 == 0}
	}
	for _, m := range []*systems.Map{nil, systems.NewMap(280, 280)} {
		h := newVillage(t, m, 2, people, reversed(len(people)))
		frame := run(h, &systems.GridSystem{})
		frame()
		spans := make([]systems.Span, 0, 64)
		allocs.None(t, 50, func() {
			frame()
			spans = h.grid.Near(spans[:0], components.Vec2{X: 100, Y: 100}, 1)
		})
	}
}

func TestNewGridRefusesAbsurdCells(t *testing.T) {
	for _, cell := range []float32{-1, 0.5, 1001, float32(math.NaN())} {
		assert.PanicsWithValue(t, "systems: NewGrid: the cell size is not from 1 to 1000 metres", func() { systems.NewGrid(cell) })
	}
}

func TestGridSystemNamesTheResourceThatIsMissing(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "systems.GridSystem: the world has no *systems.Grid; call systems.Install", func() { (&systems.GridSystem{}).Initialize(&w) })
}

func ExampleGrid() {
	w := arche.NewWorld()
	systems.Install(&w, systems.Options{FPS: 60, Map: systems.NewMap(100, 100), Workers: 1})
	for i := range 3 {
		e := w.NewEntity(arche.ComponentID[components.Transform](&w), arche.ComponentID[components.Faction](&w))
		ecs.Get[components.Transform](&w, ecs.FromArche(e)).Position = components.Vec2{X: 10 + 20*float32(i), Y: 50}
	}
	grid := systems.GridSystem{}
	grid.Initialize(&w)
	ecs.Resource[systems.Clock](&w, "example").Advance()
	grid.Update(&w)

	g := ecs.Resource[systems.Grid](&w, "example")
	here, radius := components.Vec2{X: 31, Y: 50}, float32(2)
	for _, span := range g.Near(nil, here, radius) {
		for slot := span.Start; slot < span.End; slot++ {
			dx, dy := g.Positions[slot].X-here.X, g.Positions[slot].Y-here.Y
			if dx*dx+dy*dy <= radius*radius {
				fmt.Println(g.Entities[slot].Index, g.Positions[slot])
			}
		}
	}
	// Output: 2 {30 50}
}
