package resources_test

import (
	"runtime"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestInstallPutsTheResourcesInPlace(t *testing.T) {
	w := arche.NewWorld()
	install(&w, resources.Options{FPS: 30, Seed: 42, Workers: 3})
	workers := ecs.Resource[parallel.Workers](&w)
	t.Cleanup(workers.Close)
	assert.Equal(t, 3, workers.Count())
	assert.Equal(t, &frame.Clock{FPS: 30}, ecs.Resource[frame.Clock](&w))
	assert.Equal(t, frame.Seed(42), *ecs.Resource[frame.Seed](&w))
	assert.NotPanics(t, func() {
		ecs.Resource[ecs.Commands](&w).Queue(2)
		ecs.Resource[eventlist.Lists](&w).Wake(2, components.Entity{})
	}, "a queue and lists for each worker")
}

func TestInstallPutsInPlaceWhatTheHostGives(t *testing.T) {
	o := resources.Options{FPS: 60, Workers: 1, Map: space.NewMap(3, 3), Routes: &space.Routes{},
		Actions: aitree.NewActions(), HostPosition: hostPosition()}
	w := arche.NewWorld()
	install(&w, o)
	t.Cleanup(ecs.Resource[parallel.Workers](&w).Close)
	assert.Same(t, o.Map, ecs.Resource[space.Map](&w))
	assert.Same(t, o.Routes, ecs.Resource[space.Routes](&w))
	assert.Same(t, o.Actions, ecs.Resource[aitree.Actions](&w))
	assert.Same(t, o.HostPosition, ecs.Resource[frame.HostPosition](&w))
	assert.Same(t, o.Actions, ecs.Resource[ai.Trees](&w).Actions)

	bare := arche.NewWorld()
	install(&bare, resources.Options{FPS: 60, Workers: 1})
	t.Cleanup(ecs.Resource[parallel.Workers](&bare).Close)
	assert.False(t, bare.Resources().Has(arche.ResourceID[space.Map](&bare)), "open country")
	assert.False(t, bare.Resources().Has(arche.ResourceID[frame.HostPosition](&bare)))
	assert.NotNil(t, ecs.Resource[spatial.Grid](&bare))
	assert.NotNil(t, ecs.Resource[space.Routes](&bare))
	_, known := ecs.Resource[aitree.Actions](&bare).Lookup(action.Seek)
	assert.True(t, known, "the standard actions are registered")
}

// hostPosition names a position in a component of the host.
func hostPosition() *frame.HostPosition {
	type spot struct{ X, Y float32 }
	return &frame.HostPosition{
		X: blackboard.FloatFact("x", func(s *spot) *float32 { return &s.X }, 0),
		Y: blackboard.FloatFact("y", func(s *spot) *float32 { return &s.Y }, 0),
	}
}

func TestInstallTakesAllProcessorsUnlessTold(t *testing.T) {
	w := arche.NewWorld()
	install(&w, resources.Options{FPS: 60})
	workers := ecs.Resource[parallel.Workers](&w)
	t.Cleanup(workers.Close)
	assert.Equal(t, runtime.GOMAXPROCS(0), workers.Count())
}

func TestInstallRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		options resources.Options
		message string
	}{
		{"no frame rate", resources.Options{}, "0 frames per second; use 1 to 65535"},
		{"workers", resources.Options{FPS: 60, Workers: -1}, "-1 workers; use 1 to 1024, or 0 for one per processor"},
	} {
		w := arche.NewWorld()
		assert.EqualError(t, resources.Install(&w, c.options), c.message, c.name)
		assert.Empty(t, arche.ResourceIDs(&w), "%s: nothing partial is left", c.name)
	}
	w := arche.NewWorld()
	arche.AddResource(&w, &frame.Clock{})
	assert.PanicsWithValue(t, "systems: Install: the world already has a *frame.Clock",
		func() { install(&w, resources.Options{FPS: 60}) })
	w = arche.NewWorld()
	arche.AddResource(&w, space.NewMap(2, 2))
	assert.PanicsWithValue(t, "systems: Install: the world already has a *space.Map",
		func() { install(&w, resources.Options{FPS: 60, Map: space.NewMap(2, 2)}) })
	w = arche.NewWorld()
	arche.AddResource(&w, hostPosition())
	assert.PanicsWithValue(t, "systems: Install: the world already has a *frame.HostPosition",
		func() { install(&w, resources.Options{FPS: 60, HostPosition: hostPosition()}) })
	w = arche.NewWorld()
	actions := aitree.NewActions()
	_, err := actions.RegisterTrigger(action.Seek)
	require.NoError(t, err)
	assert.Error(t, resources.Install(&w, resources.Options{FPS: 60, Actions: actions}), "an action of another kind")
	assert.Error(t, resources.Install(&w, resources.Options{FPS: 60, HostPosition: &frame.HostPosition{}}))
	assert.False(t, w.Resources().Has(arche.ResourceID[frame.Clock](&w)), "nothing partial is left")
}

func TestCommandSystemAppliesWhatTheFrameQueued(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: the world has no *ecs.Commands; call systems.Install, or add a resource of "+
		"your own with arche's AddResource",
		func() { (&frame.CommandSystem{}).Initialize(&w) })
	install(&w, resources.Options{FPS: 60, Workers: 1})
	var system ecs.System = &frame.CommandSystem{}
	system.Initialize(&w)
	var agent components.Entity
	ecs.NewPrefab(&w, components.Transform{}).SpawnNow(&w, 1, func(_ int, e components.Entity) { agent = e })
	ecs.Resource[ecs.Commands](&w).Queue(0).Remove(agent, agent)
	assert.True(t, ecs.Alive(&w, agent))
	system.Update(&w)
	assert.False(t, ecs.Alive(&w, agent))
	system.Finalize(&w)

	alone := arche.NewWorld()
	arche.AddResource(&alone, ecs.NewCommands(1))
	system = &frame.CommandSystem{}
	system.Initialize(&alone)
	assert.NotPanics(t, func() { system.Update(&alone) }, "in a world with commands alone")
}

// install puts the resources into a world, and panics when it cannot.
func install(w *arche.World, o resources.Options) {
	if err := resources.Install(w, o); err != nil {
		panic(err)
	}
}
