package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// overlapping returns how many pairs are neighbours, nearer than twice the sum of their radii, and how many of
// those overlap by more than half a radius. It looks at all pairs that share or touch a tile of 2 m.
func (s *stage) overlapping() (neighbours, deep int) {
	type body struct {
		at     components.Vec2
		radius float32
	}
	bins := map[[2]int][]body{}
	c := ecs.NewColumns(s.W, ecs.Need[components.Transform](), ecs.Need[components.Body]())
	chunks := c.Open()
	defer c.Close()
	for i := range chunks {
		places, bodies := ecs.Column[components.Transform](&chunks[i], 0), ecs.Column[components.Body](&chunks[i], 1)
		for j := range places {
			b := body{places[j].Position, bodies[j].Radius}
			x, y := int(b.at.X)/2, int(b.at.Y)/2
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					for _, o := range bins[[2]int{x + dx, y + dy}] {
						d := vec.Length(vec.Sub(o.at, b.at))
						if d < 2*(b.radius+o.radius) {
							neighbours++
						}
						if b.radius+o.radius-d > min(b.radius, o.radius)/2 {
							deep++
						}
					}
				}
			}
			bins[[2]int{x, y}] = append(bins[[2]int{x, y}], b)
		}
	}
	return neighbours, deep
}

func TestBodiesOfACrowdDoNotOverlap(t *testing.T) {
	s := newCrowd(t, 10_000, 2, 7)
	for second := 1; second <= 3; second++ {
		s.WalkFor(1, nil)
		neighbours, deep := s.overlapping()
		require.Greater(t, neighbours, 1000)
		assert.Less(t, float64(deep), 0.01*float64(neighbours), "after %d s", second)
	}
}

func TestADenseCrowdSeparatesInASecond(t *testing.T) {
	for name, place := range map[string]func(i int) components.Vec2{
		"one per square metre at random": func(i int) components.Vec2 {
			return components.Vec2{X: 14 + 100*random.Unit(random.Mix(1, uint64(i))),
				Y: 14 + 100*random.Unit(random.Mix(2, uint64(i)))}
		},
		"all on few points": func(i int) components.Vec2 {
			return components.Vec2{X: 5 + 5*float32(i%25),
				Y: 5 + 5*float32(i/25%25)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, space.NewMap(128, 128), 60, 2, 7)
			agents := 10_000
			if name == "all on few points" {
				agents = 5000
			}
			s.Populate(agents, place)
			_, before := s.overlapping()
			require.Greater(t, before, 1000)
			s.WalkFor(1, nil)
			neighbours, deep := s.overlapping()
			assert.Less(t, float64(deep), 0.01*float64(neighbours))
		})
	}
}

func TestTwoAgentsHeadOnPassEachOther(t *testing.T) {
	s := newStage(t, testworld.MapOf(
		"@@@@@@@@@@@@@@@@",
		"................",
		"................",
		"@@@@@@@@@@@@@@@@",
	), 60, 1, 1)
	west, east := s.Spawn(components.Vec2{X: 1, Y: 2}), s.Spawn(components.Vec2{X: 15, Y: 2})
	s.Post(west, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 15, Y: 2}})
	s.Post(east, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 1, Y: 2}})
	s.WalkFor(10, func() bool {
		require.Greater(t, vec.Length(vec.Sub(s.At(west), s.At(east))), float32(0.6-0.15),
			"they do not pass through each other")
		return true
	})
	assert.Equal(t, components.Succeeded, s.Order(west).Outcome)
	assert.Equal(t, components.Succeeded, s.Order(east).Outcome)
}

func TestAPairSeparatesByTheSameLengthInAnyOrder(t *testing.T) {
	for _, swapped := range []bool{false, true} {
		s := newStage(t, testworld.Plain(), 60, 1, 1)
		a, b := components.Vec2{X: 10, Y: 10}, components.Vec2{X: 10.25, Y: 10}
		if swapped {
			a, b = b, a
		}
		first, second := s.Spawn(a), s.Spawn(b)
		s.WalkFor(1, nil)
		apart := vec.Sub(s.At(second), s.At(first))
		assert.InDelta(t, 0.6, vec.Length(apart), 1e-3)
		middle := vec.Scale(vec.Add(s.At(first), s.At(second)), 0.5)
		assert.InDelta(t, 10.125, middle.X, 1e-4)
		assert.InDelta(t, 10, middle.Y, 1e-6)
	}
}

func TestDeadAgentsAndAgentsWithoutARadiusDoNotPush(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	alive := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Spawn(components.Vec2{X: 10.1, Y: 10}, components.Health{Current: 0, Max: 10})
	ghost := s.Spawn(components.Vec2{X: 10, Y: 10.1})
	ecs.Get[components.Body](s.W, ghost).Radius = 0
	s.WalkFor(1, nil)
	assert.Equal(t, components.Vec2{X: 10, Y: 10}, s.At(alive))
	assert.Equal(t, components.Vec2{X: 10, Y: 10.1}, s.At(ghost))
}
