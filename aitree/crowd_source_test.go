package aitree_test

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// A crowdSource gives facts for no more lanes than it is asked for and spoils those outside the block. It complains
// when it is asked twice for the same.
type crowdSource struct {
	lanes  *blackboard.Lanes
	h      *crowd
	asked  []uint64 // by fact
	living []uint64
}

func newCrowdSource(h *crowd, lanes *blackboard.Lanes) *crowdSource {
	facts := len(h.program.Facts)
	return &crowdSource{lanes: lanes, h: h, asked: make([]uint64, facts), living: make([]uint64, facts)}
}

func (s *crowdSource) ask(fact int, mask uint64) {
	if s.asked[fact]&mask != 0 && !s.h.explaining || mask&^s.h.block.Mask != 0 || mask == 0 {
		s.h.fault("fact %d is asked for in lanes %x, was in %x, of a block of %x", fact, mask, s.asked[fact],
			s.h.block.Mask)
	}
	s.asked[fact] |= mask
}

// fillLane copies the lanes of a mask, and spoils those outside the block.
func fillLane[T any](to, from *[64]T, mask, block uint64, spoilt T) {
	for i := range to {
		switch {
		case mask>>i&1 != 0:
			to[i] = from[i]
		case block>>i&1 == 0:
			to[i] = spoilt
		}
	}
}

func (s *crowdSource) Floats(fact int, mask uint64, lane *[64]float32) *[64]float32 {
	s.ask(fact, mask)
	fillLane(lane, s.lanes.Floats(fact, mask, nil), mask, s.h.block.Mask, float32(math.NaN()))
	return lane
}

func (s *crowdSource) Ints(fact int, mask uint64, lane *[64]int64) {
	s.ask(fact, mask)
	var all [64]int64
	s.lanes.Ints(fact, mask, &all)
	fillLane(lane, &all, mask, s.h.block.Mask, math.MinInt64)
}

func (s *crowdSource) Bools(fact int, mask uint64) uint64 {
	s.ask(fact, mask)
	return s.lanes.Bools(fact, mask) | s.h.rng.Uint64()&^s.h.block.Mask
}

// compare checks what a comparison is asked for. Each condition has one value in a tick, but several may compare a
// fact.
func (s *crowdSource) compare(fact int, mask uint64) {
	if mask&^s.h.block.Mask != 0 || mask == 0 {
		s.h.fault("fact %d is compared in lanes %x of a block of %x", fact, mask, s.h.block.Mask)
	}
}

func (s *crowdSource) FloatsBelow(fact int, mask uint64, bound float32) uint64 {
	s.compare(fact, mask)
	return s.lanes.FloatsBelow(fact, mask, bound) | s.h.rng.Uint64()&^s.h.block.Mask
}

func (s *crowdSource) IntsBelow(fact int, mask uint64, bound int64) uint64 {
	s.compare(fact, mask)
	return s.lanes.IntsBelow(fact, mask, bound) | s.h.rng.Uint64()&^s.h.block.Mask
}

func (s *crowdSource) Alive(fact int, mask uint64) uint64 {
	if mask&^s.h.block.Mask != 0 || mask == 0 || s.living[fact]&mask != 0 && !s.h.explaining {
		s.h.fault("fact %d is asked to be alive in lanes %x, was in %x, of a block of %x", fact, mask, s.living[fact],
			s.h.block.Mask)
	}
	s.living[fact] |= mask
	return s.lanes.Alive(fact, mask) | s.h.rng.Uint64()&^s.h.block.Mask
}

func (s *crowdSource) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	s.ask(fact, mask)
	var all [64]components.Entity
	s.lanes.Entities(fact, mask, &all)
	fillLane(lane, &all, mask, s.h.block.Mask, components.Entity{Index: 4, Generation: 4})
}
