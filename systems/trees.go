package systems

import (
	"fmt"
	"reflect"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// AddTree builds a behaviour tree with the herd's actions, registers it under a name and returns its number. It may be
// called between frames at any time.
//
// An error names the path to the node that is wrong, what is wrong and what would be right. A second tree of the same
// name is an error, too, since the name keys random draws.
func (h *Herd) AddTree(name string, root *aitree.Node, subtrees ...aitree.Definition) (ai.Tree, error) {
	h.requireMade("AddTree")
	program, err := aitree.Build(name, h.Actions, root, subtrees...)
	if err != nil {
		return 0, err
	}
	return h.Trees.Add(program)
}

// Prefab returns a prefab of entities that run a tree. It has what a thinking agent needs (see [Herd.Thinker]) and
// parts: values of components, and bundles of them such as [Walker]. Of two values of one component the later counts.
//
// Panics when there is no tree of that number, and when a part is no struct, holds a Go pointer or is a mind.
func (h *Herd) Prefab(tree ai.Tree, parts ...any) *ecs.Prefab {
	return ecs.NewPrefab(h.world, flatten("Prefab", append([]any{h.Thinker(tree)}, parts...))...)
}

// Adopt gives a tree to all entities that a filter matches, whoever made them, and returns how many there are. They get
// the components that they lack, of those that a thinking agent needs and of the parts, with the values of
// [Herd.Prefab]; components that they have keep their values. An entity that gets a Transform by [Walker] is at the
// origin: set its position afterwards, or give the entity a Transform before. The tree of an entity that has one is
// swapped at the end of the next frame, so that what it runs is aborted properly.
//
// Call it between frames. Panics when the filter is nil, inside a frame, when the world is locked, and as [Herd.Prefab]
// does.
func (h *Herd) Adopt(filter arche.Filter, tree ai.Tree, parts ...any) (count int) {
	h.requireMade("Adopt")
	switch {
	case filter == nil:
		panic("systems: Herd.Adopt of a nil filter; use arche.All(ids…), or a filter of package generic")
	case h.running:
		panic("systems: Herd.Adopt inside a frame; call it between frames")
	case h.world.IsLocked():
		panic("systems: Herd.Adopt in a locked world; close the query first")
	}
	prefab := h.Prefab(tree, parts...)
	var fresh, swapped []components.Entity
	for q := h.world.Query(filter); q.Next(); {
		if e := ecs.FromArche(q.Entity()); h.mindOf(e) != nil {
			swapped = append(swapped, e)
		} else {
			fresh = append(fresh, e)
		}
	}
	for _, e := range fresh {
		prefab.Complete(e)
	}
	if len(swapped) > 0 {
		withoutMind := ecs.NewPrefab(h.world, flatten("Adopt", append([]any{h.Thinker(tree)[1:]}, parts...))...)
		for _, e := range swapped {
			withoutMind.Complete(e)
			h.Swap(e, tree)
		}
	}
	return len(fresh) + len(swapped)
}

// Swap exchanges an agent's tree for another at the end of the frame: leaves that run exit as aborted, and the new tree
// begins at its root at the agent's next decision. An entity without a tree gets one; one that is dead by then is left
// alone. What the tree needs and the entity lacks (see [Herd.Thinker]) is added with it. Call it between frames or in a
// hook; a custom leaf calls [Herd.QueueSwap]. An arche entity is converted by ecs.FromArche.
//
// Panics when there is no tree of that number.
func (h *Herd) Swap(e components.Entity, tree ai.Tree) {
	h.requireMade("Swap")
	h.QueueSwap(h.Commands.Queue(0), e, e, tree)
}

// QueueSwap is [Herd.Swap] for code that runs on a worker, such as a custom leaf, whose Context.User is the worker's
// queue. The issuer is the agent that the code acts for; see [ecs.Commands] for the order of several swaps of one
// agent.
//
// Panics when there is no tree of that number.
func (h *Herd) QueueSwap(queue *ecs.Queue, issuer, e components.Entity, tree ai.Tree) {
	h.requireMade("QueueSwap")
	switch number := uint16(tree); h.Trees.MindBytes(tree) {
	case 64:
		ecs.Assign(queue, issuer, e, mindlayout.NewMind64(number))
	case 128:
		ecs.Assign(queue, issuer, e, mindlayout.NewMind128(number))
	default:
		ecs.Assign(queue, issuer, e, mindlayout.NewMind256(number))
	}
	if ecs.Get[components.LOD](h.world, e) == nil && h.mindOf(e) == nil {
		ecs.Assign(queue, issuer, e, components.NewLOD())
	}
	if ecs.Get[components.Intent](h.world, e) == nil {
		ecs.Assign(queue, issuer, e, components.Intent{})
	}
}

// Bundle is a list of component values that belong together. It is a part of [Herd.Prefab] and [Herd.Adopt].
type Bundle []any

// Thinker returns what an agent needs to run a tree: a mind of the size that the tree needs, an Intent and the LOD that
// paces its decisions. The mind comes first.
//
// Panics when there is no tree of that number.
func (h *Herd) Thinker(tree ai.Tree) Bundle {
	h.requireMade("Thinker")
	return Bundle{h.Trees.Mind(tree), components.NewLOD(), components.Intent{}}
}

// Walker returns what an agent needs to move: a Transform at the origin that faces +X, a Body, and the Steering with
// which it finds its way around obstacles. The radius is in metres, the speed in metres per second.
func Walker(radius, speed float32) Bundle {
	return Bundle{
		components.Transform{Heading: components.Vec2{X: 1}},
		components.Body{Radius: radius, Speed: speed},
		components.Steering{},
	}
}

// Fighter returns what an agent needs to fight and to be hurt: a Faction, full Health, a Fighter, and the Attack and
// Attacked of the durative attacks. It needs a Transform as well, see [Walker], and Ammo to shoot. By default a faction
// is hostile to all others, except faction 0, which is neutral to all; Herd.Relations changes that.
func Fighter(faction uint8, health int32) Bundle {
	return Bundle{
		components.Faction{ID: faction},
		components.Health{Current: health, Max: health},
		components.Fighter{},
		components.Attack{},
		components.Attacked{},
	}
}

// Perceiver returns what an agent needs to perceive others: Senses, a Percept, and the Candidates among which
// evaluators choose targets. It needs a Transform and a Faction as well, see [Walker] and [Fighter].
func Perceiver(senses components.Senses) Bundle {
	return Bundle{senses, components.NewPercept(), components.NewCandidates()}
}

// flatten returns the values of parts, of each type the last, in the order of their first occurrence.
func flatten(method string, parts []any) []any {
	var values []any
	at := map[reflect.Type]int{}
	minds := 0
	var add func(part any)
	add = func(part any) {
		switch p := part.(type) {
		case Bundle:
			for _, value := range p {
				add(value)
			}
			return
		case nil:
			panic(fmt.Sprintf("systems: Herd.%s: a part is nil; use component values and bundles", method))
		case func(float32, float32) Bundle, func(uint8, int32) Bundle, func(components.Senses) Bundle:
			panic(fmt.Sprintf("systems: Herd.%s: a part is a function; call it, as in Walker(0.3, 2)", method))
		case components.Mind64, components.Mind128, components.Mind256:
			if minds++; minds > 1 {
				panic(fmt.Sprintf("systems: Herd.%s: a part is a %T; the tree's mind is added anyway", method, part))
			}
		}
		t := reflect.TypeOf(part)
		if t.Kind() != reflect.Struct {
			panic(fmt.Sprintf("systems: Herd.%s: a part is a %v; parts are component structs and bundles", method, t))
		}
		if i, known := at[t]; known {
			values[i] = part
			return
		}
		at[t] = len(values)
		values = append(values, part)
	}
	for _, part := range parts {
		add(part)
	}
	return values
}
