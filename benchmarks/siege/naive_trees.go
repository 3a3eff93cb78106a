package siege

import (
	"github.com/flockwork-ai/flockwork/benchmarks/internal/curves"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
	"github.com/flockwork-ai/flockwork/systems/action"
)

// The villager and the soldier of package scenario as trees of node objects, with the same numbers. The guard is in
// package guardtree.

// townReadings are the functions by which the nodes of villagers and soldiers read their facts.
type townReadings struct {
	hunger, food, fatigue, night, loneliness, friends, day, ammo func(*pointertree.Blackboard) float32

	friend, bed, store, work, square func(*pointertree.Blackboard, *components.Order)

	inRange    func(*pointertree.Blackboard) bool
	candidates func(*pointertree.Blackboard) *components.Candidates
}

var structTown = townReadings{
	hunger:     func(bb *pointertree.Blackboard) float32 { return bb.Needs.Hunger },
	food:       func(bb *pointertree.Blackboard) float32 { return bb.Needs.Food },
	fatigue:    func(bb *pointertree.Blackboard) float32 { return bb.Needs.Fatigue },
	night:      func(bb *pointertree.Blackboard) float32 { return 1 - bb.Needs.Day },
	loneliness: func(bb *pointertree.Blackboard) float32 { return bb.Needs.Loneliness },
	friends:    func(bb *pointertree.Blackboard) float32 { return bb.Needs.Friends },
	day:        func(bb *pointertree.Blackboard) float32 { return bb.Needs.Day },
	ammo:       func(bb *pointertree.Blackboard) float32 { return bb.Ammo },

	friend: func(bb *pointertree.Blackboard, o *components.Order) { o.Target = bb.Needs.Companion },
	bed:    func(bb *pointertree.Blackboard, o *components.Order) { o.Target = bb.Home.Bed },
	store:  func(bb *pointertree.Blackboard, o *components.Order) { o.Target = bb.Home.Store },
	work:   func(bb *pointertree.Blackboard, o *components.Order) { o.Target = bb.Home.Work },
	square: func(bb *pointertree.Blackboard, o *components.Order) { o.Target = bb.Home.Square },

	inRange:    func(bb *pointertree.Blackboard) bool { return bb.Distance <= scenario.SoldierEngageDistance },
	candidates: func(bb *pointertree.Blackboard) *components.Candidates { return bb.Candidates },
}

var dictionaryTown = townReadings{
	hunger:     func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "hunger") },
	food:       func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "food") },
	fatigue:    func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "fatigue") },
	night:      func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "night") },
	loneliness: func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "loneliness") },
	friends:    func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "friends near") },
	day:        func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "day") },
	ammo:       func(bb *pointertree.Blackboard) float32 { return pointertree.Value[float32](bb, "ammo share") },

	friend: targetOf("friend"),
	bed:    targetOf("bed"),
	store:  targetOf("store"),
	work:   targetOf("workplace"),
	square: targetOf("square"),

	inRange: func(bb *pointertree.Blackboard) bool {
		return pointertree.Value[float32](bb, "target distance") <= scenario.SoldierEngageDistance
	},
	candidates: func(bb *pointertree.Blackboard) *components.Candidates {
		return pointertree.Value[*components.Candidates](bb, "candidates")
	},
}

func targetOf(key string) func(*pointertree.Blackboard, *components.Order) {
	return func(bb *pointertree.Blackboard, o *components.Order) {
		o.Target = pointertree.Value[components.Entity](bb, key)
	}
}

// Actions of the villager's evaluator. The branches of its selector have the same order.
const (
	villagerEats = iota
	villagerSleeps
	villagerSocialises
	villagerWorks
	villagerNaps
	villagerIdles
)

func newVillagerEvaluator(r *townReadings) *pointertree.Evaluator {
	type considerations = []*pointertree.Consideration
	own := func(
		name string, fact func(*pointertree.Blackboard) float32, curve func(float32) float32,
	) *pointertree.Consideration {
		of := func(bb *pointertree.Blackboard, _ *components.Candidate) float32 { return fact(bb) }
		return &pointertree.Consideration{Name: name, Fact: of, Curve: curve}
	}
	return &pointertree.Evaluator{
		Actions: []pointertree.Action{
			villagerEats: {Name: "eat", Weight: scenario.VillagerEatWeight, Considerations: considerations{
				own("hunger", r.hunger, curves.Logistic(10, 0.5)), own("food", r.food, curves.Linear),
			}},
			villagerSleeps: {Name: "sleep", Weight: scenario.VillagerSleepWeight, Considerations: considerations{
				own("fatigue", r.fatigue, curves.Quadratic), own("night", r.night, curves.Smoothstep),
			}},
			villagerSocialises: {
				Name: "socialise", Weight: scenario.VillagerSocialiseWeight, Considerations: considerations{
					own("loneliness", r.loneliness, curves.Linear), own("friends near", r.friends, curves.Smoothstep),
				},
			},
			villagerWorks: {Name: "work", Weight: scenario.VillagerWorkWeight, Considerations: considerations{
				own("day", r.day, curves.Smoothstep),
				own("not too tired", r.fatigue, curves.Ranged(1, 0, curves.Linear)),
			}},
			villagerNaps: {Name: "nap", Weight: scenario.VillagerNapWeight, Considerations: considerations{
				own("fatigue", r.fatigue, curves.Logistic(20, 0.9)),
			}},
			villagerIdles: {Name: "idle", Weight: scenario.VillagerIdleWeight},
		},
		Inertia: scenario.VillagerInertia, Hold: true, Remember: true,
	}
}

// newVillagerNodes builds the node objects of one villager's tree.
func newVillagerNodes(
	r *townReadings, isNight func(*pointertree.Blackboard) bool, a *action.Handles, e *pointertree.Evaluator,
) pointertree.Node {
	walk := func(to func(*pointertree.Blackboard, *components.Order), enough float32) pointertree.Node {
		return pointertree.Order(components.Move, a.Seek, [2]float32{0, enough}, to)
	}
	rest := func(seconds float32) pointertree.Node {
		return pointertree.Order(components.Act, a.Rest, [2]float32{seconds}, nil)
	}
	sleep := func(enough float32) pointertree.Node {
		return pointertree.Selector(
			pointertree.Sequence(
				walk(r.bed, 1),
				pointertree.Order(components.Act, a.Sleep, [2]float32{0, enough}, r.bed),
			),
			pointertree.Order(components.Act, a.Sleep, [2]float32{0, enough}, nil),
		)
	}
	return pointertree.UtilitySelector(e,
		pointertree.Selector(
			pointertree.Sequence(walk(r.store, 1.5), pointertree.Order(components.Act, a.Eat, [2]float32{}, r.store)),
			rest(scenario.VillagerWaitSeconds),
		),
		sleep(0),
		pointertree.Sequence(
			pointertree.Timeout(30, walk(r.friend, 2)),
			pointertree.Order(components.Act, a.Socialise, [2]float32{scenario.VillagerTalkSeconds}, nil),
		),
		pointertree.Selector(
			pointertree.Sequence(
				walk(r.work, 1.5),
				pointertree.Order(components.Act, a.Work, [2]float32{scenario.VillagerShiftSeconds}, r.work),
			),
			rest(scenario.VillagerPauseSeconds),
		),
		sleep(0.5),
		pointertree.Sequence(
			pointertree.Selector(
				pointertree.Sequence(pointertree.Check(isNight), walk(r.bed, 1)),
				walk(r.square, 4),
				rest(scenario.VillagerWaitSeconds),
			),
			rest(scenario.VillagerPauseSeconds),
		),
	)
}

func newSoldierEvaluator(r *townReadings) *pointertree.Evaluator {
	free := &pointertree.Consideration{
		Name: "free", Gate: true, Curve: curves.Ranged(scenario.SoldierMaxAttackers, 0, curves.Linear),
		Fact: func(_ *pointertree.Blackboard, t *components.Candidate) float32 { return float32(t.Attackers) },
	}
	weak := &pointertree.Consideration{
		Name: "weak", Curve: curves.Ranged(200, 0, curves.Linear),
		Fact: func(_ *pointertree.Blackboard, t *components.Candidate) float32 { return float32(t.Health) },
	}
	distance := func(_ *pointertree.Blackboard, t *components.Candidate) float32 { return t.Distance }
	nearest := func(bb *pointertree.Blackboard, _ *components.Candidate) float32 {
		return r.candidates(bb).List[0].Distance
	}
	ammo := func(bb *pointertree.Blackboard, _ *components.Candidate) float32 { return r.ammo(bb) }
	return &pointertree.Evaluator{
		Actions: []pointertree.Action{
			{Name: "melee", Weight: 1, Targeted: true, Considerations: []*pointertree.Consideration{
				free, {Name: "close", Fact: distance, Curve: curves.Ranged(6, 1, curves.Smoothstep)}, weak,
			}},
			{Name: "ranged", Weight: 1, Targeted: true, Considerations: []*pointertree.Consideration{
				free,
				{Name: "far", Fact: nearest, Curve: curves.Ranged(2, 14, curves.Smoothstep)},
				{Name: "ammo", Fact: ammo, Curve: curves.Linear},
				{Name: "near", Fact: distance, Curve: curves.Ranged(18, 0, curves.Linear)},
				weak,
			}},
		},
		Inertia: scenario.SoldierInertia, Commitment: scenario.SoldierCommitTime.Microseconds(),
		Candidates: r.candidates,
	}
}

// newSoldierNodes builds the node objects of one soldier's tree.
func newSoldierNodes(
	r *townReadings, g *guardtree.Readings, a *action.Handles, e *pointertree.Evaluator,
) pointertree.Node {
	chosen := func(bb *pointertree.Blackboard, o *components.Order) { o.Target = bb.Chosen }
	run := [2]float32{scenario.SoldierRunFactor}
	approach := [2]float32{scenario.SoldierRunFactor, scenario.SoldierCloseDistance}
	melee := pointertree.Parallel(
		pointertree.Repeat(0, pointertree.Sequence(
			pointertree.Order(components.Move, a.Seek, approach, chosen),
			pointertree.Wait(0.2),
		)),
		pointertree.Order(components.Act, a.Melee, [2]float32{}, chosen),
	)
	volley := pointertree.Parallel(
		pointertree.Order(components.Move, a.Stand, [2]float32{}, chosen),
		pointertree.Order(components.Act, a.Shoot, [2]float32{}, chosen),
	)
	return pointertree.ReactiveSelector(
		pointertree.Guard(g.Visible, pointertree.Guard(r.inRange, pointertree.UtilitySelector(e, melee, volley))),
		pointertree.Guard(g.TargetKnown, pointertree.Order(components.Move, a.Seek, run, g.LastKnown)),
		pointertree.Order(components.Move, a.Patrol, [2]float32{scenario.SoldierRunFactor, -1}, nil),
	)
}
