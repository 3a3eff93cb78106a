package blackboard_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

type bag struct {
	Flag  bool
	Small int8
	Pad   [3]byte
	Ratio float32
	Big   int64
	When  components.Timestamp
	Who   components.Entity
	Inner struct{ Deep uint16 }
}

func TestAFactKnowsTheFieldsPlaceKindAndDefault(t *testing.T) {
	ratio := blackboard.FloatFact("ratio", func(b *bag) *float32 { return &b.Ratio }, 0.5)
	assert.NoError(t, ratio.Err())
	assert.Equal(t, uintptr(8), ratio.Field().Offset)
	assert.Equal(t, blackboard.Float, ratio.Kind())
	assert.Equal(t, float32(0.5), ratio.Field().DefaultFloat)
	assert.Equal(t, "ratio", ratio.Name())

	small := blackboard.IntFact("small", func(b *bag) *int8 { return &b.Small }, -3)
	bytes, signed := small.Field().Size, small.Field().Signed
	assert.Equal(t, uintptr(1), small.Field().Offset)
	assert.Equal(t, 1, bytes)
	assert.True(t, signed)
	assert.Equal(t, int64(-3), small.Field().DefaultInt)

	deep := blackboard.IntFact("deep", func(b *bag) *uint16 { return &b.Inner.Deep }, 7)
	bytes, signed = deep.Field().Size, deep.Field().Signed
	assert.Equal(t, unsafe.Offsetof(bag{}.Inner), deep.Field().Offset)
	assert.Equal(t, 2, bytes)
	assert.False(t, signed)

	assert.Equal(t, int64(1), blackboard.BoolFact("flag", func(b *bag) *bool { return &b.Flag },
		true).Field().DefaultInt)
	assert.Equal(t, blackboard.Age, blackboard.AgeFact("when",
		func(b *bag) *components.Timestamp { return &b.When }).Kind())
	assert.Equal(t, unsafe.Offsetof(bag{}.Who), blackboard.EntityFact("who",
		func(b *bag) *components.Entity { return &b.Who }).Field().Offset)
}

func TestFactsAreTheSameWhenTheyReadTheSame(t *testing.T) {
	a := blackboard.FloatFact("a", func(b *bag) *float32 { return &b.Ratio }, 0)
	assert.True(t, a.Same(blackboard.FloatFact("another name", func(b *bag) *float32 { return &b.Ratio }, 0)))
	assert.False(t, a.Same(blackboard.FloatFact("a", func(b *bag) *float32 { return &b.Ratio }, 1)), "default")
	assert.False(t, a.Same(blackboard.IntFact("a", func(b *bag) *int64 { return &b.Big }, 0)), "field")
}

func TestAFactThatCannotBeMadeSaysWhy(t *testing.T) {
	type leaky struct {
		Ok   int32
		Name string
	}
	elsewhere := new(float32)
	for expecting, f := range map[string]blackboard.Fact{
		`blackboard: the zero Fact names no field; ` +
			`make one with FloatFact, IntFact, BoolFact, AgeFact, EntityFact or HasFact`: {},
		`blackboard: a fact of blackboard_test.bag has no name; give it one`: blackboard.FloatFact("",
			func(b *bag) *float32 { return &b.Ratio }, 0),
		`blackboard: fact "r" of blackboard_test.bag has no accessor; pass a function that returns a pointer to the ` +
			`field`: blackboard.FloatFact[bag, float32]("r", nil, 0),
		`blackboard: fact "r": default NaN is not finite; use a finite number`: blackboard.FloatFact("r",
			func(b *bag) *float32 { return &b.Ratio }, float32(math.NaN())),
		`blackboard: fact "r": the accessor returned nil; return a pointer to a field of the blackboard_test.bag it ` +
			`is given`: blackboard.FloatFact("r", func(*bag) *float32 { return nil }, 0),
		`blackboard: fact "r": the accessor returned a pointer outside the blackboard_test.bag it is given; return ` +
			`a pointer to one of its fields`: blackboard.FloatFact("r", func(*bag) *float32 {
			return elsewhere
		}, 0),
		`blackboard: fact "ok": component blackboard_test.leaky holds a Go pointer: blackboard_test.leaky.Name is a ` +
			`string; use an index or a handle instead`: blackboard.IntFact("ok", func(l *leaky) *int32 {
			return &l.Ok
		}, 0),
	} {
		assert.EqualError(t, f.Err(), expecting)
	}
}

func TestFactsOfResourcesAndOtherEntities(t *testing.T) {
	type weather struct {
		Wind  float64
		Names []string // a resource may hold pointers
		Storm components.Entity
	}
	wind := blackboard.FloatFact("wind", func(w *weather) *float64 { return &w.Wind }, 0)
	require.EqualError(t, wind.Err(), `blackboard: fact "wind": component blackboard_test.weather holds a Go pointer: `+
		`blackboard_test.weather.Names is a slice; use an index or a handle instead`)
	require.NoError(t, wind.OfResource().Err())
	target := blackboard.EntityFact("target", func(p *components.Percept) *components.Entity { return &p.Target })
	health := blackboard.IntFact("health", func(h *components.Health) *int32 { return &h.Current }, 1)
	require.NoError(t, health.Of(target).Err())
	storm := blackboard.EntityFact("storm", func(w *weather) *components.Entity { return &w.Storm }).OfResource()
	require.NoError(t, health.Of(storm).Err())

	assert.True(t, health.Of(target).Same(health.Of(target)))
	assert.False(t, health.Of(target).Same(health))
	assert.False(t, health.Of(target).Same(health.Of(storm)))
	assert.False(t, health.Same(health.OfResource()))
	assert.False(t, blackboard.HasFact[components.Health]("a").Same(blackboard.BoolFact("b",
		func(*components.Health) *bool { return nil }, false)))

	order := blackboard.IntFact("order", func(i *components.Intent) *uint16 { return &i.Orders[0].Serial }, 0)
	for _, wrong := range []struct {
		fact blackboard.Fact
		err  string
	}{
		{health.Of(target).Of(target),
			`blackboard: fact "health" is of a resource or of an entity already; use Of once, on a fact of the agent`},
		{health.Of(target).OfResource(), `blackboard: fact "health" is of an entity already, so it cannot be of a ` +
			`resource; use one of Of and OfResource`},
		{health.Of(health), `blackboard: fact "health" is of fact "health", which is no reference to an entity that ` +
			`the agent holds itself; use an EntityFact`},
		{order.Of(target), `blackboard: fact "order" of another entity reads its components.Intent, which other ` +
			`agents may be writing; copy the value to a custom component between decisions`},
		{blackboard.HasFact[components.Health](""), `blackboard: a fact of components.Health has no name; give it one`},
	} {
		assert.EqualError(t, wrong.fact.Err(), wrong.err)
	}
}

// The first and the last field of a component, and a component that is its field.
func TestAFieldMayBeginAndEndItsComponent(t *testing.T) {
	type whole struct{ Number float32 }
	type ends struct{ First, Last int32 }
	for _, c := range []struct {
		fact   blackboard.Fact
		offset uintptr
	}{
		{blackboard.FloatFact("number", func(w *whole) *float32 { return &w.Number }, 0), 0},
		{blackboard.IntFact("first", func(e *ends) *int32 { return &e.First }, 0), 0},
		{blackboard.IntFact("last", func(e *ends) *int32 { return &e.Last }, 0), 4},
	} {
		require.NoError(t, c.fact.Err())
		assert.Equal(t, c.offset, c.fact.Field().Offset, c.fact.Name())
	}
	// A field that would begin in the component and end after it.
	f := blackboard.IntFact("l", func(e *ends) *int32 { return fiveBytesOn(unsafe.Pointer(e)) }, 0)
	assert.EqualError(t, f.Err(), `blackboard: fact "l": the accessor returned a pointer outside the `+
		`blackboard_test.ends it is given; return a pointer to one of its fields`)
}

//go:nocheckptr
func fiveBytesOn(p unsafe.Pointer) *int32 { return (*int32)(unsafe.Add(p, 5)) }

func TestIntegersKnowTheirSizeSignAndDefault(t *testing.T) {
	type all struct {
		I8  int8
		I16 int16
		I32 int32
		I64 int64
		U8  uint8
		U16 uint16
		U32 uint32
		U64 uint64
		I   int
		U   uint
	}
	word := int(unsafe.Sizeof(0))
	for _, c := range []struct {
		fact   blackboard.Fact
		size   int
		signed bool
		def    int64
	}{
		{blackboard.IntFact("f", func(a *all) *int8 { return &a.I8 }, -128), 1, true, -128},
		{blackboard.IntFact("f", func(a *all) *int16 { return &a.I16 }, -1<<15), 2, true, -1 << 15},
		{blackboard.IntFact("f", func(a *all) *int32 { return &a.I32 }, -1<<31), 4, true, -1 << 31},
		{blackboard.IntFact("f", func(a *all) *int64 { return &a.I64 }, -1<<63), 8, true, -1 << 63},
		{blackboard.IntFact("f", func(a *all) *int { return &a.I }, -1), word, true, -1},
		{blackboard.IntFact("f", func(a *all) *uint8 { return &a.U8 }, 255), 1, false, 255},
		{blackboard.IntFact("f", func(a *all) *uint16 { return &a.U16 }, 65535), 2, false, 65535},
		{blackboard.IntFact("f", func(a *all) *uint32 { return &a.U32 }, 1<<31), 4, false, 1 << 31},
		{blackboard.IntFact("f", func(a *all) *uint64 { return &a.U64 }, 0), 8, false, 0},
		{blackboard.IntFact("f", func(a *all) *uint64 { return &a.U64 }, 1<<63-1), 8, false, 1<<63 - 1},
		{blackboard.IntFact("f", func(a *all) *uint64 { return &a.U64 }, 1<<63), 8, false, 1<<63 - 1},
		{blackboard.IntFact("f", func(a *all) *uint { return &a.U }, 3), word, false, 3},
		{blackboard.AgeFact("f", func(b *bag) *components.Timestamp { return &b.When }), 8, true, 0},
	} {
		field := c.fact.Field()
		require.NoError(t, c.fact.Err())
		assert.Equal(t, c.size, field.Size)
		assert.Equal(t, c.signed, field.Signed)
		assert.Equal(t, c.def, field.DefaultInt)
		assert.False(t, field.Presence)
		assert.False(t, field.Resource)
		assert.Nil(t, field.Entity)
	}
	has := blackboard.HasFact[bag]("has")
	assert.Equal(t, blackboard.Bool, has.Kind())
	assert.True(t, has.Field().Presence)
	assert.True(t, has.OfResource().Field().Resource)
	assert.False(t, blackboard.BoolFact("b", func(b *bag) *bool { return &b.Flag }, false).Field().DefaultInt != 0)
}

// Facts that differ in one thing each.
func TestFactsThatDifferInOneThingAreNotTheSame(t *testing.T) {
	type twice struct {
		A, B      float32
		I         int32
		Who, Whom components.Entity
	}
	type other struct{ A float32 }
	type union struct{ Bytes [8]byte }
	at := func(u *union) unsafe.Pointer { return unsafe.Pointer(&u.Bytes) }
	a := blackboard.FloatFact("a", func(w *twice) *float32 { return &w.A }, 0)
	who := blackboard.EntityFact("who", func(w *twice) *components.Entity { return &w.Who })
	whom := blackboard.EntityFact("whom", func(w *twice) *components.Entity { return &w.Whom })
	number := blackboard.IntFact("i", func(w *twice) *int32 { return &w.I }, 1)
	signed := blackboard.IntFact("s", func(u *union) *int32 { return (*int32)(at(u)) }, 0)
	for name, pair := range map[string][2]blackboard.Fact{
		"offset":    {a, blackboard.FloatFact("a", func(w *twice) *float32 { return &w.B }, 0)},
		"component": {a, blackboard.FloatFact("a", func(o *other) *float32 { return &o.A }, 0)},
		"default":   {number, blackboard.IntFact("i", func(w *twice) *int32 { return &w.I }, 2)},
		"sign":      {signed, blackboard.IntFact("s", func(u *union) *uint32 { return (*uint32)(at(u)) }, 0)},
		"size":      {signed, blackboard.IntFact("s", func(u *union) *int64 { return (*int64)(at(u)) }, 0)},
		"kind":      {signed, blackboard.FloatFact("s", func(u *union) *float32 { return (*float32)(at(u)) }, 0)},
		"presence": {blackboard.HasFact[union]("s"),
			blackboard.BoolFact("s", func(u *union) *bool { return (*bool)(at(u)) }, false)},
		"resource":         {a, a.OfResource()},
		"entity or agent":  {a, a.Of(who)},
		"of which entity":  {a.Of(whom), a.Of(who)},
		"entity: resource": {a.Of(who.OfResource()), a.Of(who)},
	} {
		require.NoError(t, pair[0].Err(), name)
		require.NoError(t, pair[1].Err(), name)
		assert.False(t, pair[0].Same(pair[1]), name)
		assert.False(t, pair[1].Same(pair[0]), name)
		assert.True(t, pair[0].Same(pair[0]), name)
		assert.True(t, pair[1].Same(pair[1]), name)
	}
}

// The first mistake is the one that is named.
func TestFactsOfFactsThatCannotBeUsedSayWhy(t *testing.T) {
	none := blackboard.FloatFact[bag, float32]("r", nil, 0)
	who := blackboard.EntityFact("who", func(b *bag) *components.Entity { return &b.Who })
	ratio := blackboard.FloatFact("ratio", func(b *bag) *float32 { return &b.Ratio }, 0)
	noEntity := blackboard.EntityFact[bag]("whose", nil)
	const noAccessor = ` of blackboard_test.bag has no accessor; pass a function that returns a pointer to the field`
	const twice = `blackboard: fact "ratio" is of a resource or of an entity already; use Of once, on a fact of the ` +
		`agent`
	for _, c := range []struct {
		fact blackboard.Fact
		want string
	}{
		{none.Of(who), `blackboard: fact "r"` + noAccessor},
		{none.OfResource(), `blackboard: fact "r"` + noAccessor},
		{none.Of(who).OfResource(), `blackboard: fact "r"` + noAccessor},
		{ratio.Of(noEntity), `blackboard: fact "whose"` + noAccessor},
		{ratio.OfResource().Of(who), twice},
		{ratio.Of(who.Of(who)), `blackboard: fact "ratio" is of fact "who", which is no reference to an entity that ` +
			`the agent holds itself; use an EntityFact`},
	} {
		assert.EqualError(t, c.fact.Err(), c.want)
	}
	for _, kind := range []struct {
		kind blackboard.Kind
		want string
	}{
		{blackboard.Invalid, "invalid"}, {blackboard.Float, "float32"}, {blackboard.Int, "integer"},
		{blackboard.Bool, "bool"}, {blackboard.Age, "age"}, {blackboard.EntityRef, "entity"},
	} {
		assert.Equal(t, kind.want, kind.kind.String())
	}
}
