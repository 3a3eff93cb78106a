package sim

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/systems"
)

func villagers(agents, fps int, seconds float64) Config {
	c := DefaultConfig()
	c.Scenario, c.Agents, c.FPS, c.Seconds = "villagers", agents, fps, seconds
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
	s, err := NewSimulation(villagers(people, 1, 2*dayFrames))
	require.NoError(t, err)
	defer s.Close()
	columns := ecs.NewColumns(s.World, ecs.Need[components.Needs](), ecs.Need[components.Engagement]())
	defer columns.Release()
	type life struct {
		doing    components.Activity
		last     string
		meals    int
		switches int
	}
	lives := make([]life, s.village.last.Len())
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
				if last := s.village.last.Get(e); last != l.last {
					l.last = last
					l.switches++
				}
			}
		}
		columns.Close()
		switch asleep := doing[components.Sleeping] + doing[components.Camping]; (frame + villageStart*hours) % dayFrames {
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

	r := s.village.report(s)
	assert.Zero(t, r.Starved)
	total := 0.0
	for _, share := range r.Shares {
		total += share
	}
	assert.InDelta(t, 1, total, 1e-9)
	for activity, least := range map[string]float64{"eating": 0.03, "sleeping": 0.22, "socialising": 0.03, "working": 0.3, "walking": 0.001, "camping": 0.001} {
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
	run := func(change func(*Config)) string {
		c := c
		change(&c)
		r, err := Run(context.Background(), c, nil)
		require.NoError(t, err)
		return r.WorldHash
	}
	one := run(func(*Config) {})
	assert.Equal(t, one, run(func(*Config) {}), "a second run")
	assert.Equal(t, one, run(func(c *Config) { c.Workers = 2 }), "2 workers")
	assert.NotEqual(t, one, run(func(c *Config) { c.Seed++ }), "another seed")
}

func TestAVillageLivesAlikeAtAnyFrameRate(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	run := func(fps int) *Village {
		r, err := Run(context.Background(), villagers(100, fps, 3*hours), nil)
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
	s, err := NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	for range 60 {
		s.Step()
	}
	allocs.None(t, 3*hours, s.Step)
}

func TestAVillageIsReported(t *testing.T) {
	r, err := Run(context.Background(), villagers(90, 60, 5), nil)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	for _, part := range []string{"villagers: 90 agents for 5 s, 300 frames", "How the village lived", "working", "switches per agent and day", "workplace"} {
		assert.Contains(t, text.String(), part)
	}
	assert.Equal(t, int64(87), r.Village.Places["bed"].Count, "one in 20 of each of three hamlets has none of its own")
	assert.Positive(t, r.Village.Shares["walking"])
	guards, err := Run(context.Background(), func() Config { c := DefaultConfig(); c.Scenario, c.Agents, c.Seconds = "guards", 40, 0.1; return c }(), nil)
	require.NoError(t, err)
	assert.Nil(t, guards.Village)
}

// Places lie where everyone can go, and those of a hamlet near each other, on whatever map.
func TestAllPlacesOfAHamletCanBeReached(t *testing.T) {
	parse := func(rows ...string) *systems.Map {
		m, err := systems.ParseMap("test", strings.NewReader("type octile\nheight "+strconv.Itoa(len(rows))+"\nwidth "+strconv.Itoa(len(rows[0]))+"\nmap\n"+strings.Join(rows, "\n")+"\n"))
		require.NoError(t, err)
		return m
	}
	half := strings.Repeat(".", 20) + "@" + strings.Repeat(".", 30)
	var divided []string
	for range 40 {
		divided = append(divided, half)
	}
	width, height := systems.MapSizeFor(600)
	for name, c := range map[string]struct {
		m         *systems.Map
		villagers int
	}{
		"a town":                  {systems.GenerateMap(width, height, 3), 600},
		"a tile":                  {parse("@@@", "@.@", "@@@"), 45},
		"two parts":               {parse(divided...), 130},
		"more people than ground": {systems.NewMap(8, 8), 200},
	} {
		hamlets, err := planVillage(c.m, c.villagers, 1)
		require.NoError(t, err)
		people := 0
		for i := range hamlets {
			h := &hamlets[i]
			people += h.villagers
			ways := distances(c.m, h.square)
			for _, places := range [][]components.Vec2{h.stores, h.workplaces, h.beds} {
				require.NotEmpty(t, places, name)
				for _, at := range places {
					way, ok := ways[[2]int{int(at.X), int(at.Y)}]
					require.True(t, ok, "%s: hamlet %d has a place at %v, its square at %v", name, i, at, h.square)
					assert.LessOrEqual(t, way, 60, name)
				}
			}
			if name == "two parts" {
				assert.Greater(t, h.square.X, float32(21), "in the larger part")
			}
		}
		assert.Equal(t, c.villagers, people, name)
	}
	_, err := planVillage(func() *systems.Map { m := systems.NewMap(1, 1); m.Set(0, 0, systems.Wall); return m }(), 1, 1)
	assert.EqualError(t, err, "the map has no passable tile")
}

// distances returns how many steps each tile is from the one at a point.
func distances(m *systems.Map, from components.Vec2) map[[2]int]int {
	start := [2]int{int(from.X), int(from.Y)}
	ways, queue := map[[2]int]int{start: 0}, [][2]int{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			to := [2]int{at[0] + d[0], at[1] + d[1]}
			if _, known := ways[to]; !known && m.Passable(to[0], to[1]) {
				ways[to] = ways[at] + 1
				queue = append(queue, to)
			}
		}
	}
	return ways
}
