package scoring

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// targets returns the lanes of a mask that have a target k in a list; they are looked up once for each block.
func (s *Scorer) targets(list int32, k int, mask uint64) uint64 {
	if missing := mask &^ s.found[list]; missing != 0 {
		s.lookUp(list, missing)
	}
	return s.present[list][k] & mask
}

// lookUp finds the targets of the lanes of a mask.
func (s *Scorer) lookUp(list int32, mask uint64) {
	l := &s.e.Lists[list]
	s.found[list] |= mask
	counts := s.host.Facts.Ints(s.fact(l.Count), mask)
	present := &s.present[list]
	for k := range l.Entities {
		present[k] &^= mask
		listed := mask &^ lane.IntLessEqual(counts, int64(k))
		if listed == 0 {
			continue
		}
		entities := s.entities(list, k, listed)
		for m := listed; m != 0; m &= m - 1 {
			if i := bitmask.Lowest(m); !entities[i].IsZero() {
				present[k] |= 1 << i
			}
		}
	}
}

// entities returns the lane of the entities of targets k.
func (s *Scorer) entities(list int32, k int, mask uint64) *[64]components.Entity {
	return s.host.Facts.Entities(s.fact(s.e.Lists[list].Entities[k]), mask)
}

// Exclude marks the pairs of an action and a lane's target as out, for the lanes of a mask. A target that is not listed
// any more needs no mark. [Scorer.Begin] must have been called for the block.
func (s *Scorer) Exclude(out []uint64, action int, mask uint64, targets *[64]components.Entity) {
	a := &s.e.Actions[action]
	if a.List < 0 {
		out[a.pairs] |= mask
		return
	}
	for k := range s.e.elements(a) {
		if here := s.targets(a.List, k, mask); here != 0 {
			out[a.pairs+int32(k)] |= s.equal(a.List, k, here, targets)
		}
	}
}

// same returns the lanes of a mask in which target k is the one in force.
func (s *Scorer) same(list int32, k int, mask uint64, d *Decision) (lanes uint64) {
	return s.equal(list, k, mask, &d.Target)
}

// equal returns the lanes of a mask in which target k is the given one.
func (s *Scorer) equal(list int32, k int, mask uint64, targets *[64]components.Entity) (lanes uint64) {
	entities := s.entities(list, k, mask)
	for m := mask; m != 0; m &= m - 1 {
		if i := bitmask.Lowest(m); entities[i] == targets[i] {
			lanes |= 1 << i
		}
	}
	return lanes
}
