package blackboard

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
)

// Kind is what a fact is read as. The zero value, Invalid, is the kind of a zero [Fact].
type Kind uint8

// The kinds of facts.
const (
	Invalid   Kind = iota // no fact
	Float                 // a float32 or float64; read as 64 float32
	Int                   // an integer of any type; read as 64 int64 and compared exactly
	Bool                  // a bool; read as a mask of 64 bits
	Age                   // a Timestamp; read as the 64 int64 nanoseconds since then
	EntityRef             // an Entity; read as 64 of them
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case Float:
		return "float32"
	case Int:
		return "integer"
	case Bool:
		return "bool"
	case Age:
		return "age"
	case EntityRef:
		return "entity"
	}
	return "invalid"
}

// Fact is a handle that names one field of one component. An agent's blackboard is the fields that its facts name. Make
// a fact once, with [FloatFact], [IntFact], [BoolFact], [AgeFact], [EntityFact] or [HasFact], and share it. A fact that
// could not be made carries its error, see [Fact.Err]; building a tree or an evaluator that uses it reports the error.
//
// The component may be any that the world has: the fields of another library's components are facts as well. A fact
// may also be a field of a resource, see [Fact.OfResource], or of another entity, see [Fact.Of].
//
// A fact reads as its default for an agent that lacks the component, for a float that is NaN or infinite and for a
// reference to an entity that is not alive.
type Fact struct {
	name      string
	component reflect.Type
	offset    uintptr
	kind      Kind
	size      uint8 // bytes of a Float, an Int or an Age
	signed    bool  // of an Int
	presence  bool  // whether an agent has the component is the value
	resource  bool  // the component is a resource of the world
	entity    *Fact // the fact of the entity that has the component; nil: it is the agent
	number    float32
	integer   int64
	err       error
	pointers  error // why the component cannot be one; a resource may hold pointers
}

// FloatFact names a field of type float32 or float64. A float64 is rounded to float32 when it is read. The accessor
// returns a pointer to the field of the component that it is given. The default must be finite.
func FloatFact[C any, F ~float32 | ~float64](name string, field func(*C) *F, def float32) Fact {
	f := newFact(name, field, Float)
	f.size = uint8(reflect.TypeFor[F]().Size())
	f.number = def
	if f.err == nil && !finite(def) {
		f.err = fmt.Errorf("blackboard: fact %q: default %v is not finite; use a finite number", name, def)
	}
	return f
}

// Integer is the set of types of a field that an [IntFact] can name.
type Integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// IntFact names an integer field. A uint64 or uint above the greatest int64 reads as the greatest int64. See
// [FloatFact] for the accessor.
func IntFact[C any, I Integer](name string, field func(*C) *I, def I) Fact {
	f := newFact(name, field, Int)
	t := reflect.TypeFor[I]()
	f.size = uint8(t.Size())
	f.signed = t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64
	if f.integer = int64(def); f.integer < 0 && !f.signed {
		f.integer = math.MaxInt64
	}
	return f
}

// BoolFact names a bool field. See [FloatFact] for the accessor.
func BoolFact[C any](name string, field func(*C) *bool, def bool) Fact {
	f := newFact(name, field, Bool)
	if def {
		f.integer = 1
	}
	return f
}

// AgeFact names a clock reading, which is read as its age. A condition compares it with a time.Duration, a
// consideration reads it in seconds, and custom code in nanoseconds. The age of a reading of zero, never, is
// [NeverAge], and so is that of a missing component. See [FloatFact] for the accessor.
func AgeFact[C any](name string, field func(*C) *components.Timestamp) Fact {
	f := newFact(name, field, Age)
	f.size, f.signed = 8, true
	return f
}

// EntityFact names a reference to an entity. Its default is the zero entity. See [FloatFact] for the accessor.
func EntityFact[C any](name string, field func(*C) *components.Entity) Fact {
	return newFact(name, field, EntityRef)
}

// HasFact is a Bool that is true for agents that have a component. The component may be an empty struct, a tag.
func HasFact[C any](name string) Fact {
	f := Fact{name: name, component: reflect.TypeFor[C](), kind: Bool, presence: true}
	if name == "" {
		f.err = fmt.Errorf("blackboard: a fact of %v has no name; give it one", f.component)
		return f
	}
	f.pointers = components.CheckPointerFree(f.component)
	return f
}

// OfResource returns the fact that reads the same field from the world's resource of that type: one value for all
// agents. It reads as its default while the world has no such resource. A resource may hold pointers. Nothing may
// write the resource while agents decide.
func (f Fact) OfResource() Fact {
	if f.entity != nil && f.err == nil {
		f.err = fmt.Errorf("blackboard: fact %q is of an entity already, so it cannot be of a resource; use one of Of "+
			"and OfResource", f.name)
	}
	f.resource = true
	return f
}

// Of returns the fact that reads the same field from the entity that an EntityRef refers to, such as the current
// target of the agent. It reads as its default when that entity is not alive or lacks the component. The reference must
// be a field of the agent itself or of a resource.
//
// The component must be one that nothing writes while agents decide. So it cannot be a mind, an intent, a choice, a
// board, or the LOD.
func (f Fact) Of(entity Fact) Fact {
	switch {
	case f.err != nil:
	case f.resource || f.entity != nil:
		f.err = fmt.Errorf("blackboard: fact %q is of a resource or of an entity already; use Of once, on a fact of "+
			"the agent", f.name)
	case entity.Err() != nil:
		f.err = entity.Err()
	case entity.kind != EntityRef || entity.entity != nil:
		f.err = fmt.Errorf("blackboard: fact %q is of fact %q, which is no reference to an entity that the agent "+
			"holds itself; use an EntityFact", f.name, entity.name)
	case slices.Contains(writtenByDecisions, f.component):
		f.err = fmt.Errorf("blackboard: fact %q of another entity reads its %v, which other agents may be writing; "+
			"copy the value to a custom component between decisions", f.name, f.component)
	}
	f.entity = &entity
	return f
}

// writtenByDecisions are the components that are written while agents decide.
var writtenByDecisions = []reflect.Type{
	reflect.TypeFor[components.Mind64](), reflect.TypeFor[components.Mind128](), reflect.TypeFor[components.Mind256](),
	reflect.TypeFor[components.Intent](), reflect.TypeFor[components.Choice](), reflect.TypeFor[components.LOD](),
	reflect.TypeFor[Board](),
}

// NeverAge is the age, in nanoseconds, of what never happened. It is greater than any other age.
const NeverAge = math.MaxInt64

// Name returns the name that the fact was given.
func (f Fact) Name() string { return f.name }

// Component returns the type of the component that the field belongs to.
func (f Fact) Component() reflect.Type { return f.component }

// Kind returns what the fact is read as.
func (f Fact) Kind() Kind { return f.kind }

// Field returns where the fact's value is stored. It is for code that reads or writes facts in custom storage, such as
// an implementation of [Source]; trees and evaluators take the fact itself.
func (f Fact) Field() Field {
	field := Field{
		Component: f.component, Offset: f.offset, Size: int(f.size), Signed: f.signed,
		Presence: f.presence, Resource: f.resource, Entity: f.entity,
		DefaultFloat: f.number, DefaultInt: f.integer,
	}
	if name, ok := listed.Load(f.component); ok {
		field.List = name.(string)
	}
	return field
}

// Field is where a [Fact]'s value is stored, and what is read where the component is missing.
type Field struct {
	Component    reflect.Type // the component that the field belongs to, or the element type of a list
	Offset       uintptr      // of the field in the component, bytes
	Size         int          // bytes of a Float, an Int or an Age; 0 for other kinds
	Signed       bool         // of an Int or an Age: whether the field's type is signed
	Presence     bool         // of a Bool: it is true where the component is, and there is no field
	Resource     bool         // Component is a resource of the world, see Fact.OfResource
	Entity       *Fact        // refers to the entity that has the component, see Fact.Of; nil: the agent has it
	DefaultFloat float32      // of a Float
	DefaultInt   int64        // of an Int, or of a Bool as 0 or 1; an Age has none and reads as NeverAge
	List         string       // name of a list whose elements are of type Component; empty: none is
}

// Err returns why the fact cannot be used, or nil. The error names the fact, what is wrong and what would be right.
func (f Fact) Err() error {
	if f.err == nil && f.kind == Invalid {
		return fmt.Errorf("blackboard: the zero Fact names no field; make one with FloatFact, IntFact, BoolFact, " +
			"AgeFact, EntityFact or HasFact")
	}
	if f.err == nil && f.pointers != nil && !f.resource {
		return fmt.Errorf("blackboard: fact %q: %w", f.name, f.pointers)
	}
	return f.err
}

// Same reports whether two facts read the same field with the same default.
func (f Fact) Same(g Fact) bool {
	return f.component == g.component && f.offset == g.offset && f.kind == g.kind && f.size == g.size &&
		f.signed == g.signed && f.number == g.number && f.integer == g.integer &&
		f.presence == g.presence && f.resource == g.resource &&
		(f.entity == g.entity || f.entity != nil && g.entity != nil && f.entity.Same(*g.entity))
}

// newFact finds the offset of a field by calling the accessor with a value.
func newFact[C, F any](name string, field func(*C) *F, kind Kind) Fact {
	f := Fact{name: name, component: reflect.TypeFor[C](), kind: kind}
	if name == "" {
		f.err = fmt.Errorf("blackboard: a fact of %v has no name; give it one", f.component)
		return f
	}
	f.pointers = components.CheckPointerFree(f.component)
	if field == nil {
		f.err = fmt.Errorf("blackboard: fact %q of %v has no accessor; pass a function that returns a pointer to the "+
			"field", name, f.component)
		return f
	}
	// The value is reached through reflection, so it is on the heap and does not move between the two readings of its
	// address.
	value := reflect.New(f.component)
	pointer := field(value.Interface().(*C))
	if pointer == nil {
		f.err = fmt.Errorf("blackboard: fact %q: the accessor returned nil; return a pointer to a field of the %v it "+
			"is given", name, f.component)
		return f
	}
	base, at, size := value.Pointer(), reflect.ValueOf(pointer).Pointer(), reflect.TypeFor[F]().Size()
	if at < base || at-base > f.component.Size() || at-base+size > f.component.Size() {
		f.err = fmt.Errorf("blackboard: fact %q: the accessor returned a pointer outside the %v it is given; return a "+
			"pointer to one of its fields", name, f.component)
		return f
	}
	f.offset = at - base
	return f
}

func finite(x float32) bool { return math.Float32bits(x)&0x7f800000 != 0x7f800000 }
