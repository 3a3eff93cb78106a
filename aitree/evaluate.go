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
	v := x.value[n.test]
	if n.negate {
		v = ^v
	}
	return v & mask
}

// evaluate finds the value of a test in the lanes of a mask. A comparison does so for the whole block,
// which costs no more.
func (x *Executor) evaluate(test int32, mask uint64) {
	t := &x.program.tests[test]
	if t.op == testPredicate {
		v := t.predicate.test(x.context(mask, t.reads)) & mask
		x.value[test] = x.value[test]&^mask | v
		x.known[test] |= mask
		return
	}
	mask = x.block.Mask
	var v uint64
	switch x.program.facts[t.fact].Kind() {
	case components.Bool:
		v = x.gatherBools(t.fact, mask)
	case components.Float:
		v = x.evaluateFloat(t, mask)
	case components.Int, components.Age:
		v = x.evaluateInt(t, mask)
	case components.EntityRef:
		v = x.evaluateEntity(t, mask)
	}
	x.value[test] = v
	x.known[test] = mask
}

func (x *Executor) evaluateFloat(t *compiledTest, mask uint64) uint64 {
	a := x.gatherFloats(t.fact, mask)
	switch t.op {
	case testLess:
		return lane.FloatLess(a, t.float)
	case testLessEqual:
		return lane.FloatLessEqual(a, t.float)
	case testEqual:
		return lane.FloatEqual(a, t.float)
	case testLessFact:
		return lane.FloatLessLane(a, x.gatherFloats(t.other, mask))
	case testLessEqualFact:
		return lane.FloatLessEqualLane(a, x.gatherFloats(t.other, mask))
	}
	return lane.FloatEqualLane(a, x.gatherFloats(t.other, mask))
}

func (x *Executor) evaluateInt(t *compiledTest, mask uint64) uint64 {
	a := x.gatherInts(t.fact, mask)
	switch t.op {
	case testLess:
		return lane.IntLess(a, t.integer)
	case testLessEqual:
		return lane.IntLessEqual(a, t.integer)
	case testEqual:
		return lane.IntEqual(a, t.integer)
	case testLessFact:
		return lane.IntLessLane(a, x.gatherInts(t.other, mask))
	case testLessEqualFact:
		return lane.IntLessEqualLane(a, x.gatherInts(t.other, mask))
	}
	return lane.IntEqualLane(a, x.gatherInts(t.other, mask))
}

func (x *Executor) evaluateEntity(t *compiledTest, mask uint64) (v uint64) {
	a := x.gatherEntities(t.fact, mask)
	if t.op == testAlive {
		for m := mask; m != 0; m &= m - 1 {
			i := lowest(m)
			if !a[i].IsZero() {
				v |= 1 << i
			}
		}
		return v
	}
	o := x.gatherEntities(t.other, mask)
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		if a[i] == o[i] {
			v |= 1 << i
		}
	}
	return v
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
	missing := mask &^ x.have[fact]
	if missing == 0 {
		return l
	}
	x.have[fact] |= missing
	if x.program.facts[fact].Kind() != components.Age {
		x.block.Facts.Ints(int(fact), missing, l)
		return l
	}
	read := &x.readings
	x.block.Facts.Ints(int(fact), missing, read)
	for m := missing; m != 0; m &= m - 1 {
		i := lowest(m)
		if read[i] == 0 {
			l[i] = components.NeverAge
		} else {
			l[i] = int64(x.block.Now) - read[i]
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
