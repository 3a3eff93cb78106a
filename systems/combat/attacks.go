package combat

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Shots are the settings of ranged attacks.
type Shots struct {
	Damage   int32   // points of a hit without a number, 0 or more
	Range    float32 // metres, above 0
	Interval float32 // seconds between two shots without a number, above 0
	Near     float32 // chance of a hit at no distance, 0…1
	Far      float32 // chance of a hit at Range; between the two it is a straight line
	Noise    float32 // loudness of a shot: the metres it carries; 0 is silent
}

// DefaultShots returns shots of 10 points up to 14 metres, one in 1.5 seconds, of which 9 in 10 hit at no distance and
// 3 in 10 at the range.
func DefaultShots() Shots {
	return Shots{Damage: 10, Range: 14, Interval: 1.5, Near: 0.9, Far: 0.3, Noise: 30}
}

// require panics, naming the field, when a setting is out of range.
func (s *Shots) require(who string) {
	if s.Damage < 0 {
		panic(fmt.Sprintf("%s: Shots.Damage is %d; it must not be negative", who, s.Damage))
	}
	setting.RequireSetting(who, "Shots.Range", s.Range)
	setting.RequireSetting(who, "Shots.Interval", s.Interval)
	setting.RequireSetting(who, "Shots.Noise", s.Noise)
	if s.Range == 0 || s.Interval == 0 {
		panic(fmt.Sprintf("%s: Shots of range %v and interval %v; both must be above 0; begin with DefaultShots",
			who, s.Range, s.Interval))
	}
	if !(s.Near >= 0 && s.Near <= 1 && s.Far >= 0 && s.Far <= 1) {
		panic(fmt.Sprintf("%s: Shots.Near is %v and Shots.Far %v; use chances of 0 to 1", who, s.Near, s.Far))
	}
}

// Stats are what the durative attacks came to since the start.
type Stats struct {
	Strikes       int64 // of melees; each landed
	Shots         int64 // each a round of ammunition
	Hits          int64 // shots that hit
	Granted       int64 // claims
	Refused       int64 // claims, for want of a place
	MostAttackers int   // that held claims on one target at a time
}

// attacks carries out the durative attacks for [System].
//
// Whether a claim stands is found out anew in every frame, from the attacker's order and the target, and the claims on
// each target are counted anew. So nothing is left behind by whatever way an attacker or a target goes, and a count
// needs no upkeep: it is an array by entity index, into which the workers' lists of standing claims are added up.
// Claims that are asked for then come in the order of attackers.
type attacks struct {
	combat    *System
	attackers *ecs.Columns
	attacked  *ecs.Columns
	claims    ecs.Lookup[components.Attack]
	marks     ecs.Lookup[components.Attacked]
	intents   ecs.Lookup[components.Intent]

	chunks []ecs.Chunk
	spans  []ecs.Span
	crew   []attackWorker
	bids   []bid
	count  []uint8 // claims, by the target's entity index
	serve  func(worker, task int)
	mark   func(worker, task int)

	counts Stats  // but for what the workers count
	seed   uint64 // of shots
	remove func() // of the OnLeave callback
}

// attackWorker is what a worker keeps.
type attackWorker struct {
	held                 []components.Entity // the targets of claims that stand
	bids                 []bid
	highest              uint32 // entity index of those it served
	strikes, shots, hits int64
	_                    [64]byte // no two workers write to one cache line
}

// bid is a claim that is asked for.
type bid struct{ attacker, target components.Entity }

func (b bid) compare(o bid) int { return b.attacker.Compare(o.attacker) }

// attacker is an agent with an attack while it is being served.
type attacker struct {
	entity  components.Entity
	at      components.Vec2
	side    uint8
	order   *components.Order
	attack  *components.Attack
	ammo    *components.Ammo    // nil without one
	fighter *components.Fighter // nil without one
	cadence *components.LOD     // nil without one
}

// Terms of the columns.
const (
	attackIntent = iota
	attackAttack
	attackTransform
	attackFaction
	attackHealth
	attackAmmo
	attackFighter
	attackLOD
)

func (a *attacks) initialize(w *arche.World, c *System) {
	a.combat = c
	a.attackers = ecs.NewColumns(w, ecs.Need[components.Intent](), ecs.Need[components.Attack](),
		ecs.Need[components.Transform](), ecs.Need[components.Faction](), ecs.Optional[components.Health](),
		ecs.Optional[components.Ammo](), ecs.Optional[components.Fighter](), ecs.Optional[components.LOD]())
	a.attacked = ecs.NewColumns(w, ecs.Need[components.Attacked]())
	a.claims = ecs.NewLookup[components.Attack](w)
	a.marks = ecs.NewLookup[components.Attacked](w)
	a.intents = ecs.NewLookup[components.Intent](w)
	a.crew = make([]attackWorker, c.workers.Count())
	a.serve, a.mark = a.serveSpan, a.markSpan
	a.counts = Stats{}
	a.seed = random.Mix(c.seed, random.String("shots"))
	a.remove = c.commands.OnLeave(a.leave)
}

func (a *attacks) finalize() {
	scratch.Release(&a.attackers)
	scratch.Release(&a.attacked)
	if a.remove != nil {
		a.remove()
		a.remove = nil
	}
}

// update carries out the attacks of those who hold a claim, and then grants claims: who gets one strikes from the next
// frame on.
func (a *attacks) update() {
	c := a.combat
	a.chunks = a.attackers.Open()
	a.reserve(a.attackers.Len())
	a.spans = a.attackers.Spans(combatRows)
	c.workers.Run(len(a.spans), a.serve)
	a.attackers.Close()

	a.grant()

	a.chunks = a.attacked.Open()
	a.spans = a.attacked.Spans(combatRows)
	c.workers.Run(len(a.spans), a.mark)
	a.attacked.Close()
	a.chunks, a.spans = nil, nil
}

// reserve makes room for everyone to hold a claim or to ask for one.
func (a *attacks) reserve(agents int) {
	for i := range a.crew {
		w := &a.crew[i]
		w.held, w.bids = scratch.Reserve(w.held, agents), scratch.Reserve(w.bids, agents)
	}
	a.bids = scratch.Reserve(a.bids[:0], agents)
	a.combat.events.Reserve(agents)
}

// serveSpan serves the agents of a task. It writes what is theirs alone.
func (a *attacks) serveSpan(worker, task int) {
	span := a.spans[task]
	k := &a.chunks[span.Chunk]
	entities := k.Entities()
	intents := ecs.Column[components.Intent](k, attackIntent)
	claims := ecs.Column[components.Attack](k, attackAttack)
	transforms := ecs.Column[components.Transform](k, attackTransform)
	factions := ecs.Column[components.Faction](k, attackFaction)
	healths := ecs.Column[components.Health](k, attackHealth)
	ammo := ecs.Column[components.Ammo](k, attackAmmo)
	fighters := ecs.Column[components.Fighter](k, attackFighter)
	cadences := ecs.Column[components.LOD](k, attackLOD)
	actions := &a.combat.actions
	w := &a.crew[worker]
	for i := span.Start; i < span.End; i++ {
		w.highest = max(w.highest, entities[i].Index)
		order, attack := &intents[i].Orders[components.Act], &claims[i]
		if order.Action != actions.Melee && order.Action != actions.Shoot || order.Outcome != components.Pending ||
			healths != nil && healths[i].Current <= 0 {
			attack.Target = components.Entity{} // a claim ends with its order
			continue
		}
		one := attacker{
			entity: entities[i], at: transforms[i].Position, side: factions[i].ID, order: order, attack: attack,
			ammo: scratch.RowOf(ammo, i), fighter: scratch.RowOf(fighters, i), cadence: scratch.RowOf(cadences, i),
		}
		a.attend(worker, &one)
		switch {
		case order.Outcome != components.Pending:
			attack.Target = components.Entity{}
		case attack.Target == order.Target:
			w.held = append(w.held, attack.Target)
		default:
			attack.Target = components.Entity{}
			w.bids = append(w.bids, bid{one.entity, order.Target})
		}
	}
}

// attend lets an agent get on with its attack, or reports that it is over. One that it leaves pending without a claim
// on the order's target has to ask for it.
func (a *attacks) attend(worker int, one *attacker) {
	c, order, attack := a.combat, one.order, one.attack
	at, ok := c.target(one.entity, one.side, order.Target)
	switch {
	case ok:
	case !attack.Target.IsZero() && attack.Serial == order.Serial && c.gone(attack.Target):
		order.Outcome = components.Succeeded // a target that died may read as none by now
		return
	default:
		order.Outcome = components.Failed
		return
	}
	shoots := order.Action == c.actions.Shoot
	if shoots && (one.ammo == nil || one.ammo.Left == 0) {
		order.Outcome = components.Failed
		return
	}
	if attack.Target != order.Target {
		return
	}
	now := c.clock.Now
	if attack.Serial != order.Serial { // another attack on the same target
		attack.Serial, attack.Since = order.Serial, now
	}
	if now < attack.ReadyAt {
		return
	}
	away := vec.Sub(at, one.at)
	reach, interval := c.Reach, c.Interval
	if shoots {
		reach, interval = c.Shots.Range, c.Shots.Interval
	}
	d2 := vec.Dot(away, away)
	if !(d2 <= float32(reach*reach)) || shoots && c.world != nil && !c.world.Sees(one.at, at) {
		if now-max(attack.Since, attack.ReadyAt) >= setting.Microseconds(c.Patience) {
			order.Outcome = components.Failed
		}
		return
	}
	if n := order.Numbers[1]; n > 0 && vec.IsFinite(n) {
		interval = n
	}
	attack.ReadyAt = now + setting.Microseconds(interval)
	if shoots {
		a.shoot(worker, one, vec.Sqrt(d2))
		return
	}
	a.crew[worker].strikes++
	c.events.Hurt(worker, one.entity, order.Target, points(order.Numbers[0], c.Damage))
	c.events.Tally(worker, frame.Strike, 1)
	c.fought(worker, one.entity, one.at, c.Clash, one.fighter, one.cadence)
}

// shoot fires a round at the order's target, from a distance in metres.
func (a *attacks) shoot(worker int, one *attacker, distance float32) {
	c, w, shots := a.combat, &a.crew[worker], &a.combat.Shots
	one.ammo.Set(one.ammo.Left - 1)
	w.shots++
	chance := shots.Near + float32((shots.Far-shots.Near)*(distance/shots.Range))
	draw := random.Mix(random.Mix(a.seed, one.entity.Key()), uint64(c.clock.Now))
	if random.Unit(draw) < chance {
		w.hits++
		c.events.Hurt(worker, one.entity, one.order.Target, points(one.order.Numbers[0], shots.Damage))
	}
	c.fought(worker, one.entity, one.at, shots.Noise, one.fighter, one.cadence)
}

// grant counts the claims that stand and grants those that are asked for, in the order of attackers, while the target
// has a place.
func (a *attacks) grant() {
	c := a.combat
	clear(a.count)
	for i := range a.crew {
		w := &a.crew[i]
		a.extend(w.highest) // most targets are attackers themselves
		for _, target := range w.held {
			a.add(target)
		}
		w.held = w.held[:0]
	}
	a.bids = scratch.Merge(a.bids, a.crew, func(w *attackWorker) *[]bid { return &w.bids }, bid.compare)
	for _, b := range a.bids {
		order, attack := &a.intents.Get(b.attacker).Orders[components.Act], a.claims.Get(b.attacker)
		if a.claimsOn(b.target) >= c.MaxAttackers {
			order.Outcome = components.Failed
			a.counts.Refused++
			continue
		}
		attack.Target, attack.Serial, attack.Since = b.target, order.Serial, c.clock.Now
		a.add(b.target)
		a.counts.Granted++
	}
}

// add counts a claim.
func (a *attacks) add(target components.Entity) {
	a.extend(target.Index)
	n := &a.count[target.Index]
	*n = min(*n, 254) + 1
	a.counts.MostAttackers = max(a.counts.MostAttackers, int(*n))
}

// extend makes the counts reach up to an entity index.
func (a *attacks) extend(index uint32) {
	if more := int(index) + 1 - len(a.count); more > 0 {
		a.count = append(a.count, make([]uint8, more)...)
	}
}

// claimsOn returns how many claims on an entity stand. Nobody holds one on an entity that is gone, so the index
// suffices.
func (a *attacks) claimsOn(e components.Entity) uint8 {
	if int(e.Index) >= len(a.count) {
		return 0
	}
	return a.count[e.Index]
}

// markSpan writes the counts.
func (a *attacks) markSpan(_, task int) {
	span := a.spans[task]
	k := &a.chunks[span.Chunk]
	marks := ecs.Column[components.Attacked](k, 0)
	for i, e := range k.Entities()[span.Start:span.End] {
		marks[span.Start+i].Count = a.claimsOn(e)
	}
}

// leave gives up the claim of an agent that goes or changes its mind, so that the counts of a frame hold after its
// commands too.
func (a *attacks) leave(_ *arche.World, e components.Entity, _ ecs.LeaveReason) {
	attack := a.claims.Get(e)
	if attack == nil || attack.Target.IsZero() {
		return
	}
	// One that has lost what an attacker needs was not counted in this frame.
	counted := a.intents.Get(e) != nil && a.combat.places.Get(e) != nil && a.combat.sides.Get(e) != nil
	if mark := a.marks.Get(attack.Target); mark != nil && mark.Count > 0 && counted {
		mark.Count--
	}
	attack.Target = components.Entity{}
}

// sum returns the counts so far.
func (a *attacks) sum() Stats {
	sum := a.counts
	for i := range a.crew {
		w := &a.crew[i]
		sum.Strikes += w.strikes
		sum.Shots += w.shots
		sum.Hits += w.hits
	}
	return sum
}
