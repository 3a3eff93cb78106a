package curves

import "math"

// Ranged makes a curve of a number that goes from a, which is 0, to b, which is 1.
func Ranged(a, b float32, curve func(float32) float32) func(float32) float32 {
	return func(x float32) float32 { return curve(Clamp((x - a) / (b - a))) }
}

func Clamp(x float32) float32 {
	if x < 0 {
		return 0
	}
	if x > 1 {
		return 1
	}
	return x
}

func Linear(t float32) float32 { return Clamp(t) }

func Quadratic(t float32) float32 { t = Clamp(t); return Clamp(t * t) }

func Smoothstep(t float32) float32 {
	t = Clamp(t)
	return t * t * (3 - 2*t)
}

func Logistic(steepness, middle float32) func(float32) float32 {
	return func(t float32) float32 {
		return Clamp(1 / (1 + float32(math.Exp(float64(-steepness*(Clamp(t)-middle))))))
	}
}
