package guards

import (
	"math/bits"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/draws"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// interpreter ticks the guard's flat program agent by agent over the columns of the world. The program has the nodes
// that package aitree compiles, in pre-order. The running nodes of an agent are the bits of a word, so resuming and
// resetting take a few word operations.
type interpreter struct {
	crowd      *crowd
	world      *arche.World
	clock      *frame.Clock
	columns    *ecs.Columns
	nodes      []flatNode
	leaves     uint64 // which of them are entered and exit
	orderNodes uint64 // which of these post orders
	waits      draws.Waits
	now        int64 // microseconds

	// Counters, which the block executor has too.
	starts, active         []int64 // by action
	decisions, transitions int64

	// The agent that is ticked.
	percept *components.Percept
	health  *components.Health
	post    *sim.Post
	intent  *components.Intent
	memory  *flatMemory
	entity  components.Entity
	running uint64 // by node
	instant int64
}

// flatMemory is the memory of an agent.
type flatMemory struct {
	Running uint64
	Slots   [flatSlots]int64
}

// newInterpreter returns an interpreter of the guard's tree for a crowd.
func newInterpreter(c *crowd) *interpreter {
	v := &interpreter{
		crowd: c,
		world: c.world,
		clock: c.clock,
		columns: ecs.NewColumns(c.world,
			ecs.Need[components.Percept](), ecs.Need[components.Health](), ecs.Need[sim.Post](),
			ecs.Need[components.Intent](), ecs.Need[flatMemory]()),
		waits: draws.NewWaits(c.seed, guardtree.TreeName),
	}
	actions := guardtree.NewHandles()
	v.nodes = flatGuardTree(&actions)
	for i := range v.nodes {
		switch v.nodes[i].op {
		case flatDo:
			v.orderNodes |= v.nodes[i].self
			v.leaves |= v.nodes[i].self
		case flatWait:
			v.leaves |= v.nodes[i].self
		}
	}
	v.starts, v.active = make([]int64, guardtree.NewActions().Len()+1), make([]int64, guardtree.NewActions().Len()+1)
	return v
}

// tick ticks the program for all guards.
func (v *interpreter) tick() {
	v.now = int64(v.clock.Now) / 1000
	chunks := v.columns.Open()
	for i := range chunks {
		k := &chunks[i]
		percepts := ecs.Column[components.Percept](k, 0)
		healths := ecs.Column[components.Health](k, 1)
		posts := ecs.Column[sim.Post](k, 2)
		intents := ecs.Column[components.Intent](k, 3)
		minds := ecs.Column[flatMemory](k, 4)
		for row, e := range k.Entities() {
			v.percept, v.health, v.post = &percepts[row], &healths[row], &posts[row]
			v.intent, v.memory, v.entity = &intents[row], &minds[row], e
			v.tickAgent()
		}
	}
	v.columns.Close()
}

// tickAgent ticks one agent and updates its orders by the nodes that began and ended.
func (v *interpreter) tickAgent() {
	was := v.memory.Running
	v.running, v.instant = was, v.now
	v.exec(0)
	v.memory.Running = v.running

	v.decisions++
	held := [components.Channels]bool{}
	for m := v.running & v.orderNodes; m != 0; m &= m - 1 {
		n := &v.nodes[bits.TrailingZeros64(m)]
		held[n.channel] = true
		order := &v.intent.Orders[n.channel]
		if was&n.self == 0 {
			*order = components.Order{Action: n.action, Serial: order.Serial + 1, Numbers: [2]float32{n.number}}
			v.starts[n.action]++
			v.active[n.action]++
		}
		if n.target != noFact {
			order.Target = v.livingTarget()
		}
		if n.point != noFact {
			order.Point = v.point(n.point)
		}
	}
	if v.running == was {
		return
	}
	v.transitions += int64(bits.OnesCount64(v.running &^ was & v.leaves))
	for m := was &^ v.running & v.orderNodes; m != 0; m &= m - 1 {
		n := &v.nodes[bits.TrailingZeros64(m)]
		v.active[n.action]--
		if !held[n.channel] {
			order := &v.intent.Orders[n.channel]
			order.Action, order.Outcome = 0, components.Pending
		}
	}
}

// exec ticks the subtree at index.
func (v *interpreter) exec(index int32) pointertree.Status {
	n := &v.nodes[index]
	s := pointertree.Failure
	switch n.op {
	case flatSequence:
		s = pointertree.Success
		for c := v.first(n, index); c < n.end; c = v.nodes[c].end {
			if s = v.exec(c); s != pointertree.Success {
				break
			}
		}
	case flatSelector:
		for c := v.first(n, index); c < n.end; c = v.nodes[c].end {
			if s = v.exec(c); s != pointertree.Failure {
				break
			}
		}
	case flatReactiveSelector:
		for c := index + 1; c < n.end; c = v.nodes[c].end {
			if s = v.exec(c); s != pointertree.Failure {
				v.running &^= n.below &^ (v.nodes[c].self | v.nodes[c].below)
				break
			}
		}
	case flatGuard:
		if !v.holds(&n.test) {
			v.running &^= n.self | n.below
			return pointertree.Failure
		}
		s = v.exec(index + 1)
	case flatForceSuccess:
		if s = v.exec(index + 1); s == pointertree.Failure {
			s = pointertree.Success
		}
	case flatRepeat:
		s = v.repeat(n, index)
	case flatCooldown:
		if v.now < v.memory.Slots[n.slot] && v.running&n.self == 0 {
			return pointertree.Failure
		}
		if s = v.exec(index + 1); s == pointertree.Success {
			v.memory.Slots[n.slot] = v.now + n.micros
		}
	case flatTimeout:
		s = v.timeout(n, index)
	case flatCheck:
		if v.holds(&n.test) {
			return pointertree.Success
		}
		return pointertree.Failure
	case flatWait:
		s = v.wait(n, index)
	case flatDo:
		s = v.do(n)
	case flatFire:
		v.fire(n)
		return pointertree.Success
	}
	if s == pointertree.Running {
		v.running |= n.self
	} else {
		v.running &^= n.self
	}
	return s
}

// first returns the child at which a composite with memory begins: the running one, else the first. A running child is
// the first running node of the subtree, since its ancestors come before it.
func (v *interpreter) first(n *flatNode, index int32) int32 {
	if v.running&n.self == 0 {
		return index + 1
	}
	return int32(bits.TrailingZeros64(v.running & n.below))
}

func (v *interpreter) repeat(n *flatNode, index int32) pointertree.Status {
	done := &v.memory.Slots[n.slot]
	if v.running&n.self == 0 {
		*done = 0
	}
	s := v.exec(index + 1)
	if s == pointertree.Success {
		*done++
		if *done < n.rounds {
			return pointertree.Running
		}
	}
	return s
}

func (v *interpreter) timeout(n *flatNode, index int32) pointertree.Status {
	deadline := &v.memory.Slots[n.slot]
	if v.running&n.self == 0 {
		*deadline = v.instant + n.micros
	}
	s := v.exec(index + 1)
	if s == pointertree.Running && v.now >= *deadline {
		v.running &^= n.below
		v.instant = *deadline
		return pointertree.Failure
	}
	return s
}

func (v *interpreter) wait(n *flatNode, index int32) pointertree.Status {
	deadline := &v.memory.Slots[n.slot]
	if v.running&n.self == 0 {
		*deadline = v.instant + n.micros
		if n.span > 0 {
			*deadline += v.waits.UpTo(n.span, v.entity, v.now, int(index))
		}
	}
	if v.now < *deadline {
		return pointertree.Running
	}
	v.instant = *deadline
	return pointertree.Success
}

func (v *interpreter) do(n *flatNode) pointertree.Status {
	if n.test.compare != always && v.holds(&n.test) {
		return pointertree.Success
	}
	if v.running&n.self != 0 {
		switch v.intent.Orders[n.channel].Outcome {
		case components.Succeeded:
			return pointertree.Success
		case components.Failed:
			return pointertree.Failure
		}
	}
	return pointertree.Running
}

func (v *interpreter) fire(n *flatNode) {
	t := components.Trigger{Agent: v.entity, Action: n.action, Number: n.number}
	if n.target != noFact {
		t.Target = v.livingTarget()
	}
	v.starts[n.action]++
	v.crowd.fired = append(v.crowd.fired, t)
}

// holds evaluates a condition.
func (v *interpreter) holds(t *flatTest) bool {
	switch t.fact {
	case factHealth:
		return compareInt(t, int64(v.health.Current))
	case factTarget:
		return !v.livingTarget().IsZero()
	case factVisible:
		return v.percept.Visible
	case factDistance:
		return compareFloat(t, finite(v.percept.Distance, 1e6))
	case factNoiseAge:
		age := int64(blackboard.NeverAge)
		if v.percept.NoiseAt != 0 {
			age = int64(v.clock.Now - v.percept.NoiseAt)
		}
		return compareInt(t, age)
	case factPostDistance:
		return compareFloat(t, finite(v.post.Distance, 0))
	}
	return true
}

func compareInt(t *flatTest, value int64) bool {
	switch t.compare {
	case less:
		return value < t.integer
	case lessEqual:
		return value <= t.integer
	}
	return value >= t.integer
}

func compareFloat(t *flatTest, value float32) bool {
	switch t.compare {
	case less:
		return value < t.float
	case lessEqual:
		return value <= t.float
	}
	return value >= t.float
}

// livingTarget returns the target, or the zero entity if it is dead.
func (v *interpreter) livingTarget() components.Entity {
	if e := v.percept.Target; !e.IsZero() && v.world.Alive(ecs.ToArche(e)) {
		return e
	}
	return components.Entity{}
}

func (v *interpreter) point(f flatFact) components.Vec2 {
	at := v.post.Position
	switch f {
	case factLastKnown:
		at = v.percept.LastKnown
	case factNoise:
		at = v.percept.Noise
	}
	return components.Vec2{X: finite(at.X, 0), Y: finite(at.Y, 0)}
}

// finite returns f, or the default of its fact if f is NaN or infinite.
func finite(f, otherwise float32) float32 {
	if f-f != 0 {
		return otherwise
	}
	return f
}
