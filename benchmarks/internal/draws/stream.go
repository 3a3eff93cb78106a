package draws

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Stream is a sequence of draws of one guard in one frame.
type Stream uint64

func (s *Stream) next() uint64 {
	*s = Stream(random.Mix(uint64(*s), 1))
	return uint64(*s)
}

func (s *Stream) Below(n uint32) uint32 { return random.Below(s.next(), n) }

// Between draws from [low, high).
func (s *Stream) Between(low, high float32) float32 {
	return low + float32(random.Unit(s.next())*(high-low))
}

// Point draws a place in a square kilometre.
func (s *Stream) Point() components.Vec2 {
	x := s.Between(0, 1000)
	return components.Vec2{X: x, Y: s.Between(0, 1000)}
}
