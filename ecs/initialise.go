package ecs

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
)

// initialiser writes values into an entity after arche has changed its components and before arche notifies listeners,
// so that they see the values. Arche takes a function for that. The two here are made once and find what to write in
// the fields, since a function made for each change would be an allocation.
type initialiser struct {
	world *arche.World

	prefab *Prefab // of a new entity
	at     components.Vec2
	spawn  func(arche.Entity)

	id    arche.ID // of a component that was added
	value []byte
	put   func(arche.Entity)
}

func newInitialiser() *initialiser {
	i := &initialiser{}
	i.spawn = func(e arche.Entity) { i.prefab.write(i.world, e, i.at) }
	i.put = func(e arche.Entity) {
		copy(bytesAt(i.world.GetUnchecked(e, i.id), uintptr(len(i.value))), i.value)
	}
	return i
}

// newEntity makes an entity of a prefab.
func (i *initialiser) newEntity(p *Prefab, at components.Vec2) arche.Entity {
	i.prefab, i.at = p, at
	return i.world.NewEntityFn(i.spawn, p.ids...)
}

// exchange adds and drops components and writes the value of one that the entity has then. Both lists may be empty.
func (i *initialiser) exchange(e arche.Entity, add, drop []arche.ID, id arche.ID, value []byte) {
	i.id, i.value = id, value
	if len(add)+len(drop) == 0 {
		i.put(e)
		return
	}
	i.world.ExchangeFn(e, add, drop, i.put)
}
