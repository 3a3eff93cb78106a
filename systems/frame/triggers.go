package frame

import (
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// Triggers are the instant actions that agents have fired and that no system has taken yet: a resource of the world.
// The AI fires those of the trees. The system that carries out an action takes its triggers once a frame, in the same
// stage after the AI, in a later stage or in the next frame. There is no limit to what an agent fires in a tick.
//
// Triggers that nobody takes are dropped after two frames. Frames without time do not count.
type Triggers struct {
	list     *List[components.Trigger]
	byAction [][]standing
	taken    []components.Trigger
	room     int // how many triggers of an action to make room for
}

// standing is a trigger that has been merged and not been taken.
type standing struct {
	trigger components.Trigger
	age     uint32 // Lists.Age when it was fired
}

// NewTriggers returns the triggers of a world that has its workers and events: systems.Install makes them.
//
// Panics when the world has no workers or no events.
func NewTriggers(w *arche.World) *Triggers {
	t := &Triggers{list: NewList[components.Trigger](w)}
	t.Reserve(triggerRoom)
	return t
}

// triggerRoom is for how many triggers there is room from the start, whichever worker fires them, so that a busy frame
// does not allocate.
const triggerRoom = 1024

// Fire fires a trigger of its Agent, as a Fire leaf does. The number of the worker is 0 on the goroutine that owns the
// world, else the number that Herd.Parallel passes, or that of an action's Context.
//
// Panics when there is no such worker.
func (t *Triggers) Fire(worker int, trigger components.Trigger) {
	t.list.Post(worker, trigger.Agent, trigger)
}

// Take returns the triggers of an action since the last call for this action, in the order of their agents, and those
// of one agent in the order in which they were fired. The slice holds until the next call for any action. An agent may
// have been removed since, if a frame has ended in between. Call Take on the goroutine that owns the world.
func (t *Triggers) Take(action components.Action) []components.Trigger {
	t.distribute()
	t.taken = t.taken[:0]
	if int(action) >= len(t.byAction) {
		return t.taken
	}
	age := t.list.events.Age()
	list := t.byAction[action]
	// What was merged in one go is in order; of several goes the earlier comes first.
	slices.SortStableFunc(list, func(a, b standing) int { return a.trigger.Agent.Compare(b.trigger.Agent) })
	for i := range list {
		if !eventlist.Forgotten(list[i].age, age) {
			t.taken = append(t.taken, list[i].trigger)
		}
	}
	t.byAction[action] = list[:0]
	return t.taken
}

// distribute appends what the workers' lists hold to the lists of the actions, and drops what is too old there.
func (t *Triggers) distribute() {
	if len(t.list.Take()) == 0 {
		return
	}
	age := t.list.events.Age()
	for action, list := range t.byAction {
		t.byAction[action] = slices.DeleteFunc(list, func(s standing) bool { return eventlist.Forgotten(s.age, age) })
	}
	for i := range t.list.merged {
		trigger, fired := t.list.merged[i].post.Value, t.list.merged[i].age
		if eventlist.Forgotten(fired, age) {
			continue
		}
		for int(trigger.Action) >= len(t.byAction) {
			t.byAction = append(t.byAction, nil)
		}
		list := &t.byAction[trigger.Action]
		if cap(*list) == 0 {
			*list = scratch.Reserve(*list, t.room)
		}
		*list = append(*list, standing{trigger, fired})
	}
}

// Reserve makes room for the triggers of a number of agents, so that a frame in which more of them fire than before
// does not allocate. The combat system reserves room for the fighters of the world.
func (t *Triggers) Reserve(agents int) {
	if agents <= t.room {
		return
	}
	t.room = agents
	t.list.reserve(agents)
	t.taken = scratch.Reserve(t.taken, agents)
	for action, list := range t.byAction {
		if cap(list) > 0 {
			t.byAction[action] = scratch.Reserve(list, agents)
		}
	}
}
