package setting

import (
	"fmt"
	"math"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
)

// What systems have in common when they are initialised: settings, their units and resources.

// SetDefault replaces zero by a default.
func SetDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// RequireSetting panics, naming the field, unless a system's setting is finite and not negative.
func RequireSetting(who, field string, value float32) {
	if !(value >= 0 && value <= math.MaxFloat32) {
		panic(fmt.Sprintf("%s: %s is %v; use a finite number that is not negative", who, field, value))
	}
}

// Seconds returns a duration on the clock, at most 2^61 ns (73 years) either way, since what converting a float that
// does not fit gives differs between processors. NaN is none.
func Seconds(s float32) components.Timestamp {
	const most = 1 << 61
	ns := float64(s) * 1e9
	if ns != ns {
		return 0
	}
	return components.Timestamp(min(max(ns, -most), most))
}

// Microseconds returns a duration in whole microseconds, the unit of a mind's timers: a float32 that stands for 0.8 s
// is some nanoseconds more than that, which would cost a frame.
func Microseconds(s float32) components.Timestamp { return (Seconds(s) + 500) / 1000 * 1000 }

// InSeconds returns a time in seconds.
func InSeconds(t components.Timestamp) float32 { return float32(float64(t) / 1e9) }

// OptionalResource returns a resource of the world, or nil.
func OptionalResource[T any](w *arche.World) *T {
	if id := arche.ResourceID[T](w); w.Resources().Has(id) {
		return w.Resources().Get(id).(*T)
	}
	return nil
}
