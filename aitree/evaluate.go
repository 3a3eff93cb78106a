package aitree

import (
	"math"

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
	switch t.kind {
	case components.Invalid:
		v = t.predicate.test(x.context(mask, t.reads))
	case components.Bool:
		v = x.gatherBools(t.fact, mask)
	case components.Float:
		v = x.evaluateFloat(t, mask)
	case components.Int:
		v = x.evaluateInt(t, mask)
	case components.Age:
		v = x.evaluateAge(t, mask)
	case components.EntityRef:
		v = x.evaluateEntity(t, mask)
	}
	x.value[test] = x.value[test]&^mask | v&mask
	x.known[test] |= mask
}

func (x *Executor) evaluateFloat(t *compiledTest, mask uint64) uint64 {
	switch t.op {
	case testLess, testLessEqual: // t.float is the least float for which it does not hold
		return x.block.Facts.FloatsBelow(int(t.fact), mask, t.float)
	case testEqual:
		return lane.FloatEqual(x.gatherFloats(t.fact, mask), t.float)
	}
	a, b := x.gatherFloats(t.fact, mask), x.gatherFloats(t.other, mask)
	switch t.op {
	case testLessFact:
		return lane.FloatLessLane(a, b)
	case testLessEqualFact:
		return lane.FloatLessEqualLane(a, b)
	}
	return lane.FloatEqualLane(a, b)
}

func (x *Executor) evaluateInt(t *compiledTest, mask uint64) uint64 {
	switch t.op {
	case testLess:
		return x.block.Facts.IntsBelow(int(t.fact), mask, t.integer)
	case testLessEqual:
		return x.intsUpTo(t.fact, mask, t.integer)
	case testEqual:
		return lane.IntEqual(x.gatherInts(t.fact, mask), t.integer)
	}
	a, b := x.gatherInts(t.fact, mask), x.gatherInts(t.other, mask)
	switch t.op {
	case testLessFact:
		return lane.IntLessLane(a, b)
	case testLessEqualFact:
		return lane.IntLessEqualLane(a, b)
	}
	return lane.IntEqualLane(a, b)
}

// intsUpTo returns the lanes of a mask in which an Int, or the reading of an Age, is at most a bound.
func (x *Executor) intsUpTo(fact int32, mask uint64, bound int64) uint64 {
	if bound == math.MaxInt64 {
		return mask
	}
	return x.block.Facts.IntsBelow(int(fact), mask, bound+1)
}

// evaluateAge compares readings rather than ages where it can: an age is less than c if the reading is later
// than now - c. Readings are not negative.
func (x *Executor) evaluateAge(t *compiledTest, mask uint64) uint64 {
	bound := int64(x.block.Now) - t.integer
	switch t.op {
	case testLess:
		// Later than bound and not 0, which is never.
		return ^x.intsUpTo(t.fact, mask, max(bound, 0))
	case testLessEqual:
		return ^x.intsUpTo(t.fact, mask, max(bound-1, 0))
	case testEqual:
		return lane.IntEqual(x.gatherAges(t.fact, mask), t.integer)
	}
	a, b := x.gatherAges(t.fact, mask), x.gatherAges(t.other, mask)
	switch t.op {
	case testLessFact:
		return lane.IntLessLane(a, b)
	case testLessEqualFact:
		return lane.IntLessEqualLane(a, b)
	}
	return lane.IntEqualLane(a, b)
}

func (x *Executor) evaluateEntity(t *compiledTest, mask uint64) (v uint64) {
	if t.op == testAlive {
		return x.block.Facts.Alive(int(t.fact), mask)
	}
	a, o := x.gatherEntities(t.fact, mask), x.gatherEntities(t.other, mask)
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		v |= bit(a[i] == o[i]) << i
	}
	return v
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
