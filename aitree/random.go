package aitree

import "github.com/flockwork-ai/flockwork/internal/random"

// draw returns the hash that the k-th draw of a node comes from: a pure function of the world's seed, the
// agent, the clock at which the node was entered (its low 32 bits, in microseconds), the program and
// the node.
func (x *Executor) draw(lane int, clock uint32, node int32, k int) uint64 {
	return drawKey(x.block.Seed, x.block.Entity(lane).Key(), clock, x.program.hash, node, k)
}

func drawKey(seed, entity uint64, clock uint32, program uint64, node int32, k int) uint64 {
	h := random.Mix(seed, entity)
	h = random.Mix(h, uint64(clock))
	h = random.Mix(h, program)
	return random.Mix(h, uint64(node)<<32|uint64(k))
}

// between draws 0…span evenly, both included.
func (x *Executor) between(span int64, lane int, node int32) int64 {
	return int64(random.Below(x.draw(lane, uint32(x.now), node, 0), uint32(span)+1))
}

// shuffle draws the order of a node's children (Fisher and Yates).
func (x *Executor) shuffle(order *[maxChoices]uint8, count, lane int, clock uint32, node int32) {
	for i := range count {
		order[i] = uint8(i)
	}
	for i := count - 1; i > 0; i-- {
		j := random.Below(x.draw(lane, clock, node, i), uint32(i)+1)
		order[i], order[j] = order[j], order[i]
	}
}

// random ticks the children of a RandomSequence or RandomSelector, each lane in its own order. In each
// round every lane that goes on ticks its next child; lanes that come to the same child in one round do
// so together.
func (x *Executor) random(n *node, index int32, mask uint64) (success, running uint64) {
	count := len(n.children)
	var order [64][maxChoices]uint8
	var next [64]uint8
	resumed := mask & x.run[index]
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		kept := x.word(i, n.slot)
		if resumed>>i&1 == 0 {
			*kept = uint32(x.now)
		}
		x.shuffle(&order[i], count, i, *kept, index)
		if resumed>>i&1 != 0 {
			for k := range count {
				if x.run[n.children[order[i][k]]]>>i&1 != 0 {
					next[i] = uint8(k)
				}
			}
		}
	}
	act := mask
	for act != 0 {
		var turn [maxChoices]uint64
		for m := act; m != 0; m &= m - 1 {
			i := lowest(m)
			turn[order[i][next[i]]] |= 1 << i
		}
		act = 0
		for k, lanes := range turn[:count] {
			if lanes == 0 {
				continue
			}
			s, r := x.exec(n.children[k], lanes)
			running |= r
			pass := s
			if n.op == opRandomSelector {
				success |= s
				pass = lanes &^ s &^ r
			}
			for m := pass; m != 0; m &= m - 1 {
				i := lowest(m)
				next[i]++
				if int(next[i]) < count {
					act |= 1 << i
				} else if n.op == opRandomSequence {
					success |= 1 << i
				}
			}
		}
	}
	return success, running
}

// weightedChoice ticks the one child that was drawn on entry.
func (x *Executor) weightedChoice(n *node, index int32, mask uint64) (success, running uint64) {
	var turn [maxChoices]uint64
	entering := mask &^ x.run[index]
	for m := entering; m != 0; m &= m - 1 {
		i := lowest(m)
		drawn := uint32(x.draw(i, uint32(x.now), index, 0) >> 32)
		turn[x.choice(n, drawn)] |= 1 << i
	}
	for k, c := range n.children {
		lanes := turn[k] | mask&^entering&x.run[c]
		if lanes == 0 {
			continue
		}
		s, r := x.exec(c, lanes)
		success |= s
		running |= r
	}
	return success, running
}

// choice returns the child whose share a draw falls into.
func (x *Executor) choice(n *node, drawn uint32) int {
	for k, upTo := range n.thresholds {
		if drawn < upTo {
			return k
		}
	}
	// A draw of 2^32-1 lies in the share of the last choice that has one, which ends at 2^32.
	for k, upTo := range n.thresholds {
		if upTo == ^uint32(0) {
			return k
		}
	}
	return len(n.thresholds) - 1
}
