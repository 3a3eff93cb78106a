// Package vec has the arithmetic of points and vectors on the ground, in float32.
//
// Each product is rounded to float32 before it is added, so that no compiler fuses the two operations, and results are
// the same to the bit on every platform.
package vec

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// Add returns a + b.
func Add(a, b components.Vec2) components.Vec2 { return components.Vec2{X: a.X + b.X, Y: a.Y + b.Y} }

// Sub returns a - b.
func Sub(a, b components.Vec2) components.Vec2 { return components.Vec2{X: a.X - b.X, Y: a.Y - b.Y} }

// Scale returns a times k.
func Scale(a components.Vec2, k float32) components.Vec2 {
	return components.Vec2{X: float32(a.X * k), Y: float32(a.Y * k)}
}

// Dot returns the dot product.
func Dot(a, b components.Vec2) float32 { return float32(a.X*b.X) + float32(a.Y*b.Y) }

// cross returns the cross product. It is positive when b is to the side of a to which +Y is from +X.
func cross(a, b components.Vec2) float32 { return float32(a.X*b.Y) - float32(a.Y*b.X) }

// Quarter rotates a by 90 degrees, in the direction from +X to +Y.
func Quarter(a components.Vec2) components.Vec2 { return components.Vec2{X: -a.Y, Y: a.X} }

// Sqrt returns the correctly rounded square root, which is the float64 root of the float32, rounded again.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Length returns the length of a.
func Length(a components.Vec2) float32 { return Sqrt(Dot(a, a)) }

// Direction returns the unit vector and the length of a; both are 0 when a is shorter than a micrometre.
func Direction(a components.Vec2) (components.Vec2, float32) {
	d := Length(a)
	if d < 1e-6 {
		return components.Vec2{}, 0
	}
	return Scale(a, 1/d), d
}

// Unit returns the unit vector of a, or +X when a has no direction.
func Unit(a components.Vec2) components.Vec2 {
	u, d := Direction(a)
	if d == 0 || !FiniteVec(u) || u == (components.Vec2{}) {
		return components.Vec2{X: 1}
	}
	return u
}

// Absolute returns |x|.
func Absolute(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Rotor is a rotation by an angle. It uses the rational form with t = angle/2, which needs no sine: it rotates by
// 2·atan(t), a little less than a large angle, and always less than half a turn.
type Rotor struct{ cos, Sin float32 }

// NewRotor returns the rotation by about angle radians, in the direction from +X to +Y.
func NewRotor(angle float32) Rotor {
	t := angle / 2
	q := float32(t * t)
	return Rotor{cos: (1 - q) / (1 + q), Sin: angle / (1 + q)}
}

// Towards rotates the unit vector from towards the unit vector to, by at most the rotor's angle. The
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

// Rotate rotates a unit vector and normalises the result.
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
	return elementary.IsFinite(v.X) && elementary.IsFinite(v.Y)
}
