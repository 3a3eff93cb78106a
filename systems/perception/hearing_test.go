package perception_test

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// With a LOD system, who hears a noise decides in that runFrame.
func TestAnAgentThatHearsANoiseSensesAndDecidesInTheSameFrame(t *testing.T) {
	watch, far := guard(2, 5), guard(2, 6)
	watch.LOD, far.LOD = new(components.NewLOD()), new(components.NewLOD())
	far.Senses = &components.Senses{Sight: 10, Hearing: 0.1}
	h := testworld.NewSensingWorld(t, space.NewMap(400, 10), 1, []testworld.Agent{watch, far, intruder(6, 5)}, nil)
	arche.AddResource(h.World, &lod.Observers{{X: 399}}) // the guards are frozen
	lod := &lod.System{}
	lod.Initialize(h.World)
	s := &perception.System{}
	perceive := testworld.Run(h, s)
	runFrame := func() {
		lod.Update(h.World) // the clock goes on in perceive, after it
		perceive()
	}
	runFrame()
	runFrame()
	require.Zero(t, s.Stats().Sensed)
	h.Events.Noise(0, h.Entities[2], components.Vec2{X: 6, Y: 5}, 5)
	runFrame()
	p := testworld.Get[components.Percept](t, h, 0)
	assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.Noise)
	assert.Equal(t, h.Clock.Now, p.NoiseAt)
	assert.True(t, p.Visible)
	assert.True(t, testworld.Get[components.LOD](t, h, 0).Due(), "for the AI, which runs next")
	assert.Zero(t, testworld.Get[components.Percept](t, h, 1).NoiseAt)
	assert.False(t, testworld.Get[components.LOD](t, h, 1).Due())
	assert.Equal(t, perception.Stats{Sensed: 1, Rays: 1, Heard: 1}, s.Stats())
	assert.EqualValues(t, 1, h.Events.Total(eventlist.NoiseHeard))
	runFrame()
	assert.False(t, testworld.Get[components.LOD](t, h, 0).Due(), "woken once")
	assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.Noise)
	assert.Equal(t, h.Clock.Now-frameTime, p.NoiseAt)
}

func TestPerceptionWakesHearersInTheOrderOfEntities(t *testing.T) {
	people := []testworld.Agent{guard(2, 14), guard(2, 9), guard(2, 1)} // the grid has them the other way round
	for i := range people {
		people[i].LOD = new(components.NewLOD())
	}
	h := testworld.NewSensingWorld(t, space.NewMap(400, 20), 1, people, testworld.Reversed(3))
	arche.AddResource(h.World, &lod.Observers{{X: 399}})
	lod := &lod.System{Config: lod.Config{Budget: 2}}
	lod.Initialize(h.World)
	perceive := testworld.Run(h, &perception.System{})
	lod.Update(h.World)
	perceive()
	h.Events.Noise(0, components.Entity{}, components.Vec2{X: 2, Y: 9}, 15)
	lod.Update(h.World)
	perceive()
	for i, due := range []bool{true, true, false} {
		assert.Equal(t, due, testworld.Get[components.LOD](t, h, i).Due(), "the budget is for two")
		assert.NotZero(t, testworld.Get[components.Percept](t, h, i).NoiseAt)
	}
	lod.Update(h.World)
	assert.True(t, testworld.Get[components.LOD](t, h, 2).Due(), "the third in the next frame")
}

func TestPerceptionHearsWithinLoudnessTimesHearing(t *testing.T) {
	for _, c := range []struct {
		distance, loudness, hearing float32
		hears                       bool
	}{
		{10, 10, 1, true},
		{10.0625, 10, 1, false},
		{19, 10, 2, true},
		{5, 10, 0.5, true},
		{5.0625, 10, 0.5, false},
		{0, 10, 0, false},
		{1, 10, -3, false},
		{1, -10, -3, false},
		{0, 10, 1, true},
		{1, 0, 1, false},
		{1, float32(math.NaN()), 1, false},
		{1, 10, float32(math.NaN()), false},
		{float32(math.NaN()), 10, 1, false},
		{float32(math.Inf(1)), float32(math.Inf(1)), 1, false},
		{300, float32(math.Inf(1)), 1, true},
	} {
		g := guard(50, 5)
		g.Senses.Hearing = c.hearing
		h := testworld.NewSensingWorld(t, space.NewMap(400, 10), 1, []testworld.Agent{g}, nil)
		runFrame := testworld.Run(h, &perception.System{})
		h.Events.Noise(0, components.Entity{}, components.Vec2{X: 50 + c.distance, Y: 5}, c.loudness)
		runFrame()
		assert.Equal(t, c.hears, testworld.Get[components.Percept](t, h, 0).NoiseAt != 0, "%+v", c)
	}
}

func TestPerceptionRecordsTheLoudestNoiseAndOfEqualsTheFirstSource(t *testing.T) {
	noise := func(h *testworld.SensingWorld, source int, x, loudness float32) {
		h.Events.Noise(0, h.Entities[source], components.Vec2{X: x, Y: 5}, loudness)
	}
	for name, c := range map[string]struct {
		make func(h *testworld.SensingWorld)
		at   float32
	}{
		"the nearer of two": {func(h *testworld.SensingWorld) { noise(h, 1, 20, 30); noise(h, 2, 14, 30) },
			14},
		"the louder of two": {func(h *testworld.SensingWorld) { noise(h, 1, 14, 30); noise(h, 2, 6, 60) },
			6},
		"a whisper at the ear": {func(h *testworld.SensingWorld) { noise(h, 1, 11, 2); noise(h, 2, 30, 30) },
			11},
		"the first of equal sources": {func(h *testworld.SensingWorld) { noise(h, 2, 14, 30); noise(h, 1, 6, 30) },
			6},
		"not what is out of earshot": {func(h *testworld.SensingWorld) { noise(h, 1, 50, 39); noise(h, 2, 30, 21) },
			30},
		"not the agent's own": {func(h *testworld.SensingWorld) { noise(h, 0, 10, 99); noise(h, 2, 30, 21) },
			30},
		"two upon the ear, by entity": {func(h *testworld.SensingWorld) {
			noise(h, 2, 10.0001, 9)
			noise(h, 1, 10,
				9)
		}, 10},
		"the only one of one's friend": {func(h *testworld.SensingWorld) { noise(h, 3, 13, 9) }, 13},
	} {
		t.Run(name, func(t *testing.T) {
			h := testworld.NewSensingWorld(t, space.NewMap(400, 10), 1,
				[]testworld.Agent{guard(10, 5), intruder(300, 5), intruder(300, 6), guard(300, 7)}, nil)
			runFrame := testworld.Run(h, &perception.System{})
			c.make(h)
			runFrame()
			p := testworld.Get[components.Percept](t, h, 0)
			assert.Equal(t, components.Vec2{X: c.at, Y: 5}, p.Noise)
			assert.Equal(t, h.Clock.Now, p.NoiseAt)
			assert.EqualValues(t, 1, h.Events.Total(eventlist.NoiseHeard), "the agent is one hearer")
		})
	}
}

func TestHearingEqualsCarryingEveryNoiseToEveryAgent(t *testing.T) {
	heard := 0
	rapid.Check(t, func(t *rapid.T) {
		m := space.NewMap(rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(1, 200).Draw(t, "height"))
		people := drawPeople(t, m)
		hearing := rapid.SampledFrom([]float32{0.5, 1, 3}).Draw(t, "hearing")
		for i := range people {
			people[i].Senses.Hearing = hearing * float32(i%4) / 2
			people[i].LOD = &components.LOD{} // nobody is due
		}
		order := rapid.Permutation(testworld.Reversed(len(people))).Draw(t, "order")
		villages := []*testworld.SensingWorld{testworld.NewSensingWorld(t, m, 1, people, nil),
			testworld.NewSensingWorld(t, m, 3, people, order)}
		frames := []func(){testworld.Run(villages[0], &perception.System{}),
			testworld.Run(villages[1], &perception.System{})}
		seed := rapid.Uint64().Draw(t, "noises")
		var noises []eventlist.Noise
		for i := range rapid.IntRange(0, 40).Draw(t, "count") {
			draw := random.Mix(seed, uint64(i))
			noises = append(noises, eventlist.Noise{
				Source: villages[0].Entities[random.Below(draw, uint32(len(people)))],
				At: components.Vec2{X: float32(m.Width) * (1.2*random.Unit(random.Mix(draw, 1)) - 0.1),
					Y: float32(m.Height) * random.Unit(random.Mix(draw, 2))},
				Loudness: 30 * random.Unit(random.Mix(draw, 3)),
			})
		}
		for i, n := range noises {
			villages[0].Events.Noise(0, n.Source, n.At, n.Loudness)
			villages[1].Events.Noise(i%3, n.Source, n.At, n.Loudness)
		}
		frames[0]()
		frames[1]()
		hearers := 0
		for i := range people {
			want := components.NewPercept()
			best := float32(0)
			for _, n := range noises { // no two are as loud as each other
				d2 := float32((n.At.X-people[i].At.X)*(n.At.X-people[i].At.X)) +
					float32((n.At.Y-people[i].At.Y)*(n.At.Y-people[i].At.Y))
				radius := float32(n.Loudness * people[i].Senses.Hearing)
				if loud := float32(n.Loudness*n.Loudness) / d2; n.Source != villages[0].Entities[i] &&
					d2 <= float32(radius*radius) && loud > best {
					best, want.Noise, want.NoiseAt = loud, n.At, frameTime
				}
			}
			if !people[i].IsAlive() {
				want = components.NewPercept()
			}
			if want.NoiseAt != 0 {
				hearers++
			}
			for _, h := range villages {
				require.Equal(t, want, *testworld.Get[components.Percept](t, h, i))
				require.Equal(t, want.NoiseAt != 0, testworld.Get[components.LOD](t, h, i).Flags&lodflag.Woken != 0,
					"who hears is woken")
			}
		}
		require.EqualValues(t, hearers, villages[0].Events.Total(eventlist.NoiseHeard))
		heard += hearers
	})
	if !testing.Short() { // the total follows rapid's number of cases
		require.Greater(t, heard, 30, "the cases must show something")
	}
}

func TestTheDeafDoNotHearWhatIsNextToThem(t *testing.T) {
	deaf := guard(2, 5)
	deaf.Senses.Hearing = 0
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1,
		[]testworld.Agent{deaf, guard(2, 5), intruder(30, 5)}, nil)
	runFrame := testworld.Run(h, &perception.System{})
	h.Events.Noise(0, h.Entities[2], components.Vec2{X: 2, Y: 5}, 5)
	runFrame()
	assert.Zero(t, testworld.Get[components.Percept](t, h, 0).NoiseAt)
	assert.Equal(t, h.Clock.Now, testworld.Get[components.Percept](t, h, 1).NoiseAt)
}
