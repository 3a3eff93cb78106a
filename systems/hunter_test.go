package systems_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// The hunter sees its prey beyond the water. Behind its back someone strikes it.
func TestAHunterTurnsAgainstWhoStrikesIt(t *testing.T) {
	m := space.NewMap(40, 20)
	m.Fill(20, 0, 2, 20, space.Water)
	h := newHerd(t, systems.Options{Workers: 1, Map: m})
	strike := aitree.Sequence(
		aitree.Do(action.Seek, aitree.Target(fact.Target)).Until(aitree.LessEqual(fact.Distance, 1.2)),
		aitree.Fire(action.Strike, aitree.Target(fact.Target), aitree.NumberOf(0, 10)),
		aitree.Wait(4*time.Second),
	)
	hunting := addTree(t, h, "hunter", aitree.ReactiveSelector(aitree.Guard(aitree.True(fact.Visible), strike)))
	standing := addTree(t, h, "prey", aitree.Do(action.Stand))
	agent := func(name string, faction uint8, x float32) components.Entity {
		senses := components.Senses{Sight: 15, Lose: 20, Cone: 0.5, Memory: 5}
		tree := hunting
		if name == "prey" {
			tree = standing
		}
		var made components.Entity
		h.Prefab(tree, systems.Walker(0.3, 2), systems.Fighter(faction, 100), systems.Perceiver(senses)).
			SpawnNow(h.World(), 1, func(_ int, e components.Entity) {
				ecs.Get[components.Transform](h.World(), e).Position = components.Vec2{X: x, Y: 10}
				made = e
			})
		return made
	}
	hunter := agent("hunter", 1, 19)
	prey := agent("prey", 2, 25)
	attacker := agent("attacker", 3, 14)
	for range 12 * h.Clock.FPS {
		h.Step()
	}
	health := func(e components.Entity) int32 { return ecs.Get[components.Health](h.World(), e).Current }
	assert.Less(t, health(hunter), int32(100), "it was struck")
	assert.Less(t, health(attacker), int32(100), "it struck back")
	assert.Equal(t, int32(100), health(prey))
}
