package ai_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
	"weak"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

// AiWorld is a world with an AI system and the command queue, and nothing else: a test plays the LOD and the action
// systems.
type AiWorld struct {
	*arche.World
	t        cleanableT
	Clock    *frame.Clock
	Programs *ai.Trees
	Commands *ecs.Commands
	actions  *aitree.Actions
	Ai       ai.System
	Last     frame.CommandSystem

	answers map[answerKey]aitree.Status // of scripted leaves; what is not there runs
	log     []hookCall
	onHook  func(hookCall)
}

type answerKey struct {
	entity components.Entity
	leaf   string
}

// hookCall is a call of a hook. The event is enter, or how the leaf exited.
type hookCall struct {
	entity components.Entity
	leaf   string
	event  string
}

// cleanableT is a *testing.T or a *rapid.T.
type cleanableT interface {
	require.TestingT
	Cleanup(func())
}

func NewAIWorld(t cleanableT, workers int) *AiWorld {
	w := arche.NewWorld(16)
	actions := aitree.NewActions()
	testworld.Install(&w, resources.Options{FPS: 60, Seed: 42, Workers: workers, Actions: actions})
	t.Cleanup(ecs.Resource[parallel.Workers](&w).Close)
	s := &AiWorld{
		World:    &w,
		t:        t,
		Clock:    ecs.Resource[frame.Clock](&w),
		Programs: ecs.Resource[ai.Trees](&w),
		Commands: ecs.Resource[ecs.Commands](&w),
		actions:  actions,
		answers:  map[answerKey]aitree.Status{},
	}
	_, err := s.actions.Register("walk", components.Move)
	require.NoError(t, err)
	_, err = s.actions.Register("aim", components.Act)
	require.NoError(t, err)
	_, err = s.actions.RegisterTrigger("bang")
	require.NoError(t, err)
	return s
}

func (s *AiWorld) Program(name string, root *aitree.Node) uint16 {
	p, err := aitree.Build(name, s.actions, root)
	require.NoError(s.t, err)
	number, err := s.Programs.Add(p)
	require.NoError(s.t, err)
	return uint16(number)
}

func (s *AiWorld) Start() {
	s.Ai.Initialize(s.World)
	s.Last.Initialize(s.World)
}

func (s *AiWorld) Frame() {
	s.Clock.Advance()
	s.Ai.Update(s.World)
	s.Last.Update(s.World)
}

func (s *AiWorld) Spawn(values ...any) (e components.Entity) {
	ecs.NewPrefab(s.World, values...).SpawnNow(s.World, 1, func(_ int, made components.Entity) { e = made })
	return e
}

// Scripted is a leaf that runs until the test answers otherwise, with hooks that are logged.
func (s *AiWorld) Scripted(name string) *aitree.Node {
	return s.hooked(name, aitree.AgentLeaf(name, func(a aitree.Agent) aitree.Status {
		if answer, ok := s.answers[answerKey{a.Entity(), name}]; ok {
			return answer
		}
		return aitree.Running
	}))
}

func (s *AiWorld) hooked(name string, leaf *aitree.Node) *aitree.Node {
	call := func(e components.Entity, event string) {
		c := hookCall{e, name, event}
		s.log = append(s.log, c)
		if s.onHook != nil {
			s.onHook(c)
		}
	}
	return leaf.
		OnEnter(func(e components.Entity) { call(e, "enter") }).
		OnExit(func(e components.Entity, how aitree.Exit) { call(e, how.String()) })
}

// takeLog returns the calls since the last one.
func (s *AiWorld) takeLog() []hookCall {
	log := s.log
	s.log = nil
	return log
}

func TestAgentsWithoutALODTickInEveryFrameAndOthersWhenTheyAreDue(t *testing.T) {
	s := NewAIWorld(t, 1)
	type tick struct {
		entity components.Entity
		since  int64
	}
	var ticks []tick
	p := s.Program("p", aitree.AgentLeaf("note", func(a aitree.Agent) aitree.Status {
		ticks = append(ticks, tick{a.Entity(), int64(a.Since())})
		return aitree.Success
	}))
	plain := s.Spawn(mindlayout.NewMind64(uint16(p)))
	paced := s.Spawn(mindlayout.NewMind64(uint16(p)), components.NewLOD())
	treeless := s.Spawn(mindlayout.NewMind64(0))
	s.Start()
	lod := ecs.Get[components.LOD](s.World, paced)

	s.Frame()
	assert.Equal(t, []tick{{plain, 16_666_666}}, ticks, "a new LOD is not due")
	ticks = nil
	lod.Flags |= lodflag.Due
	lod.Last = 10_000_000
	s.Frame() // at 33333333
	assert.Equal(t, []tick{{plain, 16_666_667}, {paced, 23_333_333}}, ticks,
		"since the frame before, since the decision before")
	ticks = nil
	lod.Flags &^= lodflag.Due
	s.Frame()
	assert.Equal(t, []tick{{plain, 16_666_667}}, ticks)
	assert.Equal(t, int64(4), s.Ai.Stats().Decisions)
	assert.Zero(t, ecs.Get[components.Mind64](s.World, treeless).Words, "program 0 is no tree")
}

// Two tags make archetypes.
type (
	RedTag  struct{}
	BlueTag struct{ Shade uint8 }
)

func TestMindsOfAllSizesProgramsAndArchetypesTickTogether(t *testing.T) {
	s := NewAIWorld(t, 2)
	const agents = 4 * 70 * 6
	served := make([]string, agents+1) // by entity; each is served by one worker
	serve := func(name string, words int) uint16 {
		return s.Program(name, aitree.Leaf(name, func(c *blackboard.Context) (uint64, uint64) {
			for lane := range 64 {
				if c.Mask>>lane&1 != 0 {
					served[c.Entities[lane].Index] += name
					c.State(lane)[words-1] = uint32(c.Entities[lane].Index) // the end of the mind
				}
			}
			return 0, c.Mask
		}).Keeps(words))
	}
	small, medium, large := serve("s", 14), serve("m", 30), serve("l", 62)
	expected := make([]string, agents+1)
	for _, tags := range [][]any{{}, {RedTag{}}, {BlueTag{}}, {RedTag{}, BlueTag{}}} {
		for _, kind := range []struct {
			mind any
			name string
		}{
			{mindlayout.NewMind64(small), "s"},
			{mindlayout.NewMind128(small), "s"},
			{mindlayout.NewMind256(small), "s"},
			{mindlayout.NewMind128(medium), "m"},
			{mindlayout.NewMind256(medium), "m"},
			{mindlayout.NewMind256(large), "l"},
		} {
			ecs.NewPrefab(s.World, append(tags, kind.mind)...).SpawnNow(s.World, 70, func(_ int, e components.Entity) {
				expected[e.Index] = kind.name + kind.name
			})
		}
	}
	s.Start()
	s.Frame()
	s.Frame()
	assert.Equal(t, expected, served, "each once a frame, by the program its mind names")
	assert.Equal(t, ai.Stats{Decisions: 2 * agents, Transitions: agents}, s.Ai.Stats())
	word := func(words []uint32, i int) uint32 { return words[i] }
	q := s.Query(arche.All(arche.ComponentID[components.Mind256](s.World)))
	for q.Next() {
		m := (*components.Mind256)(q.Get(arche.ComponentID[components.Mind256](s.World)))
		end := map[uint16]int{small: 15, medium: 31, large: 63}[mindlayout.Program(m.Words[:])]
		assert.Equal(t, ecs.FromArche(q.Entity()).Index, word(m.Words[:], end))
	}
}

// Blocks are made up of neighbours as long as they run one program and are due, and of what is left over.
func TestEachDueAgentOfALargeMixedArchetypeTicksOnceByItsOwnProgram(t *testing.T) {
	for _, c := range []struct {
		workers int
		paced   bool
	}{{1, true}, {3, true}, {1, false}, {3, false}} {
		s := NewAIWorld(t, c.workers)
		const agents = 5000
		var programs []uint16
		served := make([][]int8, 4) // by program, by entity
		for i := range served {
			served[i] = make([]int8, agents+1)
			programs = append(programs, s.Program(fmt.Sprint("p", i), aitree.Leaf("x",
				func(c *blackboard.Context) (uint64, uint64) {
					for lane := range 64 {
						if c.Mask>>lane&1 != 0 {
							served[i][c.Entities[lane].Index]++
						}
					}
					return 0, c.Mask
				})))
		}
		rng := rand.New(rand.NewPCG(8, uint64(c.workers)))
		runs := []int{1, 1, 2, 5, 63, 64, 65, 128, 700, 1100}
		length := func() int { return runs[rng.IntN(len(runs))] }
		number, due, left, dueLeft := 0, true, 0, 0
		expected := make([][]int8, len(served))
		for i := range expected {
			expected[i] = make([]int8, agents+1)
		}
		values := []any{mindlayout.NewMind64(0)}
		if c.paced {
			values = append(values, components.NewLOD())
		}
		ecs.NewPrefab(s.World, values...).SpawnNow(s.World, agents, func(_ int, e components.Entity) {
			if left == 0 { // neighbours that run one program, or none
				number, left = rng.IntN(len(programs)+1), length()
			}
			if dueLeft == 0 {
				due, dueLeft = rng.IntN(4) > 0, length()
			}
			left, dueLeft = left-1, dueLeft-1
			if number > 0 {
				ecs.Get[components.Mind64](s.World, e).Words[0] = uint32(programs[number-1])
			}
			if due && c.paced {
				ecs.Get[components.LOD](s.World, e).Flags |= lodflag.Due
			}
			if (due || !c.paced) && number > 0 {
				expected[number-1][e.Index]++
			}
		})
		s.Start()
		s.Frame()
		decisions := int64(0)
		for i := range served {
			assert.Equal(t, expected[i], served[i], "program %d, %+v", i, c)
			for _, n := range expected[i] {
				decisions += int64(n)
			}
		}
		assert.Equal(t, ai.Stats{Decisions: decisions, Transitions: decisions}, s.Ai.Stats())
	}
}

func TestAProgramAddedLaterIsTicked(t *testing.T) {
	s := NewAIWorld(t, 1)
	first := s.Program("first", s.Scripted("a"))
	s.Spawn(mindlayout.NewMind64(first), Feelings{Fear: 2})
	s.Start()
	s.Frame()
	s.takeLog()
	later := s.Program("later", aitree.Guard(aitree.Greater(fear, 1), s.Scripted("b")))
	fearless := s.Spawn(mindlayout.NewMind64(later), Feelings{Fear: 0.5})
	afraid := s.Spawn(mindlayout.NewMind64(later), Feelings{Fear: 2})
	blank := s.Spawn(mindlayout.NewMind64(later))
	s.Frame()
	assert.Equal(t, []hookCall{{afraid, "b", "enter"}}, s.takeLog(), "with its facts")
	ecs.Get[Feelings](s.World, fearless).Fear = 3
	ecs.Get[Feelings](s.World, afraid).Fear = 0
	s.Frame()
	assert.Equal(t, []hookCall{{fearless, "b", "enter"}, {afraid, "b", "aborted"}}, s.takeLog())
	_ = blank // a missing component reads as the default, 0
}

type Feelings struct {
	Fear  float32
	Alarm bool
	Count int16
	Seen  components.Timestamp
	Foe   components.Entity
}

var (
	fear    = blackboard.FloatFact("fear", func(f *Feelings) *float32 { return &f.Fear }, 0)
	alarmed = blackboard.BoolFact("alarmed", func(f *Feelings) *bool { return &f.Alarm }, false)
	Count   = blackboard.IntFact("count", func(f *Feelings) *int16 { return &f.Count }, -1)
	sighted = blackboard.AgeFact("sighted", func(f *Feelings) *components.Timestamp { return &f.Seen })
	foeFact = blackboard.EntityFact("foe", func(f *Feelings) *components.Entity { return &f.Foe })
)

func TestAIRefusesAWorldThatLacksAResource(t *testing.T) {
	for name, remove := range map[string]func(*arche.World){
		"*frame.Clock":      removeResource[frame.Clock],
		"*frame.Seed":       removeResource[frame.Seed],
		"*parallel.Workers": removeResource[parallel.Workers],
		"*ai.Trees":         removeResource[ai.Trees],
		"*ecs.Commands":     removeResource[ecs.Commands],
	} {
		s := NewAIWorld(t, 1)
		remove(s.World)
		assert.PanicsWithValue(t, "ecs: the world has no "+name+"; call systems.Install, or add a resource of your "+
			"own with arche's AddResource",
			func() { s.Ai.Initialize(s.World) })
	}
}

func removeResource[T any](w *arche.World) { w.Resources().Remove(arche.ResourceID[T](w)) }

func TestAINamesTheAgentThatCannotRunItsProgram(t *testing.T) {
	tree := map[string]*aitree.Node{
		"big":  aitree.Leaf("x", func(c *blackboard.Context) (uint64, uint64) { return c.Mask, 0 }).Keeps(15),
		"doer": aitree.Do("walk"),
	}
	for name, c := range map[string]struct {
		tree   string
		values []any
		panics string
	}{
		"a number that no program has": {"doer", []any{mindlayout.NewMind64(7)},
			"ai: the mind of entity {65 0} names tree 7; there are 1"},
		"a mind that is too small": {"big", []any{mindlayout.NewMind64(1)},
			`ai: tree "big" needs a mind of 128 bytes; entity {65 0} has one of 64`},
		"no Intent": {"doer", []any{mindlayout.NewMind64(1)},
			`ai: tree "doer" has Do leaves, and entity {65 0}, which runs it, has no components.Intent: add one`},
		"two minds": {"doer", []any{mindlayout.NewMind256(0), mindlayout.NewMind64(1), components.Intent{}},
			"ai: entity {65 0} has a components.Mind64 and a components.Mind256: an agent has one mind; " +
				"exchange it with Herd.Swap"},
		"two large minds": {"doer", []any{mindlayout.NewMind256(0), mindlayout.NewMind128(1), components.Intent{}},
			"ai: entity {65 0} has a components.Mind128 and a components.Mind256: an agent has one mind; " +
				"exchange it with Herd.Swap"},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewAIWorld(t, 1)
			mind := s.Programs.Mind(ai.Tree(s.Program(c.tree, tree[c.tree])))
			for range 64 {
				s.Spawn(mind, components.Intent{})
			}
			s.Spawn(c.values...) // entity 65, in the second block
			s.Start()
			s.Clock.Advance()
			defer func() {
				reason := recover()
				if raised, ok := reason.(*parallel.TaskPanic); ok {
					reason = raised.Value
				}
				assert.Equal(t, c.panics, reason)
			}()
			s.Ai.Update(s.World)
		})
	}
}

func TestAPanicOfAWorkerNamesTheAgentToo(t *testing.T) {
	s := NewAIWorld(t, 2)
	p := s.Program("doer", aitree.Do("walk"))
	for range 200 {
		s.Spawn(mindlayout.NewMind64(uint16(p)), components.Intent{})
	}
	s.Spawn(mindlayout.NewMind64(uint16(p)), RedTag{}) // entity 201
	s.Start()
	s.Clock.Advance()
	defer func() {
		assert.Contains(t, fmt.Sprint(recover()),
			`tree "doer" has Do leaves, and entity {201 0}, which runs it, has no components.Intent`)
	}()
	s.Ai.Update(s.World)
}

func TestAgentsOfProgramsThatPostNothingNeedNoIntent(t *testing.T) {
	s := NewAIWorld(t, 1)
	quiet, doer := s.Program("quiet", s.Scripted("a")), s.Program("doer", aitree.Do("walk"))
	e := s.Spawn(mindlayout.NewMind64(quiet))
	d := s.Spawn(mindlayout.NewMind64(doer), components.Intent{})
	s.Start()
	s.Frame()
	assert.Equal(t, []hookCall{{e, "a", "enter"}}, s.takeLog())
	walk, _ := s.actions.Lookup("walk")
	assert.Equal(t, walk, ecs.Get[components.Intent](s.World, d).Orders[components.Move].Action)
}

func TestResetMakesTheMindAsNew(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", aitree.Sequence(
		aitree.Cooldown(100*time.Second, s.Scripted("once")),
		s.hooked("walk", aitree.Do("walk")),
	))
	e := s.Spawn(mindlayout.NewMind64(uint16(p)), components.Intent{})
	s.answers[answerKey{e, "once"}] = aitree.Success
	s.Start()
	s.Frame()
	assert.Equal(t, []hookCall{{e, "walk", "enter"}}, s.takeLog())
	intent := ecs.Get[components.Intent](s.World, e)
	assert.NotZero(t, intent.Orders[components.Move].Action)

	s.Ai.Reset(e)
	assert.Equal(t, []hookCall{{e, "walk", "aborted"}}, s.takeLog())
	assert.Equal(t, mindlayout.NewMind64(uint16(p)), *ecs.Get[components.Mind64](s.World, e))
	assert.Zero(t, intent.Orders[components.Move].Action, "the order is withdrawn")
	s.Ai.Reset(e)
	assert.Empty(t, s.takeLog(), "there is nothing left to exit")
	s.Frame()
	assert.Equal(t, []hookCall{{e, "walk", "enter"}}, s.takeLog(), "the cooldown is cleared")
}

func TestResetOfWhoHasNoTreeDoesNothing(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.Scripted("a"))
	treeless, mindless := s.Spawn(mindlayout.NewMind64(0)), s.Spawn(RedTag{})
	dead := s.Spawn(mindlayout.NewMind64(uint16(p)))
	s.Start()
	s.RemoveEntity(ecs.ToArche(dead))
	for _, e := range []components.Entity{treeless, mindless, dead, {}, {Index: 1 << 30}} {
		s.Ai.Reset(e)
	}
	assert.Empty(t, s.log)
}

func TestAnAgentWhoseIntentWasDroppedCanBeResetAndRemoved(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", s.hooked("walk", aitree.Do("walk")))
	reset, removed := s.Spawn(mindlayout.NewMind64(uint16(p)), components.Intent{}), s.Spawn(mindlayout.NewMind64(p),
		components.Intent{})
	s.Start()
	s.Frame()
	s.takeLog()
	for _, e := range []components.Entity{reset, removed} {
		ecs.Drop[components.Intent](s.Commands.Queue(0), e, e)
	}
	s.Commands.Queue(0).Remove(removed, removed)
	s.Commands.Apply(s.World)
	assert.Equal(t, []hookCall{{removed, "walk", "aborted"}}, s.takeLog())
	s.Ai.Reset(reset)
	assert.Equal(t, []hookCall{{reset, "walk", "aborted"}}, s.takeLog())
	for action, standing := range s.Ai.RunningByAction(nil) {
		assert.Zero(t, standing, "orders of %q that stand", s.actions.Name(components.Action(action)))
	}
}

// cast is a herd of several programs, mind sizes and archetypes, with and without LOD.
type cast struct {
	*AiWorld
	agents []components.Entity
	extra  *ecs.Prefab
	minds  []any // one by program
}

// newCast makes a herd whose three trees have nodes of every kind. Hooked or not, they decide alike. The order is that
// in which the agents come to lie in storage.
func newCast(t cleanableT, workers, agents int, hooked bool, order func(n int) []int) *cast {
	c := &cast{AiWorld: NewAIWorld(t, workers)}
	hook := func(name string, leaf *aitree.Node) *aitree.Node {
		if hooked {
			return c.hooked(name, leaf)
		}
		return leaf
	}
	brood := func() *aitree.Node {
		return aitree.AgentLeaf("brood", func(a aitree.Agent) aitree.Status {
			if a.Entering() {
				a.State()[0] = a.Entity().Index % 3
			}
			if a.State()[0] == 0 {
				return aitree.Success
			}
			a.State()[0]--
			return aitree.Running
		}).Keeps(1)
	}
	trees := []*aitree.Node{
		aitree.ReactiveSelector(
			aitree.Guard(aitree.Greater(fear, 0.7), aitree.Sequence(
				aitree.Fire("bang", aitree.Target(foeFact), aitree.Number(0, fear)),
				hook("flee", aitree.Do("walk", aitree.Number(0, fear)).Until(aitree.Less(fear, 0.3))),
			)),
			aitree.Sequence(
				hook("watch", aitree.WaitBetween(100*time.Millisecond, 600*time.Millisecond)),
				hook("stroll", aitree.Do("walk", aitree.Target(foeFact))),
			),
		),
		aitree.Parallel(aitree.AtLeast(2), aitree.All,
			aitree.RandomSelector(
				aitree.Cooldown(500*time.Millisecond, hook("aim", aitree.Do("aim", aitree.NumberOf(0, 2)))),
				hook("idle", aitree.Wait(200*time.Millisecond)),
				aitree.Inverter(hook("brood", brood())),
			),
			aitree.Repeat(3, aitree.WeightedChoice(
				aitree.Weight(1, hook("short", aitree.Wait(50*time.Millisecond))),
				aitree.Weight(2, aitree.Timeout(400*time.Millisecond, hook("walk", aitree.Do("walk")))),
			)),
			aitree.Retry(0, aitree.Guard(aitree.True(alarmed), hook("think", brood()))),
		).Latched(),
		aitree.RandomSequence(
			aitree.ForceSuccess(aitree.Timeout(300*time.Millisecond, aitree.UntilFailure(aitree.Sequence(
				aitree.Check(aitree.Less(sighted, 2*time.Second)),
				hook("pace", aitree.Wait(70*time.Millisecond)),
			)))),
			aitree.Selector(
				aitree.Check(aitree.EqualFact(Count, Count)).Named("always"),
				hook("never", aitree.Wait(time.Second)),
			),
			aitree.Leaf("churn", func(x *blackboard.Context) (success, running uint64) {
				q := x.User.(*ecs.Queue)
				for lane := range 64 {
					if x.Mask>>lane&1 == 0 {
						continue
					}
					e := x.Entities[lane]
					switch (e.Index*31 + uint32(x.Now/1_000_000)) % 97 {
					case 0:
						q.Remove(e, e)
					case 1, 2:
						q.Spawn(e, c.extra, components.Vec2{})
					case 3:
						ecs.Assign(q, e, e, mindlayout.NewMind128(1))
					}
				}
				return x.Mask, 0
			}),
			hook("rest", aitree.Leaf("rest", func(x *blackboard.Context) (success, running uint64) {
				state := func(lane int) *uint32 { return &x.State(lane)[20] }
				for lane := range 64 {
					if x.Mask>>lane&1 == 0 {
						continue
					}
					if *state(lane)++; *state(lane) > 3 {
						success |= 1 << lane
					} else {
						running |= 1 << lane
					}
				}
				return success, running
			}).Keeps(21)),
		),
	}
	for i, tree := range trees {
		c.minds = append(c.minds, c.Programs.Mind(ai.Tree(c.Program(fmt.Sprint("tree", i), tree))))
	}
	common := []any{Feelings{}, components.Intent{}}
	c.extra = ecs.NewPrefab(c.World, append(common, c.minds[2], components.NewLOD())...)
	for i := range agents {
		values := append(slices.Clone(common), c.minds[i%len(c.minds)])
		if i%5 != 0 {
			values = append(values, components.NewLOD())
		}
		c.agents = append(c.agents, c.Spawn(values...))
	}
	// Each move puts the agent behind those that are in its archetype already.
	red, blue := arche.ComponentID[RedTag](c.World), arche.ComponentID[BlueTag](c.World)
	for _, i := range order(agents) {
		tag := red
		if i%3 == 0 {
			tag = blue
		}
		c.Add(ecs.ToArche(c.agents[i]), tag)
	}
	c.Commands.OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) {
		c.agents = append(c.agents, e)
	})
	c.Start()
	return c
}

// play runs a frame: senses, due and outcomes follow from the agent and the frame alone.
func (c *cast) play() {
	c.Clock.Advance()
	for _, e := range c.agents {
		f := ecs.Get[Feelings](c.World, e)
		if f == nil {
			continue // it was removed
		}
		h := uint64(e.Index)<<32 ^ uint64(c.Clock.Frame)/8
		h = splitmix(&h)
		f.Fear = float32(h%100) / 100
		f.Alarm, f.Count, f.Seen = h>>8&1 != 0, int16(h>>16), components.Timestamp(h>>32%2*uint64(c.Clock.Now))
		f.Foe = c.agents[h>>24%uint64(len(c.agents))]
		if l := ecs.Get[components.LOD](c.World, e); l != nil {
			if l.Due() {
				l.Last = c.Clock.Now - c.Clock.Step
			}
			l.Flags &^= lodflag.Due
			if (e.Index+c.Clock.Frame)%4 == 0 {
				l.Flags |= lodflag.Due
			}
		}
		for i := range ecs.Get[components.Intent](c.World, e).Orders {
			o := &ecs.Get[components.Intent](c.World, e).Orders[i]
			switch g := h>>40 + uint64(c.Clock.Frame) + uint64(i); {
			case o.Action == 0:
			case g%11 == 0:
				o.Outcome = components.Succeeded
			case g%13 == 0:
				o.Outcome = components.Failed
			}
		}
	}
	c.Ai.Update(c.World)
	c.Last.Update(c.World)
}

// splitmix draws from a stream.
func splitmix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

var orders = map[string]func(n int) []int{
	"in order of making": func(n int) []int {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		return order
	},
	"backwards": func(n int) []int {
		order := make([]int, n)
		for i := range order {
			order[i] = n - 1 - i
		}
		return order
	},
	"shuffled": func(n int) []int { return rand.New(rand.NewPCG(uint64(n), 1)).Perm(n) },
}

func TestNothingDependsOnWorkersOrStorageOrder(t *testing.T) {
	type outcome struct {
		hash           uint64
		hooks          []hookCall
		stats          ai.Stats
		starts, active []int64
		fired          []components.Trigger
	}
	run := func(workers int, order func(int) []int) outcome {
		c := newCast(t, workers, 300, true, order)
		bang, ok := c.actions.Lookup("bang")
		require.True(t, ok)
		var fired []components.Trigger
		for range 100 {
			c.play()
			fired = append(fired, ecs.Resource[frame.Triggers](c.World).Take(bang)...)
		}
		starts := c.Ai.StartedByAction(nil)
		assert.EqualValues(t, starts[bang], len(fired))
		return outcome{ecs.Hash(c.World), c.takeLog(), c.Ai.Stats(), starts, c.Ai.RunningByAction(nil), fired}
	}
	reference := run(1, orders["in order of making"])
	events := map[string]int{}
	for _, h := range reference.hooks {
		events[h.leaf+" "+h.event]++
	}
	for _, event := range []string{
		"flee enter", "flee done", "flee failed", "watch done", "stroll aborted", "aim done", "idle done",
		"brood done", "short done",
		"walk done", "walk aborted", "think aborted", "pace done", "rest enter", "rest done",
	} {
		assert.GreaterOrEqual(t, events[event], 5, "the play has too few of: %s", event)
	}
	assert.NotEmpty(t, reference.fired, "triggers")
	for name, order := range orders {
		for _, workers := range []int{1, 2, 4} {
			got := run(workers, order)
			assert.Equal(t, reference.hash, got.hash, "%s, %d workers: the world", name, workers)
			assert.True(t, slices.Equal(reference.hooks, got.hooks), "%s, %d workers: the order of the hooks", name,
				workers)
			got.hash, got.hooks = reference.hash, reference.hooks
			assert.Equal(t, reference, got, "%s, %d workers", name, workers)
		}
	}
}

func TestHooksDoNotChangeADecision(t *testing.T) {
	run := func(hooked bool) uint64 {
		c := newCast(t, 2, 300, hooked, orders["shuffled"])
		for range 60 {
			c.play()
		}
		return ecs.Hash(c.World)
	}
	assert.Equal(t, run(false), run(true))
}

func TestUpdateAllocatesNothingInTheSteadyState(t *testing.T) {
	for _, hooked := range []bool{false, true} {
		for _, workers := range []int{1, 2} {
			s := NewAIWorld(t, workers)
			calls := 0
			hook := func(leaf *aitree.Node) *aitree.Node {
				if hooked {
					leaf.OnEnter(func(components.Entity) { calls++ }).OnExit(func(components.Entity,
						aitree.Exit) {
						calls++
					})
				}
				return leaf
			}
			p := s.Program("p", aitree.ReactiveSelector(
				aitree.Check(aitree.Less(sighted, time.Millisecond)),
				aitree.Guard(aitree.Greater(fear, 0.5), hook(aitree.Do("walk", aitree.Number(0, fear),
					aitree.Target(foeFact)))),
				aitree.Parallel(aitree.All, aitree.One,
					hook(aitree.WaitBetween(20*time.Millisecond, 90*time.Millisecond)),
					aitree.Sequence(hook(aitree.Wait(30*time.Millisecond)), aitree.Fire("bang"),
						hook(aitree.AgentLeaf("brief", func(a aitree.Agent) aitree.Status {
							if a.Entering() {
								return aitree.Running
							}
							return aitree.Success
						})).Keeps(3)),
				),
			))
			q := s.Program("q", aitree.RandomSequence(hook(aitree.Wait(50*time.Millisecond)),
				aitree.Cooldown(100*time.Millisecond,
					hook(aitree.Wait(20*time.Millisecond))), hook(aitree.Wait(10*time.Millisecond))))
			for i := range 300 {
				values := []any{s.Programs.Mind(ai.Tree(p)), components.Intent{},
					Feelings{Fear: float32(i % 2)}}
				if i%3 == 0 {
					values = []any{mindlayout.NewMind128(q), components.NewLOD(), Feelings{}}
				}
				e := s.Spawn(values...)
				if l := ecs.Get[components.LOD](s.World, e); l != nil {
					l.Flags |= lodflag.Due
				}
			}
			s.Start()
			all := ecs.NewColumns(s.World, ecs.Need[Feelings]())
			frame := func() {
				chunks := all.Open()
				for i := range chunks {
					for row := range ecs.Column[Feelings](&chunks[i], 0) {
						f := &ecs.Column[Feelings](&chunks[i], 0)[row]
						f.Fear += 0.013
						f.Fear -= float32(int(f.Fear))
					}
				}
				all.Close()
				s.Frame()
			}
			for range 300 {
				frame()
			}
			before := calls
			allocs.None(t, 200, frame)
			assert.Equal(t, hooked, calls-before > 1000, "%d hooks were called", calls-before)
		}
	}
}

// Blocks hold addresses into columns; a column that the world has outgrown must not be kept alive by them.
func TestAIKeepsNoColumnAlive(t *testing.T) {
	s := NewAIWorld(t, 1)
	p := s.Program("p", aitree.Sequence(aitree.Fire("bang"), aitree.Do("walk"), aitree.AgentLeaf("x",
		func(aitree.Agent) aitree.Status { return aitree.Success })))
	for range 16 { // fills the archetype's first storage
		s.Spawn(mindlayout.NewMind64(uint16(p)), components.Intent{}, components.NewLOD())
	}
	s.Start()
	var minds []weak.Pointer[components.Mind64]
	s.each(func(e components.Entity) {
		ecs.Get[components.LOD](s.World, e).Flags |= lodflag.Due
		minds = append(minds, weak.Make(ecs.Get[components.Mind64](s.World, e)))
	})
	s.Frame()
	s.each(func(e components.Entity) { ecs.Get[components.LOD](s.World, e).Flags &^= lodflag.Due })
	for range 200 { // no one is due any more: no block is written
		s.Spawn(mindlayout.NewMind64(uint16(p)), components.Intent{}, components.NewLOD())
	}
	s.Frame()
	runtime.GC()
	for i, m := range minds {
		assert.Nil(t, m.Value(), "the old storage of mind %d", i)
	}
	runtime.KeepAlive(s)
}

// each calls f for all entities that have a mind of 64 bytes.
func (s *AiWorld) each(f func(components.Entity)) {
	q := s.Query(arche.All(arche.ComponentID[components.Mind64](s.World)))
	for q.Next() {
		f(ecs.FromArche(q.Entity()))
	}
}

func TestNonfiniteFactsReadAsTheirDefaultAndAreCounted(t *testing.T) {
	s := NewAIWorld(t, 2)
	p := s.Program("p", aitree.Guard(aitree.Less(fear, 0.5), s.Scripted("calm")))
	nan := float32(math.NaN())
	var expected []hookCall
	for i := range 150 {
		f := Feelings{Fear: []float32{nan, 0.1, 0.9}[i%3]} // the default is 0
		e := s.Spawn(mindlayout.NewMind64(uint16(p)), f)
		if i%3 != 2 {
			expected = append(expected, hookCall{e, "calm", "enter"})
		}
	}
	s.Start()
	s.Frame()
	assert.Equal(t, expected, s.takeLog())
	assert.Equal(t, int64(50), s.Ai.Stats().Nonfinite)
	s.Frame()
	assert.Equal(t, int64(100), s.Ai.Stats().Nonfinite, "once per agent and tick")
}

func TestAnAIMovesToAnotherWorld(t *testing.T) {
	a, b := NewAIWorld(t, 1), NewAIWorld(t, 2)
	p := a.Program("p", a.switching())
	a.Spawn(mindlayout.NewMind64(uint16(p)), Feelings{})
	a.Start()
	a.Frame()
	require.EqualValues(t, 1, a.Ai.Stats().Decisions)
	q := b.Program("q", b.switching())
	e := b.Spawn(mindlayout.NewMind64(q), Feelings{})
	b.Ai = a.Ai
	b.Start()
	assert.Zero(t, b.Ai.Stats())
	a.takeLog()
	b.Frame()
	b.Commands.Queue(0).Remove(e, e)
	b.Commands.Apply(b.World)
	assert.Equal(t, []hookCall{{e, "c", "enter"}, {e, "d", "enter"}, {e, "c", "aborted"}, {e, "d", "aborted"}},
		b.takeLog())
	assert.Empty(t, a.takeLog())
	b.Ai.Finalize(b.World)
	b.Ai.Finalize(b.World)
	assert.EqualValues(t, 1, b.Ai.Stats().Decisions, "the counts stay")
}
