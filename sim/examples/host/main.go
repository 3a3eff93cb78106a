// Command host gives minds to gulls of a program that has positions, movement, perception and events of its own.
package main

import (
	"fmt"
	"log"
	"math"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Components of the program.
type (
	Place struct{ East, North float64 } // metres
	Gull  struct {
		Shoal  arche.Entity // the nearest
		Caught uint32       // fish
	}
	Shoal struct{ Fish uint32 }
)

// Facts: two fields of Place, an entity of arche, and a field of the entity that it refers to.
var (
	east  = blackboard.FloatFact("east", func(p *Place) *float64 { return &p.East }, 0)
	north = blackboard.FloatFact("north", func(p *Place) *float64 { return &p.North }, 0)
	shoal = ecs.EntityFact("shoal", func(g *Gull) *arche.Entity { return &g.Shoal })
	fish  = blackboard.IntFact("fish", func(s *Shoal) *uint32 { return &s.Fish }, 0).Of(shoal)
)

// colony is the program. It flies at 8 m/s.
type colony struct {
	world   arche.World
	herd    *systems.Herd
	gulls   *generic.Filter2[Gull, Place]
	shoals  *generic.Filter2[Shoal, Place]
	catches *frame.List[uint32] // events of the program: fish that a gull snaps at
}

// newColony returns a colony of gulls and shoals at places; each shoal has some fish.
func newColony(gulls, shoals []Place, fishes uint32) *colony {
	c := &colony{world: arche.NewWorld(), gulls: generic.NewFilter2[Gull, Place](),
		shoals: generic.NewFilter2[Shoal, Place]()}
	herd := must(systems.Install(&c.world, systems.Options{
		FPS: 30, HostPosition: &frame.HostPosition{X: east, Y: north},
	}))
	herd.Movement, herd.Perception, herd.Needs, herd.Combat = nil, nil, nil, nil // the program's own
	fly := action.NewAgentDurative(action.Seek, components.Move, action.AgentSteps[Place]{Update: c.fly})
	must(fly, herd.AddAction(fly))
	dive := action.NewAgentDurative("dive", components.Act, action.AgentSteps[Gull]{Update: c.dive})
	must(dive, herd.AddAction(dive))
	herd.Before(systems.AIStage, ecs.SystemFunc(c.look))
	herd.After(systems.ActionStage, ecs.SystemFunc(c.share))
	c.herd, c.catches = herd, frame.NewList[uint32](&c.world)

	tree := must(herd.AddTree("gull", aitree.ReactiveSelector(
		aitree.Guard(aitree.Greater(fish, 0), aitree.Sequence(
			aitree.Do(action.Seek, aitree.Target(shoal)), aitree.Do("dive", aitree.Target(shoal)))),
		aitree.Do(action.Stand))))
	flock, schools := generic.NewMap2[Gull, Place](&c.world), generic.NewMap2[Shoal, Place](&c.world)
	for i := range shoals {
		schools.NewWith(&Shoal{Fish: fishes}, &shoals[i])
	}
	for i := range gulls {
		flock.NewWith(&Gull{}, &gulls[i])
	}
	herd.Adopt(c.gulls.Filter(&c.world), tree)
	return c
}

// look is the program's perception: it writes the facts that trees read in the same frame.
func (c *colony) look(w *arche.World) {
	for q := c.gulls.Query(w); q.Next(); {
		gull, at := q.Get()
		best := math.Inf(1)
		for s := c.shoals.Query(w); s.Next(); {
			if _, p := s.Get(); math.Hypot(p.East-at.East, p.North-at.North) < best {
				gull.Shoal, best = s.Entity(), math.Hypot(p.East-at.East, p.North-at.North)
			}
		}
	}
}

// fly is the program's movement: it reads the order, moves the gull and reports the outcome.
func (c *colony) fly(a action.Agent, at *Place) components.Outcome {
	goal := ecs.Get[Place](&c.world, a.Order.Target)
	if goal == nil {
		return components.Failed
	}
	x, y, step := goal.East-at.East, goal.North-at.North, 8*float64(a.Clock.Delta)
	if distance := math.Hypot(x, y); distance > step {
		at.East, at.North = at.East+float64(x/distance*step), at.North+float64(y/distance*step)
		return components.Pending
	}
	*at = *goal
	return components.Succeeded
}

// dive posts an event. Whose the last fish is, is decided when all have dived.
func (c *colony) dive(a action.Agent, _ *Gull) components.Outcome {
	c.catches.PostTo(a.Worker, a.Entity, a.Order.Target, 1)
	return components.Succeeded
}

// share serves the events in the order of the gulls' entities.
func (c *colony) share(w *arche.World) {
	for _, p := range c.catches.Take() {
		if s := ecs.Get[Shoal](w, p.Target); s != nil && s.Fish >= p.Value {
			s.Fish -= p.Value
			ecs.Get[Gull](w, p.Issuer).Caught += p.Value
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	var gulls []Place
	for i := range 20 {
		gulls = append(gulls, Place{East: float64(i), North: 4})
	}
	c := newColony(gulls, []Place{{East: -10}, {East: 30}}, 50)
	defer c.herd.Close()
	for range 20 * 30 {
		c.herd.Step()
	}
	fed, caught := 0, uint32(0)
	for q := c.gulls.Query(&c.world); q.Next(); {
		if gull, _ := q.Get(); gull.Caught > 0 {
			fed, caught = fed+1, caught+gull.Caught
		}
	}
	fmt.Printf("%d gulls caught %d of 100 fish\n", fed, caught)
}
