package frame_test

import (
	"slices"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
)

func install(t *testing.T, workers int) *systems.Herd {
	t.Helper()
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: workers})
	require.NoError(t, err)
	t.Cleanup(herd.Close)
	return herd
}

// An agent fires as often in a tick as its tree says, and an action's system gets all of it in order.
func TestATickFiresWithoutALimit(t *testing.T) {
	herd := install(t, 2)
	for _, name := range []string{"bark", "howl"} {
		_, err := herd.Actions.RegisterTrigger(name)
		require.NoError(t, err)
	}
	_, err := herd.Actions.Register("dig", components.Act)
	require.NoError(t, err)
	var leaves []*aitree.Node
	for i := range 9 { // a Do without until never ends in the tick that enters it
		leaves = append(leaves, aitree.Fire("bark", aitree.NumberOf(0, float32(i))), aitree.Do("dig"))
	}
	_, err = aitree.Build("alternating", herd.Actions, aitree.Sequence(leaves...))
	require.NoError(t, err)

	leaves = leaves[:0]
	for i := range 9 {
		leaves = append(leaves, aitree.Fire("bark", aitree.NumberOf(0, float32(i))), aitree.Fire("howl"))
	}
	program, err := aitree.Build("noisy", herd.Actions, aitree.Sequence(leaves...))
	require.NoError(t, err)
	tree, err := herd.Trees.Add(program)
	require.NoError(t, err)
	herd.Prefab(tree).SpawnNow(herd.World(), 100, nil)
	bark, _ := herd.Actions.Lookup("bark")
	howl, _ := herd.Actions.Lookup("howl")
	total := 0
	for range 6 { // at ten decisions a second each agent decides in one of six frames
		herd.Step()
		barks := slices.Clone(herd.Triggers.Take(bark))
		total += len(barks)
		require.Zero(t, len(barks)%9)
		for i, trigger := range barks {
			agent := barks[i/9*9].Agent
			assert.Equal(t, components.Trigger{Agent: agent, Number: float32(i % 9), Action: bark}, trigger)
			assert.True(t, i%9 > 0 || i == 0 || barks[i-1].Agent.Less(agent))
		}
		assert.Len(t, herd.Triggers.Take(howl), len(barks))
		assert.Empty(t, herd.Triggers.Take(bark), "taken")
	}
	assert.Equal(t, 900, total)
}

func TestTriggersComeInTheOrderOfAgentsWhateverTheWorkers(t *testing.T) {
	run := func(workers int) (all []components.Trigger) {
		herd := install(t, workers)
		for range 20 {
			herd.Step()
			for stage := range 2 {
				herd.Parallel(50, func(worker, task int) {
					draw := random.Below(random.Mix(uint64(task), 9), 1000)
					agent := components.Entity{Index: draw*50 + uint32(task)}
					for k := range 1 + task%3 {
						herd.Triggers.Fire(worker, components.Trigger{
							Agent: agent, Number: float32(stage*10 + k), Action: components.Action(70 + k%2),
						})
					}
				})
				// A take of one action leaves what has been fired of the other, and its order.
				all = append(all, herd.Triggers.Take(70)...)
			}
			all = append(all, herd.Triggers.Take(71)...)
		}
		return all
	}
	one := run(1)
	require.NotEmpty(t, one)
	ordered := 0
	for i := 1; i < len(one); i++ {
		if a, b := one[i-1], one[i]; a.Action == 71 && b.Action == 71 {
			order := a.Agent.Compare(b.Agent)
			require.True(t, order < 0 || order == 0 && a.Number < b.Number, "%v before %v", a, b)
			ordered++
		}
	}
	require.Greater(t, ordered, 500)
	for _, workers := range []int{2, 5} {
		assert.Equal(t, one, run(workers))
	}
}

func TestTriggersThatNobodyTakesAreForgotten(t *testing.T) {
	herd := install(t, 1)
	fire := func(agent uint32, action components.Action) {
		herd.Triggers.Fire(0, components.Trigger{Agent: components.Entity{Index: agent}, Action: action})
	}
	herd.Step()
	fire(1, 70)
	fire(1, 71)
	herd.Step()
	herd.Triggers.Take(70) // so 71 has been merged, a frame after it was fired
	herd.Step()
	assert.Len(t, herd.Triggers.Take(71), 1, "after two frames it is still there")
	fire(2, 71)
	fire(2, 72)
	herd.Triggers.Take(70)
	for range 3 {
		herd.Step()
	}
	fire(3, 72)
	assert.Empty(t, herd.Triggers.Take(71))
	assert.Equal(t, []components.Trigger{{Agent: components.Entity{Index: 3}, Action: 72}}, herd.Triggers.Take(72))
	assert.Empty(t, herd.Triggers.Take(65535), "of an action that nobody fires")
}

// A world in which nobody takes the triggers of an action does not grow.
func TestForgottenTriggersTakeNoMemory(t *testing.T) {
	herd := install(t, 1)
	trigger := components.Trigger{Agent: components.Entity{Index: 1}, Action: 70}
	frame := func() {
		for range 100 {
			herd.Triggers.Fire(0, trigger)
		}
		herd.Step()
	}
	for range 20 {
		frame()
	}
	assert.Zero(t, testing.AllocsPerRun(200, frame))
}

func TestAWorkerThatDoesNotExistCannotFire(t *testing.T) {
	herd := install(t, 2)
	assert.PanicsWithValue(t, "frame: Events of worker 2; there are 2, numbered from 0: pass the number that "+
		"Herd.Parallel or a context gives, or 0 on the goroutine that owns the world",
		func() { herd.Triggers.Fire(2, components.Trigger{Action: 70}) })
}
