package ai_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

func TestAPanicInALeafLeavesTheWorldUnlockedAndTheNextFrameRuns(t *testing.T) {
	for _, workers := range []int{1, 3} {
		s := NewAIWorld(t, workers)
		fail, ticks := true, 0
		number := s.Program("fragile", aitree.AgentLeaf("fragile", func(aitree.Agent) aitree.Status {
			if fail {
				panic("no idea")
			}
			ticks++
			return aitree.Running
		}))
		s.Spawn(mindlayout.NewMind64(number))
		s.Start()
		assert.Panics(t, s.Frame)
		assert.False(t, s.World.IsLocked(), "%d workers", workers)
		fail = false
		assert.NotPanics(t, s.Frame)
		assert.Equal(t, 1, ticks)
	}
}

func TestAPanicInADenseBlockLeavesNothingForTheBlocksThatAreMadeUpLater(t *testing.T) {
	for _, workers := range []int{1, 3} {
		s := NewAIWorld(t, workers)
		fail := true
		var fragileTicks, soundTicks atomic.Int32 // workers count them
		fragile := s.Program("fragile", aitree.AgentLeaf("fragile", func(aitree.Agent) aitree.Status {
			if fail {
				panic("no idea")
			}
			fragileTicks.Add(1)
			return aitree.Running
		}))
		sound := s.Program("sound", aitree.AgentLeaf("sound", func(aitree.Agent) aitree.Status {
			soundTicks.Add(1)
			return aitree.Running
		}))
		var crowd []components.Entity
		for range 64 { // whole columns of one program are tried as one block first
			crowd = append(crowd, s.Spawn(mindlayout.NewMind64(fragile)))
		}
		for range 10 {
			s.Spawn(mindlayout.NewMind64(sound))
		}
		s.Start()
		assert.Panics(t, s.Frame)
		for _, e := range crowd[:20] { // 44 and 10 are no dense block any more
			s.RemoveEntity(ecs.ToArche(e))
		}
		fail = false
		soundTicks.Store(0)
		s.Frame()
		assert.Equal(t, int32(44), fragileTicks.Load(), "%d workers", workers)
		assert.Equal(t, int32(10), soundTicks.Load(), "%d workers", workers)
	}
}

func TestAMindThatNamesNoProgramCanBeRemovedAndRepaired(t *testing.T) {
	s := NewAIWorld(t, 1)
	number := s.Program("idle", aitree.Wait(time.Second))
	s.Start()
	removed, repaired := s.Spawn(mindlayout.NewMind64(99)), s.Spawn(mindlayout.NewMind64(99))
	commands := ecs.Resource[ecs.Commands](s.World)
	commands.Queue(0).Remove(removed, removed)
	ecs.Assign(commands.Queue(0), repaired, repaired, mindlayout.NewMind64(number))
	assert.NotPanics(t, func() { commands.Apply(s.World) })
	assert.False(t, ecs.Alive(s.World, removed))
	assert.Equal(t, number, mindlayout.Program(ecs.Get[components.Mind64](s.World, repaired).Words[:]))
	assert.NotPanics(t, s.Frame)
}
