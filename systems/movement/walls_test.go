package movement

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// alone makes an agent walk through others.
func (s *stage) alone(e components.Entity) {
	s.W.Remove(ecs.ToArche(e), arche.ComponentID[components.Faction](s.W))
}

func TestSeekReachesAPointThatIsTooNearToAWallToStandOn(t *testing.T) {
	m := space.NewMap(20, 20)
	m.Set(10, 11, space.Wall)
	point := components.Vec2{X: 10.5, Y: 10.95}
	for name, c := range map[string]struct {
		wanted, radius float32
		target         bool
		within         float64
	}{
		"within the default":           {0, 0.3, false, 0.5},
		"as near as its radius":        {0.1, 0.3, false, 0.3},
		"a target that stands there":   {0, 0.3, true, 1},
		"as near to it as its radius":  {0.1, 0.3, true, 0.3},
		"a body wider than its margin": {0.1, 0.8, false, 0.8},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, m, 60, 1, 1)
			e := s.Spawn(components.Vec2{X: 18.7, Y: 9.7})
			ecs.Get[components.Body](s.W, e).Radius = c.radius
			order := components.Order{Action: s.Do.Seek, Point: point, Numbers: [2]float32{0, c.wanted}}
			if c.target {
				order.Target = s.Spawn(components.Vec2{X: 3, Y: 3})
				s.alone(order.Target)
				ecs.Get[components.Body](s.W, order.Target).Radius = 0
				ecs.Get[components.Transform](s.W, order.Target).Position = point
			}
			s.Post(e, order)
			s.WalkFor(6, func() bool { return s.Order(e).Outcome == components.Pending })
			require.Equal(t, components.Succeeded, s.Order(e).Outcome)
			assert.LessOrEqual(t, vec.Length(vec.Sub(s.At(e), point)), float32(c.within)+placeRadius)
		})
	}
}

func TestSeekFailsAtThePlaceNearestToAPointDeepInAWall(t *testing.T) {
	m := space.NewMap(20, 20)
	m.Fill(8, 8, 4, 4, space.Wall)
	s := newStage(t, m, 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 18, Y: 3})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 8.75, Y: 10.25}})
	s.WalkFor(30, func() bool { return s.Order(e).Outcome == components.Pending })
	assert.Equal(t, components.Failed, s.Order(e).Outcome, "0.75 m and its radius are more than half a metre")
	assert.InDelta(t, 7.7, s.At(e).X, 0.02, "on the far side of the wall, where the point is nearest")
	assert.InDelta(t, 10.25, s.At(e).Y, 0.02)
}

// What the order should come to is found by looking at a fine pattern of places around the point.
func TestSeekSucceedsWhereABodyReachesAPointNearAWall(t *testing.T) {
	reached, failed := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		key := rapid.Uint64().Draw(rt, "key")
		m := space.NewMap(20, 20)
		closed := rapid.Uint32Range(5, 45).Draw(rt, "closed")
		for i := range uint64(400) {
			if random.Below(random.Mix(key, i), 100) < closed {
				m.Set(int(i%20), int(i/20), space.Wall)
			}
		}
		s := newStage(t, m, 10, 1, 1)
		type trip struct {
			agent        components.Entity
			from, point  components.Vec2
			reach        float32
			can, perhaps bool
		}
		var trips []trip
		for i := range uint64(8) {
			draw := random.Mix(key, 1000+i)
			radius := []float32{0, 0.3, 0.45, 0.8}[i%4]
			wanted := []float32{0, 0.1, 1.5}[random.Below(draw, 3)]
			from, ok := m.RandomPoint(random.Mix(draw, 1), space.Clearance(radius))
			if !ok {
				return
			}
			point, _ := m.RandomPoint(random.Mix(draw, 2), 0)
			point.X += random.Unit(random.Mix(draw, 3)) - 0.5 // may lie in a wall
			point.Y += random.Unit(random.Mix(draw, 4)) - 0.5
			trip := trip{agent: s.Spawn(from), from: from, point: point, reach: max(wanted, radius)}
			if wanted == 0 {
				trip.reach = max(0.5, radius)
			}
			s.alone(trip.agent)
			ecs.Get[components.Body](s.W, trip.agent).Radius = radius
			trip.can, trip.perhaps = placesAround(m, from, point, space.Clearance(radius), trip.reach)
			s.Post(trip.agent, components.Order{Action: s.Do.Seek, Point: point, Numbers: [2]float32{0, wanted}})
			trips = append(trips, trip)
		}
		s.WalkFor(200, nil)
		for _, c := range trips {
			switch outcome := s.Order(c.agent).Outcome; {
			case c.can:
				reached++
				require.Equal(rt, components.Succeeded, outcome, "from %v to %v, at %v", c.from, c.point, s.At(c.agent))
			case !c.perhaps:
				failed++
				require.Equal(rt, components.Failed, outcome, "from %v to %v, at %v", c.from, c.point, s.At(c.agent))
			}
		}
	})
	least := 200
	if testing.Short() {
		least /= 5 // as the number of checks
	}
	assert.Greater(t, reached, least)
	assert.Greater(t, failed, least/10)
}

// placesAround looks at places around a point. can tells that those nearest to it are within reach of it, and of an
// agent that walks from tile to tile; perhaps, that any place is.
func placesAround(m *space.Map, from, point components.Vec2, clearance, reach float32) (can, perhaps bool) {
	pocket := map[[2]int]bool{}
	todo := [][2]int{{int(from.X), int(from.Y)}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !m.Passable(at[0], at[1]) || pocket[at] {
			continue
		}
		pocket[at] = true
		todo = append(todo, [2]int{at[0] + 1, at[1]}, [2]int{at[0] - 1, at[1]}, [2]int{at[0], at[1] + 1},
			[2]int{at[0], at[1] - 1})
	}
	inside, outside := math.Inf(1), math.Inf(1) // metres to the nearest place in the pocket and out of it
	const steps, step = 40, 1.0 / 20
	for i := -steps; i <= steps; i++ {
		for j := -steps; j <= steps; j++ {
			at := components.Vec2{X: point.X + float32(i)*step, Y: point.Y + float32(j)*step}
			x, y := space.TileOf(at)
			if !m.Passable(x, y) || testworld.WallDistance(m, at) < float64(clearance)-1e-3 {
				continue
			}
			d := math.Hypot(float64(i)*step, float64(j)*step)
			if pocket[[2]int{x, y}] {
				inside = min(inside, d)
			} else {
				outside = min(outside, d)
			}
		}
	}
	const fine = 0.08 // metres by which the nearest place of the pattern may be farther away than the nearest of all
	return inside <= float64(reach)-0.01 && inside < outside-fine, inside-fine <= float64(reach)
}

func TestSeekReachesRandomPointsOfATown(t *testing.T) {
	const trips = 1000
	m := town.Generate(120, 120, 4)
	s := newStage(t, m, 20, 2, 1)
	var all []components.Entity
	for i := range uint64(trips) {
		from, _ := m.RandomPoint(random.Mix(4, i), space.Clearance(0.3))
		to, far := from, float32(math.MaxFloat32)
		for try := uint64(1); far > 20; try++ {
			to, _ = m.RandomPoint(random.Mix(4, i+trips*try), 0)
			far = vec.Length(vec.Sub(to, from))
		}
		e := s.Spawn(from)
		s.alone(e)
		s.Post(e, components.Order{Action: s.Do.Seek, Point: to})
		all = append(all, e)
	}
	s.WalkFor(120, nil)
	for _, e := range all {
		assert.Equal(t, components.Succeeded, s.Order(e).Outcome, "from %v to %v", s.At(e), s.Order(e).Point)
	}
}
