package systems_test

import (
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
)

// pausable is a brawl of two factions whose agents chase and strike each other.
func pausable(t *testing.T) (*systems.Herd, *arche.World) {
	t.Helper()
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 30, Seed: 5, Workers: 2, HostClock: true})
	require.NoError(t, err)
	t.Cleanup(herd.Close)
	tree, err := herd.AddTree("brawler", aitree.Parallel(aitree.All, aitree.All,
		aitree.Repeat(0, aitree.ForceSuccess(aitree.Do(action.Seek, aitree.Target(fact.Target)))),
		aitree.Repeat(0, aitree.ForceSuccess(aitree.Sequence(aitree.Wait(200*time.Millisecond),
			aitree.Fire(action.Strike, aitree.Target(fact.Target), aitree.NumberOf(0, 1)))))))
	require.NoError(t, err)
	herd.Prefab(tree, systems.Walker(0.3, 2), systems.Fighter(1, 50), components.Needs{},
		systems.Perceiver(components.Senses{Sight: 30, Lose: 40, Cone: -1, Hearing: 1, Memory: 5}),
	).SpawnNow(&world, 40, func(i int, e components.Entity) {
		ecs.Get[components.Faction](&world, e).ID = uint8(1 + i%2)
		ecs.Get[components.Transform](&world, e).Position = components.Vec2{X: float32(i%8) * 1.5, Y: float32(i / 8)}
	})
	return herd, &world
}

func TestWhereNoTimePassesNothingHappens(t *testing.T) {
	herd, world := pausable(t)
	now := time.Duration(0)
	run := func(frames int, step time.Duration) {
		for range frames {
			now += step
			herd.StepTo(now)
		}
	}
	run(60, time.Second/30)
	before := ecs.Hash(world)
	run(300, 0)
	assert.Equal(t, before, ecs.Hash(world), "300 frames at one instant")
	run(60, time.Second/30)
	assert.NotEqual(t, before, ecs.Hash(world))

	// A run with the pause ends as one without.
	other, otherWorld := pausable(t)
	for i := range 120 {
		other.StepTo(time.Duration(i+1) * (time.Second / 30))
	}
	assert.Equal(t, ecs.Hash(otherWorld), ecs.Hash(world))
}

// What is raised while the clock is paused is served when time goes on.
func TestDamageOfAPauseIsDealtAfterIt(t *testing.T) {
	herd, world := pausable(t)
	herd.StepTo(time.Second)
	var victim components.Entity
	for q := world.Query(arche.All(arche.ComponentID[components.Health](world))); q.Next(); {
		victim = ecs.FromArche(q.Entity())
	}
	health := func() int32 { return ecs.Get[components.Health](world, victim).Current }
	full := health()
	herd.Events.Hurt(0, components.Entity{}, victim, 7)
	for range 10 {
		herd.StepTo(time.Second)
	}
	assert.Equal(t, full, health())
	herd.StepTo(time.Second + time.Second/30)
	assert.LessOrEqual(t, health(), full-7)
}
