package systems

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
)

// The arithmetic of points below rounds every product to float32 before it is added, so that no
// compiler may fuse the two and every platform gets the same bits.

type vec2 = components.Vec2

func add(a, b vec2) vec2 { return vec2{X: a.X + b.X, Y: a.Y + b.Y} }

func sub(a, b vec2) vec2 { return vec2{X: a.X - b.X, Y: a.Y - b.Y} }

func scale(a vec2, k float32) vec2 { return vec2{X: float32(a.X * k), Y: float32(a.Y * k)} }

func dot(a, b vec2) float32 { return float32(a.X*b.X) + float32(a.Y*b.Y) }

// cross is positive when b lies a quarter turn from a in the sense that takes +X to +Y.
func cross(a, b vec2) float32 { return float32(a.X*b.Y) - float32(a.Y*b.X) }

// quarter turns a by 90 degrees in the sense that takes +X to +Y.
func quarter(a vec2) vec2 { return vec2{X: -a.Y, Y: a.X} }

// sqrt is exact: the double root of a float32, rounded once more, is the correctly rounded root.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func length(a vec2) float32 { return sqrt(dot(a, a)) }

// direction returns a's unit vector and length; both zero where a is too short to have a direction.
func direction(a vec2) (vec2, float32) {
	d := length(a)
	if d < 1e-6 {
		return vec2{}, 0
	}
	return scale(a, 1/d), d
}

// unit returns a's direction, or that of +X where a has none.
func unit(a vec2) vec2 {
	u, d := direction(a)
	if d == 0 || !finiteVec(u) || u == (vec2{}) {
		return vec2{X: 1}
	}
	return u
}

func absolute(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

func isFinite(x float32) bool { return math.Float32bits(x)&0x7f800000 != 0x7f800000 }

// rotor is a rotation by some angle: the rational one with t = angle/2, so no sine is needed. It turns by
// 2·atan(t), which is a little less than the angle where that is large, and never by a half turn.
type rotor struct{ cos, sin float32 }

// newRotor returns the rotation by about angle radians, in the sense that takes +X to +Y.
func newRotor(angle float32) rotor {
	t := angle / 2
	q := float32(t * t)
	return rotor{cos: (1 - q) / (1 + q), sin: angle / (1 + q)}
}

// towards rotates the unit vector from towards the unit vector to, by the rotor's angle at most. The
// angle must be positive.
func (r rotor) towards(from, to vec2) vec2 {
	if dot(from, to) >= r.cos {
		return to
	}
	if cross(from, to) < 0 {
		r.sin = -r.sin
	}
	return r.rotate(from)
}

// rotate turns a unit vector and makes up for the rounding, so that it stays one.
func (r rotor) rotate(a vec2) vec2 {
	b := vec2{X: float32(a.X*r.cos) - float32(a.Y*r.sin), Y: float32(a.X*r.sin) + float32(a.Y*r.cos)}
	u, d := direction(b)
	if d == 0 {
		return a
	}
	return u
}
