package ai_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

// switching is a tree of two pairs of leaves: an alarmed agent runs a and b, a calm one c and d.
func (s *AiWorld) switching() *aitree.Node { return s.pairs("a", "b", "c", "d") }

func (s *AiWorld) pairs(a, b, c, d string) *aitree.Node {
	return aitree.ReactiveSelector(
		aitree.Guard(aitree.True(alarmed), aitree.Parallel(aitree.All, aitree.All, s.Scripted(a), s.Scripted(b))),
		aitree.Parallel(aitree.All, aitree.All, s.Scripted(c), s.Scripted(d)),
	)
}

func TestExitsComeBeforeEntersByEntityThenLeaf(t *testing.T) {
	for _, workers := range []int{1, 3} {
		s := NewAIWorld(t, workers)
		p := s.Program("p", s.switching())
		one := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{Alarm: true})
		two := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{}, RedTag{})
		three := s.Spawn(mindlayout.NewMind256(uint16(p)), Feelings{Alarm: true}, BlueTag{})
		s.Start()
		s.Frame()
		assert.Equal(t, []hookCall{
			{one, "a", "enter"}, {one, "b", "enter"},
			{two, "c", "enter"}, {two, "d", "enter"},
			{three, "a", "enter"}, {three, "b", "enter"},
		}, s.takeLog())

		ecs.Get[Feelings](s.World, one).Alarm = false
		ecs.Get[Feelings](s.World, two).Alarm = true
		ecs.Get[Feelings](s.World, three).Alarm = false
		s.answers[answerKey{two, "d"}] = aitree.Success // it is not asked any more
		s.Frame()
		assert.Equal(t, []hookCall{
			{one, "a", "aborted"}, {one, "b", "aborted"}, {one, "c", "enter"}, {one, "d", "enter"},
			{two, "c", "aborted"}, {two, "d", "aborted"}, {two, "a", "enter"}, {two, "b", "enter"},
			{three, "a", "aborted"}, {three, "b", "aborted"}, {three, "c", "enter"}, {three, "d", "enter"},
		}, s.takeLog())

		s.answers[answerKey{one, "c"}], s.answers[answerKey{one, "d"}] = aitree.Success, aitree.Failure
		s.Frame()
		assert.Equal(t, []hookCall{{one, "c", "done"}, {one, "d", "failed"}}, s.takeLog())
	}
}

func TestRemovalThroughCommandsCallsExitsWhileComponentsAreReadable(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	e := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{Count: 7})
	other := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	seen := 0
	s.onHook = func(c hookCall) {
		seen++
		assert.True(t, ecs.Alive(s.World, c.entity))
		assert.Equal(t, int16(7), ecs.Get[Feelings](s.World, c.entity).Count)
	}
	s.Commands.Queue(0).Remove(other, e)
	s.Commands.Queue(0).Remove(e, e)
	s.Commands.Apply(s.World)
	assert.Equal(t, []hookCall{{e, "c", "aborted"}, {e, "d", "aborted"}}, s.takeLog())
	assert.Equal(t, 2, seen)
	assert.False(t, ecs.Alive(s.World, e))
	s.Frame()
	assert.Empty(t, s.takeLog(), "once is enough")
}

func TestTreeSwapsExitTheOldTreeFirst(t *testing.T) {
	s := NewAIWorld(t, 1)
	p, q := s.Program("p", s.switching()), s.Program("q", s.Scripted("x"))
	for name, swap := range map[string]func(q *ecs.Queue, e components.Entity, program uint16){
		"Assign, another size": func(c *ecs.Queue, e components.Entity, program uint16) {
			ecs.Assign(c, e, e, mindlayout.NewMind256(program))
		},
		"Assign, same size": func(c *ecs.Queue, e components.Entity, program uint16) {
			ecs.Assign(c, e, e, mindlayout.NewMind64(program))
		},
		"Drop, then Assign": func(c *ecs.Queue, e components.Entity, program uint16) {
			ecs.Drop[components.Mind64](c, e, e)
			ecs.Assign(c, e, e, mindlayout.NewMind128(program))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, to := range []uint16{q, p} { // another tree, the same one again
				e := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
				if s.Clock.Frame == 0 {
					s.Start()
				}
				s.Frame()
				assert.Equal(t, []hookCall{{e, "c", "enter"}, {e, "d", "enter"}}, s.takeLog())
				swap(s.Commands.Queue(0), e, to)
				s.Commands.Apply(s.World)
				assert.Equal(t, []hookCall{{e, "c", "aborted"}, {e, "d", "aborted"}}, s.takeLog())
				s.Frame()
				if to == q {
					assert.Equal(t, []hookCall{{e, "x", "enter"}}, s.takeLog())
				} else {
					assert.Equal(t, []hookCall{{e, "c", "enter"}, {e, "d", "enter"}}, s.takeLog())
				}
				s.Commands.Queue(0).Remove(e, e)
				s.Commands.Apply(s.World)
				s.takeLog()
			}
		})
	}
}

func TestWhatHappensBehindTheCommandQueueIsNoticedAtTheNextPassOnce(t *testing.T) {
	var p, q uint16
	mind := func(s *AiWorld, e components.Entity) *components.Mind64 {
		return ecs.Get[components.Mind64](s.World, e)
	}
	id := func(s *AiWorld) arche.ID { return arche.ComponentID[components.Mind64](s.World) }
	for name, c := range map[string]struct {
		tamper func(s *AiWorld, e components.Entity)
		then   []string // of the same agent in the same pass, behind the exits
	}{
		"removed":      {func(s *AiWorld, e components.Entity) { s.RemoveEntity(ecs.ToArche(e)) }, nil},
		"mind dropped": {func(s *AiWorld, e components.Entity) { s.Remove(ecs.ToArche(e), id(s)) }, nil},
		"mind replaced by a fresh one": {func(s *AiWorld, e components.Entity) {
			*mind(s, e) = mindlayout.NewMind64(uint16(p))
		}, []string{"c", "d"}},
		"mind replaced by one of another tree": {func(s *AiWorld, e components.Entity) {
			*mind(s, e) = mindlayout.NewMind64(q)
		}, []string{"x"}},
		"mind exchanged for a larger one": {func(s *AiWorld, e components.Entity) {
			s.Remove(ecs.ToArche(e), id(s))
			s.Add(ecs.ToArche(e), arche.ComponentID[components.Mind256](s.World))
			*ecs.Get[components.Mind256](s.World, e) = mindlayout.NewMind256(q)
		}, []string{"x"}},
		"told to run no tree": {func(s *AiWorld, e components.Entity) { mind(s, e).Words[0] = 0 }, nil},
		"told to run an unknown tree, and not due": {func(s *AiWorld, e components.Entity) {
			mind(s, e).Words[0] = 99
			s.Add(ecs.ToArche(e), arche.ComponentID[components.LOD](s.World))
		}, nil},
		"not due either": {func(s *AiWorld, e components.Entity) {
			*mind(s, e) = mindlayout.NewMind64(uint16(p))
			s.Add(ecs.ToArche(e), arche.ComponentID[components.LOD](s.World))
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewAIWorld(t, 1)
			p, q = s.Program("p", s.switching()), s.Program("q", s.Scripted("x"))
			before := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
			e := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
			s.Start()
			s.Frame()
			s.takeLog()
			c.tamper(s, e)
			assert.Empty(t, s.takeLog(), "nobody has looked yet")
			ecs.Get[Feelings](s.World, before).Alarm = true
			s.Frame()
			expected := []hookCall{
				{e, "c", "aborted"}, {e, "d", "aborted"}, // what was lost comes first
				{before, "c", "aborted"}, {before, "d", "aborted"}, {before, "a", "enter"}, {before, "b", "enter"},
			}
			for _, leaf := range c.then {
				expected = append(expected, hookCall{e, leaf, "enter"})
			}
			assert.Equal(t, expected, s.takeLog())
			s.Frame()
			assert.Empty(t, s.takeLog(), "once is enough")
			if mind(s, e) != nil && mindlayout.Program(mind(s, e).Words[:]) == 99 {
				return // its removal would report the unknown program
			}
			s.Commands.Queue(0).Remove(e, e)
			s.Commands.Apply(s.World)
			var exits []hookCall
			for _, leaf := range c.then {
				exits = append(exits, hookCall{e, leaf, "aborted"})
			}
			assert.Equal(t, exits, s.takeLog())
		})
	}
}

func TestARecycledIndexIsAnotherAgent(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	old := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	s.RemoveEntity(ecs.ToArche(old))
	heir := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	require.Equal(t, old.Index, heir.Index, "arche gives out a free index first")
	s.Frame()
	assert.Equal(t, []hookCall{
		{old, "c", "aborted"}, {old, "d", "aborted"}, {heir, "c", "enter"}, {heir, "d", "enter"},
	}, s.takeLog(), "with the same leaves")
	s.RemoveEntity(ecs.ToArche(heir))
	s.Frame()
	assert.Equal(t, []hookCall{{heir, "c", "aborted"}, {heir, "d", "aborted"}}, s.takeLog())
}

// The removal of an agent whose mind was taken away before is the last time its components can be read.
func TestWhatIsOwedIsCalledBeforeRemovalEvenWithoutAMind(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	e := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	s.Remove(ecs.ToArche(e), arche.ComponentID[components.Mind64](s.World))
	s.onHook = func(c hookCall) { assert.True(t, ecs.Alive(s.World, c.entity)) }
	s.Commands.Queue(0).Remove(e, e)
	s.Commands.Apply(s.World)
	assert.Equal(t, []hookCall{{e, "c", "aborted"}, {e, "d", "aborted"}}, s.takeLog())
	s.Frame()
	assert.Empty(t, s.takeLog())
}

// A mind that goes away for a pass and comes back has been exited; its leaves end without a second exit.
func TestAMindThatComesBackExitsNoMoreThanOnce(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	e := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	id := arche.ComponentID[components.Mind64](s.World)
	kept := *ecs.Get[components.Mind64](s.World, e)
	s.Remove(ecs.ToArche(e), id)
	s.Frame()
	assert.Equal(t, []hookCall{{e, "c", "aborted"}, {e, "d", "aborted"}}, s.takeLog())
	s.Add(ecs.ToArche(e), id)
	*ecs.Get[components.Mind64](s.World, e) = kept
	s.Frame()
	ecs.Get[Feelings](s.World, e).Alarm = true
	s.Frame()
	assert.Equal(t, []hookCall{{e, "a", "enter"}, {e, "b", "enter"}}, s.takeLog())
}

// A running mind that is copied from elsewhere has leaves that were never entered here, and owes nothing for them.
func TestACopiedMindOwesNothing(t *testing.T) {
	s := NewAIWorld(t, 1)
	p, q := s.Program("p", s.switching()), s.Program("q", s.pairs("w", "x", "y", "z")) // of one shape
	e, model := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{}), s.Spawn(mindlayout.NewMind64(q), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	*ecs.Get[components.Mind64](s.World, e) = *ecs.Get[components.Mind64](s.World, model)
	s.Frame()
	assert.Equal(t, []hookCall{{e, "c", "aborted"}, {e, "d", "aborted"}}, s.takeLog())
	ecs.Get[Feelings](s.World, e).Alarm = true
	s.Frame()
	assert.Equal(t, []hookCall{{e, "w", "enter"}, {e, "x", "enter"}}, s.takeLog(), "it has a life of its own from here")
}

func TestASystemThatTakesOverAWorldOwesTheExitsOfWhatRunsThere(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	e, fresh := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{}), components.Entity{}
	var first ai.System
	first.Initialize(s.World)
	s.Clock.Advance()
	first.Update(s.World)
	s.takeLog()

	// Nothing is known of the first system but its minds, as after a snapshot was loaded.
	fresh = s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	s.Start()
	assert.Empty(t, s.takeLog())
	s.Frame()
	assert.Equal(t, []hookCall{{fresh, "c", "enter"}, {fresh, "d", "enter"}}, s.takeLog())
	s.answers[answerKey{e, "c"}], s.answers[answerKey{e, "d"}] = aitree.Success, aitree.Success
	s.Frame()
	assert.Equal(t, []hookCall{{e, "c", "done"}, {e, "d", "done"}}, s.takeLog())
}

// However a world ends, each leaf that was entered exits once.
func TestEachEnterHasItsExitWhenTheWorldEnds(t *testing.T) {
	for name, end := range map[string]func(s *AiWorld){
		"finalised": func(s *AiWorld) { s.Ai.Finalize(s.World) },
		"reset, then finalised": func(s *AiWorld) {
			s.World.Reset()
			s.Ai.Finalize(s.World)
		},
		"finalised twice": func(s *AiWorld) {
			s.Ai.Finalize(s.World)
			s.Ai.Finalize(s.World)
		},
		"initialised again": func(s *AiWorld) {
			s.Ai.Initialize(s.World)
			s.Ai.Finalize(s.World)
		},
		"taken over": func(s *AiWorld) {
			s.Ai.Finalize(s.World)
			var second ai.System
			second.Initialize(s.World)
			s.Clock.Advance()
			second.Update(s.World)
			second.Finalize(s.World)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewAIWorld(t, 2)
			p := s.Program("p", s.switching())
			for range 100 {
				s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
			}
			s.Start()
			s.Frame()
			require.Len(t, s.takeLog(), 200)
			end(s)
			log := s.takeLog()
			require.Len(t, log, 200)
			for i, call := range log {
				require.Equal(t, "aborted", call.event)
				require.EqualValues(t, 1+i/2, call.entity.Index, "in the order of agents")
			}
		})
	}
}

func TestHooksMayQueueCommands(t *testing.T) {
	s := NewAIWorld(t, 1)
	p, q := s.Program("p", s.switching()), s.Program("q", s.Scripted("x"))
	prefab := ecs.NewPrefab(s.World, mindlayout.NewMind64(q))
	e := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	var made components.Entity
	s.Commands.OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) { made = e })
	queue := s.Commands.Queue(0)
	s.Start()
	s.onHook = func(c hookCall) {
		switch c {
		case hookCall{e, "c", "enter"}:
			queue.Spawn(e, prefab, components.Vec2{})
		case hookCall{e, "d", "enter"}:
			queue.Remove(e, e)
		case hookCall{e, "d", "aborted"}: // called by Apply
			queue.Remove(e, made)
		}
	}
	s.Frame()
	assert.Equal(t, []hookCall{{e, "c", "enter"}, {e, "d", "enter"}, {e, "c", "aborted"}, {e, "d", "aborted"}},
		s.takeLog())
	assert.False(t, made.IsZero())
	assert.False(t, ecs.Alive(s.World, made), "what a hook queues while commands are applied is applied too")
}

// Whatever agents do to each other in hooks, each hears the events of its own tick first and in order.
func TestAResetByAHookTakesEffectWhenTheHooksWereCalled(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	var agents []components.Entity
	for range 3 {
		agents = append(agents, s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{}))
	}
	first, middle, last := agents[0], agents[1], agents[2]
	s.Start()
	s.onHook = func(c hookCall) {
		if c == (hookCall{middle, "c", "enter"}) {
			for _, e := range []components.Entity{last, middle, first, last} {
				s.Ai.Reset(e)
			}
		}
	}
	s.Frame()
	var expected []hookCall
	for _, e := range agents {
		expected = append(expected, hookCall{e, "c", "enter"}, hookCall{e, "d", "enter"})
	}
	for _, e := range []components.Entity{last, middle, first} {
		expected = append(expected, hookCall{e, "c", "aborted"}, hookCall{e, "d", "aborted"})
	}
	assert.Equal(t, expected, s.takeLog())
	for _, e := range agents {
		assert.Equal(t, mindlayout.NewMind64(uint16(p)), *ecs.Get[components.Mind64](s.World, e))
	}
}

func TestAHookOfAResetMayResetOthers(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	one, two, three := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{}), s.Spawn(mindlayout.NewMind64(p),
		Feelings{}), s.Spawn(mindlayout.NewMind64(p), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	s.onHook = func(c hookCall) {
		switch c {
		case hookCall{one, "c", "aborted"}:
			s.Ai.Reset(two)
			s.Ai.Reset(one)
		case hookCall{two, "d", "aborted"}:
			s.Ai.Reset(three)
		}
	}
	s.Ai.Reset(one)
	assert.Equal(t, []hookCall{
		{one, "c", "aborted"}, {one, "d", "aborted"},
		{two, "c", "aborted"}, {two, "d", "aborted"},
		{three, "c", "aborted"}, {three, "d", "aborted"},
	}, s.takeLog())
	s.onHook = nil
	s.Frame()
	s.takeLog()
	s.onHook = func(c hookCall) {
		if c == (hookCall{one, "c", "aborted"}) {
			s.Ai.Reset(two)
		}
	}
	s.Commands.Queue(0).Remove(one, one)
	s.Commands.Apply(s.World)
	assert.Equal(t, []hookCall{
		{one, "c", "aborted"}, {one, "d", "aborted"}, {two, "c", "aborted"}, {two, "d", "aborted"},
	}, s.takeLog(), "in the hooks of a removal too")
}

// The exits of what was lost are called before agents tick: what their hooks destroy is lost too.
func TestWhatIsLostInTheHooksOfTheLostIsExitedBeforeItTicks(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	one, two := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{}), s.Spawn(mindlayout.NewMind64(p), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	s.RemoveEntity(ecs.ToArche(one))
	s.onHook = func(c hookCall) {
		if c == (hookCall{one, "d", "aborted"}) {
			*ecs.Get[components.Mind64](s.World, two) = mindlayout.NewMind64(uint16(p))
		}
	}
	s.Frame()
	assert.Equal(t, []hookCall{
		{one, "c", "aborted"}, {one, "d", "aborted"}, {two, "c", "aborted"}, {two, "d", "aborted"},
		{two, "c", "enter"}, {two, "d", "enter"},
	}, s.takeLog())
}

func TestAHookThatRemovesAnAgentItselfLeavesNothingUnbalanced(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	var agents []components.Entity
	for range 3 {
		agents = append(agents, s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{}))
	}
	first, middle, last := agents[0], agents[1], agents[2]
	s.Start()
	s.onHook = func(c hookCall) {
		if c == (hookCall{middle, "c", "enter"}) {
			s.RemoveEntity(ecs.ToArche(first))  // has been told of both its leaves
			s.RemoveEntity(ecs.ToArche(middle)) // of one
			s.RemoveEntity(ecs.ToArche(last))   // of none
		}
	}
	s.Frame()
	assert.Equal(t, []hookCall{{first, "c", "enter"}, {first, "d", "enter"}, {middle, "c", "enter"}}, s.takeLog(),
		"the dead enter nothing")
	s.Frame()
	assert.Equal(t, []hookCall{{first, "c", "aborted"}, {first, "d", "aborted"}, {middle, "c", "aborted"}}, s.takeLog())
}

func TestAHookThatPanicsDoesNotSilenceLaterOnes(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.switching())
	e := s.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	s.Start()
	s.Frame()
	s.takeLog()
	s.onHook = func(c hookCall) {
		if c.leaf == "c" {
			panic("oh")
		}
	}
	assert.PanicsWithValue(t, "oh", func() { s.Ai.Reset(e) })
	s.onHook = nil
	s.Frame() // d was owed still, and both are entered again
	assert.Equal(t, []hookCall{{e, "c", "aborted"}, {e, "d", "aborted"}, {e, "c", "enter"}, {e, "d", "enter"}},
		s.takeLog())
	s.Ai.Reset(e)
	assert.Equal(t, []hookCall{{e, "c", "aborted"}, {e, "d", "aborted"}}, s.takeLog())
}

// hookModel is what hooks must add up to: for every agent and leaf enter, exit, enter, exit …
type hookModel struct {
	*AiWorld
	t     *rapid.T
	open  map[hookCall]bool // with no event
	stage string            // what is going on: update, apply or reset
	calls []hookCall
	// Whether a hook did something in this pass.
	meddled bool
	// Agents that a hook tampered with without the queue: what they owe is noticed at the next pass.
	tampered map[components.Entity]bool
	mischief []mischief // what hooks will do, once each
}

// mischief is done by the hook that is called after so many others.
type mischief struct {
	after int
	act   func()
}

func (m *hookModel) hook(c hookCall) {
	key := hookCall{entity: c.entity, leaf: c.leaf}
	switch {
	case c.event == "enter":
		require.False(m.t, m.open[key], "%v: entered twice", c)
		require.True(m.t, ecs.Alive(m.World, c.entity), "%v: the dead enter nothing", c)
		require.Equal(m.t, "update", m.stage, "%v: leaves are entered by ticks", c)
		m.open[key] = true
	default:
		require.True(m.t, m.open[key], "%v: exited without being entered", c)
		delete(m.open, key)
		// An agent that was removed by hand is gone when a hook resets it while commands are applied.
		if m.stage == "apply" && !m.tampered[c.entity] {
			require.NotNil(m.t, ecs.Get[BlueTag](m.World, c.entity), "%v: components are readable", c)
		}
	}
	m.calls = append(m.calls, c)
	for i := range m.mischief {
		m.mischief[i].after--
	}
	if n := len(m.mischief); n > 0 && m.mischief[n-1].after < 0 {
		act := m.mischief[n-1].act
		m.mischief = m.mischief[:n-1]
		m.meddled = true
		act()
	}
}

// running lists the leaves that run in the minds of the living.
func (m *hookModel) running() map[hookCall]bool {
	running := map[hookCall]bool{}
	q := m.Query(arche.All(arche.ComponentID[BlueTag](m.World)))
	for q.Next() {
		e := ecs.FromArche(q.Entity())
		for _, words := range m.mindsOf(e) {
			p := m.Programs.Get(ai.Tree(mindlayout.Program(words)))
			if p == nil {
				continue
			}
			for _, leaf := range p.Compiled().RunningLeaves(words, nil) {
				running[hookCall{entity: e, leaf: p.Leaves()[leaf].Name}] = true
			}
		}
	}
	return running
}

func (m *hookModel) mindsOf(e components.Entity) (minds [][]uint32) {
	if mind := ecs.Get[components.Mind64](m.World, e); mind != nil {
		minds = append(minds, mind.Words[:])
	}
	if mind := ecs.Get[components.Mind128](m.World, e); mind != nil {
		minds = append(minds, mind.Words[:])
	}
	if mind := ecs.Get[components.Mind256](m.World, e); mind != nil {
		minds = append(minds, mind.Words[:])
	}
	return minds
}

// TestEntersAndExitsBalance lives through random frames in which agents come, go, change their minds, archetypes and
// trees, through the queue and behind its back, from outside and in hooks.
func TestEntersAndExitsBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &hookModel{
			AiWorld: NewAIWorld(t, rapid.IntRange(1, 3).Draw(t, "workers")), t: t,
			open: map[hookCall]bool{}, tampered: map[components.Entity]bool{},
		}
		m.onHook = m.hook
		leaves := []string{"a", "b", "c", "d", "e", "f", "g"}
		programs := []uint16{
			m.Program("pair", aitree.Parallel(aitree.One, aitree.AtLeast(2), m.Scripted("a"), m.Scripted("b"))),
			m.Program("chain", aitree.Sequence(m.Scripted("c"), m.Scripted("d"))),
			m.Program("large", aitree.Parallel(aitree.All, aitree.All,
				aitree.Repeat(0, m.Scripted("e")),
				aitree.ReactiveSelector(m.Scripted("f"), m.hooked("g", aitree.Leaf("g",
					func(c *blackboard.Context) (uint64, uint64) { return 0, c.Mask }).Keeps(25))),
			)),
		}
		size := func(program uint16) int { return m.Programs.Get(ai.Tree(program)).Compiled().MindBytes() }
		require.Equal(t, 128, size(programs[2]))

		var agents []components.Entity
		m.Commands.OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) {
			agents = append(agents, e)
		})
		queue := m.Commands.Queue(0)
		tag := arche.ComponentID[RedTag](m.World)
		mindIDs := []arche.ID{
			arche.ComponentID[components.Mind64](m.World),
			arche.ComponentID[components.Mind128](m.World),
			arche.ComponentID[components.Mind256](m.World),
		}
		someone := func() components.Entity {
			if len(agents) == 0 {
				return components.Entity{}
			}
			return rapid.SampledFrom(agents[max(0, len(agents)-12):]).Draw(t, "who")
		}
		program := func() uint16 { return rapid.SampledFrom(programs).Draw(t, "program") }
		// Each operation takes an agent that is alive.
		throughQueue := map[string]func(e components.Entity){
			"queue removal": func(e components.Entity) { queue.Remove(e, e) },
			"queue tree": func(e components.Entity) {
				p := program()
				testworld.AssignMind(queue, e, p, max(size(p), rapid.SampledFrom([]int{64, 128, 256}).Draw(t, "size")))
			},
			"queue drop":   func(e components.Entity) { ecs.Drop[components.Mind64](queue, e, e) },
			"queue tag":    func(e components.Entity) { ecs.Assign(queue, e, e, RedTag{}) },
			"queue untag":  func(e components.Entity) { ecs.Drop[RedTag](queue, e, e) },
			"queue nobody": func(e components.Entity) { ecs.Assign(queue, e, e, components.Mind64{}) },
		}
		tamper := func(f func(components.Entity)) func(components.Entity) {
			return func(e components.Entity) {
				m.tampered[e] = true
				if ecs.Alive(m.World, e) {
					f(e)
				}
			}
		}
		spawn := func(components.Entity) {
			p := program()
			values := []any{BlueTag{}, mindlayout.New(p, size(p))}
			if rapid.Bool().Draw(t, "paced") {
				values = append(values, components.NewLOD())
			}
			agents = append(agents, m.Spawn(values...))
		}
		dropMinds := func(e components.Entity) {
			for _, id := range mindIDs {
				if a := ecs.ToArche(e); m.Has(a, id) {
					m.Remove(a, id)
				}
			}
		}
		byHand := map[string]func(e components.Entity){
			"remove":         tamper(func(e components.Entity) { m.RemoveEntity(ecs.ToArche(e)) }),
			"drop mind":      tamper(dropMinds),
			"freshen mind":   tamper(func(e components.Entity) { m.renew(e, 0, programs) }),
			"switch program": tamper(func(e components.Entity) { m.renew(e, program(), programs) }),
			"exchange mind": tamper(func(e components.Entity) {
				dropMinds(e)
				m.Add(ecs.ToArche(e), mindIDs[2])
				ecs.Get[components.Mind256](m.World, e).Words[0] = uint32(program())
			}),
			"recycle": tamper(func(e components.Entity) {
				m.RemoveEntity(ecs.ToArche(e))
				spawn(e)
			}),
			"move": func(e components.Entity) {
				if a := ecs.ToArche(e); !ecs.Alive(m.World, e) {
					return
				} else if m.Has(a, tag) {
					m.Remove(a, tag)
				} else {
					m.Add(a, tag)
				}
			},
		}
		reset := func(e components.Entity) { m.Ai.Reset(e) }

		actions := map[string]func(e components.Entity){
			"spawn": spawn,
			"reset": func(e components.Entity) {
				m.stage = "reset"
				reset(e)
			},
			"answer": func(e components.Entity) {
				leaf := rapid.SampledFrom(leaves).Draw(t, "leaf")
				m.answers[answerKey{e, leaf}] = rapid.SampledFrom([]aitree.Status{aitree.Success, aitree.Failure,
					aitree.Running}).Draw(t, "answer")
			},
			"due": func(e components.Entity) {
				if l := ecs.Get[components.LOD](m.World, e); l != nil {
					l.Flags ^= lodflag.Due
				}
			},
			"mischief": func(e components.Entity) {
				after := rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8}).Draw(t, "after")
				acts := maps.Clone(throughQueue)
				acts["reset"], acts["reset, again"] = reset, reset
				names := slices.Sorted(maps.Keys(acts))
				for _, name := range []string{"remove", "drop mind", "freshen mind"} { // not while commands are applied
					acts[name] = func(e components.Entity) {
						if m.stage != "apply" {
							byHand[name](e)
						}
					}
					names = append(names, name)
				}
				act := acts[rapid.SampledFrom(names).Draw(t, "act")]
				m.mischief = append(m.mischief, mischief{after, func() { act(e) }})
			},
		}
		maps.Copy(actions, throughQueue)
		maps.Copy(actions, byHand)
		names := slices.Sorted(maps.Keys(actions))
		names = append(names, "mischief", "mischief", "answer", "spawn")

		m.Start()
		for range 5 {
			spawn(components.Entity{})
		}
		pass := func() {
			m.tampered = map[components.Entity]bool{}
			m.stage, m.calls, m.meddled = "update", nil, false
			m.Clock.Advance()
			m.Ai.Update(m.World)
			if !m.meddled {
				requireInOrder(t, m.calls, m.Programs)
			}
			m.requireBalance()
		}
		apply := func() {
			m.stage = "apply"
			m.Last.Update(m.World)
		}
		for range rapid.IntRange(6, 20).Draw(t, "frames") {
			for range rapid.IntRange(1, 8).Draw(t, "operations") {
				m.stage = "between"
				actions[rapid.SampledFrom(names).Draw(t, "operation")](someone())
			}
			pass()
			apply()
		}

		// In the end all is quiet: what runs is open, and what is removed is closed.
		m.mischief = nil
		pass()
		require.Equal(t, m.running(), m.open)
		for _, e := range agents {
			queue.Remove(e, e)
		}
		apply()
		require.Empty(t, m.open)
		pass()
		require.Empty(t, m.calls)
	})
}

// renew overwrites the words of a mind by those of a fresh one: of its own program, or of a given one if it fits.
func (m *hookModel) renew(e components.Entity, program uint16, programs []uint16) {
	for _, words := range m.mindsOf(e) {
		to := program
		if to == 0 || m.Programs.Get(ai.Tree(to)).Compiled().MindBytes() > len(words)*4 {
			to = mindlayout.Program(words)
		}
		clear(words)
		words[0] = uint32(to)
	}
}

// requireBalance checks, after a pass, that what is open is what runs; but what agents owe that a hook tampered with
// is noticed at the next pass.
func (m *hookModel) requireBalance() {
	running := m.running()
	for key := range running {
		require.True(m.t, m.open[key], "%v runs, and was not entered", key)
	}
	for key := range m.open {
		require.True(m.t, running[key] || m.tampered[key.entity], "%v does not run, and was not exited", key)
	}
}

// requireInOrder checks the calls of a pass in which hooks did nothing: first the exits of what was lost, then, by
// entity, exits and then enters, each by leaf.
func requireInOrder(t *rapid.T, calls []hookCall, programs *ai.Trees) {
	order := map[string]int{}
	for number := range programs.Len() {
		for i, leaf := range programs.Get(ai.Tree(number + 1)).Leaves() {
			order[leaf.Name] = i
		}
	}
	compare := func(a, b hookCall) int {
		if c := a.entity.Compare(b.entity); c != 0 {
			return c
		}
		if (a.event == "enter") != (b.event == "enter") {
			if a.event == "enter" {
				return 1
			}
			return -1
		}
		return order[a.leaf] - order[b.leaf]
	}
	// What was lost is a sorted run of aborts; where it ends cannot be seen from outside.
	lost := 0
	for lost < len(calls) && calls[lost].event == "aborted" {
		lost++
	}
	for split := 0; split <= lost; split++ {
		if slices.IsSortedFunc(calls[:split], compare) && slices.IsSortedFunc(calls[split:], compare) {
			return
		}
	}
	t.Fatalf("out of order: %v", fmt.Sprint(calls))
}
