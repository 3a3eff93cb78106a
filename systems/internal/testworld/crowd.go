package testworld

import (
	"math"
	"testing"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/sim/town"
)

// NewCrowd returns a town with one agent per 16 m². Each agent patrols or wanders.
func NewCrowd(t testing.TB, agents, workers int, seed uint64) *ActionWorld {
	m := town.Generate(4*int(math.Sqrt(float64(agents))), 4*int(math.Sqrt(float64(agents))), seed)
	s := NewActionWorld(t, m, 60, workers, seed)
	*s.Routes = *town.Routes(m, agents/4, seed)
	s.Populate(agents, func(i int) components.Vec2 {
		if i%3 != 0 { // on its route
			loop := s.Routes.Waypoints(int32(i % s.Routes.Len()))
			leg := vec.Sub(loop[1%len(loop)], loop[0])
			return vec.Add(loop[0], vec.Scale(leg, random.Unit(random.Mix(seed, uint64(i)))))
		}
		at, _ := m.RandomPoint(random.Mix(seed, uint64(i)), 0)
		return at
	})
	return s
}

// Populate makes agents of which two in three patrol and the others wander.
func (s *ActionWorld) Populate(agents int, place func(i int) components.Vec2) {
	ecs.NewPrefab(s.W,
		components.Transform{Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.35, Speed: 1.4},
		components.Intent{},
		components.Steering{},
		components.Faction{},
		components.Route{},
	).SpawnNow(s.W, agents, func(i int, e components.Entity) {
		ecs.Get[components.Transform](s.W, e).Position = place(i)
		ecs.Get[components.Faction](s.W, e).ID = uint8(i % 3)
		ecs.Get[components.Route](s.W, e).ID = int32(i % max(s.Routes.Len(), 1))
		order := components.Order{Action: s.Do.Patrol, Numbers: [2]float32{1, -1}, Serial: 1}
		if i%3 == 0 {
			order.Action = s.Do.Wander
		}
		*s.Order(e) = order
	})
}
