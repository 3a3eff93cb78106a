package benchmarks

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim"
)

// readings are the ways in which a guard's nodes get at their facts.
type readings struct {
	badlyHurt, targetKnown, visible, noisy, inReach, closed, safe, atPost func(*pointerBoard) bool

	target, targetPlace, lastKnown, noise, post func(*pointerBoard, *components.Order)

	strike, shout func(*pointerBoard) components.Trigger
}

// fieldReadings read the blackboard's fields.
func fieldReadings(actions *actionSet) *readings {
	strike, shout := actions.strike, actions.shout
	return &readings{
		badlyHurt:   func(bb *pointerBoard) bool { return bb.health < sim.GuardFleesBelow },
		targetKnown: func(bb *pointerBoard) bool { return !bb.target.IsZero() },
		visible:     func(bb *pointerBoard) bool { return bb.visible },
		noisy:       func(bb *pointerBoard) bool { return bb.noiseAge < heedsNoise },
		inReach:     func(bb *pointerBoard) bool { return bb.distance <= sim.GuardReach },
		closed:      func(bb *pointerBoard) bool { return bb.distance <= sim.GuardClosesTo },
		safe:        func(bb *pointerBoard) bool { return bb.distance >= sim.GuardSafeDistance },
		atPost:      func(bb *pointerBoard) bool { return bb.postDistance <= sim.GuardStrays },

		target: func(bb *pointerBoard, o *components.Order) { o.Target = bb.target },
		targetPlace: func(bb *pointerBoard, o *components.Order) {
			o.Target, o.Point = bb.target, bb.lastKnown
		},
		lastKnown: func(bb *pointerBoard, o *components.Order) { o.Point = bb.lastKnown },
		noise:     func(bb *pointerBoard, o *components.Order) { o.Point = bb.noise },
		post:      func(bb *pointerBoard, o *components.Order) { o.Point = bb.post },

		strike: func(bb *pointerBoard) components.Trigger {
			return components.Trigger{Action: strike, Target: bb.target}
		},
		shout: func(bb *pointerBoard) components.Trigger {
			return components.Trigger{Action: shout, Number: sim.GuardCallCarries}
		},
	}
}

// dictionaryReadings read the blackboard's dictionary.
func dictionaryReadings(actions *actionSet) *readings {
	strike, shout := actions.strike, actions.shout
	return &readings{
		badlyHurt:   func(bb *pointerBoard) bool { return get[int32](bb, "health") < sim.GuardFleesBelow },
		targetKnown: func(bb *pointerBoard) bool { return has(bb, "target") },
		visible:     func(bb *pointerBoard) bool { return get[bool](bb, "target visible") },
		noisy: func(bb *pointerBoard) bool {
			return has(bb, "noise age") && get[components.Timestamp](bb, "noise age") < heedsNoise
		},
		inReach: func(bb *pointerBoard) bool { return get[float32](bb, "target distance") <= sim.GuardReach },
		closed:  func(bb *pointerBoard) bool { return get[float32](bb, "target distance") <= sim.GuardClosesTo },
		safe:    func(bb *pointerBoard) bool { return get[float32](bb, "target distance") >= sim.GuardSafeDistance },
		atPost:  func(bb *pointerBoard) bool { return get[float32](bb, "post distance") <= sim.GuardStrays },

		target: func(bb *pointerBoard, o *components.Order) { o.Target = get[components.Entity](bb, "target") },
		targetPlace: func(bb *pointerBoard, o *components.Order) {
			o.Target, o.Point = get[components.Entity](bb, "target"), get[components.Vec2](bb, "last known")
		},
		lastKnown: func(bb *pointerBoard, o *components.Order) { o.Point = get[components.Vec2](bb, "last known") },
		noise:     func(bb *pointerBoard, o *components.Order) { o.Point = get[components.Vec2](bb, "noise") },
		post:      func(bb *pointerBoard, o *components.Order) { o.Point = get[components.Vec2](bb, "post") },

		strike: func(bb *pointerBoard) components.Trigger {
			return components.Trigger{Action: strike, Target: get[components.Entity](bb, "target")}
		},
		shout: func(bb *pointerBoard) components.Trigger {
			return components.Trigger{Action: shout, Number: sim.GuardCallCarries}
		},
	}
}

// newGuardNodes builds one guard's tree of node objects.
func newGuardNodes(r *readings, a *actionSet) node {
	call := func() node {
		return newForceSuccess(newCooldown(sim.GuardCallSeconds, newFire(r.shout)))
	}
	return newReactiveSelector(
		newGuard(r.badlyHurt, newTimeout(10, newSequence(
			call(),
			newGuard(r.targetKnown, newDo(a.flee, sim.GuardRuns, r.target, r.safe)),
			newWaitBetween(2, 4, breathNode),
		))),
		newGuard(r.visible, newSequence(
			call(),
			newSelector(
				newCheck(r.inReach),
				newDo(a.seek, sim.GuardRuns, r.targetPlace, r.closed),
			),
			newSelector(
				newCooldown(sim.GuardStrikeSeconds, newFire(r.strike)),
				newWait(0.1),
			),
		)),
		newGuard(r.targetKnown, newSequence(
			newDo(a.seek, sim.GuardRuns, r.lastKnown, nil),
			newRepeat(3, newSequence(
				newForceSuccess(newTimeout(2, newDo(a.wander, 0, nil, nil))),
				newWait(0.5),
			)),
		)),
		newGuard(r.noisy, newSequence(
			newDo(a.seek, 0, r.noise, nil),
			newWait(1.5),
		)),
		newSequence(
			newSelector(
				newCheck(r.atPost),
				newDo(a.seek, 0, r.post, nil),
			),
			newDo(a.patrol, 0, nil, nil),
			newWaitBetween(0.5, 1.5, pauseNode),
		),
	)
}

// behaviorTree is one guard's nodes and blackboard.
type behaviorTree struct {
	root node
	bb   pointerBoard
}
