package scenario

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/sim"
)

func villagers(agents, fps int, seconds float64) sim.Config {
	c := sim.DefaultConfig(Villagers())
	c.Agents, c.FPS, c.Seconds = agents, fps, seconds
	return c
}

const (
	dayFrames = 86400 // at one frame per second
	hours     = 3600

	// switchesADay bounds how often anybody turns to something else in a day: three or four meals, a night, some
	// talks, and work between them.
	switchesADay = 24
)

func TestAVillageLivesPlausibleDays(t *testing.T) {
	if testing.Short() {
		t.Skip("two days take seconds")
	}
	const people = 120
	c := villagers(people, 1, 2*dayFrames)
	var v *village
	c.Scenario.SetUp = func(s *sim.Simulation) (err error) {
		v, err = setUpVillage(s)
		return err
	}
	s, err := sim.NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	columns := ecs.NewColumns(s.World(), ecs.Need[components.Needs](), ecs.Need[components.Engagement]())
	defer columns.Release()
	type life struct {
		doing    components.Activity
		last     string
		meals    int
		switches int
	}
	lives := make([]life, v.lastChoice.Len())
	meals, hunger, fullest := 0, 0.0, float32(0)
	for frame := 1; frame <= 2*dayFrames; frame++ {
		s.Step()
		doing := [components.Activities]int{}
		chunks := columns.Open()
		for i := range chunks {
			k := &chunks[i]
			needs, engagements := ecs.Column[components.Needs](k, 0), ecs.Column[components.Engagement](k, 1)
			for row, e := range k.Entities() {
				l, now := &lives[e.Index], engagements[row].Activity
				doing[now]++
				fullest = max(fullest, needs[row].Hunger)
				if now == components.Eating && l.doing != now {
					meals++
					l.meals++
					hunger += float64(needs[row].Hunger)
					require.Greater(t, needs[row].Hunger, float32(0.2), "nobody eats without being hungry")
				}
				l.doing = now
				if last := v.lastChoice.Get(e); last != l.last {
					l.last = last
					l.switches++
				}
			}
		}
		columns.Close()
		switch asleep := doing[components.Sleeping] + doing[components.Camping]; (frame + firstHour*hours) % dayFrames {
		case 2 * hours:
			assert.GreaterOrEqual(t, asleep, people*80/100, "asleep at 2")
			assert.GreaterOrEqual(t, doing[components.Sleeping], people*75/100, "in a bed at 2")
		case 11 * hours:
			assert.GreaterOrEqual(t, doing[components.Working], people/2, "at work at 11")
			assert.LessOrEqual(t, asleep, people*2/100, "asleep at 11")
		}
		if frame%dayFrames == 0 {
			for i := range lives {
				if lives[i].last == "" {
					continue // the index of a place
				}
				assert.LessOrEqual(t, lives[i].switches, switchesADay, "villager %d", i)
				assert.GreaterOrEqual(t, lives[i].meals, 2, "villager %d", i)
				lives[i].switches, lives[i].meals = 0, 0
			}
		}
	}
	assert.Less(t, fullest, float32(1), "nobody comes near to starving")
	assert.Greater(t, hunger/float64(meals), 0.35, "mean hunger at the beginning of a meal")

	r := v.report(s)
	assert.Zero(t, r.Starved)
	total := 0.0
	for _, share := range r.Shares {
		total += share
	}
	assert.InDelta(t, 1, total, 1e-9)
	for activity, least := range map[string]float64{"eating": 0.03, "sleeping": 0.22, "socialising": 0.03,
		"working": 0.3, "walking": 0.001, "camping": 0.001} {
		assert.Greater(t, r.Shares[activity], least, activity)
	}
	assert.Less(t, r.Shares["idle"], 0.02, "everybody knows what to do")
	assert.Less(t, r.Switches, 20.0, "a day, on average")
	assert.Positive(t, r.Refused, "beds and posts are contested")
	for _, n := range r.Needs {
		assert.Less(t, n, 0.7)
	}
	assert.Zero(t, s.AI.Stats().Nonfinite)
}

func TestAVillageDependsNeitherOnTheWorkersNorOnTheRun(t *testing.T) {
	c := villagers(80, 1, 16*hours) // until after dark
	if testing.Short() {
		c.Seconds = hours
	}
	run := func(change func(*sim.Config)) string {
		c := c
		change(&c)
		r, err := sim.Run(context.Background(), c, nil)
		require.NoError(t, err)
		return r.WorldHash
	}
	one := run(func(*sim.Config) {})
	assert.Equal(t, one, run(func(*sim.Config) {}), "a second run")
	assert.Equal(t, one, run(func(c *sim.Config) { c.Workers = 2 }), "2 workers")
	assert.NotEqual(t, one, run(func(c *sim.Config) { c.Seed++ }), "another seed")
}

func TestAVillageLivesAlikeAtAnyFrameRate(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	run := func(fps int) *sim.Village {
		r, err := sim.Run(context.Background(), villagers(100, fps, 3*hours), nil)
		require.NoError(t, err)
		return r.Village
	}
	slow, fast := run(1), run(20)
	for name, share := range slow.Shares {
		assert.InDelta(t, share, fast.Shares[name], 0.02, name)
	}
	for name, mean := range slow.Needs {
		assert.InDelta(t, mean, fast.Needs[name], 0.02, name)
	}
	assert.InDelta(t, slow.Switches, fast.Switches, 1.5)
}

func TestASteadyVillageAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector's own allocations count")
	}
	c := villagers(500, 1, hours)
	c.Workers = 2
	s, err := sim.NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	for range 60 {
		s.Step()
	}
	allocs.None(t, 3*hours, s.Step)
}

func TestAVillageIsReported(t *testing.T) {
	r, err := sim.Run(context.Background(), villagers(90, 60, 5), nil)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	for _, part := range []string{"villagers: 90 agents for 5 s, 300 frames", "How the village lived", "working",
		"switches per agent and day", "workplace"} {
		assert.Contains(t, text.String(), part)
	}
	assert.Equal(t, int64(87), r.Village.Places["bed"].Count,
		"one in 20 of each of three neighbourhoods has none of its own")
	assert.Positive(t, r.Village.Shares["walking"])
	guards, err := sim.Run(context.Background(),
		func() sim.Config { c := sim.DefaultConfig(Guards()); c.Agents, c.Seconds = 40, 0.1; return c }(), nil)
	require.NoError(t, err)
	assert.Nil(t, guards.Village)
}
