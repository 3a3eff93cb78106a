package benchmarks

import (
	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
)

// newNaiveSiege makes the siege of package sim in which perception and AI are the naive ones: everyone senses by
// [naiveSenses] and thinks by [naiveMinds] in every frame. All else is as it is there: the town and its people, the
// guards' posts, needs, locomotion, combat and commands.
func newNaiveSiege(agents int, dictionary bool) (*sim.Simulation, error) {
	c := siegeConfig(agents)
	c.LOD = false
	return sim.NewSimulationWith(c, func(_ string, system ecs.System) ecs.System {
		switch system.(type) {
		case *systems.Perception:
			return &naiveSenses{}
		case *systems.AI:
			return &naiveMinds{dictionary: dictionary}
		}
		return system
	})
}

// siegeConfig is the siege that is compared.
func siegeConfig(agents int) sim.Config {
	c := sim.DefaultConfig()
	c.Scenario, c.Agents = "siege", agents
	return c
}

// naiveMinds ticks a tree of node objects for each agent of a siege in every frame. Its trees post the same orders and
// fire the same triggers as those of package sim. It calls no hooks and counts nothing.
type naiveMinds struct {
	dictionary bool // the blackboards are dictionaries

	world    *arche.World
	clock    *systems.Clock
	draws    draws
	standard systems.Standard
	actions  actionSet
	guard    *readings
	town     *townReadings
	villager *brain
	soldier  *brain
	facts    pointerGuards   // writes guards' facts into blackboards
	minds    []*behaviorTree // by entity index

	guards    *generic.Filter5[components.Percept, components.Health, sim.Post, components.Intent, components.Triggers]
	soldiers  *generic.Filter4[components.Percept, components.Candidates, components.Ammo, components.Intent]
	villagers *generic.Filter3[components.Needs, components.Home, components.Intent]
}

// Initialize implements [ecs.System].
func (m *naiveMinds) Initialize(w *arche.World) {
	const who = "benchmarks.naiveMinds"
	m.world, m.clock = w, ecs.Resource[systems.Clock](w, who)
	m.draws = newDraws(uint64(*ecs.Resource[systems.Seed](w, who)))
	m.standard = must(systems.StandardActions(ecs.Resource[aitree.Actions](w, who)))
	m.actions = actionSet{
		seek: m.standard.Seek, flee: m.standard.Flee, patrol: m.standard.Patrol, wander: m.standard.Wander,
		strike: m.standard.Strike, shout: m.standard.Shout,
	}
	m.guard, m.town = fieldReadings(&m.actions), &fieldTown
	if m.dictionary {
		m.guard, m.town = dictionaryReadings(&m.actions), &dictionaryTown
	}
	m.villager, m.soldier = newVillagerBrain(m.town), newSoldierBrain(m.town)
	m.facts = pointerGuards{world: w, clock: m.clock, dictionary: m.dictionary}
	m.guards = generic.NewFilter5[
		components.Percept, components.Health, sim.Post, components.Intent, components.Triggers,
	]()
	m.soldiers = generic.NewFilter4[components.Percept, components.Candidates, components.Ammo, components.Intent]()
	m.villagers = generic.NewFilter3[components.Needs, components.Home, components.Intent]()
	m.guards.Register(w)
	m.soldiers.Register(w)
	m.villagers.Register(w)
}

// Finalize implements [ecs.System].
func (m *naiveMinds) Finalize(*arche.World) {}

// Update implements [ecs.System].
func (m *naiveMinds) Update(*arche.World) {
	now := int64(m.clock.Now) / 1000
	guards := m.guards.Query(m.world)
	for guards.Next() {
		percept, health, post, intent, triggers := guards.Get()
		t := m.mind(guards.Entity())
		if t.root == nil {
			t.root = newGuardNodes(m.guard, &m.actions)
		}
		triggers.List[0].Action = 0 // what nobody took
		t.bb.triggers, t.bb.fired = triggers, 0
		m.facts.write(&t.bb, now, percept, health, post)
		m.tick(t, intent, now)
	}
	soldiers := m.soldiers.Query(m.world)
	for soldiers.Next() {
		percept, candidates, ammo, intent := soldiers.Get()
		t := m.mind(soldiers.Entity())
		if t.root == nil {
			t.root = newSoldierNodes(m.town, m.guard, &m.standard, m.soldier)
		}
		m.writeSoldier(&t.bb, now, percept, candidates, ammo)
		m.tick(t, intent, now)
	}
	villagers := m.villagers.Query(m.world)
	for villagers.Next() {
		needs, home, intent := villagers.Get()
		t := m.mind(villagers.Entity())
		if t.root == nil {
			t.root = newVillagerNodes(m.town, m.isNight, &m.standard, m.villager)
		}
		m.writeVillager(&t.bb, now, needs, home)
		m.tick(t, intent, now)
	}
}

func (m *naiveMinds) isNight(bb *pointerBoard) bool { return m.town.night(bb) > 0.5 }

func (m *naiveMinds) tick(t *behaviorTree, intent *components.Intent, now int64) {
	t.bb.intent, t.bb.instant = intent, now
	t.root.Tick(&t.bb, m.clock.Delta)
}

// mind returns an agent's tree. That of one who is new has no nodes yet.
func (m *naiveMinds) mind(entity arche.Entity) *behaviorTree {
	e := ecs.FromArche(entity)
	for len(m.minds) <= int(e.Index) {
		m.minds = append(m.minds, nil)
	}
	if t := m.minds[e.Index]; t != nil && t.bb.self == e {
		return t
	}
	t := &behaviorTree{bb: pointerBoard{self: e, draws: m.draws, alive: m.facts.alive}}
	if m.dictionary {
		t.bb.values = map[string]any{}
	}
	m.minds[e.Index] = t
	return t
}

func (m *naiveMinds) writeSoldier(
	bb *pointerBoard, now int64, percept *components.Percept, candidates *components.Candidates, ammo *components.Ammo,
) {
	known := m.facts.alive(percept.Target)
	if !m.dictionary {
		bb.now, bb.target = now, components.Entity{}
		if known {
			bb.target = percept.Target
		}
		bb.visible, bb.distance, bb.lastKnown = percept.Visible, percept.Distance, percept.LastKnown
		bb.candidates, bb.ammo = candidates, ammo.Fraction
		return
	}
	set(bb, "time", now)
	if known {
		set(bb, "target", percept.Target)
	} else {
		delete(bb.values, "target")
	}
	set(bb, "target visible", percept.Visible)
	set(bb, "target distance", percept.Distance)
	set(bb, "last known", percept.LastKnown)
	set(bb, "candidates", candidates)
	set(bb, "ammo share", ammo.Fraction)
}

func (m *naiveMinds) writeVillager(bb *pointerBoard, now int64, needs *components.Needs, home *components.Home) {
	if !m.dictionary {
		bb.now, bb.needs, bb.home = now, needs, home
		return
	}
	set(bb, "time", now)
	set(bb, "hunger", needs.Hunger)
	set(bb, "food", needs.Food)
	set(bb, "fatigue", needs.Fatigue)
	set(bb, "night", 1-needs.Day)
	set(bb, "loneliness", needs.Loneliness)
	set(bb, "friends near", needs.Friends)
	set(bb, "day", needs.Day)
	set(bb, "friend", needs.Companion)
	if !has(bb, "bed") { // where it belongs does not change
		set(bb, "bed", home.Bed)
		set(bb, "store", home.Store)
		set(bb, "workplace", home.Work)
		set(bb, "square", home.Square)
	}
}
