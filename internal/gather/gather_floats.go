package gather

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/internal/rows"
)

// Floats implements [blackboard.Source].
func (g *Gather) Floats(fact int, mask uint64, lane *[64]float32) *[64]float32 {
	i := g.index[fact]
	f := &g.columns.facts[i]
	read, worst := mask, uint32(exponent) // if scattered
	if f.each {
		g.eachFloat(i, mask, lane)
		return lane
	} else if !g.dense {
		g.scatteredFloats(i, f, mask, lane)
	} else if p := g.fields[i]; p == nil {
		fill(lane[:g.count], f.number)
		return lane
	} else if p = unsafe.Add(p, g.first*f.stride); f.window >= 0 {
		w := g.window(f, p, mask)
		switch {
		case w == nil:
			worst = floatLanes(lane, mask, p, f.stride)
		case g.finite>>(f.window&63)&1 != 0 || rows.NotFinite(&w[0])&lanes(g.count) == 0:
			return floatLane(&w[0])
		default:
			copy(lane[:g.count], floatLane(&w[0])[:])
			read = lanes(g.count)
		}
	} else if g.many(mask) {
		read, worst = lanes(g.count), floatRows(lane[:g.count], p, f.stride)
	} else {
		worst = floatLanes(lane, mask, p, f.stride)
	}
	if worst == exponent {
		g.replaceNonfinite(i, lane, read, mask)
	}
	return lane
}

// FloatsBelow implements [blackboard.Source].
func (g *Gather) FloatsBelow(fact int, mask uint64, bound float32) (v uint64) {
	i := g.index[fact]
	f := &g.columns.facts[i]
	worst := uint32(exponent)
	if g.dense && !f.each {
		p := g.fields[i]
		if p == nil {
			return -bitmask.Of(f.number < bound) & mask
		}
		p = unsafe.Add(p, g.first*f.stride)
		if w := g.window(f, p, mask); w != nil {
			if g.finite>>(f.window&63)&1 != 0 || rows.NotFinite(&w[0])&mask == 0 {
				return lane.FloatLess(floatLane(&w[0]), bound) & mask
			}
		} else if g.many(mask) {
			v, worst = floatRowsBelow(g.count, p, f.stride, bound)
		} else {
			v, worst = floatLanesBelow(mask, p, f.stride, bound)
		}
	}
	if worst == exponent { // or scattered
		var given [64]float32
		lane := g.Floats(fact, mask, &given)
		v = 0
		for m := mask; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			v |= bitmask.Of(lane[l] < bound) << l
		}
	}
	return v & mask
}

// scatteredFloats reads the lanes of a mask from rows that are not consecutive.
func (g *Gather) scatteredFloats(i int32, f *fact, mask uint64, lane *[64]float32) {
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			if p == nil {
				lane[l] = f.number
			} else {
				lane[l] = *(*float32)(g.at(p, l, f.stride))
			}
		}
	}
}

// replaceNonfinite replaces each value of the lanes read that is not finite by the fact's default. It counts those in
// the mask; the others are counted when they are asked for.
func (g *Gather) replaceNonfinite(i int32, lane *[64]float32, read, mask uint64) {
	bad := uint64(0)
	for m := read; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		if math.Float32bits(lane[l])&exponent == exponent {
			lane[l] = g.columns.facts[i].number
			bad |= 1 << l
		}
	}
	if bad &= mask; bad == 0 {
		return
	}
	for len(g.counted) <= int(i) {
		g.counted = append(g.counted, 0)
	}
	g.Nonfinite += int64(bitmask.Count(bad &^ g.counted[i]))
	g.counted[i] |= bad
	g.anyCount = true
}

// The loops over rows and lanes are functions of their own and are not inlined, so that their variables stay in
// registers. Those over consecutive rows take the address of the first and read lane l at p + l*stride.

// floatLane returns a lane of words as the floats of the same bits.
func floatLane(l *rows.Lane) *[64]float32 { return (*[64]float32)(unsafe.Pointer(l)) } // of equal size and alignment

// exponent is the mask of a float32's exponent bits. All of them are set when the value is not finite.
const exponent = 0x7f800000

// exponentOne is the lowest bit of a float32's exponent.
const exponentOne = 1 << 23

// floatRows reads rows and returns exponent when a value is not finite, otherwise 0.
//
//go:noinline
func floatRows(lanes []float32, p unsafe.Pointer, stride uintptr) (worst uint32) {
	// Adding one to an exponent carries into the sign bit only when all bits of the exponent are set. Combining that
	// bit with OR, unlike a maximum, does not wait for a comparison.
	carry := uint32(0)
	offset := uintptr(0)
	for ; len(lanes) >= 4; lanes = lanes[4:] {
		four := lanes[:4:4]
		v := *(*uint32)(unsafe.Add(p, offset))
		w := *(*uint32)(unsafe.Add(p, offset+stride))
		x := *(*uint32)(unsafe.Add(p, offset+2*stride))
		y := *(*uint32)(unsafe.Add(p, offset+3*stride))
		carry |= (v&exponent + exponentOne) | (w&exponent + exponentOne)
		carry |= (x&exponent + exponentOne) | (y&exponent + exponentOne)
		four[0], four[1] = math.Float32frombits(v), math.Float32frombits(w)
		four[2], four[3] = math.Float32frombits(x), math.Float32frombits(y)
		offset += 4 * stride
	}
	for l := range lanes {
		v := *(*uint32)(unsafe.Add(p, offset))
		carry |= v&exponent + exponentOne
		lanes[l] = math.Float32frombits(v)
		offset += stride
	}
	return -(carry >> 31) & exponent
}

// floatLanes reads the lanes of a mask and returns the greatest exponent.
//
//go:noinline
func floatLanes(lane *[64]float32, mask uint64, p unsafe.Pointer, stride uintptr) (worst uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		v := *(*float32)(unsafe.Add(p, uintptr(l)*stride))
		worst = max(worst, math.Float32bits(v)&exponent)
		lane[l] = v
	}
	return worst
}

// floatRowsBelow returns a bit for each of 1 to 64 rows, set when the value is less than a bound, and the greatest
// exponent.
//
//go:noinline
func floatRowsBelow(rows int, p unsafe.Pointer, stride uintptr, bound float32) (v uint64, worst uint32) {
	offset := uintptr(0)
	for range rows {
		f := *(*float32)(unsafe.Add(p, offset))
		worst = max(worst, math.Float32bits(f)&exponent)
		v = v<<1 + bitmask.Of(f < bound)
		offset += stride
	}
	return bits.Reverse64(v) >> (uint(64-rows) & 63), worst
}

// floatLanesBelow returns the lanes of a mask whose value is less than a bound, and the greatest exponent.
//
//go:noinline
func floatLanesBelow(mask uint64, p unsafe.Pointer, stride uintptr, bound float32) (v uint64, worst uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		f := *(*float32)(unsafe.Add(p, uintptr(l)*stride))
		worst = max(worst, math.Float32bits(f)&exponent)
		v |= bitmask.Of(f < bound) << l
	}
	return v, worst
}
