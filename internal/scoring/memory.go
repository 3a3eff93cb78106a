package scoring

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// An agent's memory of its last scoring, if the evaluator rescores: first the inputs about the agent, a word each, then
// for each list and element the target's entity and inputs. An element without a target has the zero entity.

// entityWords is how many words of memory an entity takes.
const entityWords = 2

// Changed returns the lanes of a mask in which an input differs by more than RescoreBeyond from what is remembered, or
// a target was added or removed. The order of the targets does not matter. memory holds the agents' words.
func (s *Scorer) Changed(mask uint64, memory *[64][]uint32) (changed uint64) {
	e := s.e
	for at, i := range e.AgentInputs {
		now := s.input(i, mask&^changed)
		for m := mask &^ changed; m != 0; m &= m - 1 {
			k := bitmask.Lowest(m)
			if s.beyond(now[k], memory[k][at]) {
				changed |= 1 << k
			}
		}
	}
	for l := range e.Lists {
		for m := mask &^ changed; m != 0; m &= m - 1 {
			k := bitmask.Lowest(m)
			if s.targetsChanged(int32(l), k, memory[k][e.Lists[l].memory:]) {
				changed |= 1 << k
			}
		}
	}
	return changed
}

// beyond reports whether a number differs from a remembered one by more than RescoreBeyond.
func (s *Scorer) beyond(now float32, remembered uint32) bool {
	d := now - math.Float32frombits(remembered)
	return !(max(d, -d) <= s.e.RescoreBeyond)
}

// targetsChanged reports whether the targets of a lane differ from what is remembered.
func (s *Scorer) targetsChanged(index int32, lane int, memory []uint32) bool {
	l := &s.e.Lists[index]
	words := entityWords + len(l.Inputs)
	bit := uint64(1) << lane
	found := [blackboard.MaxListed]bool{} // by remembered target; one that is listed twice must be found twice
	for k := range l.Entities {
		if s.targets(index, k, bit) == 0 {
			continue
		}
		entity := s.entities(index, k, bit)[lane]
		r, at := 0, 0
		for r < len(l.Entities) && (found[r] || memory[at] != entity.Index || memory[at+1] != entity.Generation) {
			r, at = r+1, at+words
		}
		if r == len(l.Entities) {
			return true // it was added
		}
		found[r] = true
		for i, first := range l.Inputs {
			if s.beyond(s.input(first+int32(k), bit)[lane], memory[at+entityWords+i]) {
				return true
			}
		}
	}
	for r := range l.Entities {
		if !found[r] && memory[r*words]|memory[r*words+1] != 0 {
			return true // it was removed
		}
	}
	return false
}

// Remember stores what the lanes of a mask read now in their memory.
func (s *Scorer) Remember(mask uint64, memory *[64][]uint32) {
	e := s.e
	for at, i := range e.AgentInputs {
		now := s.input(i, mask)
		for m := mask; m != 0; m &= m - 1 {
			k := bitmask.Lowest(m)
			memory[k][at] = math.Float32bits(now[k])
		}
	}
	for index := range e.Lists {
		l := &e.Lists[index]
		at := l.memory
		for k := range l.Entities {
			here := s.targets(int32(index), k, mask)
			var entities *[64]components.Entity
			if here != 0 {
				entities = s.entities(int32(index), k, here)
			}
			for m := mask; m != 0; m &= m - 1 {
				i := bitmask.Lowest(m)
				entity := components.Entity{}
				if here>>i&1 != 0 {
					entity = entities[i]
				}
				memory[i][at], memory[i][at+1] = entity.Index, entity.Generation
			}
			for f, first := range l.Inputs {
				if here == 0 {
					break
				}
				now := s.input(first+int32(k), here)
				for m := here; m != 0; m &= m - 1 {
					i := bitmask.Lowest(m)
					memory[i][at+entityWords+f] = math.Float32bits(now[i])
				}
			}
			at += entityWords + len(l.Inputs)
		}
	}
}
