package needs

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/setting"
)

// phaseCount is the number of instants of a second at which needs change. Each agent has one of them.
const phaseCount = 64

// due reports whether an agent's needs change in this frame. They change once in a second, at an instant that depends
// on the entity index.
func (s *System) due(e components.Entity) bool {
	return s.duePhases>>(e.Index%phaseCount)&1 != 0
}

// phasesBetween returns the phases, as a bit mask, whose instant lies between two clock readings.
func phasesBetween(now, before components.Timestamp) (phases uint64) {
	for i := range phaseCount {
		phase := components.Timestamp(i) * (second / phaseCount)
		if (now+phase)/second != (before+phase)/second {
			phases |= 1 << i
		}
	}
	return phases
}

// passTime applies the time since an agent's last update, and returns the outcome of its activity.
func (s *System) passTime(w *worker, a *agent) components.Outcome {
	n, engagement := a.needs, a.engagement
	if n.UpdatedAt == 0 {
		n.UpdatedAt = s.clock.Now
		return components.Pending
	}
	step := s.clock.Now - n.UpdatedAt
	if step <= 0 {
		return components.Pending
	}
	n.UpdatedAt = s.clock.Now
	active, outcome, satisfied := s.activeTime(a, step)
	w.stats.Time[engagement.Activity] += active
	if a.walking {
		w.stats.Walking += active
	}
	if engagement.Activity == components.Working && !engagement.Place.IsZero() {
		if use := w.places.At(engagement.Place); use != nil {
			use.worked += active
		}
	}
	s.apply(w, n, engagement.Activity, active)
	if satisfied.need != nil {
		*satisfied.need = satisfied.level // exactly, for any length of the steps
	}
	if rest := step - active; rest > 0 {
		w.stats.Time[components.Idle] += rest
		s.apply(w, n, components.Idle, rest)
	}
	if engagement.Remaining > 0 {
		engagement.Remaining -= active
	}
	return outcome
}

// apply changes an agent's needs by a time of one activity.
func (s *System) apply(w *worker, n *components.Needs, activity components.Activity, time components.Timestamp) {
	dt := setting.InSeconds(time)
	f := &s.flows[activity]
	loneliness := f.loneliness
	if n.SocialisingNearby && activity != components.Socialising && !activity.Asleep() {
		loneliness = -s.rates.overheard
	}
	full := dt // seconds of full hunger
	if f.hunger > 0 {
		full = max(dt-(1-n.Hunger)/f.hunger, 0)
	}
	n.Hunger = clampNeed(n.Hunger + float32(f.hunger*dt))
	n.Fatigue = clampNeed(n.Fatigue + float32(f.fatigue*dt))
	n.Loneliness = clampNeed(n.Loneliness + float32(loneliness*dt))
	if n.Hunger < 1 {
		n.Starving = 0
		return
	}
	before := n.Starving
	n.Starving += full
	if before < s.rates.starve && n.Starving >= s.rates.starve {
		w.stats.Starved++
	}
}

// Levels at which a need counts as satisfied, where an order's number 1 is 0.
const (
	defaultRested  = 0.05 // fatigue
	defaultContent = 0.1  // loneliness
)

// satisfiedNeed is a need that an activity has brought down to the level that its order asks for.
type satisfiedNeed struct {
	need  *float32
	level float32
}

// activeTime returns how much of a step an activity lasts, its outcome, and the need whose satisfaction ends it, if
// any.
func (s *System) activeTime(
	a *agent, step components.Timestamp,
) (components.Timestamp, components.Outcome, satisfiedNeed) {
	n, engagement, f := a.needs, a.engagement, &s.flows[a.engagement.Activity]
	level := a.order.Numbers[1]
	var goal satisfiedNeed
	var rate float32 // at which the need falls
	switch engagement.Activity {
	case components.Eating:
		goal, rate = satisfiedNeed{&n.Hunger, 0}, -f.hunger
	case components.Sleeping, components.Camping:
		goal, rate = satisfiedNeed{&n.Fatigue, numberOr(level, defaultRested)}, -f.fatigue
	case components.Socialising:
		goal, rate = satisfiedNeed{&n.Loneliness, numberOr(level, defaultContent)}, -f.loneliness
	}
	active, outcome := step, components.Pending
	if engagement.Remaining > 0 && engagement.Remaining <= step {
		active, outcome = engagement.Remaining, components.Succeeded
	}
	switch {
	case goal.need == nil || goal.level < 0: // no need ends it
	case engagement.Serial != a.order.Serial: // the order that gave the level is gone
	case *goal.need <= goal.level: // satisfied before the step
		return 0, components.Succeeded, satisfiedNeed{}
	case rate > 0:
		if needed := setting.Seconds((*goal.need - goal.level) / rate); needed <= active {
			return needed, components.Succeeded, goal
		}
	}
	if engagement.Activity == components.Socialising && n.Friends == 0 {
		outcome = components.Failed
	}
	return active, outcome, satisfiedNeed{}
}

// numberOr returns x, or a default where x is 0 or not finite.
func numberOr(x, fallback float32) float32 {
	if x == 0 || !elementary.IsFinite(x) {
		return fallback
	}
	return x
}

// clampNeed limits a need to 0…1. NaN becomes 1, so that it is noticed.
func clampNeed(x float32) float32 {
	if !(x <= 1) {
		return 1
	}
	return max(x, 0)
}
