package blackboard_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// A place is an element, with fields of several sizes, so that its stride is not the sum of them.
type place struct {
	Open   bool
	Who    components.Entity
	Rating float32
	Seats  int16
	Seen   components.Timestamp
}

// A map of places has the array in its midst.
type mapOfPlaces struct {
	Version int32
	Known   uint8
	Places  [5]place
	Home    components.Entity
}

var (
	elementsOf = func(m *mapOfPlaces) []place { return m.Places[:] }
	countOf    = func(m *mapOfPlaces) *uint8 { return &m.Known }
	entityIn   = func(p *place) *components.Entity { return &p.Who }
	placesList = blackboard.ListOf("places", elementsOf, countOf, entityIn)
)

// read takes what a fact names out of a component's bytes.
func read[T any](m *mapOfPlaces, f blackboard.Fact) T {
	// A fact's offset lies within its component, with room for the field: ListOf and Field promise it.
	return *(*T)(unsafe.Add(unsafe.Pointer(m), f.Field().Offset))
}

func TestFieldsOfAListAreReadWhereTheStructHasThem(t *testing.T) {
	require.NoError(t, placesList.Err())
	assert.Equal(t, "places", placesList.Name())
	assert.Equal(t, 5, placesList.Len())
	open := blackboard.BoolFact("open", func(p *place) *bool { return &p.Open }, true)
	rating := blackboard.FloatFact("rating", func(p *place) *float32 { return &p.Rating }, 0.25)
	seats := blackboard.IntFact("seats", func(p *place) *int16 { return &p.Seats }, 3)
	seen := blackboard.AgeFact("seen", func(p *place) *components.Timestamp { return &p.Seen })
	m := &mapOfPlaces{Version: -1, Known: 4, Home: components.Entity{Index: 99, Generation: 99}}
	for i := range m.Places {
		m.Places[i] = place{
			Open: i%2 == 1, Who: components.Entity{Index: uint32(10 + i), Generation: uint32(i)}, Rating: float32(i) +
				0.5,
			Seats: int16(-i), Seen: components.Timestamp(1000 + i),
		}
	}
	assert.EqualValues(t, 4, read[uint8](m, placesList.Count()))
	assert.Equal(t, blackboard.Int, placesList.Count().Kind())
	for i, p := range m.Places {
		assert.Equal(t, p.Who, read[components.Entity](m, placesList.Entity(i)))
		assert.Equal(t, p.Open, read[bool](m, placesList.Field(i, open)))
		assert.Equal(t, p.Rating, read[float32](m, placesList.Field(i, rating)))
		assert.Equal(t, p.Seats, read[int16](m, placesList.Field(i, seats)))
		assert.Equal(t, p.Seen, read[components.Timestamp](m, placesList.Field(i, seen)))
	}
	// A field is a fact of the component, of the same kind, size and default.
	f := placesList.Field(2, seats)
	size, signed := f.Field().Size, f.Field().Signed
	assert.Equal(t, 2, size)
	assert.True(t, signed)
	assert.EqualValues(t, 3, f.Field().DefaultInt)
	assert.Equal(t, blackboard.Int, f.Kind())
	assert.Equal(t, "places[2] seats", f.Name())
	assert.Equal(t, placesList.Count().Component(), f.Component())
	assert.Equal(t, "blackboard_test.place", placesList.Element().String())
	assert.EqualValues(t, 0.25, placesList.Field(0, rating).Field().DefaultFloat)
	assert.EqualValues(t, 1, placesList.Field(0, open).Field().DefaultInt)
	assert.NoError(t, f.Err())
}

func TestAListOfTheWholeComponentIsOne(t *testing.T) {
	type only struct {
		Places [16]place
		Known  uint8
	}
	l := blackboard.ListOf("all", func(o *only) []place { return o.Places[:] },
		func(o *only) *uint8 { return &o.Known }, entityIn)
	require.NoError(t, l.Err())
	assert.Equal(t, blackboard.MaxListed, l.Len())
	assert.Equal(t, unsafe.Offsetof(place{}.Who), l.Entity(0).Field().Offset)
	assert.Equal(t, 15*unsafe.Sizeof(place{})+unsafe.Offsetof(place{}.Who), l.Entity(15).Field().Offset)
}

func TestListsAreTheSameWhenTheyNameTheSameArray(t *testing.T) {
	assert.True(t, placesList.Same(blackboard.ListOf("other name", elementsOf, countOf, entityIn)))
	assert.False(t, placesList.Same(blackboard.ListOf("places", func(m *mapOfPlaces) []place { return m.Places[:4] },
		countOf, entityIn)))
	assert.False(t, placesList.Same(blackboard.ListOf("places", func(m *mapOfPlaces) []place { return m.Places[1:] },
		countOf, entityIn)))
	assert.False(t, placesList.Same(blackboard.List{}))
}

func TestListsSayWhyTheyCannotBeUsed(t *testing.T) {
	type pointed struct {
		Places [2]place
		Known  uint8
		Name   *string
	}
	type named struct {
		Who  components.Entity
		Name string
	}
	type names struct {
		List  [2]named
		Known uint8
	}
	type many struct {
		Places [17]place
		Known  uint8
	}
	outside := make([]place, 3)
	type empty struct{ Known uint8 }
	for _, c := range []struct {
		list blackboard.List
		want string
	}{
		{blackboard.List{}, "blackboard: the zero List names no array; make one with ListOf"},
		{blackboard.ListOf("", elementsOf, countOf, entityIn),
			"blackboard: a list of blackboard_test.mapOfPlaces has no name; give it one"},
		{blackboard.ListOf[mapOfPlaces, place]("l", nil, countOf, entityIn),
			`blackboard: list "l" of blackboard_test.mapOfPlaces has no accessor of its elements; pass a function ` +
				`that returns all of an array`},
		{blackboard.ListOf("l", elementsOf, nil, entityIn),
			`blackboard: fact "l count" of blackboard_test.mapOfPlaces has no accessor; pass a function that ` +
				`returns a pointer to the field`},
		{blackboard.ListOf("l", elementsOf, countOf, nil),
			`blackboard: fact "l entity" of blackboard_test.place has no accessor; pass a function that returns a ` +
				`pointer to the field`},
		{blackboard.ListOf("l", func(m *mapOfPlaces) []place { return nil }, countOf, entityIn),
			`blackboard: list "l" of blackboard_test.mapOfPlaces has 0 elements; return all of an array of 1 to 16`},
		{blackboard.ListOf("l", func(m *many) []place { return m.Places[:] }, func(m *many) *uint8 { return &m.Known },
			entityIn),
			`blackboard: list "l" of blackboard_test.many has 17 elements; return all of an array of 1 to 16`},
		{blackboard.ListOf("l", func(*mapOfPlaces) []place { return outside }, countOf, entityIn),
			`blackboard: list "l": the accessor returned elements outside the blackboard_test.mapOfPlaces it is ` +
				`given; return a slice of one of its arrays`},
		{blackboard.ListOf("l", func(*empty) []place { return outside }, func(e *empty) *uint8 { return &e.Known },
			entityIn),
			`blackboard: list "l": the accessor returned elements outside the blackboard_test.empty it is given; ` +
				`return a slice of one of its arrays`},
		{blackboard.ListOf("l", func(m *mapOfPlaces) []place { return append(m.Places[:], place{})[:5] }, countOf,
			entityIn),
			`blackboard: list "l": the accessor returned elements outside the blackboard_test.mapOfPlaces it is ` +
				`given; return a slice of one of its arrays`},
		{blackboard.ListOf("l", elementsOf, func(*mapOfPlaces) *uint8 { return new(uint8) }, entityIn),
			`blackboard: fact "l count": the accessor returned a pointer outside the blackboard_test.mapOfPlaces it ` +
				`is given; return a pointer to one of its fields`},
		{blackboard.ListOf("l", elementsOf, countOf, func(*place) *components.Entity { return new(components.Entity) }),
			`blackboard: fact "l entity": the accessor returned a pointer outside the blackboard_test.place it is ` +
				`given; return a pointer to one of its fields`},
		{blackboard.ListOf("l", func(p *pointed) []place { return p.Places[:] },
			func(p *pointed) *uint8 { return &p.Known }, entityIn),
			`blackboard: fact "l count": component blackboard_test.pointed holds a Go pointer: ` +
				`blackboard_test.pointed.Name is a ptr; ` +
				`use an index or a handle instead`},
		{blackboard.ListOf("l", func(n *names) []named { return n.List[:] }, func(n *names) *uint8 { return &n.Known },
			func(n *named) *components.Entity { return &n.Who }),
			`blackboard: fact "l count": component blackboard_test.names holds a Go pointer: ` +
				`blackboard_test.names.List[0].Name is a string; ` +
				`use an index or a handle instead`},
	} {
		assert.EqualError(t, c.list.Err(), c.want)
	}
}

func TestAFieldThatAListDoesNotHavePanics(t *testing.T) {
	rating := blackboard.FloatFact("rating", func(p *place) *float32 { return &p.Rating }, 0)
	assert.PanicsWithValue(t,
		`blackboard: list "places" has no fact "rating" of blackboard_test.place at 5; it has 5 elements of `+
			`blackboard_test.place`,
		func() { placesList.Field(5, rating) })
	assert.PanicsWithValue(t,
		`blackboard: list "places" has no fact "rating" of blackboard_test.place at -1; it has 5 elements of `+
			`blackboard_test.place`,
		func() { placesList.Field(-1, rating) })
	assert.PanicsWithValue(t,
		`blackboard: list "places" has no fact "places count" of blackboard_test.mapOfPlaces at 0; it has 5 `+
			`elements of blackboard_test.place`,
		func() { placesList.Field(0, placesList.Count()) })
}

// A choice and a list are components or parts of them: they hold no Go pointer where it would be moved raw.
func TestWhatAListNamesIsFreeOfPointers(t *testing.T) {
	assert.NoError(t, components.CheckPointerFree(placesList.Count().Component()))
	assert.NoError(t, components.CheckPointerFree(placesList.Element()))
}
