package executor

import "github.com/flockwork-ai/flockwork/internal/random"

// draw returns the hash of the k-th draw of a node.
func (x *Executor) draw(lane int, clock uint32, node int32, k int) uint64 {
	return DrawKey(x.block.Seed, x.block.Entity(lane).Key(), clock, x.program.Hash, node, k)
}

// DrawKey returns the hash of the k-th draw of a node. It is a pure function of the world's seed, the agent, the clock
// at which the node was entered (its low 32 bits, in microseconds), the program's hash and the node. A chance has the
// number of a node below 0, and the clock of the tick.
func DrawKey(seed, entity uint64, clock uint32, program uint64, node int32, k int) uint64 {
	h := random.Mix(seed, entity)
	h = random.Mix(h, uint64(clock))
	h = random.Mix(h, program)
	return random.Mix(h, uint64(node)<<32|uint64(k))
}

// between draws evenly from 0 to span, both included.
func (x *Executor) between(span int64, lane int, node int32) int64 {
	return int64(random.Below(x.draw(lane, uint32(x.now), node, 0), uint32(span)+1))
}

// shuffle draws the order of a node's children (Fisher and Yates).
func (x *Executor) shuffle(order *[MaxChoices]uint8, count, lane int, clock uint32, node int32) {
	for i := range count {
		order[i] = uint8(i)
	}
	for i := count - 1; i > 0; i-- {
		j := random.Below(x.draw(lane, clock, node, i), uint32(i)+1)
		order[i], order[j] = order[j], order[i]
	}
}
