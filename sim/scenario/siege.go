package scenario

import (
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// The crowd of a siege: half are villagers, a quarter guards, and a quarter besiegers that come from both edges of the
// map. The dead respawn, so the load stays the same.
const (
	siegeVillagers = 2 // one agent in 2
	siegeGuards    = 4 // one agent in 4
)

func setUpSiege(s *sim.Simulation) error {
	s.Combat = soldierCombat()
	s.Combat.StrikeNoise = strikeNoise
	villagers, guards := s.Config.Agents/siegeVillagers, s.Config.Agents/siegeGuards
	besiegers := s.Config.Agents - villagers - guards
	if _, err := addVillagers(s, villagers); err != nil {
		return err
	}
	if err := addGuards(s, guards); err != nil {
		return err
	}
	prefabs, err := addSoldiers(s, [2]int{(besiegers + 1) / 2, besiegers / 2},
		[2]uint8{intruderFaction, intruderFaction}, soldierEvaluator())
	if err != nil {
		return err
	}
	s.Combat.SetRespawn(soldierKind, prefabs[0])
	s.OnReport(func(r *sim.Report) {
		attacks := attackReport(s)
		r.Attacks = &attacks
	})

	// No tier is frozen, since hunger grows wherever the camera is.
	s.LOD.Config = lod.DefaultConfig()
	s.LOD.Config.SlowLane = 0.2
	s.LOD.Config.Off = !s.Config.LOD
	s.After(systems.PerceptionStage, &sim.PostSystem{})
	return nil
}
