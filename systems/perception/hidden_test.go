package perception_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestACrowdBehindAWallCostsAFewRays(t *testing.T) {
	const agents = 1000
	for name, column := range map[string]func(y int) int{ // of the wall, two tiles wide, in a row
		"a straight wall": func(int) int { return 29 },
		"a crooked wall":  func(y int) int { return 28 + max(y%6, 6-y%6) - 3 },
	} {
		t.Run(name, func(t *testing.T) {
			m := space.NewMap(60, 30)
			for y := range 30 {
				m.Fill(column(y), y, 2, 1, space.Wall)
			}
			var people []testworld.Agent
			for i := range agents {
				at, _ := m.RandomPoint(random.Mix(3, uint64(i)), 0)
				a := guard(at.X, at.Y)
				a.Heading, a.Senses.Sight = components.Vec2{}, 15
				if int(at.X) > column(int(at.Y)) {
					a.Faction = 2
				}
				people = append(people, a)
			}
			h := testworld.NewSensingWorld(t, m, 1, people, nil)
			s := &perception.System{}
			testworld.Run(h, s)()
			require.Equal(t, agents, s.Stats().Sensed)
			assert.Less(t, s.Stats().Rays, 17*agents, "without a bound it is 24")
			for i := range people {
				require.False(t, testworld.Get[components.Percept](t, h, i).Visible)
			}
		})
	}
}

// The crowd is beyond a door, too far to the side to be seen through it.
func TestACrowdThatCouldBeInSightCostsABoundedNumberOfRaysAndHidesNobody(t *testing.T) {
	m := testworld.MapOf(
		"....................",
		"....................",
		"@@@.@@@@@@@@@@@@@@@.",
		"...................@",
		"...................@",
		"...................@",
		"....................",
	)
	const crowd = 1000
	viewer := guard(1.5, 1.9)
	viewer.Heading, viewer.Senses.Sight = components.Vec2{}, 20
	people := []testworld.Agent{viewer}
	for i := range crowd {
		people = append(people, intruder(6+8*random.Unit(random.Mix(1, uint64(i))),
			3.1+1.5*random.Unit(random.Mix(2, uint64(i)))))
	}
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	s := &perception.System{}
	frame := testworld.Run(h, s)
	frame()
	require.False(t, testworld.Get[components.Percept](t, h, 0).Visible)
	assert.Greater(t, s.Stats().Rays, 64, "the door lets the flood in")
	assert.Less(t, s.Stats().Rays, 320, "64 · (1 + ln 1000/64) is 240")

	for i := range 10 { // ten show themselves, farther away than the others
		move(h, 1+i, 17.5, 1.5)
	}
	frames := 0
	for !testworld.Get[components.Percept](t, h, 0).Visible && frames < 100 {
		frame()
		frames++
	}
	assert.Less(t, frames, 30)
}

func TestSixteenRaysAreCastInVainBeforeAWallIsKnown(t *testing.T) {
	m := space.NewMap(30, 30)
	m.Fill(15, 0, 1, 30, space.Wall)
	people := []testworld.Agent{guard(10, 15)}
	for i := range 40 {
		people = append(people, intruder(17, 14+float32(i)/20))
	}
	h := testworld.NewSensingWorld(t, m, 1, people, nil)
	s := &perception.System{}
	frame := testworld.Run(h, s)
	for range 3 {
		frame()
		assert.Equal(t, 16, s.Stats().Rays)
	}
}

// Thirty stand behind the wall, nearer than the one who can be seen through the door. After sixteen rays in vain only
// the columns that can be in view are searched.
func TestTheOneInViewIsFoundBehindACrowdThatIsHidden(t *testing.T) {
	for door := 15; door < 25; door++ {
		for x := float32(20); x < 26; x += 0.5 {
			m := space.NewMap(40, 40)
			m.Fill(15, 0, 1, door, space.Wall)
			m.Fill(15, door+1, 1, 39-door, space.Wall)
			viewer := guard(10, 20)
			viewer.Senses.Cone, viewer.Senses.Sight = -1, 30
			slope := (float32(door) + 0.5 - 20) / 5.5
			people := []testworld.Agent{viewer, intruder(x, 20+slope*(x-10))}
			require.True(t, m.Sees(viewer.At, people[1].At))
			for i := uint64(0); len(people) < 32; i++ {
				at := components.Vec2{X: 16 + 3*random.Unit(random.Mix(1, i)), Y: 17 + 6*random.Unit(random.Mix(2, i))}
				if !m.Sees(viewer.At, at) {
					people = append(people, intruder(at.X, at.Y))
				}
			}
			h := testworld.NewSensingWorld(noCleanup{}, m, 1, people, nil)
			testworld.Run(h, &perception.System{})()
			p := testworld.Get[components.Percept](t, h, 0)
			require.Equal(t, h.Entities[1], p.Target, "the door is in row %d, and it stands at %v", door, people[1].At)
		}
	}
}
