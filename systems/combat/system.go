package combat

import (
	"slices"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// System carries out strikes and shots with their consequences: damage, noise, death and respawn. It takes the
// triggers strike and shout (see [action.Seek]) and the damage that any system reported with [eventlist.Lists.Hurt].
// Triggers of other actions stay for their systems. It writes Health, Fighter, LOD.Importance, Attack, Attacked,
// Ammo and the outcomes of melee and shoot orders. The package comment has the rules.
//
// An agent that strikes needs [components.Transform] and [components.Faction]; one that can be
// struck [components.Health], Transform and Faction. An agent with melee and shoot orders needs [components.Intent],
// [components.Attack], Transform and Faction, and [components.Ammo] to shoot. Importance and respawn need a
// [components.Fighter].
//
// The zero value is ready for Initialize. In each setting 0 means the default, and a negative value for none. The
// settings are read by Initialize; later changes have no effect.
type System struct {
	Damage      int32   // hit points of a strike without a number; 0 means 10, negative: none
	Reach       float32 // of a strike, metres from centre to centre; 0 means 1.5, negative: none
	StrikeNoise float32 // metres that a strike is heard; 0 means 15, negative: silent
	ShoutNoise  float32 // metres that a shout without a number is heard; 0 means 30, negative: silent

	AlertTime    time.Duration // for which an agent stays important after a strike; 0 means 5 s, negative: none
	RespawnDelay time.Duration // from death to respawn; 0 means 10 s, negative: none

	MaxAttackers   uint8         // claims on one target at a time; 0 means 4
	StrikeInterval time.Duration // between strikes of a melee without a number; 0 means 800 ms, negative: none
	Patience       time.Duration // that an attack waits for a chance to strike or shoot; 0 means 3 s, negative: none
	Shots          Shots         // of ranged attacks; the zero value means [DefaultShots]

	settings settings

	guard     lifecycle.Guard[arche.World]
	clock     *frame.Clock
	workers   *parallel.Workers
	relations *frame.Relations
	world     *space.Map // nil: open country
	paths     *space.Routes
	events    *eventlist.Lists
	triggers  *frame.Triggers
	commands  *ecs.Commands
	actions   action.Handles
	respawns  *RespawnQueue
	seed      uint64

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
	fired     []components.Trigger   // that takeTriggers carries out
	firedBy   []ecs.Span             // of fired, by task
	fire      func(worker, task int) // fields, so that Update allocates no closures
	calm      func(worker, task int)

	prefabs     [256]*ecs.Prefab // by Fighter.Kind
	issued      []respawn        // queued spawns, in the order of issue
	spawned     int              // number of issued spawns that were carried out
	attacks     attacks
	unsubscribe func() // of the OnSpawn callback
	onDeath     []func(victim, killer components.Entity)
}

// settings are the settings of a System with defaults applied.
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

// worker is the state of one worker.
type worker struct {
	shortest components.Timestamp // between two strikes or shots of one agent
	measured bool                 // whether any agent did so twice
	_        [64]byte             // no two workers write to one cache line
}

// Terms of the columns of fighters.
const (
	fighterFighter = iota
	fighterLOD
	fighterHealth
)

// drawKey separates the draws of combat from those of other systems. A change of it changes all outcomes.
const drawKey = "systems.Combat"

// combatRows is the number of agents, or of triggers, of a task.
const combatRows = 1024

const name = "combat.System"

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
	s.settings = s.readSettings(name)
	s.Finalize(w) // releases the columns of an earlier world
	s.guard.Begin(name, w)
	s.clock = ecs.Resource[frame.Clock](w)
	s.workers = ecs.Resource[parallel.Workers](w)
	s.world = ecs.FindResource[space.Map](w)
	s.paths = ecs.Resource[space.Routes](w)
	s.events = ecs.Resource[eventlist.Lists](w)
	s.triggers = ecs.Resource[frame.Triggers](w)
	s.commands = ecs.Resource[ecs.Commands](w)
	if s.respawns = ecs.FindResource[RespawnQueue](w); s.respawns == nil {
		s.respawns = &RespawnQueue{}
		arche.AddResource(w, s.respawns)
	}
	s.relations = ecs.Resource[frame.Relations](w)
	s.seed = random.Mix(random.String(drawKey), uint64(*ecs.Resource[frame.Seed](w)))
	actions, err := action.Register(ecs.Resource[aitree.Actions](w))
	if err != nil {
		panic(name + ": " + err.Error())
	}
	s.actions = actions

	s.fighters = ecs.NewColumns(w, ecs.Need[components.Fighter](), ecs.Need[components.LOD](),
		ecs.Optional[components.Health](), ecs.Without[components.Paused]())
	s.transforms = ecs.NewLookup[components.Transform](w)
	s.healths = ecs.NewLookup[components.Health](w)
	s.factions = ecs.NewLookup[components.Faction](w)
	s.lods = ecs.NewLookup[components.LOD](w)
	s.fighterOf = ecs.NewLookup[components.Fighter](w)
	s.routes = ecs.NewLookup[components.Route](w)
	s.perWorker = make([]worker, s.workers.Count())
	s.fire, s.calm = s.fireSpan, s.calmSpan
	s.issued, s.spawned = s.issued[:0], 0
	s.unsubscribe = s.commands.OnSpawn(s.onSpawn)
	s.attacks.initialize(w, s)
}

// Update carries out the strikes and shots of the frame and deals all damage. While the clock is paused it does
// nothing.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *System) Update(w *arche.World) {
	s.guard.Check(name, w)
	if s.clock.Paused() {
		return
	}
	s.events.DropUnread(s.clock.Frame)
	s.takeTriggers()
	s.attacks.update()

	s.chunks = s.fighters.Open()
	s.reserve(s.fighters.Len())
	s.events.Reserve(s.fighters.Len())
	s.triggers.Reserve(s.fighters.Len())
	s.spans = s.fighters.Spans(combatRows)
	s.workers.Run(len(s.spans), s.calm)
	s.fighters.Close()

	wounds := s.events.Wounds()
	for i := range wounds {
		s.applyWound(&wounds[i])
	}
	s.respawnDue()
}

// Finalize releases the columns and callbacks of the world. [System.Stats] and [System.ShortestInterval] can still be
// called.
func (s *System) Finalize(*arche.World) {
	scratch.Release(&s.fighters)
	s.attacks.finalize()
	s.guard.End()
	if s.unsubscribe != nil {
		s.unsubscribe()
		s.unsubscribe = nil
	}
}

// reserve makes room for half of the fighters to be dead at a time, and for one in 256 to respawn in one frame, so that
// a growing battle does not allocate.
func (s *System) reserve(fighters int) {
	if n := fighters/2 + 64; cap(s.respawns.Pending) < n {
		s.respawns.Pending = slices.Grow(s.respawns.Pending, n-len(s.respawns.Pending))
	}
	if n := fighters/256 + 64; cap(s.issued) < n {
		s.issued = slices.Grow(s.issued, n-len(s.issued))
	}
}
