package elementary

import "math"

// IsFinite reports whether x is neither NaN nor infinite.
func IsFinite(x float32) bool { return math.Float32bits(x)&inf32 != inf32 }
