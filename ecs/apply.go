package ecs

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// maxRounds is how often callbacks may queue further commands in one Apply.
const maxRounds = 1000

// Apply carries out what was queued, then what callbacks queued meanwhile, until nothing is left. Call it on the
// goroutine that owns the world, while no worker runs.
//
// Panics when the world is locked, when a callback calls it, when callbacks queue commands without end, and when the
// world cannot hold a component; see Component types in the package documentation.
func (c *Commands) Apply(w *arche.World) {
	if c.applying {
		panic("ecs: Commands.Apply called by one of its callbacks; what they queue is applied anyway")
	}
	requireWorld(w, "Commands.Apply")
	if w.IsLocked() {
		panic("ecs: Commands.Apply in a locked world; close the query or Columns first")
	}
	c.bind(w)
	c.reserve(w)
	c.applying = true
	defer c.reset()
	for round := 0; c.merge(); round++ {
		if round == maxRounds {
			panic(fmt.Sprintf("ecs: callbacks of Commands queued more commands %d times in a row", maxRounds))
		}
		for i := range c.merged {
			c.apply(w, &c.merged[i])
		}
	}
}

// bind finds the IDs of the minds in the world and drops the IDs of another world.
func (c *Commands) bind(w *arche.World) {
	if c.world == w {
		return
	}
	c.world, c.values.world = w, w
	c.minds = [3]arche.ID{
		componentID(w, reflect.TypeFor[components.Mind64]()), componentID(w, reflect.TypeFor[components.Mind128]()),
		componentID(w, reflect.TypeFor[components.Mind256]()),
	}
	for _, q := range c.queues {
		for i := range q.known {
			q.known[i].resolved = false
		}
	}
}

// reserve makes room in each queue for commands for one of 64 entities of the world, so that a frame in which more
// agents die than in any before does not allocate. Any worker may serve them all.
func (c *Commands) reserve(w *arche.World) {
	room := min(entityCapacity(w)/64+queueCapacity, scratch.MaxReserve)
	c.merged = roomFor(c.merged[:0], room)
	for _, q := range c.queues {
		q.commands, q.prefabs = roomFor(q.commands, room), roomFor(q.prefabs, room)
		q.payload = roomFor(q.payload, room*payloadBytes)
	}
}

// payloadBytes is how large a component [Commands.reserve] makes room for.
const payloadBytes = 64

// roomFor returns a list with room for n entries.
func roomFor[T any](list []T, n int) []T { return slices.Grow(list, max(n-len(list), 0)) }

// merge takes the commands out of the queues, sorts them in the order in which they are applied and reports whether
// there are any.
func (c *Commands) merge() bool {
	c.merged = c.merged[:0]
	for _, q := range c.queues {
		c.merged = append(c.merged, q.commands...)
		q.commands = q.commands[:0]
	}
	slices.SortFunc(c.merged, func(a, b command) int {
		if order := a.issuer.Compare(b.issuer); order != 0 {
			return order
		}
		return cmp.Compare(a.issued, b.issued)
	})
	return len(c.merged) > 0
}

func (c *Commands) apply(w *arche.World, k *command) {
	q := c.queues[k.queue]
	if k.operate == spawn {
		p := q.prefabs[k.ref]
		e := c.spawn(w, p, k)
		for _, f := range c.onSpawn {
			f.call(w, e, p, k.issued)
		}
		return
	}
	if !Alive(w, k.entity) {
		return
	}
	e := ToArche(k.entity)
	switch k.operate {
	case relate:
		c.relate(w, e, q, k)
	case remove:
		if c.leave(w, k.entity, Removed) {
			w.RemoveEntity(e)
		}
	case assign:
		known := q.resolve(w, k.number)
		isMind := slices.Contains(c.minds[:], known.id)
		if isMind && c.hasMind(w, e) && !c.leave(w, k.entity, Swapped) {
			return
		}
		size := known.component.Size()
		c.put(w, e, known.id, isMind, q.payload[k.ref:uintptr(k.ref)+size])
	case drop:
		known := q.resolve(w, k.number)
		isMind := slices.Contains(c.minds[:], known.id)
		if !w.HasUnchecked(e, known.id) || isMind && !c.leave(w, k.entity, Swapped) {
			return
		}
		c.drop = append(c.drop[:0], known.id)
		w.Exchange(e, nil, c.drop)
	case setField:
		known := q.resolve(w, k.number)
		if component := w.GetUnchecked(e, known.id); component != nil {
			offset, size := k.field>>8, k.field&0xff
			// A fact's field lies in its component.
			copy(bytesAt(unsafe.Add(component, offset), uintptr(size)), q.payload[k.ref:k.ref+size])
		}
	}
}

// leave calls the OnLeave callbacks and reports whether the entity survived them.
func (c *Commands) leave(w *arche.World, e components.Entity, reason LeaveReason) bool {
	for _, f := range c.onLeave {
		f.call(w, e, reason)
	}
	return Alive(w, e)
}

// spawn makes the entity of a command. The command's entity is the target of the new one's relation; it may be zero.
func (c *Commands) spawn(w *arche.World, p *Prefab, k *command) components.Entity {
	p.check(w)
	if Alive(w, k.entity) {
		return FromArche(p.spawnRelated(w, k.at, ToArche(k.entity)))
	}
	return FromArche(c.values.newEntity(p, k.at))
}

// relate changes the target of an entity's relation component.
func (c *Commands) relate(w *arche.World, e arche.Entity, q *Queue, k *command) {
	id := q.resolve(w, k.number).id
	var target components.Entity
	size := uint32(unsafe.Sizeof(target))
	copy(bytesAt(unsafe.Pointer(&target), uintptr(size)), q.payload[k.ref:k.ref+size]) // as Relate has put it there
	if w.HasUnchecked(e, id) && (target == components.Entity{} || Alive(w, target)) {
		w.Relations().Set(e, id, ToArche(target))
	}
}

// put writes a component, adding it where it is missing. A mind takes the place of those of other sizes.
func (c *Commands) put(w *arche.World, e arche.Entity, id arche.ID, isMind bool, value []byte) {
	c.add, c.drop = c.add[:0], c.drop[:0]
	if !w.HasUnchecked(e, id) {
		c.add = append(c.add, id)
	}
	if isMind {
		for _, mind := range c.minds {
			if mind != id && w.HasUnchecked(e, mind) {
				c.drop = append(c.drop, mind)
			}
		}
	}
	c.values.exchange(e, c.add, c.drop, id, value)
}

func (c *Commands) hasMind(w *arche.World, e arche.Entity) bool {
	for _, mind := range c.minds {
		if w.HasUnchecked(e, mind) {
			return true
		}
	}
	return false
}

func (q *Queue) resolve(w *arche.World, number uint16) *knownType {
	known := &q.known[number]
	if !known.resolved {
		known.id, known.resolved = componentID(w, known.component), true
	}
	return known
}

// reset empties the buffers at the end of an Apply, since later rounds refer to them too. After a panic it drops what
// was left.
func (c *Commands) reset() {
	for _, q := range c.queues {
		q.commands, q.payload = q.commands[:0], q.payload[:0]
		clear(q.prefabs)
		q.prefabs = q.prefabs[:0]
	}
	c.applying = false
	c.values.prefab = nil
}
