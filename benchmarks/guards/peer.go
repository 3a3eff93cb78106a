package guards

import (
	"fmt"

	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Peer is another library of behaviour trees. Its composites decide for guards, over the leaves and conditions of a
// [Guard].
type Peer struct {
	Name string // the name in the comparison
	// Tree builds a guard's tree and returns the function that ticks it.
	Tree func(*Guard) (tick func())
}

// Guard is the guard that a tree of a [Peer] decides for: its conditions, its leaves and its clock. Its facts are in a
// struct, which is written before each tick.
type Guard struct {
	bb      pointertree.Blackboard
	read    *guardtree.Readings
	actions *guardtree.Handles
}

// Status is the result of a [Leaf].
type Status = pointertree.Status

// The results of a tick.
const (
	Failure = pointertree.Failure
	Success = pointertree.Success
	Running = pointertree.Running
)

// Leaf is a leaf of the guard's tree. It belongs to one guard.
type Leaf struct {
	node pointertree.Node
	bb   *pointertree.Blackboard
}

// Tick ticks the leaf.
func (l Leaf) Tick() Status { return l.node.Tick(l.bb, 0) }

// Reset aborts the leaf. The peer calls it when it stops ticking the leaf before it has finished.
func (l Leaf) Reset() { l.node.Reset(l.bb) }

// BadlyHurt reports whether the guard's health is so low that it flees.
func (g *Guard) BadlyHurt() bool { return g.read.BadlyHurt(&g.bb) }

// TargetKnown reports whether the guard has a living target.
func (g *Guard) TargetKnown() bool { return g.read.TargetKnown(&g.bb) }

// Visible reports whether the guard sees its target.
func (g *Guard) Visible() bool { return g.read.Visible(&g.bb) }

// Noisy reports whether the guard has heard a noise a short time ago.
func (g *Guard) Noisy() bool { return g.read.Noisy(&g.bb) }

// InReach reports whether the target is near enough to strike.
func (g *Guard) InReach() bool { return g.read.InReach(&g.bb) }

// AtPost reports whether the guard is near its post.
func (g *Guard) AtPost() bool { return g.read.AtPost(&g.bb) }

// Now returns the clock in microseconds.
func (g *Guard) Now() int64 { return g.bb.Now }

// Instant returns the time that the ticked branch has reached, in microseconds of the clock: now, or the end of a timer
// that has just ended. A timer begins at the instant.
func (g *Guard) Instant() int64 { return g.bb.Instant }

// SetInstant sets the instant to the end of a timer, in microseconds of the clock.
func (g *Guard) SetInstant(end int64) { g.bb.Instant = end }

// Wait returns a new leaf that runs for a number of seconds.
func (g *Guard) Wait(seconds float64) Leaf { return g.leaf(pointertree.Wait(seconds)) }

// CatchBreath returns a new leaf that runs for 2 to 4 seconds.
func (g *Guard) CatchBreath() Leaf {
	return g.leaf(pointertree.WaitBetween(2, 4, guardtree.BreathNode))
}

// Pause returns a new leaf that runs for 0.5 to 1.5 seconds.
func (g *Guard) Pause() Leaf {
	return g.leaf(pointertree.WaitBetween(0.5, 1.5, guardtree.PauseNode))
}

// Shout returns a new leaf that calls for help.
func (g *Guard) Shout() Leaf { return g.leaf(pointertree.Fire(g.read.Shout)) }

// Strike returns a new leaf that strikes the target.
func (g *Guard) Strike() Leaf { return g.leaf(pointertree.Fire(g.read.Strike)) }

// Flee returns a new leaf that runs from the target.
func (g *Guard) Flee() Leaf {
	return g.leaf(pointertree.Do(g.actions.Flee, scenario.GuardRunFactor, g.read.Target, g.read.Safe))
}

// Chase returns a new leaf that runs to the target.
func (g *Guard) Chase() Leaf {
	return g.leaf(pointertree.Do(g.actions.Seek, scenario.GuardRunFactor, g.read.TargetPlace, g.read.Closed))
}

// Search returns a new leaf that runs to where the target was last seen.
func (g *Guard) Search() Leaf {
	return g.leaf(pointertree.Do(g.actions.Seek, scenario.GuardRunFactor, g.read.LastKnown, nil))
}

// LookAround returns a new leaf that wanders.
func (g *Guard) LookAround() Leaf { return g.leaf(pointertree.Do(g.actions.Wander, 0, nil, nil)) }

// Investigate returns a new leaf that walks to the source of the last noise.
func (g *Guard) Investigate() Leaf {
	return g.leaf(pointertree.Do(g.actions.Seek, 0, g.read.Noise, nil))
}

// Return returns a new leaf that walks to the post.
func (g *Guard) Return() Leaf { return g.leaf(pointertree.Do(g.actions.Seek, 0, g.read.Post, nil)) }

// Patrol returns a new leaf that walks the route.
func (g *Guard) Patrol() Leaf { return g.leaf(pointertree.Do(g.actions.Patrol, 0, nil, nil)) }

func (g *Guard) leaf(n pointertree.Node) Leaf { return Leaf{n, &g.bb} }

// newPeerContestant returns a contestant in which a peer decides.
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
			percept, health, post, intent, index := query.Get()
			bb := &all[index.Index].bb
			bb.Intent, bb.Instant = intent, now
			guards.WriteStruct(bb, now, percept, health, post)
			ticks[index.Index]()
		}
	}}
}

// ComparePeer measures a peer, the hand-written loop and the block executor, as [Compare] does. The ratio is
// tree_vs_peer.
//
// Panics when a number is not positive.
func ComparePeer(p Peer, agents, repetitions, ticks int) *harness.Comparison {
	harness.RequirePositive("guards.ComparePeer", agents, repetitions, ticks)
	c := compareAll([]*contestant{
		newHandContestant(agents, 1), newHandColumnsContestant(agents, 1), newPeerContestant(p, agents, 1),
		newBlockContestant(byBlock, agents, 1, 1),
	}, agents, repetitions, ticks)
	c.SetRatio("tree_vs_peer", byBlock, p.Name)
	return c
}

// CheckPeer returns an error unless a peer and the block executor give equal orders and triggers to equal guards, to
// the bit, in each of a number of ticks: at 10 ticks a second, at irregular and at long intervals.
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

// cadences are the intervals of ticks at which contestants must decide equally.
var cadences = []struct {
	name    string
	advance func(*frame.Clock)
}{
	{"10 Hz", (*frame.Clock).Advance},
	// No deadline falls on a tick, so a branch that has waited continues at an instant before now.
	{"irregular ticks", func(c *frame.Clock) {
		c.Set(c.Now + components.Timestamp(37_123_457+int64(c.Frame)*7_919_993%190_000_000))
	}},
	{"slow ticks", func(c *frame.Clock) { c.Set(c.Now + 1_733_000_001) }},
}
