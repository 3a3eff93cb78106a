package systems

import (
	"fmt"
	"math"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
)

// What systems have in common when they are initialised: settings, their units and resources.

// setDefault replaces zero by a default.
func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// requireSetting panics, naming the field, unless a system's setting is finite and not negative.
func requireSetting(who, field string, value float32) {
	if !(value >= 0 && value <= math.MaxFloat32) {
		panic(fmt.Sprintf("%s: %s is %v; use a finite number that is not negative", who, field, value))
	}
}

// seconds returns a duration on the clock, at most 2^61 ns (73 years) either way, since what converting a float that
// does not fit gives differs between processors. NaN is none.
func seconds(s float32) components.Timestamp {
	const most = 1 << 61
	ns := float64(s) * 1e9
	if ns != ns {
		return 0
	}
	return components.Timestamp(min(max(ns, -most), most))
}

// microseconds returns a duration in whole microseconds, the unit of a mind's timers: a float32 that stands for 0.8 s
// is some nanoseconds more than that, which would cost a frame.
func microseconds(s float32) components.Timestamp { return (seconds(s) + 500) / 1000 * 1000 }

// inSeconds returns a time in seconds.
func inSeconds(t components.Timestamp) float32 { return float32(float64(t) / 1e9) }

// optionalResource returns a resource of the world, or nil.
func optionalResource[T any](w *arche.World) *T {
	if id := arche.ResourceID[T](w); w.Resources().Has(id) {
		return w.Resources().Get(id).(*T)
	}
	return nil
}
