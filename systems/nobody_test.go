package systems_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
)

func TestNobodyFleesFromNoOne(t *testing.T) {
	for name, distance := range map[string]blackboard.Fact{
		"the nearest candidate": fact.Nearest,
		"the target":            fact.Distance,
		"the third candidate":   fact.Candidates.Field(2, fact.CandidateDistance),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHerd(t, systems.Options{Workers: 1})
			tree := addTree(t, h, "sheep", aitree.ReactiveSelector(
				aitree.Guard(aitree.Less(distance, 2), aitree.Do(action.Flee)),
				aitree.Do(action.Stand),
			))
			flock := []components.Entity{
				spawn(h, 1, h.Prefab(tree, systems.Walker(0.3, 1), systems.Fighter(1, 10),
					systems.Perceiver(components.Senses{Sight: 20, Lose: 20, Cone: -1})))[0],
				spawn(h, 1, h.Prefab(tree, systems.Walker(0.3, 1)))[0], // without senses
			}
			flee, ok := h.Actions.Lookup(action.Flee)
			assert.True(t, ok)
			for range 60 {
				h.Step()
				for _, sheep := range flock {
					order := ecs.Get[components.Intent](h.World(), sheep).Orders[components.Move]
					assert.NotEqual(t, flee, order.Action)
				}
			}
		})
	}
}
