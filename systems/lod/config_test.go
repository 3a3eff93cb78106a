package lod_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

func TestConfigErrorsNameTheFieldAndTheRemedy(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tiers := func(change func([]lod.Tier)) lod.Config {
		c := lod.DefaultConfig()
		change(c.Tiers)
		return c
	}
	for _, test := range []struct {
		config lod.Config
		want   string
	}{
		{lod.Config{Tiers: make([]lod.Tier, 8)}, "lod: Config.Tiers has 8 tiers; use at most 7"},
		{tiers(func(s []lod.Tier) { s[1].Radius = -3 }),
			"lod: Config.Tiers[1].Radius is -3; use a finite number of metres above 0"},
		{tiers(func(s []lod.Tier) { s[0].Radius = 0 }),
			"lod: Config.Tiers[0].Radius is 0; use a finite number of metres above 0"},
		{tiers(func(s []lod.Tier) { s[2].Radius = nan }),
			"lod: Config.Tiers[2].Radius is NaN; use a finite number of metres above 0"},
		{tiers(func(s []lod.Tier) { s[2].Radius = inf }),
			"lod: Config.Tiers[2].Radius is +Inf; use a finite number of metres above 0"},
		{tiers(func(s []lod.Tier) { s[1].Radius = 40 }),
			"lod: Config.Tiers[1].Radius is 40; use more than the 40 of the tier before it: radii ascend"},
		{tiers(func(s []lod.Tier) { s[0].Rate = 0 }),
			"lod: Config.Tiers[0].Rate is 0; use a finite number of decisions a second above 0"},
		{tiers(func(s []lod.Tier) { s[0].Rate = -1 }),
			"lod: Config.Tiers[0].Rate is -1; use a finite number of decisions a second above 0"},
		{tiers(func(s []lod.Tier) { s[0].Rate = nan }),
			"lod: Config.Tiers[0].Rate is NaN; use a finite number of decisions a second above 0"},
		{tiers(func(s []lod.Tier) { s[0].Rate = inf }),
			"lod: Config.Tiers[0].Rate is +Inf; use a finite number of decisions a second above 0"},
		{tiers(func(s []lod.Tier) { s[1].Rate = 20 }),
			"lod: Config.Tiers[1].Rate is 20; use at most the 10 of the tier before it: farther tiers are not faster"},
		{tiers(func(s []lod.Tier) { s[0].Cap = new(-1) }),
			"lod: Config.Tiers[0].Cap is -1; use 0 or more, or nil for no limit"},
		{tiers(func(s []lod.Tier) { s[2].Cap = new(9) }),
			"lod: Config.Tiers[2].Cap is 9; use nil: a limit on the slowest tier would freeze agents near an observer"},
		{lod.Config{SlowLane: -1},
			"lod: Config.SlowLane is -1; use a finite number of decisions a second, or 0 to freeze"},
		{lod.Config{SlowLane: nan},
			"lod: Config.SlowLane is NaN; use a finite number of decisions a second, or 0 to freeze"},
		{lod.Config{SlowLane: 2},
			"lod: Config.SlowLane is 2; use at most the 1 of the last tier: farther tiers are not faster"},
		{lod.Config{Hysteresis: 1}, "lod: Config.Hysteresis is 1; use at least 0 and less than 1"},
		{lod.Config{Hysteresis: -0.1}, "lod: Config.Hysteresis is -0.1; use at least 0 and less than 1"},
		{lod.Config{Hysteresis: nan}, "lod: Config.Hysteresis is NaN; use at least 0 and less than 1"},
		{lod.Config{Budget: -1}, "lod: Config.Budget is -1; use a positive number of decisions, or 0 for no limit"},
		{lod.Config{Every: -6}, "lod: Config.Every is -6; use 1 to 65535 frames, or 0 for 6"},
	} {
		assert.EqualError(t, test.config.Validate(), test.want)
		c, err := lod.NewCadence(test.config, 60)
		assert.EqualError(t, err, test.want)
		assert.Nil(t, c)
	}
	lane := tiers(func(s []lod.Tier) { s[2].Cap = new(9) })
	lane.SlowLane = 0.5
	for _, good := range []lod.Config{{}, lod.DefaultConfig(), lane, {Off: true}} {
		assert.NoError(t, good.Validate())
	}
}

func TestAHysteresisAppliesToTheDefaultTiersToo(t *testing.T) {
	for hysteresis, want := range map[float32]uint8{0: 1, 0.1: 1, 0.5: 0} {
		c := newCadence(t, lod.Config{Hysteresis: hysteresis, Every: 1}, 60)
		var h herd
		h.add(1, components.NewLOD(), components.Vec2{X: 35})
		c.Frame(1, 1000, h.chunks(1), origin)
		h.transforms[0].Position.X = 50 // beyond 40 metres and a tenth, within 40 and a half
		c.Frame(2, 2000, h.chunks(1), origin)
		assert.Equal(t, want, h.lods[0].Tier, "hysteresis %v", hysteresis)
	}
}
