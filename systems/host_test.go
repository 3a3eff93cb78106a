package systems_test

import (
	"fmt"
	"log"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Place and Course are a host's own components in place of a Transform.
type (
	Place  struct{ East, North float64 }
	Course struct{ X, Y float32 }
)

func hostPosition() *frame.HostPosition {
	return &frame.HostPosition{
		X:        blackboard.FloatFact("east", func(p *Place) *float64 { return &p.East }, 0),
		Y:        blackboard.FloatFact("north", func(p *Place) *float64 { return &p.North }, 0),
		HeadingX: blackboard.FloatFact("course x", func(c *Course) *float32 { return &c.X }, 1),
		HeadingY: blackboard.FloatFact("course y", func(c *Course) *float32 { return &c.Y }, 0),
	}
}

// A crowd whose positions are in the host's components perceives and is paced as one with transforms.
func TestAHostsOwnPositionsServeLODAndPerception(t *testing.T) {
	const agents = 300
	type seen struct {
		percepts []components.Percept
		tiers    []uint8
	}
	run := func(ofHost bool, rayBudget int) seen {
		world := arche.NewWorld()
		options := systems.Options{FPS: 30, Seed: 3, Workers: 2}
		if ofHost {
			options.HostPosition = hostPosition()
		}
		herd, err := systems.Install(&world, options)
		require.NoError(t, err)
		defer herd.Close()
		herd.Perception.RayBudget = rayBudget
		herd.SetObservers(components.Vec2{X: 20, Y: 20})
		tree, err := herd.AddTree("stand", aitree.Do(action.Stand))
		require.NoError(t, err)
		parts := []any{
			components.Faction{}, components.Health{Current: 1, Max: 1},
			systems.Perceiver(components.Senses{Sight: 15, Lose: 20, Cone: 0.3, Hearing: 10}),
		}
		if ofHost {
			parts = append(parts, Place{}, Course{})
		} else {
			parts = append(parts, components.Transform{})
		}
		herd.Prefab(tree, parts...).SpawnNow(&world, agents, func(i int, e components.Entity) {
			ecs.Get[components.Faction](&world, e).ID = uint8(1 + i%3)
		})
		move := func(frame int) {
			for q := world.Query(arche.All(arche.ComponentID[components.Faction](&world))); q.Next(); {
				e := ecs.FromArche(q.Entity())
				key := random.Mix(uint64(e.Index), uint64(frame/10))
				x, y := random.Below(key, 400), random.Below(random.Mix(key, 1), 40)
				at := components.Vec2{X: float32(x), Y: float32(y)}
				heading := [...]components.Vec2{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}[random.Below(random.Mix(key, 2), 4)]
				if ofHost {
					*ecs.Get[Place](&world, e) = Place{float64(at.X), float64(at.Y)}
					*ecs.Get[Course](&world, e) = Course{heading.X, heading.Y}
				} else {
					*ecs.Get[components.Transform](&world, e) = components.Transform{Position: at, Heading: heading}
				}
			}
		}
		for frame := range 40 {
			move(frame)
			herd.Step()
		}
		var s seen
		found := 0
		filter := generic.NewFilter2[components.Percept, components.LOD]()
		for q := filter.Query(&world); q.Next(); {
			percept, lod := q.Get()
			s.percepts, s.tiers = append(s.percepts, *percept), append(s.tiers, lod.Tier)
			if !percept.Target.IsZero() {
				found++
			}
		}
		require.Greater(t, found, 20)
		return s
	}
	for _, rayBudget := range []int{0, 40} {
		assert.Equal(t, run(false, rayBudget), run(true, rayBudget))
	}
}

func TestInstallRefusesAHostPositionThatCannotBeRead(t *testing.T) {
	world := arche.NewWorld()
	_, err := systems.Install(&world, systems.Options{HostPosition: &frame.HostPosition{}})
	require.ErrorContains(t, err, "systems: Install: the host's position: blackboard: the zero Fact names no field")
	_, err = systems.Install(&world, systems.Options{})
	require.NoError(t, err) // nothing was installed before
}

// Honeybee and Weather belong to a host: a component with an arche entity, a float64 and an unsigned number, an empty
// tag, and a resource.
type (
	Honeybee struct {
		Dance  arche.Entity // the bee whose dance it follows
		Fuel   float64
		Nectar uint64
	}
	Forager struct{}
	Weather struct{ Rain float64 }
)

// Facts are fields of components that the host has already, of a resource, and of the entity that another fact names.
func Example_hostFacts() {
	dance := ecs.EntityFact("dance", func(b *Honeybee) *arche.Entity { return &b.Dance })
	nectar := blackboard.IntFact("nectar", func(b *Honeybee) *uint64 { return &b.Nectar }, 0)
	rain := blackboard.FloatFact("rain", func(w *Weather) *float64 { return &w.Rain }, 0).OfResource()
	forager := blackboard.HasFact[Forager]("is a forager")

	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer herd.Close()
	tree, err := herd.AddTree("bee", aitree.ReactiveSelector(
		aitree.ReactiveSequence(aitree.Check(aitree.Less(rain, 0.5)), aitree.Check(aitree.True(forager)),
			aitree.Check(aitree.Greater(nectar.Of(dance), 10)), aitree.Do(action.Seek, aitree.Target(dance))),
		aitree.Do(action.Stand)))
	if err != nil {
		log.Fatal(err)
	}
	bees := generic.NewMap1[Honeybee](&world)
	dancer := bees.NewWith(&Honeybee{Nectar: 25})
	foragers := generic.NewMap2[Honeybee, Forager](&world)
	follower := foragers.NewWith(&Honeybee{Dance: dancer}, &Forager{})
	herd.Adopt(arche.All(arche.ComponentID[Honeybee](&world)), tree)

	weather := &Weather{}
	arche.AddResource(&world, weather)
	show := func() {
		for range 120 { // until both have decided
			herd.Step()
		}
		doing := func(e arche.Entity) string {
			order := ecs.Get[components.Intent](&world, ecs.FromArche(e)).Orders[components.Move]
			return herd.Actions.Name(order.Action)
		}
		fmt.Println(doing(dancer), doing(follower))
	}
	show()
	weather.Rain = 0.9
	show()
	// Output:
	// stand seek
	// stand stand
}
