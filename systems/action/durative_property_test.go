package action_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// Dig and Hum are the states of the two actions of the crowd, Mood its facts.
type (
	Dig  struct{ Updates int32 }
	Hum  struct{ Pad, Updates int32 }
	Mood struct{ Digs, Hums bool }
)

var (
	digs = blackboard.BoolFact("digs", func(m *Mood) *bool { return &m.Digs }, false)
	hums = blackboard.BoolFact("hums", func(m *Mood) *bool { return &m.Hums }, false)
)

// call is a call of a function of an action for one agent.
type call struct {
	frame   uint32
	what    string // begin, update or abort
	entity  components.Entity
	order   components.Order // without its outcome
	updates int32            // in the state: before a begin, after an update
}

// verdict is the outcome of an agent's order after a number of updates; it depends on nothing else.
func verdict(e components.Entity, serial uint16, updates int32) components.Outcome {
	switch lasts := int32((e.Index*7 + e.Generation*5 + uint32(serial)*13) % 9); {
	case lasts == 0 || updates < lasts: // 0 is for ever
		return components.Pending
	case lasts%2 == 0:
		return components.Failed
	}
	return components.Succeeded
}

// crowd is a herd with two actions, whose calls are compared with those that a plain model of each agent expects.
type crowd struct {
	herd     *systems.Herd
	durative [2]interface{ Stats() action.Stats }
	actions  [2]components.Action
	trees    []ai.Tree
	plain    [2]map[components.Entity]*plainRun // what each agent does, by action
	expected [2][]call
	actual   [2][]call
	stripped map[components.Entity]bool // agents that lose their Dig
}

// plainRun is an order under way in the model.
type plainRun struct {
	order   components.Order
	updates int32
}

func newCrowd(t require.TestingT, workers int) *crowd {
	w := arche.NewWorld()
	h, err := systems.Install(&w, systems.Options{FPS: 20, Workers: workers, Seed: 3})
	require.NoError(t, err)
	h.Perception, h.Needs, h.Movement, h.Combat = nil, nil, nil, nil
	h.SetObservers(components.Vec2{})
	c := &crowd{herd: h, stripped: map[components.Entity]bool{},
		plain: [2]map[components.Entity]*plainRun{{}, {}}}
	h.After(systems.ActionStage, ecs.SystemFunc(func(*arche.World) { c.expect() })) // before the two
	dig := action.NewAgentDurative("dig", components.Act, action.AgentSteps[Dig]{
		Begin: func(a action.Agent, d *Dig) {
			c.record(0, "begin", a.Entity, a.Order, d.Updates)
			d.Updates = 0
		},
		Update: func(a action.Agent, d *Dig) components.Outcome {
			d.Updates++
			c.record(0, "update", a.Entity, a.Order, d.Updates)
			return verdict(a.Entity, a.Order.Serial, d.Updates)
		},
		Abort: func(a action.Agent, d *Dig) {
			c.record(0, "abort", a.Entity, a.Order, d.Updates)
			d.Updates = -1
		},
	})
	hum := action.NewDurative("hum", components.Move, humSteps(c))
	require.NoError(t, h.AddAction(dig))
	require.NoError(t, h.AddAction(hum))
	c.durative[0], c.durative[1] = dig, hum
	c.actions[0], _ = h.Actions.Lookup("dig")
	c.actions[1], _ = h.Actions.Lookup("hum")
	c.herd.Commands.OnLeave(func(_ *arche.World, e components.Entity, _ ecs.LeaveReason) { c.expectAborted(e) })
	do := func(name string, number float32) *aitree.Node { return aitree.Do(name, aitree.NumberOf(0, number)) }
	c.trees = []ai.Tree{
		addTree(t, h, "idle", aitree.Wait(100*time.Millisecond)),
		addTree(t, h, "moody", aitree.Repeat(0, aitree.ForceSuccess(aitree.ReactiveSelector(
			aitree.Guard(aitree.True(digs), do("dig", 1)), aitree.Guard(aitree.True(hums), do("hum", 2)),
			aitree.Parallel(aitree.All, aitree.One, do("dig", 3), do("hum", 4)))))),
		addTree(t, h, "steady", aitree.Sequence(aitree.ForceSuccess(do("dig", 5)),
			aitree.WaitBetween(0, 300*time.Millisecond), do("hum", 6), do("hum", 7))),
	}
	return c
}

// humSteps are those of an action in batches.
func humSteps(c *crowd) action.Steps[Hum] {
	return action.Steps[Hum]{
		Parallel: true, // the crowd is one task, so one worker calls at a time
		Begin: func(b *action.Batch, states []*Hum) {
			for i, s := range states {
				c.record(1, "begin", b.Entities[i], b.Orders[i], s.Updates)
				s.Updates = 0
			}
		},
		Update: func(b *action.Batch, states []*Hum) (succeeded, failed uint64) {
			for i, s := range states {
				s.Updates++
				c.record(1, "update", b.Entities[i], b.Orders[i], s.Updates)
				switch verdict(b.Entities[i], b.Orders[i].Serial, s.Updates) {
				case components.Succeeded:
					succeeded |= 1 << i
				case components.Failed:
					failed |= 1 << i
				}
			}
			return succeeded, failed
		},
		Abort: func(b *action.Batch, states []*Hum) {
			for i, s := range states {
				c.record(1, "abort", b.Entities[i], b.Orders[i], s.Updates)
				s.Updates = -1
			}
		},
	}
}

func (c *crowd) record(which int, what string, e components.Entity, o components.Order, updates int32) {
	o.Outcome = components.Pending
	if what == "begin" {
		updates = 0 // whatever an earlier run left
	}
	c.actual[which] = append(c.actual[which], call{c.herd.Clock.Frame, what, e, o, updates})
}

// expect notes the calls of a frame, agent by agent, in the order of entities.
func (c *crowd) expect() {
	w := c.herd.World()
	var all []components.Entity
	for q := w.Query(arche.All(arche.ComponentID[components.Intent](w))); q.Next(); {
		all = append(all, ecs.FromArche(q.Entity()))
	}
	slices.SortFunc(all, components.Entity.Compare)
	for which, channel := range []components.Channel{components.Act, components.Move} {
		running := c.plain[which]
		standing := map[components.Entity]components.Order{}
		for _, e := range all {
			o := ecs.Get[components.Intent](w, e).Orders[channel]
			if o.Action == c.actions[which] && o.Outcome == components.Pending {
				standing[e] = o
			}
		}
		for _, e := range sortedKeys(running) {
			if o, stands := standing[e]; !stands || o.Serial != running[e].order.Serial {
				c.note(which, "abort", e)
				delete(running, e)
			}
		}
		var fresh []components.Entity
		for _, e := range sortedKeys(standing) {
			if running[e] == nil {
				running[e] = &plainRun{}
				fresh = append(fresh, e)
			}
			running[e].order = standing[e]
		}
		for _, e := range fresh {
			c.note(which, "begin", e)
		}
		for _, e := range sortedKeys(running) {
			r := running[e]
			r.updates++
			c.note(which, "update", e)
			if verdict(e, r.order.Serial, r.updates) != components.Pending {
				delete(running, e)
			}
		}
	}
}

func (c *crowd) expectAborted(e components.Entity) {
	for which := range c.plain {
		if c.plain[which][e] != nil {
			c.note(which, "abort", e)
			delete(c.plain[which], e)
		}
	}
}

func (c *crowd) note(which int, what string, e components.Entity) {
	r := c.plain[which][e]
	c.expected[which] = append(c.expected[which], call{c.herd.Clock.Frame, what, e, r.order, r.updates})
}

func sortedKeys[V any](m map[components.Entity]V) []components.Entity {
	keys := make([]components.Entity, 0, len(m))
	for e := range m {
		keys = append(keys, e)
	}
	slices.SortFunc(keys, components.Entity.Compare)
	return keys
}

// spawn makes an agent with everything, at some distance from the observer.
func (c *crowd) spawn(tree int, x float32) {
	c.herd.Prefab(c.trees[tree], Dig{}, Hum{}, Mood{}, systems.Walker(0.3, 1)).
		SpawnNow(c.herd.World(), 1, func(_ int, e components.Entity) {
			ecs.Get[components.Transform](c.herd.World(), e).Position.X = x
		})
}

// agents returns the agents in order.
func (c *crowd) agents() (all []components.Entity) {
	w := c.herd.World()
	for q := w.Query(arche.All(arche.ComponentID[Mood](w))); q.Next(); {
		all = append(all, ecs.FromArche(q.Entity()))
	}
	slices.SortFunc(all, components.Entity.Compare)
	return all
}

// The kinds of churn between two frames.
const (
	changeMood = iota
	swapTree
	removeByCommand
	removeDirectly
	resetMind
	stripByCommand // and swaps to a tree that needs no state
	restore
	spawnAgent
	churns
)

func (c *crowd) churn(kind int, e components.Entity, draw func(n int) int) {
	w, queue := c.herd.World(), c.herd.Commands.Queue(0)
	switch kind {
	case changeMood:
		*ecs.Get[Mood](w, e) = Mood{Digs: draw(2) == 0, Hums: draw(2) == 0}
	case swapTree:
		if !c.stripped[e] {
			c.herd.Swap(e, c.trees[draw(len(c.trees))])
		}
	case removeByCommand:
		queue.Remove(e, e)
	case removeDirectly:
		w.RemoveEntity(ecs.ToArche(e))
	case resetMind:
		c.herd.AI.Reset(e)
	case stripByCommand:
		c.stripped[e] = true
		ecs.Drop[Dig](queue, e, e)
		c.herd.Swap(e, c.trees[0])
	case restore:
		if c.stripped[e] {
			delete(c.stripped, e)
			ecs.Assign(queue, e, e, Dig{})
			c.herd.Swap(e, c.trees[1])
		}
	case spawnAgent:
		c.spawn(draw(len(c.trees)), float32(draw(150)))
	}
}

// Whatever happens to the agents, each beginning has one end, and the calls are those of the plain model.
func TestEachBeginningHasOneEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd(t, rapid.IntRange(1, 3).Draw(t, "workers"))
		defer c.herd.Close()
		draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
		for range 12 {
			c.spawn(draw(len(c.trees)), float32(draw(150)))
		}
		for range 60 {
			for range draw(4) {
				if agents := c.agents(); len(agents) > 0 {
					c.churn(draw(churns), agents[draw(len(agents))], draw)
				}
			}
			c.herd.Step()
			require.Equal(t, c.expected, c.actual)
		}
		for _, e := range c.agents() {
			c.herd.Commands.Queue(0).Remove(e, e)
		}
		c.herd.Step()
		require.Equal(t, c.expected, c.actual)
		requireEnded(t, c)
	})
}

// requireEnded checks that each agent has ended what it began.
func requireEnded(t require.TestingT, c *crowd) {
	for which, calls := range c.actual {
		open, ends := map[components.Entity]int{}, int64(0)
		for _, k := range calls {
			switch {
			case k.what == "begin":
				open[k.entity]++
			case k.what == "abort", verdict(k.entity, k.order.Serial, k.updates) != components.Pending:
				open[k.entity]--
				ends++
			}
			require.GreaterOrEqual(t, open[k.entity], 0)
			require.LessOrEqual(t, open[k.entity], 1)
		}
		for e, n := range open {
			require.Zero(t, n, "agent %v, action %d", e, which)
		}
		stats := c.durative[which].Stats()
		require.Zero(t, stats.Running())
		require.Equal(t, ends, stats.Begun)
	}
}

// The number of workers changes neither the calls nor the world.
func TestActionsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	run := func(workers int) (string, uint64) {
		c := newCrowd(t, workers)
		defer c.herd.Close()
		state := uint32(1)
		draw := func(n int) int {
			state = state*1664525 + 1013904223
			return int(state>>16) % n
		}
		for range 200 {
			c.spawn(draw(len(c.trees)), float32(draw(150)))
		}
		for range 100 {
			for range 10 {
				agents := c.agents()
				c.churn(draw(churns), agents[draw(len(agents))], draw)
			}
			c.herd.Step()
		}
		return fmt.Sprint(c.actual), ecs.Hash(c.herd.World())
	}
	calls, hash := run(1)
	for _, workers := range []int{2, 5} {
		again, hashAgain := run(workers)
		require.Equal(t, calls, again)
		require.Equal(t, hash, hashAgain)
	}
}
