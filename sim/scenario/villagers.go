package scenario

import (
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/needs"
	"github.com/flockwork-ai/flockwork/utility"
)

// firstHour is the hour of the day at which a run starts.
const firstHour = 8

// villageLOD has low decision rates, since villagers act slowly. No tier is frozen, since hunger grows wherever the
// camera is.
func villageLOD() lod.Config {
	return lod.Config{
		Tiers:      []lod.Tier{{Radius: 40, Rate: 1}, {Radius: 100, Rate: 0.25}, {Radius: 300, Rate: 0.2}},
		SlowLane:   0.2,
		Hysteresis: 0.1,
	}
}

// village is the state that a scenario with villagers keeps outside the world.
type village struct {
	needs      *needs.System
	villagers  int
	lastChoice ecs.Table[string]
	switches   int64 // choices that differ from the one before
}

func setUpVillagers(s *sim.Simulation) error {
	_, err := setUpVillage(s)
	return err
}

// setUpVillage is setUpVillagers; it returns the village for tests.
func setUpVillage(s *sim.Simulation) (*village, error) {
	v, err := addVillagers(s, s.Config.Agents)
	if err != nil {
		return nil, err
	}
	s.LOD.Config = villageLOD()
	s.LOD.Config.Off = !s.Config.LOD
	s.Perception, s.Combat = nil, nil
	return v, nil
}

// addVillagers makes a village with its places and villagers. It adds the section of the village to
// the report.
func addVillagers(s *sim.Simulation, villagers int) (*village, error) {
	s.Needs.StartTime = firstHour * time.Hour
	v := &village{villagers: villagers, needs: s.Needs}
	evaluator, err := utility.Build("villager", villagerEvaluator())
	if err != nil {
		return nil, err
	}
	tree, err := s.AddTree("villager", villagerTree(evaluator, v.choiceHook))
	if err != nil {
		return nil, err
	}
	neighbourhoods, err := town.PlanVillage(s.Map, villagers, s.Config.Seed)
	if err != nil {
		return nil, err
	}
	homes, beds := addPlaces(s.World(), neighbourhoods)

	key := random.Mix(s.Config.Seed, random.String("villagers"))
	between := func(i int, what uint64, low, high float32) float32 {
		return low + float32(random.Unit(random.Mix(random.Mix(key, uint64(i)), what))*(high-low))
	}
	prefab := s.Prefab(tree, systems.Walker(0.3, 1.4), components.Faction{ID: villagerFaction}, components.Needs{},
		components.Engagement{}, components.Home{})
	prefab.SpawnNow(s.World(), villagers, func(i int, e components.Entity) {
		*ecs.Get[components.Home](s.World(), e) = homes[i]
		ecs.Get[components.Transform](s.World(), e).Position = beds[i]
		needs := ecs.Get[components.Needs](s.World(), e)
		needs.Hunger = between(i, 0, 0.2, 0.5)
		needs.Fatigue = between(i, 1, 0, 0.2)
		needs.Loneliness = between(i, 2, 0, 0.5)
		v.lastChoice.Set(e, "") // makes room, so that no frame allocates
	})
	s.OnReport(func(r *sim.Report) { r.Village = v.report(s) })
	return v, nil
}

// choiceHook returns the hook of a choice, which counts how often a villager's choice differs from the one before.
// Hooks run on the goroutine of the world.
func (v *village) choiceHook(choice string) func(components.Entity) {
	return func(e components.Entity) {
		if last := v.lastChoice.Entry(e); *last != choice {
			if *last != "" {
				v.switches++
			}
			*last = choice
		}
	}
}
