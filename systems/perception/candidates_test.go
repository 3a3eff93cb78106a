package perception_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestPerceptionListsCandidatesNearestFirst(t *testing.T) {
	watch := guard(2, 5)
	watch.Candidates = &components.Candidates{}
	people := []testworld.Agent{watch}
	for i := range 10 { // from far to near
		people = append(people, intruder(12-float32(i), 5))
		people[i+1].Health.Current = int32(i + 1)
		people[i+1].Faction = uint8(2 + i%2)
	}
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, people, nil)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	c := testworld.Get[components.Candidates](t, h, 0)
	require.EqualValues(t, components.MaxCandidates, c.Count)
	for i := range components.MaxCandidates {
		assert.Equal(t, components.Candidate{
			Entity: h.Entities[10-i], Distance: float32(i + 1), Health: int16(10 - i), Visible: true,
		}, c.List[i])
	}

	// All but the target go away; it goes behind the guard and is kept.
	for i := 1; i < 10; i++ {
		move(h, i, 39, 9)
	}
	move(h, 10, 1, 5)
	runFrame()
	assert.EqualValues(t, 1, c.Count)
	assert.Equal(t, components.Candidate{Entity: h.Entities[10], Distance: 1, Health: 10, Visible: true}, c.List[0])
	move(h, 10, 39, 8)
	runFrame()
	assert.EqualValues(t, 1, c.Count)
	assert.Equal(t, components.Candidate{Entity: h.Entities[10], Distance: 1, Health: 10}, c.List[0], "remembered")
	assert.Equal(t, components.Candidate{Distance: components.NoDistance}, c.List[1])
}

func TestPerceptionListsCandidatesOfEqualDistanceByEntity(t *testing.T) {
	watch := guard(2, 5)
	watch.Candidates = &components.Candidates{}
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1,
		[]testworld.Agent{watch, intruder(6, 5), intruder(39, 8), intruder(39, 9)}, nil)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	require.Equal(t, h.Entities[1], testworld.Get[components.Percept](t, h, 0).Target)
	list := func() (entities []components.Entity) {
		c := testworld.Get[components.Candidates](t, h, 0)
		for _, candidate := range c.List[:c.Count] {
			entities = append(entities, candidate.Entity)
		}
		return entities
	}
	move(h, 2, 6, 5)
	runFrame()
	assert.Equal(t, []components.Entity{h.Entities[1], h.Entities[2]}, list(), "the target has the lower index")
	move(h, 1, 39, 9)
	runFrame()
	require.Equal(t, h.Entities[2], testworld.Get[components.Percept](t, h, 0).Target)
	move(h, 1, 6, 5)
	runFrame()
	require.Equal(t, h.Entities[2], testworld.Get[components.Percept](t, h, 0).Target)
	assert.Equal(t, []components.Entity{h.Entities[1], h.Entities[2]}, list(), "the target has the higher index")
}

func TestCandidatesTellHowManyOthersAttackThem(t *testing.T) {
	for _, budget := range []int{0, 1000} {
		watcher := guard(2, 3)
		watcher.Candidates = &components.Candidates{}
		h := testworld.NewSensingWorld(t, nil, 2,
			[]testworld.Agent{watcher, intruder(5, 3), intruder(7, 3), intruder(9, 3)}, nil)
		q := ecs.Resource[ecs.Commands](h.World).Queue(0)
		assign := func(i int, attackers uint8) {
			ecs.Assign(q, h.Entities[i], h.Entities[i], components.Attacked{Count: attackers})
		}
		assign(1, 3)
		assign(2, 2)
		ecs.Assign(q, h.Entities[0], h.Entities[0], components.Attack{Target: h.Entities[2]})
		ecs.Resource[ecs.Commands](h.World).Apply(h.World)
		runFrame := testworld.Run(h, &perception.System{RayBudget: budget})
		runFrame()
		attackers := func() (list []uint8) {
			c := testworld.Get[components.Candidates](t, h, 0)
			for _, candidate := range c.List[:c.Count] {
				list = append(list, candidate.Attackers)
			}
			return list
		}
		assert.Equal(t, []uint8{3, 1, 0}, attackers(), "its own claim is no other's; the last keeps no count")
		testworld.Get[components.Attack](t, h, 0).Target = components.Entity{}
		testworld.Get[components.Attacked](t, h, 1).Count = 0
		runFrame()
		assert.Equal(t, []uint8{0, 2, 0}, attackers())
	}
}
