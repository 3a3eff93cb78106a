package siege

import (
	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/draws"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/perception"
)

// newNaive creates the siege of package scenario with [naivePerception] and [naiveAI] in place of the library's: every
// agent senses and decides in every frame. Everything else is the library's: the town and its agents, the guards'
// posts, needs, movement, combat and commands.
func newNaive(agents int, dictionary bool) (*sim.Simulation, error) {
	c := config(agents)
	c.LOD = false
	return sim.NewSimulationWith(c, func(_ systems.Stage, system ecs.System) ecs.System {
		switch system.(type) {
		case *perception.System:
			return &naivePerception{}
		case *ai.System:
			return &naiveAI{dictionary: dictionary}
		}
		return system
	})
}

// naiveAI ticks a tree of node objects for each agent of a siege in every frame. Its trees post the same orders and
// fire the same triggers as those of package scenario. It calls no hooks and counts nothing.
type naiveAI struct {
	dictionary bool // dictionaries as blackboards

	world    *arche.World
	clock    *frame.Clock
	draws    draws.Waits
	standard action.Handles
	actions  guardtree.Handles
	guard    *guardtree.Readings
	town     *townReadings
	villager *pointertree.Evaluator
	soldier  *pointertree.Evaluator
	facts    guardtree.FactWriter // writes guards' facts into blackboards
	trees    []*pointertree.Tree  // by entity index

	guards    *generic.Filter4[components.Percept, components.Health, sim.Post, components.Intent]
	triggers  *frame.Triggers
	fired     []components.Trigger
	soldiers  *generic.Filter4[components.Percept, components.Candidates, components.Ammo, components.Intent]
	villagers *generic.Filter3[components.Needs, components.Home, components.Intent]
}

// Initialize implements [ecs.System].
func (m *naiveAI) Initialize(w *arche.World) {
	m.world, m.clock = w, ecs.Resource[frame.Clock](w)
	m.draws = draws.NewWaits(uint64(*ecs.Resource[frame.Seed](w)), guardtree.TreeName)
	m.standard = harness.Must(action.Register(ecs.Resource[aitree.Actions](w)))
	m.actions = guardtree.Handles{
		Seek: m.standard.Seek, Flee: m.standard.Flee, Patrol: m.standard.Patrol, Wander: m.standard.Wander,
		Strike: m.standard.Strike, Shout: m.standard.Shout,
	}
	m.guard, m.town = guardtree.StructReadings(&m.actions), &structTown
	if m.dictionary {
		m.guard, m.town = guardtree.DictionaryReadings(&m.actions), &dictionaryTown
	}
	m.villager, m.soldier = newVillagerEvaluator(m.town), newSoldierEvaluator(m.town)
	m.facts = guardtree.FactWriter{World: w, Clock: m.clock, Dictionary: m.dictionary}
	m.guards = generic.NewFilter4[components.Percept, components.Health, sim.Post, components.Intent]()
	m.triggers = ecs.Resource[frame.Triggers](w)
	m.soldiers = generic.NewFilter4[components.Percept, components.Candidates, components.Ammo, components.Intent]()
	m.villagers = generic.NewFilter3[components.Needs, components.Home, components.Intent]()
	m.guards.Register(w)
	m.soldiers.Register(w)
	m.villagers.Register(w)
}

// Finalize implements [ecs.System].
func (m *naiveAI) Finalize(*arche.World) {}

// Update implements [ecs.System].
func (m *naiveAI) Update(*arche.World) {
	now := int64(m.clock.Now) / 1000
	guards := m.guards.Query(m.world)
	for guards.Next() {
		percept, health, post, intent := guards.Get()
		t := m.tree(guards.Entity())
		if t.Root == nil {
			t.Root = guardtree.NewNodes(m.guard, &m.actions)
		}
		m.facts.Write(&t.Board, now, percept, health, post)
		m.tick(t, intent, now)
	}
	for i := range m.fired {
		m.triggers.Fire(0, m.fired[i])
	}
	m.fired = m.fired[:0]
	soldiers := m.soldiers.Query(m.world)
	for soldiers.Next() {
		percept, candidates, ammo, intent := soldiers.Get()
		t := m.tree(soldiers.Entity())
		if t.Root == nil {
			t.Root = newSoldierNodes(m.town, m.guard, &m.standard, m.soldier)
		}
		m.writeSoldier(&t.Board, now, percept, candidates, ammo)
		m.tick(t, intent, now)
	}
	villagers := m.villagers.Query(m.world)
	for villagers.Next() {
		needs, home, intent := villagers.Get()
		t := m.tree(villagers.Entity())
		if t.Root == nil {
			t.Root = newVillagerNodes(m.town, m.isNight, &m.standard, m.villager)
		}
		m.writeVillager(&t.Board, now, needs, home)
		m.tick(t, intent, now)
	}
}

func (m *naiveAI) isNight(bb *pointertree.Blackboard) bool { return m.town.night(bb) > 0.5 }

func (m *naiveAI) tick(t *pointertree.Tree, intent *components.Intent, now int64) {
	t.Board.Intent, t.Board.Instant = intent, now
	t.Root.Tick(&t.Board, m.clock.Delta)
}

// tree returns an agent's tree. That of a new agent has no nodes yet.
func (m *naiveAI) tree(entity arche.Entity) *pointertree.Tree {
	e := ecs.FromArche(entity)
	for len(m.trees) <= int(e.Index) {
		m.trees = append(m.trees, nil)
	}
	if t := m.trees[e.Index]; t != nil && t.Board.Self == e {
		return t
	}
	t := &pointertree.Tree{Board: pointertree.Blackboard{
		Self: e, Fired: &m.fired, Waits: m.draws, Alive: m.facts.Alive,
	}}
	if m.dictionary {
		t.Board.Values = map[string]any{}
	}
	m.trees[e.Index] = t
	return t
}

func (m *naiveAI) writeSoldier(
	bb *pointertree.Blackboard, now int64,
	percept *components.Percept, candidates *components.Candidates, ammo *components.Ammo,
) {
	known := m.facts.Alive(percept.Target)
	if !m.dictionary {
		bb.Now, bb.Target = now, components.Entity{}
		if known {
			bb.Target = percept.Target
		}
		bb.Visible, bb.Distance, bb.LastKnown = percept.Visible, percept.Distance, percept.LastKnown
		bb.Candidates, bb.Ammo = candidates, ammo.Fraction
		return
	}
	pointertree.SetValue(bb, "time", now)
	if known {
		pointertree.SetValue(bb, "target", percept.Target)
	} else {
		delete(bb.Values, "target")
	}
	pointertree.SetValue(bb, "target visible", percept.Visible)
	pointertree.SetValue(bb, "target distance", percept.Distance)
	pointertree.SetValue(bb, "last known", percept.LastKnown)
	pointertree.SetValue(bb, "candidates", candidates)
	pointertree.SetValue(bb, "ammo share", ammo.Fraction)
}

func (m *naiveAI) writeVillager(bb *pointertree.Blackboard, now int64, needs *components.Needs, home *components.Home) {
	if !m.dictionary {
		bb.Now, bb.Needs, bb.Home = now, needs, home
		return
	}
	pointertree.SetValue(bb, "time", now)
	pointertree.SetValue(bb, "hunger", needs.Hunger)
	pointertree.SetValue(bb, "food", needs.Food)
	pointertree.SetValue(bb, "fatigue", needs.Fatigue)
	pointertree.SetValue(bb, "night", 1-needs.Day)
	pointertree.SetValue(bb, "loneliness", needs.Loneliness)
	pointertree.SetValue(bb, "friends near", needs.Friends)
	pointertree.SetValue(bb, "day", needs.Day)
	pointertree.SetValue(bb, "friend", needs.Companion)
	if !pointertree.HasValue(bb, "bed") { // its places do not change
		pointertree.SetValue(bb, "bed", home.Bed)
		pointertree.SetValue(bb, "store", home.Store)
		pointertree.SetValue(bb, "workplace", home.Work)
		pointertree.SetValue(bb, "square", home.Square)
	}
}
