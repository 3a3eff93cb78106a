package ecs

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Queue takes the [Commands] of one worker. One goroutine uses it at a time. The first argument of each method is the
// issuing entity; see [Commands] for the order in which commands are applied.
type Queue struct {
	commands []command
	payload  []byte                  // values of assignments, end to end
	prefabs  []*Prefab               // of spawns
	types    map[reflect.Type]uint16 // number of a component type in this queue
	known    []knownType             // by number
	issued   *atomic.Uint64          // shared by the queues
	number   uint16
	_        [64]byte // no cache line shared with another worker's queue
}

// knownType is a component type that a command of a queue has named.
type knownType struct {
	component reflect.Type
	id        arche.ID
	resolved  bool // whether id is the world's
}

// operation is what a command does.
type operation uint8

const (
	remove operation = iota
	spawn
	relate
	assign
	drop
	setField
)

// command is a plain value. What it refers to is in its queue.
type command struct {
	issued  uint64 // order of issue over all queues
	issuer  components.Entity
	entity  components.Entity // spawn: target of the relation
	at      components.Vec2   // of a spawn
	ref     uint32            // spawn: index into prefabs; assign, relate: offset in payload
	queue   uint16
	field   uint32 // setField: offset in the component (high 24 bits) and bytes
	number  uint16 // assign, drop, relate, setField: type number
	operate operation
}

// maxFieldOffset is the greatest offset that command.field can hold.
const maxFieldOffset = 1<<24 - 1

// queueCapacity is how many commands of a frame a new queue has room for, so that the first deaths of a long run do not
// allocate.
const queueCapacity = 64

// Remove removes an entity. Callbacks of [Commands.OnLeave] are called before.
func (q *Queue) Remove(issuer, e components.Entity) {
	q.push(command{issuer: issuer, entity: e, operate: remove})
}

// Spawn makes an entity with the prefab's values and, when it has a Transform, at the given position in metres. It
// returns the number of the command, which is unique for these [Commands]: a callback of [Commands.OnSpawn]
// recognises the spawn by it.
//
// Panics when the prefab is nil. [Commands.Apply] panics when the prefab is of another world.
func (q *Queue) Spawn(issuer components.Entity, p *Prefab, at components.Vec2) (number uint64) {
	return q.spawn(issuer, p, at, components.Entity{})
}

// SpawnRelated is [Queue.Spawn] of an entity whose relation component has a target, such as the squad that a soldier
// belongs to. The prefab has the relation component, which embeds arche's Relation. When the target is dead by the time
// the command is applied, the entity is made without one. Arche allocates for each such entity.
//
// Panics when the prefab is nil or has no relation component. [Commands.Apply] panics when the prefab is of another
// world.
func (q *Queue) SpawnRelated(
	issuer components.Entity, p *Prefab, at components.Vec2, target components.Entity,
) (number uint64) {
	if p != nil && p.relation < 0 {
		panic("ecs: SpawnRelated of a Prefab without a relation component; give NewPrefab one that embeds arche's " +
			"Relation")
	}
	return q.spawn(issuer, p, at, target)
}

func (q *Queue) spawn(issuer components.Entity, p *Prefab, at components.Vec2, target components.Entity) uint64 {
	if p == nil {
		panic("ecs: Spawn of a nil Prefab; make one with NewPrefab")
	}
	q.requireMade()
	q.prefabs = append(q.prefabs, p)
	return q.push(command{issuer: issuer, entity: target, at: at, ref: uint32(len(q.prefabs) - 1), operate: spawn})
}

// Assign gives an entity a component, or overwrites the one that it has. A mind replaces the
// entity's mind of any size, and callbacks of [Commands.OnLeave] are called before; systems.Herd.QueueSwap does so for
// a tree.
//
// Panics when the component holds a Go pointer, naming the field.
func Assign[T any](q *Queue, issuer, e components.Entity, value T) {
	number := q.typeNumber(reflect.TypeFor[T]())
	q.push(command{issuer: issuer, entity: e, ref: addPayload(q, value), number: number, operate: assign})
}

// addPayload appends the bytes of a pointer-free value and returns their offset.
func addPayload[T any](q *Queue, value T) (offset uint32) {
	offset = uint32(len(q.payload))
	q.payload = append(q.payload, bytesAt(unsafe.Pointer(&value), unsafe.Sizeof(value))...)
	return offset
}

// Relate changes the target of an entity's relation component T, which embeds arche's Relation. The zero entity means
// no target. It does nothing when the entity lacks the component or the target is dead. Arche allocates for it.
//
// Panics when T is no relation component or holds a Go pointer.
func Relate[T any](q *Queue, issuer, e, target components.Entity) {
	t := reflect.TypeFor[T]()
	if !isRelation(t) {
		panic(fmt.Sprintf("ecs: Relate of %v, which is no relation component; it must embed arche's Relation first", t))
	}
	q.push(command{issuer: issuer, entity: e, ref: addPayload(q, target), number: q.typeNumber(t), operate: relate})
}

// Drop removes a component of an entity. It does nothing when the entity lacks it. When the component is a mind,
// callbacks of [Commands.OnLeave] are called before.
//
// Panics when the component holds a Go pointer, naming the field.
func Drop[T any](q *Queue, issuer, e components.Entity) {
	q.push(command{issuer: issuer, entity: e, number: q.typeNumber(reflect.TypeFor[T]()), operate: drop})
}

// SetFloat writes the field that a Float names, such as a number slot of a [blackboard.Board]. It does nothing when the
// entity lacks the component.
//
// Panics when the fact is of another kind, has an error or lies beyond the first 16 MB of its component.
func (q *Queue) SetFloat(issuer, e components.Entity, f blackboard.Fact, value float32) {
	if f.Field().Size == 8 {
		setFact(q, issuer, e, f, blackboard.Float, float64(value))
		return
	}
	setFact(q, issuer, e, f, blackboard.Float, value)
}

// SetBool writes the field that a Bool names. See [Queue.SetFloat].
func (q *Queue) SetBool(issuer, e components.Entity, f blackboard.Fact, value bool) {
	setFact(q, issuer, e, f, blackboard.Bool, value)
}

// SetEntity writes the field that an EntityRef names. See [Queue.SetFloat].
func (q *Queue) SetEntity(issuer, e components.Entity, f blackboard.Fact, value components.Entity) {
	setFact(q, issuer, e, f, blackboard.EntityRef, value)
}

// setFact queues the write of a field, if the field is one of a component of the entity.
func setFact[T any](q *Queue, issuer, e components.Entity, f blackboard.Fact, kind blackboard.Kind, value T) {
	if err := f.Err(); err != nil {
		panic("ecs: " + err.Error())
	}
	if f.Kind() != kind {
		panic(fmt.Sprintf("ecs: fact %q is of kind %v, not %v", f.Name(), f.Kind(), kind))
	}
	if field := f.Field(); field.Presence || field.Resource || field.Entity != nil {
		panic(fmt.Sprintf("ecs: fact %q names no field of a component of the entity; use Assign or Drop for a "+
			"component, and write a resource or another entity's component by itself", f.Name()))
	}
	if f.Field().Offset > maxFieldOffset {
		panic(fmt.Sprintf("ecs: fact %q lies %d bytes into its component; a queue can write up to %d",
			f.Name(), f.Field().Offset, maxFieldOffset))
	}
	q.push(command{issuer: issuer, entity: e, ref: addPayload(q, value), number: q.typeNumber(f.Component()),
		field: uint32(f.Field().Offset)<<8 | uint32(unsafe.Sizeof(value)), operate: setField})
}

func (q *Queue) push(c command) (number uint64) {
	q.requireMade()
	// Commands are rare, so a shared counter is cheap. It orders the commands that one issuer gives in two stages, in
	// which two workers may have served it.
	c.issued = q.issued.Add(1)
	c.queue = q.number
	q.commands = append(q.commands, c)
	return c.issued
}

func (q *Queue) requireMade() {
	if q == nil || q.issued == nil {
		panic("ecs: a Queue that was not made; use Commands.Queue")
	}
}

// typeNumber numbers component types by queue, since a worker must not use the world's registry.
func (q *Queue) typeNumber(t reflect.Type) uint16 {
	q.requireMade()
	number, ok := q.types[t]
	if !ok {
		if err := components.CheckPointerFree(t); err != nil {
			panic("ecs: " + err.Error())
		}
		number = uint16(len(q.known))
		q.types[t] = number
		q.known = append(q.known, knownType{component: t})
	}
	return number
}
