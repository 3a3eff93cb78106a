package blackboard

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
)

// Slots of a [Board], by kind.
const (
	BoardNumbers  = 10
	BoardFlags    = 8
	BoardEntities = 2
)

// Board is a blackboard for keys that are known at run time only: numbered slots, to which a [BoardSchema] gives
// names. Prefer fields of a component of your own where the keys are known. Agents' boards are written through the
// command queue, between decisions.
type Board struct {
	Entities [BoardEntities]components.Entity
	Numbers  [BoardNumbers]float32
	Flags    [BoardFlags]bool
}

// BoardSchema gives the slots of boards their names and defaults. Names are looked up when a tree is built and by
// tools; what ticks uses the slot. Its zero value has no names.
type BoardSchema struct {
	keys []boardKey
}

type boardKey struct {
	name string
	kind Kind // Float, Bool or EntityRef
	slot int
	fact Fact
}

// Number names the next free number slot and returns the fact that reads it. A name that stands for a number already
// returns its fact, with the default it has.
func (s *BoardSchema) Number(name string, def float32) (Fact, error) {
	return s.add(name, Float, BoardNumbers, func(slot int) Fact {
		return FloatFact(name, func(b *Board) *float32 { return &b.Numbers[slot] }, def)
	})
}

// Flag names the next free flag slot and returns the fact that reads it.
func (s *BoardSchema) Flag(name string, def bool) (Fact, error) {
	return s.add(name, Bool, BoardFlags, func(slot int) Fact {
		return BoolFact(name, func(b *Board) *bool { return &b.Flags[slot] }, def)
	})
}

// Entity names the next free entity slot and returns the fact that reads it.
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
				return Fact{}, fmt.Errorf("blackboard: board key %q is of kind %v already, not %v", name, k.kind, kind)
			}
			return k.fact, nil
		}
		if k.kind == kind {
			slot++
		}
	}
	if slot == slots {
		return Fact{}, fmt.Errorf("blackboard: board key %q: all %d slots of kind %v are taken; give agents a "+
			"component of their own", name, slots, kind)
	}
	f := fact(slot)
	if err := f.Err(); err != nil {
		return Fact{}, err
	}
	s.keys = append(s.keys, boardKey{name: name, kind: kind, slot: slot, fact: f})
	return f, nil
}

// Lookup returns the fact of a name.
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

// Get returns the value of a name: a float32, a bool or an [components.Entity].
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

// Set changes the value of a name to a float32, a bool or an [components.Entity], as its kind demands. On an error the board is as
// before.
func (s *BoardSchema) Set(b *Board, name string, value any) error {
	k := s.key(name)
	if k == nil {
		return s.unknown(name)
	}
	switch v := value.(type) {
	case float32:
		if k.kind == Float {
			if !finite(v) {
				return fmt.Errorf("blackboard: board key %q: %v is not finite", name, v)
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

// Encode returns a board as a JSON object, by name. Entities are pairs of index and generation.
func (s *BoardSchema) Encode(b *Board) ([]byte, error) {
	values := make(map[string]any, len(s.keys))
	for _, k := range s.keys {
		v, _ := s.Get(b, k.name)
		if e, ok := v.(components.Entity); ok {
			v = [2]uint32{e.Index, e.Generation}
		}
		if f, ok := v.(float32); ok && !finite(f) {
			return nil, fmt.Errorf("blackboard: board key %q: %v is not finite", k.name, f)
		}
		values[k.name] = v
	}
	return json.Marshal(values)
}

// Decode reads a JSON object that [BoardSchema.Encode] wrote. Names that are left out get their defaults. An
// error names the key, and no board comes with it.
func (s *BoardSchema) Decode(data []byte) (Board, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return Board{}, fmt.Errorf("blackboard: board: %w", err)
	}
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names) // so that of several faults always the same is reported
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
				err = fmt.Errorf("null is no number")
			}
			if err == nil {
				b.Numbers[k.slot] = *v
			}
		case Bool:
			var v *bool
			if err = json.Unmarshal(values[name], &v); err == nil && v == nil {
				err = fmt.Errorf("null is no bool")
			}
			if err == nil {
				b.Flags[k.slot] = *v
			}
		case EntityRef:
			var v []uint32
			if err = json.Unmarshal(values[name], &v); err == nil && len(v) != 2 {
				err = fmt.Errorf("%s is no pair of index and generation", values[name])
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
