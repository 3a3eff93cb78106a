package gather

import (
	"math"
	"unsafe"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// The facts of this file are read agent by agent: those of other entities, those of float64 and of uint64, and whether
// a component is there.

// address returns the address of a fact's field for the agent in a lane, or nil where there is no component.
func (g *Gather) address(i int32, lane int) unsafe.Pointer {
	f := &g.columns.facts[i]
	if f.entity >= 0 {
		reference := g.address(int32(f.entity), lane)
		if reference == nil {
			return nil
		}
		e := *(*components.Entity)(reference)
		if !g.columns.entities.Alive(e) {
			return nil
		}
		component := g.columns.world.GetUnchecked(ecs.ToArche(e), f.id)
		if component == nil {
			return nil
		}
		return unsafe.Add(component, f.offset) // a fact's offset lies in its component
	}
	fields, row := g.fields, g.first+uintptr(lane)
	if !g.dense {
		fields, row = g.columns.chunk(g.rows[lane].Chunk), uintptr(g.rows[lane].Row)
	}
	if fields[i] == nil {
		return nil
	}
	return unsafe.Add(fields[i], row*f.stride) // the lane's row of the column
}

// eachFloat reads the lanes of a mask.
func (g *Gather) eachFloat(i int32, mask uint64, lane *[64]float32) {
	f := &g.columns.facts[i]
	worst := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		p := g.address(i, l)
		switch {
		case p == nil:
			lane[l] = f.number
		case f.size == 8:
			lane[l] = float32(*(*float64)(p))
		default:
			lane[l] = *(*float32)(p)
		}
		worst = max(worst, math.Float32bits(lane[l])&exponent)
	}
	if worst == exponent {
		g.replaceNonfinite(i, lane, mask, mask)
	}
}

// eachInt reads the lanes of a mask.
func (g *Gather) eachInt(i int32, mask uint64, lane *[64]int64) {
	f := &g.columns.facts[i]
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		if p := g.address(i, l); p != nil {
			lane[l] = f.integer(p)
		} else {
			lane[l] = f.whole
		}
	}
}

// integer returns the value of a field. One that an int64 cannot hold reads as the greatest.
func (f *fact) integer(p unsafe.Pointer) int64 {
	switch {
	case f.size == 8 && f.signed:
		return *(*int64)(p)
	case f.size == 8:
		return int64(min(*(*uint64)(p), math.MaxInt64))
	case f.size == 4 && f.signed:
		return int64(*(*int32)(p))
	case f.size == 4:
		return int64(*(*uint32)(p))
	case f.size == 2 && f.signed:
		return int64(*(*int16)(p))
	case f.size == 2:
		return int64(*(*uint16)(p))
	case f.signed:
		return int64(*(*int8)(p))
	}
	return int64(*(*uint8)(p))
}

// eachBool returns the lanes of a mask in which a fact is true.
func (g *Gather) eachBool(i int32, mask uint64) (v uint64) {
	f := &g.columns.facts[i]
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		p := g.address(i, l)
		switch {
		case f.presence:
			v |= bitmask.Of(p != nil) << l
		case p == nil:
			v |= uint64(f.whole) << l
		default:
			v |= uint64(*(*uint8)(p)&1) << l
		}
	}
	return v
}

// eachEntity reads the lanes of a mask. A reference to an entity that is not alive reads as zero.
func (g *Gather) eachEntity(i int32, mask uint64, lane *[64]components.Entity) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		lane[l] = components.Entity{}
		if p := g.address(i, l); p != nil {
			lane[l] = g.living(*(*components.Entity)(p))
		}
	}
}
