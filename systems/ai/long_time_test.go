package ai_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

const days30 = 30 * 86400 // seconds

// striker is a world with one agent that strikes whenever its cooldown of 0.8 s lets it, and beside that waits 0.8 s
// over and over.
type striker struct {
	*AiWorld
	entity components.Entity
	bang   components.Action
	waited bool
}

func newStriker(t *testing.T, fps int) *striker {
	s := &striker{AiWorld: NewAIWorld(t, 1)}
	s.Clock.FPS = fps
	p := s.Program("striker", aitree.Parallel(aitree.All, aitree.All,
		aitree.Cooldown(800*time.Millisecond, aitree.Fire("bang")),
		aitree.Sequence(aitree.Wait(800*time.Millisecond), aitree.AgentLeaf("waited", func(aitree.Agent) aitree.Status {
			s.waited = true
			return aitree.Success
		})),
		s.Scripted("ever"),
	))
	s.entity = s.Spawn(mindlayout.NewMind64(uint16(p)))
	s.bang, _ = s.actions.Lookup("bang")
	s.Start()
	return s
}

// at goes to a frame and returns whether the agent struck in it and whether a wait of it ended.
func (s *striker) at(number uint32) (struck, waited bool) {
	s.Clock.Frame = number - 1
	s.waited = false
	s.Frame()
	return len(ecs.Resource[frame.Triggers](s.World).Take(s.bang)) > 0, s.waited
}

// requireRhythm runs frames from a first one and checks that strikes are a period apart, and ends of waits a period
// and the frame in which the next begins.
func (s *striker) requireRhythm(t *testing.T, from uint32, frames, period int) {
	t.Helper()
	for i := range frames {
		struck, waited := s.at(from + uint32(i))
		require.Equal(t, i%period == 0, struck, "frame %d, %d after the first: strike", from+uint32(i), i)
		require.Equal(t, i%(period+1) == period, waited, "frame %d, %d after the first: wait", from+uint32(i), i)
	}
}

func TestACooldownTakesItsTimeToTheFrameAfterThirtyDays(t *testing.T) {
	for fps, period := range map[int]int{60: 48, 50: 40, 30: 24} { // 0.8 s in frames
		t.Run(fmt.Sprint(fps, " fps"), func(t *testing.T) {
			for offset := range uint32(fps) { // every phase of a second
				s := newStriker(t, fps)
				s.requireRhythm(t, uint32(days30*fps)+offset, 6*period, period)
			}
		})
	}
}

// The same agent, frozen for most of the thirty days and woken for a few frames before and after every turn of its
// clock's bits.
func TestAFrozenAgentKeepsTimeThroughThirtyDays(t *testing.T) {
	const epoch = 1 << 30 // microseconds
	for fps, period := range map[int]int{60: 48, 50: 40, 30: 24} {
		t.Run(fmt.Sprint(fps, " fps"), func(t *testing.T) {
			s := newStriker(t, fps)
			s.at(1)
			turns := 0
			for micros := int64(epoch); micros < days30*1_000_000; micros += epoch {
				turn := uint32(micros * int64(fps) / 1_000_000)
				// Whatever was running was over long ago: the wait ends at once, and the next begins a frame later.
				first := turn - uint32(period/2)
				for _, i := range []int{0, 1, period/2 - 1, period / 2, period - 1, period, period + 1, period + 2} {
					struck, waited := s.at(first + uint32(i))
					if struck != (i%period == 0) || waited != (i%(period+1) == 0) {
						t.Fatalf("frame %d, %d after the first: struck %v, waited %v", first+uint32(i), i, struck,
							waited)
					}
				}
				turns++
			}
			assert.Equal(t, 2413, turns) // 30 days in epochs
		})
	}
}

func TestEveryFrameOfAMinuteAfterThirtyDaysIsExact(t *testing.T) {
	s := newStriker(t, 60)
	s.requireRhythm(t, days30*60, 3600, 48)
}
