package gather

import (
	"math/bits"
	"unsafe"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/memory"
	"github.com/flockwork-ai/flockwork/internal/rows"
)

// Entities implements [blackboard.Source]. A reference to an entity that is not alive reads as zero.
func (g *Gather) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	i := g.index[fact]
	stride := g.columns.facts[i].stride
	if g.columns.facts[i].each {
		g.eachEntity(i, mask, lane)
		return
	}
	if g.dense {
		if p := g.fields[i]; p == nil {
			fill(lane[:g.count], components.Entity{})
		} else {
			g.entityLanes(lane, mask, unsafe.Add(p, g.first*stride), stride)
		}
		return
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			e := components.Entity{}
			if p != nil {
				e = g.living(*(*components.Entity)(g.at(p, l, stride)))
			}
			lane[l] = e
		}
	}
}

// Alive implements [blackboard.Source].
func (g *Gather) Alive(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	stride := g.columns.facts[i].stride
	if g.columns.facts[i].each {
		var lane [64]components.Entity
		g.eachEntity(i, mask, &lane)
		for m := mask; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			v |= bitmask.Of(!lane[l].IsZero()) << l
		}
		return v
	}
	if g.dense {
		p := g.fields[i]
		if p == nil {
			return 0
		}
		p = unsafe.Add(p, g.first*stride)
		if w := g.window(&g.columns.facts[i], p, mask); w != nil {
			mask &= rows.Differ(&w[0], 0, ^uint32(0))
		} else if g.many(mask) {
			mask &= setRows(g.count, p, stride)
		}
		if g.columns.entities.Test == nil {
			return aliveLanes(g.columns.entities.Pool, mask, p, stride)
		}
		for m := mask; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			if g.columns.entities.Test(*(*components.Entity)(unsafe.Add(p, uintptr(l)*stride))) {
				v |= 1 << l
			}
		}
		return v
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		if p == nil {
			continue
		}
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bitmask.Lowest(m)
			if g.columns.entities.Alive(*(*components.Entity)(g.at(p, l, stride))) {
				v |= 1 << l
			}
		}
	}
	return v
}

// living returns an entity, or the zero entity when it is not alive.
func (g *Gather) living(e components.Entity) components.Entity {
	if g.columns.entities.Alive(e) {
		return e
	}
	return components.Entity{}
}

// entityLanes reads the lanes of a mask from consecutive rows.
func (g *Gather) entityLanes(lane *[64]components.Entity, mask uint64, p unsafe.Pointer, stride uintptr) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		lane[l] = g.living(*(*components.Entity)(unsafe.Add(p, uintptr(l)*stride)))
	}
}

// aliveLanes returns the lanes of a mask that refer to an entity that is alive.
//
//go:noinline
func aliveLanes(pool memory.Pool, mask uint64, p unsafe.Pointer, stride uintptr) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bitmask.Lowest(m)
		if pool.Has(*(*components.Entity)(unsafe.Add(p, uintptr(l)*stride))) {
			v |= 1 << l
		}
	}
	return v
}

// setRows returns a bit for each of 1 to 64 rows, set when the reference is not zero.
//
//go:noinline
func setRows(rows int, p unsafe.Pointer, stride uintptr) (v uint64) {
	offset := uintptr(0)
	shift := uint(64-rows) & 63
	for ; rows >= 2; rows -= 2 {
		first := uint64((*components.Entity)(unsafe.Add(p, offset)).Index)
		second := uint64((*components.Entity)(unsafe.Add(p, offset+stride)).Index)
		v = (v<<1+-first>>63)<<1 + -second>>63
		offset += 2 * stride
	}
	if rows > 0 {
		v = v<<1 + -uint64((*components.Entity)(unsafe.Add(p, offset)).Index)>>63
	}
	return bits.Reverse64(v) >> shift
}
