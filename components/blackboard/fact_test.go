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
