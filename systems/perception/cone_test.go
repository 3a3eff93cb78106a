package perception_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

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
		h := testworld.NewSensingWorld(t, space.NewMap(20, 4), 1, []testworld.Agent{g, intruder(5, 2)}, nil)
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
				length := []float64{1, 7, 0.01}[int(heading/15)%3]
				g.Heading = components.Vec2{X: float32(length * cos), Y: float32(length * sin)}
				g.Senses = &components.Senses{Sight: sight, Cone: float32(math.Cos(half * math.Pi / 180))}
				there := intruder(0, 0)
				there.At = at(heading+c.angle, c.metres)
				h := testworld.NewSensingWorld(noCleanup{}, nil, 1, []testworld.Agent{g, there}, nil)
				testworld.Run(h, &perception.System{})()
				require.Equal(t, c.sees, testworld.Get[components.Percept](t, h, 0).Visible,
					"heading %v, half a cone of %v, %+v", heading, half, c)
			}
		}
	}
}

// A target that was lost is found again within the cone, also where it is beyond the sight radius.
func TestALostTargetIsFoundAgainInARoundSector(t *testing.T) {
	for heading := 0.0; heading < 360; heading += 15 {
		for _, c := range []struct {
			angle float64 // from the heading, with a cone of 40 degrees to each side
			sees  bool
		}{{0, true}, {39.9, true}, {-39.9, true}, {40.1, false}, {-40.1, false}, {180, false}} {
			g := guard(100, 100)
			sin, cos := math.Sincos(heading * math.Pi / 180)
			g.Heading = components.Vec2{X: float32(cos), Y: float32(sin)}
			g.Senses.Cone = float32(math.Cos(40 * math.Pi / 180))
			sin, cos = math.Sincos((heading + c.angle) * math.Pi / 180)
			there := intruder(100+float32(12*cos), 100+float32(12*sin)) // it sees 10 m and loses at 14
			h := testworld.NewSensingWorld(noCleanup{}, nil, 1, []testworld.Agent{g, there}, nil)
			p := testworld.Get[components.Percept](t, h, 0)
			p.Target, p.SeenAt = h.Entities[1], 1
			testworld.Run(h, &perception.System{})()
			require.Equal(t, c.sees, p.Visible, "heading %v, %v", heading, c.angle)
		}
	}
}

func TestAConeHasItsEdge(t *testing.T) {
	g := guard(100, 100)
	g.Senses.Cone = 0 // ninety degrees to each side
	h := testworld.NewSensingWorld(noCleanup{}, nil, 1, []testworld.Agent{g, intruder(100, 112)}, nil)
	p := testworld.Get[components.Percept](t, h, 0)
	p.Target, p.SeenAt = h.Entities[1], 1
	testworld.Run(h, &perception.System{})()
	assert.True(t, p.Visible)
}

func TestAConeOfAFullTurnSeesWhatIsRightBehind(t *testing.T) {
	for _, length := range []float64{1, 5} {
		for i := range 60 {
			g := guard(100, 100)
			sin, cos := math.Sincos(float64(i))
			g.Heading = components.Vec2{X: float32(length * cos), Y: float32(length * sin)}
			g.Senses.Cone = -1
			there := intruder(100-float32(9*cos), 100-float32(9*sin))
			h := testworld.NewSensingWorld(noCleanup{}, nil, 1, []testworld.Agent{g, there}, nil)
			testworld.Run(h, &perception.System{})()
			require.True(t, testworld.Get[components.Percept](t, h, 0).Visible, "heading %v", g.Heading)
		}
	}
}

func TestAShortSightSees(t *testing.T) {
	g := guard(5, 5)
	g.Senses.Sight, g.Senses.Lose = 0.5, 0
	h := testworld.NewSensingWorld(t, space.NewMap(10, 10), 1,
		[]testworld.Agent{g, intruder(5.45, 5), intruder(5.55, 5)}, nil)
	testworld.Run(h, &perception.System{})()
	assert.Equal(t, h.Entities[1], testworld.Get[components.Percept](t, h, 0).Target)
	move(h, 1, 9, 9)
	testworld.Run(h, &perception.System{})()
	assert.False(t, testworld.Get[components.Percept](t, h, 0).Visible, "55 cm are too far")
}

// noCleanup is for villages with one worker, which start no goroutine.
type noCleanup struct{}

func (noCleanup) Cleanup(func()) {}
