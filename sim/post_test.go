package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
)

func TestDistanceToASegmentIsThatToItsNearestPoint(t *testing.T) {
	a, b := components.Vec2{X: 1, Y: 1}, components.Vec2{X: 5, Y: 1}
	for p, want := range map[components.Vec2]float32{
		{X: 3, Y: 1}:  0,
		{X: 3, Y: 3}:  2,
		{X: 3, Y: -4}: 5,
		{X: 8, Y: 5}:  5, // from b
		{X: -2, Y: 5}: 5, // from a
	} {
		assert.Equal(t, want, distanceToSegment(p, a, b), "%v", p)
	}
	assert.Equal(t, float32(5), distanceToSegment(components.Vec2{X: 4, Y: 5}, a, a), "a route with one waypoint")
}
