package perception

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
)

// The rectangle reaches from the viewer to the ends of the two edges of the sector, and a whole radius along an axis
// that lies within it. 10 m are padded to 10 + 10/65536 + 1/64, and the rectangle has a margin of 1/64 m.
func TestTheBoundsOfAViewEncloseItsSectorTightly(t *testing.T) {
	const padded, margin = 10 + 10.0/65536 + 1.0/64, 1.0 / 64
	sin := func(degrees float64) float64 { return math.Sin(degrees * math.Pi / 180) }
	for _, c := range []struct {
		heading, half            float64 // degrees
		lowX, lowY, highX, highY float64 // parts of the radius
	}{
		{0, 45, 0, -sin(45), 1, sin(45)},
		{90, 45, -sin(45), 0, sin(45), 1},
		{180, 45, -1, -sin(45), 0, sin(45)},
		{270, 45, -sin(45), -1, sin(45), 0},
		{60, 10, 0, 0, sin(40), sin(70)},
		{150, 10, -sin(70), 0, 0, sin(40)},
		{240, 10, -sin(40), -sin(70), 0, 0},
		{330, 10, 0, -sin(40), sin(70), 0},
		{30, 45, 0, -sin(15), 1, sin(75)},
		{120, 45, -sin(75), 0, sin(15), 1},
		{210, 45, -1, -sin(75), 0, sin(15)},
		{300, 45, -sin(15), -1, sin(75), 0},
		{45, 80, -sin(35), -sin(35), 1, 1},
		{0, 120, -1, -1, 1, 1}, // a sector of more than a half turn has the square of the circle
	} {
		v := view{reach2: 100, cone: signedSquare(float32(sin(90 - c.half)))}
		v.heading = components.Vec2{X: float32(sin(90 - c.heading)), Y: float32(sin(c.heading))}
		low, high := v.bounds()
		edge := margin
		if c.half > 90 {
			edge = 0
		}
		name := fmt.Sprintf("%v° to each side of %v°", c.half, c.heading)
		assert.InDelta(t, padded*c.lowX-edge, low.X, 1e-4, name)
		assert.InDelta(t, padded*c.lowY-edge, low.Y, 1e-4, name)
		assert.InDelta(t, padded*c.highX+edge, high.X, 1e-4, name)
		assert.InDelta(t, padded*c.highY+edge, high.Y, 1e-4, name)
	}
}
