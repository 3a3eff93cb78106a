package perception

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
)

// sighting is a hostile in sight.
type sighting struct {
	dist2 float32 // square metres
	slot  uint32  // in the grid
}

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
		for _, hostileFaction := range hostile {
			for start, end := g.RowSlots(row, int(hostileFaction), left, right); start < end; start += viewBatch {
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
		if at == v.limit || entity == v.entity || !s.castRay(v, s.grid.Positions[slot]) {
			continue
		}
		v.count = min(v.count+1, v.limit)
		copy(v.found[at+1:v.count], v.found[at:])
		v.found[at] = sighting{dist2: d2, slot: slot}
		if v.count == v.limit {
			v.reach2 = v.found[v.count-1].dist2
		}
	}
}

// nearer orders by distance, then by entity.
func (s *scene) nearer(dist2 float32, entity components.Entity, than sighting) bool {
	if dist2 != than.dist2 {
		return dist2 < than.dist2
	}
	return entity.Less(s.grid.Entities[than.slot])
}
