package aitree

import (
	"math"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

type conditionTest struct {
	op          testOp
	kind        blackboard.Kind // of the fact; Invalid for a predicate
	query       query
	fact, other int32   // indices of Program.facts, or -1
	float       float32 // the constant, in the fact's terms
	integer     int64
	predicate   func(*blackboard.Context) uint64
	reads       []int32 // declared by the predicate
}

// query is how a test is evaluated.
type query uint8

const (
	queryCompare     query = iota // lanes are gathered and compared
	queryPredicate                // the user's function is called
	queryBool                     // the source is asked for a Bool
	queryFloatsBelow              // the source is asked for what is less than compiledTest.float
	queryIntsBelow                // the source is asked for what is less than compiledTest.integer
	queryAlive                    // the source is asked for who is alive
)

// chooseQuery decides how the test is evaluated. At most c is less than what follows c.
func (t *conditionTest) chooseQuery() {
	switch {
	case t.op == testPredicate:
		t.query = queryPredicate
	case t.op == testTrue:
		t.query = queryBool
	case t.op == testAlive:
		t.query = queryAlive
	case t.kind == blackboard.Float && (t.op == testLess || t.op == testLessEqual):
		t.query = queryFloatsBelow
		if t.op == testLessEqual {
			t.float = math.Nextafter32(t.float, float32(math.Inf(1)))
		}
	case t.kind == blackboard.Int && t.op == testLess:
		t.query = queryIntsBelow
	case t.kind == blackboard.Int && t.op == testLessEqual && t.integer < math.MaxInt64:
		t.query = queryIntsBelow
		t.integer++
	}
}

type testOp uint8

const (
	testTrue testOp = iota
	testLess
	testLessEqual
	testEqual
	testLessFact
	testLessEqualFact
	testEqualFact
	testAlive
	testPredicate
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
	t := &x.program.Tests[test]
	if t.op != testPredicate && popcount(mask) >= sparse {
		mask = x.mask &^ x.known[test]
	}
	var v uint64
	switch t.query {
	case queryPredicate:
		v = t.predicate(x.context(mask, t.reads))
	case queryBool:
		v = x.facts.Bools(t.fact, mask)
	case queryFloatsBelow:
		v = x.block.Facts.FloatsBelow(int(t.fact), mask, t.float)
	case queryIntsBelow:
		v = x.block.Facts.IntsBelow(int(t.fact), mask, t.integer)
	case queryAlive:
		v = x.facts.Alive(t.fact, mask)
	default:
		v = x.compare(t, mask)
	}
	x.value[test] = x.value[test]&^mask | v&mask
	x.known[test] |= mask
}

// compare evaluates what a source is not asked for in one go.
func (x *Executor) compare(t *conditionTest, mask uint64) uint64 {
	switch t.kind {
	case blackboard.Float:
		return x.compareFloats(t, mask)
	case blackboard.Int:
		return x.compareInts(t, mask)
	case blackboard.Age:
		return x.compareAges(t, mask)
	}
	a, b := x.facts.Entities(t.fact, mask), x.facts.Entities(t.other, mask)
	v := uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		v |= bit(a[i] == b[i]) << i
	}
	return v
}

func (x *Executor) compareFloats(t *conditionTest, mask uint64) uint64 {
	a := x.facts.Floats(t.fact, mask)
	switch t.op {
	case testEqual:
		return lane.FloatEqual(a, t.float)
	case testLessFact:
		return lane.FloatLessLane(a, x.facts.Floats(t.other, mask))
	case testLessEqualFact:
		return lane.FloatLessEqualLane(a, x.facts.Floats(t.other, mask))
	}
	return lane.FloatEqualLane(a, x.facts.Floats(t.other, mask))
}

func (x *Executor) compareInts(t *conditionTest, mask uint64) uint64 {
	a := x.facts.Ints(t.fact, mask)
	switch t.op {
	case testLessEqual: // with the greatest integer
		return mask
	case testEqual:
		return lane.IntEqual(a, t.integer)
	case testLessFact:
		return lane.IntLessLane(a, x.facts.Ints(t.other, mask))
	case testLessEqualFact:
		return lane.IntLessEqualLane(a, x.facts.Ints(t.other, mask))
	}
	return lane.IntEqualLane(a, x.facts.Ints(t.other, mask))
}

// compareAges compares readings rather than ages where it can: an age is less than c if the reading is later
// than now - c, and not 0, which is never. Readings are not negative.
func (x *Executor) compareAges(t *conditionTest, mask uint64) uint64 {
	since := max(int64(x.block.Now)-max(t.integer, 0), 0)
	switch {
	case t.op == testLess && t.integer >= 0:
		return ^x.block.Facts.IntsBelow(int(t.fact), mask, since+1)
	case t.op == testLessEqual && t.integer >= 0:
		return ^x.block.Facts.IntsBelow(int(t.fact), mask, max(since, 1))
	}
	a := x.facts.Ages(t.fact, mask)
	switch t.op {
	case testLess:
		return lane.IntLess(a, t.integer)
	case testLessEqual:
		return lane.IntLessEqual(a, t.integer)
	case testEqual:
		return lane.IntEqual(a, t.integer)
	case testLessFact:
		return lane.IntLessLane(a, x.facts.Ages(t.other, mask))
	case testLessEqualFact:
		return lane.IntLessEqualLane(a, x.facts.Ages(t.other, mask))
	}
	return lane.IntEqualLane(a, x.facts.Ages(t.other, mask))
}
