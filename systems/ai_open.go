package systems

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// openLeaves is the account of running leaves whose exit a hook waits for. It is what remains of an agent that
// was removed behind the command queue's back.
type openLeaves struct {
	list    []openLeaf
	first   []int32 // by entity index: one of its entries plus one, the head of a chain; 0 is none
	running []int   // scratch

	world    *arche.World
	programs *Programs
	mind64   ecs.Lookup[components.Mind64]
	mind128  ecs.Lookup[components.Mind128]
	mind256  ecs.Lookup[components.Mind256]
	intents  ecs.Lookup[components.Intent]
}

type openLeaf struct {
	entity  components.Entity
	program *aitree.Program
	leaf    uint16
	next    int32 // the entity's next entry plus one
}

func (o *openLeaves) initialize(w *arche.World, programs *Programs) {
	o.world, o.programs = w, programs
	o.mind64 = ecs.NewLookup[components.Mind64](w)
	o.mind128 = ecs.NewLookup[components.Mind128](w)
	o.mind256 = ecs.NewLookup[components.Mind256](w)
	o.intents = ecs.NewLookup[components.Intent](w)
}

// mind returns the words of an entity's mind, or nil.
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

// note keeps account of one event.
func (o *openLeaves) note(e hookEvent) {
	if !e.program.HasExitHook(int(e.event.Leaf)) {
		return
	}
	if e.event.Kind == aitree.Enter {
		o.add(e)
	} else {
		o.remove(e)
	}
}

func (o *openLeaves) add(e hookEvent) {
	for len(o.first) <= int(e.entity.Index) {
		o.first = append(o.first, 0)
	}
	head := &o.first[e.entity.Index]
	o.list = append(o.list, openLeaf{entity: e.entity, program: e.program, leaf: e.event.Leaf, next: *head})
	*head = int32(len(o.list))
}

func (o *openLeaves) remove(e hookEvent) {
	if int(e.entity.Index) >= len(o.first) {
		return
	}
	for at := &o.first[e.entity.Index]; *at != 0; at = &o.list[*at-1].next {
		found := *at - 1
		if l := &o.list[found]; l.entity == e.entity && l.program == e.program && l.leaf == e.event.Leaf {
			*at = l.next
			o.fill(found)
			return
		}
	}
}

// fill moves the last entry into a free place.
func (o *openLeaves) fill(place int32) {
	last := int32(len(o.list)) - 1
	if place != last {
		moved := o.list[last]
		at := &o.first[moved.entity.Index]
		for *at != last+1 {
			at = &o.list[*at-1].next
		}
		*at = place + 1
		o.list[place] = moved
	}
	o.list = o.list[:last]
}

// lost appends the exits of the entries whose leaf does not run any more without the AI having seen it end.
func (o *openLeaves) lost(events []hookEvent) []hookEvent {
	for _, l := range o.list {
		if !o.runs(l) {
			events = append(events, hookEvent{l.entity, l.program, aitree.Event{Leaf: l.leaf, Kind: aitree.ExitAborted}})
		}
	}
	return events
}

func (o *openLeaves) runs(l openLeaf) bool {
	words := o.mind(l.entity)
	if words == nil || o.programs.Get(components.MindProgram(words)) != l.program {
		return false
	}
	o.running = l.program.RunningLeaves(words, o.running[:0])
	for _, leaf := range o.running {
		if leaf == int(l.leaf) {
			return true
		}
	}
	return false
}
