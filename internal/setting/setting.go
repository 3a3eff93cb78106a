// Package setting has checks and defaults of the settings of systems, and conversions between seconds and nanoseconds.
package setting

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
)

// SetDefault sets a field to a default value if it is zero.
func SetDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// RequireNonNegative panics, naming the system and the field, unless a setting is finite and not negative.
func RequireNonNegative(system, field string, value float32) {
	if !(value >= 0 && value <= math.MaxFloat32) {
		panic(fmt.Sprintf("%s: %s is %v; use a finite number that is not negative", system, field, value))
	}
}

// Seconds converts seconds to nanoseconds, clamped to ±2^61 (73 years), because the conversion of a float that does not
// fit differs between processors. NaN gives 0.
func Seconds(s float32) components.Timestamp {
	const most = 1 << 61
	ns := float64(s) * 1e9
	if ns != ns {
		return 0
	}
	return components.Timestamp(min(max(ns, -most), most))
}

// RoundedSeconds converts seconds to nanoseconds, rounded to whole microseconds, the unit of the timers of trees. The
// float32 nearest to 0.8 is some nanoseconds more than 0.8 s; without rounding these could delay an event by a frame.
func RoundedSeconds(s float32) components.Timestamp { return (Seconds(s) + 500) / 1000 * 1000 }

// InSeconds converts nanoseconds to seconds.
func InSeconds(t components.Timestamp) float32 { return float32(float64(t) / 1e9) }
