package perception_test

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// pairs are guards who each see one intruder and need one ray for it.
func pairs(n int) (*space.Map, []testworld.Agent) {
	var people []testworld.Agent
	for i := range n {
		g := guard(2, 0.5+20*float32(i))
		g.LOD = &components.LOD{Flags: lodflag.Due}
		people = append(people, g)
	}
	for i := range n {
		people = append(people, intruder(6, 0.5+20*float32(i)))
	}
	return space.NewMap(40, 20*n), people
}

// sensedIn returns which guards sensed in the present runFrame.
func sensedIn(t *testing.T, h *testworld.SensingWorld, guards int) (who []int) {
	for i := range guards {
		if testworld.Get[components.Percept](t, h, i).SeenAt == h.Clock.Now {
			who = append(who, i)
		}
	}
	return who
}

func TestRayBudgetServesDeferredAgentsFirstThenByTierThenByEntity(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		m, people := pairs(10)
		people[7].LOD.Tier, people[8].LOD.Tier = 0, 0
		for i := range 7 {
			people[i].LOD.Tier = 1
		}
		people[9].LOD.Tier = 2
		h := testworld.NewSensingWorld(t, m, workers, people, testworld.Reversed(len(people)))
		s := &perception.System{RayBudget: 4}
		runFrame := testworld.Run(h, s)
		runFrame()
		assert.Equal(t, []int{0, 1, 7, 8}, sensedIn(t, h, 10))
		assert.Equal(t, perception.Stats{Sensed: 4, Rays: 4, Deferred: 6}, s.Stats())
		runFrame()
		assert.Equal(t, []int{2, 3, 4, 5}, sensedIn(t, h, 10), "ahead of nearer tiers")
		runFrame()
		assert.Equal(t, []int{6, 7, 8, 9}, sensedIn(t, h, 10), "6 and 9 have waited twice, the two near ones once")
		runFrame()
		assert.Equal(t, []int{0, 1, 2, 3}, sensedIn(t, h, 10))
	}
}

func TestRayBudgetServesADeferredAgentThatIsNoLongerDue(t *testing.T) {
	m, people := pairs(6)
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 4}
	runFrame := testworld.Run(h, s)
	runFrame()
	assert.Equal(t, []int{0, 1, 2, 3}, sensedIn(t, h, 6))
	before := *testworld.Get[components.Percept](t, h, 5)
	assert.Equal(t, components.NewPercept(), before, "it keeps the percept of before")
	for i := range 6 {
		testworld.Get[components.LOD](t, h, i).Flags = 0
	}
	runFrame()
	assert.Equal(t, []int{4, 5}, sensedIn(t, h, 6))
	runFrame()
	assert.Empty(t, sensedIn(t, h, 6))
	assert.Zero(t, s.Stats().Sensed)
}

func TestRayBudgetWakesADeferredAgentThatLosesItsTarget(t *testing.T) {
	m, people := pairs(3)
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 2}
	runFrame := testworld.Run(h, s)
	runFrame()
	runFrame()
	require.Equal(t, []int{0, 2}, sensedIn(t, h, 3), "so 1 was deferred")
	move(h, 4, 39, 59)
	for i := range 3 {
		testworld.Get[components.LOD](t, h, i).Flags = 0
	}
	runFrame()
	require.False(t, testworld.Get[components.Percept](t, h, 1).Visible)
	assert.NotZero(t, testworld.Get[components.LOD](t, h, 1).Flags&lodflag.Woken)
	assert.Zero(t, testworld.Get[components.LOD](t, h, 0).Flags)
}

func TestRayBudgetWakesNoDeferredAgentThatLosesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		seenBefore bool
		prey       float32 // metres east of where it was
	}{"it has seen nobody and sees nobody": {false, 30}, "it goes on seeing its target": {true, 0.5}} {
		m, people := pairs(2)
		h := testworld.NewSensingWorld(t, m, 1, people, nil)
		s := &perception.System{RayBudget: 2}
		runFrame := testworld.Run(h, s)
		if c.seenBefore {
			runFrame()
		}
		s.RayBudget = 1
		runFrame()
		require.Equal(t, 1, s.Stats().Deferred, name)
		for i := range 2 {
			testworld.Get[components.LOD](t, h, i).Flags = 0
		}
		prey := testworld.Get[components.Transform](t, h, 3).Position
		move(h, 3, prey.X+c.prey, prey.Y)
		runFrame()
		require.Equal(t, 1, s.Stats().Sensed, name)
		require.Equal(t, c.seenBefore, testworld.Get[components.Percept](t, h, 1).Visible, name)
		assert.Zero(t, testworld.Get[components.LOD](t, h, 1).Flags, name)
	}
}

func TestRayBudgetServesAnAgentThatNeedsMoreThanTheBudget(t *testing.T) {
	g := guard(2, 5)
	people := []testworld.Agent{g, g}
	m := space.NewMap(40, 10)
	for y := range 10 {
		m.Set(6, y, space.Wall)
	}
	for i := range 8 {
		people = append(people, intruder(8, 5+float32(i)/16))
	}
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 3}
	runFrame := testworld.Run(h, s)
	runFrame()
	assert.Equal(t, perception.Stats{Sensed: 1, Rays: 8, Deferred: 1}, s.Stats())
	runFrame()
	assert.Equal(t, perception.Stats{Sensed: 1, Rays: 8, Deferred: 1}, s.Stats(), "now the other")
}

func TestRayBudgetDropsDeferredAgentsThatAreRemoved(t *testing.T) {
	m, people := pairs(4)
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 1}
	runFrame := testworld.Run(h, s)
	runFrame()
	h.World.RemoveEntity(ecs.ToArche(h.Entities[1]))
	h.World.Remove(ecs.ToArche(h.Entities[2]), arche.ComponentID[components.Senses](h.World))
	testworld.Get[components.LOD](t, h, 2).Flags = 0
	runFrame()
	assert.Equal(t, []int{3}, sensedIn(t, &testworld.SensingWorld{World: h.World, Clock: h.Clock,
		Entities: []components.Entity{h.Entities[0], h.Entities[0], h.Entities[0], h.Entities[3]}}, 4))
	runFrame()
	assert.Equal(t, 1, s.Stats().Sensed)
}

func TestRayBudgetServesThoseDeferredBesideOneThatCanSenseNoMore(t *testing.T) {
	lose := func(id func(w *arche.World) arche.ID) func(w *arche.World, e arche.Entity) {
		return func(w *arche.World, e arche.Entity) { w.Remove(e, id(w)) }
	}
	for name, end := range map[string]func(w *arche.World, e arche.Entity){
		"removed":       func(w *arche.World, e arche.Entity) { w.RemoveEntity(e) },
		"its Senses":    lose(arche.ComponentID[components.Senses]),
		"its Percept":   lose(arche.ComponentID[components.Percept]),
		"its Faction":   lose(arche.ComponentID[components.Faction]),
		"its Transform": lose(arche.ComponentID[components.Transform]),
	} {
		m, people := pairs(4)
		h := testworld.NewSensingWorld(t, m, 1, people, nil)
		s := &perception.System{RayBudget: 1}
		runFrame := testworld.Run(h, s)
		runFrame()
		require.Equal(t, perception.Stats{Sensed: 1, Rays: 1, Deferred: 3}, s.Stats(), name)
		for i := range 4 {
			testworld.Get[components.LOD](t, h, i).Flags = 0
		}
		end(h.World, ecs.ToArche(h.Entities[1]))
		for i := 2; i < 4; i++ {
			runFrame()
			assert.Equal(t, h.Clock.Now, testworld.Get[components.Percept](t, h, i).SeenAt, "without %s: %d", name, i)
		}
		runFrame()
		assert.Zero(t, s.Stats().Sensed, name)
	}
}

func TestRayBudgetForgetsTheWaitOfOneThatCouldNotSense(t *testing.T) {
	m, people := pairs(2)
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	runFrame := testworld.Run(h, &perception.System{RayBudget: 1})
	runFrame()
	require.Equal(t, []int{0}, sensedIn(t, h, 2), "so 1 was deferred")
	testworld.Get[components.LOD](t, h, 0).Flags, testworld.Get[components.LOD](t, h, 1).Flags = 0, 0
	h.World.Remove(ecs.ToArche(h.Entities[1]), arche.ComponentID[components.Senses](h.World))
	runFrame()
	h.AddComponents(1, &people[1])
	testworld.Get[components.LOD](t, h, 0).Flags = lodflag.Due
	runFrame()
	assert.Equal(t, []int{0}, sensedIn(t, h, 2), "1 begins anew")
}

func TestRayBudgetForgetsTheWaitOfOneThatWasServed(t *testing.T) {
	m, people := pairs(3)
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	runFrame := testworld.Run(h, &perception.System{RayBudget: 2})
	for _, want := range [][]int{{0, 1}, {0, 2}, {0, 1}, {0, 2}} {
		runFrame()
		assert.Equal(t, want, sensedIn(t, h, 3), "who waited, then the first")
	}
}

func TestRayBudgetServesThoseDeferredBesideOneThatIsDue(t *testing.T) {
	m, people := pairs(4)
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	runFrame := testworld.Run(h, &perception.System{RayBudget: 1})
	runFrame()
	for i, flags := range []uint8{0, lodflag.Due, 0, 0} {
		testworld.Get[components.LOD](t, h, i).Flags = flags
	}
	for i := 1; i < 4; i++ {
		runFrame()
		assert.Equal(t, []int{i}, sensedIn(t, h, 4))
		testworld.Get[components.LOD](t, h, 1).Flags = 0
	}
}

func TestRayBudgetThatSufficesServesAllOfManyBatches(t *testing.T) {
	var people []testworld.Agent
	for range 1100 {
		people = append(people, guard(2, 20))
	}
	h := testworld.NewSensingWorld(t, space.NewMap(40, 40), 1, people, nil)
	s := &perception.System{RayBudget: 1}
	testworld.Run(h, s)()
	assert.Equal(t, perception.Stats{Sensed: 1100}, s.Stats(), "nobody is in sight, so there is no ray")
}

func TestRayBudgetKeepsTheOrderOfThoseThatWaitForHundredsOfFrames(t *testing.T) {
	const agents = 300
	m := space.NewMap(40, 40)
	var people []testworld.Agent
	for range agents {
		people = append(people, guard(2, 20))
	}
	people = append(people, intruder(6, 20))
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 1}
	runFrame := testworld.Run(h, s)
	for i := range agents {
		runFrame()
		require.Equal(t, 1, s.Stats().Sensed)
		require.Equal(t, h.Clock.Now, testworld.Get[components.Percept](t, h, i).SeenAt, "frame %d", i)
	}
}

func TestADeferredAgentDoesNotCountItselfAmongTheAttackersOfACandidate(t *testing.T) {
	m, people := pairs(2)
	people[1].Candidates = &components.Candidates{}
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	q := ecs.Resource[ecs.Commands](h.World).Queue(0)
	ecs.Assign(q, h.Entities[1], h.Entities[1], components.Attack{Target: h.Entities[3]})
	ecs.Assign(q, h.Entities[3], h.Entities[3], components.Attacked{Count: 3})
	ecs.Resource[ecs.Commands](h.World).Apply(h.World)
	runFrame := testworld.Run(h, &perception.System{RayBudget: 1})
	runFrame()
	require.Equal(t, []int{0}, sensedIn(t, h, 2))
	testworld.Get[components.LOD](t, h, 0).Flags, testworld.Get[components.LOD](t, h, 1).Flags = 0, 0
	runFrame()
	require.Equal(t, []int{1}, sensedIn(t, h, 2))
	c := testworld.Get[components.Candidates](t, h, 1)
	require.EqualValues(t, 1, c.Count)
	assert.Equal(t, h.Entities[3], c.List[0].Entity)
	assert.EqualValues(t, 2, c.List[0].Attackers, "three, one of which is the agent")
}

func TestRayBudgetDoesNotPassAWaitOnToAReusedEntityIndex(t *testing.T) {
	m, people := pairs(3)
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	runFrame := testworld.Run(h, &perception.System{RayBudget: 1})
	runFrame()
	h.World.RemoveEntity(ecs.ToArche(h.Entities[1])) // it was deferred
	old := h.Entities[1]
	h.Entities[1] = ecs.FromArche(h.World.NewEntity())
	require.Equal(t, old.Index, h.Entities[1].Index)
	h.AddComponents(1, &people[1])
	runFrame()
	assert.Equal(t, []int{2}, sensedIn(t, h, 3))
}

func TestRayBudgetStarvesNoAgent(t *testing.T) {
	// More agents than a batch, of which each needs a few rays.
	m := town.Generate(160, 160, 1)
	people := make([]testworld.Agent, 1500)
	for i := range people {
		at, _ := m.RandomPoint(uint64(i), 0)
		people[i] = guard(at.X, at.Y)
		people[i].Senses.Cone = -1
		people[i].Faction = uint8(1 + i%2)
	}
	var results [2][]components.Percept
	for run2, workers := range []int{1, 3} {
		h := testworld.NewSensingWorld(t, m, workers, people, nil)
		s := &perception.System{RayBudget: 1000}
		runFrame := testworld.Run(h, s)
		last := make([]int, len(people))
		for i := 1; i <= 30; i++ {
			before := snapshot(t, h)
			runFrame()
			stats := s.Stats()
			require.LessOrEqual(t, stats.Rays, 1000)
			require.Positive(t, stats.Deferred)
			require.Equal(t, len(people), stats.Sensed+stats.Deferred)
			after := snapshot(t, h)
			sensed := 0
			for k := range people {
				if after[k].SeenAt == h.Clock.Now {
					last[k] = i
				}
				if after[k] != before[k] {
					sensed++
				}
			}
			require.LessOrEqual(t, sensed, stats.Sensed)
		}
		for k, at := range last {
			if testworld.Get[components.Percept](t, h, k).Visible {
				assert.Greater(t, at, 20, "agent %d of %d", k, len(last))
			}
		}
		results[run2] = snapshot(t, h)
	}
	assert.Equal(t, results[0], results[1])
}
