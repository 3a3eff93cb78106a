package systems_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/utility"
)

const frameTime = 20 * time.Millisecond

// timers returns a tree for each kind of timer, whose leaves tell when they begin and end.
func timers(t *testing.T, event func(what string)) map[string]*aitree.Node {
	told := func(name string, n *aitree.Node) *aitree.Node {
		return n.Named(name).OnEnter(func(components.Entity) { event(name + " begins") }).
			OnExit(func(_ components.Entity, how aitree.Exit) { event(fmt.Sprint(name, " ", how)) })
	}
	moods, err := utility.Build("moods", utility.Choose(
		utility.NewAction("graze").Weight(0.5), utility.NewAction("play").Weight(0.25),
	).Commit(700*time.Millisecond))
	require.NoError(t, err)
	stuck := func() *aitree.Node {
		nibble := told("nibble", aitree.Wait(60*time.Millisecond))
		return aitree.UtilitySelector(moods, aitree.On("graze", aitree.Sequence(nibble, aitree.Fail())),
			aitree.On("play", told("play", aitree.Wait(300*time.Millisecond))))
	}
	return map[string]*aitree.Node{
		"wait": aitree.Repeat(0, told("wait", aitree.Wait(730*time.Millisecond))),
		"timeout": aitree.Repeat(0, aitree.ForceSuccess(aitree.Timeout(640*time.Millisecond,
			told("forever", aitree.Run())))),
		"cooldown": aitree.Repeat(0, aitree.ForceSuccess(aitree.Selector(
			aitree.Cooldown(900*time.Millisecond, told("shot", aitree.Wait(110*time.Millisecond))),
			told("pause", aitree.Wait(170*time.Millisecond))))),
		"every": aitree.Repeat(0, aitree.Sequence(
			aitree.Every(time.Second, told("look", aitree.Wait(50*time.Millisecond))),
			told("stroll", aitree.Wait(210*time.Millisecond)))),
		"for":      aitree.Repeat(0, told("walk", aitree.Do(action.Wander).For(470*time.Millisecond))),
		"back off": aitree.Repeat(0, aitree.ForceSuccess(stuck().BackOff(1500*time.Millisecond))),
		"parallel": aitree.Repeat(0, aitree.Parallel(aitree.All, aitree.All,
			told("one", aitree.Wait(330*time.Millisecond)), told("two", aitree.Wait(510*time.Millisecond)))),
	}
}

// eventsWithPause runs a tree for six seconds of its agent's own time, and returns its events by that time. The agent
// is paused at 1.3 s of them, for a time that passes in a few frames.
func eventsWithPause(t *testing.T, name string, pause time.Duration) (events []string) {
	t.Helper()
	var now, paused time.Duration
	herd := newHerd(t, systems.Options{FPS: 50, Workers: 1, HostClock: true})
	root := timers(t, func(what string) { events = append(events, fmt.Sprint(what, " ", now-paused)) })[name]
	values := append(systems.Walker(0.3, 1), herd.Trees.Mind(addTree(t, herd, name, root)), components.Intent{})
	agent := spawn(herd, 1, ecs.NewPrefab(herd.World(), values...))[0] // without a LOD it decides in every frame
	step := func(d time.Duration) {
		now += d
		herd.StepTo(now)
	}
	for i := range 300 {
		if i == 65 && pause > 0 {
			herd.Pause(agent)
			require.True(t, herd.Paused(agent))
			before := len(events)
			for range 10 {
				step(pause / 10)
			}
			require.Len(t, events, before, "nothing happens in the pause")
			herd.Resume(agent)
			require.False(t, herd.Paused(agent))
			paused = pause
		}
		step(frameTime)
	}
	return events
}

func TestTimersStandStillWhileAnAgentIsPaused(t *testing.T) {
	for name := range timers(t, nil) {
		want := eventsWithPause(t, name, 0)
		require.Greater(t, len(want), 8, name)
		// Epochs of timers last 18 minutes, and their deadlines repeat after 71.
		for _, pause := range []time.Duration{
			time.Second, 10 * time.Minute, 20 * time.Minute, 80 * time.Minute, 50 * time.Hour, 900 * 24 * time.Hour,
		} {
			assert.Equal(t, want, eventsWithPause(t, name, pause), "%s, paused for %v", name, pause)
		}
	}
}

// Pauses between which the agent does not decide add up, however they divide the epochs of the timers.
func TestPausesWithoutADecisionBetweenThemAddUp(t *testing.T) {
	const start, longest, pause = 17*time.Minute + 30*time.Second, 35 * time.Minute, 17*time.Minute + 40*time.Second
	run := func(root func(began func(components.Entity)) *aitree.Node, pauses int) (begins []time.Duration) {
		h := newHerd(t, systems.Options{FPS: 50, Workers: 1, HostClock: true})
		now := start
		step := func(d time.Duration) {
			now += d
			h.StepTo(now)
		}
		tree := addTree(t, h, "t", root(func(components.Entity) { begins = append(begins, now) }))
		agent := spawn(h, 1, ecs.NewPrefab(h.World(), h.Trees.Mind(tree), components.Intent{}))[0]
		step(0)
		step(time.Second)
		for range pauses {
			h.Pause(agent)
			step(pause)
			h.Resume(agent)
		}
		for len(begins) < 2 && now < 10*time.Hour {
			step(time.Second)
		}
		return begins
	}
	for _, pauses := range []int{0, 1, 2, 3, 8} {
		// A Repeat begins again in the frame after, and the child of the Cooldown completes in the second frame.
		end := start + longest + time.Duration(pauses)*pause + time.Second
		assert.Equal(t, []time.Duration{start, end}, run(func(began func(components.Entity)) *aitree.Node {
			return aitree.Repeat(0, aitree.Wait(longest).OnEnter(began))
		}, pauses), "a wait, %d pauses", pauses)
		assert.Equal(t, []time.Duration{start, end}, run(func(began func(components.Entity)) *aitree.Node {
			return aitree.Repeat(0, aitree.ForceSuccess(
				aitree.Cooldown(longest, aitree.Wait(time.Millisecond).OnEnter(began))))
		}, pauses), "a cooldown, %d pauses", pauses)
	}
}

// The time that decisions serve adds up to the time that the agent was not paused, wherever between two decisions the
// pause begins.
func TestElapsedTimeAddsUpWithAPause(t *testing.T) {
	for first := range 14 {
		h := newHerd(t, systems.Options{FPS: 50, Workers: 1})
		tree := addTree(t, h, "t", aitree.Repeat(0, aitree.Wait(10*time.Millisecond)))
		agent := spawn(h, 1, h.Prefab(tree))[0]
		sum, last := time.Duration(0), time.Duration(0)
		for i := range 120 {
			switch i {
			case 30 + first:
				h.Pause(agent)
			case 60 + first:
				h.Resume(agent)
			}
			h.Step()
			if l := ecs.Get[components.LOD](h.World(), agent); l.Due() {
				sum, last = sum+l.Elapsed(h.Clock.Now), time.Duration(h.Clock.Now)
			}
		}
		assert.Equal(t, last-30*frameTime, sum, "paused after %d frames", 30+first)
	}
}

// agentsOf returns the fighters of a herd.
func agentsOf(h *systems.Herd) (agents []components.Entity) {
	columns := ecs.NewColumns(h.World(), ecs.Need[components.Fighter]())
	defer columns.Release()
	defer columns.Close()
	for _, chunk := range columns.Open() {
		agents = append(agents, chunk.Entities()...)
	}
	return agents
}

// A herd that is paused as a whole and resumed goes on as one that was not: its agents perceive, walk and fight alike.
func TestAPausedHerdGoesOnWhereItWas(t *testing.T) {
	run := func(pause int) (places []components.Vec2, health []components.Health) {
		herd, world := pausable(t)
		now := time.Duration(0)
		steps := func(n int) {
			for range n {
				now += time.Second / 30
				herd.StepTo(now)
			}
		}
		agents := agentsOf(herd)
		steps(70)
		if pause > 0 {
			for _, e := range agents {
				herd.Pause(e)
			}
			before := *ecs.Get[components.Transform](world, agents[0])
			steps(pause)
			require.Equal(t, before, *ecs.Get[components.Transform](world, agents[0]))
			for _, e := range agents {
				herd.Resume(e)
			}
		}
		steps(90)
		for _, e := range agents {
			places = append(places, ecs.Get[components.Transform](world, e).Position)
			h := *ecs.Get[components.Health](world, e)
			if h.HurtAt > 0 {
				h.HurtAt -= components.Timestamp(now)
			}
			health = append(health, h)
		}
		return places, health
	}
	places, health := run(0)
	hurt := 0
	for _, h := range health {
		hurt += int(h.Max - h.Current)
	}
	require.Greater(t, hurt, 20, "they fight")
	again, healthAgain := run(30 * 41)
	assert.Equal(t, places, again)
	assert.Equal(t, health, healthAgain)
}

// In a fight a paused agent neither strikes nor moves nor senses, keeps its claim and can be hurt.
func TestAPausedAgentIsABodyThatDoesNotAct(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 50, Workers: 1})
	enemy := blackboard.EntityFact("enemy", func(e *enemyOf) *components.Entity { return &e.Entity })
	tree := addTree(t, h, "fighter", aitree.Repeat(0, aitree.ForceSuccess(aitree.Do(action.Melee, aitree.Target(enemy),
		aitree.NumberOf(0, 3)))))
	one := h.Prefab(tree, systems.Walker(0.3, 1), systems.Fighter(1, 1000), enemyOf{}, components.Needs{},
		systems.Perceiver(components.Senses{Sight: 30, Lose: 40, Cone: -1, Memory: 5}))
	pair := spawn(h, 2, one)
	for i, e := range pair {
		ecs.Get[components.Transform](h.World(), e).Position = components.Vec2{X: 10 + float32(i), Y: 10}
		ecs.Get[components.Faction](h.World(), e).ID = uint8(1 + i)
		ecs.Get[enemyOf](h.World(), e).Entity = pair[1-i]
	}
	me, foe := pair[0], pair[1]
	steps := func(n int) {
		for range n {
			h.Step()
		}
	}
	steps(100)
	hurt := func(e components.Entity) int32 {
		before := ecs.Get[components.Health](h.World(), e).Current
		steps(100)
		return before - ecs.Get[components.Health](h.World(), e).Current
	}
	require.Positive(t, hurt(foe))
	h.Pause(me)
	h.Pause(me) // changes nothing
	needs, percept := *ecs.Get[components.Needs](h.World(), me), *ecs.Get[components.Percept](h.World(), me)
	mind, decisions := *ecs.Get[components.Mind64](h.World(), me), h.AI.Stats().Decisions
	assert.Zero(t, hurt(foe), "it does not strike")
	assert.Positive(t, hurt(me), "it can be hurt")
	assert.Equal(t, foe, ecs.Get[components.Attack](h.World(), me).Target, "it keeps its claim")
	assert.EqualValues(t, 1, ecs.Get[components.Attacked](h.World(), foe).Count)
	assert.Equal(t, needs, *ecs.Get[components.Needs](h.World(), me))
	assert.Equal(t, percept, *ecs.Get[components.Percept](h.World(), me))
	assert.Equal(t, mind, *ecs.Get[components.Mind64](h.World(), me))
	assert.Greater(t, h.AI.Stats().Decisions, decisions, "the other goes on")
	assert.Nil(t, h.AI.Explain(me))
	hurtAt := ecs.Get[components.Health](h.World(), me).HurtAt
	h.Resume(me)
	assert.Equal(t, hurtAt, ecs.Get[components.Health](h.World(), me).HurtAt, "what happened in the pause stays")
	assert.Positive(t, hurt(foe))
	h.Resume(me) // changes nothing

	// It can be swapped, die and be removed.
	h.Pause(me)
	h.Swap(me, addTree(t, h, "idle", aitree.Run()))
	steps(10)
	h.Resume(me)
	steps(10)
	assert.EqualValues(t, 2, mindlayout.Program(ecs.Get[components.Mind64](h.World(), me).Words[:]))
	h.Pause(foe)
	h.Events.Hurt(0, me, foe, 5000)
	steps(2)
	assert.False(t, ecs.Alive(h.World(), foe))
	h.Resume(foe) // it is gone
	assert.False(t, h.Paused(foe))
	h.Pause(foe)
}

type enemyOf struct{ Entity components.Entity }

// A mind that cannot be ticked can be resumed, so that the AI tells what is wrong with it.
func TestAnAgentWhoseMindFitsNoTreeIsResumed(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 50, Workers: 1})
	tree := addTree(t, h, "small", aitree.Run())
	var large []*aitree.Node
	for range 30 {
		large = append(large, aitree.Cooldown(time.Second, aitree.Run()))
	}
	agent := spawn(h, 1, h.Prefab(tree))[0]
	h.Step()
	for _, number := range []ai.Tree{77, addTree(t, h, "large", aitree.Selector(large...))} {
		h.Pause(agent)
		mind := ecs.Get[components.Mind64](h.World(), agent)
		mind.Words[0] = mind.Words[0]&^0xffff | uint32(number)
		h.Resume(agent)
		assert.False(t, h.Paused(agent), number)
	}
}

// In a frame a pause takes effect at its end.
func TestAHookPausesItsAgent(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 50, Workers: 2})
	var begun []components.Entity
	paused := 0
	tree := addTree(t, h, "t", aitree.Repeat(0, aitree.Sequence(aitree.Wait(100*time.Millisecond),
		aitree.Wait(100*time.Millisecond).OnEnter(func(e components.Entity) {
			begun = append(begun, e)
			h.Pause(e)
			if h.Paused(e) {
				paused++
			}
		}))))
	agents := spawn(h, 50, h.Prefab(tree, systems.Walker(0.3, 1)))
	for range 300 {
		h.Step()
	}
	assert.Len(t, begun, 50, "each once")
	assert.Zero(t, paused)
	for _, e := range agents {
		assert.True(t, h.Paused(e))
	}
}

// A seat that a paused agent has taken stays taken, and it does not eat on.
func TestAPausedAgentKeepsItsBed(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 50, Workers: 1})
	bed := ecs.NewPrefab(h.World(), components.Transform{Position: components.Vec2{X: 4, Y: 4}},
		components.Place{Kind: components.Bed, Capacity: 1})
	var beds []components.Entity
	bed.SpawnNow(h.World(), 1, func(_ int, e components.Entity) { beds = append(beds, e) })
	tree := addTree(t, h, "sleeper", aitree.Repeat(0, aitree.ForceSuccess(
		aitree.Do(action.Sleep, aitree.Target(fact.Bed)))))
	sleeper := spawn(h, 1, h.Prefab(tree, systems.Walker(0.3, 1), components.Needs{Fatigue: 1}, components.Engagement{},
		components.Home{Bed: beds[0]}))[0]
	for range 20 {
		h.Step()
	}
	require.Equal(t, beds[0], ecs.Get[components.Engagement](h.World(), sleeper).Place)
	h.Pause(sleeper)
	fatigue := ecs.Get[components.Needs](h.World(), sleeper).Fatigue
	for range 300 {
		h.Step()
	}
	assert.EqualValues(t, 1, ecs.Get[components.Place](h.World(), beds[0]).Occupied)
	assert.Equal(t, fatigue, ecs.Get[components.Needs](h.World(), sleeper).Fatigue)
	h.Resume(sleeper)
	for range 300 {
		h.Step()
	}
	assert.Less(t, ecs.Get[components.Needs](h.World(), sleeper).Fatigue, fatigue)
}

// An agent is paused from 1 s to 3 s. Something happened to it at 0.4 s, something else at 2 s, in the pause, and it is
// ready to attack at 1.5 s. It may lack any component.
func TestAllTimesOfAnAgentMoveByItsPause(t *testing.T) {
	const before, moved, meanwhile, ahead = components.Timestamp(4e8), components.Timestamp(24e8),
		components.Timestamp(2e9), components.Timestamp(15e8)
	all := []any{
		components.Health{Current: 5, HurtAt: before}, components.Percept{SeenAt: before, NoiseAt: meanwhile},
		components.Needs{UpdatedAt: before}, components.Fighter{LastAttackAt: before},
		components.Choice{Since: before}, components.Attack{Since: before, ReadyAt: ahead},
	}
	sets := [][]any{all}
	for i := range all {
		sets = append(sets, all[i:i+1])
	}
	for _, set := range sets {
		herd := newHerd(t, systems.Options{FPS: 50, Workers: 1, HostClock: true})
		w := herd.World()
		e := spawn(herd, 1, ecs.NewPrefab(w, set...))[0]
		herd.StepTo(time.Second)
		herd.Pause(e)
		herd.StepTo(2 * time.Second)
		herd.StepTo(3 * time.Second)
		herd.Resume(e)
		if p := ecs.Get[components.Health](w, e); p != nil {
			assert.Equal(t, moved, p.HurtAt)
		}
		if p := ecs.Get[components.Percept](w, e); p != nil {
			assert.Equal(t, moved, p.SeenAt)
			assert.Equal(t, meanwhile, p.NoiseAt, "what happened in the pause stays")
		}
		if n := ecs.Get[components.Needs](w, e); n != nil {
			assert.Equal(t, moved, n.UpdatedAt)
		}
		if f := ecs.Get[components.Fighter](w, e); f != nil {
			assert.Equal(t, moved, f.LastAttackAt)
		}
		if c := ecs.Get[components.Choice](w, e); c != nil {
			assert.Equal(t, moved, c.Since)
		}
		if a := ecs.Get[components.Attack](w, e); a != nil {
			assert.Equal(t, components.Attack{Since: moved, ReadyAt: ahead + 2e9}, *a)
		}
	}
}
