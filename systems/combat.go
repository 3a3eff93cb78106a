package systems

import (
	"fmt"
	"math"
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Combat lands blows and settles what follows from them: wounds, noise, alarm, death and return. It
// consumes the triggers strike and shout (see [SeekAction]) and the blows of [Events.Hurt], whoever dealt
// them; triggers of other actions are left to their systems. It writes Health, Fighter, LOD.Importance, Attack,
// Attacked, Ammo and the outcome of act orders.
//
// A strike lands when its target is alive, hostile and within reach at that moment; otherwise it is lost. All
// blows of a frame fall at one instant, so two agents can kill each other. Who is hurt is woken; who is
// hurt or strikes is ranked most important for the cadence until the fight is over.
//
// A melee and a shoot are durative attacks, by the order of the act channel. They need a claim on the target, and a
// target has place for MaxAttackers claims, of both kinds together. Claims that stand come first; those that are asked
// for are granted in the order of attackers, and for want of a place the attack fails. A claim stands while the order
// does, the order's target is the same, and attacker and target live; who goes over from the one attack to the other on
// one target keeps it. From the frame after its grant on, a melee strikes whenever the target is within Reach, once in
// an Interval, and a shoot fires by [Shots], where the map leaves a line of sight. How many hold a claim on one is in
// its [components.Attacked]: the count of this frame, less those that left by its commands.
//
// The dead leave at the end of the frame, by the command queue. Those whose [components.Fighter] names a
// prefab, set with [Combat.Revive], come back after a while: on the route that they had, or else anywhere on
// the map. Who comes back is a new entity in a slot that arche reuses. Who waits is in the world's [Graveyard].
//
// An agent that strikes needs [components.Triggers], [components.Transform] and [components.Faction]; one that can
// be struck [components.Health], Transform and Faction. An agent with durative attacks needs [components.Intent],
// [components.Attack], Transform and Faction, and [components.Ammo] to shoot. Importance and return need a Fighter. The
// zero value is ready to be initialized. It needs a world set up by [Install].
type Combat struct {
	Damage     int32   // points of a strike without a number; 0 stands for 10
	Reach      float32 // metres from centre to centre; 0 stands for 1.5
	Clash      float32 // loudness of a strike: the metres it carries; 0 stands for 15, negative is silent
	Shout      float32 // loudness of a shout without a number; 0 stands for 30
	Alert      float32 // seconds for which a fight is felt after the last blow; 0 stands for 5
	ReviveTime float32 // seconds from death to return; 0 stands for 10

	MaxAttackers uint8   // claims on one target at a time; 0 stands for 4
	Interval     float32 // seconds between the strikes of a melee without a number; 0 stands for 0.8
	Patience     float32 // seconds for which an attack waits until it can strike or shoot; 0 stands for 3
	Shots        Shots   // the zero value stands for [DefaultShots]

	clock     *Clock
	workers   *Workers
	relations *Relations
	world     *Map // nil: open country
	paths     *Routes
	events    *Events
	commands  *ecs.Commands
	actions   Standard
	graveyard *Graveyard
	seed      uint64

	armed    *ecs.Columns
	fighters *ecs.Columns
	places   ecs.Lookup[components.Transform]
	healths  ecs.Lookup[components.Health]
	sides    ecs.Lookup[components.Faction]
	cadences ecs.Lookup[components.LOD]
	records  ecs.Lookup[components.Fighter]
	routes   ecs.Lookup[components.Route]

	chunks   []ecs.Chunk
	spans    []ecs.Span
	strikers []striker
	strike   func(worker, task int) // made once, as calm
	calm     func(worker, task int)

	prefabs  [256]*ecs.Prefab // by Fighter.Kind
	returned []returned       // spawns that were queued, in the order of issue
	arrived  int              // how many of them were carried out
	attacks  attacks
	remove   func() // of the OnSpawn callback
	onDeath  []func(victim, killer components.Entity)
}

// Graveyard is the dead that will come back, in the order of their deaths. It is a resource, so that it
// can be saved with the world; [Combat] puts it there.
type Graveyard struct{ Fallen []Fallen }

// Fallen is one who died.
type Fallen struct {
	Due    components.Timestamp // when it comes back
	Entity components.Entity    // who it was
	At     components.Vec2      // where it fell, metres
	Route  components.Route
	Routed bool // whether it had a Route
	Kind   uint8
}

// returned is one of the fallen on its way back.
type returned struct {
	fallen Fallen
	number uint64 // of the spawn
}

// striker is what a worker keeps.
type striker struct {
	shortest components.Timestamp // between two strikes or shots of one agent
	measured bool                 // whether any agent did so twice
	_        [64]byte             // no two workers write to one cache line
}

// Terms of the columns.
const (
	armedTriggers = iota
	armedTransform
	armedFaction
	armedFighter
	armedLOD

	fighterFighter = 0
	fighterLOD     = 1
	fighterHealth  = 2
)

const combatRows = 1024 // agents of a task

// Revive sets the prefab from which agents come back whose Fighter.Kind is kind; nil: they do not. The prefab
// must have a Transform.
//
// Panics when it has none.
func (c *Combat) Revive(kind uint8, p *ecs.Prefab) {
	if p != nil && !p.HasTransform() {
		panic(fmt.Sprintf("systems: Combat.Revive of kind %d: the prefab has no components.Transform", kind))
	}
	c.prefabs[kind] = p
}

// OnDeath registers a function that is called for each death, in the order of victims, on the goroutine that
// owns the world. The victim still has its components. It must not change the world's structure.
func (c *Combat) OnDeath(f func(victim, killer components.Entity)) { c.onDeath = append(c.onDeath, f) }

// ShortestInterval returns the shortest time that lay between two strikes or shots of one agent since the start; false
// when no agent with a Fighter did so twice.
func (c *Combat) ShortestInterval() (components.Timestamp, bool) {
	shortest, measured := components.Timestamp(math.MaxInt64), false
	for i := range c.strikers {
		if s := &c.strikers[i]; s.measured {
			shortest, measured = min(shortest, s.shortest), true
		}
	}
	if !measured {
		return 0, false
	}
	return shortest, true
}

// Counts returns what the durative attacks came to since the start.
func (c *Combat) Counts() CombatCounts { return c.attacks.sum() }

// Initialize prepares the system. It panics, naming it, when the world lacks one of its resources and when a
// setting is out of range.
func (c *Combat) Initialize(w *arche.World) {
	const who = "systems.Combat"
	if c.Damage < 0 {
		panic(fmt.Sprintf("%s: Damage is %d; it must not be negative", who, c.Damage))
	}
	requireSetting(who, "Reach", c.Reach)
	if !(c.Clash < 0 && isFinite(c.Clash)) { // negative is silent
		requireSetting(who, "Clash", c.Clash)
	}
	requireSetting(who, "Shout", c.Shout)
	requireSetting(who, "Alert", c.Alert)
	requireSetting(who, "ReviveTime", c.ReviveTime)
	requireSetting(who, "Interval", c.Interval)
	requireSetting(who, "Patience", c.Patience)
	if c.Shots == (Shots{}) {
		c.Shots = DefaultShots()
	}
	c.Shots.require(who)
	c.Finalize(w) // of the world before, if nobody did
	c.clock = ecs.Resource[Clock](w, who)
	c.workers = ecs.Resource[Workers](w, who)
	c.world = optionalResource[Map](w)
	c.paths = ecs.Resource[Routes](w, who)
	c.events = ecs.Resource[Events](w, who)
	c.commands = ecs.Resource[ecs.Commands](w, who)
	if c.graveyard = optionalResource[Graveyard](w); c.graveyard == nil {
		c.graveyard = &Graveyard{}
		arche.AddResource(w, c.graveyard)
	}
	c.relations = ecs.Resource[Relations](w, who)
	c.seed = random.Mix(random.String(who), uint64(*ecs.Resource[Seed](w, who)))
	actions, err := StandardActions(ecs.Resource[aitree.Actions](w, who))
	if err != nil {
		panic(who + ": " + err.Error())
	}
	c.actions = actions
	setDefault(&c.Damage, 10)
	setDefault(&c.Reach, 1.5)
	setDefault(&c.Clash, 15)
	setDefault(&c.Shout, 30)
	setDefault(&c.Alert, 5)
	setDefault(&c.ReviveTime, 10)
	setDefault(&c.MaxAttackers, 4)
	setDefault(&c.Interval, 0.8)
	setDefault(&c.Patience, 3)

	c.armed = ecs.NewColumns(w, ecs.Need[components.Triggers](), ecs.Need[components.Transform](),
		ecs.Need[components.Faction](),
		ecs.Optional[components.Fighter](), ecs.Optional[components.LOD]())
	c.fighters = ecs.NewColumns(w, ecs.Need[components.Fighter](), ecs.Need[components.LOD](),
		ecs.Optional[components.Health]())
	c.places = ecs.NewLookup[components.Transform](w)
	c.healths = ecs.NewLookup[components.Health](w)
	c.sides = ecs.NewLookup[components.Faction](w)
	c.cadences = ecs.NewLookup[components.LOD](w)
	c.records = ecs.NewLookup[components.Fighter](w)
	c.routes = ecs.NewLookup[components.Route](w)
	c.strikers = make([]striker, c.workers.Count())
	c.strike, c.calm = c.strikeSpan, c.calmSpan
	c.returned, c.arrived = c.returned[:0], 0
	c.remove = c.commands.OnSpawn(c.welcome)
	c.attacks.initialize(w, c)
}

// Update lands the blows of the frame.
func (c *Combat) Update(*arche.World) {
	c.events.settle(c.clock.Frame)
	c.chunks = c.armed.Open()
	c.spans = c.armed.Spans(combatRows)
	c.workers.Run(len(c.spans), c.strike)
	c.armed.Close()

	c.attacks.update()

	c.chunks = c.fighters.Open()
	c.reserve(c.fighters.Len())
	c.events.reserve(c.fighters.Len())
	c.spans = c.fighters.Spans(combatRows)
	c.workers.Run(len(c.spans), c.calm)
	c.fighters.Close()

	wounds := c.events.MergeWounds()
	for i := range wounds {
		c.wound(&wounds[i])
	}
	c.revive()
}

// Finalize releases what the system holds of the world. [Combat.ShortestInterval] can still be asked.
func (c *Combat) Finalize(*arche.World) {
	release(&c.armed)
	release(&c.fighters)
	c.attacks.finalize()
	if c.remove != nil {
		c.remove()
		c.remove = nil
	}
}

// reserve makes room for every other fighter to be dead at a time, and one in 256 to come back in one frame,
// so that a battle does not allocate as it grows.
func (c *Combat) reserve(fighters int) {
	c.commands.Reserve(min(fighters/64+64, maxRoom))
	if n := fighters/2 + 64; cap(c.graveyard.Fallen) < n {
		c.graveyard.Fallen = slices.Grow(c.graveyard.Fallen, n-len(c.graveyard.Fallen))
	}
	if n := fighters/256 + 64; cap(c.returned) < n {
		c.returned = slices.Grow(c.returned, n-len(c.returned))
	}
}

// strikeSpan consumes the triggers of a task's agents. It writes what is theirs alone; what they do to
// others goes to the events.
func (c *Combat) strikeSpan(worker, task int) {
	span := c.spans[task]
	k := &c.chunks[span.Chunk]
	entities := k.Entities()
	triggers := ecs.Column[components.Triggers](k, armedTriggers)
	transforms := ecs.Column[components.Transform](k, armedTransform)
	factions := ecs.Column[components.Faction](k, armedFaction)
	fighters := ecs.Column[components.Fighter](k, armedFighter)
	cadences := ecs.Column[components.LOD](k, armedLOD)
	for i := span.Start; i < span.End; i++ {
		list := &triggers[i].List
		if list[0].Action == 0 {
			continue
		}
		at := transforms[i].Position
		kept := 0
		for j := 0; j < len(list) && list[j].Action != 0; j++ {
			trigger := list[j]
			switch trigger.Action {
			case c.actions.Strike:
				if !c.lands(entities[i], at, factions[i].ID, trigger.Target) {
					continue
				}
				c.events.Hurt(worker, entities[i], trigger.Target, points(trigger.Number, c.Damage))
				c.events.Tally(worker, Strike, 1)
				c.fought(worker, entities[i], at, c.Clash, rowOf(fighters, i), rowOf(cadences, i))
			case c.actions.Shout:
				loudness := trigger.Number
				if !(loudness > 0 && isFinite(loudness)) {
					loudness = c.Shout
				}
				if finiteVec(at) {
					c.events.Noise(worker, entities[i], at, loudness)
				}
			default: // another system's
				list[kept] = trigger
				kept++
			}
		}
		clear(list[kept:])
	}
}

// fought sees to what a strike or a shot means to the agent itself: its noise, which carries for some metres if that is
// positive, and its alarm. It may lack a Fighter and a LOD.
func (c *Combat) fought(
	worker int, e components.Entity, at vec2, loudness float32, f *components.Fighter, l *components.LOD,
) {
	if loudness > 0 {
		c.events.Noise(worker, e, at, loudness)
	}
	if f == nil {
		return
	}
	c.strikers[worker].measure(f.LastAttackAt, c.clock.Now)
	f.LastAttackAt = c.clock.Now
	if l != nil {
		alarm(f, l)
	}
}

// lands reports whether a strike reaches its target.
func (c *Combat) lands(striker components.Entity, at vec2, side uint8, target components.Entity) bool {
	place, ok := c.target(striker, side, target)
	away := sub(place, at)
	return ok && dot(away, away) <= float32(c.Reach*c.Reach)
}

// target returns where an entity stands that one of a side can attack: one that lives and is hostile. ok is false when
// it cannot.
func (c *Combat) target(attacker components.Entity, side uint8, target components.Entity) (at vec2, ok bool) {
	health, place, faction := c.healths.Get(target), c.places.Get(target), c.sides.Get(target)
	if target == attacker || health == nil || place == nil || faction == nil || health.Current <= 0 {
		return vec2{}, false
	}
	return place.Position, c.relations.Between(side, faction.ID) == Hostile
}

// gone reports whether one that could be attacked is dead or was removed.
func (c *Combat) gone(target components.Entity) bool {
	health := c.healths.Get(target)
	return health == nil || health.Current <= 0
}

// points returns the damage that an order's or a trigger's number means.
func points(number float32, standard int32) int32 {
	if !(number >= 1) { // or NaN
		return standard
	}
	return int32(min(number, 1<<30))
}

// measure notes the time between two strikes or shots of one agent.
func (s *striker) measure(last, now components.Timestamp) {
	if last == 0 {
		return
	}
	if d := now - last; !s.measured || d < s.shortest {
		s.shortest, s.measured = d, true
	}
}

// alarm ranks an agent most important until [Combat.calmSpan] finds the fight over.
func alarm(f *components.Fighter, l *components.LOD) {
	if !f.ImportanceRaised {
		f.ImportanceRaised, f.Importance = true, l.Importance
	}
	l.Importance = 0
}

// calmSpan lets the importance of those fall back who have neither struck nor been hurt for a while.
func (c *Combat) calmSpan(_, task int) {
	span := c.spans[task]
	k := &c.chunks[span.Chunk]
	fighters := ecs.Column[components.Fighter](k, fighterFighter)
	cadences := ecs.Column[components.LOD](k, fighterLOD)
	healths := ecs.Column[components.Health](k, fighterHealth)
	since := c.clock.Now - seconds(c.Alert)
	for i := span.Start; i < span.End; i++ {
		f := &fighters[i]
		if !f.ImportanceRaised || f.LastAttackAt > since || healths != nil && healths[i].HurtAt > since {
			continue
		}
		f.ImportanceRaised = false
		cadences[i].Importance = f.Importance
	}
}

// wound takes points from an agent's health.
func (c *Combat) wound(w *Wound) {
	health := c.healths.Get(w.Target)
	if health == nil || health.Current <= 0 || w.Amount <= 0 {
		return // dead already, or not hurt
	}
	health.Current = int32(max(int64(health.Current)-int64(w.Amount), math.MinInt32))
	health.HurtBy, health.HurtAt = w.By, c.clock.Now
	if cadence := c.cadences.Get(w.Target); cadence != nil {
		c.events.Wake(0, w.Target)
		if fighter := c.records.Get(w.Target); fighter != nil {
			alarm(fighter, cadence)
		}
	}
	if health.Current <= 0 {
		c.die(w.Target, w.By)
	}
}

// die removes an agent and notes whether it comes back.
func (c *Combat) die(victim, killer components.Entity) {
	c.events.Tally(0, Death, 1)
	for _, f := range c.onDeath {
		f(victim, killer)
	}
	c.commands.Queue(0).Remove(victim, victim)
	fighter := c.records.Get(victim)
	if fighter == nil || c.prefabs[fighter.Kind] == nil {
		return
	}
	f := Fallen{Due: c.clock.Now + seconds(c.ReviveTime), Entity: victim, Kind: fighter.Kind}
	if place := c.places.Get(victim); place != nil {
		f.At = place.Position
	}
	if route := c.routes.Get(victim); route != nil {
		f.Route, f.Routed = *route, true
	}
	c.graveyard.Fallen = append(c.graveyard.Fallen, f)
}

// revive queues the return of those whose time has come. Its commands are issued as nobody's.
func (c *Combat) revive() {
	c.returned, c.arrived = slices.Delete(c.returned, 0, c.arrived), 0
	waiting := c.graveyard.Fallen[:0]
	for _, f := range c.graveyard.Fallen {
		if f.Due > c.clock.Now {
			waiting = append(waiting, f)
			continue
		}
		if p := c.prefabs[f.Kind]; p != nil {
			number := c.commands.Queue(0).Spawn(components.Entity{}, p, c.birthplace(&f))
			c.returned = append(c.returned, returned{fallen: f, number: number})
		}
	}
	c.graveyard.Fallen = waiting
}

// birthplace returns where one of the fallen comes back.
func (c *Combat) birthplace(f *Fallen) vec2 {
	key := random.Mix(random.Mix(c.seed, f.Entity.Key()), uint64(f.Due))
	if loop := c.paths.Waypoints(f.Route.ID); f.Routed && loop != nil {
		at := loop[random.Below(key, uint32(len(loop)))]
		if c.world == nil || standable(c.world, at) {
			return at
		}
	}
	if c.world != nil {
		if at, ok := c.world.RandomPoint(key); ok {
			return at
		}
	}
	return f.At
}

// welcome gives an agent that came back what the dead one had. It is called for every spawn, also those of
// others.
func (c *Combat) welcome(_ *arche.World, e components.Entity, _ *ecs.Prefab) {
	number := c.commands.Current()
	// They are carried out in the order of issue; those that a panic in Apply dropped are passed by.
	for c.arrived < len(c.returned) && c.returned[c.arrived].number < number {
		c.arrived++
	}
	if c.arrived == len(c.returned) || c.returned[c.arrived].number != number {
		return
	}
	r := &c.returned[c.arrived]
	c.arrived++
	c.events.Tally(0, Respawn, 1)
	if fighter := c.records.Get(e); fighter != nil {
		fighter.Kind = r.fallen.Kind
	}
	if route := c.routes.Get(e); route != nil && r.fallen.Routed {
		*route = r.fallen.Route
	}
}
