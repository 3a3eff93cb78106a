package frame

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
)

// MaxFPS keeps a frame no shorter than a microsecond, the unit of a mind's timers.
const MaxFPS = 1_000_000

// Clock is simulated time. One goroutine moves it, between frames: with [Clock.Advance], which gives all frames the
// same length, or with [Clock.Set], for a host that keeps its own time. Do not mix the two.
type Clock struct {
	Frame uint32               // 0 before the first frame
	Now   components.Timestamp // the instant that all of the frame shares
	Step  components.Timestamp // nanoseconds since the last frame
	Delta float32              // the same in seconds
	FPS   int                  // frames per second, nominal where the host sets the time
}

// NewClock returns a clock that stands before its first frame. FPS must be in 1…1000000.
func NewClock(fps int) (*Clock, error) {
	if fps <= 0 || fps > MaxFPS {
		return nil, fmt.Errorf("frame: %d frames per second; use 1 to %d", fps, MaxFPS)
	}
	return &Clock{FPS: fps}, nil
}

// Advance goes to the next frame. Frame f stands at f·10⁹/FPS nanoseconds, by integer division of the
// whole product, so no error adds up.
//
// Panics when FPS is out of range.
func (c *Clock) Advance() {
	if c.FPS <= 0 || c.FPS > MaxFPS {
		panic(fmt.Sprintf("frame: Clock of %d frames per second; use 1 to %d", c.FPS, MaxFPS))
	}
	// 2³²·10⁹ is less than 2⁶³.
	c.move(components.Timestamp((int64(c.Frame) + 1) * 1_000_000_000 / int64(c.FPS)))
}

// Set goes to the next frame, which stands at the given instant. An instant equal to the last one is a frame in which
// no time passes: see [Clock.Paused].
//
// Panics when the instant is not after zero or lies before the last one.
func (c *Clock) Set(now components.Timestamp) {
	if now <= 0 {
		panic(fmt.Sprintf("frame: Clock.Set(%d); the first frame stands after zero, which means never", now))
	}
	c.move(now)
}

func (c *Clock) move(now components.Timestamp) {
	if now < c.Now {
		panic(fmt.Sprintf("frame: Clock goes back from %d to %d ns", c.Now, now))
	}
	c.Frame++
	c.Step = now - c.Now
	c.Delta = float32(float64(c.Step) / 1e9)
	c.Now = now
}

// Paused reports whether no time has passed since the last frame. In such a frame nobody decides, senses, moves,
// strikes or tires, and nothing changes but what commands change: they are applied. Events that are raised meanwhile
// are served in the next frame in which time passes. A system of the host's own that acts for agents returns at once,
// too; LOD.Due still tells who decided in the last frame in which time passed.
func (c *Clock) Paused() bool { return c.Step == 0 }

// ClockSystem gives every frame the same length: it advances the world's [Clock] and runs before all other
// systems. A host that keeps its own time leaves it out and calls [Clock.Set].
type ClockSystem struct {
	guard lifecycle.Guard[arche.World]
	clock *Clock
}

// Initialize implements [ecs.System]. It panics when the world has no [Clock].
func (s *ClockSystem) Initialize(w *arche.World) {
	s.guard.Begin("frame.ClockSystem", w)
	s.clock = ecs.Resource[Clock](w)
}

// Update implements [ecs.System].
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *ClockSystem) Update(w *arche.World) {
	s.guard.Check("frame.ClockSystem", w)
	s.clock.Advance()
}

// Finalize implements [ecs.System].
func (s *ClockSystem) Finalize(*arche.World) { s.guard.End() }
