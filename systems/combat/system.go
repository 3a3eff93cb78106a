package combat

import (
	"slices"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// System carries out strikes and shots and what follows from them: damage, noise, death and respawn. It consumes the
// triggers strike and shout (see [action.Seek]) and the damage of [frame.Events.Hurt], whatever system dealt it;
// triggers of other actions are left to their systems. It writes Health, Fighter, LOD.Importance, Attack, Attacked,
// Ammo and the outcomes of melee and shoot orders. The package comment has the rules.
//
// An agent that strikes needs [components.Triggers], [components.Transform] and [components.Faction]; one that can be
// struck [components.Health], Transform and Faction. An agent with melee and shoot orders needs [components.Intent],
// [components.Attack], Transform and Faction, and [components.Ammo] to shoot. Importance and respawn need a
// [components.Fighter].
//
// The zero value is ready for Initialize. In each setting 0 stands for the default, and a negative value for none. The
// settings are read by Initialize; later changes have no effect.
type System struct {
	Damage      int32   // hit points of a strike without a number; 0 stands for 10, negative: none
	Reach       float32 // of a strike, metres from centre to centre; 0 stands for 1.5, negative: none
	StrikeNoise float32 // metres that a strike is heard; 0 stands for 15, negative: silent
	ShoutNoise  float32 // metres that a shout without a number is heard; 0 stands for 30, negative: silent

	AlertTime    time.Duration // for which an agent stays important after a blow; 0 stands for 5 s, negative: none
	RespawnDelay time.Duration // from death to respawn; 0 stands for 10 s, negative: none

	MaxAttackers   uint8         // claims on one target at a time; 0 stands for 4
	StrikeInterval time.Duration // between strikes of a melee without a number; 0 stands for 800 ms, negative: none
	Patience       time.Duration // that an attack waits until it can strike or shoot; 0 stands for 3 s, negative: none
	Shots          Shots         // of ranged attacks; the zero value stands for [DefaultShots]

	settings settings

	clock     *frame.Clock
	workers   *parallel.Workers
	relations *frame.Relations
	world     *space.Map // nil: open country
	paths     *space.Routes
	events    *frame.Events
	commands  *ecs.Commands
	actions   action.Handles
	respawns  *RespawnQueue
	seed      uint64

	triggered  *ecs.Columns
	fighters   *ecs.Columns
	transforms ecs.Lookup[components.Transform]
	healths    ecs.Lookup[components.Health]
	factions   ecs.Lookup[components.Faction]
	lods       ecs.Lookup[components.LOD]
	fighterOf  ecs.Lookup[components.Fighter]
	routes     ecs.Lookup[components.Route]

	chunks    []ecs.Chunk
	spans     []ecs.Span
	perWorker []worker
	strike    func(worker, task int) // made once, as calm
	calm      func(worker, task int)

	prefabs     [256]*ecs.Prefab // by Fighter.Kind
	issued      []respawn        // spawns that were queued, in the order of issue
	spawned     int              // how many of them were carried out
	attacks     attacks
	unsubscribe func() // of the OnSpawn callback
	onDeath     []func(victim, killer components.Entity)
}

// settings are the settings of a System in use: with their defaults.
type settings struct {
	damage         int32
	reach          float32
	strikeNoise    float32
	shoutNoise     float32
	alertTime      components.Timestamp
	respawnDelay   components.Timestamp
	maxAttackers   uint8
	strikeInterval components.Timestamp
	patience       components.Timestamp
	shots          Shots
}

// worker is what a worker keeps.
type worker struct {
	shortest components.Timestamp // between two strikes or shots of one agent
	measured bool                 // whether any agent did so twice
	_        [64]byte             // no two workers write to one cache line
}

// Terms of the columns.
const (
	triggeredTriggers = iota
	triggeredTransform
	triggeredFaction
	triggeredFighter
	triggeredLOD

	fighterFighter = 0
	fighterLOD     = 1
	fighterHealth  = 2
)

// drawKey tells the draws of combat from those of other systems. Another text would change all outcomes.
const drawKey = "systems.Combat"

// combatRows is the number of agents of a task.
const combatRows = 1024 // agents of a task

// readSettings returns the settings with their defaults. It panics, naming the field, when one is out of range.
func (s *System) readSettings(name string) settings {
	used := settings{
		damage:         s.Damage,
		reach:          setting.NumberOrDefault(name, "Reach", s.Reach, 1.5),
		strikeNoise:    setting.NumberOrDefault(name, "StrikeNoise", s.StrikeNoise, 15),
		shoutNoise:     setting.NumberOrDefault(name, "ShoutNoise", s.ShoutNoise, 30),
		alertTime:      setting.DurationOrDefault(s.AlertTime, 5*time.Second),
		respawnDelay:   setting.DurationOrDefault(s.RespawnDelay, 10*time.Second),
		maxAttackers:   s.MaxAttackers,
		strikeInterval: setting.DurationOrDefault(s.StrikeInterval, 800*time.Millisecond),
		patience:       setting.DurationOrDefault(s.Patience, 3*time.Second),
		shots:          s.Shots,
	}
	setting.SetDefault(&used.damage, 10)
	used.damage = max(used.damage, 0)
	setting.SetDefault(&used.maxAttackers, 4)
	setting.SetDefault(&used.shots, DefaultShots())
	used.shots.require(name)
	return used
}

// Initialize prepares the system for a world that systems.Install was called on.
//
// Panics when the world lacks a resource, when a setting is not finite and when one of Shots is out of range.
func (s *System) Initialize(w *arche.World) {
	const name = "combat.System"
	s.settings = s.readSettings(name)
	s.Finalize(w) // of the world before, if it was not called
	s.clock = ecs.Resource[frame.Clock](w, name)
	s.workers = ecs.Resource[parallel.Workers](w, name)
	s.world = ecs.FindResource[space.Map](w)
	s.paths = ecs.Resource[space.Routes](w, name)
	s.events = ecs.Resource[frame.Events](w, name)
	s.commands = ecs.Resource[ecs.Commands](w, name)
	if s.respawns = ecs.FindResource[RespawnQueue](w); s.respawns == nil {
		s.respawns = &RespawnQueue{}
		arche.AddResource(w, s.respawns)
	}
	s.relations = ecs.Resource[frame.Relations](w, name)
	s.seed = random.Mix(random.String(drawKey), uint64(*ecs.Resource[frame.Seed](w, name)))
	actions, err := action.Register(ecs.Resource[aitree.Actions](w, name))
	if err != nil {
		panic(name + ": " + err.Error())
	}
	s.actions = actions

	s.triggered = ecs.NewColumns(w, ecs.Need[components.Triggers](), ecs.Need[components.Transform](),
		ecs.Need[components.Faction](),
		ecs.Optional[components.Fighter](), ecs.Optional[components.LOD]())
	s.fighters = ecs.NewColumns(w, ecs.Need[components.Fighter](), ecs.Need[components.LOD](),
		ecs.Optional[components.Health]())
	s.transforms = ecs.NewLookup[components.Transform](w)
	s.healths = ecs.NewLookup[components.Health](w)
	s.factions = ecs.NewLookup[components.Faction](w)
	s.lods = ecs.NewLookup[components.LOD](w)
	s.fighterOf = ecs.NewLookup[components.Fighter](w)
	s.routes = ecs.NewLookup[components.Route](w)
	s.perWorker = make([]worker, s.workers.Count())
	s.strike, s.calm = s.strikeSpan, s.calmSpan
	s.issued, s.spawned = s.issued[:0], 0
	s.unsubscribe = s.commands.OnSpawn(s.onSpawn)
	s.attacks.initialize(w, s)
}

// Update carries out the strikes and shots of the frame and deals all damage.
func (s *System) Update(*arche.World) {
	s.events.Settle(s.clock.Frame)
	s.chunks = s.triggered.Open()
	s.spans = s.triggered.Spans(combatRows)
	s.workers.Run(len(s.spans), s.strike)
	s.triggered.Close()

	s.attacks.update()

	s.chunks = s.fighters.Open()
	s.reserve(s.fighters.Len())
	s.events.Reserve(s.fighters.Len())
	s.spans = s.fighters.Spans(combatRows)
	s.workers.Run(len(s.spans), s.calm)
	s.fighters.Close()

	wounds := s.events.MergeWounds()
	for i := range wounds {
		s.applyWound(&wounds[i])
	}
	s.respawnDue()
}

// Finalize releases what the system holds of the world. [System.Stats] and [System.ShortestInterval] can still be
// called.
func (s *System) Finalize(*arche.World) {
	scratch.Release(&s.triggered)
	scratch.Release(&s.fighters)
	s.attacks.finalize()
	if s.unsubscribe != nil {
		s.unsubscribe()
		s.unsubscribe = nil
	}
}

// reserve makes room for every other fighter to be dead at a time, and one in 256 to respawn in one frame, so that a
// battle does not allocate as it grows.
func (s *System) reserve(fighters int) {
	s.commands.Reserve(min(fighters/64+64, scratch.MaxReserve))
	if n := fighters/2 + 64; cap(s.respawns.Pending) < n {
		s.respawns.Pending = slices.Grow(s.respawns.Pending, n-len(s.respawns.Pending))
	}
	if n := fighters/256 + 64; cap(s.issued) < n {
		s.issued = slices.Grow(s.issued, n-len(s.issued))
	}
}
