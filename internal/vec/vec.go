package vec

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
)

// The arithmetic of points below rounds every product to float32 before it is added, so that no
// compiler may fuse the two and every platform gets the same bits.

func Add(a, b components.Vec2) components.Vec2 { return components.Vec2{X: a.X + b.X, Y: a.Y + b.Y} }

func Sub(a, b components.Vec2) components.Vec2 { return components.Vec2{X: a.X - b.X, Y: a.Y - b.Y} }

func Scale(a components.Vec2, k float32) components.Vec2 {
	return components.Vec2{X: float32(a.X * k), Y: float32(a.Y * k)}
}

func Dot(a, b components.Vec2) float32 { return float32(a.X*b.X) + float32(a.Y*b.Y) }

// cross is positive when b lies a quarter turn from a in the sense that takes +X to +Y.
func cross(a, b components.Vec2) float32 { return float32(a.X*b.Y) - float32(a.Y*b.X) }

// Quarter turns a by 90 degrees in the sense that takes +X to +Y.
func Quarter(a components.Vec2) components.Vec2 { return components.Vec2{X: -a.Y, Y: a.X} }

// Sqrt is exact: the double root of a float32, rounded once more, is the correctly rounded root.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func Length(a components.Vec2) float32 { return Sqrt(Dot(a, a)) }

// Direction returns a's unit vector and length; both zero where a is too short to have a direction.
func Direction(a components.Vec2) (components.Vec2, float32) {
	d := Length(a)
	if d < 1e-6 {
		return components.Vec2{}, 0
	}
	return Scale(a, 1/d), d
}

// Unit returns a's direction, or that of +X where a has none.
func Unit(a components.Vec2) components.Vec2 {
	u, d := Direction(a)
	if d == 0 || !FiniteVec(u) || u == (components.Vec2{}) {
		return components.Vec2{X: 1}
	}
	return u
}

func Absolute(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

func IsFinite(x float32) bool { return math.Float32bits(x)&0x7f800000 != 0x7f800000 }

// Rotor is a rotation by some angle: the rational one with t = angle/2, so no sine is needed. It turns by
// 2·atan(t), which is a little less than the angle where that is large, and never by a half turn.
type Rotor struct{ cos, Sin float32 }

// NewRotor returns the rotation by about angle radians, in the sense that takes +X to +Y.
func NewRotor(angle float32) Rotor {
	t := angle / 2
	q := float32(t * t)
	return Rotor{cos: (1 - q) / (1 + q), Sin: angle / (1 + q)}
}

// Towards rotates the unit vector from towards the unit vector to, by the rotor's angle at most. The
// angle must be positive.
func (r Rotor) Towards(from, to components.Vec2) components.Vec2 {
	if Dot(from, to) >= r.cos {
		return to
	}
	if cross(from, to) < 0 {
		r.Sin = -r.Sin
	}
	return r.Rotate(from)
}

// Rotate turns a unit vector and makes up for the rounding, so that it stays one.
func (r Rotor) Rotate(a components.Vec2) components.Vec2 {
	b := components.Vec2{X: float32(a.X*r.cos) - float32(a.Y*r.Sin), Y: float32(a.X*r.Sin) + float32(a.Y*r.cos)}
	u, d := Direction(b)
	if d == 0 {
		return a
	}
	return u
}

// FiniteVec reports whether both coordinates are finite.
func FiniteVec(v components.Vec2) bool {
	const exponent = 0x7f800000
	return math.Float32bits(v.X)&exponent != exponent && math.Float32bits(v.Y)&exponent != exponent
}
