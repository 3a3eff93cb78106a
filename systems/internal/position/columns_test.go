package position_test

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/position"
)

// The components of a host: x and y apart, of two types.
type (
	easting  struct{ Metres float64 }
	northing struct {
		Unused int16
		Metres float32
	}
	course struct{ East, North float64 }
)

var (
	x        = blackboard.FloatFact("x", func(c *easting) *float64 { return &c.Metres }, -7)
	y        = blackboard.FloatFact("y", func(c *northing) *float32 { return &c.Metres }, 0)
	headingX = blackboard.FloatFact("heading x", func(c *course) *float64 { return &c.East }, 0)
	headingY = blackboard.FloatFact("heading y", func(c *course) *float64 { return &c.North }, 0)
)

func TestPositionsAreThoseOfTheTransformOrOfTheHost(t *testing.T) {
	for _, headed := range []bool{false, true} {
		world := arche.NewWorld()
		host := &frame.HostPosition{X: x, Y: y}
		if headed {
			host.HeadingX, host.HeadingY = headingX, headingY
		}
		require.NoError(t, host.Check())
		arche.AddResource(&world, host)

		want := map[components.Entity]components.Transform{}
		own := components.Transform{
			Position: components.Vec2{X: 1, Y: 2}, Heading: components.Vec2{Y: 1},
		}
		ecs.NewPrefab(&world, components.LOD{}, own, easting{9}, northing{Metres: 9}).SpawnNow(&world, 70,
			func(_ int, e components.Entity) { want[e] = own })
		ecs.NewPrefab(&world, components.LOD{}, easting{}, northing{}, course{}).SpawnNow(&world, 130,
			func(i int, e components.Entity) {
				*ecs.Get[easting](&world, e) = easting{float64(i) + 0.1}
				ecs.Get[northing](&world, e).Metres = float32(-i)
				*ecs.Get[course](&world, e) = course{East: -3 * float64(i), North: 4 * float64(i)}
				at := components.Transform{
					Position: components.Vec2{X: float32(float64(i) + 0.1), Y: float32(-i)},
					Heading:  components.Vec2{X: 1},
				}
				if i == 5 {
					ecs.Get[easting](&world, e).Metres = math.NaN()
					at.Position.X = -7
				}
				if headed && i > 0 {
					at.Heading = components.Vec2{X: -0.6, Y: 0.8}
				}
				want[e] = at
			})
		var nowhere components.Entity
		ecs.NewPrefab(&world, components.LOD{}, easting{3}).SpawnNow(&world, 1,
			func(_ int, e components.Entity) { nowhere = e })

		for _, optional := range []bool{false, true} {
			columns := position.NewColumns(&world, optional, ecs.Need[components.LOD]())
			lookup := position.NewLookup(&world)
			for range 2 {
				chunks := columns.Open()
				rows := 0
				for i := range chunks {
					transforms := columns.Transforms(i)
					for row, e := range chunks[i].Entities() {
						rows++
						if e == nowhere {
							assert.Nil(t, transforms)
							continue
						}
						requireNear(t, want[e], transforms[row])
						at, ok := lookup.Get(e)
						assert.True(t, ok)
						assert.Equal(t, transforms[row], at)
					}
				}
				expecting := len(want)
				if optional {
					expecting++
				}
				assert.Equal(t, expecting, rows)
				assert.Equal(t, expecting, columns.Len())
				covered := 0
				for _, s := range columns.Spans(33) {
					assert.LessOrEqual(t, s.End-s.Start, 33)
					covered += s.End - s.Start
				}
				assert.Equal(t, expecting, covered)
				assert.Equal(t, len(columns.Spans(33)), len(columns.Spans(33)), "each time anew")
				columns.Close()
			}
			_, ok := lookup.Get(nowhere)
			assert.False(t, ok)
			assert.Zero(t, testing.AllocsPerRun(5, func() { columns.Open(); columns.Spans(64); columns.Close() }))
			columns.Release()
		}
	}
}

func requireNear(t *testing.T, want, got components.Transform) {
	t.Helper()
	require.Equal(t, want.Position, got.Position)
	require.InDelta(t, want.Heading.X, got.Heading.X, 1e-6)
	require.InDelta(t, want.Heading.Y, got.Heading.Y, 1e-6)
}

func TestWithoutAHostOnlyTransformsCount(t *testing.T) {
	world := arche.NewWorld()
	ecs.NewPrefab(&world, easting{}, components.LOD{}, northing{}).SpawnNow(&world, 1, nil)
	ecs.NewPrefab(&world, components.LOD{}, components.Transform{}).SpawnNow(&world, 3, nil)
	ecs.NewPrefab(&world, components.LOD{}).SpawnNow(&world, 2, nil)
	for optional, rows := range map[bool]int{false: 3, true: 6} {
		columns := position.NewColumns(&world, optional, ecs.Need[components.LOD]())
		columns.Open()
		assert.Equal(t, rows, columns.Len())
		columns.Close()
	}
}

func TestAHostPositionThatCannotBeReadIsAnError(t *testing.T) {
	count := blackboard.IntFact("count", func(c *northing) *int16 { return &c.Unused }, 0)
	for expecting, p := range map[string]frame.HostPosition{
		`the host's position: blackboard: the zero Fact names no field; make one with FloatFact, IntFact, BoolFact, ` +
			`AgeFact, EntityFact or HasFact`: {X: x},
		`the host's position: fact "count" is no float of the agent's own component; make it with FloatFact, without ` +
			`Of or OfResource`: {X: x, Y: count},
		`the host's position: fact "x" is no float of the agent's own component; make it with FloatFact, without Of ` +
			`or OfResource`: {X: x.OfResource(), Y: y},
	} {
		assert.EqualError(t, p.Check(), expecting)
	}
	half := frame.HostPosition{X: x, Y: y, HeadingY: headingY}
	assert.Error(t, half.Check())
}

func TestALookupFindsThosePlacedAndNobodyElse(t *testing.T) {
	place := components.Transform{Position: components.Vec2{X: 1, Y: 2}, Heading: components.Vec2{Y: 1}}
	spawn := func(w *arche.World, values ...any) (made components.Entity) {
		ecs.NewPrefab(w, values...).SpawnNow(w, 1, func(_ int, e components.Entity) { made = e })
		return made
	}
	world := arche.NewWorld()
	lookup := position.NewLookup(&world)
	at, ok := lookup.Get(spawn(&world, place))
	assert.True(t, ok)
	assert.Equal(t, place, at)
	_, ok = lookup.Get(spawn(&world, easting{3}, northing{}))
	assert.False(t, ok, "the world has no position of the host's")

	world = arche.NewWorld()
	arche.AddResource(&world, &frame.HostPosition{X: x, Y: y, HeadingX: headingX, HeadingY: headingY})
	lookup = position.NewLookup(&world)
	at, ok = lookup.Get(spawn(&world, easting{3}, northing{Metres: 4}))
	assert.True(t, ok, "the heading may be missing")
	assert.Equal(t, components.Transform{Position: components.Vec2{X: 3, Y: 4}, Heading: components.Vec2{X: 1}}, at)
	at, ok = lookup.Get(spawn(&world, easting{3}, northing{Metres: 4}, course{North: -0.25}))
	assert.True(t, ok)
	assert.Equal(t, components.Vec2{Y: -1}, at.Heading, "of any length")
	for _, part := range []any{easting{3}, northing{Metres: 4}} {
		_, ok = lookup.Get(spawn(&world, part, course{East: 1}))
		assert.False(t, ok, "%T alone", part)
	}
}
