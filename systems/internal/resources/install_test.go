package resources_test

import (
	"runtime"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
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
}

// install puts the resources into a world, and panics when it cannot.
func install(w *arche.World, o resources.Options) {
	if err := resources.Install(w, o); err != nil {
		panic(err)
	}
}
