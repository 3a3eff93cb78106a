package executor

import (
	"math"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// Test is a compiled condition without its negation.
type Test struct {
	Op          TestOp
	Kind        blackboard.Kind // of the fact; Invalid for a predicate
	query       query
	Fact, Other int32   // indices of Program.Facts, or -1
	Float       float32 // the constant, in the fact's terms
	Integer     int64
	Predicate   func(*blackboard.Context) uint64
	Reads       []int32   // declared by the predicate
	Chance      int32     // the number of the chance among those of the program
	Of          []Operand // of TestAll
}

// Operand is a condition: a test or its negation.
type Operand struct {
	Test   int32  // index of Program.Tests, or -1 for none
	Negate uint64 // all bits set if it is negated, else 0
}

// query is how the value of a test is found.
type query uint8

const (
	queryCompare     query = iota // lanes are gathered and compared
	queryPredicate                // the custom function is called
	queryBool                     // the source is asked for a Bool
	queryFloatsBelow              // the source is asked for what is less than Test.Float
	queryIntsBelow                // the source is asked for what is less than Test.Integer
	queryAlive                    // the source is asked for what is alive
	queryChance                   // a number is drawn
	queryAll                      // the operands are tested
)

// ChooseQuery decides how the value of the test is found. A comparison "at most c" becomes "less than the successor of
// c".
func (t *Test) ChooseQuery() {
	switch {
	case t.Op == TestPredicate:
		t.query = queryPredicate
	case t.Op == TestChance:
		t.query = queryChance
	case t.Op == TestAll:
		t.query = queryAll
	case t.Op == TestTrue:
		t.query = queryBool
	case t.Op == TestAlive:
		t.query = queryAlive
	case t.Kind == blackboard.Float && (t.Op == TestLess || t.Op == TestLessEqual):
		t.query = queryFloatsBelow
		if t.Op == TestLessEqual {
			t.Float = math.Nextafter32(t.Float, float32(math.Inf(1)))
		}
	case t.Kind == blackboard.Int && t.Op == TestLess:
		t.query = queryIntsBelow
	case t.Kind == blackboard.Int && t.Op == TestLessEqual && t.Integer < math.MaxInt64:
		t.query = queryIntsBelow
		t.Integer++
	}
}

// TestOp is the comparison that a test makes.
type TestOp uint8

// The comparisons are named as the constructors of package aitree.
const (
	TestTrue TestOp = iota
	TestLess
	TestLessEqual
	TestEqual
	TestLessFact
	TestLessEqualFact
	TestEqualFact
	TestAlive
	TestPredicate // from here on, a test costs more for more lanes
	TestChance
	TestAll // that an AnyOf is too: it holds unless all of its operands do not
)

// holds returns the lanes of a mask in which a condition holds. Each test is evaluated once per lane and tick, however
// many nodes and conditions have it.
func (x *Executor) holds(c Operand, mask uint64) uint64 {
	if missing := mask &^ x.known[c.Test]; missing != 0 {
		x.evaluate(c.Test, missing)
	}
	return (x.value[c.Test] ^ c.Negate) & mask
}

// sparse is the number of lanes, of 64, below which it is faster to compare lane by lane than the whole block.
const sparse = 32

// evaluate finds the value of a test in the lanes of a mask. When many lanes need it, a comparison is made for the
// whole block, which costs no more.
func (x *Executor) evaluate(test int32, mask uint64) {
	t := &x.program.Tests[test]
	if t.Op < TestPredicate && bitmask.Count(mask) >= sparse {
		mask = x.mask &^ x.known[test]
	}
	var v uint64
	switch t.query {
	case queryPredicate:
		v = t.Predicate(x.context(mask, t.Reads))
	case queryBool:
		v = x.facts.Bools(t.Fact, mask)
	// A comparison with a constant is asked of the source, which answers it without making a lane. Each comparison is
	// evaluated once per tick, so there is nothing to cache.
	case queryFloatsBelow:
		v = x.block.Facts.FloatsBelow(int(t.Fact), mask, t.Float)
	case queryIntsBelow:
		v = x.block.Facts.IntsBelow(int(t.Fact), mask, t.Integer)
	case queryAlive:
		v = x.facts.Alive(t.Fact, mask)
	case queryChance:
		v = x.chance(t, mask)
	case queryAll:
		v = mask
		for i := 0; i < len(t.Of) && v != 0; i++ {
			v = x.holds(t.Of[i], v)
		}
	default:
		v = x.compare(t, mask)
	}
	x.value[test] = x.value[test]&^mask | v&mask
	x.known[test] |= mask
}

// chance draws for the lanes of a mask. The key of a draw is that of a node that is entered in this tick, and the
// numbers of chances are negative where nodes have their index.
func (x *Executor) chance(t *Test, mask uint64) (v uint64) {
	probability := x.facts.Floats(t.Fact, mask)
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		drawn := x.draw(i, uint32(x.now), -1-t.Chance, 0) >> 32
		v |= bitmask.Of(float64(drawn) < float64(probability[i])*(1<<32)) << i
	}
	return v
}

// compare evaluates a test that no source evaluates in one call.
func (x *Executor) compare(t *Test, mask uint64) uint64 {
	switch t.Kind {
	case blackboard.Float:
		return x.compareFloats(t, mask)
	case blackboard.Int:
		return x.compareInts(t, mask)
	case blackboard.Age:
		return x.compareAges(t, mask)
	}
	a, b := x.facts.Entities(t.Fact, mask), x.facts.Entities(t.Other, mask)
	v := uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		v |= bitmask.Of(a[i] == b[i]) << i
	}
	return v
}

// compareFloats compares floats of the lanes of a mask.
func (x *Executor) compareFloats(t *Test, mask uint64) uint64 {
	a := x.facts.Floats(t.Fact, mask)
	switch t.Op {
	case TestEqual:
		return lane.FloatEqual(a, t.Float)
	case TestLessFact:
		return lane.FloatLessLane(a, x.facts.Floats(t.Other, mask))
	case TestLessEqualFact:
		return lane.FloatLessEqualLane(a, x.facts.Floats(t.Other, mask))
	}
	return lane.FloatEqualLane(a, x.facts.Floats(t.Other, mask))
}

// compareInts compares integers of the lanes of a mask.
func (x *Executor) compareInts(t *Test, mask uint64) uint64 {
	a := x.facts.Ints(t.Fact, mask)
	switch t.Op {
	case TestLessEqual: // of the greatest integer
		return mask
	case TestEqual:
		return lane.IntEqual(a, t.Integer)
	case TestLessFact:
		return lane.IntLessLane(a, x.facts.Ints(t.Other, mask))
	case TestLessEqualFact:
		return lane.IntLessEqualLane(a, x.facts.Ints(t.Other, mask))
	}
	return lane.IntEqualLane(a, x.facts.Ints(t.Other, mask))
}

// compareAges compares the timestamps instead of the ages where it can: an age is less than c if the timestamp is later
// than now - c, and not 0, which means never. Timestamps are not negative.
func (x *Executor) compareAges(t *Test, mask uint64) uint64 {
	since := max(int64(x.block.Now)-max(t.Integer, 0), 0)
	switch {
	case t.Op == TestLess && t.Integer >= 0:
		return ^x.block.Facts.IntsBelow(int(t.Fact), mask, since+1)
	case t.Op == TestLessEqual && t.Integer >= 0:
		return ^x.block.Facts.IntsBelow(int(t.Fact), mask, max(since, 1))
	}
	a := x.facts.Ages(t.Fact, mask)
	switch t.Op {
	case TestLess:
		return lane.IntLess(a, t.Integer)
	case TestLessEqual:
		return lane.IntLessEqual(a, t.Integer)
	case TestEqual:
		return lane.IntEqual(a, t.Integer)
	case TestLessFact:
		return lane.IntLessLane(a, x.facts.Ages(t.Other, mask))
	case TestLessEqualFact:
		return lane.IntLessEqualLane(a, x.facts.Ages(t.Other, mask))
	}
	return lane.IntEqualLane(a, x.facts.Ages(t.Other, mask))
}
