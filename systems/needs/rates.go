package needs

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/setting"
)

// Rates say how fast needs change. The unit is a full need, which is 1, per hour, unless another is given. In a custom
// value a zero field means 0; begin with [DefaultRates].
type Rates struct {
	Hunger      float32 // growth of hunger
	SleepHunger float32 // growth of hunger in sleep
	Fatigue     float32 // growth of fatigue awake
	WorkFatigue float32 // growth of fatigue at work
	Loneliness  float32 // growth of loneliness awake and without company

	Sleep     float32 // relief of fatigue in a bed
	Camp      float32 // relief of fatigue in sleep without a bed
	Rest      float32 // relief of fatigue at rest
	Company   float32 // relief of loneliness while socialising
	Overheard float32 // relief of loneliness near others that socialise

	Meal     float32       // hunger that a meal satisfies, 0 or more
	MealTime time.Duration // that a meal takes, above 0
	Harvest  float32       // meals per hour of work; 0: work brings none

	Plenty      int32         // meals in a store at which Needs.Food is 1, 1 or more
	Friends     int32         // other agents near and awake at which Needs.Friends is 1, 1 or more
	StarveAfter time.Duration // of full hunger until an agent has starved, 0 or more
}

// DefaultRates returns rates by which three or four meals and eight hours of sleep make a day.
func DefaultRates() Rates {
	return Rates{
		Hunger: 0.085, SleepHunger: 0.035, Fatigue: 0.04, WorkFatigue: 0.05, Loneliness: 0.1,
		Sleep: 0.09, Camp: 0.07, Rest: 0.01, Company: 0.5, Overheard: 0.05,
		Meal: 0.5, MealTime: 24 * time.Minute, Harvest: 0.7,
		Plenty: 6, Friends: 3, StarveAfter: 6 * time.Hour,
	}
}

// require panics, naming the field, unless all rates are in range.
func (r *Rates) require(name string) {
	for _, f := range []struct {
		name  string
		value float32
	}{
		{"Hunger", r.Hunger}, {"SleepHunger", r.SleepHunger}, {"Fatigue", r.Fatigue}, {"WorkFatigue", r.WorkFatigue},
		{"Loneliness", r.Loneliness}, {"Sleep", r.Sleep}, {"Camp", r.Camp}, {"Rest", r.Rest}, {"Company", r.Company},
		{"Overheard", r.Overheard}, {"Meal", r.Meal}, {"Harvest", r.Harvest},
	} {
		setting.RequireNonNegative(name, "Rates."+f.name, f.value)
	}
	if r.MealTime <= 0 {
		panic(fmt.Sprintf("%s: Rates.MealTime is %v; use a time above 0", name, r.MealTime))
	}
	if r.StarveAfter < 0 {
		panic(fmt.Sprintf("%s: Rates.StarveAfter is %v; it must not be negative", name, r.StarveAfter))
	}
	for _, f := range []struct {
		name  string
		value int32
	}{{"Plenty", r.Plenty}, {"Friends", r.Friends}} {
		if f.value < 1 {
			panic(fmt.Sprintf("%s: Rates.%s is %d; use 1 or more", name, f.name, f.value))
		}
	}
}

const secondsPerHour = 3600

// flow is how fast an activity changes the needs, per second.
type flow struct{ hunger, fatigue, loneliness float32 }

// flows returns the change of the needs by each activity.
func (r *Rates) flows() (f [components.Activities]flow) {
	awake := flow{hunger: r.Hunger, fatigue: r.Fatigue, loneliness: r.Loneliness}
	for i := range f {
		f[i] = awake
	}
	f[components.Eating].hunger = -r.Meal / float32(r.MealTime.Hours())
	f[components.Sleeping] = flow{hunger: r.SleepHunger, fatigue: -r.Sleep}
	f[components.Camping] = flow{hunger: r.SleepHunger, fatigue: -r.Camp}
	f[components.Socialising].loneliness = -r.Company
	f[components.Working].fatigue = r.WorkFatigue
	f[components.Resting].fatigue = -r.Rest
	for i := range f {
		f[i] = flow{
			hunger:     f[i].hunger / secondsPerHour,
			fatigue:    f[i].fatigue / secondsPerHour,
			loneliness: f[i].loneliness / secondsPerHour,
		}
	}
	return f
}

// usedRates are the other rates, converted to the units of the computation.
type usedRates struct {
	overheard float32              // relief of loneliness per second
	meal      components.Timestamp // nanoseconds that a meal takes
	starve    float32              // seconds
	harvest   components.Timestamp // nanoseconds of work for a meal; 0: work brings none
	plenty    float32              // meals
	friends   float32              // agents
}

// used returns the rates in the units in which they are used.
func (r *Rates) used() usedRates {
	u := usedRates{
		overheard: r.Overheard / secondsPerHour,
		meal:      components.Timestamp(r.MealTime),
		starve:    setting.InSeconds(components.Timestamp(r.StarveAfter)),
		plenty:    float32(r.Plenty),
		friends:   float32(r.Friends),
	}
	if r.Harvest > 0 {
		u.harvest = max(setting.Seconds(secondsPerHour/r.Harvest), 1)
	}
	return u
}
