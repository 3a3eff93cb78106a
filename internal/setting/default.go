package setting

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// Settings of systems follow one rule: 0 means the default, and a negative value means none where that is useful.

// NumberOrDefault returns a setting with its default applied: the default when it is 0, and 0 when it is negative. It
// panics, naming the system and the field, unless the setting is finite.
func NumberOrDefault(system, field string, value, fallback float32) float32 {
	if !elementary.IsFinite(value) {
		panic(fmt.Sprintf("%s: %s is %v; use a finite number", system, field, value))
	}
	if value == 0 {
		return fallback
	}
	return max(value, 0)
}

// DurationOrDefault returns a setting with its default applied, as a span on the clock: the default when it is 0, and 0
// when it is negative. It is at most 2^61 ns (73 years), so that it can be added to a timestamp.
func DurationOrDefault(value, fallback time.Duration) components.Timestamp {
	if value == 0 {
		value = fallback
	}
	return components.Timestamp(min(max(value, 0), 1<<61))
}
