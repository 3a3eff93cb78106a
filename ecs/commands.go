package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
)

// Commands are the structural changes of a frame: entities to spawn and to remove, components to assign and to drop,
// trees to swap. They are queued while the world is locked and applied once a frame. Make them with [NewCommands].
//
// There is a [Queue] per worker, so queueing takes no lock. [Commands.Apply] carries out the commands in the order of
// the issuing entities, and those of one issuer in the order of issue. So the outcome depends neither on the number of
// workers nor on which of them served an agent, as long as an issuer's commands of one stage come from one goroutine. A
// system that acts for no entity issues as the zero entity, whose commands come first.
//
// A command for an entity that is dead by then is skipped: removing an entity twice, or assigning to it after its
// removal, does nothing. Whether the issuer is alive does not matter.
type Commands struct {
	queues  []*Queue
	issued  atomic.Uint64
	merged  []command
	onLeave []*callback[func(*arche.World, components.Entity, LeaveReason)]
	onSpawn []*callback[func(*arche.World, components.Entity, *Prefab, uint64)]

	world     *arche.World // whose IDs are cached below and in the queues
	minds     [3]arche.ID  // Mind64, Mind128, Mind256
	add, drop []arche.ID   // scratch of one exchange
	values    *initialiser
	applying  bool
}

// MaxWorkers is the maximum number of workers of a world: more than any machine has processors for one.
const MaxWorkers = 1024

// NewCommands returns empty queues for a number of workers. Add it to a world as a resource, or let systems.Install do
// it.
//
// Panics when workers is not in 1…[MaxWorkers].
func NewCommands(workers int) *Commands {
	if workers < 1 || workers > MaxWorkers {
		panic(fmt.Sprintf("ecs: NewCommands for %d workers; use 1 to %d", workers, MaxWorkers))
	}
	c := &Commands{queues: make([]*Queue, workers), values: newInitialiser()}
	for i := range c.queues {
		c.queues[i] = &Queue{types: map[reflect.Type]uint16{}, issued: &c.issued, number: uint16(i),
			commands: make([]command, 0, queueCapacity), prefabs: make([]*Prefab, 0, queueCapacity)}
	}
	return c
}

// Queue returns the queue of a worker. Worker 0 is the goroutine that owns the world.
//
// Panics when there is no such worker.
func (c *Commands) Queue(worker int) *Queue {
	if uint(worker) >= uint(len(c.queues)) {
		panicQueue(worker, len(c.queues))
	}
	return c.queues[worker]
}

func panicQueue(worker, workers int) {
	if workers == 0 {
		panic("ecs: Commands that were not made; use NewCommands or the herd's")
	}
	panic(fmt.Sprintf("ecs: Commands.Queue of worker %d; there are %d, numbered from 0", worker, workers))
}

// LeaveReason is why [Commands.OnLeave] is called: why the running leaves of an agent's tree end.
type LeaveReason uint8

// The reasons.
const (
	Removed LeaveReason = iota // the entity will be removed
	Swapped                    // its mind will be replaced or dropped
)

// String returns the reason's name.
func (r LeaveReason) String() string {
	if r == Removed {
		return "removed"
	}
	return "swapped"
}

// OnLeave registers a function that is called before an entity is removed and before its mind is replaced or dropped,
// while all its components are in place. The function may queue commands, which are applied later in the same
// [Commands.Apply]; it must not change the world's structure itself. Call remove to unregister it.
func (c *Commands) OnLeave(f func(w *arche.World, e components.Entity, reason LeaveReason)) (remove func()) {
	return register(&c.onLeave, f)
}

// OnSpawn registers a function that is called after [Queue.Spawn] has made an entity, with its components in place.
// number is what Spawn returned. The function may change the components' values and queue commands, which are applied
// later in the same [Commands.Apply]; it must not change the world's structure itself. Call remove to unregister it.
func (c *Commands) OnSpawn(
	f func(w *arche.World, e components.Entity, p *Prefab, number uint64),
) (remove func()) {
	return register(&c.onSpawn, f)
}

// callback is a registered function. Its address identifies it.
type callback[F any] struct{ call F }

// register adds a function to a list and returns a function that removes it. Both copy the list, so that a callback may
// remove itself while the list is walked.
func register[F any](list *[]*callback[F], f F) (remove func()) {
	entry := &callback[F]{f}
	*list = append(slices.Clone(*list), entry)
	return func() {
		*list = slices.DeleteFunc(slices.Clone(*list), func(other *callback[F]) bool { return other == entry })
	}
}
