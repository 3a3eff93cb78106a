package benchmarks

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// stream is a sequence of draws of one guard in one frame.
type stream uint64

func (s *stream) next() uint64 {
	*s = stream(random.Mix(uint64(*s), 1))
	return uint64(*s)
}

func (s *stream) below(n uint32) uint32 { return random.Below(s.next(), n) }

// between draws from [low, high).
func (s *stream) between(low, high float32) float32 {
	return low + float32(random.Unit(s.next())*(high-low))
}

// point draws a place in a square kilometre.
func (s *stream) point() components.Vec2 {
	x := s.between(0, 1000)
	return components.Vec2{X: x, Y: s.between(0, 1000)}
}
