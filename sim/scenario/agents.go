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

// Kinds of fighters. The combat system has a respawn prefab per kind.
const (
	guardKind = iota
	intruderKind
	soldierKind
)

// strikeNoise is the distance in metres at which a strike is heard. It is small, so that a fight does not alarm the
// whole town.
const strikeNoise = 6

var errNoGround = errors.New("the map has no passable tile")

// fighter returns the components of guards, intruders and soldiers.
func fighter(faction, kind uint8) systems.Bundle {
	return systems.Bundle{
		systems.Walker(0.3, 3),
		components.Faction{ID: faction},
		components.NewPercept(),
		components.Health{Current: 100, Max: 100},
		components.Fighter{Kind: kind, SavedImportance: components.NoImportance},
	}
}
