package systems

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
)

// NeedRates say how needs come and go. They are parts of a whole need, which is 1, in an hour, where no other unit is
// given.
type NeedRates struct {
	Hunger      float32 // that comes
	SleepHunger float32 // that comes instead in sleep
	Fatigue     float32 // that comes, awake
	WorkFatigue float32 // that comes instead at work
	Loneliness  float32 // that comes, awake and without company

	Sleep     float32 // fatigue that goes in a bed
	Camp      float32 // fatigue that goes in sleep without one
	Rest      float32 // fatigue that goes at rest
	Company   float32 // loneliness that goes while one socialises with somebody
	Overheard float32 // loneliness that goes near others who socialise

	Meal     float32 // hunger that a meal stills, a part of 1
	MealTime float32 // hours that it takes
	Harvest  float32 // meals that come of an hour's work

	Plenty      int32   // meals in a store that are all one could wish for
	Friends     int32   // others near and awake that are all one could wish for
	StarveAfter float32 // hours of full hunger after which one has starved
}

// DefaultNeedRates returns rates by which three or four meals and eight hours of sleep make a day.
func DefaultNeedRates() NeedRates {
	return NeedRates{
		Hunger: 0.085, SleepHunger: 0.035, Fatigue: 0.04, WorkFatigue: 0.05, Loneliness: 0.1,
		Sleep: 0.09, Camp: 0.07, Rest: 0.01, Company: 0.5, Overheard: 0.05,
		Meal: 0.5, MealTime: 0.4, Harvest: 0.7,
		Plenty: 6, Friends: 3, StarveAfter: 6,
	}
}

// require panics, naming the field, unless all rates are in range.
func (r *NeedRates) require(who string) {
	for _, f := range []struct {
		name  string
		value float32
	}{
		{"Hunger", r.Hunger}, {"SleepHunger", r.SleepHunger}, {"Fatigue", r.Fatigue}, {"WorkFatigue", r.WorkFatigue},
		{"Loneliness", r.Loneliness}, {"Sleep", r.Sleep}, {"Camp", r.Camp}, {"Rest", r.Rest}, {"Company", r.Company},
		{"Overheard", r.Overheard}, {"Meal", r.Meal}, {"MealTime", r.MealTime}, {"Harvest", r.Harvest},
		{"StarveAfter", r.StarveAfter},
	} {
		requireSetting(who, "Rates."+f.name, f.value)
	}
	if r.MealTime == 0 {
		panic(who + ": Rates.MealTime is 0; use a number of hours above 0")
	}
	for _, f := range []struct {
		name  string
		value int32
	}{{"Plenty", r.Plenty}, {"Friends", r.Friends}} {
		if f.value < 1 {
			panic(fmt.Sprintf("%s: Rates.%s is %d; use 1 or more", who, f.name, f.value))
		}
	}
}

const hour = 3600 // seconds

// flow is what an activity does to the needs, in a second.
type flow struct{ hunger, fatigue, loneliness float32 }

// flows returns what each activity does to the needs.
func (r *NeedRates) flows() (f [components.Activities]flow) {
	awake := flow{hunger: r.Hunger, fatigue: r.Fatigue, loneliness: r.Loneliness}
	for i := range f {
		f[i] = awake
	}
	f[components.Eating].hunger = -r.Meal / r.MealTime
	f[components.Sleeping] = flow{hunger: r.SleepHunger, fatigue: -r.Sleep}
	f[components.Camping] = flow{hunger: r.SleepHunger, fatigue: -r.Camp}
	f[components.Socialising].loneliness = -r.Company
	f[components.Working].fatigue = r.WorkFatigue
	f[components.Resting].fatigue = -r.Rest
	for i := range f {
		f[i] = flow{hunger: f[i].hunger / hour, fatigue: f[i].fatigue / hour, loneliness: f[i].loneliness / hour}
	}
	return f
}

// perSecond are the other rates, as they are used.
type perSecond struct {
	overheard float32              // loneliness that goes in a second
	meal      components.Timestamp // nanoseconds
	starve    float32              // seconds
	harvest   components.Timestamp // work that brings a meal; 0: none does
}

func (r *NeedRates) perSecond() perSecond {
	p := perSecond{overheard: r.Overheard / hour, meal: max(seconds(r.MealTime*hour), 1), starve: r.StarveAfter * hour}
	if r.Harvest > 0 {
		p.harvest = max(seconds(hour/r.Harvest), 1)
	}
	return p
}

// villager is somebody with needs, while time passes.
type villager struct {
	entity components.Entity
	needs  *components.Needs
	at     *components.Engagement
	order  *components.Order // of the act channel
	walks  bool
}

// What stands for a number 1 of 0.
const (
	rested   = 0.05 // fatigue that is none
	contents = 0.1  // loneliness that is none
)

// pass lets the time pass since it last did for an agent, and returns what has become of its activity.
func (s *Needs) pass(l *living, v *villager) components.Outcome {
	n, a := v.needs, v.at
	if n.UpdatedAt == 0 {
		n.UpdatedAt = s.clock.Now
		return components.Pending
	}
	step := s.clock.Now - n.UpdatedAt
	if step <= 0 {
		return components.Pending
	}
	n.UpdatedAt = s.clock.Now
	active, outcome, stilled := s.active(v, step)
	l.stats.Time[a.Activity] += active
	if v.walks {
		l.stats.Walking += active
	}
	if a.Activity == components.Working && !a.Place.IsZero() && int(a.Place.Index) < len(l.worked) {
		l.worked[a.Place.Index] += active
	}
	s.spend(l, n, a.Activity, active)
	if stilled.need != nil {
		*stilled.need = stilled.enough // to the bit, whatever the steps that led here
	}
	if rest := step - active; rest > 0 {
		l.stats.Time[components.Idle] += rest
		s.spend(l, n, components.Idle, rest)
	}
	if a.Remaining > 0 {
		a.Remaining -= active
	}
	return outcome
}

// spend lets an agent's needs come and go by a time of one activity.
func (s *Needs) spend(l *living, n *components.Needs, doing components.Activity, time components.Timestamp) {
	dt := inSeconds(time)
	f := &s.flows[doing]
	loneliness := f.loneliness
	if n.SocialisingNearby && doing != components.Socialising && !doing.Asleep() {
		loneliness = -s.rates.overheard
	}
	full := dt // seconds of full hunger
	if f.hunger > 0 {
		full = max(dt-(1-n.Hunger)/f.hunger, 0)
	}
	n.Hunger = share(n.Hunger + float32(f.hunger*dt))
	n.Fatigue = share(n.Fatigue + float32(f.fatigue*dt))
	n.Loneliness = share(n.Loneliness + float32(loneliness*dt))
	if n.Hunger < 1 {
		n.Starving = 0
		return
	}
	before := n.Starving
	n.Starving += full
	if before < s.rates.starve && n.Starving >= s.rates.starve {
		l.stats.Starved++
	}
}

// stilled is a need that an activity has brought to where it was to go.
type stilled struct {
	need   *float32
	enough float32
}

// active returns how much of a step an activity goes on, what becomes of it then, and the need that it has stilled if
// that is what ends it.
func (s *Needs) active(v *villager, step components.Timestamp) (components.Timestamp, components.Outcome, stilled) {
	n, a, f := v.needs, v.at, &s.flows[v.at.Activity]
	enough := v.order.Numbers[1]
	var goal stilled
	var rate float32 // at which the need goes
	switch a.Activity {
	case components.Eating:
		goal, rate = stilled{&n.Hunger, 0}, -f.hunger
	case components.Sleeping, components.Camping:
		goal, rate = stilled{&n.Fatigue, orElse(enough, rested)}, -f.fatigue
	case components.Socialising:
		goal, rate = stilled{&n.Loneliness, orElse(enough, contents)}, -f.loneliness
	}
	active, outcome := step, components.Pending
	if a.Remaining > 0 && a.Remaining <= step {
		active, outcome = a.Remaining, components.Succeeded
	}
	switch {
	case goal.need == nil || goal.enough < 0: // nothing that ends it
	case a.Serial != v.order.Serial: // what was enough went with its order
	case *goal.need <= goal.enough: // before it began
		return 0, components.Succeeded, stilled{}
	case rate > 0:
		if needed := seconds((*goal.need - goal.enough) / rate); needed <= active {
			return needed, components.Succeeded, goal
		}
	}
	if a.Activity == components.Socialising && n.Friends == 0 {
		outcome = components.Failed
	}
	return active, outcome, stilled{}
}

// orElse returns x, or what stands for it where it is zero or no number.
func orElse(x, other float32) float32 {
	if x == 0 || !isFinite(x) {
		return other
	}
	return x
}

// share limits a need to 0…1. What is no number is full need, so that it is seen.
func share(x float32) float32 {
	if !(x <= 1) {
		return 1
	}
	return max(x, 0)
}

// Sun says when it is day, by hours after midnight; they ascend. Between dawn and morning, and between evening and
// nightfall, day and night shade into each other.
type Sun struct {
	Dawn, Morning, Evening, Nightfall float32
}

// DefaultSun returns a day that dawns from 5 to 8 hours and fades from 19 to 23:30.
func DefaultSun() Sun { return Sun{Dawn: 5, Morning: 8, Evening: 19, Nightfall: 23.5} }

// require panics unless the hours ascend within a day.
func (s Sun) require(who string) {
	if !(s.Dawn >= 0 && s.Dawn < s.Morning && s.Morning <= s.Evening && s.Evening < s.Nightfall && s.Nightfall <= 24) {
		panic(fmt.Sprintf("%s: Sun is %+v; use hours that ascend from 0 to 24", who, s))
	}
}

// day returns how much day it is, from 0 to 1, on a clock that begins at an hour of the day.
func (s Sun) day(now components.Timestamp, start float32) float32 {
	const day = 24 * hour * second
	of := (now + seconds(start*hour)) % day
	h := float32(float64(of) / float64(hour*second))
	switch {
	case h < s.Dawn || h >= s.Nightfall:
		return 0
	case h < s.Morning:
		return (h - s.Dawn) / (s.Morning - s.Dawn)
	case h < s.Evening:
		return 1
	}
	return (s.Nightfall - h) / (s.Nightfall - s.Evening)
}
