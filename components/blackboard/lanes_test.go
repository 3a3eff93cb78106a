package blackboard_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// An animal has a field of each kind.
type animal struct {
	Weight float32
	Young  int32
	Tame   bool
	Herd   components.Entity
}

var (
	animalWeight = blackboard.FloatFact("weight", func(a *animal) *float32 { return &a.Weight }, 0.5)
	animalYoung  = blackboard.IntFact("young", func(a *animal) *int32 { return &a.Young }, 0)
	animalTame   = blackboard.BoolFact("tame", func(a *animal) *bool { return &a.Tame }, true)
	animalHerd   = blackboard.EntityFact("herd", func(a *animal) *components.Entity { return &a.Herd })
	placeRating  = blackboard.FloatFact("rating", func(p *place) *float32 { return &p.Rating }, 0)
)

// Lanes compare too, as trees ask, and refuse what is not read.
func TestLanesHoldDefaultsAndRefuseUnknownFacts(t *testing.T) {
	l := blackboard.NewLanes([]blackboard.Fact{animalWeight, animalYoung, animalTame, animalHerd})
	var floats [64]float32
	floats = *l.Floats(0, ^uint64(0), &floats)
	assert.EqualValues(t, 0.5, floats[63])
	l.SetFloat(animalWeight, 0, 3)
	assert.EqualValues(t, 1<<1, l.FloatsBelow(0, 3, 1))
	l.SetInt(animalYoung, 1, -4)
	assert.EqualValues(t, 1<<1, l.IntsBelow(1, 7, 0))
	assert.EqualValues(t, 7, l.Bools(2, 7))
	l.SetBool(animalTame, 1, false)
	assert.EqualValues(t, 5, l.Bools(2, 7))
	l.SetEntity(animalHerd, 2, components.Entity{Index: 1})
	assert.EqualValues(t, 4, l.Alive(3, 7))
	assert.PanicsWithValue(t, `blackboard: fact "rating" is a fact of a target; set the facts that List.Field returns`,
		func() { l.SetFloat(placeRating, 0, 0) })
	assert.PanicsWithValue(t, `blackboard: fact "young" is of kind integer and was set as bool`,
		func() { l.SetBool(animalYoung, 0, true) })
}

// Each kind in the first and the last lane: what is set, what the other lanes keep, and comparisons at their bounds.
func TestLanesOfEveryKindAreSetOneByOne(t *testing.T) {
	first := blackboard.AgeFact("seen", func(b *bag) *components.Timestamp { return &b.When })
	many := blackboard.IntFact("many", func(b *bag) *int64 { return &b.Big }, 7)
	untame := blackboard.BoolFact("untame", func(b *bag) *bool { return &b.Flag }, false)
	facts := []blackboard.Fact{animalWeight, many, animalTame, untame, animalHerd, first}
	for _, lane := range []int{0, 1, 63} {
		l := blackboard.NewLanes(facts)
		bit := uint64(1) << lane
		l.SetFloat(animalWeight, lane, 0.25)
		l.SetInt(many, lane, 6)
		l.SetBool(animalTame, lane, false)
		l.SetBool(untame, lane, true)
		l.SetEntity(animalHerd, lane, components.Entity{Index: 1})
		l.SetTime(first, lane, 3)
		var ints [64]int64
		var entities [64]components.Entity
		assert.Equal(t, bit, l.FloatsBelow(0, ^uint64(0), 0.5))
		assert.Zero(t, l.FloatsBelow(0, ^uint64(0), 0.25))
		assert.Zero(t, l.FloatsBelow(0, ^bit, 0.5))
		assert.Equal(t, bit, l.IntsBelow(1, ^uint64(0), 7))
		assert.Zero(t, l.IntsBelow(1, ^uint64(0), 6))
		assert.Zero(t, l.IntsBelow(1, ^bit, 7))
		assert.Equal(t, ^bit, l.Bools(2, ^uint64(0)))
		assert.Equal(t, bit, l.Bools(3, ^uint64(0)))
		assert.Zero(t, l.Bools(3, ^bit))
		assert.Equal(t, bit, l.Alive(4, ^uint64(0)))
		assert.Zero(t, l.Alive(4, ^bit))
		l.Entities(4, bit, &entities)
		l.Ints(5, bit, &ints)
		for i := range 64 {
			if i != lane {
				assert.Zero(t, ints[i])
				assert.Zero(t, entities[i])
			}
		}
		assert.EqualValues(t, 3, ints[lane], "a reading, 0 elsewhere: never")
		assert.Equal(t, components.Entity{Index: 1}, entities[lane])
		l.Ints(1, bit, &ints)
		assert.EqualValues(t, 6, ints[lane])
		assert.EqualValues(t, 7, ints[lane^1])

		for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
			l.SetFloat(animalWeight, lane, bad)
			assert.Equal(t, float32(0.5), l.Floats(0, bit, nil)[lane])
		}
	}
	assert.PanicsWithValue(t, `blackboard: fact "young" of kind integer is not among the facts of the lanes`,
		func() { blackboard.NewLanes(facts).SetInt(animalYoung, 0, 1) })
	l := blackboard.NewLanes(facts)
	for name, use := range map[string]func(fact int){
		"floats below": func(f int) { l.FloatsBelow(f, 1, 0) }, "ints": func(f int) { l.Ints(f, 1, new([64]int64)) },
		"ints below": func(f int) { l.IntsBelow(f, 1, 0) }, "bools": func(f int) { l.Bools(f, 1) },
		"entities": func(f int) { l.Entities(f, 1, new([64]components.Entity)) },
		"alive":    func(f int) { l.Alive(f, 1) },
	} {
		for _, fact := range []int{6, -1} {
			want := fmt.Sprintf("blackboard: fact %d of Lanes; they have 6 facts, numbered from 0", fact)
			assert.PanicsWithValue(t, want, func() { use(fact) }, name)
		}
	}
}
