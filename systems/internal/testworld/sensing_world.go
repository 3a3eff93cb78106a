package testworld

import (
	"slices"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Agent is an agent of a [SensingWorld]. It lacks the components that are nil.
type Agent struct {
	At         components.Vec2
	Heading    components.Vec2
	Faction    uint8
	Body       *components.Body
	Health     *components.Health
	Senses     *components.Senses
	LOD        *components.LOD
	Candidates *components.Candidates
	Marked     bool // in another archetype
}

// mark moves an agent to another archetype.
type mark struct{ _ uint8 }

// SensingWorld is a world for tests of perception. Entities are numbered in the order of the agents for any storage
// order.
type SensingWorld struct {
	World    *arche.World
	Clock    *frame.Clock
	Events   *eventlist.Lists
	Grid     *spatial.Grid
	Entities []components.Entity
}

// NewSensingWorld makes a world with agents. Components are added in the given order of agents; nil is the order of the
// slice.
func NewSensingWorld(
	t interface{ Cleanup(func()) }, m *space.Map, workers int, agents []Agent, order []int,
) *SensingWorld {
	w := arche.NewWorld()
	Install(&w, resources.Options{FPS: 10, Seed: 1, Map: m, Workers: workers})
	h := &SensingWorld{
		World:  &w,
		Clock:  ecs.Resource[frame.Clock](&w),
		Events: ecs.Resource[eventlist.Lists](&w),
		Grid:   ecs.Resource[spatial.Grid](&w),
	}
	t.Cleanup(ecs.Resource[parallel.Workers](&w).Close)
	for range agents {
		h.Entities = append(h.Entities, ecs.FromArche(w.NewEntity()))
	}
	for i := range agents {
		if order != nil {
			i = order[i]
		}
		h.AddComponents(i, &agents[i])
	}
	return h
}

// AddComponents gives an entity the components of an agent.
func (w *SensingWorld) AddComponents(i int, p *Agent) {
	entity := w.Entities[i]
	commands := ecs.Resource[ecs.Commands](w.World)
	q := commands.Queue(0)
	ecs.Assign(q, entity, entity, components.Transform{Position: p.At, Heading: p.Heading})
	ecs.Assign(q, entity, entity, components.Faction{ID: p.Faction})
	if p.Body != nil {
		ecs.Assign(q, entity, entity, *p.Body)
	}
	if p.Health != nil {
		ecs.Assign(q, entity, entity, *p.Health)
	}
	if p.Senses != nil {
		ecs.Assign(q, entity, entity, *p.Senses)
		ecs.Assign(q, entity, entity, components.NewPercept())
	}
	if p.LOD != nil {
		ecs.Assign(q, entity, entity, *p.LOD)
	}
	if p.Candidates != nil {
		ecs.Assign(q, entity, entity, *p.Candidates)
	}
	if p.Marked {
		ecs.Assign(q, entity, entity, mark{})
	}
	commands.Apply(w.World)
}

// Get returns a component of an agent.
func Get[T any](t require.TestingT, h *SensingWorld, i int) *T {
	c := ecs.Get[T](h.World, h.Entities[i])
	require.NotNil(t, c)
	return c
}

// SlotsOf returns the entities in spans of the grid.
func SlotsOf(g *spatial.Grid, spans []spatial.Span) []components.Entity {
	var entities []components.Entity
	for _, span := range spans {
		entities = append(entities, g.Entities[span.Start:span.End]...)
	}
	return entities
}

// Reversed returns n-1…0.
func Reversed(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.Reverse(order)
	return order
}

// Run initialises a system and returns a function that advances the clock by a frame and updates the system.
func Run(h *SensingWorld, s ecs.System) func() {
	s.Initialize(h.World)
	return func() {
		h.Clock.Advance()
		s.Update(h.World)
	}
}

// IsAlive reports whether the agent has health left or no Health.
func (p *Agent) IsAlive() bool { return p.Health == nil || p.Health.Current > 0 }
