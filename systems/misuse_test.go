package systems_test

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

func TestMisuseOfAHerdSaysWhatIsRight(t *testing.T) {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 2})
	require.NoError(t, err)
	defer herd.Close()
	tree, err := herd.AddTree("stand", aitree.Do(action.Stand))
	require.NoError(t, err)
	var e components.Entity
	for want, use := range map[string]func(){
		"systems: Herd.Prefab: a part is a int; parts are component structs and bundles": func() {
			herd.Prefab(tree, 5)
		},
		"frame: Events of worker 99; there are 2, numbered from 0: pass the number that a worker gets": func() {
			herd.Events.Hurt(99, e, e, 1)
		},
		"frame: Events that are not a world's; use those of Herd.Events, which systems.Install makes": func() {
			new(frame.Events).Wake(0, e)
		},
	} {
		func() {
			defer func() { assert.Contains(t, recover(), want[:60]) }()
			use()
		}()
	}
	none, err := herd.Trees.Add(&aitree.Program{})
	assert.Error(t, err)
	assert.Zero(t, none)
}

func TestAHerdThatWasNotInstalledSaysSo(t *testing.T) {
	var h *systems.Herd
	var e components.Entity
	for method, use := range map[string]func(){
		"AddAction": func() { _ = h.AddAction(nil) },
		"QueueSwap": func() { h.QueueSwap(nil, e, e, 1) },
		"Close":     func() { h.Close() },
		"Parallel":  func() { h.Parallel(1, func(int, int) {}) },
		"After":     func() { h.After(systems.LODStage, &frame.ClockSystem{}) },
		"Before":    func() { h.Before(systems.LODStage, &frame.ClockSystem{}) },
	} {
		assert.PanicsWithValue(t, "systems: Herd."+method+" of a Herd that was not made by Install", use)
	}
}

func TestThereIsNoStageAfterTheLast(t *testing.T) {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	require.NoError(t, err)
	defer herd.Close()
	assert.NotPanics(t, func() { herd.After(systems.CommandStage, &frame.ClockSystem{}) })
	assert.Panics(t, func() { herd.After(systems.CommandStage+1, &frame.ClockSystem{}) })
}

func TestAClosedHerdHasNoWorkers(t *testing.T) {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 2})
	require.NoError(t, err)
	herd.Close()
	assert.PanicsWithValue(t, "parallel: Workers.Run after Close", func() { herd.Parallel(1, func(int, int) {}) })
	assert.NotPanics(t, herd.Close, "once more")
}

func TestOptionsOutOfRangeAreErrors(t *testing.T) {
	for want, o := range map[string]systems.Options{
		"systems: Install: 5000 workers; use 1 to 1024, or 0 for one per processor": {Workers: 5000},
	} {
		world := arche.NewWorld()
		_, err := systems.Install(&world, o)
		assert.EqualError(t, err, want)
	}
	world := arche.NewWorld()
	_, err := systems.Install(&world, systems.Options{FPS: 1_000_001})
	assert.ErrorContains(t, err, "frames per second; use 1 to")
	err = lod.Config{Every: math.MaxInt32}.Validate()
	assert.ErrorContains(t, err, "lod: Config.Every is 2147483647")
}

// Every system says when it is updated out of order.
func TestSystemsSayWhenTheyAreUpdatedOutOfOrder(t *testing.T) {
	world, other := arche.NewWorld(), arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	require.NoError(t, err)
	defer herd.Close()
	for _, s := range []ecs.System{
		herd.LOD, herd.Perception, herd.Needs, herd.AI, herd.Movement, herd.Combat,
		&frame.ClockSystem{}, &frame.CommandSystem{},
	} {
		func() {
			defer func() { assert.Contains(t, recover(), "Update before Initialize", "%T", s) }()
			s.Update(&world)
		}()
		s.Initialize(&world)
		func() {
			defer func() { assert.Contains(t, recover(), "another world", "%T", s) }()
			s.Update(&other)
		}()
		s.Finalize(&world)
		func() {
			defer func() { assert.Contains(t, recover(), "after Finalize", "%T", s) }()
			s.Update(&world)
		}()
	}
}

// A system that is initialised again, or finalised, leaves no filter behind in the cache of the world.
func TestSystemsReleaseTheirColumns(t *testing.T) {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	require.NoError(t, err)
	defer herd.Close()
	rob := action.NewDurative("rob", components.Act, action.Steps[components.Home]{})
	for _, s := range []ecs.System{
		herd.LOD, herd.Perception, herd.Needs, herd.AI, herd.Movement, herd.Combat, rob,
	} {
		s.Initialize(&world)
		once := world.Stats().CachedFilters
		s.Initialize(&world)
		assert.Equal(t, once, world.Stats().CachedFilters, "%T", s)
		s.Finalize(&world)
		s.Initialize(&world)
		assert.Equal(t, once, world.Stats().CachedFilters, "%T", s)
		s.Finalize(&world)
	}
}
