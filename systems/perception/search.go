package perception

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// sighting is a hostile in sight.
type sighting struct {
	dist2 float32 // square metres
	slot  uint32  // in the grid
}

// A ray for each hostile of a crowd behind a wall would cost most of a frame.
const (
	raysBeforeViewshed = 16 // rays of a search that meet a wall before the viewer's viewshed is computed
	raysBeforeDraw     = 64 // rays of a search that meet a wall before it is drawn who gets one
)

// viewBatch is how many entities are tested at once.
const viewBatch = 64

// search finds the nearest hostiles in sight. It visits the rows of cells that the sector of the view touches, from the
// agent's row outwards, until the next row is farther than what was found. The tests are ordered by cost: faction,
// distance, cone, ray.
func (s *scene) search(w *senseScratch, faction uint8) {
	g, v := s.grid, &w.view
	low, high := v.bounds()
	left, right := g.Col(v.at.X+low.X), g.Col(v.at.X+high.X)
	first, last := g.Row(v.at.Y+low.Y), g.Row(v.at.Y+high.Y)
	hostile := s.hostiles(faction)
	own := min(max(g.Row(v.at.Y), first), last)
	// Metres to the nearer edges of the next rows. The margins cover the rounding of edges, see spatial.PaddedRadius.
	cell := 1 / g.PerMetre
	toSouth := v.at.Y - (g.Origin.Y + float32(cell*float32(own))) - 1.0/64
	toNorth := cell - toSouth - 2.0/64
	south, north := own-1, own+1
	row, gap := own, float32(0)
	for {
		if gap > 0 && float32(gap*gap) > v.reach2 {
			return
		}
		from, to := left, right
		if v.inVain >= raysBeforeViewshed {
			from, to = s.columnsInView(w, row, left, right)
		}
		for _, hostileFaction := range hostile {
			if from > to {
				break
			}
			for start, end := g.RowSlots(row, int(hostileFaction), from, to); start < end; start += viewBatch {
				s.testBatch(w, start, min(end, start+viewBatch))
			}
		}
		switch {
		case south >= first && (north > last || toSouth < toNorth):
			row, gap = south, toSouth
			south, toSouth = south-1, toSouth+cell
		case north <= last:
			row, gap = north, toNorth
			north, toNorth = north+1, toNorth+cell
		default:
			return
		}
	}
}

// columnsInView narrows the columns of a row of cells to those that are not hidden from the view. from is greater than
// to when all are. Who stands beyond the edge of the map is in no line of sight, and may be left out.
func (s *scene) columnsInView(w *senseScratch, row, left, right int) (from, to int) {
	g := s.grid
	cell, margin := 1/g.PerMetre, float32(1.0/64)
	edge := g.Origin.Y + float32(cell*float32(row))
	first, last := w.viewshed.Columns(int(max(edge-margin, 0)), int(max(edge+cell+margin, 0)))
	if first > last {
		return right + 1, right
	}
	return max(left, g.Col(float32(first))), min(right, g.Col(float32(last)+1))
}

// testBatch tests up to viewBatch slots: all for distance and cone without a branch, then the remaining ones for a ray.
func (s *scene) testBatch(w *senseScratch, start, end int) {
	v := &w.view
	positions := s.grid.Positions[start:end]
	reach := int64(math.Float32bits(v.reach2))
	n := uint(0)
	for i := range positions {
		dx, dy := positions[i].X-v.at.X, positions[i].Y-v.at.Y
		d2 := float32(dx*dx) + float32(dy*dy)
		w.slots[n%viewBatch] = uint32(start + i)
		w.dist2[n%viewBatch] = d2
		// The bits of floats that are not negative have the order of the floats.
		within := uint(^(reach-int64(math.Float32bits(d2)))>>63) & 1
		ahead := signedSquare(float32(v.heading.X*dx)+float32(v.heading.Y*dy)) - float32(v.cone*d2)
		n += within &^ (uint(math.Float32bits(ahead+0)) >> 31) // +0 drops the sign of a zero
	}
	for i := range n {
		slot, d2 := w.slots[i%viewBatch], w.dist2[i%viewBatch]
		if d2 > v.reach2 || int(slot) == v.skipSlot {
			continue
		}
		entity := s.grid.Entities[slot]
		at := v.count
		for at > 0 && s.nearer(d2, entity, v.found[at-1]) {
			at--
		}
		position := s.grid.Positions[slot]
		if at == v.limit || entity == v.entity {
			continue
		}
		if v.inVain >= raysBeforeViewshed && s.passOver(w, entity, position) {
			continue
		}
		if !s.castRay(v, position) {
			if v.inVain++; v.inVain == raysBeforeViewshed {
				w.viewshed.Set(s.terrain, v.at)
			}
			continue
		}
		v.insert(at, sighting{dist2: d2, slot: slot})
		if v.count == v.limit {
			v.reach2 = v.found[v.count-1].dist2
		}
	}
}

// passOver reports whether an entity gets no ray, in a search of which many rays have met a wall: it is certainly out
// of sight or, after raysBeforeDraw, not drawn. The n-th entity is drawn with a chance of raysBeforeDraw in n. So the
// number of rays grows with the logarithm of the size of a crowd out of sight, and everyone gets one now and then.
func (s *scene) passOver(w *senseScratch, entity components.Entity, at components.Vec2) bool {
	v := &w.view
	if w.viewshed.Hides(at) {
		return true
	}
	if v.inVain < raysBeforeDraw {
		return false
	}
	v.drawn++
	draw := random.Mix(random.Mix(v.entity.Key(), entity.Key()), uint64(s.now))
	return random.Below(draw, raysBeforeDraw+v.drawn) >= raysBeforeDraw
}

// add adds an entity in sight to those found, unless it is among them or all that have a place are nearer.
func (s *scene) add(v *view, slot int, dist2 float32) {
	at, entity := v.count, s.grid.Entities[slot]
	for i, f := range v.found[:v.count] {
		if int(f.slot) == slot {
			return
		}
		if at == v.count && s.nearer(dist2, entity, f) {
			at = i
		}
	}
	if at < v.limit {
		v.insert(at, sighting{dist2: dist2, slot: uint32(slot)})
	}
}

// insert puts a sighting before those from a place on. Of more than the limit, the last is dropped.
func (v *view) insert(at int, f sighting) {
	v.count = min(v.count+1, v.limit)
	copy(v.found[at+1:v.count], v.found[at:])
	v.found[at] = f
}

// nearer orders by distance, then by entity.
func (s *scene) nearer(dist2 float32, entity components.Entity, than sighting) bool {
	if dist2 != than.dist2 {
		return dist2 < than.dist2
	}
	return entity.Less(s.grid.Entities[than.slot])
}
