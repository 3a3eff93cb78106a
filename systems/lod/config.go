package lod

import (
	"fmt"
	"math"
)

// MaxTiers is the greatest number of tiers, including the one beyond the last radius.
const MaxTiers = 8

// maxPeriod is the longest period of a tier in frames. The budget compares waits as fractions of periods; this bound
// keeps the comparison exact in 64 bits.
const maxPeriod = 1<<16 - 1

// Config says how often agents decide, by their distance to the nearest observer. The zero value is a usable
// configuration: the tiers and the hysteresis of [DefaultConfig], no limits.
type Config struct {
	// Tiers are the distance tiers, nearest first, at most MaxTiers-1. Empty means those of [DefaultConfig].
	Tiers []Tier

	// SlowLane is the decision rate beyond the last radius, in decisions a second, at most the rate of the last tier.
	// 0 freezes the agents there: they decide only when they are woken.
	SlowLane float32

	// Hysteresis is the part of a radius by which an agent must pass it, in either direction, to change its distance
	// tier; in [0, 1). 0 is none; where Tiers is empty, 0 means that of [DefaultConfig].
	Hysteresis float32

	// Budget is the maximum number of decisions in a frame; 0 is no limit. Agents beyond it are late and decide in a
	// later frame.
	Budget int

	// Every is the number of frames from one update of tiers and caps to the next, 1…65535; 0 means 6.
	Every int

	// Off makes every agent decide in every frame. The rest of the configuration is ignored.
	Off bool
}

// Tier is a distance range around the observers and the decision rate of the agents in it.
type Tier struct {
	Name   string  // used in reports; if empty, the rate
	Radius float32 // metres from an observer at which the tier ends, above 0 and more than that of the tier before
	Rate   float32 // decisions a second of each agent, above 0 and at most that of the tier before
	Cap    *int    // maximum number of agents; the others move to the next tier. nil is no limit, 0 closes the tier
}

// DefaultConfig returns 10, 5 and 1 decisions a second within 40, 100 and 300 metres, none beyond, and a hysteresis of
// 0.1.
func DefaultConfig() Config {
	return Config{
		Tiers: []Tier{
			{Radius: 40, Rate: 10},
			{Radius: 100, Rate: 5},
			{Radius: 300, Rate: 1},
		},
		Hysteresis: 0.1,
	}
}

// Validate returns an error that names the first field that is out of range and the remedy, or nil. A rate that is too
// low for the clock's frame rate is found when a [System] is initialised.
func (c Config) Validate() error {
	if c.Off {
		return nil
	}
	if n := len(c.Tiers); n > MaxTiers-1 {
		return fmt.Errorf("lod: Config.Tiers has %d tiers; use at most %d", n, MaxTiers-1)
	}
	for i, t := range c.Tiers {
		field := func(name string) string { return fmt.Sprintf("lod: Config.Tiers[%d].%s", i, name) }
		switch {
		case !positive(t.Radius):
			return fmt.Errorf("%s is %v; use a finite number of metres above 0", field("Radius"), t.Radius)
		case i > 0 && t.Radius <= c.Tiers[i-1].Radius:
			return fmt.Errorf("%s is %v; use more than the %v of the tier before it: radii ascend", field("Radius"),
				t.Radius, c.Tiers[i-1].Radius)
		case !positive(t.Rate):
			return fmt.Errorf("%s is %v; use a finite number of decisions a second above 0", field("Rate"), t.Rate)
		case i > 0 && t.Rate > c.Tiers[i-1].Rate:
			return fmt.Errorf("%s is %v; use at most the %v of the tier before it: farther tiers are not faster",
				field("Rate"), t.Rate, c.Tiers[i-1].Rate)
		case t.Cap != nil && *t.Cap < 0:
			return fmt.Errorf("%s is %d; use 0 or more, or nil for no limit", field("Cap"), *t.Cap)
		case t.Cap != nil && c.SlowLane == 0 && i == len(c.Tiers)-1:
			return fmt.Errorf("%s is %d; use nil: a limit on the slowest tier would freeze agents near "+
				"an observer", field("Cap"), *t.Cap)
		}
	}
	slowest := c.withDefaults().Tiers
	switch rate := slowest[len(slowest)-1].Rate; {
	case c.SlowLane != 0 && !positive(c.SlowLane):
		return fmt.Errorf("lod: Config.SlowLane is %v; use a finite number of decisions a second, or 0 to "+
			"freeze", c.SlowLane)
	case c.SlowLane > rate:
		return fmt.Errorf("lod: Config.SlowLane is %v; use at most the %v of the last tier: farther tiers are "+
			"not faster", c.SlowLane, rate)
	case !(c.Hysteresis >= 0 && c.Hysteresis < 1):
		return fmt.Errorf("lod: Config.Hysteresis is %v; use at least 0 and less than 1", c.Hysteresis)
	case c.Budget < 0:
		return fmt.Errorf("lod: Config.Budget is %d; use a positive number of decisions, or 0 for no limit",
			c.Budget)
	case c.Every < 0 || c.Every > maxPeriod:
		return fmt.Errorf("lod: Config.Every is %d; use 1 to %d frames, or 0 for 6", c.Every, maxPeriod)
	}
	return nil
}

func (c Config) withDefaults() Config {
	if len(c.Tiers) == 0 {
		c.Tiers = DefaultConfig().Tiers
		if c.Hysteresis == 0 {
			c.Hysteresis = DefaultConfig().Hysteresis
		}
	}
	if c.Every == 0 {
		c.Every = 6
	}
	return c
}

// positive reports whether x is a finite number above zero.
func positive(x float32) bool { return x > 0 && x <= math.MaxFloat32 }

// periodOf returns the frames from one decision to the next, at least one.
func periodOf(fps int, rate float32) (uint32, error) {
	frames := math.Max(1, math.Round(float64(fps)/float64(rate)))
	if frames > maxPeriod {
		return 0, fmt.Errorf("is %v: a decision every %.0f frames, at %d frames a second; use at least %.2g", rate,
			frames, fps, float64(fps)/maxPeriod)
	}
	return uint32(frames), nil
}
