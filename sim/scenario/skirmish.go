package scenario

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/combat"
)

// sideNames are the sides of a skirmish, by the edge of the map along which they begin. The faction of a side is its
// index here plus one.
var sideNames = [2]string{"west", "east"}

func setUpSkirmish(s *sim.Simulation) error {
	s.Needs = nil
	s.Combat = soldierCombat()
	var started [2]int
	var factions [2]uint8
	for side := range sideNames {
		started[side], factions[side] = (s.Config.Agents+1-side)/2, uint8(side)+1
	}
	// The evaluator keeps the facts that it scored, to skip scoring while they hardly change. A siege does not use
	// this, to save memory in a larger crowd.
	evaluator := soldierEvaluator().RescoreBeyond(soldierRescoreBeyond)
	if _, err := addSoldiers(s, started, factions, evaluator); err != nil {
		return err
	}
	s.OnReport(func(r *sim.Report) { r.Skirmish = skirmishReport(s, started) })
	return nil
}

// soldierCombat returns the combat system of the scenarios with soldiers.
func soldierCombat() *combat.System {
	return &combat.System{Damage: soldierDamage, MaxAttackers: SoldierMaxAttackers}
}

// skirmishReport counts the soldiers alive and returns the outcome.
func skirmishReport(s *sim.Simulation, started [2]int) *sim.Skirmish {
	r := &sim.Skirmish{Attacks: attackReport(s)}
	for side, name := range sideNames {
		r.Sides = append(r.Sides, sim.SkirmishSide{Name: name, Agents: started[side]})
	}
	columns := ecs.NewColumns(s.World(),
		ecs.Need[components.Faction](), ecs.Need[components.Health](), ecs.Need[components.Ammo]())
	defer columns.Release()
	chunks := columns.Open()
	defer columns.Close()
	for i := range chunks {
		healths, ammo := ecs.Column[components.Health](&chunks[i], 1), ecs.Column[components.Ammo](&chunks[i], 2)
		for row, faction := range ecs.Column[components.Faction](&chunks[i], 0) {
			if healths[row].Current > 0 {
				r.Sides[faction.ID-1].Alive++
				r.RoundsLeft += int64(ammo[row].Left)
			}
		}
	}
	r.SetOutcome()
	return r
}

// attackReport returns the melees and shots of a simulation.
func attackReport(s *sim.Simulation) sim.Attacks {
	counts := s.Combat.Stats()
	return sim.Attacks{
		Strikes: counts.Strikes, Shots: counts.Shots, Hits: counts.Hits,
		Granted: counts.Granted, Refused: counts.Refused,
		MostAttackers: counts.MostAttackers, MaxAttackers: int(s.Combat.MaxAttackers),
	}
}
