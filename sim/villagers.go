package sim

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/utility"
)

// villageStart is the hour of the day at which a run begins.
const villageStart = 8

// villageLOD says how often villagers decide: their days are slow. Nobody is frozen, since hunger does not wait for a
// camera.
func villageLOD() systems.LODConfig {
	return systems.LODConfig{
		Tiers:      []systems.LODTier{{Radius: 40, Rate: 1}, {Radius: 100, Rate: 0.25}, {Radius: 300, Rate: 0.2}},
		SlowLane:   0.2,
		Hysteresis: 0.1,
	}
}

// village is what the scenario keeps beside the world.
type village struct {
	needs    *systems.Needs
	heads    int
	last     ecs.Table[string] // the last choice
	switches int64             // choices that differ from the one before
}

// chose returns the hook that takes note of a choice.
func (v *village) chose(action string) func(components.Entity) {
	return func(e components.Entity) {
		if last := v.last.At(e); *last != action {
			if *last != "" {
				v.switches++
			}
			*last = action
		}
	}
}

func setUpVillagers(s *Simulation) error {
	needs, err := s.addVillagers(s.Config.Agents)
	if err != nil {
		return err
	}
	s.LOD.Config = villageLOD()
	s.LOD.Config.Off = !s.Config.LOD
	s.schedule.Add(stageLOD, s.LOD)
	s.schedule.Add(stagePerception, &systems.GridSystem{})
	s.schedule.Add(stagePerception, needs)
	s.schedule.Add(stageAI, s.AI)
	s.schedule.Add(stageActions, &systems.Locomotion{})
	s.schedule.Add(stageCommands, &systems.CommandSystem{})
	return nil
}

// addVillagers founds a village and returns the system of its needs. It adds to the report how the village lived.
func (s *Simulation) addVillagers(villagers int) (*systems.Needs, error) {
	v := &village{heads: villagers, needs: &systems.Needs{Start: villageStart}}
	programs := ecs.Resource[systems.Programs](s.World, "sim")
	brain, err := utility.Build("villager", VillagerBrain())
	if err != nil {
		return nil, err
	}
	villager, err := addTree(programs, s.actions, "villager", VillagerTree(brain, v.chose))
	if err != nil {
		return nil, err
	}
	hamlets, err := planVillage(s.Map, villagers, s.Config.Seed)
	if err != nil {
		return nil, err
	}
	homes, beds := foundHamlets(s.World, hamlets)

	key := random.Mix(s.Config.Seed, random.String("villagers"))
	between := func(i int, what uint64, low, high float32) float32 {
		return low + float32(random.Unit(random.Mix(random.Mix(key, uint64(i)), what))*(high-low))
	}
	prefab := ecs.NewPrefab(s.World,
		components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.3, Speed: 1.4},
		components.Steering{}, components.Faction{ID: villagerFaction}, components.Needs{}, components.Engagement{},
		components.Home{}, components.NewLOD(),
		components.Intent{}, programs.Mind(villager))
	prefab.SpawnNow(s.World, villagers, func(i int, e components.Entity) {
		*ecs.Get[components.Home](s.World, e) = homes[i]
		ecs.Get[components.Transform](s.World, e).Position = beds[i]
		needs := ecs.Get[components.Needs](s.World, e)
		needs.Hunger = between(i, 0, 0.2, 0.5)
		needs.Fatigue = between(i, 1, 0, 0.2)
		needs.Loneliness = between(i, 2, 0, 0.5)
		v.last.Set(e, "")
	})
	s.village = v
	s.conclude = append(s.conclude, func(r *Report) { r.Village = v.report(s) })
	return v.needs, nil
}

// foundHamlets makes the places of a village. It returns each villager's home, and where its bed is.
func foundHamlets(w *arche.World, hamlets []hamlet) (homes []components.Home, beds []components.Vec2) {
	var places []components.Place
	var at []components.Vec2
	add := func(p components.Place, points ...components.Vec2) {
		for _, point := range points {
			places, at = append(places, p), append(at, point)
		}
	}
	for i := range hamlets {
		h := &hamlets[i]
		heads := int32((h.villagers + len(h.stores) - 1) / len(h.stores))
		add(components.Place{Kind: components.Square}, h.square)
		add(components.Place{
			Kind: components.Store, Capacity: seatsPerStore, Stock: mealsAtStart * heads, MaxStock: mealsAtMost * heads,
		}, h.stores...)
		add(components.Place{Kind: components.Workplace, Capacity: postsPerPlace}, h.workplaces...)
		add(components.Place{Kind: components.Bed, Capacity: 1}, h.beds...)
	}
	entities := make([]components.Entity, 0, len(places))
	made := ecs.NewPrefab(w, components.Place{}, components.Transform{})
	made.SpawnNow(w, len(places), func(i int, e components.Entity) {
		*ecs.Get[components.Place](w, e) = places[i]
		ecs.Get[components.Transform](w, e).Position = at[i]
		entities = append(entities, e)
	})
	next := entities
	take := func(n int) []components.Entity {
		taken := next[:n]
		next = next[n:]
		return taken
	}
	for i := range hamlets {
		h := &hamlets[i]
		square, stores, workplaces, own := take(1)[0], take(len(h.stores)), take(len(h.workplaces)), take(len(h.beds))
		for j, place := range workplaces {
			ecs.Get[components.Place](w, place).Supplies = stores[j%len(stores)]
		}
		for j := range h.villagers {
			homes = append(homes, components.Home{
				Bed: own[j%len(own)], Store: stores[j%len(stores)], Work: workplaces[j%len(workplaces)], Square: square,
			})
			beds = append(beds, h.beds[j%len(own)])
		}
	}
	return homes, beds
}
