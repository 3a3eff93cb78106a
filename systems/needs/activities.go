package needs

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/setting"
)

// agent is the components of an agent with needs while its time passes.
type agent struct {
	entity     components.Entity
	needs      *components.Needs
	engagement *components.Engagement
	order      *components.Order // of the act channel
	walking    bool
}

// activity returns the activity that an order asks for; Idle when the order has ended or is another action.
func (s *System) activity(o *components.Order) components.Activity {
	if o.Outcome != components.Pending {
		return components.Idle
	}
	switch o.Action {
	case s.actions.Eat:
		return components.Eating
	case s.actions.Sleep:
		if o.Target.IsZero() {
			return components.Camping
		}
		return components.Sleeping
	case s.actions.Socialise:
		return components.Socialising
	case s.actions.Work:
		return components.Working
	case s.actions.Rest:
		return components.Resting
	}
	return components.Idle
}

// advanceSpan applies the frame's time to the agents of a task. It writes to these agents only; places are claimed.
func (s *System) advanceSpan(worker, task int) {
	span := s.spans[task]
	chunk := &s.chunks[span.Chunk]
	entities := chunk.Entities()
	engagements := ecs.Column[components.Engagement](chunk, needsEngagement)
	intents := ecs.Column[components.Intent](chunk, needsIntent)
	paused := chunk.Has(needsPaused)
	w := &s.perWorker[worker]
	for i := span.Start; i < span.End; i++ {
		e, a, order := entities[i], &engagements[i], &intents[i].Orders[components.Act]
		if a.Activity >= components.Activities { // a component may hold any byte
			*a = components.Engagement{}
		}
		wanted := s.activity(order)
		// In most frames nothing changes for most agents, and their time is applied in a later frame.
		continues := (wanted == components.Idle) == (a.Activity == components.Idle) &&
			(wanted == components.Idle || a.Serial == order.Serial && (a.Place.IsZero() || s.serves(a)))
		if !paused && (!continues || s.due(e)) {
			s.advanceAgent(worker, span.Chunk, i, wanted, continues)
		}
		if !a.Place.IsZero() {
			if use := w.places.At(a.Place); use != nil {
				use.agents++
			}
		}
		if activity := s.activities.At(e); activity != nil {
			*activity = 1 + uint8(a.Activity)
		}
	}
}

// advanceAgent applies the time that has passed to one agent, and then starts, continues or ends its activity.
// continues tells whether the agent keeps its activity, idleness included.
func (s *System) advanceAgent(worker, index, row int, wanted components.Activity, continues bool) {
	chunk, w := &s.chunks[index], &s.perWorker[worker]
	engagement := &ecs.Column[components.Engagement](chunk, needsEngagement)[row]
	intent := &ecs.Column[components.Intent](chunk, needsIntent)[row]
	a := agent{
		entity:     chunk.Entities()[row],
		needs:      &ecs.Column[components.Needs](chunk, needsNeeds)[row],
		engagement: engagement,
		order:      &intent.Orders[components.Act],
	}
	a.walking = engagement.Activity == components.Idle && s.walks(&intent.Orders[components.Move])
	outcome := s.passTime(w, &a)
	switch {
	case continues:
		if outcome != components.Pending && wanted != components.Idle {
			s.endActivity(worker, &a, outcome)
		}
	case wanted == components.Idle:
		*engagement = components.Engagement{Serial: a.order.Serial}
	case engagement.Activity == components.Idle || engagement.Serial != a.order.Serial:
		*engagement = components.Engagement{Serial: a.order.Serial}
		switch {
		case s.kinds[wanted] != 0:
			w.claims = append(w.claims,
				placeClaim{entity: a.entity, chunk: int32(index), row: int32(row), activity: wanted})
		case wanted == components.Socialising && a.needs.Friends == 0:
			a.order.Outcome = components.Failed
		default:
			s.startActivity(w, &a, wanted)
		}
	default: // its place no longer serves the activity
		s.endActivity(worker, &a, components.Failed)
	}
}

// walks reports whether a move order takes its agent somewhere.
func (s *System) walks(o *components.Order) bool {
	return o.Action != 0 && o.Action != s.actions.Stand && o.Outcome == components.Pending
}

// startActivity starts an activity.
func (s *System) startActivity(w *worker, a *agent, activity components.Activity) {
	a.engagement.Activity = activity
	if left := a.order.Numbers[0]; left > 0 && elementary.IsFinite(left) {
		a.engagement.Remaining = max(setting.Seconds(left), 1)
	}
	if activity == components.Eating && (a.engagement.Remaining == 0 || a.engagement.Remaining > s.rates.meal) {
		a.engagement.Remaining = s.rates.meal
	}
	w.stats.Begun[activity]++
}

// endActivity ends the activity of an agent and wakes it.
func (s *System) endActivity(worker int, a *agent, outcome components.Outcome) {
	a.order.Outcome = outcome
	*a.engagement = components.Engagement{Serial: a.order.Serial}
	s.events.Wake(worker, a.entity)
}
