package benchmarks

import "math"

// ranged makes a curve of a number that goes from a, which is 0, to b, which is 1.
func ranged(a, b float32, curve func(float32) float32) func(float32) float32 {
	return func(x float32) float32 { return curve(clamp01((x - a) / (b - a))) }
}

func clamp01(x float32) float32 {
	if x < 0 {
		return 0
	}
	if x > 1 {
		return 1
	}
	return x
}

func linearCurve(t float32) float32 { return clamp01(t) }

func quadraticCurve(t float32) float32 { t = clamp01(t); return clamp01(t * t) }

func smoothstepCurve(t float32) float32 {
	t = clamp01(t)
	return t * t * (3 - 2*t)
}

func logisticCurve(steepness, middle float32) func(float32) float32 {
	return func(t float32) float32 {
		return clamp01(1 / (1 + float32(math.Exp(float64(-steepness*(clamp01(t)-middle))))))
	}
}
