package curves

import "math"

// Clamp returns x limited to 0..1.
func Clamp(x float32) float32 {
	if x < 0 {
		return 0
	}
	if x > 1 {
		return 1
	}
	return x
}

// Linear returns t limited to 0..1.
func Linear(t float32) float32 { return Clamp(t) }

// Quadratic returns t², t being limited to 0..1.
func Quadratic(t float32) float32 { t = Clamp(t); return Clamp(t * t) }

// Smoothstep returns 3t²-2t³, t being limited to 0..1.
func Smoothstep(t float32) float32 {
	t = Clamp(t)
	return t * t * (3 - 2*t)
}

// Logistic returns the curve 1/(1+exp(-steepness·(t-middle))), t being limited to 0..1.
func Logistic(steepness, middle float32) func(float32) float32 {
	return func(t float32) float32 {
		return Clamp(1 / (1 + float32(math.Exp(float64(-steepness*(Clamp(t)-middle))))))
	}
}

// Ranged returns a curve of a number that maps a to 0 and b to 1. a may be greater than b.
func Ranged(a, b float32, curve func(float32) float32) func(float32) float32 {
	return func(x float32) float32 { return curve(Clamp((x - a) / (b - a))) }
}
