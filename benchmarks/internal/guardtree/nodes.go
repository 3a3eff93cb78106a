package guardtree

import (
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// Readings are the functions by which a guard's nodes read their facts.
type Readings struct {
	BadlyHurt, TargetKnown, Visible, Noisy, InReach, Closed, Safe, AtPost func(*pointertree.Blackboard) bool

	Target, TargetPlace, LastKnown, Noise, Post func(*pointertree.Blackboard, *components.Order)

	Strike, Shout func(*pointertree.Blackboard) components.Trigger
}

// StructReadings returns readings of the fields of a blackboard.
func StructReadings(actions *Handles) *Readings {
	strike, shout := actions.Strike, actions.Shout
	return &Readings{
		BadlyHurt:   func(bb *pointertree.Blackboard) bool { return bb.Health < scenario.GuardFleeHealth },
		TargetKnown: func(bb *pointertree.Blackboard) bool { return !bb.Target.IsZero() },
		Visible:     func(bb *pointertree.Blackboard) bool { return bb.Visible },
		Noisy:       func(bb *pointertree.Blackboard) bool { return bb.NoiseAge < NoiseMemory },
		InReach:     func(bb *pointertree.Blackboard) bool { return bb.Distance <= scenario.GuardReach },
		Closed:      func(bb *pointertree.Blackboard) bool { return bb.Distance <= scenario.GuardCloseDistance },
		Safe:        func(bb *pointertree.Blackboard) bool { return bb.Distance >= scenario.GuardSafeDistance },
		AtPost:      func(bb *pointertree.Blackboard) bool { return bb.PostDistance <= scenario.GuardRouteTolerance },

		Target: func(bb *pointertree.Blackboard, o *components.Order) { o.Target = bb.Target },
		TargetPlace: func(bb *pointertree.Blackboard, o *components.Order) {
			o.Target, o.Point = bb.Target, bb.LastKnown
		},
		LastKnown: func(bb *pointertree.Blackboard, o *components.Order) { o.Point = bb.LastKnown },
		Noise:     func(bb *pointertree.Blackboard, o *components.Order) { o.Point = bb.Noise },
		Post:      func(bb *pointertree.Blackboard, o *components.Order) { o.Point = bb.Post },

		Strike: func(bb *pointertree.Blackboard) components.Trigger {
			return components.Trigger{Action: strike, Target: bb.Target}
		},
		Shout: func(bb *pointertree.Blackboard) components.Trigger {
			return components.Trigger{Action: shout, Number: scenario.GuardCallRadius}
		},
	}
}

// DictionaryReadings returns readings of the dictionary of a blackboard.
func DictionaryReadings(actions *Handles) *Readings {
	strike, shout := actions.Strike, actions.Shout
	return &Readings{
		BadlyHurt: func(bb *pointertree.Blackboard) bool {
			return pointertree.Value[int32](bb, "health") < scenario.GuardFleeHealth
		},
		TargetKnown: func(bb *pointertree.Blackboard) bool { return pointertree.HasValue(bb, "target") },
		Visible:     func(bb *pointertree.Blackboard) bool { return pointertree.Value[bool](bb, "target visible") },
		Noisy: func(bb *pointertree.Blackboard) bool {
			return pointertree.HasValue(bb, "noise age") &&
				pointertree.Value[components.Timestamp](bb, "noise age") < NoiseMemory
		},
		InReach: func(bb *pointertree.Blackboard) bool {
			return pointertree.Value[float32](bb, "target distance") <= scenario.GuardReach
		},
		Closed: func(bb *pointertree.Blackboard) bool {
			return pointertree.Value[float32](bb, "target distance") <= scenario.GuardCloseDistance
		},
		Safe: func(bb *pointertree.Blackboard) bool {
			return pointertree.Value[float32](bb, "target distance") >= scenario.GuardSafeDistance
		},
		AtPost: func(bb *pointertree.Blackboard) bool {
			return pointertree.Value[float32](bb, "post distance") <= scenario.GuardRouteTolerance
		},

		Target: func(bb *pointertree.Blackboard, o *components.Order) {
			o.Target = pointertree.Value[components.Entity](bb, "target")
		},
		TargetPlace: func(bb *pointertree.Blackboard, o *components.Order) {
			o.Target = pointertree.Value[components.Entity](bb, "target")
			o.Point = pointertree.Value[components.Vec2](bb, "last known")
		},
		LastKnown: func(bb *pointertree.Blackboard, o *components.Order) {
			o.Point = pointertree.Value[components.Vec2](bb, "last known")
		},
		Noise: func(bb *pointertree.Blackboard, o *components.Order) {
			o.Point = pointertree.Value[components.Vec2](bb, "noise")
		},
		Post: func(bb *pointertree.Blackboard, o *components.Order) {
			o.Point = pointertree.Value[components.Vec2](bb, "post")
		},

		Strike: func(bb *pointertree.Blackboard) components.Trigger {
			return components.Trigger{Action: strike, Target: pointertree.Value[components.Entity](bb, "target")}
		},
		Shout: func(bb *pointertree.Blackboard) components.Trigger {
			return components.Trigger{Action: shout, Number: scenario.GuardCallRadius}
		},
	}
}

// NewNodes builds the node objects of one guard's tree.
func NewNodes(r *Readings, a *Handles) pointertree.Node {
	call := func() pointertree.Node {
		return pointertree.ForceSuccess(
			pointertree.Cooldown(scenario.GuardCallInterval.Seconds(), pointertree.Fire(r.Shout)))
	}
	return pointertree.ReactiveSelector(
		pointertree.Guard(r.BadlyHurt, pointertree.Timeout(10, pointertree.Sequence(
			call(),
			pointertree.Guard(r.TargetKnown, pointertree.Do(a.Flee, scenario.GuardRunFactor, r.Target, r.Safe)),
			pointertree.WaitBetween(2, 4, BreathNode),
		))),
		pointertree.Guard(r.Visible, pointertree.Sequence(
			call(),
			pointertree.Selector(
				pointertree.Check(r.InReach),
				pointertree.Do(a.Seek, scenario.GuardRunFactor, r.TargetPlace, r.Closed),
			),
			pointertree.Selector(
				pointertree.Cooldown(scenario.GuardStrikeInterval.Seconds(), pointertree.Fire(r.Strike)),
				pointertree.Wait(0.1),
			),
		)),
		pointertree.Guard(r.TargetKnown, pointertree.Sequence(
			pointertree.Do(a.Seek, scenario.GuardRunFactor, r.LastKnown, nil),
			pointertree.Repeat(3, pointertree.Sequence(
				pointertree.ForceSuccess(pointertree.Timeout(2, pointertree.Do(a.Wander, 0, nil, nil))),
				pointertree.Wait(0.5),
			)),
		)),
		pointertree.Guard(r.Noisy, pointertree.Sequence(
			pointertree.Do(a.Seek, 0, r.Noise, nil),
			pointertree.Wait(1.5),
		)),
		pointertree.Sequence(
			pointertree.Selector(
				pointertree.Check(r.AtPost),
				pointertree.Do(a.Seek, 0, r.Post, nil),
			),
			pointertree.Do(a.Patrol, 0, nil, nil),
			pointertree.WaitBetween(0.5, 1.5, PauseNode),
		),
	)
}
