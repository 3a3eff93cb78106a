package space

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

func TestWalkableSeesWhatABodyWouldTouch(t *testing.T) {
	m := drawn(
		"........",
		"...@....",
		"........",
		"........",
	)
	for _, c := range []struct {
		name  string
		a, b  components.Vec2
		clear float32
		want  bool
	}{
		{"open", components.Vec2{X: 0.5, Y: 2.5}, components.Vec2{X: 7.5, Y: 2.5}, 0.45, true},
		{"through the pillar", components.Vec2{X: 0.5, Y: 1.5}, components.Vec2{X: 7.5, Y: 1.5}, 0.1, false},
		{"the body brushes it", components.Vec2{X: 0.5, Y: 2.25}, components.Vec2{X: 7.5, Y: 2.25}, 0.45, false},
		{"a thin body does not", components.Vec2{X: 0.5, Y: 2.25}, components.Vec2{X: 7.5, Y: 2.25}, 0.2, true},
		{"a corner between the sides", components.Vec2{X: 2.5, Y: 2.5}, components.Vec2{X: 3.5, Y: 0.5}, 0.45, false},
		{"out of the map", components.Vec2{X: 0.5, Y: 2.5}, components.Vec2{X: 9.5, Y: 2.5}, 0.2, false},
		{"nowhere to go", components.Vec2{X: 0.5, Y: 2.5}, components.Vec2{X: 0.5, Y: 2.5}, 0.2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, Walkable(m, c.a, c.b, c.clear))
			assert.Equal(t, c.want, Walkable(m, c.b, c.a, c.clear), "the other way")
		})
	}
}

// What is walkable can indeed be walked: a body that sets out arrives without being held up.
func TestAWalkableLineCanBeWalked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		a, ok := m.RandomPoint(rapid.Uint64().Draw(t, "from"), 0)
		b, _ := m.RandomPoint(rapid.Uint64().Draw(t, "to"), 0)
		if !ok {
			t.Skip("no tile is passable")
		}
		a, _ = walkFrom(m, a, components.Vec2{X: 1e-6}, clear) // off the walls
		b, _ = walkFrom(m, b, components.Vec2{X: 1e-6}, clear)
		if !Walkable(m, a, b, clear) {
			t.Skip("not walkable")
		}
		p := a
		for range 200 {
			u, d := vec.Direction(vec.Sub(b, p))
			if d < 0.01 {
				return
			}
			p, _ = walkFrom(m, p, vec.Scale(u, min(d, 0.2)), clear)
		}
		require.Failf(t, "stuck", "at %v on the way from %v to %v", p, a, b)
	})
}
