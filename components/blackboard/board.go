package blackboard

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
)

// How many slots a [Board] has, by kind.
const (
	BoardNumbers  = 10
	BoardFlags    = 8
	BoardEntities = 2
)

// Board is a component for keys that are known at run time only: numbered slots to which a [BoardSchema] gives names.
// Where the keys are known when the program is written, a custom component is better. The user writes boards, between
// decisions, through the command queue of package ecs.
type Board struct {
	Entities [BoardEntities]components.Entity // see BoardSchema.Entity
	Numbers  [BoardNumbers]float32            // see BoardSchema.Number
	Flags    [BoardFlags]bool                 // see BoardSchema.Flag
}

// BoardSchema gives the slots of boards their names and defaults. Names are looked up when a tree is built and by
// tools; a tick reads the slot. The zero value has no names.
type BoardSchema struct {
	keys []boardKey
}

type boardKey struct {
	name string
	kind Kind // Float, Bool or EntityRef
	slot int
	fact Fact
}

// Number names the next free number slot and returns the fact that reads it. When the schema has a number of the name
// already, Number returns its fact, with the default that it has.
//
// It is an error, as it is for Flag and Entity, when the name is empty or is of another kind already, or when all slots
// of the kind are taken.
func (s *BoardSchema) Number(name string, def float32) (Fact, error) {
	return s.add(name, Float, BoardNumbers, func(slot int) Fact {
		return FloatFact(name, func(b *Board) *float32 { return &b.Numbers[slot] }, def)
	})
}

// Flag names the next free flag slot and returns the fact that reads it. See [BoardSchema.Number].
func (s *BoardSchema) Flag(name string, def bool) (Fact, error) {
	return s.add(name, Bool, BoardFlags, func(slot int) Fact {
		return BoolFact(name, func(b *Board) *bool { return &b.Flags[slot] }, def)
	})
}

// Entity names the next free entity slot and returns the fact that reads it. See [BoardSchema.Number].
func (s *BoardSchema) Entity(name string) (Fact, error) {
	return s.add(name, EntityRef, BoardEntities, func(slot int) Fact {
		return EntityFact(name, func(b *Board) *components.Entity { return &b.Entities[slot] })
	})
}

func (s *BoardSchema) add(name string, kind Kind, slots int, fact func(slot int) Fact) (Fact, error) {
	slot := 0
	for _, k := range s.keys {
		if k.name == name {
			if k.kind != kind {
				return Fact{}, fmt.Errorf("blackboard: board key %q is of kind %v already, not %v; use another name",
					name, k.kind, kind)
			}
			return k.fact, nil
		}
		if k.kind == kind {
			slot++
		}
	}
	if slot == slots {
		return Fact{}, fmt.Errorf("blackboard: board key %q: all %d slots of kind %v are taken; give agents a "+
			"custom component", name, slots, kind)
	}
	f := fact(slot)
	if err := f.Err(); err != nil {
		return Fact{}, err
	}
	s.keys = append(s.keys, boardKey{name: name, kind: kind, slot: slot, fact: f})
	return f, nil
}

// Lookup returns the fact of a name, or false when the schema does not have the name.
func (s *BoardSchema) Lookup(name string) (Fact, bool) {
	if k := s.key(name); k != nil {
		return k.fact, true
	}
	return Fact{}, false
}

func (s *BoardSchema) key(name string) *boardKey {
	for i := range s.keys {
		if s.keys[i].name == name {
			return &s.keys[i]
		}
	}
	return nil
}

// Names returns the names in the order in which they were given.
func (s *BoardSchema) Names() []string {
	names := make([]string, len(s.keys))
	for i := range s.keys {
		names[i] = s.keys[i].name
	}
	return names
}

// New returns a board that holds the defaults.
func (s *BoardSchema) New() Board {
	var b Board
	for _, k := range s.keys {
		switch k.kind {
		case Float:
			b.Numbers[k.slot] = k.fact.number
		case Bool:
			b.Flags[k.slot] = k.fact.integer != 0
		}
	}
	return b
}

// Get returns the value of a name: a float32, a bool or a [components.Entity]. It is an error when the schema does not
// have the name.
func (s *BoardSchema) Get(b *Board, name string) (any, error) {
	k := s.key(name)
	if k == nil {
		return nil, s.unknown(name)
	}
	switch k.kind {
	case Float:
		return b.Numbers[k.slot], nil
	case Bool:
		return b.Flags[k.slot], nil
	}
	return b.Entities[k.slot], nil
}

// Set changes the value of a name. The value is a float32, a bool or a [components.Entity], by the kind of the name. It
// is an error when the schema does not have the name, when the value is of another type, or when a number is not
// finite; the board is then unchanged.
func (s *BoardSchema) Set(b *Board, name string, value any) error {
	k := s.key(name)
	if k == nil {
		return s.unknown(name)
	}
	switch v := value.(type) {
	case float32:
		if k.kind == Float {
			if !finite(v) {
				return fmt.Errorf("blackboard: board key %q: %v is not finite; use a finite number", name, v)
			}
			b.Numbers[k.slot] = v
			return nil
		}
	case bool:
		if k.kind == Bool {
			b.Flags[k.slot] = v
			return nil
		}
	case components.Entity:
		if k.kind == EntityRef {
			b.Entities[k.slot] = v
			return nil
		}
	}
	return fmt.Errorf("blackboard: board key %q is of kind %v, got a %T", name, k.kind, value)
}

func (s *BoardSchema) unknown(name string) error {
	return fmt.Errorf("blackboard: unknown board key %q; known are: %q", name, s.Names())
}

// Encode returns a board as a JSON object, by name. Entities are pairs of index and generation. It is an error when a
// number is not finite.
func (s *BoardSchema) Encode(b *Board) ([]byte, error) {
	values := make(map[string]any, len(s.keys))
	for _, k := range s.keys {
		v, _ := s.Get(b, k.name)
		if e, ok := v.(components.Entity); ok {
			v = [2]uint32{e.Index, e.Generation}
		}
		if f, ok := v.(float32); ok && !finite(f) {
			return nil, fmt.Errorf("blackboard: board key %q: %v is not finite; set a finite number", k.name, f)
		}
		values[k.name] = v
	}
	return json.Marshal(values)
}

// Decode reads a JSON object that [BoardSchema.Encode] wrote. Names that are left out get their defaults. An error
// names the key; the board is then the zero value.
func (s *BoardSchema) Decode(data []byte) (Board, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return Board{}, fmt.Errorf("blackboard: board: %w", err)
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names) // of several errors, always the same is reported
	b := s.New()
	for _, name := range names {
		k := s.key(name)
		if k == nil {
			return Board{}, s.unknown(name)
		}
		var err error
		switch k.kind {
		case Float:
			var v *float32
			if err = json.Unmarshal(values[name], &v); err == nil && v == nil {
				err = fmt.Errorf("null is not a number")
			}
			if err == nil {
				b.Numbers[k.slot] = *v
			}
		case Bool:
			var v *bool
			if err = json.Unmarshal(values[name], &v); err == nil && v == nil {
				err = fmt.Errorf("null is not a bool")
			}
			if err == nil {
				b.Flags[k.slot] = *v
			}
		case EntityRef:
			var v []uint32
			if err = json.Unmarshal(values[name], &v); err == nil && len(v) != 2 {
				err = fmt.Errorf("%s is not a pair of index and generation", values[name])
			}
			if err == nil {
				b.Entities[k.slot] = components.Entity{Index: v[0], Generation: v[1]}
			}
		}
		if err != nil {
			return Board{}, fmt.Errorf("blackboard: board key %q of kind %v: %w", name, k.kind, err)
		}
	}
	return b, nil
}
