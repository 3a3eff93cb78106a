package benchmarks

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
)

// The villager and the soldier of package sim as trees of node objects, with the same numbers.

// townReadings are the ways in which the nodes of villagers and soldiers get at their facts.
type townReadings struct {
	hunger, food, fatigue, night, loneliness, friends, day, ammo func(*pointerBoard) float32

	friend, bed, store, work, square func(*pointerBoard, *components.Order)

	inRange    func(*pointerBoard) bool
	candidates func(*pointerBoard) *components.Candidates
}

var fieldTown = townReadings{
	hunger:     func(bb *pointerBoard) float32 { return bb.needs.Hunger },
	food:       func(bb *pointerBoard) float32 { return bb.needs.Food },
	fatigue:    func(bb *pointerBoard) float32 { return bb.needs.Fatigue },
	night:      func(bb *pointerBoard) float32 { return 1 - bb.needs.Day },
	loneliness: func(bb *pointerBoard) float32 { return bb.needs.Loneliness },
	friends:    func(bb *pointerBoard) float32 { return bb.needs.Friends },
	day:        func(bb *pointerBoard) float32 { return bb.needs.Day },
	ammo:       func(bb *pointerBoard) float32 { return bb.ammo },

	friend: func(bb *pointerBoard, o *components.Order) { o.Target = bb.needs.Friend },
	bed:    func(bb *pointerBoard, o *components.Order) { o.Target = bb.home.Bed },
	store:  func(bb *pointerBoard, o *components.Order) { o.Target = bb.home.Store },
	work:   func(bb *pointerBoard, o *components.Order) { o.Target = bb.home.Work },
	square: func(bb *pointerBoard, o *components.Order) { o.Target = bb.home.Square },

	inRange:    func(bb *pointerBoard) bool { return bb.distance <= sim.SoldierEngages },
	candidates: func(bb *pointerBoard) *components.Candidates { return bb.candidates },
}

var dictionaryTown = townReadings{
	hunger:     func(bb *pointerBoard) float32 { return get[float32](bb, "hunger") },
	food:       func(bb *pointerBoard) float32 { return get[float32](bb, "food") },
	fatigue:    func(bb *pointerBoard) float32 { return get[float32](bb, "fatigue") },
	night:      func(bb *pointerBoard) float32 { return get[float32](bb, "night") },
	loneliness: func(bb *pointerBoard) float32 { return get[float32](bb, "loneliness") },
	friends:    func(bb *pointerBoard) float32 { return get[float32](bb, "friends near") },
	day:        func(bb *pointerBoard) float32 { return get[float32](bb, "day") },
	ammo:       func(bb *pointerBoard) float32 { return get[float32](bb, "ammo share") },

	friend: targetOf("friend"),
	bed:    targetOf("bed"),
	store:  targetOf("store"),
	work:   targetOf("workplace"),
	square: targetOf("square"),

	inRange:    func(bb *pointerBoard) bool { return get[float32](bb, "target distance") <= sim.SoldierEngages },
	candidates: func(bb *pointerBoard) *components.Candidates { return get[*components.Candidates](bb, "candidates") },
}

func targetOf(key string) func(*pointerBoard, *components.Order) {
	return func(bb *pointerBoard, o *components.Order) { o.Target = get[components.Entity](bb, key) }
}

// Options of the brains, which the branches of the selectors follow.
const (
	villagerEats = iota
	villagerSleeps
	villagerSocialises
	villagerWorks
	villagerNaps
	villagerIdles
)

func newVillagerBrain(r *townReadings) *brain {
	own := func(name string, fact func(*pointerBoard) float32, curve func(float32) float32) *wish {
		of := func(bb *pointerBoard, _ *components.Candidate) float32 { return fact(bb) }
		return &wish{name: name, fact: of, curve: curve}
	}
	return &brain{
		options: []option{
			villagerEats: {name: "eat", weight: sim.VillagerEats, wishes: []*wish{
				own("hunger", r.hunger, logisticCurve(10, 0.5)), own("food", r.food, linearCurve),
			}},
			villagerSleeps: {name: "sleep", weight: sim.VillagerSleeps, wishes: []*wish{
				own("fatigue", r.fatigue, quadraticCurve), own("night", r.night, smoothstepCurve),
			}},
			villagerSocialises: {name: "socialise", weight: sim.VillagerSocialise, wishes: []*wish{
				own("loneliness", r.loneliness, linearCurve), own("friends near", r.friends, smoothstepCurve),
			}},
			villagerWorks: {name: "work", weight: sim.VillagerWorks, wishes: []*wish{
				own("day", r.day, smoothstepCurve), own("not too tired", r.fatigue, ranged(1, 0, linearCurve)),
			}},
			villagerNaps: {name: "nap", weight: sim.VillagerNaps, wishes: []*wish{
				own("fatigue", r.fatigue, logisticCurve(20, 0.9)),
			}},
			villagerIdles: {name: "idle", weight: sim.VillagerIdles},
		},
		inertia: sim.VillagerInertia, hold: true, remember: true,
	}
}

// newVillagerNodes builds one villager's tree of node objects.
func newVillagerNodes(r *townReadings, isNight func(*pointerBoard) bool, a *systems.Standard, b *brain) node {
	way := func(to func(*pointerBoard, *components.Order), enough float32) node {
		return newOrder(components.Move, a.Seek, [2]float32{0, enough}, to)
	}
	rest := func(seconds float32) node { return newOrder(components.Act, a.Rest, [2]float32{seconds}, nil) }
	sleep := func(enough float32) node {
		return newSelector(
			newSequence(way(r.bed, 1), newOrder(components.Act, a.Sleep, [2]float32{0, enough}, r.bed)),
			newOrder(components.Act, a.Sleep, [2]float32{0, enough}, nil),
		)
	}
	return newUtilitySelector(b,
		newSelector(
			newSequence(way(r.store, 1.5), newOrder(components.Act, a.Eat, [2]float32{}, r.store)),
			rest(sim.VillagerWaits),
		),
		sleep(0),
		newSequence(
			newTimeout(30, way(r.friend, 2)),
			newOrder(components.Act, a.Socialise, [2]float32{sim.VillagerTalk}, nil),
		),
		newSelector(
			newSequence(way(r.work, 1.5), newOrder(components.Act, a.Work, [2]float32{sim.VillagerShift}, r.work)),
			rest(sim.VillagerPause),
		),
		sleep(0.5),
		newSequence(
			newSelector(
				newSequence(newCheck(isNight), way(r.bed, 1)),
				way(r.square, 4),
				rest(sim.VillagerWaits),
			),
			rest(sim.VillagerPause),
		),
	)
}

func newSoldierBrain(r *townReadings) *brain {
	free := &wish{
		name: "free", gate: true, curve: ranged(sim.SoldierAttackers, 0, linearCurve),
		fact: func(_ *pointerBoard, t *components.Candidate) float32 { return float32(t.Attackers) },
	}
	weak := &wish{
		name: "weak", curve: ranged(200, 0, linearCurve),
		fact: func(_ *pointerBoard, t *components.Candidate) float32 { return float32(t.Health) },
	}
	distance := func(_ *pointerBoard, t *components.Candidate) float32 { return t.Distance }
	nearest := func(bb *pointerBoard, _ *components.Candidate) float32 { return r.candidates(bb).List[0].Distance }
	ammo := func(bb *pointerBoard, _ *components.Candidate) float32 { return r.ammo(bb) }
	return &brain{
		options: []option{
			{name: "melee", weight: 1, targeted: true, wishes: []*wish{
				free, {name: "close", fact: distance, curve: ranged(6, 1, smoothstepCurve)}, weak,
			}},
			{name: "ranged", weight: 1, targeted: true, wishes: []*wish{
				free,
				{name: "far", fact: nearest, curve: ranged(2, 14, smoothstepCurve)},
				{name: "ammo", fact: ammo, curve: linearCurve},
				{name: "near", fact: distance, curve: ranged(18, 0, linearCurve)},
				weak,
			}},
		},
		inertia: sim.SoldierInertia, commitment: sim.SoldierCommits.Microseconds(),
		candidates: r.candidates,
	}
}

// newSoldierNodes builds one soldier's tree of node objects.
func newSoldierNodes(r *townReadings, g *readings, a *systems.Standard, b *brain) node {
	chosen := func(bb *pointerBoard, o *components.Order) { o.Target = bb.chosen }
	run := [2]float32{sim.SoldierRuns}
	melee := newParallel(
		newRepeat(0, newSequence(
			newOrder(components.Move, a.Seek, [2]float32{sim.SoldierRuns, sim.SoldierClosesTo}, chosen),
			newWait(0.2),
		)),
		newOrder(components.Act, a.Melee, [2]float32{}, chosen),
	)
	volley := newParallel(
		newOrder(components.Move, a.Stand, [2]float32{}, chosen),
		newOrder(components.Act, a.Shoot, [2]float32{}, chosen),
	)
	return newReactiveSelector(
		newGuard(g.visible, newGuard(r.inRange, newUtilitySelector(b, melee, volley))),
		newGuard(g.targetKnown, newOrder(components.Move, a.Seek, run, g.lastKnown)),
		newOrder(components.Move, a.Patrol, [2]float32{sim.SoldierRuns, -1}, nil),
	)
}
