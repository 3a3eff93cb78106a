package guardtree

import (
	tree "github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// Readings are the functions by which a guard's nodes read their facts.
type Readings struct {
	BadlyHurt, TargetKnown, Visible, Noisy, InReach, Closed, Safe, AtPost func(*tree.Blackboard) bool

	Target, TargetPlace, LastKnown, Noise, Post func(*tree.Blackboard, *components.Order)

	Strike, Shout func(*tree.Blackboard) components.Trigger
}

// StructReadings returns readings of the fields of a blackboard.
func StructReadings(actions *Handles) *Readings {
	strike, shout := actions.Strike, actions.Shout
	return &Readings{
		BadlyHurt:   func(bb *tree.Blackboard) bool { return bb.Health < scenario.GuardFleeHealth },
		TargetKnown: func(bb *tree.Blackboard) bool { return !bb.Target.IsZero() },
		Visible:     func(bb *tree.Blackboard) bool { return bb.Visible },
		Noisy:       func(bb *tree.Blackboard) bool { return bb.NoiseAge < NoiseMemory },
		InReach:     func(bb *tree.Blackboard) bool { return bb.Distance <= scenario.GuardReach },
		Closed:      func(bb *tree.Blackboard) bool { return bb.Distance <= scenario.GuardCloseDistance },
		Safe:        func(bb *tree.Blackboard) bool { return bb.Distance >= scenario.GuardSafeDistance },
		AtPost:      func(bb *tree.Blackboard) bool { return bb.PostDistance <= scenario.GuardRouteTolerance },

		Target: func(bb *tree.Blackboard, o *components.Order) { o.Target = bb.Target },
		TargetPlace: func(bb *tree.Blackboard, o *components.Order) {
			o.Target, o.Point = bb.Target, bb.LastKnown
		},
		LastKnown: func(bb *tree.Blackboard, o *components.Order) { o.Point = bb.LastKnown },
		Noise:     func(bb *tree.Blackboard, o *components.Order) { o.Point = bb.Noise },
		Post:      func(bb *tree.Blackboard, o *components.Order) { o.Point = bb.Post },

		Strike: func(bb *tree.Blackboard) components.Trigger {
			return components.Trigger{Action: strike, Target: bb.Target}
		},
		Shout: func(bb *tree.Blackboard) components.Trigger {
			return components.Trigger{Action: shout, Number: scenario.GuardCallRadius}
		},
	}
}

// DictionaryReadings returns readings of the dictionary of a blackboard.
func DictionaryReadings(actions *Handles) *Readings {
	strike, shout := actions.Strike, actions.Shout
	return &Readings{
		BadlyHurt: func(bb *tree.Blackboard) bool {
			return tree.Value[int32](bb, "health") < scenario.GuardFleeHealth
		},
		TargetKnown: func(bb *tree.Blackboard) bool { return tree.HasValue(bb, "target") },
		Visible:     func(bb *tree.Blackboard) bool { return tree.Value[bool](bb, "target visible") },
		Noisy: func(bb *tree.Blackboard) bool {
			return tree.HasValue(bb, "noise age") &&
				tree.Value[components.Timestamp](bb, "noise age") < NoiseMemory
		},
		InReach: func(bb *tree.Blackboard) bool {
			return tree.Value[float32](bb, "target distance") <= scenario.GuardReach
		},
		Closed: func(bb *tree.Blackboard) bool {
			return tree.Value[float32](bb, "target distance") <= scenario.GuardCloseDistance
		},
		Safe: func(bb *tree.Blackboard) bool {
			return tree.Value[float32](bb, "target distance") >= scenario.GuardSafeDistance
		},
		AtPost: func(bb *tree.Blackboard) bool {
			return tree.Value[float32](bb, "post distance") <= scenario.GuardRouteTolerance
		},

		Target: func(bb *tree.Blackboard, o *components.Order) {
			o.Target = tree.Value[components.Entity](bb, "target")
		},
		TargetPlace: func(bb *tree.Blackboard, o *components.Order) {
			o.Target = tree.Value[components.Entity](bb, "target")
			o.Point = tree.Value[components.Vec2](bb, "last known")
		},
		LastKnown: func(bb *tree.Blackboard, o *components.Order) {
			o.Point = tree.Value[components.Vec2](bb, "last known")
		},
		Noise: func(bb *tree.Blackboard, o *components.Order) {
			o.Point = tree.Value[components.Vec2](bb, "noise")
		},
		Post: func(bb *tree.Blackboard, o *components.Order) {
			o.Point = tree.Value[components.Vec2](bb, "post")
		},

		Strike: func(bb *tree.Blackboard) components.Trigger {
			return components.Trigger{Action: strike, Target: tree.Value[components.Entity](bb, "target")}
		},
		Shout: func(bb *tree.Blackboard) components.Trigger {
			return components.Trigger{Action: shout, Number: scenario.GuardCallRadius}
		},
	}
}

// NewNodes builds the node objects of one guard's tree.
func NewNodes(r *Readings, a *Handles) tree.Node {
	call := func() tree.Node {
		return tree.ForceSuccess(tree.Cooldown(scenario.GuardCallSeconds, tree.Fire(r.Shout)))
	}
	return tree.ReactiveSelector(
		tree.Guard(r.BadlyHurt, tree.Timeout(10, tree.Sequence(
			call(),
			tree.Guard(r.TargetKnown, tree.Do(a.Flee, scenario.GuardRunFactor, r.Target, r.Safe)),
			tree.WaitBetween(2, 4, BreathNode),
		))),
		tree.Guard(r.Visible, tree.Sequence(
			call(),
			tree.Selector(
				tree.Check(r.InReach),
				tree.Do(a.Seek, scenario.GuardRunFactor, r.TargetPlace, r.Closed),
			),
			tree.Selector(
				tree.Cooldown(scenario.GuardStrikeSeconds, tree.Fire(r.Strike)),
				tree.Wait(0.1),
			),
		)),
		tree.Guard(r.TargetKnown, tree.Sequence(
			tree.Do(a.Seek, scenario.GuardRunFactor, r.LastKnown, nil),
			tree.Repeat(3, tree.Sequence(
				tree.ForceSuccess(tree.Timeout(2, tree.Do(a.Wander, 0, nil, nil))),
				tree.Wait(0.5),
			)),
		)),
		tree.Guard(r.Noisy, tree.Sequence(
			tree.Do(a.Seek, 0, r.Noise, nil),
			tree.Wait(1.5),
		)),
		tree.Sequence(
			tree.Selector(
				tree.Check(r.AtPost),
				tree.Do(a.Seek, 0, r.Post, nil),
			),
			tree.Do(a.Patrol, 0, nil, nil),
			tree.WaitBetween(0.5, 1.5, PauseNode),
		),
	)
}
