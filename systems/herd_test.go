package systems_test

import (
	"math/bits"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/combat"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/needs"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// newHerd installs a herd in a new world.
func newHerd(t testing.TB, o systems.Options) *systems.Herd {
	t.Helper()
	w := arche.NewWorld()
	herd, err := systems.Install(&w, o)
	require.NoError(t, err)
	t.Cleanup(herd.Close)
	return herd
}

func addTree(t testing.TB, h *systems.Herd, name string, root *aitree.Node) ai.Tree {
	t.Helper()
	tree, err := h.AddTree(name, root)
	require.NoError(t, err)
	return tree
}

// spawn makes agents side by side, 4 m apart.
func spawn(h *systems.Herd, n int, p *ecs.Prefab) (agents []components.Entity) {
	p.SpawnNow(h.World(), n, func(i int, e components.Entity) {
		if at := ecs.Get[components.Transform](h.World(), e); at != nil {
			at.Position = components.Vec2{X: 4 + 4*float32(i%10), Y: 4 + 4*float32(i/10)}
		}
		agents = append(agents, e)
	})
	return agents
}

func TestInstallReportsOptionsThatAreOutOfRangeAndLeavesNothing(t *testing.T) {
	taken := aitree.NewActions()
	_, err := taken.Register(action.Strike, components.Move)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		options systems.Options
		want    string
	}{
		"FPS": {systems.Options{FPS: -1}, "systems: Install: -1 frames per second; use 1 to 65535"},
		"large": {systems.Options{FPS: 65536},
			"systems: Install: 65536 frames per second; use 1 to 65535"},
		"workers": {systems.Options{Workers: -2},
			"systems: Install: -2 workers; use 1 to 1024, or 0 for one per processor"},
		"actions": {systems.Options{Actions: taken},
			`systems: Install: action: standard actions: aitree: action "strike" is ` +
				`registered for channel move already, not as a trigger`},
	} {
		w := arche.NewWorld()
		_, err := systems.Install(&w, c.options)
		assert.EqualError(t, err, c.want, name)
		assert.Empty(t, arche.ResourceIDs(&w), name)
	}
}

func TestInstallPanicsWithoutAWorldAndInOneThatHasAHerd(t *testing.T) {
	assert.PanicsWithValue(t, "systems: Install: the world is nil; pass a pointer to the result of arche's NewWorld",
		func() { _, _ = systems.Install(nil, systems.Options{}) })
	h := newHerd(t, systems.Options{})
	assert.PanicsWithValue(t, "systems: Install: the world already has a *frame.Clock",
		func() { _, _ = systems.Install(h.World(), systems.Options{}) })
}

func TestTheZeroOptionsAreSixtyFramesPerSecondInOpenCountry(t *testing.T) {
	h := newHerd(t, systems.Options{})
	assert.Equal(t, 60, h.Clock.FPS)
	assert.Nil(t, h.Map)
	assert.Zero(t, h.Routes.Len())
	h.Step()
	assert.EqualValues(t, time.Second/60, h.Clock.Now)
}

// The default frame is the one that DESIGN and the package's documentation describe.
func TestTheDefaultFrameRunsTheStepsInOrder(t *testing.T) {
	h := newHerd(t, systems.Options{})
	type step struct {
		stage  systems.Stage
		system ecs.System
	}
	var order []step
	h.Replace(func(stage systems.Stage, s ecs.System) ecs.System {
		order = append(order, step{stage, s})
		return s
	})
	h.Step()
	want := []step{
		{systems.LODStage, &lod.System{}},
		{systems.PerceptionStage, &spatial.GridSystem{}}, {systems.PerceptionStage, &perception.System{}},
		{systems.PerceptionStage, &needs.System{}},
		{systems.AIStage, &ai.System{}},
		{systems.ActionStage, &movement.System{}}, {systems.ActionStage, &combat.System{}},
		{systems.CommandStage, &frame.CommandSystem{}},
	}
	require.Len(t, order, len(want))
	for i := range want {
		assert.Equal(t, want[i].stage, order[i].stage)
		assert.IsType(t, want[i].system, order[i].system)
	}
}

func TestInsertedSystemsRunBesideTheirStageInTheOrderOfInsertion(t *testing.T) {
	h := newHerd(t, systems.Options{})
	var order []string
	say := func(word string) ecs.System {
		return ecs.SystemFunc(func(*arche.World) { order = append(order, word) })
	}
	h.Replace(func(stage systems.Stage, s ecs.System) ecs.System {
		if _, inserted := s.(ecs.SystemFunc); inserted {
			return s
		}
		return say(stage.String())
	})
	h.After(systems.AIStage, say("after ai 1"))
	h.After(systems.AIStage, say("after ai 2"))
	h.Before(systems.AIStage, say("before ai"))
	h.Before(systems.LODStage, say("first"))
	h.After(systems.CommandStage, say("last"))
	h.Combat, h.Needs = nil, nil // two steps that are left out
	h.Step()
	assert.Equal(t, []string{"first", "lod", "perception", "perception", "before ai", "ai", "after ai 1", "after ai 2",
		"actions", "commands", "last"}, order)
}

func TestTheFrameCannotBeChangedOnceItHasBegun(t *testing.T) {
	h := newHerd(t, systems.Options{})
	nothing := ecs.SystemFunc(func(*arche.World) {})
	assert.PanicsWithValue(t, "systems: Herd.Before(ai) of a nil system", func() { h.Before(systems.AIStage, nil) })
	assert.PanicsWithValue(t, "systems: Herd.After: there is no stage 9; use LODStage to CommandStage",
		func() { h.After(9, nothing) })
	h.Step()
	assert.PanicsWithValue(t, "systems: Herd.After after the first frame has begun; change the frame before Step",
		func() { h.After(systems.AIStage, nothing) })
	assert.PanicsWithValue(t, "systems: Herd.Replace after the first frame has begun; change the frame before Step",
		func() { h.Replace(nil) })
}

func TestObserveIsToldTheStagesOfEachFrame(t *testing.T) {
	h := newHerd(t, systems.Options{})
	seen := map[systems.Stage]int{}
	h.Observe(func(stage systems.Stage, took time.Duration) {
		seen[stage]++
		assert.GreaterOrEqual(t, took, time.Duration(0))
	})
	h.Step()
	h.Step()
	h.Observe(nil)
	h.Step()
	assert.Equal(t, map[systems.Stage]int{systems.LODStage: 2, systems.PerceptionStage: 6, systems.AIStage: 2,
		systems.ActionStage: 4, systems.CommandStage: 2}, seen)
	assert.Equal(t, []systems.Stage{systems.LODStage, systems.PerceptionStage, systems.AIStage, systems.ActionStage,
		systems.CommandStage}, systems.Stages())
}

func TestAHostMovesTheClock(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 10, HostClock: true})
	h.StepTo(70 * time.Millisecond)
	h.StepTo(70 * time.Millisecond)
	assert.Zero(t, h.Clock.Step)
	h.StepTo(200 * time.Millisecond)
	assert.EqualValues(t, 130*time.Millisecond, h.Clock.Step)
	assert.EqualValues(t, 3, h.Clock.Frame)
	assert.PanicsWithValue(t, "systems: Herd.Step with Options.HostClock; call StepTo with the host's time", h.Step)
	assert.Panics(t, func() { h.StepTo(100 * time.Millisecond) }, "back in time")
	own := newHerd(t, systems.Options{})
	assert.PanicsWithValue(t, "systems: Herd.StepTo without Options.HostClock; set it, or call Step",
		func() { own.StepTo(time.Second) })
}

func TestAHerdIsASystemOfItsOwnWorldAlone(t *testing.T) {
	h := newHerd(t, systems.Options{})
	other := arche.NewWorld()
	for method, f := range map[string]func(*arche.World){
		"Initialize": h.Initialize, "Update": h.Update, "Finalize": h.Finalize,
	} {
		assert.PanicsWithValue(t, "systems: Herd."+method+" of another world than the one of Install",
			func() { f(&other) })
	}
	assert.PanicsWithValue(t, "systems: Herd.Update before Initialize; call Step, which initialises the systems",
		func() { h.Update(h.World()) })
	h.Initialize(h.World())
	h.Update(h.World())
	h.Finalize(h.World())
	assert.PanicsWithValue(t, "systems: Herd.Update after Close or Finalize", func() { h.Update(h.World()) })
	h.Close()
	h.Close()
}

func TestAdoptGivesWhatEntitiesLackAndKeepsWhatTheyHave(t *testing.T) {
	type sheep struct{ Wool float32 }
	h := newHerd(t, systems.Options{Workers: 1})
	id, transform := arche.ComponentID[sheep](h.World()), arche.ComponentID[components.Transform](h.World())
	arche.NewBuilder(h.World(), id).NewBatch(3)
	placed := h.World().NewEntity(id, transform)
	(*components.Transform)(h.World().Get(placed, transform)).Position = components.Vec2{X: 7, Y: 8}
	h.World().NewEntity(transform) // not a sheep
	graze := addTree(t, h, "graze", aitree.Do(action.Wander))

	assert.Equal(t, 4, h.Adopt(arche.All(id), graze, systems.Walker(0.4, 1)))
	at := ecs.Get[components.Transform](h.World(), ecs.FromArche(placed))
	assert.Equal(t, components.Vec2{X: 7, Y: 8}, at.Position)
	assert.Zero(t, at.Heading, "the values that an entity has stay")
	for q := h.World().Query(arche.All(id)); q.Next(); {
		e := ecs.FromArche(q.Entity())
		assert.Equal(t, components.Body{Radius: 0.4, Speed: 1}, *ecs.Get[components.Body](h.World(), e))
		assert.NotNil(t, ecs.Get[components.Mind64](h.World(), e))
	}
	for range 7 {
		h.Step()
	}
	assert.GreaterOrEqual(t, h.AI.Stats().Decisions, int64(4))
}

func TestAdoptSwapsTheTreeOfWhoHasOne(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	var exits []aitree.Exit
	old := addTree(t, h, "old", aitree.Do(action.Wander).
		OnExit(func(_ components.Entity, how aitree.Exit) { exits = append(exits, how) }))
	entered := 0
	fresh := addTree(t, h, "new", aitree.Do(action.Stand).OnEnter(func(components.Entity) { entered++ }))
	agents := spawn(h, 5, h.Prefab(old, systems.Walker(0.3, 1)))
	for range 7 {
		h.Step()
	}
	assert.Equal(t, 5, h.Adopt(arche.All(arche.ComponentID[components.Body](h.World())), fresh))
	for range 8 {
		h.Step()
	}
	assert.Len(t, exits, 5)
	assert.Equal(t, 5, entered)
	for _, how := range exits {
		assert.Equal(t, aitree.Aborted, how)
	}
	h.Swap(agents[0], old)
	h.World().RemoveEntity(ecs.ToArche(agents[0])) // dead before the end of the frame
	assert.NotPanics(t, h.Step)
}

func TestSwapExchangesMindsOfDifferentSizes(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	cooldowns := make([]*aitree.Node, 20) // each has a word of its own, so 14 do not suffice
	for i := range cooldowns {
		cooldowns[i] = aitree.Cooldown(time.Second, aitree.Do(action.Stand))
	}
	small := addTree(t, h, "small", aitree.Do(action.Stand))
	large := addTree(t, h, "large", aitree.Selector(cooldowns...))
	agent := spawn(h, 1, h.Prefab(small, systems.Walker(0.3, 1)))[0]
	h.Step()
	h.Swap(agent, large)
	h.Step()
	assert.Nil(t, ecs.Get[components.Mind64](h.World(), agent))
	assert.NotNil(t, ecs.Get[components.Mind128](h.World(), agent))
	assert.PanicsWithValue(t, "ai: no tree has number 77; there are 2", func() { h.Swap(agent, 77) })
}

func TestACustomLeafSwapsTreesWhateverTheWorkers(t *testing.T) {
	run := func(workers int) uint64 {
		h := newHerd(t, systems.Options{Workers: workers})
		var fires ai.Tree
		doubt := addTree(t, h, "doubt", aitree.Leaf("make up my mind", func(c *blackboard.Context) (_, running uint64) {
			for m := c.Mask; m != 0; m &= m - 1 {
				e := c.Entities[bits.TrailingZeros64(m)]
				h.QueueSwap(c.User.(*ecs.Queue), e, e, fires)
			}
			return 0, c.Mask
		}))
		fires = addTree(t, h, "fires", aitree.Sequence(aitree.Fire(action.Shout), aitree.Do(action.Stand)))
		agents := spawn(h, 3000, h.Prefab(doubt, systems.Walker(0.3, 1)))
		for range 16 {
			h.Step()
		}
		for _, e := range agents {
			require.EqualValues(t, fires, mindlayout.Program(ecs.Get[components.Mind64](h.World(), e).Words[:]))
			require.NotZero(t, ecs.Get[components.Intent](h.World(), e).Orders[components.Move].Action, "it runs")
		}
		return ecs.Hash(h.World())
	}
	assert.Equal(t, run(1), run(3))
}

func TestPartsOfAPrefabOverrideEarlierOnes(t *testing.T) {
	h := newHerd(t, systems.Options{})
	tree := addTree(t, h, "t", aitree.Fire(action.Strike))
	agent := spawn(h, 1, h.Prefab(tree, systems.Walker(0.3, 1), systems.Bundle{systems.Fighter(2, 50)},
		components.Body{Radius: 1}, systems.Perceiver(components.Senses{Sight: 9})))[0]
	assert.Equal(t, components.Body{Radius: 1}, *ecs.Get[components.Body](h.World(), agent))
	assert.Equal(t, uint8(2), ecs.Get[components.Faction](h.World(), agent).ID)
	assert.PanicsWithValue(t, "systems: Herd.Prefab: a part is nil; use component values and bundles",
		func() { h.Prefab(tree, nil) })
	assert.PanicsWithValue(t, "systems: Herd.Prefab: a part is a components.Mind64; the tree's mind is added anyway",
		func() { h.Prefab(tree, components.Mind64{}) })
}

func TestAddTreeReportsWhatIsWrong(t *testing.T) {
	h := newHerd(t, systems.Options{})
	_, err := h.AddTree("t", aitree.Do("fly"))
	assert.ErrorContains(t, err, `unknown action "fly"`)
	addTree(t, h, "t", aitree.Do(action.Stand))
	_, err = h.AddTree("t", aitree.Do(action.Stand))
	assert.EqualError(t, err, `ai: a tree named "t" is registered already; names must differ`)
	assert.Equal(t, 1, h.Trees.Len())
}

func TestObserversAreMoved(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 60, Workers: 1})
	tree := addTree(t, h, "t", aitree.Do(action.Stand))
	spawn(h, 1, h.Prefab(tree, systems.Walker(0.3, 1)))
	h.SetObservers(components.Vec2{X: 1000, Y: 1000})
	for range 60 {
		h.Step()
	}
	far := h.AI.Stats().Decisions
	h.SetObservers(components.Vec2{X: 4, Y: 4})
	for range 60 {
		h.Step()
	}
	assert.LessOrEqual(t, far, int64(1), "beyond the last tier it is frozen")
	assert.GreaterOrEqual(t, h.AI.Stats().Decisions-far, int64(9))
}

func TestParallelRunsEachTaskAndRaisesTheirPanics(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 2})
	ran := make([]int, 100)
	h.Parallel(len(ran), func(_, task int) { ran[task]++ })
	for _, n := range ran {
		assert.Equal(t, 1, n)
	}
	defer func() {
		failed, ok := recover().(*systems.TaskPanic)
		require.True(t, ok)
		assert.Equal(t, 3, failed.Task)
	}()
	h.Parallel(10, func(_, task int) {
		if task == 3 {
			panic("three")
		}
	})
}

// The handle's frame does what the same systems do in a schedule made by hand.
func TestTheDefaultFrameEqualsAScheduleMadeByHand(t *testing.T) {
	run := func(byHand bool) uint64 {
		h := newHerd(t, systems.Options{FPS: 30, Seed: 3, Workers: 2, Map: space.NewMap(64, 64)})
		tree := addTree(t, h, "t", aitree.Sequence(
			aitree.ForceSuccess(aitree.Timeout(time.Second,
				aitree.Do(action.Wander))), aitree.WaitBetween(100*time.Millisecond, 500*time.Millisecond)))
		spawn(h, 100, h.Prefab(tree, systems.Walker(0.3, 2), components.Faction{ID: 1}))
		if !byHand {
			for range 90 {
				h.Step()
			}
			return ecs.Hash(h.World())
		}
		schedule := ecs.NewSchedule(&frame.ClockSystem{}, &lod.System{}, &perception.System{}, &ai.System{},
			&movement.System{}, &frame.CommandSystem{})
		schedule.Initialize(h.World())
		for range 90 {
			schedule.Update(h.World())
		}
		schedule.Finalize(h.World())
		return ecs.Hash(h.World())
	}
	assert.Equal(t, run(true), run(false))
}

func TestASwappedTreeBringsTheComponentsThatItNeeds(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	plain := addTree(t, h, "plain", aitree.Wait(time.Second))
	fires := addTree(t, h, "fires", aitree.Sequence(aitree.Fire(action.Shout), aitree.Do(action.Stand)))
	agent := spawn(h, 1, h.Prefab(plain, systems.Walker(0.3, 1)))[0]
	adopted := spawn(h, 1, h.Prefab(plain, components.Home{}))[0]
	bare := ecs.FromArche(h.World().NewEntity())
	h.Step()
	h.Swap(agent, fires)
	h.Swap(bare, fires)
	assert.Equal(t, 1, h.Adopt(arche.All(arche.ComponentID[components.Home](h.World())), fires))
	for range 8 {
		h.Step()
	}
	for _, e := range []components.Entity{agent, adopted, bare} {
		order := ecs.Get[components.Intent](h.World(), e).Orders[components.Move]
		assert.NotZero(t, order.Action, "it runs the new tree")
	}
	assert.PanicsWithValue(t, "systems: Herd.Prefab: a part is a function; call it, as in Walker(0.3, 2)",
		func() { h.Prefab(plain, systems.Walker) })
}

func TestAdoptCompletesEntitiesThatHaveATree(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	plain := addTree(t, h, "plain", aitree.Wait(time.Second))
	walks := addTree(t, h, "walks", aitree.Sequence(aitree.Fire(action.Shout), aitree.Do(action.Wander)))
	spawn(h, 10, h.Prefab(plain, components.Home{}))
	all := arche.All(arche.ComponentID[components.Home](h.World()))
	assert.Equal(t, 10, h.Adopt(all, walks, systems.Walker(0.3, 1)))
	for range 8 {
		h.Step()
	}
	q := h.World().Query(all)
	assert.Equal(t, 10, q.Count())
	for q.Next() {
		assert.NotNil(t, ecs.Get[components.Body](h.World(), ecs.FromArche(q.Entity())))
	}
	assert.PanicsWithValue(t,
		"systems: Herd.Adopt of a nil filter; use arche.All(ids…), or a filter of package generic",
		func() { h.Adopt(nil, walks) })
	assert.False(t, h.World().IsLocked())
}

func TestAFrameCannotBeRunClosedOrAdoptedInsideAFrame(t *testing.T) {
	for message, act := range map[string]func(*systems.Herd, ai.Tree){
		"systems: a frame inside a frame; hooks and systems must not call Step, StepTo or Update": func(h *systems.Herd,
			_ ai.Tree) {
			h.Step()
		},
		"systems: Herd.Close or Finalize inside a frame; call it between frames": func(h *systems.Herd, _ ai.Tree) {
			h.Close()
		},
		"systems: Herd.Adopt inside a frame; call it between frames": func(h *systems.Herd, tree ai.Tree) {
			h.Adopt(arche.All(), tree)
		},
	} {
		h := newHerd(t, systems.Options{Workers: 1})
		tree := addTree(t, h, "t", aitree.Do(action.Stand))
		inside := true
		h.After(systems.AIStage, ecs.SystemFunc(func(*arche.World) {
			if inside {
				act(h, tree)
			}
		}))
		assert.PanicsWithValue(t, message, h.Step)
		inside = false
		assert.NotPanics(t, h.Step, "the next frame runs")
	}
}

// broken is a system that cannot be initialised.
type broken struct{ *systems.Herd }

func (broken) Initialize(*arche.World) { panic("broken") }

func TestASystemThatCannotBeInitialisedLeavesTheHerdAsItWas(t *testing.T) {
	h := newHerd(t, systems.Options{})
	h.After(systems.AIStage, broken{})
	for range 2 {
		assert.PanicsWithValue(t, "broken", h.Step)
	}
	var none *lod.System
	assert.PanicsWithValue(t, "systems: Herd.Before(lod) of a nil system", func() { h.Before(systems.LODStage, none) })
	assert.PanicsWithValue(t, "systems: Herd.Before(lod) of the herd itself",
		func() { h.Before(systems.LODStage, h) })
	assert.PanicsWithValue(t, "systems: Herd.Step of a Herd that was not made by Install", (&systems.Herd{}).Step)
	other := newHerd(t, systems.Options{})
	other.Step()
	assert.PanicsWithValue(t,
		"systems: Herd.Initialize after the first frame has begun; it is called once, by Step or by the host",
		func() { other.Initialize(other.World()) })
}
