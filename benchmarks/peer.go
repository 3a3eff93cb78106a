package benchmarks

import (
	"fmt"

	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
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
	bb      pointerBoard
	read    *readings
	actions *actionSet
}

// Status is the result of a [Leaf].
type Status = status

// The results.
const (
	Failure = failure
	Success = success
	Running = running
)

// Leaf is a leaf of the guard's tree.
type Leaf struct {
	node node
	bb   *pointerBoard
}

// Tick ticks the leaf.
func (l Leaf) Tick() Status { return l.node.Tick(l.bb, 0) }

// Reset gives up what the leaf was about, when it is not ticked any more before it has finished.
func (l Leaf) Reset() { l.node.Reset(l.bb) }

// The guard's conditions.

func (g *Guard) BadlyHurt() bool   { return g.read.badlyHurt(&g.bb) }
func (g *Guard) TargetKnown() bool { return g.read.targetKnown(&g.bb) }
func (g *Guard) Visible() bool     { return g.read.visible(&g.bb) }
func (g *Guard) Noisy() bool       { return g.read.noisy(&g.bb) }
func (g *Guard) InReach() bool     { return g.read.inReach(&g.bb) }
func (g *Guard) AtPost() bool      { return g.read.atPost(&g.bb) }

// Now returns the clock in microseconds.
func (g *Guard) Now() int64 { return g.bb.now }

// Instant returns how far the branch that is ticked has come, in microseconds of the clock: a timer that begins does so
// then. GoOnAt moves it, to the end of a timer that is over.
func (g *Guard) Instant() int64   { return g.bb.instant }
func (g *Guard) GoOnAt(end int64) { g.bb.instant = end }

// Wait returns a new leaf that runs for so many seconds.
func (g *Guard) Wait(seconds float64) Leaf { return g.leaf(newWait(seconds)) }

// The leaves of the guard's tree, each made anew.

func (g *Guard) CatchBreath() Leaf { return g.leaf(newWaitBetween(2, 4, breathNode)) }
func (g *Guard) Pause() Leaf       { return g.leaf(newWaitBetween(0.5, 1.5, pauseNode)) }
func (g *Guard) Shout() Leaf       { return g.leaf(newFire(g.read.shout)) }
func (g *Guard) Strike() Leaf      { return g.leaf(newFire(g.read.strike)) }
func (g *Guard) Flee() Leaf {
	return g.leaf(newDo(g.actions.flee, scenario.GuardRunFactor, g.read.target, g.read.safe))
}
func (g *Guard) Chase() Leaf {
	return g.leaf(newDo(g.actions.seek, scenario.GuardRunFactor, g.read.targetPlace, g.read.closed))
}
func (g *Guard) Search() Leaf {
	return g.leaf(newDo(g.actions.seek, scenario.GuardRunFactor, g.read.lastKnown, nil))
}
func (g *Guard) LookAround() Leaf  { return g.leaf(newDo(g.actions.wander, 0, nil, nil)) }
func (g *Guard) Investigate() Leaf { return g.leaf(newDo(g.actions.seek, 0, g.read.noise, nil)) }
func (g *Guard) Return() Leaf      { return g.leaf(newDo(g.actions.seek, 0, g.read.post, nil)) }
func (g *Guard) Patrol() Leaf      { return g.leaf(newDo(g.actions.patrol, 0, nil, nil)) }

func (g *Guard) leaf(n node) Leaf { return Leaf{n, &g.bb} }

// newPeerContestant lets a peer decide.
func newPeerContestant(p Peer, agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed, 1, generic.T[treeIndex]())
	actions := newActionSet()
	read := fieldReadings(&actions)
	guards := newPointerGuards(c, false)
	all := make([]*Guard, len(guards.trees))
	ticks := make([]func(), len(guards.trees))
	for i, t := range guards.trees {
		all[i] = &Guard{bb: t.bb, read: read, actions: &actions}
		ticks[i] = p.Tree(all[i])
	}
	guards.trees = nil
	return &contestant{name: p.Name, crowd: c, tick: func() {
		now := int64(c.clock.Now) / 1000
		query := guards.guards.Query(c.world)
		for query.Next() {
			percept, health, post, intent, triggers, index := query.Get()
			bb := &all[index.Index].bb
			bb.intent, bb.triggers, bb.fired, bb.instant = intent, triggers, 0, now
			guards.writeFields(bb, now, percept, health, post)
			ticks[index.Index]()
		}
	}}
}

// ComparePeer lets a peer decide beside the hand-written loop and the block executor, as [CompareGuards] does. The
// ratio is tree_vs_peer.
//
// Panics when a number is not positive.
func ComparePeer(p Peer, agents, repetitions, ticks int) *Comparison {
	checkNumbers("ComparePeer", agents, repetitions, ticks)
	c := compareGuards([]*contestant{
		newHandContestant(agents, 1), newPeerContestant(p, agents, 1), newBlockContestant(byBlock, agents, 1, 1),
	}, agents, repetitions, ticks)
	c.compare("tree_vs_peer", byBlock, p.Name)
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
