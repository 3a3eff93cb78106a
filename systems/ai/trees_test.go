package ai_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestAProgramOfAnotherRegisterIsRefusedIfItPosts(t *testing.T) {
	w, actions := arche.NewWorld(), aitree.NewActions()
	testworld.Install(&w, resources.Options{FPS: 60, Workers: 1, Actions: actions})
	t.Cleanup(ecs.Resource[parallel.Workers](&w).Close)
	other := aitree.NewActions()
	_, err := action.Register(other)
	require.NoError(t, err)
	programs := ecs.Resource[ai.Trees](&w)
	for _, c := range []struct {
		name     string
		register *aitree.Actions
		root     *aitree.Node
		refused  bool
	}{
		{"does", other, aitree.Do(action.Seek), true},
		{"fires", other, aitree.Fire(action.Shout), true},
		{"posts nothing", other, aitree.Wait(time.Second), false},
		{"has no register", nil, aitree.Wait(time.Second), false},
		{"is of the world's", actions, aitree.Do(action.Seek), false},
	} {
		p, err := aitree.Build(c.name, c.register, c.root)
		require.NoError(t, err)
		assert.Same(t, c.register, p.Actions())
		_, err = programs.Add(p)
		if c.refused {
			assert.EqualError(t, err, `ai: tree "`+c.name+
				`" posts actions of another register; build it with the register that Install was given as `+
				`Options.Actions`)
		} else {
			assert.NoError(t, err, c.name)
		}
		_, err = (&ai.Trees{}).Add(p)
		assert.NoError(t, err, "%s: without a register, all are accepted", c.name)
	}
	assert.Equal(t, 3, programs.Len(), "what is refused takes no number")
}

var fearOf = blackboard.FloatFact("fear", func(f *Feelings) *float32 { return &f.Fear }, 0)

// A tree that is added while the agents run costs as much beside 2,000 trees as beside 20.
func TestATreeIsAddedAtACostOfItsOwn(t *testing.T) {
	allocations := func(trees int) float64 {
		s := NewAIWorld(t, 1)
		add := func() {
			s.Program(fmt.Sprint("tree ", s.Programs.Len()), aitree.Sequence(
				aitree.Check(aitree.Greater(fearOf, 0.5)), aitree.Wait(time.Second)))
		}
		for range trees {
			add()
		}
		for range 100 {
			s.Spawn(s.Programs.Mind(1), Feelings{})
		}
		s.Start()
		s.Frame()
		return testing.AllocsPerRun(100, func() {
			add()
			s.Frame()
		})
	}
	few, many := allocations(20), allocations(2000)
	t.Logf("allocations: %v beside 20 trees, %v beside 2,000", few, many)
	assert.InDelta(t, few, many, 10)
}

// Agents take as much memory beside 2,000 trees, most of which nobody runs, as beside a few.
func TestMemoryOfAgentsDoesNotGrowWithTheTrees(t *testing.T) {
	s := NewAIWorld(t, 1)
	for i := range 2000 {
		s.Program(fmt.Sprint("tree ", i), aitree.Repeat(0, aitree.Wait(time.Second)))
	}
	s.Start()
	s.Frame()
	for i := range 20_000 {
		s.Spawn(s.Programs.Mind(ai.Tree(1 + i%3)))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.Frame()
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(5_000_000), "bytes in the first frame")
	assert.EqualValues(t, 20_000, s.Ai.Stats().Decisions)
}
