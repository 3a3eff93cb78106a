package scenario

import (
	"errors"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// Factions. Besiegers have that of the intruders. Villagers are neutral to all.
const (
	villagerFaction = 0
	guardFaction    = 1
	intruderFaction = 2
)

// Kinds of fighters. Combat looks up the prefab of a dead agent's replacement by its kind.
const (
	guardKind = iota
	intruderKind
	soldierKind
)

// clashRadius is how far the noise of a fight carries, in metres, where a fight is not to alarm the whole town.
const clashRadius = 6

var errNoGround = errors.New("the map has no passable tile")

// addTree builds a tree, registers it and returns the mind component of its agents.
func addTree(s *sim.Simulation, name string, root *aitree.Node) (mind any, err error) {
	program, err := aitree.Build(name, s.Actions, root)
	if err != nil {
		return nil, err
	}
	programs := ecs.Resource[ai.Trees](s.World, "scenario")
	number, err := programs.Add(program)
	if err != nil {
		return nil, err
	}
	return programs.Mind(number), nil
}

// fighter returns the components that guards, intruders and soldiers share.
func fighter(faction, kind uint8, mind any) []any {
	return []any{
		components.Transform{Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 3},
		components.Steering{},
		components.Faction{ID: faction},
		components.Percept{},
		components.Health{Current: 100, Max: 100},
		components.Fighter{Kind: kind, Importance: components.NoImportance},
		components.NewLOD(),
		components.Intent{},
		components.Triggers{},
		mind,
	}
}
