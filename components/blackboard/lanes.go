package blackboard

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
)

// Lanes is a [Source] for 64 agents that its caller fills. It is for tests and for programs without a world. Make it
// with [NewLanes]. Every lane begins with the facts' defaults.
type Lanes struct {
	facts    []Fact
	floats   [][64]float32
	ints     [][64]int64
	bools    []uint64
	entities [][64]components.Entity
}

// NewLanes returns lanes for the facts of an evaluator or of a tree's program, in their order.
func NewLanes(facts []Fact) *Lanes {
	n := len(facts)
	l := &Lanes{
		facts:    facts,
		floats:   make([][64]float32, n),
		ints:     make([][64]int64, n),
		bools:    make([]uint64, n),
		entities: make([][64]components.Entity, n),
	}
	for i, f := range facts {
		for k := range 64 {
			l.floats[i][k] = f.number
			if f.Kind() == Int {
				l.ints[i][k] = f.integer
			}
		}
		if f.Kind() == Bool && f.integer != 0 {
			l.bools[i] = ^uint64(0)
		}
	}
	return l
}

// SetFloat sets a Float of one lane, 0…63. A value that is NaN or infinite reads as the fact's default.
//
// Panics, as all setters do, when the fact is not among those of the lanes or is of another kind, and when
// there is no such lane.
func (l *Lanes) SetFloat(f Fact, lane int, v float32) {
	i := l.index(f, Float, lane)
	if !finite(v) {
		v = f.number
	}
	l.floats[i][lane] = v
}

// SetInt sets an Int of one lane. See [Lanes.SetFloat].
func (l *Lanes) SetInt(f Fact, lane int, v int64) {
	l.ints[l.index(f, Int, lane)][lane] = v
}

// SetTime sets the clock reading of an Age of one lane; 0 is never. See [Lanes.SetFloat].
func (l *Lanes) SetTime(f Fact, lane int, v components.Timestamp) {
	l.ints[l.index(f, Age, lane)][lane] = int64(v)
}

// SetBool sets a Bool of one lane. See [Lanes.SetFloat].
func (l *Lanes) SetBool(f Fact, lane int, v bool) {
	i := l.index(f, Bool, lane)
	l.bools[i] &^= 1 << lane
	if v {
		l.bools[i] |= 1 << lane
	}
}

// SetEntity sets an EntityRef of one lane. An entity other than zero counts as alive. See [Lanes.SetFloat].
func (l *Lanes) SetEntity(f Fact, lane int, v components.Entity) {
	l.entities[l.index(f, EntityRef, lane)][lane] = v
}

func (l *Lanes) index(f Fact, kind Kind, lane int) int {
	if lane < 0 || lane > 63 {
		panic(fmt.Sprintf("blackboard: lane %d of fact %q; use 0 to 63", lane, f.Name()))
	}
	for i, known := range l.facts {
		if known.Same(f) && f.Kind() == kind {
			return i
		}
	}
	switch {
	case f.Kind() != kind:
		panic(fmt.Sprintf("blackboard: fact %q is of kind %v and was set as %v", f.Name(), f.Kind(), kind))
	case isElement(f):
		panic(fmt.Sprintf("blackboard: fact %q is a fact of a target; set the facts that List.Field returns", f.Name()))
	}
	panic(fmt.Sprintf("blackboard: fact %q of kind %v is not among the facts of the lanes", f.Name(), f.Kind()))
}

func isElement(f Fact) bool { return f.Field().List != "" }

// Floats implements [Source].
func (l *Lanes) Floats(fact int, _ uint64, _ *[64]float32) *[64]float32 {
	l.require(fact)
	return &l.floats[fact]
}

// Ints implements [Source].
func (l *Lanes) Ints(fact int, _ uint64, lane *[64]int64) {
	l.require(fact)
	*lane = l.ints[fact]
}

// FloatsBelow implements [Source].
func (l *Lanes) FloatsBelow(fact int, mask uint64, bound float32) (v uint64) {
	l.require(fact)
	for i, x := range l.floats[fact] {
		if x < bound {
			v |= 1 << i
		}
	}
	return v & mask
}

// IntsBelow implements [Source].
func (l *Lanes) IntsBelow(fact int, mask uint64, bound int64) (v uint64) {
	l.require(fact)
	for i, x := range l.ints[fact] {
		if x < bound {
			v |= 1 << i
		}
	}
	return v & mask
}

// Bools implements [Source].
func (l *Lanes) Bools(fact int, mask uint64) uint64 {
	l.require(fact)
	return l.bools[fact] & mask
}

// Entities implements [Source].
func (l *Lanes) Entities(fact int, _ uint64, lane *[64]components.Entity) {
	l.require(fact)
	*lane = l.entities[fact]
}

// Alive implements [Source].
func (l *Lanes) Alive(fact int, mask uint64) (v uint64) {
	l.require(fact)
	for i, e := range l.entities[fact] {
		if !e.IsZero() {
			v |= 1 << i
		}
	}
	return v & mask
}

func (l *Lanes) require(fact int) {
	if uint(fact) >= uint(len(l.facts)) {
		l.panicFact(fact)
	}
}

func (l *Lanes) panicFact(fact int) {
	panic(fmt.Sprintf("blackboard: fact %d of Lanes; they have %d facts, numbered from 0", fact, len(l.facts)))
}
