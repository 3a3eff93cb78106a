package systems_test

import (
	"slices"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
)

// person is an agent of a test. What is nil it lacks.
type person struct {
	at         components.Vec2
	heading    components.Vec2
	faction    uint8
	body       *components.Body
	health     *components.Health
	senses     *components.Senses
	lod        *components.LOD
	candidates *components.Candidates
	marked     bool // in an archetype of its own
}

// mark moves an agent to another archetype and means nothing.
type mark struct{ _ uint8 }

// village is a world of people. Entities are numbered in the order of people, whatever the storage order.
type village struct {
	world    *arche.World
	clock    *systems.Clock
	events   *systems.Events
	grid     *systems.Grid
	entities []components.Entity
}

// newVillage makes a world. The people's components are added in the given order, or in their own if it is nil.
func newVillage(t interface{ Cleanup(func()) }, m *systems.Map, workers int, people []person, order []int) *village {
	w := arche.NewWorld()
	systems.Install(&w, systems.Options{FPS: 10, Seed: 1, Map: m, Workers: workers})
	h := &village{
		world:  &w,
		clock:  ecs.Resource[systems.Clock](&w, "test"),
		events: ecs.Resource[systems.Events](&w, "test"),
		grid:   ecs.Resource[systems.Grid](&w, "test"),
	}
	t.Cleanup(ecs.Resource[systems.Workers](&w, "test").Close)
	for range people {
		h.entities = append(h.entities, ecs.FromArche(w.NewEntity()))
	}
	for i := range people {
		if order != nil {
			i = order[i]
		}
		h.dress(i, &people[i])
	}
	return h
}

// dress gives an entity the components of a person.
func (h *village) dress(i int, p *person) {
	entity := h.entities[i]
	commands := ecs.Resource[ecs.Commands](h.world, "test")
	q := commands.Queue(0)
	ecs.Assign(q, entity, entity, components.Transform{Position: p.at, Heading: p.heading})
	ecs.Assign(q, entity, entity, components.Faction{ID: p.faction})
	if p.body != nil {
		ecs.Assign(q, entity, entity, *p.body)
	}
	if p.health != nil {
		ecs.Assign(q, entity, entity, *p.health)
	}
	if p.senses != nil {
		ecs.Assign(q, entity, entity, *p.senses)
		ecs.Assign(q, entity, entity, components.Percept{})
	}
	if p.lod != nil {
		ecs.Assign(q, entity, entity, *p.lod)
	}
	if p.candidates != nil {
		ecs.Assign(q, entity, entity, *p.candidates)
	}
	if p.marked {
		ecs.Assign(q, entity, entity, mark{})
	}
	commands.Apply(h.world)
}

func get[T any](t require.TestingT, h *village, i int) *T {
	c := ecs.Get[T](h.world, h.entities[i])
	require.NotNil(t, c)
	return c
}

// slotsOf returns the entities in spans of the grid.
func slotsOf(g *systems.Grid, spans []systems.Span) []components.Entity {
	var entities []components.Entity
	for _, span := range spans {
		entities = append(entities, g.Entities[span.Start:span.End]...)
	}
	return entities
}

// reversed returns 0…n-1 backwards.
func reversed(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.Reverse(order)
	return order
}

// run prepares a system and returns a function that lets the clock go on by a frame and runs it.
func run(h *village, s ecs.System) func() {

	s.Initialize(h.world)
	return func() {
		h.clock.Advance()
		s.Update(h.world)
	}
}
