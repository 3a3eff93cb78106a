package ai

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// openLeaves lists the running leaves that have an exit hook. It is all that remains of an agent that was removed
// without the command queue.
type openLeaves struct {
	list    []openLeaf
	first   ecs.Table[int32] // by entity: the head of the chain of its entries, as index plus one; 0 is none
	running []int            // scratch

	world   *arche.World
	trees   *Trees
	mind64  ecs.Lookup[components.Mind64]
	mind128 ecs.Lookup[components.Mind128]
	mind256 ecs.Lookup[components.Mind256]
	intents ecs.Lookup[components.Intent]
}

// openLeaf is an entry of openLeaves.
type openLeaf struct {
	entity  components.Entity
	program *executor.Program
	leaf    uint16
	next    int32 // the next entry of the entity, as index plus one
}

func (o *openLeaves) initialize(w *arche.World, trees *Trees) {
	o.world, o.trees = w, trees
	o.mind64 = ecs.NewLookup[components.Mind64](w)
	o.mind128 = ecs.NewLookup[components.Mind128](w)
	o.mind256 = ecs.NewLookup[components.Mind256](w)
	o.intents = ecs.NewLookup[components.Intent](w)
}

// mind returns the words of the mind of an entity, or nil.
func (o *openLeaves) mind(e components.Entity) []uint32 {
	if m := o.mind64.Get(e); m != nil {
		return m.Words[:]
	}
	if m := o.mind128.Get(e); m != nil {
		return m.Words[:]
	}
	if m := o.mind256.Get(e); m != nil {
		return m.Words[:]
	}
	return nil
}

// update takes an event into the list and reports whether its hook is to be called.
func (o *openLeaves) update(e hookEvent) bool {
	if e.event.Kind == executor.BranchFailed {
		return true
	}
	hasExit := e.program.HasExitHook(int(e.event.Leaf))
	if e.event.Kind != executor.Enter {
		return hasExit && o.remove(e)
	}
	if !o.runs(e.entity, e.program, e.event.Leaf) {
		return false
	}
	if hasExit {
		o.add(e.entity, e.program, e.event.Leaf)
	}
	return true
}

// adopt adds the leaves that run in a mind.
func (o *openLeaves) adopt(e components.Entity, p *executor.Program, words []uint32) {
	o.running = p.RunningLeaves(words, o.running[:0])
	for _, leaf := range o.running {
		if p.HasExitHook(leaf) {
			o.add(e, p, uint16(leaf))
		}
	}
}

func (o *openLeaves) add(e components.Entity, p *executor.Program, leaf uint16) {
	head := o.first.Entry(e)
	o.list = append(o.list, openLeaf{entity: e, program: p, leaf: leaf, next: *head})
	*head = int32(len(o.list))
}

// remove removes the entry of an exit and reports whether there was one.
func (o *openLeaves) remove(e hookEvent) bool {
	for at := o.first.At(e.entity); at != nil && *at != 0; at = &o.list[*at-1].next {
		found := *at - 1
		if l := &o.list[found]; l.entity == e.entity && l.program == e.program && l.leaf == e.event.Leaf {
			*at = l.next
			o.moveLast(found)
			return true
		}
	}
	return false
}

// exitsOf appends the exits of the open leaves of an agent, all of them aborted.
func (o *openLeaves) exitsOf(e components.Entity, events []hookEvent) []hookEvent {
	for at := o.first.Get(e); at != 0; at = o.list[at-1].next {
		if l := &o.list[at-1]; l.entity == e {
			events = append(events, l.aborted())
		}
	}
	return events
}

// allExits appends the exits of all open leaves, all of them aborted.
func (o *openLeaves) allExits(events []hookEvent) []hookEvent {
	for i := range o.list {
		events = append(events, o.list[i].aborted())
	}
	return events
}

func (l *openLeaf) aborted() hookEvent {
	return hookEvent{l.entity, l.program, executor.Event{Leaf: l.leaf, Kind: executor.ExitAborted}}
}

// moveLast moves the last entry into a free place.
func (o *openLeaves) moveLast(place int32) {
	last := int32(len(o.list)) - 1
	if place != last {
		moved := o.list[last]
		at := o.first.At(moved.entity)
		for *at != last+1 {
			at = &o.list[*at-1].next
		}
		*at = place + 1
		o.list[place] = moved
	}
	o.list = o.list[:last]
}

// lostExits appends the exits of the entries whose leaf has ended without an event.
func (o *openLeaves) lostExits(events []hookEvent) []hookEvent {
	for i := range o.list {
		if l := &o.list[i]; !o.runs(l.entity, l.program, l.leaf) {
			events = append(events, l.aborted())
		}
	}
	return events
}

// runs reports whether a leaf runs in an agent's mind.
func (o *openLeaves) runs(e components.Entity, p *executor.Program, leaf uint16) bool {
	words := o.mind(e)
	if words == nil || o.trees.compiled(Tree(mindlayout.Program(words))) != p {
		return false
	}
	o.running = p.RunningLeaves(words, o.running[:0])
	for _, l := range o.running {
		if l == int(leaf) {
			return true
		}
	}
	return false
}
