package sim

import (
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/perception"
)

// A siege's crowd: half are villagers about their day, a quarter guards, and a quarter besiegers who come from both
// edges of the map. Who falls comes back, so the load stays.
const (
	siegeVillagers = 2 // one of so many agents
	siegeGuards    = 4
)

func setUpSiege(s *Simulation) error {
	if _, err := action.Register(s.actions); err != nil {
		return err
	}
	s.Combat = skirmishCombat()
	s.Combat.StrikeNoise = 6 // metres: a fight is not to call the whole town together
	villagers, guards := s.Config.Agents/siegeVillagers, s.Config.Agents/siegeGuards
	besiegers := s.Config.Agents - villagers - guards
	needs, err := s.addVillagers(villagers)
	if err != nil {
		return err
	}
	if err := s.addGuards(guards); err != nil {
		return err
	}
	prefabs, err := s.addSoldiers([2]int{(besiegers + 1) / 2, besiegers / 2},
		[2]uint8{intruderFaction, intruderFaction}, SoldierBrain())
	if err != nil {
		return err
	}
	s.Combat.SetRespawn(soldierKind, prefabs[0])
	s.conclude = append(s.conclude, func(r *Report) {
		a := attacks(s)
		r.Attacks = &a
	})

	// Nobody is frozen, since hunger does not wait for a camera.
	s.LOD.Config = lod.DefaultConfig()
	s.LOD.Config.SlowLane = 0.2
	s.LOD.Config.Off = !s.Config.LOD
	s.schedule.Add(stageLOD, s.LOD)
	s.schedule.Add(stagePerception, &spatial.GridSystem{})
	s.schedule.Add(stagePerception, &perception.System{})
	s.schedule.Add(stagePerception, &posts{})
	s.schedule.Add(stagePerception, needs)
	s.schedule.Add(stageAI, s.AI)
	s.schedule.Add(stageActions, &movement.System{})
	s.schedule.Add(stageActions, s.Combat)
	s.schedule.Add(stageCommands, &frame.CommandSystem{})
	return nil
}
