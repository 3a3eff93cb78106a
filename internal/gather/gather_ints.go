package gather

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/rows"
)

// Ints implements [blackboard.Source].
func (g *Gather) Ints(fact int, mask uint64, lane *[64]int64) {
	i := g.index[fact]
	f := &g.columns.facts[i]
	switch {
	case f.each:
		g.eachInt(i, mask, lane)
	case f.size == 8:
		ints[int64](g, i, f, mask, lane)
	case f.size == 4 && f.signed:
		ints[int32](g, i, f, mask, lane)
	case f.size == 4:
		ints[uint32](g, i, f, mask, lane)
	case f.size == 2 && f.signed:
		ints[int16](g, i, f, mask, lane)
	case f.size == 2:
		ints[uint16](g, i, f, mask, lane)
	case f.signed:
		ints[int8](g, i, f, mask, lane)
	default:
		ints[uint8](g, i, f, mask, lane)
	}
}

// IntsBelow implements [blackboard.Source].
func (g *Gather) IntsBelow(fact int, mask uint64, bound int64) uint64 {
	i := g.index[fact]
	f := &g.columns.facts[i]
	switch {
	case f.each:
		var lane [64]int64
		g.eachInt(i, mask, &lane)
		return longsBelow(&lane, mask, bound)
	case f.size == 8:
		return intsBelow[int64](g, i, f, mask, bound)
	case f.size == 4 && f.signed:
		return intsBelow[int32](g, i, f, mask, bound)
	case f.size == 4:
		return intsBelow[uint32](g, i, f, mask, bound)
	case f.size == 2 && f.signed:
		return intsBelow[int16](g, i, f, mask, bound)
	case f.size == 2:
		return intsBelow[uint16](g, i, f, mask, bound)
	case f.signed:
		return intsBelow[int8](g, i, f, mask, bound)
	}
	return intsBelow[uint8](g, i, f, mask, bound)
}

// integer is the set of types that a fact of kind Int or Age is stored as.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

// ints reads the lanes of a mask of a field of type T.
func ints[T integer](g *Gather, i int32, f *fact, mask uint64, lane *[64]int64) {
	if g.dense {
		if p := g.fields[i]; p == nil {
			fill(lane[:g.count], f.whole)
		} else if p = unsafe.Add(p, g.first*f.stride); g.many(mask) {
			intRows[T](lane[:g.count], p, f.stride)
		} else {
			intLanes[T](lane, mask, p, f.stride)
		}
		return
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			if p == nil {
				lane[l] = f.whole
			} else {
				lane[l] = int64(*(*T)(g.at(p, l, f.stride)))
			}
		}
	}
}

// intsBelow returns the lanes of a mask in which a field of type T is less than a bound.
func intsBelow[T integer](g *Gather, i int32, f *fact, mask uint64, bound int64) (v uint64) {
	if !g.dense {
		var lane [64]int64
		ints[T](g, i, f, mask, &lane)
		return longsBelow(&lane, mask, bound)
	}
	p := g.fields[i]
	if p == nil {
		return -bitmask.Of(f.whole < bound) & mask
	}
	p = unsafe.Add(p, g.first*f.stride)
	if w := g.window(f, p, mask); w != nil {
		switch {
		case f.size == 8:
			return rows.LongLess(&w[0], &w[1], bound) & mask
		case bound > math.MaxInt32:
			return mask
		case bound < math.MinInt32:
			return 0
		}
		return rows.IntLess(&w[0], int32(bound)) & mask
	}
	if g.many(mask) {
		v = intRowsBelow[T](g.count, p, f.stride, bound)
	} else {
		v = intLanesBelow[T](mask, p, f.stride, bound)
	}
	return v & mask
}

// longsBelow returns the lanes of a mask that are less than a bound.
func longsBelow(lane *[64]int64, mask uint64, bound int64) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		v |= bitmask.Of(lane[l] < bound) << l
	}
	return v
}

// intRows reads consecutive rows.
//
//go:noinline
func intRows[T integer](lanes []int64, p unsafe.Pointer, stride uintptr) {
	offset := uintptr(0)
	for l := range lanes {
		lanes[l] = int64(*(*T)(unsafe.Add(p, offset)))
		offset += stride
	}
}

// intLanes reads the lanes of a mask.
//
//go:noinline
func intLanes[T integer](lane *[64]int64, mask uint64, p unsafe.Pointer, stride uintptr) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		lane[l] = int64(*(*T)(unsafe.Add(p, uintptr(l)*stride)))
	}
}

// intRowsBelow returns a bit for each of 1 to 64 rows, set when the value is less than a bound.
//
//go:noinline
func intRowsBelow[T integer](rows int, p unsafe.Pointer, stride uintptr, bound int64) (v uint64) {
	offset := uintptr(0)
	shift := uint(64-rows) & 63
	for ; rows >= 4; rows -= 4 {
		v = v<<1 + bitmask.Of(int64(*(*T)(unsafe.Add(p, offset))) < bound)
		v = v<<1 + bitmask.Of(int64(*(*T)(unsafe.Add(p, offset+stride))) < bound)
		v = v<<1 + bitmask.Of(int64(*(*T)(unsafe.Add(p, offset+2*stride))) < bound)
		v = v<<1 + bitmask.Of(int64(*(*T)(unsafe.Add(p, offset+3*stride))) < bound)
		offset += 4 * stride
	}
	for ; rows > 0; rows-- {
		v = v<<1 + bitmask.Of(int64(*(*T)(unsafe.Add(p, offset))) < bound)
		offset += stride
	}
	return bits.Reverse64(v) >> shift
}

// intLanesBelow returns the lanes of a mask whose value is less than a bound.
//
//go:noinline
func intLanesBelow[T integer](mask uint64, p unsafe.Pointer, stride uintptr, bound int64) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		v |= bitmask.Of(int64(*(*T)(unsafe.Add(p, uintptr(l)*stride))) < bound) << l
	}
	return v
}
