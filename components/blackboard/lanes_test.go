package blackboard_test

import (
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
