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
	return vec2{X: a.X / d, Y: a.Y / d}, d
}

func absolute(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

func isFinite(x float32) bool { return math.Float32bits(x)&0x7f800000 != 0x7f800000 }

func finiteVec(a vec2) bool { return isFinite(a.X) && isFinite(a.Y) }

// turn rotates the unit vector from towards the unit vector to by at most angle radians, which is
// positive. The rotation is the rational one with t = angle/2, so no sine is needed; it turns by
// 2·atan(t), a little less than the angle where that is large, and never past a half turn.
func turn(from, to vec2, angle float32) vec2 {
	c, s := rotation(angle)
	if dot(from, to) >= c {
		return to
	}
	if cross(from, to) < 0 {
		s = -s
	}
	return rotate(from, c, s)
}

// rotation returns the rational cosine and sine of about angle radians; see [turn].
func rotation(angle float32) (c, s float32) {
	t := angle / 2
	q := float32(t * t)
	d := 1 + q
	return (1 - q) / d, (t + t) / d
}

// rotate turns a unit vector and makes up for the rounding, so that it stays one.
func rotate(a vec2, c, s float32) vec2 {
	r := vec2{X: float32(a.X*c) - float32(a.Y*s), Y: float32(a.X*s) + float32(a.Y*c)}
	u, d := direction(r)
	if d == 0 {
		return a
	}
	return u
}
