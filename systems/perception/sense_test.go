package perception_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestPerceptionAsksForFactionDistanceConeAndRay(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText(
		"....................",
		"....................",
		"........@...........",
		"....................",
		"........W...........",
		"....................",
	))
	for _, c := range []struct {
		name string
		who  testworld.Agent
		sees bool
	}{
		{"straight ahead", intruder(10, 3.5), true},
		{"at the sight radius", intruder(12, 3.5), true},
		{"beyond the sight radius", intruder(12.0625, 3.5), false},
		{"just within the cone", intruder(3.5, 4.875), true},
		{"just outside the cone", intruder(3.5, 5.0625), false},
		{"behind", intruder(1, 3.5), false},
		{"behind a wall", intruder(11, 1.5), false},
		{"behind water", intruder(11, 5), true},
		{"in the same place", intruder(2, 3.5), true},
		{"one's own faction", testworld.Agent{At: components.Vec2{X: 10, Y: 3.5}, Faction: 1}, false},
		{"a neutral", testworld.Agent{At: components.Vec2{X: 10, Y: 3.5}, Faction: 0}, false},
		{"another faction", testworld.Agent{At: components.Vec2{X: 10, Y: 3.5}, Faction: 9}, true},
		{"a dead one", testworld.Agent{At: components.Vec2{X: 10, Y: 3.5}, Faction: 2, Health: &components.Health{}},
			false},
		{"nobody's position", intruder(float32(math.NaN()), 3.5), false},
		{"off the map", intruder(5, -1), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := testworld.NewSensingWorld(t, m, 1, []testworld.Agent{guard(2, 3.5), c.who}, nil)
			testworld.Run(h, &perception.System{})()
			p := testworld.Get[components.Percept](t, h, 0)
			assert.Equal(t, c.sees, p.Visible)
			if !c.sees {
				assert.Equal(t, components.Entity{}, p.Target)
				assert.EqualValues(t, components.NoDistance, p.Distance)
				assert.Zero(t, h.Events.Total(eventlist.Sighting))
				return
			}
			assert.Equal(t, h.Entities[1], p.Target)
			assert.Equal(t, c.who.At, p.LastKnown)
			assert.Equal(t, frameTime, p.SeenAt)
			assert.EqualValues(t, 1, p.Belief)
			assert.EqualValues(t, 1, h.Events.Total(eventlist.Sighting))
		})
	}
}

func TestPerceptionTakesTheNearestAndOfEqualsTheFirstEntity(t *testing.T) {
	people := []testworld.Agent{guard(2, 5), intruder(9, 5), intruder(6, 7), intruder(6, 3), intruder(8, 5)}
	h := testworld.NewSensingWorld(t, space.NewMap(20, 10), 1, people, testworld.Reversed(5))
	testworld.Run(h, &perception.System{})()
	assert.Equal(t, h.Entities[2], testworld.Get[components.Percept](t, h, 0).Target)
}

func TestPerceptionKeepsTheTargetUpToTheLoseRadiusInAnyDirection(t *testing.T) {
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1,
		[]testworld.Agent{guard(20, 5), intruder(25, 5), intruder(39, 9)}, nil)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	p := testworld.Get[components.Percept](t, h, 0)
	require.Equal(t, h.Entities[1], p.Target)

	move(h, 1, 34, 5) // 14 m
	move(h, 2, 21, 5) // nearer, and in sight
	runFrame()
	assert.True(t, p.Visible)
	assert.Equal(t, h.Entities[1], p.Target, "the target is tested first")

	move(h, 1, 6, 5) // behind
	runFrame()
	assert.True(t, p.Visible)
	assert.Equal(t, h.Entities[1], p.Target)
	assert.EqualValues(t, 14, p.Distance)

	move(h, 1, 5.9375, 5) // beyond the lose radius
	runFrame()
	assert.True(t, p.Visible)
	assert.Equal(t, h.Entities[2], p.Target, "now the nearest in sight")
	assert.EqualValues(t, 2, h.Events.Total(eventlist.Sighting))
}

func TestPerceptionCastsOneRayForATargetInSight(t *testing.T) {
	people := []testworld.Agent{guard(2, 5)}
	for i := range 30 {
		people = append(people, intruder(4+float32(i)/8, 5))
	}
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, people, nil)
	s := &perception.System{}
	runFrame := testworld.Run(h, s)
	runFrame()
	for range 5 {
		move(h, 1, testworld.Get[components.Percept](t, h, 0).LastKnown.X+1.0/16, 5)
		runFrame()
		assert.Equal(t, perception.Stats{Sensed: 1, Rays: 1}, s.Stats())
	}
}

func TestPerceptionRemembersForgetsAndFindsAgain(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText(
		"..........",
		"....@.....",
		"..........",
	))
	h := testworld.NewSensingWorld(t, m, 1, []testworld.Agent{guard(1.5, 1.5), intruder(3, 1.5)}, nil)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	p := testworld.Get[components.Percept](t, h, 0)
	require.True(t, p.Visible)

	move(h, 1, 6, 1.5) // behind the wall
	for i := 1; i < 20; i++ {
		move(h, 0, 1.5-float32(i)/16, 1.5)
		runFrame()
		require.False(t, p.Visible)
		require.Equal(t, h.Entities[1], p.Target)
		require.Equal(t, components.Vec2{X: 3, Y: 1.5}, p.LastKnown)
		require.Equal(t, frameTime, p.SeenAt)
		require.InDelta(t, 1-float64(i)*0.1/2, p.Belief, 1e-6, "2 s of memory, frame %d", i)
		require.EqualValues(t, 1.5+float32(i)/16, p.Distance, "metres to where it was seen last")
	}
	runFrame() // 2 s
	assert.Equal(t, components.Percept{LastKnown: components.Vec2{X: 3, Y: 1.5}, SeenAt: frameTime,
		Distance: components.NoDistance, Hostiles: 1}, *p)

	move(h, 1, 3, 1.5)
	runFrame()
	assert.True(t, p.Visible)
	assert.EqualValues(t, 2, h.Events.Total(eventlist.Sighting), "a forgotten target is new again")

	move(h, 1, 6, 1.5)
	runFrame()
	require.False(t, p.Visible)
	move(h, 1, 3, 1.5)
	runFrame()
	assert.True(t, p.Visible)
	assert.EqualValues(t, 1, p.Belief)
	assert.EqualValues(t, 2, h.Events.Total(eventlist.Sighting), "a remembered one is not")
}

func TestPerceptionHasToFindALostTargetWithinTheConeAgain(t *testing.T) {
	m := testworld.ParsedMap(t,
		testworld.MapText("....................", "....@...............", "...................."))
	h := testworld.NewSensingWorld(t, m, 1, []testworld.Agent{guard(3.5, 0.5), intruder(6, 0.5)}, nil)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	move(h, 1, 6, 2.5) // behind the wall
	runFrame()
	p := testworld.Get[components.Percept](t, h, 0)
	require.False(t, p.Visible)
	move(h, 1, 1, 0.5) // behind the guard
	runFrame()
	assert.False(t, p.Visible)
	move(h, 1, 17, 0.5) // in the cone, farther than sight but not than the lose radius
	runFrame()
	assert.True(t, p.Visible)
}

func TestPerceptionForgetsADeadOrRemovedOrReconciledTargetAtOnce(t *testing.T) {
	for name, end := range map[string]func(h *testworld.SensingWorld){
		"killed": func(h *testworld.SensingWorld) {
			ecs.Get[components.Health](h.World,
				h.Entities[1]).Current = 0
		},
		"removed":    func(h *testworld.SensingWorld) { h.World.RemoveEntity(ecs.ToArche(h.Entities[1])) },
		"reconciled": func(h *testworld.SensingWorld) { ecs.Get[components.Faction](h.World, h.Entities[1]).ID = 1 },
		"replaced by a newcomer": func(h *testworld.SensingWorld) {
			h.World.RemoveEntity(ecs.ToArche(h.Entities[1]))
			h.Entities[1] = ecs.FromArche(h.World.NewEntity())
			p := intruder(30, 5)
			h.AddComponents(1, &p)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, []testworld.Agent{guard(2, 5), intruder(6, 5)},
				nil)
			runFrame := testworld.Run(h, &perception.System{})
			runFrame()
			require.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
			end(h)
			runFrame()
			p := testworld.Get[components.Percept](t, h, 0)
			assert.False(t, p.Visible)
			assert.Equal(t, components.Entity{}, p.Target)
			assert.Zero(t, p.Belief)
			assert.EqualValues(t, components.NoDistance, p.Distance)
			assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.LastKnown, "where it was seen last")
		})
	}
}

func TestThePerceptOfAnAgentWithoutAFinitePositionIsFinite(t *testing.T) {
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, []testworld.Agent{guard(2, 5), intruder(6, 5)}, nil)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	p := testworld.Get[components.Percept](t, h, 0)
	before := *p
	move(h, 0, float32(math.NaN()), 5)
	runFrame()
	assert.False(t, p.Visible, "it cannot see")
	assert.Equal(t, before.Target, p.Target, "but remember")
	assert.Equal(t, before.LastKnown, p.LastKnown)
	assert.Equal(t, before.Distance, p.Distance)
	move(h, 0, 2, 5)
	move(h, 1, float32(math.Inf(1)), 5)
	runFrame()
	assert.False(t, p.Visible)
	assert.Equal(t, before.LastKnown, p.LastKnown)
	assert.EqualValues(t, 4, p.Distance)
	assert.EqualValues(t, 2, h.Grid.Ignored)
}

func TestADeadAgentSensesNothing(t *testing.T) {
	dead := guard(2, 5)
	dead.Health = &components.Health{}
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, []testworld.Agent{dead, intruder(6, 5)}, nil)
	s := &perception.System{}
	testworld.Run(h, s)()
	assert.Zero(t, s.Stats().Sensed)
	assert.Equal(t, components.NewPercept(), *testworld.Get[components.Percept](t, h, 0))
}

func TestPerceptionWorksWithoutAMap(t *testing.T) {
	h := testworld.NewSensingWorld(t, nil, 1, []testworld.Agent{guard(-5000, 3), intruder(-4995, 3)}, nil)
	testworld.Run(h, &perception.System{})()
	assert.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
}

func TestALostTargetIsLookedForWithOneRay(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText("..........", "....@.....", ".........."))
	h := testworld.NewSensingWorld(t, m, 1, []testworld.Agent{guard(1.5, 1.5), intruder(3, 1.5)}, nil)
	s := &perception.System{}
	runFrame := testworld.Run(h, s)
	runFrame()
	move(h, 1, 6, 1.5) // behind the wall
	for range 3 {
		runFrame()
		require.False(t, testworld.Get[components.Percept](t, h, 0).Visible)
		assert.Equal(t, 1, s.Stats().Rays)
	}
}
