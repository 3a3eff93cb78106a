package benchmarks

import (
	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
)

// pointerBoard is what the nodes of one agent's tree share. Facts stand in its fields, or, where it has a
// dictionary, in that.
type pointerBoard struct {
	// The agent.
	self     components.Entity
	intent   *components.Intent
	triggers *components.Triggers
	fired    int   // triggers of this tick
	instant  int64 // microseconds up to which the branch has come
	draws    draws

	// Facts.
	now          int64 // microseconds
	health       int32
	target       components.Entity // zero when it is dead
	visible      bool
	distance     float32
	lastKnown    components.Vec2
	noise        components.Vec2
	noiseAge     components.Timestamp
	postDistance float32
	post         components.Vec2

	// Facts of villagers and soldiers.
	needs      *components.Needs
	home       *components.Home
	candidates *components.Candidates
	ammo       float32 // share
	alive      func(components.Entity) bool
	chosen     components.Entity // target of the choice above the branch that is ticked

	values map[string]any
}

// set writes a fact into the dictionary.
func set[T any](bb *pointerBoard, key string, value T) { bb.values[key] = value }

// get reads a fact from the dictionary; one that is not there reads as the zero value.
func get[T any](bb *pointerBoard, key string) T {
	value, _ := bb.values[key].(T)
	return value
}

// has reports whether the dictionary has a fact.
func has(bb *pointerBoard, key string) bool {
	_, ok := bb.values[key]
	return ok
}

// time returns the clock in microseconds.
func (bb *pointerBoard) time() int64 {
	if bb.values != nil {
		return bb.timeValue()
	}
	return bb.now
}

func (bb *pointerBoard) timeValue() int64 { return get[int64](bb, "time") }

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
		return newForceSuccess(newCooldown(sim.GuardCallInterval.Seconds(), newFire(r.shout)))
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
				newCooldown(sim.GuardStrikeInterval.Seconds(), newFire(r.strike)),
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

// treeIndex says which tree is a guard's: a component can hold no pointer to it.
type treeIndex struct{ Index int32 }

// pointerGuards ticks a tree of node objects for each guard.
type pointerGuards struct {
	world      *arche.World
	clock      *systems.Clock
	guards     *generic.Filter6[components.Percept, components.Health, sim.Post, components.Intent, components.Triggers, treeIndex]
	trees      []*behaviorTree
	dictionary bool
}

func newPointerGuards(c *crowd, dictionary bool) *pointerGuards {
	p := &pointerGuards{
		world:      c.world,
		clock:      c.clock,
		guards:     generic.NewFilter6[components.Percept, components.Health, sim.Post, components.Intent, components.Triggers, treeIndex](),
		dictionary: dictionary,
	}
	p.guards.Register(c.world)
	actions := newActionSet()
	read := fieldReadings(&actions)
	if dictionary {
		read = dictionaryReadings(&actions)
	}
	query := p.guards.Query(c.world)
	for query.Next() {
		_, _, _, _, _, tree := query.Get()
		tree.Index = int32(len(p.trees))
		t := &behaviorTree{root: newGuardNodes(read, &actions)}
		t.bb.self = ecs.FromArche(query.Entity())
		t.bb.draws = newDraws(c.seed)
		if dictionary {
			t.bb.values = map[string]any{}
		}
		p.trees = append(p.trees, t)
	}
	return p
}

// tick writes every guard's blackboard and ticks its tree.
func (p *pointerGuards) tick() {
	now := int64(p.clock.Now) / 1000
	query := p.guards.Query(p.world)
	for query.Next() {
		percept, health, post, intent, triggers, index := query.Get()
		t := p.trees[index.Index]
		bb := &t.bb
		bb.intent, bb.triggers, bb.fired, bb.instant = intent, triggers, 0, now
		p.write(bb, now, percept, health, post)
		t.root.Tick(bb, p.clock.Delta)
	}
}

func (p *pointerGuards) alive(e components.Entity) bool {
	return !e.IsZero() && p.world.Alive(ecs.ToArche(e))
}

// write writes a guard's facts into its blackboard.
func (p *pointerGuards) write(
	bb *pointerBoard, now int64, percept *components.Percept, health *components.Health, post *sim.Post,
) {
	if p.dictionary {
		p.writeDictionary(bb, now, percept, health, post)
	} else {
		p.writeFields(bb, now, percept, health, post)
	}
}

func (p *pointerGuards) writeFields(bb *pointerBoard, now int64, percept *components.Percept, health *components.Health, post *sim.Post) {
	bb.now = now
	bb.health = health.Current
	bb.target = components.Entity{}
	if p.alive(percept.Target) {
		bb.target = percept.Target
	}
	bb.visible = percept.Visible
	bb.distance = percept.Distance
	bb.lastKnown = percept.LastKnown
	bb.noise = percept.Noise
	bb.noiseAge = blackboard.NeverAge
	if percept.NoiseAt != 0 {
		bb.noiseAge = p.clock.Now - percept.NoiseAt
	}
	bb.postDistance, bb.post = post.Distance, post.Position
}

func (p *pointerGuards) writeDictionary(bb *pointerBoard, now int64, percept *components.Percept, health *components.Health, post *sim.Post) {
	set(bb, "time", now)
	set(bb, "health", health.Current)
	if p.alive(percept.Target) {
		set(bb, "target", percept.Target)
	} else {
		delete(bb.values, "target")
	}
	set(bb, "target visible", percept.Visible)
	set(bb, "target distance", percept.Distance)
	set(bb, "last known", percept.LastKnown)
	set(bb, "noise", percept.Noise)
	if percept.NoiseAt != 0 {
		set(bb, "noise age", p.clock.Now-percept.NoiseAt)
	} else {
		delete(bb.values, "noise age")
	}
	set(bb, "post distance", post.Distance)
	set(bb, "post", post.Position)
}
