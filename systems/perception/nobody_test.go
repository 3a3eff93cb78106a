package perception_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// far tells whether all distances to nobody that an agent knows are those of components.NoDistance.
func far(t *testing.T, p *components.Percept, c *components.Candidates) {
	t.Helper()
	require.True(t, p.Target.IsZero())
	assert.EqualValues(t, components.NoDistance, p.Distance)
	for i := range c.List[c.Count:] {
		assert.EqualValues(t, components.NoDistance, c.List[int(c.Count)+i].Distance, "candidate %d", i)
	}
}

func TestNobodyIsFarAway(t *testing.T) {
	percept, candidates := components.NewPercept(), components.NewCandidates()
	far(t, &percept, &candidates)
	watch := guard(3, 5)
	watch.Candidates = &components.Candidates{}
	blind := watch
	blind.Senses = &components.Senses{}
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, []testworld.Agent{watch, blind, intruder(6, 5)}, nil)
	runFrame := testworld.Run(h, &perception.System{})
	see := func(i int) (*components.Percept, *components.Candidates) {
		return testworld.Get[components.Percept](t, h, i), testworld.Get[components.Candidates](t, h, i)
	}
	for range 2 {
		runFrame()
		p, c := see(1)
		far(t, p, c)
	}
	p, c := see(0)
	assert.EqualValues(t, 3, p.Distance)
	assert.EqualValues(t, 3, c.List[0].Distance)
	assert.EqualValues(t, components.NoDistance, c.List[1].Distance)
	h.World.RemoveEntity(ecs.ToArche(h.Entities[2]))
	runFrame()
	far(t, p, c)
}

// An agent whose zero components perception has not come to yet decides all the same.
func TestNobodyIsFarAwayForAnAgentThatWaitsForTheRayBudget(t *testing.T) {
	var people []testworld.Agent
	for i := range 4 {
		watch := guard(3, 2+float32(i))
		watch.Candidates = &components.Candidates{}
		people = append(people, watch)
	}
	people = append(people, intruder(6, 4))
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, people, nil)
	for i := range 4 {
		*testworld.Get[components.Percept](t, h, i) = components.Percept{}
	}
	s := &perception.System{RayBudget: 1}
	testworld.Run(h, s)()
	require.Equal(t, 3, s.Stats().Deferred)
	for i := 1; i < 4; i++ {
		t.Run(fmt.Sprint("agent ", i), func(t *testing.T) {
			far(t, testworld.Get[components.Percept](t, h, i), testworld.Get[components.Candidates](t, h, i))
		})
	}
}
