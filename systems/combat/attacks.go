package combat

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// attacks carries out the melee and shoot orders for [System].
//
// Claims are validated in every frame by the attacker's order and the target, and counted again for each target. So
// agents and targets can be removed in any way without leaving a claim. The workers list the valid claims, and the
// lists are added up in a table. Requested claims are then granted in the order of attackers.
type attacks struct {
	combat     *System
	attackers  *ecs.Columns
	attacked   *ecs.Columns
	claims     ecs.Lookup[components.Attack]
	attackedOf ecs.Lookup[components.Attacked]
	intents    ecs.Lookup[components.Intent]

	chunks    []ecs.Chunk
	spans     []ecs.Span
	perWorker []attackWorker
	requests  []claimRequest
	count     ecs.Table[uint8] // claims, by target
	serve     func(worker, task int)
	write     func(worker, task int)

	stats       Stats  // without the counters of the workers
	seed        uint64 // of shots
	unsubscribe func() // of the OnLeave callback
}

// attackWorker is the state of one worker.
type attackWorker struct {
	claims               []components.Entity // the targets of valid claims
	requests             []claimRequest
	highest              uint32 // entity index of the agents that it served
	strikes, shots, hits int64
	_                    [64]byte // no two workers write to one cache line
}

// attacker is the components of an agent whose attack is carried out.
type attacker struct {
	entity  components.Entity
	at      components.Vec2
	faction uint8
	order   *components.Order
	attack  *components.Attack
	ammo    *components.Ammo    // nil without one
	fighter *components.Fighter // nil without one
	lod     *components.LOD     // nil without one
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
	attackPaused
)

func (a *attacks) initialize(w *arche.World, c *System) {
	a.combat = c
	a.attackers = ecs.NewColumns(w, ecs.Need[components.Intent](), ecs.Need[components.Attack](),
		ecs.Need[components.Transform](), ecs.Need[components.Faction](), ecs.Optional[components.Health](),
		ecs.Optional[components.Ammo](), ecs.Optional[components.Fighter](), ecs.Optional[components.LOD](),
		ecs.Optional[components.Paused]())
	a.attacked = ecs.NewColumns(w, ecs.Need[components.Attacked]())
	a.claims = ecs.NewLookup[components.Attack](w)
	a.attackedOf = ecs.NewLookup[components.Attacked](w)
	a.intents = ecs.NewLookup[components.Intent](w)
	a.perWorker = make([]attackWorker, c.workers.Count())
	a.serve, a.write = a.serveSpan, a.writeSpan
	a.stats = Stats{}
	a.seed = random.Mix(c.seed, random.String("shots"))
	a.unsubscribe = c.commands.OnLeave(a.onLeave)
}

func (a *attacks) finalize() {
	scratch.Release(&a.attackers)
	scratch.Release(&a.attacked)
	if a.unsubscribe != nil {
		a.unsubscribe()
		a.unsubscribe = nil
	}
}

// update carries out the attacks of agents that hold a claim, and then grants claims: an agent that gets one strikes
// from the next frame on.
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
	c.workers.Run(len(a.spans), a.write)
	a.attacked.Close()
	a.chunks, a.spans = nil, nil
}

// reserve makes room for every agent to hold a claim or to request one.
func (a *attacks) reserve(agents int) {
	for i := range a.perWorker {
		w := &a.perWorker[i]
		w.claims, w.requests = scratch.Reserve(w.claims, agents), scratch.Reserve(w.requests, agents)
	}
	a.requests = scratch.Reserve(a.requests[:0], agents)
	a.combat.events.Reserve(agents)
}

// serveSpan carries out the orders of a task's agents. It writes to these agents only.
func (a *attacks) serveSpan(worker, task int) {
	span := a.spans[task]
	chunk := &a.chunks[span.Chunk]
	entities := chunk.Entities()
	intents := ecs.Column[components.Intent](chunk, attackIntent)
	claims := ecs.Column[components.Attack](chunk, attackAttack)
	transforms := ecs.Column[components.Transform](chunk, attackTransform)
	factions := ecs.Column[components.Faction](chunk, attackFaction)
	healths := ecs.Column[components.Health](chunk, attackHealth)
	ammo := ecs.Column[components.Ammo](chunk, attackAmmo)
	fighters := ecs.Column[components.Fighter](chunk, attackFighter)
	lods := ecs.Column[components.LOD](chunk, attackLOD)
	paused := chunk.Has(attackPaused)
	actions := &a.combat.actions
	w := &a.perWorker[worker]
	for i := span.Start; i < span.End; i++ {
		w.highest = max(w.highest, entities[i].Index)
		order, attack := &intents[i].Orders[components.Act], &claims[i]
		if paused { // it keeps its claim
			if a.combat.transforms.Get(attack.Target) != nil {
				w.claims = append(w.claims, attack.Target)
			}
			continue
		}
		if order.Action != actions.Melee && order.Action != actions.Shoot || order.Outcome != components.Pending ||
			healths != nil && healths[i].Current <= 0 {
			attack.Target = components.Entity{} // a claim ends with its order
			continue
		}
		agent := attacker{
			entity: entities[i], at: transforms[i].Position, faction: factions[i].ID, order: order, attack: attack,
			ammo: scratch.RowOf(ammo, i), fighter: scratch.RowOf(fighters, i), lod: scratch.RowOf(lods, i),
		}
		a.carryOut(worker, &agent)
		switch {
		case order.Outcome != components.Pending:
			attack.Target = components.Entity{}
		case attack.Target == order.Target:
			w.claims = append(w.claims, attack.Target)
		default:
			attack.Target = components.Entity{}
			w.requests = append(w.requests, claimRequest{agent.entity, order.Target})
		}
	}
}

// carryOut strikes or shoots for an agent if it can, or ends its order. An order that stays pending without a claim on
// the target must request one.
func (a *attacks) carryOut(worker int, agent *attacker) {
	c, order, attack := a.combat, agent.order, agent.attack
	at, ok := c.attackable(agent.entity, agent.faction, order.Target)
	switch {
	case ok:
	case !attack.Target.IsZero() && attack.Serial == order.Serial && c.dead(attack.Target):
		order.Outcome = components.Succeeded // the order may have lost its target when that died
		return
	default:
		order.Outcome = components.Failed
		return
	}
	shoots := order.Action == c.actions.Shoot
	if shoots && (agent.ammo == nil || agent.ammo.Left == 0) {
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
	away := vec.Sub(at, agent.at)
	reach, interval := c.settings.reach, c.settings.strikeInterval
	if shoots {
		reach, interval = c.settings.shots.Range, components.Timestamp(c.settings.shots.Interval)
	}
	d2 := vec.Dot(away, away)
	if !(d2 <= float32(reach*reach)) || shoots && c.world != nil && !c.world.Sees(agent.at, at) {
		if now-max(attack.Since, attack.ReadyAt) >= c.settings.patience {
			order.Outcome = components.Failed
		}
		return
	}
	if n := order.Numbers[1]; n > 0 && elementary.IsFinite(n) {
		interval = setting.RoundedSeconds(n)
	}
	attack.ReadyAt = now + interval
	if shoots {
		a.shoot(worker, agent, vec.Sqrt(d2))
		return
	}
	a.perWorker[worker].strikes++
	c.events.Hurt(worker, agent.entity, order.Target, damageOf(order.Numbers[0], c.settings.damage))
	c.events.Count(worker, eventlist.Strike, 1)
	c.recordAttack(worker, agent.entity, agent.at, c.settings.strikeNoise, agent.fighter, agent.lod)
}
