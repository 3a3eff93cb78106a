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
				g.Heading = components.Vec2{X: float32(cos), Y: float32(sin)}
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

// noCleanup is for villages with one worker, which start no goroutine.
type noCleanup struct{}

func (noCleanup) Cleanup(func()) {}
