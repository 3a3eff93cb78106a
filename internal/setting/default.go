package setting

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// Settings of systems follow one rule: 0 stands for the default, and where none is of use a negative value stands
// for none.

// NumberOrDefault returns a setting in use: its default when it is 0, and 0 when it is negative. It panics, naming the
// system and the field, unless the setting is finite.
func NumberOrDefault(system, field string, value, standard float32) float32 {
	if !elementary.IsFinite(value) {
		panic(fmt.Sprintf("%s: %s is %v; use a finite number", system, field, value))
	}
	if value == 0 {
		return standard
	}
	return max(value, 0)
}

// DurationOrDefault returns a setting in use as a span on the clock: its default when it is 0, and 0 when it is
// negative. It is at most 2^61 ns (73 years), so that it can be added to an instant.
func DurationOrDefault(value, standard time.Duration) components.Timestamp {
	if value == 0 {
		value = standard
	}
	return components.Timestamp(min(max(value, 0), 1<<61))
}
