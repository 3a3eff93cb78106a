package elementary

import "math"

// Sqrt returns the square root of x, rounded once; NaN for a negative x.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// IsFinite reports whether x is neither NaN nor infinite.
func IsFinite(x float32) bool { return math.Float32bits(x)&inf32 != inf32 }
