package scenario

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim/town"
)

// Capacities and stocks of places.
const (
	workplaceCapacity = 5  // villagers at once, of the 6 that work there
	storeCapacity     = 10 // villagers at once, of the 20 that eat there
	mealsAtStart      = 2  // for each villager
	mealsAtMost       = 6  // for each villager
)

// addPlaces makes the places of a village. It returns each villager's home and the position of its bed.
func addPlaces(w *arche.World, plan []town.Neighbourhood) (homes []components.Home, beds []components.Vec2) {
	entities := spawnPlaces(w, plan)
	take := func(n int) []components.Entity {
		taken := entities[:n]
		entities = entities[n:]
		return taken
	}
	for i := range plan {
		n := &plan[i]
		square, stores := take(1)[0], take(len(n.Stores))
		workplaces, bedEntities := take(len(n.Workplaces)), take(len(n.Beds))
		for j, workplace := range workplaces {
			ecs.Get[components.Place](w, workplace).Supplies = stores[j%len(stores)]
		}
		for j := range n.Villagers {
			homes = append(homes, components.Home{
				Bed:    bedEntities[j%len(bedEntities)],
				Store:  stores[j%len(stores)],
				Work:   workplaces[j%len(workplaces)],
				Square: square,
			})
			beds = append(beds, n.Beds[j%len(n.Beds)])
		}
	}
	return homes, beds
}

// spawnPlaces makes the entities of all places: neighbourhood by neighbourhood its square, stores, workplaces and beds.
func spawnPlaces(w *arche.World, plan []town.Neighbourhood) []components.Entity {
	var places []components.Place
	var positions []components.Vec2
	add := func(p components.Place, at ...components.Vec2) {
		for _, point := range at {
			places, positions = append(places, p), append(positions, point)
		}
	}
	for i := range plan {
		n := &plan[i]
		eaters := int32((n.Villagers + len(n.Stores) - 1) / len(n.Stores)) // of a store
		add(components.Place{Kind: components.Square}, n.Square)
		add(components.Place{
			Kind: components.Store, Capacity: storeCapacity,
			Stock: mealsAtStart * eaters, MaxStock: mealsAtMost * eaters,
		}, n.Stores...)
		add(components.Place{Kind: components.Workplace, Capacity: workplaceCapacity}, n.Workplaces...)
		add(components.Place{Kind: components.Bed, Capacity: 1}, n.Beds...)
	}
	entities := make([]components.Entity, 0, len(places))
	prefab := ecs.NewPrefab(w, components.Place{}, components.Transform{})
	prefab.SpawnNow(w, len(places), func(i int, e components.Entity) {
		*ecs.Get[components.Place](w, e) = places[i]
		ecs.Get[components.Transform](w, e).Position = positions[i]
		entities = append(entities, e)
	})
	return entities
}
