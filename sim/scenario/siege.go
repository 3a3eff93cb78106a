package scenario

import (
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/perception"
)

// The crowd of a siege: half are villagers, a quarter guards, and a quarter besiegers that come from both edges of the
// map. The dead respawn, so the load stays the same.
const (
	siegeVillagers = 2 // one agent in so many
	siegeGuards    = 4 // one agent in so many
)

func setUpSiege(s *sim.Simulation) error {
	if _, err := action.Register(s.Actions); err != nil {
		return err
	}
	s.Combat = soldierCombat()
	s.Combat.StrikeNoise = clashRadius
	villagers, guards := s.Config.Agents/siegeVillagers, s.Config.Agents/siegeGuards
	besiegers := s.Config.Agents - villagers - guards
	village, err := addVillagers(s, villagers)
	if err != nil {
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
	s.AddSystem(sim.StagePerception, &perception.System{})
	s.AddSystem(sim.StagePerception, &sim.PostSystem{})
	s.AddSystem(sim.StagePerception, village.needs)
	s.AddSystem(sim.StageActions, s.Combat)
	return nil
}
