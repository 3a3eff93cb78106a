package guards

import (
	"cmp"
	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"slices"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/draws"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// framesPerSecond is the rate of the guards' decisions.
const framesPerSecond = 10

// crowd is the guards of one contestant in their own world, and the events between their ticks. Crowds of one size
// and seed whose guards decide equally go through the same events, to the bit.
type crowd struct {
	herd       *systems.Herd
	world      *arche.World
	clock      *frame.Clock
	seed       uint64
	actions    guardtree.Handles
	situations []situation // by guard
	intruders  []arche.Entity

	facts  *generic.Filter3[components.Percept, components.Health, sim.Post]
	orders *generic.Filter1[components.Intent]
	fired  []components.Trigger // of this tick
}

// situation is what happens to a guard.
type situation uint8

const (
	calm situation = iota
	noise
	sighted
	fighting
	lost
	hurt
)

// Shares of the situations, in percent. In each tick the facts of one guard in 10 change, and one change in 5 draws a
// new situation, so a situation lasts five seconds on average.
var shares = [...]uint32{calm: 72, noise: 5, sighted: 8, fighting: 7, lost: 5, hurt: 3}

const (
	changeOneIn       = 10
	situationOneIn    = 5
	outcomeOneIn      = 16 // mean number of ticks of an action
	failureOneIn      = 8  // outcomes
	replacedPerTick   = 2  // intruders that die and are replaced
	guardsPerIntruder = 10
	farFromPost       = 1.08 // times the allowed distance: one guard in 13 is too far from its post
)

// newCrowd creates a world with the resources that systems need, and guards with their components. more adds the
// components that the contestant keeps of a guard.
func newCrowd(agents int, seed uint64, workers int, more ...generic.Comp) *crowd {
	world := arche.NewWorld()
	w := &world
	herd := harness.Must(systems.Install(w, systems.Options{
		FPS: framesPerSecond, Seed: seed, Workers: workers, Actions: guardtree.NewActions(),
	}))
	c := &crowd{
		world:      w,
		herd:       herd,
		clock:      herd.Clock,
		seed:       seed,
		actions:    guardtree.NewHandles(),
		situations: make([]situation, agents),
		facts:      generic.NewFilter3[components.Percept, components.Health, sim.Post](),
		orders:     generic.NewFilter1[components.Intent](),
	}
	ids := []arche.ID{
		arche.ComponentID[components.Percept](w), arche.ComponentID[components.Health](w),
		arche.ComponentID[sim.Post](w), arche.ComponentID[components.Intent](w),
	}
	for _, t := range more {
		ids = append(ids, arche.TypeID(w, t))
	}
	arche.NewBuilder(w, ids...).NewBatch(agents)
	c.facts.Register(w)
	c.orders.Register(w)
	for range max(agents/guardsPerIntruder, replacedPerTick) {
		c.intruders = append(c.intruders, w.NewEntity())
	}
	c.clock.Advance()
	c.initialFacts()
	return c
}

// close ends the world's workers.
func (c *crowd) close() { c.herd.Close() }

// initialFacts gives every guard its first facts.
func (c *crowd) initialFacts() {
	query := c.facts.Query(c.world)
	for i := 0; query.Next(); i++ {
		percept, health, post := query.Get()
		draw := c.draw(uint64(i))
		c.situations[i] = drawSituation(&draw)
		c.beginSituation(c.situations[i], &draw, percept, health, post)
	}
}

// between runs the events between two ticks: actions end, time passes, intruders die and the facts of some guards
// change.
func (c *crowd) between(advance func(*frame.Clock)) {
	c.endActions()
	advance(c.clock)
	for k := range replacedPerTick {
		i := (int(c.clock.Frame)*replacedPerTick + k) % len(c.intruders)
		c.world.RemoveEntity(c.intruders[i])
		c.intruders[i] = c.world.NewEntity()
	}
	c.changeFacts()
}

// triggers returns the triggers of this tick: strikes, then shouts, each in the order of the guards and of one guard in
// the order of firing.
func (c *crowd) triggers() []components.Trigger {
	for _, action := range [...]components.Action{c.actions.Strike, c.actions.Shout} {
		c.fired = append(c.fired, c.herd.Triggers.Take(action)...)
	}
	slices.SortStableFunc(c.fired, func(a, b components.Trigger) int {
		return cmp.Or(cmp.Compare(a.Action, b.Action), a.Agent.Compare(b.Agent))
	})
	return c.fired
}

// endActions ends some of the pending actions and consumes the triggers. An outcome depends on guard, serial and frame
// alone: guards with equal intents get equal outcomes.
func (c *crowd) endActions() {
	c.triggers()
	c.fired = c.fired[:0]
	query := c.orders.Query(c.world)
	for query.Next() {
		intent := query.Get()
		for i := range intent.Orders {
			o := &intent.Orders[i]
			if o.Action == 0 {
				continue
			}
			h := c.draw(uint64(query.Entity().ID())<<16 | uint64(o.Serial))
			if h.Below(outcomeOneIn) != 0 {
				continue
			}
			o.Outcome = components.Succeeded
			if h.Below(failureOneIn) == 0 {
				o.Outcome = components.Failed
			}
		}
	}
}

// changeFacts changes the facts of some guards.
func (c *crowd) changeFacts() {
	query := c.facts.Query(c.world)
	for i := 0; query.Next(); i++ {
		draw := c.draw(uint64(i) | 1<<48)
		if draw.Below(changeOneIn) != 0 {
			continue
		}
		percept, health, post := query.Get()
		if draw.Below(situationOneIn) == 0 {
			c.situations[i] = drawSituation(&draw)
			c.beginSituation(c.situations[i], &draw, percept, health, post)
		} else {
			c.continueSituation(c.situations[i], &draw, percept, post)
		}
	}
}

// beginSituation sets a guard's facts for a situation.
func (c *crowd) beginSituation(
	s situation, draw *draws.Stream, percept *components.Percept, health *components.Health, post *sim.Post,
) {
	noiseBefore, noiseAt := percept.Noise, percept.NoiseAt
	*percept = components.Percept{Distance: 100, Noise: noiseBefore, NoiseAt: noiseAt}
	*health = components.Health{Current: 30 + int32(draw.Below(71)), Max: 100}
	post.Position = draw.Point()
	post.Distance = draw.Between(0, scenario.GuardRouteTolerance*farFromPost)
	switch s {
	case noise:
		percept.Noise, percept.NoiseAt = draw.Point(), c.clock.Now
	case sighted:
		c.setTarget(draw, percept, draw.Between(2, 20))
	case fighting:
		c.setTarget(draw, percept, draw.Between(0.5, 1.5))
	case lost:
		c.setTarget(draw, percept, draw.Between(5, 30))
		percept.Visible = false
	case hurt:
		c.setTarget(draw, percept, draw.Between(2, 25))
		percept.Visible = draw.Below(2) == 0
		health.Current = 1 + int32(draw.Below(29))
	}
}

func (c *crowd) setTarget(draw *draws.Stream, percept *components.Percept, distance float32) {
	percept.Target = ecs.FromArche(c.intruders[draw.Below(uint32(len(c.intruders)))])
	percept.LastKnown, percept.SeenAt = draw.Point(), c.clock.Now
	percept.Distance, percept.Belief, percept.Visible = distance, 1, true
}

// continueSituation changes a guard's facts within its situation.
func (c *crowd) continueSituation(s situation, draw *draws.Stream, percept *components.Percept, post *sim.Post) {
	post.Distance = max(post.Distance+draw.Between(-1, 1), 0)
	switch s {
	case sighted: // the guard comes nearer
		percept.Distance = max(percept.Distance-draw.Between(0, 5), 1)
		percept.LastKnown = draw.Point()
	case fighting: // the intruder steps back and forth
		percept.Distance = draw.Between(0.5, 2)
		percept.LastKnown = draw.Point()
	case hurt: // the guard gets away
		percept.Distance += draw.Between(0, 5)
		percept.LastKnown = draw.Point()
	case lost:
		percept.Belief /= 2
	}
}

// draw returns the stream of a key in this frame.
func (c *crowd) draw(key uint64) draws.Stream {
	return draws.NewStream(c.seed, key, uint64(c.clock.Frame))
}

func drawSituation(draw *draws.Stream) situation {
	percent := draw.Below(100)
	for i, share := range shares {
		if percent < share {
			return situation(i)
		}
		percent -= share
	}
	return calm
}
