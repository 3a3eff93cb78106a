package ai_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

// A churn is a world in which hundreds of agents a frame come, go, change archetypes and trees. The model knows when
// each began its present life; the trees report what they do, by entity index, so a mind that a life before left
// something in is found out.
type churn struct {
	*AiWorld
	rng     *rand.Rand
	prefabs []*ecs.Prefab
	agents  []components.Entity
	life    map[components.Entity]uint32 // the frame in which an agent's present tree ticks first

	// Written by the trees, by entity index.
	born, grown, looped []uint32 // frames
	stale               atomic.Int64

	enters  []int
	exits   []int
	open    map[components.Entity]uint64 // by leaf
	balance int                          // faults
}

const churnAgents = 100

// The trees take their time in whole frames of 60 a second.
const (
	growth = 3 // frames of the wait
	rounds = 4 // of the loop, one a frame
)

func newChurn(t *testing.T, workers int) *churn {
	const indices = 4096
	c := &churn{
		AiWorld: NewAIWorld(t, workers), rng: rand.New(rand.NewPCG(3, 4)), life: map[components.Entity]uint32{},
		born: make([]uint32, indices), grown: make([]uint32, indices), looped: make([]uint32, indices),
		open: map[components.Entity]uint64{},
	}
	c.Commands.OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) { c.arrive(e) })
	for i, keeps := range []int{1, 20, 40} {
		number := c.Program([]string{"small", "medium", "large"}[i], c.tree(keeps))
		mind := c.Programs.Mind(ai.Tree(number))
		for _, extra := range [][]any{{}, {RedTag{}}, {BlueTag{}, Feelings{}}} {
			c.prefabs = append(c.prefabs, ecs.NewPrefab(c.World, append(extra, mind, components.Intent{})...))
		}
	}
	c.Start()
	for range churnAgents {
		c.Commands.Queue(0).Spawn(components.Entity{}, c.prefabs[c.rng.IntN(len(c.prefabs))], components.Vec2{})
	}
	c.Commands.Apply(c.World)
	return c
}

// instant is a leaf that notes the frame by entity index.
func (c *churn) instant(name string, table []uint32) *aitree.Node {
	return aitree.AgentLeaf(name, func(a aitree.Agent) aitree.Status {
		table[a.Entity().Index] = c.Clock.Frame
		if name == "born" {
			c.grown[a.Entity().Index], c.looped[a.Entity().Index] = 0, 0
		}
		return aitree.Success
	})
}

// tree passes its cooldown once in a life. Then one branch waits, another loops, one keeps words, one holds an order.
func (c *churn) tree(keeps int) *aitree.Node {
	return aitree.Sequence(
		aitree.Cooldown(2000*time.Second, c.instant("born", c.born)),
		aitree.Parallel(aitree.All, aitree.All,
			aitree.Sequence(c.counted(aitree.Wait(growth*time.Second/60)), c.instant("grown", c.grown),
				c.counted(aitree.Do("walk"))),
			aitree.Sequence(
				aitree.Repeat(rounds, aitree.Check(aitree.Equal(Count, count0))),
				c.instant("looped", c.looped), aitree.Fire("bang"), c.counted(aitree.Do("aim")),
			),
			aitree.Sequence( // the two share their words
				aitree.Leaf("scribble", c.keep(true)).Keeps(keeps),
				c.counted(aitree.Leaf("keep", c.keep(false)).Keeps(keeps)),
			),
		).Latched(),
	)
}

// keep is a leaf that fills its words, which it must find empty when it is entered, and moves its agent to another
// archetype now and then, from whichever worker serves it.
func (c *churn) keep(done bool) aitree.LeafFunc {
	return func(x *blackboard.Context) (success, running uint64) {
		queue := x.User.(*ecs.Queue)
		for lane := range 64 {
			if x.Mask>>lane&1 == 0 {
				continue
			}
			for i, word := range x.State(lane) {
				if x.Entering>>lane&1 != 0 && word != 0 {
					c.stale.Add(1)
				}
				x.State(lane)[i] = ^uint32(0)
			}
			if e := x.Entities[lane]; (e.Index+c.Clock.Frame)%9 == 0 {
				ecs.Assign(queue, e, e, RedTag{})
			}
		}
		if done {
			return x.Mask, 0
		}
		return 0, x.Mask
	}
}

// count0 is the default of the fact count, which most agents lack.
const count0 = -1

// counted gives a leaf hooks that keep account.
func (c *churn) counted(leaf *aitree.Node) *aitree.Node {
	i := len(c.enters)
	c.enters, c.exits = append(c.enters, 0), append(c.exits, 0)
	return leaf.OnEnter(func(e components.Entity) {
		c.enters[i]++
		if c.open[e]>>i&1 != 0 {
			c.balance++
		}
		c.open[e] |= 1 << i
	}).OnExit(func(e components.Entity, _ aitree.Exit) {
		c.exits[i]++
		if c.open[e]>>i&1 == 0 {
			c.balance++
		}
		if c.open[e] &^= 1 << i; c.open[e] == 0 {
			delete(c.open, e)
		}
	})
}

// arrive begins an agent's life.
func (c *churn) arrive(e components.Entity) {
	c.agents = append(c.agents, e)
	c.life[e] = c.Clock.Frame + 1
	if f := ecs.Get[Feelings](c.World, e); f != nil {
		f.Count = count0
	}
}

func (c *churn) someone() components.Entity { return c.agents[c.rng.IntN(len(c.agents))] }

// change queues and makes the changes of a frame and returns how many.
func (c *churn) change() (changes int) {
	q := c.Commands.Queue(0)
	for range 40 {
		e := c.someone()
		q.Remove(e, e)
		changes++
	}
	for range 80 {
		e := c.someone()
		switch c.rng.IntN(4) {
		case 0:
			ecs.Assign(q, e, e, BlueTag{})
		case 1:
			ecs.Drop[BlueTag](q, e, e)
		case 2:
			ecs.Assign(q, e, e, Feelings{Count: count0})
		case 3:
			ecs.Drop[Feelings](q, e, e)
		}
		changes++
	}
	for range 60 {
		e := c.someone()
		program := uint16(1 + c.rng.IntN(c.Programs.Len()))
		size := c.Programs.Get(ai.Tree(program)).Compiled().MindBytes()
		if c.rng.IntN(4) == 0 {
			size = 256
		}
		testworld.AssignMind(q, e, program, size)
		c.life[e] = c.Clock.Frame + 1
		changes++
	}
	for range 3 { // behind the queue's back
		if e := c.someone(); ecs.Alive(c.World, e) {
			c.RemoveEntity(ecs.ToArche(e))
			changes++
		}
		e := c.someone()
		if m := ecs.Get[components.Mind64](c.World, e); m != nil {
			*m = mindlayout.NewMind64(1)
			c.life[e] = c.Clock.Frame + 1
			changes++
		}
	}
	return changes
}

// settle drops the dead from the model and fills the ranks.
func (c *churn) settle() (changes int) {
	c.agents = slices.DeleteFunc(c.agents, func(e components.Entity) bool {
		alive := ecs.Alive(c.World, e)
		if !alive {
			delete(c.life, e)
		}
		return !alive
	})
	q := c.Commands.Queue(0)
	for range churnAgents - len(c.agents) {
		q.Spawn(components.Entity{}, c.prefabs[c.rng.IntN(len(c.prefabs))], components.Vec2{})
		changes++
	}
	c.Commands.Apply(c.World)
	return changes
}

// requireFresh checks, after the trees have ticked, that each agent has lived its present life and no other.
func (c *churn) requireFresh(t *testing.T) {
	frame := c.Clock.Frame
	for _, e := range c.agents {
		life := c.life[e]
		due := func(after uint32) uint32 {
			if frame < life+after {
				return 0
			}
			return life + after
		}
		// A loop of n rounds ends n-1 frames after the first.
		i := e.Index
		if c.born[i] != life || c.grown[i] != due(growth) || c.looped[i] != due(rounds-1) {
			t.Fatalf("frame %d: entity %v began in frame %d; "+
				"its tree says it was born in %d, grew in %d and looped until %d",
				frame, e, life, c.born[i], c.grown[i], c.looped[i])
		}
	}
}

func (c *churn) heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func TestChurnLeaksNothingIntoRecycledEntitiesAndKeepsHooksInBalance(t *testing.T) {
	frames := 10_000
	if testing.Short() {
		frames = 2_500
	}
	c := newChurn(t, 4)
	changes := 0
	before := uint64(0)
	for frame := range frames {
		if frame == frames/5 {
			before = c.heap()
		}
		c.Clock.Advance()
		c.Ai.Update(c.World)
		c.requireFresh(t)
		changes += c.change()
		c.Last.Update(c.World)
		changes += c.settle()
		if c.balance > 0 {
			t.Fatalf("frame %d: %d enters or exits too many", frame, c.balance)
		}
	}
	after := c.heap()
	require.Greater(t, changes/frames, 200, "changes a frame")
	require.Zero(t, c.stale.Load(), "words that a leaf was not given as zero when it was entered")
	// Above the noise of maps and scratch slices, and less than a byte for 20 changes.
	require.Less(t, int64(after)-int64(before), int64(64<<10), "bytes by which the heap grew")

	open := 0
	for i := range c.enters {
		require.Greater(t, c.enters[i], frames/10, "leaf %d", i)
		open += c.enters[i] - c.exits[i]
	}
	require.Positive(t, open)
	for _, e := range c.agents {
		c.Commands.Queue(0).Remove(e, e)
	}
	c.Commands.Apply(c.World)
	c.Clock.Advance()
	c.Ai.Update(c.World) // what was removed behind the queue's back
	require.Equal(t, c.enters, c.exits)
	require.Empty(t, c.open)
	t.Logf("%d frames, %d changes, %d bytes of growth, enters %v", frames, changes, int64(after)-int64(before),
		c.enters)
}
