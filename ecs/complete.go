package ecs

import (
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
	p.world.Exchange(entity, missing, nil)
	next := 0
	for i, id := range p.ids {
		if next < len(missing) && id == missing[next] {
			v := p.values[i]
			copy(bytesAt(p.world.GetUnchecked(entity, id), v.size), p.bytes[v.offset:v.offset+v.size])
			next++
		}
	}
}
