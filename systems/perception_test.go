package systems_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
)

const frameTime = components.Timestamp(100_000_000) // of a village, whose clock makes 10 frames a second

var (
	east = components.Vec2{X: 1}
	west = components.Vec2{X: -1}
)

// guard watches to the east over 90 degrees.
func guard(x, y float32) person {
	return person{
		at: components.Vec2{X: x, Y: y}, heading: east, faction: 1,
		senses: &components.Senses{Sight: 10, Lose: 14, Cone: float32(math.Sqrt(0.5)), Hearing: 1, Memory: 2},
	}
}

// intruder is somebody to be seen.
func intruder(x, y float32) person {
	return person{at: components.Vec2{X: x, Y: y}, faction: 2, health: &components.Health{Current: 5, Max: 5}}
}

func (h *village) move(i int, x, y float32) {
	ecs.Get[components.Transform](h.world, h.entities[i]).Position = components.Vec2{X: x, Y: y}
}

func TestPerceptionAsksForFactionDistanceConeAndRay(t *testing.T) {
	m := parseMap(t, mapText(
		"....................",
		"....................",
		"........@...........",
		"....................",
		"........W...........",
		"....................",
	))
	for _, c := range []struct {
		name string
		who  person
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
		{"one's own faction", person{at: components.Vec2{X: 10, Y: 3.5}, faction: 1}, false},
		{"a neutral", person{at: components.Vec2{X: 10, Y: 3.5}, faction: 0}, false},
		{"another faction", person{at: components.Vec2{X: 10, Y: 3.5}, faction: 9}, true},
		{"a dead one", person{at: components.Vec2{X: 10, Y: 3.5}, faction: 2, health: &components.Health{}}, false},
		{"nobody's position", intruder(float32(math.NaN()), 3.5), false},
		{"off the map", intruder(5, -1), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newVillage(t, m, 1, []person{guard(2, 3.5), c.who}, nil)
			run(h, &systems.Perception{})()
			p := get[components.Percept](t, h, 0)
			assert.Equal(t, c.sees, p.Visible)
			if !c.sees {
				assert.Equal(t, components.Entity{}, p.Target)
				assert.EqualValues(t, systems.NoDistance, p.Distance)
				assert.Zero(t, h.events.Count(systems.Sighting))
				return
			}
			assert.Equal(t, h.entities[1], p.Target)
			assert.Equal(t, c.who.at, p.LastKnown)
			assert.Equal(t, frameTime, p.SeenAt)
			assert.EqualValues(t, 1, p.Belief)
			assert.EqualValues(t, 1, h.events.Count(systems.Sighting))
		})
	}
}

func TestPerceptionSeesAllAroundWithoutAHeadingAndIgnoresItsLength(t *testing.T) {
	for _, c := range []struct {
		heading components.Vec2
		behind  bool
	}{
		{components.Vec2{X: 1}, false},
		{components.Vec2{X: 40}, false},
		{components.Vec2{X: 1e-3}, false},
		{components.Vec2{}, true},
		{components.Vec2{X: float32(math.NaN())}, true},
		{components.Vec2{X: float32(math.Inf(1))}, true},
	} {
		g := guard(10, 2)
		g.heading = c.heading
		h := newVillage(t, systems.NewMap(20, 4), 1, []person{g, intruder(5, 2)}, nil)
		run(h, &systems.Perception{})()
		assert.Equal(t, c.behind, get[components.Percept](t, h, 0).Visible, "heading %v", c.heading)
	}
}

func TestPerceptionConeIsARoundSectorInEveryDirection(t *testing.T) {
	const sight = 30
	at := func(degrees, metres float64) components.Vec2 {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return components.Vec2{X: float32(100 + metres*cos), Y: float32(100 + metres*sin)}
	}
	for heading := 0.0; heading < 360; heading += 15 {
		for _, half := range []float64{10, 30, 45, 60, 89, 90, 100, 135, 179} {
			for _, c := range []struct {
				angle, metres float64
				sees          bool
			}{
				{0, sight - 0.01, true}, {0, sight + 0.01, false},
				{half - 0.1, sight - 0.01, true}, {0.1 - half, sight - 0.01, true},
				{half + 0.1, sight - 0.01, false}, {-half - 0.1, sight - 0.01, false},
				{half / 2, sight - 0.01, true}, {-half / 2, sight - 0.01, true},
			} {
				g := guard(100, 100)
				sin, cos := math.Sincos(heading * math.Pi / 180)
				g.heading = components.Vec2{X: float32(cos), Y: float32(sin)}
				g.senses = &components.Senses{Sight: sight, Cone: float32(math.Cos(half * math.Pi / 180))}
				there := intruder(0, 0)
				there.at = at(heading+c.angle, c.metres)
				h := newVillage(noCleanup{}, nil, 1, []person{g, there}, nil)
				run(h, &systems.Perception{})()
				require.Equal(t, c.sees, get[components.Percept](t, h, 0).Visible, "heading %v, half a cone of %v, %+v", heading, half, c)
			}
		}
	}
}

// noCleanup is for villages with one worker, which start no goroutine.
type noCleanup struct{}

func (noCleanup) Cleanup(func()) {}

func TestPerceptionTakesTheNearestAndOfEqualsTheFirstEntity(t *testing.T) {
	people := []person{guard(2, 5), intruder(9, 5), intruder(6, 7), intruder(6, 3), intruder(8, 5)}
	h := newVillage(t, systems.NewMap(20, 10), 1, people, reversed(5))
	run(h, &systems.Perception{})()
	assert.Equal(t, h.entities[2], get[components.Percept](t, h, 0).Target)
}

func TestPerceptionKeepsTheTargetUpToTheLoseRadiusWhateverItsWay(t *testing.T) {
	h := newVillage(t, systems.NewMap(40, 10), 1, []person{guard(20, 5), intruder(25, 5), intruder(39, 9)}, nil)
	frame := run(h, &systems.Perception{})
	frame()
	p := get[components.Percept](t, h, 0)
	require.Equal(t, h.entities[1], p.Target)

	h.move(1, 34, 5) // 14 m
	h.move(2, 21, 5) // nearer, and in sight
	frame()
	assert.True(t, p.Visible)
	assert.Equal(t, h.entities[1], p.Target, "the target is tested first")

	h.move(1, 6, 5) // behind
	frame()
	assert.True(t, p.Visible)
	assert.Equal(t, h.entities[1], p.Target)
	assert.EqualValues(t, 14, p.Distance)

	h.move(1, 5.9375, 5) // beyond the lose radius
	frame()
	assert.True(t, p.Visible)
	assert.Equal(t, h.entities[2], p.Target, "now the nearest in sight")
	assert.EqualValues(t, 2, h.events.Count(systems.Sighting))
}

func TestPerceptionCastsOneRayForATargetInSight(t *testing.T) {
	people := []person{guard(2, 5)}
	for i := range 30 {
		people = append(people, intruder(4+float32(i)/8, 5))
	}
	h := newVillage(t, systems.NewMap(40, 10), 1, people, nil)
	s := &systems.Perception{}
	frame := run(h, s)
	frame()
	for range 5 {
		h.move(1, get[components.Percept](t, h, 0).LastKnown.X+1.0/16, 5)
		frame()
		assert.Equal(t, systems.PerceptionStats{Sensed: 1, Rays: 1}, s.Stats())
	}
}

func TestPerceptionRemembersForgetsAndFindsAgain(t *testing.T) {
	m := parseMap(t, mapText(
		"..........",
		"....@.....",
		"..........",
	))
	h := newVillage(t, m, 1, []person{guard(1.5, 1.5), intruder(3, 1.5)}, nil)
	frame := run(h, &systems.Perception{})
	frame()
	p := get[components.Percept](t, h, 0)
	require.True(t, p.Visible)

	h.move(1, 6, 1.5) // behind the wall
	for i := 1; i < 20; i++ {
		h.move(0, 1.5-float32(i)/16, 1.5)
		frame()
		require.False(t, p.Visible)
		require.Equal(t, h.entities[1], p.Target)
		require.Equal(t, components.Vec2{X: 3, Y: 1.5}, p.LastKnown)
		require.Equal(t, frameTime, p.SeenAt)
		require.InDelta(t, 1-float64(i)*0.1/2, p.Belief, 1e-6, "2 s of memory, frame %d", i)
		require.EqualValues(t, 1.5+float32(i)/16, p.Distance, "metres to where it was seen last")
	}
	frame() // 2 s
	assert.Equal(t, components.Percept{LastKnown: components.Vec2{X: 3, Y: 1.5}, SeenAt: frameTime, Distance: systems.NoDistance, Hostiles: 1}, *p)

	h.move(1, 3, 1.5)
	frame()
	assert.True(t, p.Visible)
	assert.EqualValues(t, 2, h.events.Count(systems.Sighting), "a forgotten target is new again")

	h.move(1, 6, 1.5)
	frame()
	require.False(t, p.Visible)
	h.move(1, 3, 1.5)
	frame()
	assert.True(t, p.Visible)
	assert.EqualValues(t, 1, p.Belief)
	assert.EqualValues(t, 2, h.events.Count(systems.Sighting), "a remembered one is not")
}

func TestPerceptionHasToFindALostTargetWithinTheConeAgain(t *testing.T) {
	m := parseMap(t, mapText("....................", "....@...............", "...................."))
	h := newVillage(t, m, 1, []person{guard(3.5, 0.5), intruder(6, 0.5)}, nil)
	frame := run(h, &systems.Perception{})
	frame()
	h.move(1, 6, 2.5) // behind the wall
	frame()
	p := get[components.Percept](t, h, 0)
	require.False(t, p.Visible)
	h.move(1, 1, 0.5) // behind the guard
	frame()
	assert.False(t, p.Visible)
	h.move(1, 17, 0.5) // in the cone, farther than sight but not than the lose radius
	frame()
	assert.True(t, p.Visible)
}

func TestPerceptionForgetsADeadOrRemovedOrReconciledTargetAtOnce(t *testing.T) {
	for name, end := range map[string]func(h *village){
		"killed":     func(h *village) { ecs.Get[components.Health](h.world, h.entities[1]).Current = 0 },
		"removed":    func(h *village) { h.world.RemoveEntity(ecs.ToArche(h.entities[1])) },
		"reconciled": func(h *village) { ecs.Get[components.Faction](h.world, h.entities[1]).ID = 1 },
		"replaced by a newcomer": func(h *village) {
			h.world.RemoveEntity(ecs.ToArche(h.entities[1]))
			h.entities[1] = ecs.FromArche(h.world.NewEntity())
			p := intruder(30, 5)
			h.dress(1, &p)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newVillage(t, systems.NewMap(40, 10), 1, []person{guard(2, 5), intruder(6, 5)}, nil)
			frame := run(h, &systems.Perception{})
			frame()
			require.True(t, get[components.Percept](t, h, 0).Visible)
			end(h)
			frame()
			p := get[components.Percept](t, h, 0)
			assert.False(t, p.Visible)
			assert.Equal(t, components.Entity{}, p.Target)
			assert.Zero(t, p.Belief)
			assert.EqualValues(t, systems.NoDistance, p.Distance)
			assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.LastKnown, "where it was seen last")
		})
	}
}

func TestPerceptionOfAnAgentThatStandsNowhereHoldsNumbersOnly(t *testing.T) {
	h := newVillage(t, systems.NewMap(40, 10), 1, []person{guard(2, 5), intruder(6, 5)}, nil)
	frame := run(h, &systems.Perception{})
	frame()
	p := get[components.Percept](t, h, 0)
	before := *p
	h.move(0, float32(math.NaN()), 5)
	frame()
	assert.False(t, p.Visible, "it cannot see")
	assert.Equal(t, before.Target, p.Target, "but remember")
	assert.Equal(t, before.LastKnown, p.LastKnown)
	assert.Equal(t, before.Distance, p.Distance)
	h.move(0, 2, 5)
	h.move(1, float32(math.Inf(1)), 5)
	frame()
	assert.False(t, p.Visible)
	assert.Equal(t, before.LastKnown, p.LastKnown)
	assert.EqualValues(t, 4, p.Distance)
	assert.EqualValues(t, 2, h.grid.Ignored)
}

func TestPerceptionCountsWhoIsNear(t *testing.T) {
	// Cells are 4 m wide; the square of 8 m around (18, 18) touches those from 8 to 28.
	people := []person{guard(18, 18)}
	ally, hostile := guard(0, 0), intruder(0, 0)
	for _, at := range [][2]float32{{8, 8}, {27.9, 27.9}, {18, 18}, {7.9, 18}, {18, 28}} {
		ally.at, hostile.at = components.Vec2{X: at[0], Y: at[1]}, components.Vec2{X: at[0], Y: at[1]}
		people = append(people, ally, hostile, hostile)
	}
	people = append(people, person{at: components.Vec2{X: 18, Y: 18}}) // a neutral
	h := newVillage(t, systems.NewMap(40, 40), 1, people, nil)
	run(h, &systems.Perception{})()
	p := get[components.Percept](t, h, 0)
	assert.EqualValues(t, 3, p.Allies, "not counting itself")
	assert.EqualValues(t, 6, p.Hostiles, "seen or not")

	wide := newVillage(t, systems.NewMap(40, 40), 1, people, nil)
	run(wide, &systems.Perception{Near: 100})()
	p = get[components.Percept](t, wide, 0)
	assert.EqualValues(t, 5, p.Allies)
	assert.EqualValues(t, 10, p.Hostiles)
}

func TestPerceptionListsCandidatesNearestFirst(t *testing.T) {
	watch := guard(2, 5)
	watch.candidates = &components.Candidates{}
	people := []person{watch}
	for i := range 10 { // from far to near
		people = append(people, intruder(12-float32(i), 5))
		people[i+1].health.Current = int32(i + 1)
		people[i+1].faction = uint8(2 + i%2)
	}
	h := newVillage(t, systems.NewMap(40, 10), 1, people, nil)
	frame := run(h, &systems.Perception{})
	frame()
	c := get[components.Candidates](t, h, 0)
	require.EqualValues(t, components.MaxCandidates, c.Count)
	for i := range components.MaxCandidates {
		assert.Equal(t, components.Candidate{
			Entity: h.entities[10-i], Distance: float32(i + 1), Health: int16(10 - i), Visible: true,
		}, c.List[i])
	}

	// All but the target go away; it goes behind the guard and is kept.
	for i := 1; i < 10; i++ {
		h.move(i, 39, 9)
	}
	h.move(10, 1, 5)
	frame()
	assert.EqualValues(t, 1, c.Count)
	assert.Equal(t, components.Candidate{Entity: h.entities[10], Distance: 1, Health: 10, Visible: true}, c.List[0])
	h.move(10, 39, 8)
	frame()
	assert.EqualValues(t, 1, c.Count)
	assert.Equal(t, components.Candidate{Entity: h.entities[10], Distance: 1, Health: 10}, c.List[0], "remembered")
	assert.Zero(t, c.List[1])
}

func TestPerceptionListsCandidatesOfEqualDistanceByEntity(t *testing.T) {
	watch := guard(2, 5)
	watch.candidates = &components.Candidates{}
	h := newVillage(t, systems.NewMap(40, 10), 1, []person{watch, intruder(6, 5), intruder(39, 8), intruder(39, 9)}, nil)
	frame := run(h, &systems.Perception{})
	frame()
	require.Equal(t, h.entities[1], get[components.Percept](t, h, 0).Target)
	list := func() (entities []components.Entity) {
		c := get[components.Candidates](t, h, 0)
		for _, candidate := range c.List[:c.Count] {
			entities = append(entities, candidate.Entity)
		}
		return entities
	}
	h.move(2, 6, 5)
	frame()
	assert.Equal(t, []components.Entity{h.entities[1], h.entities[2]}, list(), "the target has the lower index")
	h.move(1, 39, 9)
	frame()
	require.Equal(t, h.entities[2], get[components.Percept](t, h, 0).Target)
	h.move(1, 6, 5)
	frame()
	require.Equal(t, h.entities[2], get[components.Percept](t, h, 0).Target)
	assert.Equal(t, []components.Entity{h.entities[1], h.entities[2]}, list(), "the target has the higher index")
}

func TestPerceptionFollowsTheRelations(t *testing.T) {
	watch, thief := guard(2, 5), intruder(6, 5)
	thief.senses, thief.heading = watch.senses, west
	h := newVillage(t, systems.NewMap(40, 10), 1, []person{watch, thief}, nil)
	relations := ecs.Resource[systems.Relations](h.world, "test")
	relations.Set(1, 2, systems.Neutral)
	frame := run(h, &systems.Perception{})
	frame()
	assert.False(t, get[components.Percept](t, h, 0).Visible)
	assert.True(t, get[components.Percept](t, h, 1).Visible, "the reverse is a setting of its own")
	relations.Set(1, 2, systems.Ally)
	frame()
	assert.EqualValues(t, 1, get[components.Percept](t, h, 0).Allies)
	relations.Set(1, 2, systems.Hostile)
	frame()
	assert.True(t, get[components.Percept](t, h, 0).Visible)
}

func TestRelationsByDefault(t *testing.T) {
	var r systems.Relations
	assert.Equal(t, systems.Hostile, r.Between(1, 2))
	assert.Equal(t, systems.Hostile, r.Between(255, 1))
	assert.Equal(t, systems.Ally, r.Between(7, 7))
	for _, pair := range [][2]uint8{{0, 0}, {0, 1}, {1, 0}} {
		assert.Equal(t, systems.Neutral, r.Between(pair[0], pair[1]), "%v", pair)
	}
	r.Set(3, 3, systems.Hostile)
	assert.Equal(t, systems.Hostile, r.Between(3, 3))
	r.Set(3, 3, systems.Neutral)
	assert.Equal(t, systems.Neutral, r.Between(3, 3))
}

func TestPerceptionOfOneAgainstAllLeavesItselfOut(t *testing.T) {
	h := newVillage(t, systems.NewMap(40, 10), 1, []person{guard(2, 5), guard(6, 5)}, nil)
	ecs.Resource[systems.Relations](h.world, "test").Set(1, 1, systems.Hostile)
	frame := run(h, &systems.Perception{})
	frame()
	p := get[components.Percept](t, h, 0)
	assert.Equal(t, h.entities[1], p.Target)
	assert.EqualValues(t, 1, p.Hostiles)
	assert.Equal(t, components.Entity{}, get[components.Percept](t, h, 1).Target, "the other looks away")
}

func TestPerceptionIsOfTheLiving(t *testing.T) {
	dead := guard(2, 5)
	dead.health = &components.Health{}
	h := newVillage(t, systems.NewMap(40, 10), 1, []person{dead, intruder(6, 5)}, nil)
	s := &systems.Perception{}
	run(h, s)()
	assert.Zero(t, s.Stats().Sensed)
	assert.Zero(t, *get[components.Percept](t, h, 0))
}

func TestPerceptionWorksInOpenCountry(t *testing.T) {
	h := newVillage(t, nil, 1, []person{guard(-5000, 3), intruder(-4995, 3)}, nil)
	run(h, &systems.Perception{})()
	assert.True(t, get[components.Percept](t, h, 0).Visible)
}

func TestPerceptionSensesForThoseWhoAreDue(t *testing.T) {
	due, waits := guard(2, 5), guard(2, 6)
	due.lod, waits.lod = &components.LOD{Flags: lodflag.Due}, &components.LOD{}
	h := newVillage(t, systems.NewMap(40, 10), 1, []person{due, waits, guard(2, 7), intruder(6, 5)}, nil)
	s := &systems.Perception{}
	run(h, s)()
	assert.Equal(t, 2, s.Stats().Sensed)
	assert.True(t, get[components.Percept](t, h, 0).Visible)
	assert.False(t, get[components.Percept](t, h, 1).Visible)
	assert.True(t, get[components.Percept](t, h, 2).Visible, "without a LOD always")
}

// With a LOD system, who hears a noise decides in that frame.
func TestPerceptionLetsWhoHearsANoiseSenseAndDecideInTheSameFrame(t *testing.T) {
	watch, far := guard(2, 5), guard(2, 6)
	watch.lod, far.lod = new(components.NewLOD()), new(components.NewLOD())
	far.senses = &components.Senses{Sight: 10, Hearing: 0.1}
	h := newVillage(t, systems.NewMap(400, 10), 1, []person{watch, far, intruder(6, 5)}, nil)
	arche.AddResource(h.world, &systems.Observers{{X: 399}}) // the guards are frozen
	lod := &systems.LOD{}
	lod.Initialize(h.world)
	s := &systems.Perception{}
	perceive := run(h, s)
	frame := func() {
		lod.Update(h.world) // the clock goes on in perceive, after it
		perceive()
	}
	frame()
	frame()
	require.Zero(t, s.Stats().Sensed)
	h.events.Noise(0, h.entities[2], components.Vec2{X: 6, Y: 5}, 5)
	frame()
	p := get[components.Percept](t, h, 0)
	assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.Noise)
	assert.Equal(t, h.clock.Now, p.NoiseAt)
	assert.True(t, p.Visible)
	assert.True(t, get[components.LOD](t, h, 0).Due(), "for the AI, which runs next")
	assert.Zero(t, get[components.Percept](t, h, 1).NoiseAt)
	assert.False(t, get[components.LOD](t, h, 1).Due())
	assert.Equal(t, systems.PerceptionStats{Sensed: 1, Rays: 1, Heard: 1}, s.Stats())
	assert.EqualValues(t, 1, h.events.Count(systems.NoiseHeard))
	frame()
	assert.False(t, get[components.LOD](t, h, 0).Due(), "woken once")
	assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.Noise)
	assert.Equal(t, h.clock.Now-frameTime, p.NoiseAt)
}

func TestPerceptionWakesHearersInTheOrderOfEntities(t *testing.T) {
	people := []person{guard(2, 14), guard(2, 9), guard(2, 1)} // the grid has them the other way round
	for i := range people {
		people[i].lod = new(components.NewLOD())
	}
	h := newVillage(t, systems.NewMap(400, 20), 1, people, reversed(3))
	arche.AddResource(h.world, &systems.Observers{{X: 399}})
	lod := &systems.LOD{Config: systems.LODConfig{Budget: 2}}
	lod.Initialize(h.world)
	perceive := run(h, &systems.Perception{})
	lod.Update(h.world)
	perceive()
	h.events.Noise(0, components.Entity{}, components.Vec2{X: 2, Y: 9}, 15)
	lod.Update(h.world)
	perceive()
	for i, due := range []bool{true, true, false} {
		assert.Equal(t, due, get[components.LOD](t, h, i).Due(), "the budget is for two")
		assert.NotZero(t, get[components.Percept](t, h, i).NoiseAt)
	}
	lod.Update(h.world)
	assert.True(t, get[components.LOD](t, h, 2).Due(), "the third in the next frame")
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
		g.senses.Hearing = c.hearing
		h := newVillage(t, systems.NewMap(400, 10), 1, []person{g}, nil)
		frame := run(h, &systems.Perception{})
		h.events.Noise(0, components.Entity{}, components.Vec2{X: 50 + c.distance, Y: 5}, c.loudness)
		frame()
		assert.Equal(t, c.hears, get[components.Percept](t, h, 0).NoiseAt != 0, "%+v", c)
	}
}

func TestPerceptionNotesTheLoudestNoiseAndOfEqualsTheFirstSource(t *testing.T) {
	noise := func(h *village, source int, x, loudness float32) {
		h.events.Noise(0, h.entities[source], components.Vec2{X: x, Y: 5}, loudness)
	}
	for name, c := range map[string]struct {
		make func(h *village)
		at   float32
	}{
		"the nearer of two":            {func(h *village) { noise(h, 1, 20, 30); noise(h, 2, 14, 30) }, 14},
		"the louder of two":            {func(h *village) { noise(h, 1, 14, 30); noise(h, 2, 6, 60) }, 6},
		"a whisper at the ear":         {func(h *village) { noise(h, 1, 11, 2); noise(h, 2, 30, 30) }, 11},
		"the first of equal sources":   {func(h *village) { noise(h, 2, 14, 30); noise(h, 1, 6, 30) }, 6},
		"not what is out of earshot":   {func(h *village) { noise(h, 1, 50, 39); noise(h, 2, 30, 21) }, 30},
		"not the agent's own":          {func(h *village) { noise(h, 0, 10, 99); noise(h, 2, 30, 21) }, 30},
		"two upon the ear, by entity":  {func(h *village) { noise(h, 2, 10.0001, 9); noise(h, 1, 10, 9) }, 10},
		"the only one of one's friend": {func(h *village) { noise(h, 3, 13, 9) }, 13},
	} {
		t.Run(name, func(t *testing.T) {
			h := newVillage(t, systems.NewMap(400, 10), 1, []person{guard(10, 5), intruder(300, 5), intruder(300, 6), guard(300, 7)}, nil)
			frame := run(h, &systems.Perception{})
			c.make(h)
			frame()
			p := get[components.Percept](t, h, 0)
			assert.Equal(t, components.Vec2{X: c.at, Y: 5}, p.Noise)
			assert.Equal(t, h.clock.Now, p.NoiseAt)
			assert.EqualValues(t, 1, h.events.Count(systems.NoiseHeard), "the agent is one hearer")
		})
	}
}

func TestHearingEqualsTakingEveryNoiseToEveryone(t *testing.T) {
	heard := 0
	rapid.Check(t, func(t *rapid.T) {
		m := systems.NewMap(rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(1, 200).Draw(t, "height"))
		people := drawVillagers(t, m)
		hearing := rapid.SampledFrom([]float32{0.5, 1, 3}).Draw(t, "hearing")
		for i := range people {
			people[i].senses.Hearing = hearing * float32(i%4) / 2
			people[i].lod = &components.LOD{} // nobody is due
		}
		order := rapid.Permutation(reversed(len(people))).Draw(t, "order")
		villages := []*village{newVillage(t, m, 1, people, nil), newVillage(t, m, 3, people, order)}
		frames := []func(){run(villages[0], &systems.Perception{}), run(villages[1], &systems.Perception{})}
		seed := rapid.Uint64().Draw(t, "noises")
		var noises []systems.Noise
		for i := range rapid.IntRange(0, 40).Draw(t, "count") {
			draw := random.Mix(seed, uint64(i))
			noises = append(noises, systems.Noise{
				Source:   villages[0].entities[random.Below(draw, uint32(len(people)))],
				At:       components.Vec2{X: float32(m.Width) * (1.2*random.Unit(random.Mix(draw, 1)) - 0.1), Y: float32(m.Height) * random.Unit(random.Mix(draw, 2))},
				Loudness: 30 * random.Unit(random.Mix(draw, 3)),
			})
		}
		for i, n := range noises {
			villages[0].events.Noise(0, n.Source, n.At, n.Loudness)
			villages[1].events.Noise(i%3, n.Source, n.At, n.Loudness)
		}
		frames[0]()
		frames[1]()
		hearers := 0
		for i := range people {
			var want components.Percept
			best := float32(0)
			for _, n := range noises { // no two are as loud as each other
				d2 := float32((n.At.X-people[i].at.X)*(n.At.X-people[i].at.X)) + float32((n.At.Y-people[i].at.Y)*(n.At.Y-people[i].at.Y))
				radius := float32(n.Loudness * people[i].senses.Hearing)
				if loud := float32(n.Loudness*n.Loudness) / d2; n.Source != villages[0].entities[i] && d2 <= float32(radius*radius) && loud > best {
					best, want.Noise, want.NoiseAt = loud, n.At, frameTime
				}
			}
			if !people[i].isAlive() {
				want = components.Percept{}
			}
			if want.NoiseAt != 0 {
				hearers++
			}
			for _, h := range villages {
				require.Equal(t, want, *get[components.Percept](t, h, i))
				require.Equal(t, want.NoiseAt != 0, get[components.LOD](t, h, i).Flags&lodflag.Woken != 0, "who hears is woken")
			}
		}
		require.EqualValues(t, hearers, villages[0].events.Count(systems.NoiseHeard))
		heard += hearers
	})
	if !testing.Short() { // the total follows rapid's number of cases
		require.Greater(t, heard, 30, "the cases must show something")
	}
}

// pairs are guards who each see one intruder and need one ray for it.
func pairs(n int) (*systems.Map, []person) {
	var people []person
	for i := range n {
		g := guard(2, 0.5+20*float32(i))
		g.lod = &components.LOD{Flags: lodflag.Due}
		people = append(people, g)
	}
	for i := range n {
		people = append(people, intruder(6, 0.5+20*float32(i)))
	}
	return systems.NewMap(40, 20*n), people
}

// sensedIn returns which guards sensed in the present frame.
func sensedIn(t *testing.T, h *village, guards int) (who []int) {
	for i := range guards {
		if get[components.Percept](t, h, i).SeenAt == h.clock.Now {
			who = append(who, i)
		}
	}
	return who
}

func TestRayBudgetServesThoseWhoWaitFirstThenByTierThenByEntity(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		m, people := pairs(10)
		people[7].lod.Tier, people[8].lod.Tier = 0, 0
		for i := range 7 {
			people[i].lod.Tier = 1
		}
		people[9].lod.Tier = 2
		h := newVillage(t, m, workers, people, reversed(len(people)))
		s := &systems.Perception{RayBudget: 4}
		frame := run(h, s)
		frame()
		assert.Equal(t, []int{0, 1, 7, 8}, sensedIn(t, h, 10))
		assert.Equal(t, systems.PerceptionStats{Sensed: 4, Rays: 4, PassedOver: 6}, s.Stats())
		frame()
		assert.Equal(t, []int{2, 3, 4, 5}, sensedIn(t, h, 10), "ahead of nearer tiers")
		frame()
		assert.Equal(t, []int{6, 7, 8, 9}, sensedIn(t, h, 10), "6 and 9 have waited twice, the two near ones once")
		frame()
		assert.Equal(t, []int{0, 1, 2, 3}, sensedIn(t, h, 10))
	}
}

func TestRayBudgetServesWhoWasPassedOverThoughNotDueAnyMore(t *testing.T) {
	m, people := pairs(6)
	h := newVillage(t, m, 1, people, nil)
	s := &systems.Perception{RayBudget: 4}
	frame := run(h, s)
	frame()
	assert.Equal(t, []int{0, 1, 2, 3}, sensedIn(t, h, 6))
	before := *get[components.Percept](t, h, 5)
	assert.Zero(t, before, "it keeps the percept of before")
	for i := range 6 {
		get[components.LOD](t, h, i).Flags = 0
	}
	frame()
	assert.Equal(t, []int{4, 5}, sensedIn(t, h, 6))
	frame()
	assert.Empty(t, sensedIn(t, h, 6))
	assert.Zero(t, s.Stats().Sensed)
}

func TestRayBudgetWakesWhoLosesTheTargetOutOfTurn(t *testing.T) {
	m, people := pairs(3)
	h := newVillage(t, m, 1, people, nil)
	s := &systems.Perception{RayBudget: 2}
	frame := run(h, s)
	frame()
	frame()
	require.Equal(t, []int{0, 2}, sensedIn(t, h, 3), "so 1 was passed over")
	h.move(4, 39, 59)
	for i := range 3 {
		get[components.LOD](t, h, i).Flags = 0
	}
	frame()
	require.False(t, get[components.Percept](t, h, 1).Visible)
	assert.NotZero(t, get[components.LOD](t, h, 1).Flags&lodflag.Woken)
	assert.Zero(t, get[components.LOD](t, h, 0).Flags)
}

func TestRayBudgetServesOneWhoNeedsMoreThanAllOfIt(t *testing.T) {
	g := guard(2, 5)
	people := []person{g, g}
	m := systems.NewMap(40, 10)
	for y := range 10 {
		m.Set(6, y, systems.Wall)
	}
	for i := range 8 {
		people = append(people, intruder(8, 5+float32(i)/16))
	}
	h := newVillage(t, m, 1, people, nil)
	s := &systems.Perception{RayBudget: 3}
	frame := run(h, s)
	frame()
	assert.Equal(t, systems.PerceptionStats{Sensed: 1, Rays: 8, PassedOver: 1}, s.Stats())
	frame()
	assert.Equal(t, systems.PerceptionStats{Sensed: 1, Rays: 8, PassedOver: 1}, s.Stats(), "now the other")
}

func TestRayBudgetOutlivesThosePassedOver(t *testing.T) {
	m, people := pairs(4)
	h := newVillage(t, m, 1, people, nil)
	s := &systems.Perception{RayBudget: 1}
	frame := run(h, s)
	frame()
	h.world.RemoveEntity(ecs.ToArche(h.entities[1]))
	h.world.Remove(ecs.ToArche(h.entities[2]), arche.ComponentID[components.Senses](h.world))
	get[components.LOD](t, h, 2).Flags = 0
	frame()
	assert.Equal(t, []int{3}, sensedIn(t, &village{world: h.world, clock: h.clock, entities: []components.Entity{h.entities[0], h.entities[0], h.entities[0], h.entities[3]}}, 4))
	frame()
	assert.Equal(t, 1, s.Stats().Sensed)
}

func TestRayBudgetDoesNotLetANewcomerInheritAWait(t *testing.T) {
	m, people := pairs(3)
	h := newVillage(t, m, 1, people, nil)
	frame := run(h, &systems.Perception{RayBudget: 1})
	frame()
	h.world.RemoveEntity(ecs.ToArche(h.entities[1])) // which was passed over
	old := h.entities[1]
	h.entities[1] = ecs.FromArche(h.world.NewEntity())
	require.Equal(t, old.Index, h.entities[1].Index)
	h.dress(1, &people[1])
	frame()
	assert.Equal(t, []int{2}, sensedIn(t, h, 3))
}

func TestRayBudgetStarvesNobody(t *testing.T) {
	// More agents than a batch, of which each needs a few rays.
	m := systems.GenerateMap(160, 160, 1)
	people := make([]person, 1500)
	for i := range people {
		at, _ := m.RandomPoint(uint64(i))
		people[i] = guard(at.X, at.Y)
		people[i].senses.Cone = -1
		people[i].faction = uint8(1 + i%2)
	}
	var results [2][]components.Percept
	for run2, workers := range []int{1, 3} {
		h := newVillage(t, m, workers, people, nil)
		s := &systems.Perception{RayBudget: 1000}
		frame := run(h, s)
		last := make([]int, len(people))
		for i := 1; i <= 30; i++ {
			before := snapshot(t, h)
			frame()
			stats := s.Stats()
			require.LessOrEqual(t, stats.Rays, 1000)
			require.Positive(t, stats.PassedOver)
			require.Equal(t, len(people), stats.Sensed+stats.PassedOver)
			after := snapshot(t, h)
			sensed := 0
			for k := range people {
				if after[k].SeenAt == h.clock.Now {
					last[k] = i
				}
				if after[k] != before[k] {
					sensed++
				}
			}
			require.LessOrEqual(t, sensed, stats.Sensed)
		}
		for k, at := range last {
			if get[components.Percept](t, h, k).Visible {
				assert.Greater(t, at, 20, "agent %d of %d", k, len(last))
			}
		}
		results[run2] = snapshot(t, h)
	}
	assert.Equal(t, results[0], results[1])
}

func snapshot(t *testing.T, h *village) []components.Percept {
	percepts := make([]components.Percept, len(h.entities))
	for i := range percepts {
		percepts[i] = *get[components.Percept](t, h, i)
	}
	return percepts
}

// bustle is a town full of people of two factions, some of which keep candidates and make noise.
func bustle(t interface{ Cleanup(func()) }, agents, workers, budget int, order []int) (*village, *systems.Perception, func()) {
	side, _ := systems.MapSizeFor(agents)
	m := systems.GenerateMap(side, side, 1)
	people := make([]person, agents)
	for i := range people {
		at, _ := m.RandomPoint(uint64(i))
		people[i] = guard(at.X, at.Y)
		people[i].faction = 1 + uint8(i%5)/4
		people[i].lod = new(components.NewLOD())
		people[i].marked = i%7 == 0
		if i%11 == 0 {
			people[i].candidates = &components.Candidates{}
		}
	}
	h := newVillage(t, m, workers, people, order)
	arche.AddResource(h.world, &systems.Observers{{X: float32(side) / 2, Y: float32(side) / 2}})
	lod := &systems.LOD{}
	lod.Initialize(h.world)
	s := &systems.Perception{RayBudget: budget}
	s.Initialize(h.world)
	transforms := ecs.NewLookup[components.Transform](h.world)
	frame := func() {
		h.clock.Advance()
		lod.Update(h.world)
		s.Update(h.world)
		for i, e := range h.entities {
			draw := random.Mix(uint64(h.clock.Frame), uint64(i))
			at := transforms.Get(e)
			if x := at.Position.X + random.Unit(draw) - 0.5; m.Passable(int(x), int(at.Position.Y)) {
				at.Position.X = x
			}
			if random.Below(random.Mix(draw, 1), 200) == 0 {
				h.events.Noise(i%workers, e, at.Position, 12)
			}
		}
	}
	return h, s, frame
}

func TestPerceptionIsTheSameForAnyWorkersAndStorage(t *testing.T) {
	const agents = 3000
	for _, budget := range []int{0, 150} {
		var want []components.Percept
		for _, c := range []struct {
			workers int
			order   []int
		}{{1, nil}, {2, nil}, {3, reversed(agents)}} {
			h, _, frame := bustle(t, agents, c.workers, budget, c.order)
			for range 25 {
				frame()
			}
			got := snapshot(t, h)
			if want == nil {
				want = got
				require.Positive(t, h.events.Count(systems.Sighting))
				require.Positive(t, h.events.Count(systems.NoiseHeard))
			}
			require.Equal(t, want, got, "budget %d, %d workers", budget, c.workers)
		}
	}
}

func TestPerceptionAllocatesNothingInTheSteadyState(t *testing.T) {
	for _, budget := range []int{0, 100} {
		t.Run(fmt.Sprintf("budget %d", budget), func(t *testing.T) {
			_, _, frame := bustle(t, 2000, 2, budget, nil)
			for range 100 {
				frame()
			}
			allocs.None(t, 50, frame)
		})
	}
}

func TestPerceptionNamesWhatIsMissingOrOutOfRange(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "systems.Perception: the world has no *systems.Clock; call systems.Install", func() { (&systems.Perception{}).Initialize(&w) })
	assert.PanicsWithValue(t, "systems.Perception: a ray budget of -1; use 0 for no limit", func() { (&systems.Perception{RayBudget: -1}).Initialize(&w) })
	nan := float32(math.NaN())
	assert.PanicsWithValue(t, "systems.Perception: Near is NaN metres; use 0 for 8", func() { (&systems.Perception{Near: nan}).Initialize(&w) })
	assert.PanicsWithValue(t, "systems.Perception: Near is -2 metres; use 0 for 8", func() { (&systems.Perception{Near: -2}).Initialize(&w) })
}

func TestFactsAreUsable(t *testing.T) {
	f := systems.Facts
	facts := []blackboard.Fact{
		f.Target, f.Visible, f.Distance, f.SeenAge, f.Belief, f.LastKnownX, f.LastKnownY, f.NoiseAge, f.NoiseX, f.NoiseY,
		f.Hostiles, f.Allies, f.Health, f.MaxHealth, f.HurtAge, f.HurtBy, f.Nearest, f.Ammo, f.AmmoShare,
		f.CandidateDistance, f.CandidateHealth, f.CandidateAttackers, f.CandidateVisible,
	}
	require.NoError(t, f.Candidates.Err())
	assert.True(t, f.Nearest.Field().Offset == f.Candidates.Field(0, f.CandidateDistance).Field().Offset, "the nearest comes first")
	var names []string
	for i, fact := range facts {
		require.NoError(t, fact.Err(), fact.Name())
		names = append(names, fact.Name())
		for _, other := range facts[:i] {
			assert.False(t, fact.Same(other), "%s and %s", fact.Name(), other.Name())
		}
	}
	slices.Sort(names)
	assert.Len(t, slices.Compact(names), len(facts), "each has a name of its own")
	assert.Equal(t, blackboard.Age, f.SeenAge.Kind())
	assert.Equal(t, blackboard.Age, f.NoiseAge.Kind())
	assert.EqualValues(t, systems.NoDistance, f.Distance.Field().DefaultFloat)
}

func ExamplePerception() {
	w := arche.NewWorld()
	systems.Install(&w, systems.Options{FPS: 60, Map: systems.NewMap(100, 100), Workers: 1})
	perception := systems.Perception{}
	perception.Initialize(&w)

	guard := w.NewEntity(
		arche.ComponentID[components.Transform](&w), arche.ComponentID[components.Faction](&w),
		arche.ComponentID[components.Senses](&w), arche.ComponentID[components.Percept](&w))
	watch := ecs.FromArche(guard)
	*ecs.Get[components.Transform](&w, watch) = components.Transform{Position: components.Vec2{X: 10, Y: 10}, Heading: components.Vec2{X: 1}}
	ecs.Get[components.Faction](&w, watch).ID = 1
	*ecs.Get[components.Senses](&w, watch) = components.Senses{Sight: 15, Lose: 20, Cone: 0.5, Hearing: 1, Memory: 5}

	thief := ecs.FromArche(w.NewEntity(arche.ComponentID[components.Transform](&w), arche.ComponentID[components.Faction](&w)))
	ecs.Get[components.Transform](&w, thief).Position = components.Vec2{X: 18, Y: 10}
	ecs.Get[components.Faction](&w, thief).ID = 2

	ecs.Resource[systems.Clock](&w, "example").Advance()
	perception.Update(&w)
	percept := ecs.Get[components.Percept](&w, watch)
	fmt.Println(percept.Visible, percept.Target == thief, percept.Distance)
	// Output: true true 8
}

func TestCandidatesTellHowManyOthersAttackThem(t *testing.T) {
	for _, budget := range []int{0, 1000} {
		watcher := guard(2, 3)
		watcher.candidates = &components.Candidates{}
		h := newVillage(t, nil, 2, []person{watcher, intruder(5, 3), intruder(7, 3), intruder(9, 3)}, nil)
		q := ecs.Resource[ecs.Commands](h.world, "test").Queue(0)
		assign := func(i int, attackers uint8) {
			ecs.Assign(q, h.entities[i], h.entities[i], components.Attacked{Count: attackers})
		}
		assign(1, 3)
		assign(2, 2)
		ecs.Assign(q, h.entities[0], h.entities[0], components.Attack{Target: h.entities[2]})
		ecs.Resource[ecs.Commands](h.world, "test").Apply(h.world)
		frame := run(h, &systems.Perception{RayBudget: budget})
		frame()
		attackers := func() (list []uint8) {
			c := get[components.Candidates](t, h, 0)
			for _, candidate := range c.List[:c.Count] {
				list = append(list, candidate.Attackers)
			}
			return list
		}
		assert.Equal(t, []uint8{3, 1, 0}, attackers(), "its own claim is no other's; the last keeps no count")
		get[components.Attack](t, h, 0).Target = components.Entity{}
		get[components.Attacked](t, h, 1).Count = 0
		frame()
		assert.Equal(t, []uint8{0, 2, 0}, attackers())
	}
}
