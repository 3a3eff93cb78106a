package scenario

import (
	"errors"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems"
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

// fighter returns the components of guards, intruders and soldiers.
func fighter(faction, kind uint8) systems.Bundle {
	return systems.Bundle{
		systems.Walker(0.3, 3),
		components.Faction{ID: faction},
		components.Percept{},
		components.Health{Current: 100, Max: 100},
		components.Fighter{Kind: kind, Importance: components.NoImportance},
		components.Triggers{},
	}
}
