package guards

import (
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// flatSlots is the number of nodes of the guard's tree that keep a time or a count.
const flatSlots = 11

type flatOp uint8

const (
	flatSequence flatOp = iota
	flatSelector
	flatReactiveSelector
	flatGuard
	flatForceSuccess
	flatRepeat
	flatCooldown
	flatTimeout
	flatCheck
	flatWait
	flatDo
	flatFire
)

// flatFact is a fact that the program compares or binds.
type flatFact uint8

const (
	noFact flatFact = iota
	factHealth
	factTarget
	factVisible
	factDistance
	factNoiseAge
	factPostDistance
	factLastKnown
	factNoise
	factPost
)

type flatCompare uint8

const (
	always flatCompare = iota
	less
	lessEqual
	greaterEqual
	holds // a bool, or an entity that is alive
)

// flatTest compares a fact with a constant.
type flatTest struct {
	compare flatCompare
	fact    flatFact
	integer int64
	float   float32
}

type flatNode struct {
	op      flatOp
	action  components.Action
	channel components.Channel
	target  flatFact // what an order or a trigger is bound to
	point   flatFact
	number  float32
	end     int32 // one past the last node of the subtree
	slot    int32
	rounds  int64
	micros  int64
	span    uint32 // of a wait that draws
	test    flatTest
	self    uint64 // this node's bit
	below   uint64 // those of the nodes below it
}

// flatGuardTree returns the nodes of the guard's tree.
func flatGuardTree(a *guardtree.Handles) []flatNode {
	b := flatBuilder{}
	hurt := flatTest{compare: less, fact: factHealth, integer: scenario.GuardFleeHealth}
	known := flatTest{compare: holds, fact: factTarget}
	noise := flatTest{compare: less, fact: factNoiseAge, integer: int64(guardtree.NoiseMemory)}
	call := func() {
		b.open(flatNode{op: flatForceSuccess})
		b.open(flatNode{op: flatCooldown, micros: guardtree.CallInterval})
		b.leaf(flatNode{op: flatFire, action: a.Shout, number: scenario.GuardCallRadius})
		b.close(2)
	}
	b.open(flatNode{op: flatReactiveSelector})

	b.open(flatNode{op: flatGuard, test: hurt})
	b.open(flatNode{op: flatTimeout, micros: 10_000_000})
	b.open(flatNode{op: flatSequence})
	call()
	b.open(flatNode{op: flatGuard, test: known})
	b.leaf(flatNode{op: flatDo, action: a.Flee, target: factTarget, number: scenario.GuardRunFactor,
		test: flatTest{compare: greaterEqual, fact: factDistance, float: scenario.GuardSafeDistance}})
	b.close(1)
	b.leaf(flatNode{op: flatWait, micros: 2_000_000, span: 2_000_000})
	b.close(3)

	b.open(flatNode{op: flatGuard, test: flatTest{compare: holds, fact: factVisible}})
	b.open(flatNode{op: flatSequence})
	call()
	b.open(flatNode{op: flatSelector})
	b.leaf(flatNode{op: flatCheck, test: flatTest{compare: lessEqual, fact: factDistance, float: scenario.GuardReach}})
	b.leaf(flatNode{
		op: flatDo, action: a.Seek, target: factTarget, point: factLastKnown, number: scenario.GuardRunFactor,
		test: flatTest{compare: lessEqual, fact: factDistance, float: scenario.GuardCloseDistance},
	})
	b.close(1)
	b.open(flatNode{op: flatSelector})
	b.open(flatNode{op: flatCooldown, micros: 800_000})
	b.leaf(flatNode{op: flatFire, action: a.Strike, target: factTarget})
	b.close(1)
	b.leaf(flatNode{op: flatWait, micros: 100_000})
	b.close(3)

	b.open(flatNode{op: flatGuard, test: known})
	b.open(flatNode{op: flatSequence})
	b.leaf(flatNode{op: flatDo, action: a.Seek, point: factLastKnown, number: scenario.GuardRunFactor})
	b.open(flatNode{op: flatRepeat, rounds: 3})
	b.open(flatNode{op: flatSequence})
	b.open(flatNode{op: flatForceSuccess})
	b.open(flatNode{op: flatTimeout, micros: 2_000_000})
	b.leaf(flatNode{op: flatDo, action: a.Wander})
	b.close(2)
	b.leaf(flatNode{op: flatWait, micros: 500_000})
	b.close(4)

	b.open(flatNode{op: flatGuard, test: noise})
	b.open(flatNode{op: flatSequence})
	b.leaf(flatNode{op: flatDo, action: a.Seek, point: factNoise})
	b.leaf(flatNode{op: flatWait, micros: 1_500_000})
	b.close(2)

	b.open(flatNode{op: flatSequence})
	b.open(flatNode{op: flatSelector})
	b.leaf(flatNode{
		op:   flatCheck,
		test: flatTest{compare: lessEqual, fact: factPostDistance, float: scenario.GuardRouteTolerance},
	})
	b.leaf(flatNode{op: flatDo, action: a.Seek, point: factPost})
	b.close(1)
	b.leaf(flatNode{op: flatDo, action: a.Patrol})
	b.leaf(flatNode{op: flatWait, micros: 500_000, span: 1_000_000})
	b.close(2)
	return b.nodes
}

// flatBuilder appends nodes in pre-order.
type flatBuilder struct {
	nodes []flatNode
	path  []int
	slots int32
}

// open adds a node whose children follow.
func (b *flatBuilder) open(n flatNode) {
	b.path = append(b.path, len(b.nodes))
	b.leaf(n)
}

func (b *flatBuilder) leaf(n flatNode) {
	switch n.op {
	case flatRepeat, flatCooldown, flatTimeout, flatWait:
		n.slot = b.slots
		b.slots++
	}
	n.self = 1 << len(b.nodes)
	n.end = int32(len(b.nodes)) + 1
	b.nodes = append(b.nodes, n)
}

// close ends the innermost open nodes.
func (b *flatBuilder) close(count int) {
	for range count {
		last := len(b.path) - 1
		n := &b.nodes[b.path[last]]
		n.end = int32(len(b.nodes))
		n.below = (1<<n.end - 1) &^ (n.self<<1 - 1)
		b.path = b.path[:last]
	}
}
