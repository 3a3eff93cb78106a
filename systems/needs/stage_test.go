package needs

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

// village is a world in which the needs are tested: orders are posted by hand.
type village struct {
	w     *arche.World
	clock *frame.Clock
	do    action.Handles
	needs *System
}

func newVillage(t testing.TB, fps, workers int, configure func(*System)) *village {
	t.Helper()
	world := arche.NewWorld()
	h := &village{w: &world, needs: &System{}}
	testworld.Install(h.w, resources.Options{FPS: fps, Seed: 1, Workers: workers, Map: testworld.Plain()})
	h.clock = ecs.Resource[frame.Clock](h.w)
	t.Cleanup(ecs.Resource[parallel.Workers](h.w).Close)
	var err error
	h.do, err = action.Register(ecs.Resource[aitree.Actions](h.w))
	require.NoError(t, err)
	if configure != nil {
		configure(h.needs)
	}
	h.needs.Initialize(h.w)
	return h
}

func (h *village) spawn(values ...any) components.Entity {
	var made components.Entity
	ecs.NewPrefab(h.w, values...).SpawnNow(h.w, 1, func(_ int, e components.Entity) { made = e })
	return made
}

func (h *village) villager(at components.Vec2, n components.Needs, more ...any) components.Entity {
	return h.spawn(append([]any{
		components.Transform{Position: at, Heading: components.Vec2{X: 1}}, components.Faction{ID: 1},
		components.Intent{},
		n, components.Engagement{},
	}, more...)...)
}

func (h *village) place(at components.Vec2, p components.Place) components.Entity {
	return h.spawn(components.Transform{Position: at}, p)
}

func (h *village) placeOf(e components.Entity) *components.Place {
	return ecs.Get[components.Place](h.w, e)
}

func (h *village) needsOf(e components.Entity) *components.Needs {
	return ecs.Get[components.Needs](h.w, e)
}

func (h *village) doing(e components.Entity) components.Activity {
	return ecs.Get[components.Engagement](h.w, e).Activity
}

// post gives an agent an act order, as the AI does: action 0 takes the order back.
func (h *village) post(e components.Entity, o components.Order) {
	order := h.order(e)
	o.Serial = order.Serial + 1
	*order = o
}

func (h *village) order(e components.Entity) *components.Order {
	return &ecs.Get[components.Intent](h.w, e).Orders[components.Act]
}

func (h *village) frames(n int) {
	for range n {
		h.clock.Advance()
		h.needs.Update(h.w)
	}
}

func (h *village) seconds(s int) { h.frames(s * h.clock.FPS) }

// steps lets a time pass in steps of a given length, the last of which may be shorter.
func (h *village) steps(time, step components.Timestamp) {
	for end := h.clock.Now + time; h.clock.Now < end; {
		h.clock.Set(min(h.clock.Now+step, end))
		h.needs.Update(h.w)
	}
}
