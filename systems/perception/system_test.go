package perception_test

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
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/resources"
	"github.com/flockwork-ai/flockwork/internal/testworld"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const frameTime = components.Timestamp(100_000_000) // of a village, whose clock makes 10 frames a second

var (
	east = components.Vec2{X: 1}
	west = components.Vec2{X: -1}
)

// guard watches to the east over 90 degrees.
func guard(x, y float32) testworld.Person {
	return testworld.Person{
		At: components.Vec2{X: x, Y: y}, Heading: east, Faction: 1,
		Senses: &components.Senses{Sight: 10, Lose: 14, Cone: float32(math.Sqrt(0.5)), Hearing: 1, Memory: 2},
	}
}

// intruder is somebody to be seen.
func intruder(x, y float32) testworld.Person {
	return testworld.Person{At: components.Vec2{X: x, Y: y}, Faction: 2, Health: &components.Health{Current: 5, Max: 5}}
}

func move(h *testworld.People, i int, x, y float32) {
	ecs.Get[components.Transform](h.World, h.Entities[i]).Position = components.Vec2{X: x, Y: y}
}

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
		who  testworld.Person
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
		{"one's own faction", testworld.Person{At: components.Vec2{X: 10, Y: 3.5}, Faction: 1}, false},
		{"a neutral", testworld.Person{At: components.Vec2{X: 10, Y: 3.5}, Faction: 0}, false},
		{"another faction", testworld.Person{At: components.Vec2{X: 10, Y: 3.5}, Faction: 9}, true},
		{"a dead one", testworld.Person{At: components.Vec2{X: 10, Y: 3.5}, Faction: 2, Health: &components.Health{}}, false},
		{"nobody's position", intruder(float32(math.NaN()), 3.5), false},
		{"off the map", intruder(5, -1), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := testworld.NewPeople(t, m, 1, []testworld.Person{guard(2, 3.5), c.who}, nil)
			testworld.Run(h, &perception.System{})()
			p := testworld.Get[components.Percept](t, h, 0)
			assert.Equal(t, c.sees, p.Visible)
			if !c.sees {
				assert.Equal(t, components.Entity{}, p.Target)
				assert.EqualValues(t, perception.NoDistance, p.Distance)
				assert.Zero(t, h.Events.Count(frame.Sighting))
				return
			}
			assert.Equal(t, h.Entities[1], p.Target)
			assert.Equal(t, c.who.At, p.LastKnown)
			assert.Equal(t, frameTime, p.SeenAt)
			assert.EqualValues(t, 1, p.Belief)
			assert.EqualValues(t, 1, h.Events.Count(frame.Sighting))
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
		g.Heading = c.heading
		h := testworld.NewPeople(t, space.NewMap(20, 4), 1, []testworld.Person{g, intruder(5, 2)}, nil)
		testworld.Run(h, &perception.System{})()
		assert.Equal(t, c.behind, testworld.Get[components.Percept](t, h, 0).Visible, "heading %v", c.heading)
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
				g.Heading = components.Vec2{X: float32(cos), Y: float32(sin)}
				g.Senses = &components.Senses{Sight: sight, Cone: float32(math.Cos(half * math.Pi / 180))}
				there := intruder(0, 0)
				there.At = at(heading+c.angle, c.metres)
				h := testworld.NewPeople(noCleanup{}, nil, 1, []testworld.Person{g, there}, nil)
				testworld.Run(h, &perception.System{})()
				require.Equal(t, c.sees, testworld.Get[components.Percept](t, h, 0).Visible, "heading %v, half a cone of %v, %+v", heading, half, c)
			}
		}
	}
}

// noCleanup is for villages with one worker, which start no goroutine.
type noCleanup struct{}

func (noCleanup) Cleanup(func()) {}

func TestPerceptionTakesTheNearestAndOfEqualsTheFirstEntity(t *testing.T) {
	people := []testworld.Person{guard(2, 5), intruder(9, 5), intruder(6, 7), intruder(6, 3), intruder(8, 5)}
	h := testworld.NewPeople(t, space.NewMap(20, 10), 1, people, testworld.Reversed(5))
	testworld.Run(h, &perception.System{})()
	assert.Equal(t, h.Entities[2], testworld.Get[components.Percept](t, h, 0).Target)
}

func TestPerceptionKeepsTheTargetUpToTheLoseRadiusWhateverItsWay(t *testing.T) {
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{guard(20, 5), intruder(25, 5), intruder(39, 9)}, nil)
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
	assert.EqualValues(t, 2, h.Events.Count(frame.Sighting))
}

func TestPerceptionCastsOneRayForATargetInSight(t *testing.T) {
	people := []testworld.Person{guard(2, 5)}
	for i := range 30 {
		people = append(people, intruder(4+float32(i)/8, 5))
	}
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, people, nil)
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
	h := testworld.NewPeople(t, m, 1, []testworld.Person{guard(1.5, 1.5), intruder(3, 1.5)}, nil)
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
	assert.Equal(t, components.Percept{LastKnown: components.Vec2{X: 3, Y: 1.5}, SeenAt: frameTime, Distance: perception.NoDistance, Hostiles: 1}, *p)

	move(h, 1, 3, 1.5)
	runFrame()
	assert.True(t, p.Visible)
	assert.EqualValues(t, 2, h.Events.Count(frame.Sighting), "a forgotten target is new again")

	move(h, 1, 6, 1.5)
	runFrame()
	require.False(t, p.Visible)
	move(h, 1, 3, 1.5)
	runFrame()
	assert.True(t, p.Visible)
	assert.EqualValues(t, 1, p.Belief)
	assert.EqualValues(t, 2, h.Events.Count(frame.Sighting), "a remembered one is not")
}

func TestPerceptionHasToFindALostTargetWithinTheConeAgain(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText("....................", "....@...............", "...................."))
	h := testworld.NewPeople(t, m, 1, []testworld.Person{guard(3.5, 0.5), intruder(6, 0.5)}, nil)
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
	for name, end := range map[string]func(h *testworld.People){
		"killed":     func(h *testworld.People) { ecs.Get[components.Health](h.World, h.Entities[1]).Current = 0 },
		"removed":    func(h *testworld.People) { h.World.RemoveEntity(ecs.ToArche(h.Entities[1])) },
		"reconciled": func(h *testworld.People) { ecs.Get[components.Faction](h.World, h.Entities[1]).ID = 1 },
		"replaced by a newcomer": func(h *testworld.People) {
			h.World.RemoveEntity(ecs.ToArche(h.Entities[1]))
			h.Entities[1] = ecs.FromArche(h.World.NewEntity())
			p := intruder(30, 5)
			h.Dress(1, &p)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{guard(2, 5), intruder(6, 5)}, nil)
			runFrame := testworld.Run(h, &perception.System{})
			runFrame()
			require.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
			end(h)
			runFrame()
			p := testworld.Get[components.Percept](t, h, 0)
			assert.False(t, p.Visible)
			assert.Equal(t, components.Entity{}, p.Target)
			assert.Zero(t, p.Belief)
			assert.EqualValues(t, perception.NoDistance, p.Distance)
			assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.LastKnown, "where it was seen last")
		})
	}
}

func TestPerceptionOfAnAgentThatStandsNowhereHoldsNumbersOnly(t *testing.T) {
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{guard(2, 5), intruder(6, 5)}, nil)
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

func TestPerceptionCountsWhoIsNear(t *testing.T) {
	// Cells are 4 m wide; the square of 8 m around (18, 18) touches those from 8 to 28.
	people := []testworld.Person{guard(18, 18)}
	ally, hostile := guard(0, 0), intruder(0, 0)
	for _, at := range [][2]float32{{8, 8}, {27.9, 27.9}, {18, 18}, {7.9, 18}, {18, 28}} {
		ally.At, hostile.At = components.Vec2{X: at[0], Y: at[1]}, components.Vec2{X: at[0], Y: at[1]}
		people = append(people, ally, hostile, hostile)
	}
	people = append(people, testworld.Person{At: components.Vec2{X: 18, Y: 18}}) // a neutral
	h := testworld.NewPeople(t, space.NewMap(40, 40), 1, people, nil)
	testworld.Run(h, &perception.System{})()
	p := testworld.Get[components.Percept](t, h, 0)
	assert.EqualValues(t, 3, p.Allies, "not counting itself")
	assert.EqualValues(t, 6, p.Hostiles, "seen or not")

	wide := testworld.NewPeople(t, space.NewMap(40, 40), 1, people, nil)
	testworld.Run(wide, &perception.System{Near: 100})()
	p = testworld.Get[components.Percept](t, wide, 0)
	assert.EqualValues(t, 5, p.Allies)
	assert.EqualValues(t, 10, p.Hostiles)
}

func TestPerceptionListsCandidatesNearestFirst(t *testing.T) {
	watch := guard(2, 5)
	watch.Candidates = &components.Candidates{}
	people := []testworld.Person{watch}
	for i := range 10 { // from far to near
		people = append(people, intruder(12-float32(i), 5))
		people[i+1].Health.Current = int32(i + 1)
		people[i+1].Faction = uint8(2 + i%2)
	}
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, people, nil)
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
	assert.Zero(t, c.List[1])
}

func TestPerceptionListsCandidatesOfEqualDistanceByEntity(t *testing.T) {
	watch := guard(2, 5)
	watch.Candidates = &components.Candidates{}
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{watch, intruder(6, 5), intruder(39, 8), intruder(39, 9)}, nil)
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

func TestPerceptionFollowsTheRelations(t *testing.T) {
	watch, thief := guard(2, 5), intruder(6, 5)
	thief.Senses, thief.Heading = watch.Senses, west
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{watch, thief}, nil)
	relations := ecs.Resource[frame.Relations](h.World, "test")
	relations.Set(1, 2, frame.Neutral)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	assert.False(t, testworld.Get[components.Percept](t, h, 0).Visible)
	assert.True(t, testworld.Get[components.Percept](t, h, 1).Visible, "the reverse is a setting of its own")
	relations.Set(1, 2, frame.Ally)
	runFrame()
	assert.EqualValues(t, 1, testworld.Get[components.Percept](t, h, 0).Allies)
	relations.Set(1, 2, frame.Hostile)
	runFrame()
	assert.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
}

func TestRelationsByDefault(t *testing.T) {
	var r frame.Relations
	assert.Equal(t, frame.Hostile, r.Between(1, 2))
	assert.Equal(t, frame.Hostile, r.Between(255, 1))
	assert.Equal(t, frame.Ally, r.Between(7, 7))
	for _, pair := range [][2]uint8{{0, 0}, {0, 1}, {1, 0}} {
		assert.Equal(t, frame.Neutral, r.Between(pair[0], pair[1]), "%v", pair)
	}
	r.Set(3, 3, frame.Hostile)
	assert.Equal(t, frame.Hostile, r.Between(3, 3))
	r.Set(3, 3, frame.Neutral)
	assert.Equal(t, frame.Neutral, r.Between(3, 3))
}

func TestPerceptionOfOneAgainstAllLeavesItselfOut(t *testing.T) {
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{guard(2, 5), guard(6, 5)}, nil)
	ecs.Resource[frame.Relations](h.World, "test").Set(1, 1, frame.Hostile)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	p := testworld.Get[components.Percept](t, h, 0)
	assert.Equal(t, h.Entities[1], p.Target)
	assert.EqualValues(t, 1, p.Hostiles)
	assert.Equal(t, components.Entity{}, testworld.Get[components.Percept](t, h, 1).Target, "the other looks away")
}

func TestPerceptionIsOfTheLiving(t *testing.T) {
	dead := guard(2, 5)
	dead.Health = &components.Health{}
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{dead, intruder(6, 5)}, nil)
	s := &perception.System{}
	testworld.Run(h, s)()
	assert.Zero(t, s.Stats().Sensed)
	assert.Zero(t, *testworld.Get[components.Percept](t, h, 0))
}

func TestPerceptionWorksInOpenCountry(t *testing.T) {
	h := testworld.NewPeople(t, nil, 1, []testworld.Person{guard(-5000, 3), intruder(-4995, 3)}, nil)
	testworld.Run(h, &perception.System{})()
	assert.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
}

func TestPerceptionSensesForThoseWhoAreDue(t *testing.T) {
	due, waits := guard(2, 5), guard(2, 6)
	due.Lod, waits.Lod = &components.LOD{Flags: components.LODDue}, &components.LOD{}
	h := testworld.NewPeople(t, space.NewMap(40, 10), 1, []testworld.Person{due, waits, guard(2, 7), intruder(6, 5)}, nil)
	s := &perception.System{}
	testworld.Run(h, s)()
	assert.Equal(t, 2, s.Stats().Sensed)
	assert.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
	assert.False(t, testworld.Get[components.Percept](t, h, 1).Visible)
	assert.True(t, testworld.Get[components.Percept](t, h, 2).Visible, "without a LOD always")
}

// With a LOD system, who hears a noise decides in that runFrame.
func TestPerceptionLetsWhoHearsANoiseSenseAndDecideInTheSameFrame(t *testing.T) {
	watch, far := guard(2, 5), guard(2, 6)
	watch.Lod, far.Lod = new(components.NewLOD()), new(components.NewLOD())
	far.Senses = &components.Senses{Sight: 10, Hearing: 0.1}
	h := testworld.NewPeople(t, space.NewMap(400, 10), 1, []testworld.Person{watch, far, intruder(6, 5)}, nil)
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
	assert.EqualValues(t, 1, h.Events.Count(frame.NoiseHeard))
	runFrame()
	assert.False(t, testworld.Get[components.LOD](t, h, 0).Due(), "woken once")
	assert.Equal(t, components.Vec2{X: 6, Y: 5}, p.Noise)
	assert.Equal(t, h.Clock.Now-frameTime, p.NoiseAt)
}

func TestPerceptionWakesHearersInTheOrderOfEntities(t *testing.T) {
	people := []testworld.Person{guard(2, 14), guard(2, 9), guard(2, 1)} // the grid has them the other way round
	for i := range people {
		people[i].Lod = new(components.NewLOD())
	}
	h := testworld.NewPeople(t, space.NewMap(400, 20), 1, people, testworld.Reversed(3))
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
		h := testworld.NewPeople(t, space.NewMap(400, 10), 1, []testworld.Person{g}, nil)
		runFrame := testworld.Run(h, &perception.System{})
		h.Events.Noise(0, components.Entity{}, components.Vec2{X: 50 + c.distance, Y: 5}, c.loudness)
		runFrame()
		assert.Equal(t, c.hears, testworld.Get[components.Percept](t, h, 0).NoiseAt != 0, "%+v", c)
	}
}

func TestPerceptionNotesTheLoudestNoiseAndOfEqualsTheFirstSource(t *testing.T) {
	noise := func(h *testworld.People, source int, x, loudness float32) {
		h.Events.Noise(0, h.Entities[source], components.Vec2{X: x, Y: 5}, loudness)
	}
	for name, c := range map[string]struct {
		make func(h *testworld.People)
		at   float32
	}{
		"the nearer of two":            {func(h *testworld.People) { noise(h, 1, 20, 30); noise(h, 2, 14, 30) }, 14},
		"the louder of two":            {func(h *testworld.People) { noise(h, 1, 14, 30); noise(h, 2, 6, 60) }, 6},
		"a whisper at the ear":         {func(h *testworld.People) { noise(h, 1, 11, 2); noise(h, 2, 30, 30) }, 11},
		"the first of equal sources":   {func(h *testworld.People) { noise(h, 2, 14, 30); noise(h, 1, 6, 30) }, 6},
		"not what is out of earshot":   {func(h *testworld.People) { noise(h, 1, 50, 39); noise(h, 2, 30, 21) }, 30},
		"not the agent's own":          {func(h *testworld.People) { noise(h, 0, 10, 99); noise(h, 2, 30, 21) }, 30},
		"two upon the ear, by entity":  {func(h *testworld.People) { noise(h, 2, 10.0001, 9); noise(h, 1, 10, 9) }, 10},
		"the only one of one's friend": {func(h *testworld.People) { noise(h, 3, 13, 9) }, 13},
	} {
		t.Run(name, func(t *testing.T) {
			h := testworld.NewPeople(t, space.NewMap(400, 10), 1, []testworld.Person{guard(10, 5), intruder(300, 5), intruder(300, 6), guard(300, 7)}, nil)
			runFrame := testworld.Run(h, &perception.System{})
			c.make(h)
			runFrame()
			p := testworld.Get[components.Percept](t, h, 0)
			assert.Equal(t, components.Vec2{X: c.at, Y: 5}, p.Noise)
			assert.Equal(t, h.Clock.Now, p.NoiseAt)
			assert.EqualValues(t, 1, h.Events.Count(frame.NoiseHeard), "the agent is one hearer")
		})
	}
}

func TestHearingEqualsTakingEveryNoiseToEveryone(t *testing.T) {
	heard := 0
	rapid.Check(t, func(t *rapid.T) {
		m := space.NewMap(rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(1, 200).Draw(t, "height"))
		people := drawVillagers(t, m)
		hearing := rapid.SampledFrom([]float32{0.5, 1, 3}).Draw(t, "hearing")
		for i := range people {
			people[i].Senses.Hearing = hearing * float32(i%4) / 2
			people[i].Lod = &components.LOD{} // nobody is due
		}
		order := rapid.Permutation(testworld.Reversed(len(people))).Draw(t, "order")
		villages := []*testworld.People{testworld.NewPeople(t, m, 1, people, nil), testworld.NewPeople(t, m, 3, people, order)}
		frames := []func(){testworld.Run(villages[0], &perception.System{}), testworld.Run(villages[1], &perception.System{})}
		seed := rapid.Uint64().Draw(t, "noises")
		var noises []frame.Noise
		for i := range rapid.IntRange(0, 40).Draw(t, "count") {
			draw := random.Mix(seed, uint64(i))
			noises = append(noises, frame.Noise{
				Source:   villages[0].Entities[random.Below(draw, uint32(len(people)))],
				At:       components.Vec2{X: float32(m.Width) * (1.2*random.Unit(random.Mix(draw, 1)) - 0.1), Y: float32(m.Height) * random.Unit(random.Mix(draw, 2))},
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
			var want components.Percept
			best := float32(0)
			for _, n := range noises { // no two are as loud as each other
				d2 := float32((n.At.X-people[i].At.X)*(n.At.X-people[i].At.X)) + float32((n.At.Y-people[i].At.Y)*(n.At.Y-people[i].At.Y))
				radius := float32(n.Loudness * people[i].Senses.Hearing)
				if loud := float32(n.Loudness*n.Loudness) / d2; n.Source != villages[0].Entities[i] && d2 <= float32(radius*radius) && loud > best {
					best, want.Noise, want.NoiseAt = loud, n.At, frameTime
				}
			}
			if !people[i].IsAlive() {
				want = components.Percept{}
			}
			if want.NoiseAt != 0 {
				hearers++
			}
			for _, h := range villages {
				require.Equal(t, want, *testworld.Get[components.Percept](t, h, i))
				require.Equal(t, want.NoiseAt != 0, testworld.Get[components.LOD](t, h, i).Flags&components.LODWoken != 0, "who hears is woken")
			}
		}
		require.EqualValues(t, hearers, villages[0].Events.Count(frame.NoiseHeard))
		heard += hearers
	})
	if !testing.Short() { // the total follows rapid's number of cases
		require.Greater(t, heard, 30, "the cases must show something")
	}
}

// pairs are guards who each see one intruder and need one ray for it.
func pairs(n int) (*space.Map, []testworld.Person) {
	var people []testworld.Person
	for i := range n {
		g := guard(2, 0.5+20*float32(i))
		g.Lod = &components.LOD{Flags: components.LODDue}
		people = append(people, g)
	}
	for i := range n {
		people = append(people, intruder(6, 0.5+20*float32(i)))
	}
	return space.NewMap(40, 20*n), people
}

// sensedIn returns which guards sensed in the present runFrame.
func sensedIn(t *testing.T, h *testworld.People, guards int) (who []int) {
	for i := range guards {
		if testworld.Get[components.Percept](t, h, i).SeenAt == h.Clock.Now {
			who = append(who, i)
		}
	}
	return who
}

func TestRayBudgetServesThoseWhoWaitFirstThenByTierThenByEntity(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		m, people := pairs(10)
		people[7].Lod.Tier, people[8].Lod.Tier = 0, 0
		for i := range 7 {
			people[i].Lod.Tier = 1
		}
		people[9].Lod.Tier = 2
		h := testworld.NewPeople(t, m, workers, people, testworld.Reversed(len(people)))
		s := &perception.System{RayBudget: 4}
		runFrame := testworld.Run(h, s)
		runFrame()
		assert.Equal(t, []int{0, 1, 7, 8}, sensedIn(t, h, 10))
		assert.Equal(t, perception.Stats{Sensed: 4, Rays: 4, PassedOver: 6}, s.Stats())
		runFrame()
		assert.Equal(t, []int{2, 3, 4, 5}, sensedIn(t, h, 10), "ahead of nearer tiers")
		runFrame()
		assert.Equal(t, []int{6, 7, 8, 9}, sensedIn(t, h, 10), "6 and 9 have waited twice, the two near ones once")
		runFrame()
		assert.Equal(t, []int{0, 1, 2, 3}, sensedIn(t, h, 10))
	}
}

func TestRayBudgetServesWhoWasPassedOverThoughNotDueAnyMore(t *testing.T) {
	m, people := pairs(6)
	h := testworld.NewPeople(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 4}
	runFrame := testworld.Run(h, s)
	runFrame()
	assert.Equal(t, []int{0, 1, 2, 3}, sensedIn(t, h, 6))
	before := *testworld.Get[components.Percept](t, h, 5)
	assert.Zero(t, before, "it keeps the percept of before")
	for i := range 6 {
		testworld.Get[components.LOD](t, h, i).Flags = 0
	}
	runFrame()
	assert.Equal(t, []int{4, 5}, sensedIn(t, h, 6))
	runFrame()
	assert.Empty(t, sensedIn(t, h, 6))
	assert.Zero(t, s.Stats().Sensed)
}

func TestRayBudgetWakesWhoLosesTheTargetOutOfTurn(t *testing.T) {
	m, people := pairs(3)
	h := testworld.NewPeople(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 2}
	runFrame := testworld.Run(h, s)
	runFrame()
	runFrame()
	require.Equal(t, []int{0, 2}, sensedIn(t, h, 3), "so 1 was passed over")
	move(h, 4, 39, 59)
	for i := range 3 {
		testworld.Get[components.LOD](t, h, i).Flags = 0
	}
	runFrame()
	require.False(t, testworld.Get[components.Percept](t, h, 1).Visible)
	assert.NotZero(t, testworld.Get[components.LOD](t, h, 1).Flags&components.LODWoken)
	assert.Zero(t, testworld.Get[components.LOD](t, h, 0).Flags)
}

func TestRayBudgetServesOneWhoNeedsMoreThanAllOfIt(t *testing.T) {
	g := guard(2, 5)
	people := []testworld.Person{g, g}
	m := space.NewMap(40, 10)
	for y := range 10 {
		m.Set(6, y, space.Wall)
	}
	for i := range 8 {
		people = append(people, intruder(8, 5+float32(i)/16))
	}
	h := testworld.NewPeople(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 3}
	runFrame := testworld.Run(h, s)
	runFrame()
	assert.Equal(t, perception.Stats{Sensed: 1, Rays: 8, PassedOver: 1}, s.Stats())
	runFrame()
	assert.Equal(t, perception.Stats{Sensed: 1, Rays: 8, PassedOver: 1}, s.Stats(), "now the other")
}

func TestRayBudgetOutlivesThosePassedOver(t *testing.T) {
	m, people := pairs(4)
	h := testworld.NewPeople(t, m, 1, people, nil)
	s := &perception.System{RayBudget: 1}
	runFrame := testworld.Run(h, s)
	runFrame()
	h.World.RemoveEntity(ecs.ToArche(h.Entities[1]))
	h.World.Remove(ecs.ToArche(h.Entities[2]), arche.ComponentID[components.Senses](h.World))
	testworld.Get[components.LOD](t, h, 2).Flags = 0
	runFrame()
	assert.Equal(t, []int{3}, sensedIn(t, &testworld.People{World: h.World, Clock: h.Clock, Entities: []components.Entity{h.Entities[0], h.Entities[0], h.Entities[0], h.Entities[3]}}, 4))
	runFrame()
	assert.Equal(t, 1, s.Stats().Sensed)
}

func TestRayBudgetDoesNotLetANewcomerInheritAWait(t *testing.T) {
	m, people := pairs(3)
	h := testworld.NewPeople(t, m, 1, people, nil)
	runFrame := testworld.Run(h, &perception.System{RayBudget: 1})
	runFrame()
	h.World.RemoveEntity(ecs.ToArche(h.Entities[1])) // which was passed over
	old := h.Entities[1]
	h.Entities[1] = ecs.FromArche(h.World.NewEntity())
	require.Equal(t, old.Index, h.Entities[1].Index)
	h.Dress(1, &people[1])
	runFrame()
	assert.Equal(t, []int{2}, sensedIn(t, h, 3))
}

func TestRayBudgetStarvesNobody(t *testing.T) {
	// More agents than a batch, of which each needs a few rays.
	m := town.Generate(160, 160, 1)
	people := make([]testworld.Person, 1500)
	for i := range people {
		at, _ := m.RandomPoint(uint64(i))
		people[i] = guard(at.X, at.Y)
		people[i].Senses.Cone = -1
		people[i].Faction = uint8(1 + i%2)
	}
	var results [2][]components.Percept
	for run2, workers := range []int{1, 3} {
		h := testworld.NewPeople(t, m, workers, people, nil)
		s := &perception.System{RayBudget: 1000}
		runFrame := testworld.Run(h, s)
		last := make([]int, len(people))
		for i := 1; i <= 30; i++ {
			before := snapshot(t, h)
			runFrame()
			stats := s.Stats()
			require.LessOrEqual(t, stats.Rays, 1000)
			require.Positive(t, stats.PassedOver)
			require.Equal(t, len(people), stats.Sensed+stats.PassedOver)
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

func snapshot(t *testing.T, h *testworld.People) []components.Percept {
	percepts := make([]components.Percept, len(h.Entities))
	for i := range percepts {
		percepts[i] = *testworld.Get[components.Percept](t, h, i)
	}
	return percepts
}

// bustle is a town full of people of two factions, some of which keep candidates and make noise.
func bustle(t interface{ Cleanup(func()) }, agents, workers, budget int, order []int) (*testworld.People, *perception.System, func()) {
	side, _ := town.Size(agents)
	m := town.Generate(side, side, 1)
	people := make([]testworld.Person, agents)
	for i := range people {
		at, _ := m.RandomPoint(uint64(i))
		people[i] = guard(at.X, at.Y)
		people[i].Faction = 1 + uint8(i%5)/4
		people[i].Lod = new(components.NewLOD())
		people[i].Marked = i%7 == 0
		if i%11 == 0 {
			people[i].Candidates = &components.Candidates{}
		}
	}
	h := testworld.NewPeople(t, m, workers, people, order)
	arche.AddResource(h.World, &lod.Observers{{X: float32(side) / 2, Y: float32(side) / 2}})
	lod := &lod.System{}
	lod.Initialize(h.World)
	s := &perception.System{RayBudget: budget}
	s.Initialize(h.World)
	transforms := ecs.NewLookup[components.Transform](h.World)
	runFrame := func() {
		h.Clock.Advance()
		lod.Update(h.World)
		s.Update(h.World)
		for i, e := range h.Entities {
			draw := random.Mix(uint64(h.Clock.Frame), uint64(i))
			at := transforms.Get(e)
			if x := at.Position.X + random.Unit(draw) - 0.5; m.Passable(int(x), int(at.Position.Y)) {
				at.Position.X = x
			}
			if random.Below(random.Mix(draw, 1), 200) == 0 {
				h.Events.Noise(i%workers, e, at.Position, 12)
			}
		}
	}
	return h, s, runFrame
}

func TestPerceptionIsTheSameForAnyWorkersAndStorage(t *testing.T) {
	const agents = 3000
	for _, budget := range []int{0, 150} {
		var want []components.Percept
		for _, c := range []struct {
			workers int
			order   []int
		}{{1, nil}, {2, nil}, {3, testworld.Reversed(agents)}} {
			h, _, runFrame := bustle(t, agents, c.workers, budget, c.order)
			for range 25 {
				runFrame()
			}
			got := snapshot(t, h)
			if want == nil {
				want = got
				require.Positive(t, h.Events.Count(frame.Sighting))
				require.Positive(t, h.Events.Count(frame.NoiseHeard))
			}
			require.Equal(t, want, got, "budget %d, %d workers", budget, c.workers)
		}
	}
}

func TestPerceptionAllocatesNothingInTheSteadyState(t *testing.T) {
	for _, budget := range []int{0, 100} {
		t.Run(fmt.Sprintf("budget %d", budget), func(t *testing.T) {
			_, _, runFrame := bustle(t, 2000, 2, budget, nil)
			for range 100 {
				runFrame()
			}
			allocs.None(t, 50, runFrame)
		})
	}
}

func TestPerceptionNamesWhatIsMissingOrOutOfRange(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "perception.System: the world has no *frame.Clock; call systems.Install", func() { (&perception.System{}).Initialize(&w) })
	assert.PanicsWithValue(t, "perception.System: a ray budget of -1; use 0 for no limit", func() { (&perception.System{RayBudget: -1}).Initialize(&w) })
	nan := float32(math.NaN())
	assert.PanicsWithValue(t, "perception.System: Near is NaN metres; use 0 for 8", func() { (&perception.System{Near: nan}).Initialize(&w) })
	assert.PanicsWithValue(t, "perception.System: Near is -2 metres; use 0 for 8", func() { (&perception.System{Near: -2}).Initialize(&w) })
}

func TestFactsAreUsable(t *testing.T) {
	facts := []blackboard.Fact{
		fact.Target, fact.Visible, fact.Distance, fact.SeenAge, fact.Belief, fact.LastKnownX, fact.LastKnownY, fact.NoiseAge, fact.NoiseX, fact.NoiseY,
		fact.Hostiles, fact.Allies, fact.Health, fact.MaxHealth, fact.HurtAge, fact.HurtBy, fact.Nearest, fact.Ammo, fact.AmmoShare,
		fact.CandidateDistance, fact.CandidateHealth, fact.CandidateAttackers, fact.CandidateVisible,
	}
	require.NoError(t, fact.Candidates.Err())
	assert.True(t, fact.Nearest.Offset() == fact.Candidates.Field(0, fact.CandidateDistance).Offset(), "the nearest comes first")
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
	assert.Equal(t, blackboard.Age, fact.SeenAge.Kind())
	assert.Equal(t, blackboard.Age, fact.NoiseAge.Kind())
	assert.EqualValues(t, perception.NoDistance, fact.Distance.DefaultFloat())
}

func Example() {
	w := arche.NewWorld()
	testworld.Install(&w, resources.Options{FPS: 60, Map: space.NewMap(100, 100), Workers: 1})
	perception := perception.System{}
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

	ecs.Resource[frame.Clock](&w, "example").Advance()
	perception.Update(&w)
	percept := ecs.Get[components.Percept](&w, watch)
	fmt.Println(percept.Visible, percept.Target == thief, percept.Distance)
	// Output: true true 8
}

func TestCandidatesTellHowManyOthersAttackThem(t *testing.T) {
	for _, budget := range []int{0, 1000} {
		watcher := guard(2, 3)
		watcher.Candidates = &components.Candidates{}
		h := testworld.NewPeople(t, nil, 2, []testworld.Person{watcher, intruder(5, 3), intruder(7, 3), intruder(9, 3)}, nil)
		q := ecs.Resource[ecs.Commands](h.World, "test").Queue(0)
		assign := func(i int, attackers uint8) {
			ecs.Assign(q, h.Entities[i], h.Entities[i], components.Attacked{Count: attackers})
		}
		assign(1, 3)
		assign(2, 2)
		ecs.Assign(q, h.Entities[0], h.Entities[0], components.Attack{Target: h.Entities[2]})
		ecs.Resource[ecs.Commands](h.World, "test").Apply(h.World)
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
