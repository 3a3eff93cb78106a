package guardtree

import (
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// Readings are the ways in which a guard's nodes get at their facts.
type Readings struct {
	BadlyHurt, TargetKnown, Visible, Noisy, InReach, Closed, Safe, AtPost func(*pointertree.Blackboard) bool

	Target, TargetPlace, LastKnown, Noise, Post func(*pointertree.Blackboard, *components.Order)

	Strike, Shout func(*pointertree.Blackboard) components.Trigger
}

// FieldReadings read the blackboard's fields.
func FieldReadings(actions *Handles) *Readings {
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

// DictionaryReadings read the blackboard's dictionary.
func DictionaryReadings(actions *Handles) *Readings {
	strike, shout := actions.Strike, actions.Shout
	return &Readings{
		BadlyHurt: func(bb *pointertree.Blackboard) bool {
			return pointertree.Value[int32](bb, "health") < scenario.GuardFleeHealth
		},
		TargetKnown: func(bb *pointertree.Blackboard) bool { return pointertree.HasValue(bb, "target") },
		Visible:     func(bb *pointertree.Blackboard) bool { return pointertree.Value[bool](bb, "target visible") },
		Noisy: func(bb *pointertree.Blackboard) bool {
			return pointertree.HasValue(bb, "noise age") && pointertree.Value[components.Timestamp](bb, "noise age") < NoiseMemory
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
			o.Target, o.Point = pointertree.Value[components.Entity](bb, "target"), pointertree.Value[components.Vec2](bb, "last known")
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

// NewTree builds one guard's tree of node objects.
func NewTree(r *Readings, a *Handles) pointertree.Node {
	call := func() pointertree.Node {
		return pointertree.NewForceSuccess(pointertree.NewCooldown(scenario.GuardCallSeconds, pointertree.NewFire(r.Shout)))
	}
	return pointertree.NewReactiveSelector(
		pointertree.NewGuard(r.BadlyHurt, pointertree.NewTimeout(10, pointertree.NewSequence(
			call(),
			pointertree.NewGuard(r.TargetKnown, pointertree.NewDo(a.Flee, scenario.GuardRunFactor, r.Target, r.Safe)),
			pointertree.NewWaitBetween(2, 4, BreathNode),
		))),
		pointertree.NewGuard(r.Visible, pointertree.NewSequence(
			call(),
			pointertree.NewSelector(
				pointertree.NewCheck(r.InReach),
				pointertree.NewDo(a.Seek, scenario.GuardRunFactor, r.TargetPlace, r.Closed),
			),
			pointertree.NewSelector(
				pointertree.NewCooldown(scenario.GuardStrikeSeconds, pointertree.NewFire(r.Strike)),
				pointertree.NewWait(0.1),
			),
		)),
		pointertree.NewGuard(r.TargetKnown, pointertree.NewSequence(
			pointertree.NewDo(a.Seek, scenario.GuardRunFactor, r.LastKnown, nil),
			pointertree.NewRepeat(3, pointertree.NewSequence(
				pointertree.NewForceSuccess(pointertree.NewTimeout(2, pointertree.NewDo(a.Wander, 0, nil, nil))),
				pointertree.NewWait(0.5),
			)),
		)),
		pointertree.NewGuard(r.Noisy, pointertree.NewSequence(
			pointertree.NewDo(a.Seek, 0, r.Noise, nil),
			pointertree.NewWait(1.5),
		)),
		pointertree.NewSequence(
			pointertree.NewSelector(
				pointertree.NewCheck(r.AtPost),
				pointertree.NewDo(a.Seek, 0, r.Post, nil),
			),
			pointertree.NewDo(a.Patrol, 0, nil, nil),
			pointertree.NewWaitBetween(0.5, 1.5, PauseNode),
		),
	)
}

// Tree is one guard's nodes and blackboard.
type Tree struct {
	Root pointertree.Node
	Bb   pointertree.Blackboard
}
