package ecs

import (
	"fmt"
	"reflect"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
)

// Prefab is a list of component values that entities are made with. It belongs to one world. It does not change, so
// goroutines may share it. Make it with [NewPrefab].
type Prefab struct {
	world     *arche.World
	ids       []arche.ID
	values    []prefabValue
	bytes     []byte // the values, end to end
	transform int    // which value is the Transform; -1: none
	relation  int    // which value is arche's relation component; -1: none
}

type prefabValue struct {
	offset, size uintptr // in bytes
}

// NewPrefab copies component values, such as components.Transform{}. Make the LOD of an agent with [components.NewLOD],
// so that each entity is new to the LOD system.
//
// Panics when two values are of one type, when two are relation components of arche, and when the world cannot hold a
// component; see Component types in the package documentation.
func NewPrefab(w *arche.World, values ...any) *Prefab {
	requireWorld(w, "NewPrefab")
	p := &Prefab{world: w, transform: -1, relation: -1}
	for i, value := range values {
		t := reflect.TypeOf(value)
		id := componentID(w, t)
		for _, earlier := range p.ids {
			if earlier == id {
				panic(fmt.Sprintf("ecs: NewPrefab has two values of component %v", t))
			}
		}
		if t == reflect.TypeFor[components.Transform]() {
			p.transform = i
		}
		if isRelation(t) {
			if p.relation >= 0 {
				panic(fmt.Sprintf("ecs: NewPrefab has two relation components, the second is %v; arche allows one", t))
			}
			p.relation = i
		}
		p.ids = append(p.ids, id)
		p.values = append(p.values, prefabValue{offset: uintptr(len(p.bytes)), size: t.Size()})
		p.bytes = append(p.bytes, bytesOf(reflect.ValueOf(value))...)
	}
	return p
}

// HasTransform reports whether the prefab has a [components.Transform], so that its entities have a position.
//
// Panics when the prefab was not made.
func (p *Prefab) HasTransform() bool {
	p.requireMade()
	return p.transform >= 0
}

func (p *Prefab) requireMade() {
	if p == nil || p.world == nil {
		panic("ecs: a Prefab that was not made; make one with NewPrefab")
	}
}

// SpawnNow makes n entities at once and allocates their storage in one step. It calls f, which may be nil, for each of
// them, 0 to n-1. The entity then has the prefab's values, which f may change through [Get]; the world is locked while
// f runs. SpawnNow is for filling a world before the first frame: callbacks of [Commands.OnSpawn] are not called.
//
// Listeners of the world are notified when all n have their values.
//
// Panics when the world is locked or is not the prefab's, or n is negative.
func (p *Prefab) SpawnNow(w *arche.World, n int, f func(i int, e components.Entity)) {
	p.check(w)
	if n < 0 {
		panic(fmt.Sprintf("ecs: SpawnNow of %d entities", n))
	}
	if n == 0 {
		return
	}
	q := arche.NewBuilder(w, p.ids...).NewBatchQ(n)
	for i := 0; q.Next(); i++ {
		if i == 0 {
			p.fill(&q, n)
		}
		if f != nil {
			f(i, FromArche(q.Entity()))
		}
	}
}

// fill copies the values into the n rows of one archetype that begin at the query's position.
func (p *Prefab) fill(q *arche.Query, n int) {
	for i, v := range p.values {
		column := bytesAt(q.Get(p.ids[i]), uintptr(n)*v.size)
		copy(column, p.value(i))
		for done := v.size; done < uintptr(len(column)); done *= 2 {
			copy(column[done:], column[:done])
		}
	}
}

// write gives one entity the values, and a point to its Transform.
func (p *Prefab) write(w *arche.World, e arche.Entity, at components.Vec2) {
	for i, id := range p.ids {
		to := w.GetUnchecked(e, id)
		copy(bytesAt(to, p.values[i].size), p.value(i))
		if i == p.transform {
			(*components.Transform)(to).Position = at
		}
	}
}

// value is the bytes of one of the values.
func (p *Prefab) value(i int) []byte {
	v := p.values[i]
	return p.bytes[v.offset : v.offset+v.size]
}

// spawnRelated makes one entity at a point, whose relation component has a target. Arche allocates for it.
func (p *Prefab) spawnRelated(w *arche.World, at components.Vec2, target arche.Entity) arche.Entity {
	// Only the batch methods let values be written before listeners hear of an entity with a target.
	q := arche.NewBuilder(w, p.ids...).WithRelation(p.ids[p.relation]).NewBatchQ(1, target)
	q.Next()
	e := q.Entity()
	p.write(w, e, at)
	q.Close() // now listeners are notified
	return e
}

func (p *Prefab) check(w *arche.World) {
	p.requireMade()
	if p.world != w {
		panic("ecs: a Prefab of another world; make one for this world with NewPrefab")
	}
}
