package combat

import (
	"testing"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// stage is a world in which agents walk and fight.
type stage struct {
	*testworld.ActionWorld
	Movement *movement.System
	Combat   *System
}

func newStage(t testing.TB, m *space.Map, fps, workers int, seed uint64) *stage {
	t.Helper()
	return onStage(testworld.NewActionWorld(t, m, fps, workers, seed))
}

// newCrowd returns a stage with a crowd in a town.
func newCrowd(t testing.TB, agents, workers int, seed uint64) *stage {
	t.Helper()
	return onStage(testworld.NewCrowd(t, agents, workers, seed))
}

func onStage(world *testworld.ActionWorld) *stage {
	s := &stage{
		ActionWorld: world,
		Movement:    &movement.System{},
		Combat:      &System{},
	}
	s.Movement.Initialize(s.W)
	return s
}

// Frames runs all action systems for a number of frames.
func (s *stage) Frames(n int) {
	for range n {
		s.Clock.Advance()
		s.Movement.Update(s.W)
		s.Combat.Update(s.W)
		s.Commands.Update(s.W)
	}
}

// arena is a stage with combat, 10 frames per second.
func arena(t testing.TB, configure func(c *System)) *stage {
	s := newStage(t, testworld.Plain(), 10, 1, 1)
	if configure != nil {
		configure(s.Combat)
	}
	s.Combat.Initialize(s.W)
	return s
}

// fighter makes an agent with 100 points of health.
func (s *stage) fighter(side uint8, at components.Vec2, more ...any) components.Entity {
	values := append([]any{
		components.Transform{Position: at, Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 2},
		components.Faction{ID: side},
		components.Health{Current: 100, Max: 100},
		components.Fighter{},
		components.LOD{Importance: 2},
	}, more...)
	var made components.Entity
	ecs.NewPrefab(s.W, values...).SpawnNow(s.W, 1, func(_ int, e components.Entity) { made = e })
	return made
}

// fire fires a trigger of an agent.
func (s *stage) fire(e components.Entity, trigger components.Trigger) {
	trigger.Agent = e
	s.triggers().Fire(0, trigger)
}

func (s *stage) triggers() *frame.Triggers { return ecs.Resource[frame.Triggers](s.W) }

func (s *stage) health(e components.Entity) *components.Health {
	return ecs.Get[components.Health](s.W, e)
}

// soldier makes an agent with 100 points of health and 20 rounds that attacks and can be attacked.
func (s *stage) soldier(side uint8, at components.Vec2, more ...any) components.Entity {
	return s.fighter(side, at, append([]any{
		components.Intent{}, components.Attack{}, components.Attacked{}, components.NewAmmo(20),
	}, more...)...)
}

// attack posts an act order.
func (s *stage) attack(e components.Entity, o components.Order) *components.Order {
	order := s.actOrder(e)
	o.Serial = order.Serial + 1
	*order = o
	return order
}

func (s *stage) actOrder(e components.Entity) *components.Order {
	return &ecs.Get[components.Intent](s.W, e).Orders[components.Act]
}

func (s *stage) melee(e, target components.Entity) *components.Order {
	return s.attack(e, components.Order{Action: s.Do.Melee, Target: target})
}

func (s *stage) shoot(e, target components.Entity) *components.Order {
	return s.attack(e, components.Order{Action: s.Do.Shoot, Target: target})
}

func (s *stage) claim(e components.Entity) components.Entity {
	return ecs.Get[components.Attack](s.W, e).Target
}

func (s *stage) attackers(e components.Entity) int {
	return int(ecs.Get[components.Attacked](s.W, e).Count)
}

// alwaysHit hits with every shot.
func alwaysHit(c *System) {
	c.Shots = DefaultShots()
	c.Shots.ChanceNear, c.Shots.ChanceFar = 1, 1
}
