package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// holds returns the lanes of a mask in which the node's condition holds. Each test is evaluated
// once per lane and tick, wherever it stands.
func (x *Executor) holds(n *node, mask uint64) uint64 {
	if missing := mask &^ x.known[n.test]; missing != 0 {
		x.evaluate(n.test, missing)
	}
	return (x.value[n.test] ^ n.negate) & mask
}

// sparse is below how many lanes of 64 it is cheaper to go from lane to lane than through all.
const sparse = 32

// evaluate finds the value of a test in the lanes of a mask. A comparison for which many ask does so for the whole
// block, which costs no more.
func (x *Executor) evaluate(test int32, mask uint64) {
	t := &x.program.tests[test]
	if t.op != testPredicate && popcount(mask) >= sparse {
		mask = x.mask &^ x.known[test]
	}
	var v uint64
	switch t.ask {
	case askPredicate:
		v = t.predicate.test(x.context(mask, t.reads))
	case askBool:
		v = x.gatherBools(t.fact, mask)
	case askFloatsBelow:
		v = x.block.Facts.FloatsBelow(int(t.fact), mask, t.float)
	case askIntsBelow:
		v = x.block.Facts.IntsBelow(int(t.fact), mask, t.integer)
	case askAlive:
		v = x.block.Facts.Alive(int(t.fact), mask)
	default:
		v = x.compare(t, mask)
	}
	x.value[test] = x.value[test]&^mask | v&mask
	x.known[test] |= mask
}

// compare evaluates what a source is not asked for in one go.
func (x *Executor) compare(t *compiledTest, mask uint64) uint64 {
	switch t.kind {
	case components.Float:
		return x.compareFloats(t, mask)
	case components.Int:
		return x.compareInts(t, mask)
	case components.Age:
		return x.compareAges(t, mask)
	}
	a, b := x.gatherEntities(t.fact, mask), x.gatherEntities(t.other, mask)
	v := uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		v |= bit(a[i] == b[i]) << i
	}
	return v
}

func (x *Executor) compareFloats(t *compiledTest, mask uint64) uint64 {
	a := x.gatherFloats(t.fact, mask)
	switch t.op {
	case testEqual:
		return lane.FloatEqual(a, t.float)
	case testLessFact:
		return lane.FloatLessLane(a, x.gatherFloats(t.other, mask))
	case testLessEqualFact:
		return lane.FloatLessEqualLane(a, x.gatherFloats(t.other, mask))
	}
	return lane.FloatEqualLane(a, x.gatherFloats(t.other, mask))
}

func (x *Executor) compareInts(t *compiledTest, mask uint64) uint64 {
	a := x.gatherInts(t.fact, mask)
	switch t.op {
	case testLessEqual: // with the greatest integer
		return mask
	case testEqual:
		return lane.IntEqual(a, t.integer)
	case testLessFact:
		return lane.IntLessLane(a, x.gatherInts(t.other, mask))
	case testLessEqualFact:
		return lane.IntLessEqualLane(a, x.gatherInts(t.other, mask))
	}
	return lane.IntEqualLane(a, x.gatherInts(t.other, mask))
}

// compareAges compares readings rather than ages where it can: an age is less than c if the reading is later
// than now - c, and not 0, which is never. Readings are not negative.
func (x *Executor) compareAges(t *compiledTest, mask uint64) uint64 {
	since := max(int64(x.block.Now)-max(t.integer, 0), 0)
	switch {
	case t.op == testLess && t.integer >= 0:
		return ^x.block.Facts.IntsBelow(int(t.fact), mask, since+1)
	case t.op == testLessEqual && t.integer >= 0:
		return ^x.block.Facts.IntsBelow(int(t.fact), mask, max(since, 1))
	}
	a := x.gatherAges(t.fact, mask)
	switch t.op {
	case testLess:
		return lane.IntLess(a, t.integer)
	case testLessEqual:
		return lane.IntLessEqual(a, t.integer)
	case testEqual:
		return lane.IntEqual(a, t.integer)
	case testLessFact:
		return lane.IntLessLane(a, x.gatherAges(t.other, mask))
	case testLessEqualFact:
		return lane.IntLessEqualLane(a, x.gatherAges(t.other, mask))
	}
	return lane.IntEqualLane(a, x.gatherAges(t.other, mask))
}

// bit returns 1 for true and 0 for false.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// The gather functions make sure that a fact's lane is filled where mask says, and return it.

func (x *Executor) gatherFloats(fact int32, mask uint64) *[64]float32 {
	l := &x.floats[fact]
	if missing := mask &^ x.have[fact]; missing != 0 {
		x.have[fact] |= missing
		x.block.Facts.Floats(int(fact), missing, l)
	}
	return l
}

func (x *Executor) gatherInts(fact int32, mask uint64) *[64]int64 {
	l := &x.ints[fact]
	if missing := mask &^ x.have[fact]; missing != 0 {
		x.have[fact] |= missing
		x.block.Facts.Ints(int(fact), missing, l)
	}
	return l
}

// gatherAges turns the readings of an Age into nanoseconds since.
func (x *Executor) gatherAges(fact int32, mask uint64) *[64]int64 {
	read, l := x.gatherInts(fact, mask), &x.ages[fact]
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		l[i] = int64(x.block.Now) - read[i]
		if read[i] == 0 {
			l[i] = components.NeverAge
		}
	}
	return l
}

func (x *Executor) gatherBools(fact int32, mask uint64) uint64 {
	if missing := mask &^ x.have[fact]; missing != 0 {
		x.have[fact] |= missing
		v := x.block.Facts.Bools(int(fact), missing) & missing
		x.bools[fact] = x.bools[fact]&^missing | v
	}
	return x.bools[fact]
}

func (x *Executor) gatherEntities(fact int32, mask uint64) *[64]components.Entity {
	l := &x.refs[fact]
	if missing := mask &^ x.have[fact]; missing != 0 {
		x.have[fact] |= missing
		x.block.Facts.Entities(int(fact), missing, l)
	}
	return l
}
