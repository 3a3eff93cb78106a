package main

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
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/needs"
)

// A bee nurses to its 17th day. It learns on the day after a trip that it is over; the cooldown begins then.
func TestABeeMakesATripOnEveryFourthDay(t *testing.T) {
	diary, honey := run(14)
	assert.Equal(t, []string{"nurse", "nurse", "forage", "rest", "rest", "rest", "forage", "rest", "rest", "rest",
		"forage", "rest", "rest", "rest"}, diary)
	// Bees that are k days younger begin k days later: four ages have made three trips, four two, and two one.
	assert.EqualValues(t, 100*(4*3+4*2+2*1), honey)
}

func Example() {
	main()
	// Output:
	// the first bee: [nurse nurse forage rest rest rest forage rest rest rest forage rest rest rest]
	// 1000 bees brought 2200 loads
}

// decisions returns how many decisions ten agents make in 70 ticks.
func decisions(t *testing.T, configure func(*systems.Herd)) int64 {
	t.Helper()
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 1})
	require.NoError(t, err)
	defer herd.Close()
	configure(herd)
	tree, err := herd.AddTree("stand", aitree.Do("stand"))
	require.NoError(t, err)
	herd.Prefab(tree, components.Transform{Position: components.Vec2{X: 200}}).SpawnNow(&world, 10, nil)
	for range 70 {
		herd.Step()
	}
	return int64(herd.AI.Stats().Decisions)
}

func TestAtOneFrameASecondEveryoneDecidesInEveryTickUnlessTheRateIsLower(t *testing.T) {
	assert.EqualValues(t, 700, decisions(t, func(h *systems.Herd) { h.LOD.Config.Off = true }))
	assert.EqualValues(t, 700, decisions(t, func(*systems.Herd) {}))
	assert.EqualValues(t, 700, decisions(t, func(h *systems.Herd) { h.SetObservers(components.Vec2{}) }),
		"in the slowest tier, of one decision a second")
	assert.EqualValues(t, 0, decisions(t, func(h *systems.Herd) { h.SetObservers(components.Vec2{X: 1000}) }),
		"beyond the last tier")
	weekly := func(herd *systems.Herd) {
		herd.LOD.Config.Tiers = []lod.Tier{{Radius: 1000, Rate: 1.0 / 7}} // once a week
	}
	assert.InDelta(t, 100, decisions(t, weekly), 10)
}

func TestNeedsGrowByTheDay(t *testing.T) {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 1})
	require.NoError(t, err)
	defer herd.Close()
	herd.Needs.Rates = needs.DefaultRates()
	herd.Needs.Rates.Hunger = 0.25 * 3600 // a quarter a day: rates are per hour, and an hour has 3,600 ticks
	tree, err := herd.AddTree("stand", aitree.Do("stand"))
	require.NoError(t, err)
	var agent components.Entity
	herd.Prefab(tree, components.Needs{}, components.Engagement{}, components.Transform{}).
		SpawnNow(&world, 1, func(_ int, e components.Entity) { agent = e })
	herd.Step() // its needs begin to count
	for i := range 3 {
		herd.Step()
		assert.InDelta(t, 0.25*float64(i+1), ecs.Get[components.Needs](&world, agent).Hunger, 1e-5)
	}
}

func TestALongerDurationThan2147TicksIsRefused(t *testing.T) {
	_, err := aitree.Build("t", aitree.NewActions(), aitree.Wait(2147*day))
	require.NoError(t, err)
	_, err = aitree.Build("t", aitree.NewActions(), aitree.Wait(2148*day))
	require.ErrorContains(t, err, "35")
	_, err = aitree.Build("t", aitree.NewActions(), aitree.Wait(24*time.Hour))
	require.ErrorContains(t, err, "35")
}

// In the tick in which a tree ends nothing is posted; what is chained by a Sequence goes on within the tick.
func TestATickInWhichATreeEndsHasNoOrder(t *testing.T) {
	actions := aitree.NewActions()
	for _, name := range []string{"a", "b"} {
		_, err := actions.Register(name, components.Act)
		require.NoError(t, err)
	}
	program, err := aitree.Build("t", actions, aitree.Sequence(aitree.Do("a"), aitree.Do("b")))
	require.NoError(t, err)
	block := aitree.NewBlock(program, 1)
	var did []string
	for now := range components.Timestamp(5) {
		block.Tick((now + 1) * components.Timestamp(day))
		order := block.Order(0, components.Act)
		if did = append(did, actions.Name(order.Action)); order.Action != 0 {
			block.Report(0, components.Act, components.Succeeded)
		}
	}
	assert.Equal(t, []string{"a", "b", "", "a", "b"}, did)
}
