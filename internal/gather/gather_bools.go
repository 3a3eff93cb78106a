package gather

import (
	"math/bits"
	"unsafe"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/rows"
)

// Bools implements [blackboard.Source].
func (g *Gather) Bools(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	f := &g.columns.facts[i]
	if f.each {
		return g.eachBool(i, mask)
	}
	if g.dense {
		if p := g.fields[i]; p == nil {
			v = -uint64(f.whole) // of 0 or 1
		} else if p = unsafe.Add(p, g.first*f.stride); f.window >= 0 {
			if w := g.window(f, p, mask); w != nil {
				v = rows.Differ(&w[0], 0, 1<<(8*(f.offset%4)))
			} else {
				v = boolLanes(mask, p, f.stride)
			}
		} else if g.many(mask) {
			v = boolRows(g.count, p, f.stride)
		} else {
			v = boolLanes(mask, p, f.stride)
		}
		return v & mask
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			if p == nil {
				v |= uint64(f.whole) << l
			} else {
				v |= uint64(*(*uint8)(g.at(p, l, f.stride))&1) << l
			}
		}
	}
	return v
}

// boolRows returns the bools of 1 to 64 rows as bits. A Go bool is a byte of 0 or 1. If unsafe code has written another
// value, it must not affect other lanes.
//
//go:noinline
func boolRows(rows int, p unsafe.Pointer, stride uintptr) (v uint64) {
	offset := uintptr(0)
	shift := uint(64-rows) & 63
	for ; rows >= 4; rows -= 4 {
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset))&1)
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset+stride))&1)
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset+2*stride))&1)
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset+3*stride))&1)
		offset += 4 * stride
	}
	for ; rows > 0; rows-- {
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset))&1)
		offset += stride
	}
	return bits.Reverse64(v) >> shift
}

// boolLanes returns the bools of the lanes of a mask as bits.
//
//go:noinline
func boolLanes(mask uint64, p unsafe.Pointer, stride uintptr) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		v |= uint64(*(*uint8)(unsafe.Add(p, uintptr(l)*stride))&1) << l
	}
	return v
}
