package spatial_test

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
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestGridHoldsTheLivingWhoStandSomewhere(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	people := []testworld.Agent{
		{At: components.Vec2{X: 5, Y: 5}, Faction: 3, Body: &components.Body{Radius: 0.4}},
		{At: components.Vec2{X: 50, Y: 5}, Faction: 1, Health: &components.Health{Current: 1}},
		{At: components.Vec2{X: 6, Y: 5}, Faction: 1, Health: &components.Health{Current: 0}},
		{At: components.Vec2{X: 6, Y: 5}, Faction: 1, Health: &components.Health{Current: -7}},
		{At: components.Vec2{X: nan, Y: 5}, Faction: 1},
		{At: components.Vec2{X: 5, Y: -inf}, Faction: 1},
		{At: components.Vec2{X: -30, Y: 1e30}, Faction: 0},
	}
	h := testworld.NewSensingWorld(t, space.NewMap(60, 40), 1, people, nil)
	w := h.World
	var bystander components.Entity // has no faction
	ecs.NewPrefab(w, components.Transform{}).SpawnNow(w, 1, func(_ int, e components.Entity) { bystander = e })
	frame := testworld.Run(h, &spatial.GridSystem{})
	frame()

	assert.Len(t, h.Grid.Entities, 3)
	assert.Equal(t, int64(2), h.Grid.Ignored)
	for _, i := range []int{0, 1, 6} {
		slot, ok := h.Grid.Find(h.Entities[i])
		require.True(t, ok, "person %d", i)
		assert.Equal(t, h.Entities[i], h.Grid.Entities[slot])
		assert.Equal(t, people[i].At, h.Grid.Positions[slot])
		assert.Equal(t, people[i].Faction, h.Grid.Factions[slot])
		radius := float32(0)
		if people[i].Body != nil {
			radius = people[i].Body.Radius
		}
		assert.Equal(t, radius, h.Grid.Radii[slot])
	}
	for _, e := range []components.Entity{
		h.Entities[2], h.Entities[3], h.Entities[4], h.Entities[5], bystander,
		{}, {Index: 1 << 31}, {Index: h.Entities[0].Index, Generation: 99},
	} {
		_, ok := h.Grid.Find(e)
		assert.False(t, ok, "%v", e)
	}
	frame()
	assert.Equal(t, int64(4), h.Grid.Ignored, "counted in each frame")
}

func TestGridForgetsWhoIsGone(t *testing.T) {
	h := testworld.NewSensingWorld(t, space.NewMap(20, 20), 1, []testworld.Agent{{Faction: 1}, {Faction: 2}}, nil)
	frame := testworld.Run(h, &spatial.GridSystem{})
	frame()
	h.World.RemoveEntity(ecs.ToArche(h.Entities[0]))
	again := ecs.FromArche(h.World.NewEntity()) // takes the index
	require.Equal(t, h.Entities[0].Index, again.Index)
	frame()
	_, ok := h.Grid.Find(h.Entities[0])
	assert.False(t, ok)
	_, ok = h.Grid.Find(again)
	assert.False(t, ok)
	assert.Equal(t, []components.Entity{h.Entities[1]}, h.Grid.Entities)
	assert.Empty(t, h.Grid.NearFaction(nil, 1, components.Vec2{}, 100), "a faction that is not there any more")
	assert.Len(t, h.Grid.NearFaction(nil, 2, components.Vec2{}, 100), 1)
}

func TestGridIsEmptyInAnEmptyWorld(t *testing.T) {
	for _, m := range []*space.Map{nil, space.NewMap(1, 1)} {
		h := testworld.NewSensingWorld(t, m, 2, nil, nil)
		testworld.Run(h, &spatial.GridSystem{})()
		assert.Empty(t, h.Grid.Near(nil, components.Vec2{}, 1000))
		_, ok := h.Grid.Find(components.Entity{Index: 1})
		assert.False(t, ok)
	}
}

func TestGridIsRebuiltOnceAFrame(t *testing.T) {
	h := testworld.NewSensingWorld(t, space.NewMap(20, 20), 1, []testworld.Agent{{Faction: 1}}, nil)
	s := &spatial.GridSystem{}
	frame := testworld.Run(h, s)
	frame()
	testworld.Get[components.Transform](t, h, 0).Position = components.Vec2{X: 7, Y: 7}
	s.Update(h.World)
	assert.Equal(t, components.Vec2{}, h.Grid.Positions[0], "it shows how the frame began")
	frame()
	assert.Equal(t, components.Vec2{X: 7, Y: 7}, h.Grid.Positions[0])
}

func TestGridCellHoldsEntitiesInOrderWhateverTheStorage(t *testing.T) {
	people := make([]testworld.Agent, 9)
	for i := range people {
		people[i] = testworld.Agent{At: components.Vec2{X: 1 + float32(i)/16, Y: 1}, Faction: 1, Marked: i%3 == 0}
	}
	for _, order := range [][]int{nil, testworld.Reversed(9), {4, 8, 0, 2, 6, 1, 7, 3, 5}} {
		h := testworld.NewSensingWorld(t, space.NewMap(8, 8), 1, people, order)
		testworld.Run(h, &spatial.GridSystem{})()
		assert.Equal(t, h.Entities, h.Grid.Entities)
	}
}

func TestGridCellOfACrowdHoldsEntitiesInOrderToo(t *testing.T) {
	const n = 3000
	people := make([]testworld.Agent, n)
	order := make([]int, n)
	for i := range people {
		people[i] = testworld.Agent{At: components.Vec2{X: random.Unit(uint64(i) << 32), Y: 1}, Faction: 1,
			Body: &components.Body{Radius: float32(i)}, Marked: i%3 == 0}
		order[i] = i
	}
	for i := range order {
		j := int(random.Below(random.Mix(3, uint64(i)), n))
		order[i], order[j] = order[j], order[i]
	}
	h := testworld.NewSensingWorld(t, space.NewMap(2, 2), 2, people, order)
	testworld.Run(h, &spatial.GridSystem{})()
	require.Equal(t, h.Entities, h.Grid.Entities)
	for i := range people {
		slot, ok := h.Grid.Find(h.Entities[i])
		require.True(t, ok)
		require.Equal(t, people[i].At, h.Grid.Positions[slot])
		require.Equal(t, float32(i), h.Grid.Radii[slot])
	}
}

func TestGridOfManyFactionsOnAVastGroundHasLargerCells(t *testing.T) {
	const factions = 128
	for name, m := range map[string]*space.Map{
		"the largest map": space.NewMap(space.MaxMapSide, space.MaxMapSide),
		"open country":    nil,
	} {
		t.Run(name, func(t *testing.T) {
			var all spatial.Columns
			for i := range 4 * factions {
				at := components.Vec2{X: float32(i%2) * 16000, Y: float32(i/2%2) * 16000}
				if m == nil {
					at = components.Vec2{X: float32(i%2)*262144 - 131072, Y: float32(i/2%2)*262144 - 131072}
				}
				all.Entities = append(all.Entities, components.Entity{Index: uint32(i + 1)})
				all.Transforms = append(all.Transforms, components.Transform{Position: at})
				all.Factions = append(all.Factions, components.Faction{ID: uint8(i / 4)})
			}
			g := spatial.NewGrid(0)
			g.BuildFrom(m, all)
			assert.LessOrEqual(t, len(g.Starts), 1<<24+1, "64 MiB")
			assert.Greater(t, len(g.Starts), 1<<21)
			for i, e := range all.Entities {
				slot, ok := g.Find(e)
				require.True(t, ok)
				require.Equal(t, all.Transforms[i].Position, g.Positions[slot])
				spans := g.NearFaction(nil, all.Factions[i].ID, all.Transforms[i].Position, 10)
				require.Equal(t, []components.Entity{e}, testworld.SlotsOf(g, spans))
			}
		})
	}
}

// drawPeople draws a crowd around a ground of the given sides: most on it, some off it, some in the same place.
func drawPeople(t *rapid.T, width, height int) []testworld.Agent {
	people := make([]testworld.Agent, rapid.IntRange(0, 150).Draw(t, "people"))
	seed := rapid.Uint64().Draw(t, "seed")
	spread := rapid.SampledFrom([]float32{0.05, 0.5, 1, 1.5}).Draw(t, "spread")
	factions := rapid.SliceOfNDistinct(rapid.Uint8(), 1, 4, rapid.ID[uint8]).Draw(t, "factions")
	for i := range people {
		draw := random.Mix(seed, uint64(i))
		unit := func(k uint64) float32 { return random.Unit(random.Mix(draw, k)) }
		people[i] = testworld.Agent{
			At: components.Vec2{
				X: float32(width) * (0.5 + spread*(unit(0)-0.5)),
				Y: float32(height) * (0.5 + spread*(unit(1)-0.5)),
			},
			Faction: factions[int(float32(len(factions))*unit(2))],
			Marked:  unit(3) < 0.3,
			Body:    &components.Body{Radius: unit(4)},
		}
		if unit(5) < 0.1 {
			people[i].Health = &components.Health{Current: int32(20*unit(6)) - 3}
		}
	}
	return people
}

func TestGridFindsEveryoneNearAndIsTheSameForAnyStorageAndWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 90).Draw(t, "height")
		ground := space.NewMap(width, height)
		if rapid.Bool().Draw(t, "open country") {
			ground = nil
		}
		people := drawPeople(t, width, height)
		order := rapid.Permutation(testworld.Reversed(len(people))).Draw(t, "order")
		h := testworld.NewSensingWorld(t, ground, 1, people, nil)
		other := testworld.NewSensingWorld(t, ground, rapid.IntRange(2, 4).Draw(t, "workers"), people, order)
		for _, h := range []*testworld.SensingWorld{h, other} {
			s := &spatial.GridSystem{}
			s.Initialize(h.World)
			h.Clock.Advance()
			s.Update(h.World)
		}
		require.Equal(t, h.Grid.Entities, other.Grid.Entities)
		require.Equal(t, h.Grid.Positions, other.Grid.Positions)
		require.Equal(t, h.Grid.Radii, other.Grid.Radii)
		require.Equal(t, h.Grid.Factions, other.Grid.Factions)

		alive := 0
		for i := range people {
			slot, ok := h.Grid.Find(h.Entities[i])
			require.Equal(t, people[i].IsAlive(), ok)
			if ok {
				alive++
				require.Equal(t, people[i].At, h.Grid.Positions[slot])
				require.Equal(t, people[i].Faction, h.Grid.Factions[slot])
				require.Equal(t, people[i].Body.Radius, h.Grid.Radii[slot])
			}
		}
		require.Len(t, h.Grid.Entities, alive)

		for range 5 {
			at := components.Vec2{
				X: float32(width) * rapid.Float32Range(-0.5, 1.5).Draw(t, "x"),
				Y: float32(height) * rapid.Float32Range(-0.5, 1.5).Draw(t, "y"),
			}
			radius := rapid.SampledFrom([]float32{0, 0.5, 1, 5, 40, 1e6}).Draw(t, "radius")
			near := testworld.SlotsOf(h.Grid, h.Grid.Near(nil, at, radius))
			require.Equal(t, near, testworld.SlotsOf(other.Grid, other.Grid.Near(nil, at, radius)))
			seen := map[components.Entity]bool{}
			for _, e := range near {
				require.False(t, seen[e], "once each")
				seen[e] = true
			}
			for i := range people {
				dx, dy := people[i].At.X-at.X, people[i].At.Y-at.Y
				if people[i].IsAlive() && dx*dx+dy*dy <= radius*radius {
					require.True(t, seen[h.Entities[i]], "%v within %v of %v", people[i].At, radius, at)
				}
				if onGround := float32(width) > people[i].At.X && float32(height) > people[i].At.Y &&
					people[i].At.X >= 0 && people[i].At.Y >= 0; ground != nil && onGround &&
					max(dx, -dx, dy, -dy) > radius+8.1 {
					require.False(t, seen[h.Entities[i]] && at.X >= 0 && at.Y >= 0 && at.X < float32(width) &&
						at.Y < float32(height),
						"%v is not within %v of %v by far", people[i].At, radius, at)
				}
			}
			for _, faction := range []uint8{0, people1Faction(people)} {
				var want []components.Entity
				for _, e := range near {
					slot, _ := h.Grid.Find(e)
					if h.Grid.Factions[slot] == faction {
						want = append(want, e)
					}
				}
				require.Equal(t, want, testworld.SlotsOf(h.Grid, h.Grid.NearFaction(nil, faction, at, radius)))
			}
		}
	})
}

// people1Faction returns the faction of the first person, or 1.
func people1Faction(people []testworld.Agent) uint8 {
	if len(people) == 0 {
		return 1
	}
	return people[0].Faction
}

func TestGridWithoutAMapSpansAnyDistance(t *testing.T) {
	people := []testworld.Agent{
		{At: components.Vec2{X: -1e6, Y: 3}, Faction: 1},
		{At: components.Vec2{X: 2e5, Y: -1e30}, Faction: 1},
		{At: components.Vec2{X: 0, Y: 0}, Faction: 2},
		{At: components.Vec2{X: 100, Y: 100}, Faction: 2},
	}
	h := testworld.NewSensingWorld(t, nil, 1, people, nil)
	testworld.Run(h, &spatial.GridSystem{})()
	for i := range people {
		assert.Contains(t, testworld.SlotsOf(h.Grid, h.Grid.Near(nil, people[i].At, 1)), h.Entities[i])
	}
}

func TestGridNearFindsNobodyAroundAPointThatIsNone(t *testing.T) {
	h := testworld.NewSensingWorld(t, space.NewMap(9, 9), 1, []testworld.Agent{{Faction: 1}}, nil)
	testworld.Run(h, &spatial.GridSystem{})()
	nan := float32(math.NaN())
	assert.Empty(t, h.Grid.Near(nil, components.Vec2{X: nan}, 1))
	assert.Empty(t, h.Grid.Near(nil, components.Vec2{}, nan))
	assert.Empty(t, h.Grid.Near(nil, components.Vec2{}, -1))
	assert.Len(t, h.Grid.Near(nil, components.Vec2{}, float32(math.Inf(1))), 1)
}

func TestGridAllocatesNothingInTheSteadyState(t *testing.T) {
	people := make([]testworld.Agent, 5000)
	for i := range people {
		draw := random.Mix(3, uint64(i))
		people[i] = testworld.Agent{At: components.Vec2{X: 280 * random.Unit(draw),
			Y: 280 * random.Unit(random.Mix(draw, 1))}, Faction: uint8(i % 3), Marked: i%2 == 0}
	}
	for _, m := range []*space.Map{nil, space.NewMap(280, 280)} {
		h := testworld.NewSensingWorld(t, m, 2, people, testworld.Reversed(len(people)))
		frame := testworld.Run(h, &spatial.GridSystem{})
		frame()
		spans := make([]spatial.Span, 0, 64)
		allocs.None(t, 50, func() {
			frame()
			spans = h.Grid.Near(spans[:0], components.Vec2{X: 100, Y: 100}, 1)
		})
	}
}

func TestNewGridRefusesAbsurdCells(t *testing.T) {
	for _, cell := range []float32{-1, 0.5, 1001, float32(math.NaN())} {
		assert.PanicsWithValue(t, "spatial: NewGrid: the cell size is not from 1 to 1000 metres",
			func() { spatial.NewGrid(cell) })
	}
}

func TestGridSystemNamesTheResourceThatIsMissing(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: the world has no *spatial.Grid; call systems.Install, or add a resource of "+
		"your own with arche's AddResource",
		func() { (&spatial.GridSystem{}).Initialize(&w) })
}

func ExampleGrid() {
	w := arche.NewWorld()
	testworld.Install(&w, resources.Options{FPS: 60, Map: space.NewMap(100, 100), Workers: 1})
	for i := range 3 {
		e := w.NewEntity(arche.ComponentID[components.Transform](&w), arche.ComponentID[components.Faction](&w))
		ecs.Get[components.Transform](&w, ecs.FromArche(e)).Position = components.Vec2{X: 10 + 20*float32(i), Y: 50}
	}
	grid := spatial.GridSystem{}
	grid.Initialize(&w)
	ecs.Resource[frame.Clock](&w).Advance()
	grid.Update(&w)

	g := ecs.Resource[spatial.Grid](&w)
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

// At 131,072 m coordinates are 1/128 m apart.
func TestAPaddedRadiusExceedsTheRoundingOfCoordinates(t *testing.T) {
	assert.EqualValues(t, 1.0/64, spatial.PaddedRadius(0))
	assert.EqualValues(t, 1024+1024.0/65536+1.0/64, spatial.PaddedRadius(1024))
	assert.EqualValues(t, 131072+2+1.0/64, spatial.PaddedRadius(131072))
}

// The cells of open country are laid over where the agents are.
func TestACrowdInALineIsSpreadOverTheCells(t *testing.T) {
	for _, along := range []components.Vec2{{X: 4}, {Y: 4}} {
		var entities []components.Entity
		var transforms []components.Transform
		var factions []components.Faction
		for i := range 101 {
			entities = append(entities, components.Entity{Index: uint32(i + 1)})
			at := components.Vec2{X: along.X * float32(i-50), Y: along.Y * float32(i-50)}
			transforms = append(transforms, components.Transform{Position: at})
			factions = append(factions, components.Faction{ID: 1})
		}
		g := spatial.NewGrid(0)
		g.BuildFrom(nil, spatial.Columns{Entities: entities, Transforms: transforms, Factions: factions})
		most := 0
		for row := range g.Rows {
			for col := range g.Cols {
				most = max(most, g.CountCells(0, row, row, col, col))
			}
		}
		assert.Less(t, most, 20, "of 101 agents, along %v", along)
	}
}

func TestTheGridSystemSaysWhenItIsUpdatedOutOfOrder(t *testing.T) {
	w := arche.NewWorld()
	testworld.Install(&w, resources.Options{FPS: 60, Workers: 1})
	s := &spatial.GridSystem{}
	update := func() (reason any) {
		defer func() { reason = recover() }()
		s.Update(&w)
		return nil
	}
	assert.Contains(t, update(), "Update before Initialize")
	s.Initialize(&w)
	assert.Nil(t, update())
	s.Finalize(&w)
	assert.Contains(t, update(), "after Finalize")
}
