package needs

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/components"
)

// Sun says when it is day, by times from midnight; they ascend. The light grows from Dawn to Morning and fades from
// Evening to Nightfall.
type Sun struct {
	Dawn      time.Duration // when the night ends, 0 or more
	Morning   time.Duration // when it is full day, after Dawn
	Evening   time.Duration // when the light begins to fade, not before Morning
	Nightfall time.Duration // when it is night, after Evening and at most 24 hours
}

// DefaultSun returns a day that dawns from 5:00 to 8:00 and fades from 19:00 to 23:30.
func DefaultSun() Sun {
	return Sun{
		Dawn: 5 * time.Hour, Morning: 8 * time.Hour, Evening: 19 * time.Hour,
		Nightfall: 23*time.Hour + 30*time.Minute,
	}
}

// require panics unless the times ascend within a day.
func (s Sun) require(name string) {
	if !(s.Dawn >= 0 && s.Dawn < s.Morning && s.Morning <= s.Evening && s.Evening < s.Nightfall &&
		s.Nightfall <= 24*time.Hour) {
		panic(fmt.Sprintf("%s: Sun is %+v; use times that ascend from 0 to 24h", name, s))
	}
}

// daylight returns the times in hours.
func (s Sun) daylight() daylight {
	return daylight{
		dawn: float32(s.Dawn.Hours()), morning: float32(s.Morning.Hours()),
		evening: float32(s.Evening.Hours()), nightfall: float32(s.Nightfall.Hours()),
	}
}

// daylight is a Sun in hours after midnight.
type daylight struct{ dawn, morning, evening, nightfall float32 }

// at returns how much day it is, 0…1, on a clock that begins at a time of day.
func (d daylight) at(now, start components.Timestamp) float32 {
	h := float32(float64((now+start)%(24*hour)) / float64(hour))
	switch {
	case h < d.dawn || h >= d.nightfall:
		return 0
	case h < d.morning:
		return (h - d.dawn) / (d.morning - d.dawn)
	case h < d.evening:
		return 1
	}
	return (d.nightfall - h) / (d.nightfall - d.evening)
}
