package ecs

import (
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
)

// Complete gives an entity those of the prefab's components that it lacks, with the prefab's values. Components that it
// has keep theirs. It is for entities that other code has made. Call it between frames.
//
// Panics when the world is locked and when the entity is not alive.
func (p *Prefab) Complete(e components.Entity) {
	p.requireMade()
	if !Alive(p.world, e) {
		panic("ecs: Prefab.Complete of an entity that is not alive")
	}
	entity := ToArche(e)
	missing := make([]arche.ID, 0, len(p.ids))
	for _, id := range p.ids {
		if !p.world.HasUnchecked(entity, id) {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return
	}
	// Arche calls the function before it notifies listeners.
	p.world.ExchangeFn(entity, missing, nil, func(arche.Entity) {
		for i, id := range p.ids {
			if slices.Contains(missing, id) {
				copy(bytesAt(p.world.GetUnchecked(entity, id), p.values[i].size), p.value(i))
			}
		}
	})
}
