package guards

import (
	"fmt"

	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Peer decides for guards by the composites of another library, over the leaves and conditions of a [Guard].
type Peer struct {
	Name string
	// Tree builds a guard's tree and returns what ticks it.
	Tree func(*Guard) (tick func())
}

// Guard is a guard as the tree of a [Peer] sees it. Its facts are in a struct, written anew before each tick.
type Guard struct {
	bb      pointertree.Blackboard
	read    *guardtree.Readings
	actions *guardtree.Handles
}

// Status is the result of a [Leaf].
type Status = pointertree.Status

// The results.
const (
	Failure = pointertree.Failure
	Success = pointertree.Success
	Running = pointertree.Running
)

// Leaf is a leaf of the guard's tree.
type Leaf struct {
	node pointertree.Node
	bb   *pointertree.Blackboard
}

// Tick ticks the leaf.
func (l Leaf) Tick() Status { return l.node.Tick(l.bb, 0) }

// Reset gives up what the leaf was about, when it is not ticked any more before it has finished.
func (l Leaf) Reset() { l.node.Reset(l.bb) }

// The guard's conditions.

func (g *Guard) BadlyHurt() bool   { return g.read.BadlyHurt(&g.bb) }
func (g *Guard) TargetKnown() bool { return g.read.TargetKnown(&g.bb) }
func (g *Guard) Visible() bool     { return g.read.Visible(&g.bb) }
func (g *Guard) Noisy() bool       { return g.read.Noisy(&g.bb) }
func (g *Guard) InReach() bool     { return g.read.InReach(&g.bb) }
func (g *Guard) AtPost() bool      { return g.read.AtPost(&g.bb) }

// Now returns the clock in microseconds.
func (g *Guard) Now() int64 { return g.bb.Now }

// Instant returns how far the branch that is ticked has come, in microseconds of the clock: a timer that begins does so
// then. GoOnAt moves it, to the end of a timer that is over.
func (g *Guard) Instant() int64   { return g.bb.Instant }
func (g *Guard) GoOnAt(end int64) { g.bb.Instant = end }

// Wait returns a new leaf that runs for so many seconds.
func (g *Guard) Wait(seconds float64) Leaf { return g.leaf(pointertree.Wait(seconds)) }

// The leaves of the guard's tree, each made anew.

func (g *Guard) CatchBreath() Leaf {
	return g.leaf(pointertree.WaitBetween(2, 4, guardtree.BreathNode))
}
func (g *Guard) Pause() Leaf {
	return g.leaf(pointertree.WaitBetween(0.5, 1.5, guardtree.PauseNode))
}
func (g *Guard) Shout() Leaf  { return g.leaf(pointertree.Fire(g.read.Shout)) }
func (g *Guard) Strike() Leaf { return g.leaf(pointertree.Fire(g.read.Strike)) }
func (g *Guard) Flee() Leaf {
	return g.leaf(pointertree.Do(g.actions.Flee, sim.GuardRuns, g.read.Target, g.read.Safe))
}
func (g *Guard) Chase() Leaf {
	return g.leaf(pointertree.Do(g.actions.Seek, sim.GuardRuns, g.read.TargetPlace, g.read.Closed))
}
func (g *Guard) Search() Leaf {
	return g.leaf(pointertree.Do(g.actions.Seek, sim.GuardRuns, g.read.LastKnown, nil))
}
func (g *Guard) LookAround() Leaf { return g.leaf(pointertree.Do(g.actions.Wander, 0, nil, nil)) }
func (g *Guard) Investigate() Leaf {
	return g.leaf(pointertree.Do(g.actions.Seek, 0, g.read.Noise, nil))
}
func (g *Guard) Return() Leaf { return g.leaf(pointertree.Do(g.actions.Seek, 0, g.read.Post, nil)) }
func (g *Guard) Patrol() Leaf { return g.leaf(pointertree.Do(g.actions.Patrol, 0, nil, nil)) }

func (g *Guard) leaf(n pointertree.Node) Leaf { return Leaf{n, &g.bb} }

// newPeerContestant lets a peer decide.
func newPeerContestant(p Peer, agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed, 1, generic.T[treeIndex]())
	actions := guardtree.NewHandles()
	read := guardtree.StructReadings(&actions)
	guards := newPointerGuards(c, false)
	all := make([]*Guard, len(guards.trees))
	ticks := make([]func(), len(guards.trees))
	for i, t := range guards.trees {
		all[i] = &Guard{bb: t.Board, read: read, actions: &actions}
		ticks[i] = p.Tree(all[i])
	}
	guards.trees = nil
	return &contestant{name: p.Name, crowd: c, tick: func() {
		now := int64(c.clock.Now) / 1000
		query := guards.guards.Query(c.world)
		for query.Next() {
			percept, health, post, intent, triggers, index := query.Get()
			bb := &all[index.Index].bb
			bb.Intent, bb.Triggers, bb.Fired, bb.Instant = intent, triggers, 0, now
			guards.WriteStruct(bb, now, percept, health, post)
			ticks[index.Index]()
		}
	}}
}

// ComparePeer lets a peer decide beside the hand-written loop and the block executor, as [Compare] does. The
// ratio is tree_vs_peer.
//
// Panics when a number is not positive.
func ComparePeer(p Peer, agents, repetitions, ticks int) *harness.Comparison {
	harness.RequirePositive("guards.ComparePeer", agents, repetitions, ticks)
	c := compareAll([]*contestant{
		newHandContestant(agents, 1), newPeerContestant(p, agents, 1), newBlockContestant(byBlock, agents, 1, 1),
	}, agents, repetitions, ticks)
	c.SetRatio("tree_vs_peer", byBlock, p.Name)
	return c
}

// CheckPeer returns an error when a peer and the block executor, of equal guards, do not order and fire the same to the
// bit in each of so many ticks: at 10 a second, at ragged intervals, and at long ones.
func CheckPeer(p Peer, agents, ticks int) error {
	for _, cadence := range cadences {
		peer, tree := newPeerContestant(p, agents, 1), newBlockContestant(byBlock, agents, 1, 1)
		for tick := range ticks {
			peer.tick()
			tree.tick()
			if d := sameOrders(tree.crowd, peer.crowd); d != "" {
				return fmt.Errorf("benchmarks: the tree's guard and that of %s, %s, in tick %d: %s",
					p.Name, cadence.name, tick, d)
			}
			peer.crowd.between(cadence.advance)
			tree.crowd.between(cadence.advance)
		}
		peer.crowd.close()
		tree.crowd.close()
	}
	return nil
}

// cadences are the clocks under which contestants must decide alike.
var cadences = []struct {
	name    string
	advance func(*frame.Clock)
}{
	{"10 Hz", (*frame.Clock).Advance},
	// No deadline falls on a tick, so what goes on behind a wait goes on before now.
	{"ragged ticks", func(c *frame.Clock) {
		c.Set(c.Now + components.Timestamp(37_123_457+int64(c.Frame)*7_919_993%190_000_000))
	}},
	{"slow ticks", func(c *frame.Clock) { c.Set(c.Now + 1_733_000_001) }},
}
