package blackboard

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/flockwork-ai/flockwork/components"
)

// MaxListed is how many elements a [List] can have.
const MaxListed = 16

// List names an array of a component whose elements are possible targets of an agent: hostiles, places, friends. Facts
// of a target are made over the type of the element, as facts of an agent are made over a component. Make a list once,
// with [ListOf], and share it. A list that could not be made carries its error, see [List.Err]; building an evaluator
// that uses it reports the error.
type List struct {
	name      string
	component reflect.Type
	element   reflect.Type
	offset    uintptr // of the first element
	stride    uintptr
	length    int
	count     Fact
	entity    Fact // over the element
	err       error
}

// ListOf names a list of 1 to [MaxListed] elements. The first accessor returns all of an array of the component that it
// is given as a slice. The second returns a pointer to the number of elements in use, from the first on. The third
// returns a pointer to the entity that an element is about. An element whose entity is not alive is no target.
func ListOf[C, E any](
	name string, elements func(*C) []E, count func(*C) *uint8, entity func(*E) *components.Entity,
) List {
	l := List{
		name: name, component: reflect.TypeFor[C](), element: reflect.TypeFor[E](), stride: reflect.TypeFor[E]().Size(),
		count: IntFact(name+" count", count, 0), entity: EntityFact(name+" entity", entity),
	}
	if name == "" {
		l.err = fmt.Errorf("blackboard: a list of %v has no name; give it one", l.component)
		return l
	}
	if l.err = l.count.Err(); l.err != nil {
		return l
	}
	if l.err = l.entity.Err(); l.err != nil {
		return l
	}
	if elements == nil {
		l.err = fmt.Errorf("blackboard: list %q of %v has no accessor of its elements; pass a function that returns "+
			"all of an array", name, l.component)
		return l
	}
	// On the heap, so that it does not move between the readings of its address; see newFact.
	value := reflect.New(l.component)
	all := elements(value.Interface().(*C))
	l.length = len(all)
	if l.length < 1 || l.length > MaxListed {
		l.err = fmt.Errorf("blackboard: list %q of %v has %d elements; return all of an array of 1 to %d",
			name, l.component, l.length, MaxListed)
		return l
	}
	base, at := value.Pointer(), reflect.ValueOf(all).Pointer()
	if size := l.component.Size(); at < base || at-base > size || at-base+uintptr(l.length)*l.stride > size {
		l.err = fmt.Errorf("blackboard: list %q: the accessor returned elements outside the %v it is given; return a "+
			"slice of one of its arrays",
			name, l.component)
		return l
	}
	l.offset = at - base
	listed.Store(l.element, name)
	return l
}

// listed maps the element types of all lists to the name of a list: from reflect.Type to string. Error messages need
// it.
var listed sync.Map

// Name returns the name that the list was given.
func (l List) Name() string { return l.name }

// Len returns how many elements the array has, in use or not.
func (l List) Len() int { return l.length }

// Element returns the type of an element: facts over it are facts of a target.
func (l List) Element() reflect.Type { return l.element }

// Err returns why the list cannot be used, or nil. The error names the list, what is wrong and what would be right.
func (l List) Err() error {
	if l.err == nil && l.element == nil {
		return fmt.Errorf("blackboard: the zero List names no array; make one with ListOf")
	}
	return l.err
}

// Same reports whether two lists name the same array.
func (l List) Same(o List) bool {
	return l.component == o.component && l.element == o.element && l.offset == o.offset && l.length == o.length &&
		l.count.Same(o.count) && l.entity.Same(o.entity)
}

// Count returns the fact of how many elements are in use.
func (l List) Count() Fact { return l.count }

// Entity returns the fact of which entity element i is about.
func (l List) Entity(i int) Fact { return l.Field(i, l.entity) }

// Field returns the agent's fact that reads a fact of a target from element i.
//
// Panics when f is no fact of the list's elements or there is no element i.
func (l List) Field(i int, f Fact) Fact {
	if f.component != l.element || i < 0 || i >= l.length {
		panic(fmt.Sprintf("blackboard: list %q has no fact %q of %v at %d; it has %d elements of %v",
			l.name, f.name, f.component, i, l.length, l.element))
	}
	f.name = fmt.Sprintf("%s[%d] %s", l.name, i, f.name)
	f.component = l.component
	f.offset += l.offset + uintptr(i)*l.stride
	return f
}
