package ecs

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Commands are the structural changes of a frame: entities to make and to remove, components to add and to
// drop, trees to swap. They are queued while the world must not change and applied once.
//
// There is a [Queue] per worker, so queueing takes no lock. [Commands.Apply] goes by issuing entity, and for
// one issuer in the order of issue; so the outcome depends neither on the number of workers nor on which
// of them served an agent, as long as an issuer's commands of one stage come from one goroutine. A system that
// acts for no entity issues as the zero entity, whose commands come first.
//
// An entity that is dead when its command comes up is skipped: the second removal of an entity, or an
// assignment after its removal, does nothing. Whether the issuer is alive does not matter.
type Commands struct {
	queues  []*Queue
	issued  atomic.Uint64
	merged  []command
	onLeave []*callback[func(*arche.World, components.Entity, LeaveReason)]
	onSpawn []*callback[func(*arche.World, components.Entity, *Prefab)]
	current uint64 // the number of the command that is being carried out

	world     *arche.World // whose IDs are cached below and in the queues
	minds     [3]arche.ID  // Mind64, Mind128, Mind256
	add, drop []arche.ID   // scratch of one exchange
	applying  bool
}

// callback is a registered function. Its address tells it from others.
type callback[F any] struct{ call F }

// register adds a function to a list and returns what removes it again. The list is copied, so that a
// callback may remove itself while the list is walked.
func register[F any](list *[]*callback[F], f F) (remove func()) {
	entry := &callback[F]{f}
	*list = append(slices.Clone(*list), entry)
	return func() {
		*list = slices.DeleteFunc(slices.Clone(*list), func(other *callback[F]) bool { return other == entry })
	}
}

// LeaveReason is why an agent's running leaves end.
type LeaveReason uint8

// The reasons.
const (
	Removed LeaveReason = iota // the entity is removed
	Swapped                    // its mind is replaced or dropped
)

// String returns the reason's name.
func (r LeaveReason) String() string {
	if r == Removed {
		return "removed"
	}
	return "swapped"
}

// Queue takes the commands of one worker. It must not be used by two goroutines at once.
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

type knownType struct {
	component reflect.Type
	id        arche.ID
	resolved  bool // whether id is the world's
}

type operation uint8

const (
	remove operation = iota
	spawn
	assign
	drop
	setTree
	setField
)

// A command is a plain value; what it refers to is in its queue.
type command struct {
	issued  uint64 // order of issue over all queues
	issuer  components.Entity
	entity  components.Entity
	at      components.Vec2 // of a spawn
	ref     uint32          // spawn: index into prefabs; assign: offset in payload; setTree: program
	queue   uint16
	field   uint32 // setField: offset in the component (high 24 bits) and bytes
	number  uint16 // assign, drop, setField: type number; setTree: mind size in bytes
	operate operation
}

// maxFieldOffset is the greatest offset that command.field can hold.
const maxFieldOffset = 1<<24 - 1

// queueRoom is how many commands of a frame a queue has room for from the start, so that the first deaths of
// a long run do not allocate.
const queueRoom = 64

// NewCommands returns empty queues for a number of workers. Add it to a world as a resource, or let
// systems.Install do it.
//
// Panics when workers is not in 1…65535.
func NewCommands(workers int) *Commands {
	if workers < 1 || workers > 0xffff {
		panic(fmt.Sprintf("ecs: NewCommands for %d workers; use 1 to 65535", workers))
	}
	c := &Commands{queues: make([]*Queue, workers)}
	for i := range c.queues {
		c.queues[i] = &Queue{types: map[reflect.Type]uint16{}, issued: &c.issued, number: uint16(i),
			commands: make([]command, 0, queueRoom), prefabs: make([]*Prefab, 0, queueRoom)}
	}
	return c
}

// Queue returns the queue of a worker; worker 0 is the goroutine that owns the world.
func (c *Commands) Queue(worker int) *Queue { return c.queues[worker] }

// OnLeave registers a function that is called before an entity is removed and before its mind is replaced or
// dropped, while all its components are in place. It may queue commands, which are applied in the same
// [Commands.Apply], after; it must not change the world itself. Call remove when it is no longer wanted.
func (c *Commands) OnLeave(f func(w *arche.World, e components.Entity, reason LeaveReason)) (remove func()) {
	return register(&c.onLeave, f)
}

// OnSpawn registers a function that is called after an entity was made by [Queue.Spawn], with its components
// in place. It may change their values and queue commands, which are applied in the same [Commands.Apply],
// after; it must not change the world's structure itself. Call remove when it is no longer wanted.
func (c *Commands) OnSpawn(f func(w *arche.World, e components.Entity, p *Prefab)) (remove func()) {
	return register(&c.onSpawn, f)
}

// Current returns the number of the command that is being carried out, as [Queue.Spawn] returned it: what an
// OnSpawn callback tells its own spawns by. It is 0 outside of Apply.
func (c *Commands) Current() uint64 { return c.current }

// Reserve makes room for a number of commands of one frame in the queue of worker 0, so that the first frame
// with so many does not allocate.
func (c *Commands) Reserve(commands int) {
	if c.applying { // merged is in use
		return
	}
	q := c.queues[0]
	q.commands = slices.Grow(q.commands, max(commands-len(q.commands), 0))
	q.prefabs = slices.Grow(q.prefabs, max(commands-len(q.prefabs), 0))
	c.merged = slices.Grow(c.merged[:0], commands)
}

// Remove removes an entity.
func (q *Queue) Remove(issuer, e components.Entity) {
	q.push(command{issuer: issuer, entity: e, operate: remove})
}

// Spawn makes an entity with the prefab's values and, if it has a Transform, the given position in metres. It
// returns the number of the command, which no other has in the life of the [Commands]; see [Commands.Current].
func (q *Queue) Spawn(issuer components.Entity, p *Prefab, at components.Vec2) (number uint64) {
	if p == nil {
		panic("ecs: Spawn of a nil Prefab")
	}
	q.prefabs = append(q.prefabs, p)
	return q.push(command{issuer: issuer, at: at, ref: uint32(len(q.prefabs) - 1), operate: spawn})
}

// Assign gives an entity a component, or overwrites the one it has.
//
// Panics when the component holds a Go pointer, naming the field.
func Assign[T any](q *Queue, issuer, e components.Entity, value T) {
	number := q.typeNumber(reflect.TypeFor[T]())
	offset := len(q.payload)
	q.payload = append(q.payload, bytesAt(unsafe.Pointer(&value), unsafe.Sizeof(value))...)
	q.push(command{issuer: issuer, entity: e, ref: uint32(offset), number: number, operate: assign})
}

// SetFloat writes the field that a Float names, such as a number slot of a [blackboard.Board]. An entity that lacks the
// component is left alone.
//
// Panics, as its siblings do, when the fact is of another kind, has an error or lies beyond the first 16 MB of its
// component.
func (q *Queue) SetFloat(issuer, e components.Entity, f blackboard.Fact, value float32) {
	setFact(q, issuer, e, f, blackboard.Float, value)
}

// SetBool writes the field that a Bool names.
func (q *Queue) SetBool(issuer, e components.Entity, f blackboard.Fact, value bool) {
	setFact(q, issuer, e, f, blackboard.Bool, value)
}

// SetEntity writes the field that an EntityRef names.
func (q *Queue) SetEntity(issuer, e components.Entity, f blackboard.Fact, value components.Entity) {
	setFact(q, issuer, e, f, blackboard.EntityRef, value)
}

func setFact[T any](q *Queue, issuer, e components.Entity, f blackboard.Fact, kind blackboard.Kind, value T) {
	if err := f.Err(); err != nil {
		panic("ecs: " + err.Error())
	}
	if f.Kind() != kind {
		panic(fmt.Sprintf("ecs: fact %q is of kind %v, not %v", f.Name(), f.Kind(), kind))
	}
	if f.Offset() > maxFieldOffset {
		panic(fmt.Sprintf("ecs: fact %q lies %d bytes into its component; a queue can write up to %d",
			f.Name(), f.Offset(), maxFieldOffset))
	}
	offset := len(q.payload)
	q.payload = append(q.payload, bytesAt(unsafe.Pointer(&value), unsafe.Sizeof(value))...)
	q.push(command{issuer: issuer, entity: e, ref: uint32(offset), number: q.typeNumber(f.Component()),
		field: uint32(f.Offset())<<8 | uint32(unsafe.Sizeof(value)), operate: setField})
}

// Drop takes a component from an entity. An entity that lacks it is left alone.
func Drop[T any](q *Queue, issuer, e components.Entity) {
	q.push(command{issuer: issuer, entity: e, number: q.typeNumber(reflect.TypeFor[T]()), operate: drop})
}

// SetTree replaces an entity's mind, of whatever size, by a fresh one of the given size that will run the
// program of the given number. An entity without a mind gets one.
//
// Panics when the size is none of the three.
func (q *Queue) SetTree(issuer, e components.Entity, program uint16, size MindSize) {
	if size != Mind64 && size != Mind128 && size != Mind256 {
		panic(badMindSize(size))
	}
	q.push(command{issuer: issuer, entity: e, ref: uint32(program), number: uint16(size), operate: setTree})
}

func (q *Queue) push(c command) (number uint64) {
	// Commands are rare, so a shared counter is cheap; it orders the commands that one issuer gives in two
	// stages, where two workers may have served it.
	c.issued = q.issued.Add(1)
	c.queue = q.number
	q.commands = append(q.commands, c)
	return c.issued
}

// typeNumber numbers component types by queue, since the world's registry may not be touched by a worker.
func (q *Queue) typeNumber(t reflect.Type) uint16 {
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

// maxRounds bounds how often callbacks may answer commands with commands in one Apply.
const maxRounds = 1000

// Apply carries out what was queued and then what callbacks queued meanwhile, until nothing is left. It
// belongs to the goroutine that owns the world, when no worker is running.
//
// Panics when the world is locked, when called by a callback, when callbacks queue commands without end,
// and as [Register] does for a component the world does not know yet.
func (c *Commands) Apply(w *arche.World) {
	if c.applying {
		panic("ecs: Commands.Apply called by one of its callbacks; what they queue is applied anyway")
	}
	if w.IsLocked() {
		panic("ecs: Commands.Apply in a locked world; close the query or Columns first")
	}
	c.bind(w)
	c.applying = true
	defer c.reset()
	for round := 0; c.merge(); round++ {
		if round == maxRounds {
			panic(fmt.Sprintf("ecs: callbacks of Commands queued more commands %d times in a row", maxRounds))
		}
		for i := range c.merged {
			c.current = c.merged[i].issued
			c.apply(w, &c.merged[i])
		}
	}
}

// reset empties the buffers at the very end of an Apply, since what later rounds refer to is in them
// too; after a panic it drops what was left.
func (c *Commands) reset() {
	for _, q := range c.queues {
		q.commands, q.payload = q.commands[:0], q.payload[:0]
		clear(q.prefabs)
		q.prefabs = q.prefabs[:0]
	}
	c.applying, c.current = false, 0
}

// bind finds the IDs of the minds and forgets those of another world.
func (c *Commands) bind(w *arche.World) {
	if c.world == w {
		return
	}
	c.world = w
	c.minds = [3]arche.ID{
		Register(w, reflect.TypeFor[components.Mind64]()),
		Register(w, reflect.TypeFor[components.Mind128]()),
		Register(w, reflect.TypeFor[components.Mind256]()),
	}
	for _, q := range c.queues {
		for i := range q.known {
			q.known[i].resolved = false
		}
	}
}

// merge takes the commands out of the queues, in the order in which they are applied.
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
		e := p.spawn(w, k.at)
		for _, f := range c.onSpawn {
			f.call(w, e, p)
		}
		return
	}
	if !Alive(w, k.entity) {
		return
	}
	e := ToArche(k.entity)
	switch k.operate {
	case remove:
		if c.leave(w, k.entity, Removed) {
			w.RemoveEntity(e)
		}
	case assign:
		known := q.resolve(w, k.number)
		if c.replacesMind(w, e, known.id) && !c.leave(w, k.entity, Swapped) {
			return
		}
		size := known.component.Size()
		c.put(w, e, known.id, q.payload[k.ref:uintptr(k.ref)+size])
	case drop:
		known := q.resolve(w, k.number)
		if !w.HasUnchecked(e, known.id) || c.replacesMind(w, e, known.id) && !c.leave(w, k.entity, Swapped) {
			return
		}
		c.drop = append(c.drop[:0], known.id)
		w.Exchange(e, nil, c.drop)
	case setTree:
		c.setTree(w, k)
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

// replacesMind reports whether the component is a mind that the entity has.
func (c *Commands) replacesMind(w *arche.World, e arche.Entity, id arche.ID) bool {
	return slices.Contains(c.minds[:], id) && w.HasUnchecked(e, id)
}

// put writes a component, adding it where it is missing.
func (c *Commands) put(w *arche.World, e arche.Entity, id arche.ID, value []byte) {
	if !w.HasUnchecked(e, id) {
		c.add = append(c.add[:0], id)
		w.Exchange(e, c.add, nil)
	}
	copy(bytesAt(w.GetUnchecked(e, id), uintptr(len(value))), value)
}

func (c *Commands) setTree(w *arche.World, k *command) {
	e := ToArche(k.entity)
	if c.hasMind(w, e) && !c.leave(w, k.entity, Swapped) {
		return
	}
	var id arche.ID
	switch MindSize(k.number) {
	case Mind64:
		id = c.minds[0]
	case Mind128:
		id = c.minds[1]
	case Mind256:
		id = c.minds[2]
	}
	c.add, c.drop = c.add[:0], c.drop[:0]
	for _, mind := range c.minds {
		if has := w.HasUnchecked(e, mind); has && mind != id {
			c.drop = append(c.drop, mind)
		} else if !has && mind == id {
			c.add = append(c.add, mind)
		}
	}
	if len(c.add)+len(c.drop) > 0 {
		w.Exchange(e, c.add, c.drop)
	}
	// k.number is the mind's size in bytes; its first word is the program number.
	words := unsafe.Slice((*uint32)(w.GetUnchecked(e, id)), k.number/4)
	clear(words)
	words[0] = k.ref
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
		known.id, known.resolved = Register(w, known.component), true
	}
	return known
}
