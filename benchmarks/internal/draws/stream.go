package draws

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Stream is a sequence of draws.
type Stream uint64

// NewStream returns the stream of a seed, a key, such as the number of an agent, and a frame.
func NewStream(seed, key, frame uint64) Stream {
	return Stream(random.Mix(random.Mix(seed, key), frame))
}

func (s *Stream) next() uint64 {
	*s = Stream(random.Mix(uint64(*s), 1))
	return uint64(*s)
}

// Below draws from 0..n-1.
func (s *Stream) Below(n uint32) uint32 { return random.Below(s.next(), n) }

// Between draws from [low, high).
func (s *Stream) Between(low, high float32) float32 {
	return low + float32(random.Unit(s.next())*(high-low))
}

// Point draws a point of a square kilometre, in metres.
func (s *Stream) Point() components.Vec2 {
	x := s.Between(0, 1000)
	return components.Vec2{X: x, Y: s.Between(0, 1000)}
}
