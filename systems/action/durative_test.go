package action_test

import (
	"fmt"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// Job is the state of the actions of these tests.
type Job struct {
	Updates int32 // since the beginning
	Lasts   int32 // updates until it succeeds; negative: until it fails
	Wanted  bool
}

var wanted = blackboard.BoolFact("wanted", func(j *Job) *bool { return &j.Wanted }, false)

// newHerd installs a herd in a new world. Its agents decide in every frame.
func newHerd(t testing.TB, o systems.Options) *systems.Herd {
	t.Helper()
	w := arche.NewWorld()
	herd, err := systems.Install(&w, o)
	require.NoError(t, err)
	t.Cleanup(herd.Close)
	herd.LOD.Config.Off = true
	return herd
}

func addTree(t require.TestingT, h *systems.Herd, name string, root *aitree.Node) ai.Tree {
	tree, err := h.AddTree(name, root)
	require.NoError(t, err)
	return tree
}

// diary is a job whose calls are written down.
type diary struct {
	herd    *systems.Herd
	entries []string
}

func (d *diary) write(what string, a action.Agent, j *Job) {
	d.entries = append(d.entries, fmt.Sprintf("%d: %s %d (%d updates, number %v)",
		d.herd.Clock.Frame, what, a.Entity.Index, j.Updates, a.Order.Numbers[0]))
}

// take returns the entries since the last call.
func (d *diary) take() []string {
	entries := d.entries
	d.entries = nil
	return entries
}

func (d *diary) steps() action.AgentSteps[Job] {
	return action.AgentSteps[Job]{
		Begin: func(a action.Agent, j *Job) {
			j.Updates = 0
			d.write("begin", a, j)
		},
		Update: func(a action.Agent, j *Job) components.Outcome {
			j.Updates++
			d.write("update", a, j)
			switch j.Updates {
			case j.Lasts:
				return components.Succeeded
			case -j.Lasts:
				return components.Failed
			}
			return components.Pending
		},
		Abort: func(a action.Agent, j *Job) { d.write("abort", a, j) },
	}
}

// newDiary returns a herd with an action "job" that writes a diary, and makes agents with a job.
func newDiary(t testing.TB, root *aitree.Node, agents int, job Job) (*diary, *action.Durative[Job]) {
	t.Helper()
	d := &diary{herd: newHerd(t, systems.Options{FPS: 10, Workers: 2})}
	durative := action.NewAgentDurative("job", components.Act, d.steps())
	require.NoError(t, d.herd.AddAction(durative))
	d.herd.Prefab(addTree(t, d.herd, "worker", root), job).SpawnNow(d.herd.World(), agents, nil)
	return d, durative
}

func job(number float32) *aitree.Node { return aitree.Do("job", aitree.NumberOf(0, number)) }

// The agents that newDiary makes have the indices from 1 on.
func agent(index uint32) components.Entity { return components.Entity{Index: index} }

func TestAnOrderIsBegunUpdatedAndReportedInOrderOfEntities(t *testing.T) {
	d, durative := newDiary(t, aitree.Selector(job(7), aitree.Wait(time.Hour/2)), 2, Job{Lasts: -2})
	ecs.Get[Job](d.herd.World(), agent(2)).Lasts = 2
	d.herd.Step()
	assert.Equal(t, []string{
		"1: begin 1 (0 updates, number 7)", "1: begin 2 (0 updates, number 7)",
		"1: update 1 (1 updates, number 7)", "1: update 2 (1 updates, number 7)",
	}, d.take(), "it is begun in the frame that posts it")
	d.herd.Step()
	assert.Equal(t, []string{"2: update 1 (2 updates, number 7)", "2: update 2 (2 updates, number 7)"}, d.take())
	for e, want := range map[uint32]components.Outcome{1: components.Failed, 2: components.Succeeded} {
		assert.Equal(t, want, ecs.Get[components.Intent](d.herd.World(), agent(e)).Orders[components.Act].Outcome)
	}
	d.herd.Step()
	assert.Empty(t, d.take(), "the tree of 2 completes, that of 1 waits")
	d.herd.Step()
	assert.Equal(t, []string{"4: begin 2 (0 updates, number 7)", "4: update 2 (1 updates, number 7)"}, d.take())
	assert.Equal(t, action.Stats{Begun: 3, Succeeded: 1, Failed: 1}, durative.Stats())
	assert.EqualValues(t, 1, durative.Stats().Running())
}

func TestAWithdrawnOrderIsAbortedOnceWithTheOrderThatStood(t *testing.T) {
	d, durative := newDiary(t, aitree.ReactiveSelector(
		aitree.Guard(aitree.True(wanted), job(1)), aitree.Wait(time.Minute)), 1, Job{Wanted: true})
	d.herd.Step()
	ecs.Get[Job](d.herd.World(), agent(1)).Wanted = false
	d.take()
	d.herd.Step()
	d.herd.Step()
	assert.Equal(t, []string{"2: abort 1 (1 updates, number 1)"}, d.take())
	assert.Equal(t, action.Stats{Begun: 1, Aborted: 1}, durative.Stats())
}

// A new posting of the same action is another order: the old one is aborted before the new one begins.
func TestAReplacedOrderIsAbortedBeforeTheNextBegins(t *testing.T) {
	d, _ := newDiary(t, aitree.ReactiveSelector(aitree.Guard(aitree.True(wanted), job(1)), job(2)), 1, Job{})
	d.herd.Step()
	ecs.Get[Job](d.herd.World(), agent(1)).Wanted = true
	d.take()
	d.herd.Step()
	assert.Equal(t, []string{
		"2: abort 1 (1 updates, number 2)", "2: begin 1 (0 updates, number 1)", "2: update 1 (1 updates, number 1)",
	}, d.take())
}

func TestASwappedTreeAbortsBeforeTheCommandWithTheComponentsInPlace(t *testing.T) {
	d, _ := newDiary(t, job(1), 1, Job{})
	other := addTree(t, d.herd, "other", job(2))
	d.herd.Step()
	d.take()
	d.herd.Swap(agent(1), other)
	d.herd.Step()
	assert.Equal(t, []string{"2: update 1 (2 updates, number 1)", "2: abort 1 (2 updates, number 1)"}, d.take())
	d.herd.Step()
	assert.Equal(t, []string{"3: begin 1 (0 updates, number 2)", "3: update 1 (1 updates, number 2)"}, d.take())
}

func TestAnEntityThatIsRemovedByACommandIsAbortedOnce(t *testing.T) {
	d, _ := newDiary(t, job(1), 2, Job{})
	d.herd.Step()
	d.take()
	d.herd.Commands.Queue(0).Remove(agent(1), agent(1))
	d.herd.Step()
	assert.Equal(t, []string{
		"2: update 1 (2 updates, number 1)", "2: update 2 (2 updates, number 1)", "2: abort 1 (2 updates, number 1)",
	}, d.take())
	d.herd.Step()
	assert.Equal(t, []string{"3: update 2 (3 updates, number 1)"}, d.take())
}

// Abort gets the state of the last update, and the next entity of the same index is another agent.
func TestAnEntityThatIsRemovedOtherwiseIsAbortedInTheNextFrame(t *testing.T) {
	d, _ := newDiary(t, job(1), 1, Job{})
	tree := addTree(t, d.herd, "other", job(2))
	d.herd.Step()
	d.take()
	d.herd.World().RemoveEntity(ecs.ToArche(agent(1)))
	d.herd.Prefab(tree, Job{}).SpawnNow(d.herd.World(), 1, func(_ int, e components.Entity) {
		require.Equal(t, components.Entity{Index: 1, Generation: 1}, e)
	})
	d.herd.Step()
	assert.Equal(t, []string{
		"2: abort 1 (1 updates, number 1)", "2: begin 1 (0 updates, number 2)", "2: update 1 (1 updates, number 2)",
	}, d.take())
}

func TestAnAgentThatLosesItsStateIsAbortedAndItsOrderFails(t *testing.T) {
	d, _ := newDiary(t, aitree.Selector(job(1), aitree.Wait(time.Minute)), 1, Job{})
	d.herd.Step()
	d.take()
	ecs.Drop[Job](d.herd.Commands.Queue(0), agent(1), agent(1))
	d.herd.Step()
	d.herd.Step()
	assert.Equal(t, []string{"2: update 1 (2 updates, number 1)", "3: abort 1 (2 updates, number 1)"}, d.take())
	order := &ecs.Get[components.Intent](d.herd.World(), agent(1)).Orders[components.Act]
	assert.Equal(t, components.Failed, order.Outcome)
	d.herd.Step() // the tree goes on with the wait
	d.herd.Step()
	assert.Empty(t, d.take())
	assert.Zero(t, order.Action)
}

// Far away an agent decides once a second, and yet it learns in the next frame that its order has failed.
func TestAnAgentThatLosesItsStateIsWoken(t *testing.T) {
	d := &diary{herd: newHerd(t, systems.Options{FPS: 60, Workers: 1})}
	d.herd.LOD.Config.Off = false
	d.herd.SetObservers(components.Vec2{X: 200})
	require.NoError(t, d.herd.AddAction(action.NewAgentDurative("job", components.Act, d.steps())))
	failed := uint32(0)
	tree := addTree(t, d.herd, "t", aitree.Selector(
		job(1).OnExit(func(components.Entity, aitree.Exit) { failed = d.herd.Clock.Frame }), aitree.Wait(time.Minute)))
	d.herd.Prefab(tree, Job{}, systems.Walker(0.3, 1)).SpawnNow(d.herd.World(), 1, nil)
	for len(d.entries) == 0 {
		d.herd.Step()
	}
	d.herd.World().Remove(ecs.ToArche(agent(1)), arche.ComponentID[Job](d.herd.World()))
	lost := d.herd.Clock.Frame + 1
	for range 10 {
		d.herd.Step()
	}
	assert.Equal(t, lost+1, failed)
}

// The numbers that a leaf binds to facts are those of the last decision, also for an abort.
func TestAnOrderFollowsItsFacts(t *testing.T) {
	lasts := blackboard.FloatFact("lasts", func(m *struct{ Value float32 }) *float32 { return &m.Value }, 0)
	d := &diary{herd: newHerd(t, systems.Options{FPS: 10, Workers: 1})}
	require.NoError(t, d.herd.AddAction(action.NewAgentDurative("job", components.Act, d.steps())))
	tree := addTree(t, d.herd, "t", aitree.Do("job", aitree.Number(0, lasts)))
	d.herd.Prefab(tree, Job{}, struct{ Value float32 }{1}).SpawnNow(d.herd.World(), 1, nil)
	d.herd.Step()
	ecs.Get[struct{ Value float32 }](d.herd.World(), agent(1)).Value = 2
	d.herd.Step()
	d.herd.World().RemoveEntity(ecs.ToArche(agent(1)))
	d.herd.Step()
	assert.Equal(t, []string{
		"1: begin 1 (0 updates, number 1)", "1: update 1 (1 updates, number 1)", "2: update 1 (2 updates, number 2)",
		"3: abort 1 (2 updates, number 2)",
	}, d.take())
}

// A host without the AI posts orders itself. One that asks again for what has ended makes it begin again.
func TestAnOrderThatIsMadePendingAgainBeginsAgain(t *testing.T) {
	d := &diary{herd: newHerd(t, systems.Options{FPS: 10, Workers: 1})}
	d.herd.AI = nil
	require.NoError(t, d.herd.AddAction(action.NewAgentDurative("job", components.Act, d.steps())))
	handle, _ := d.herd.Actions.Lookup("job")
	intent := components.Intent{}
	intent.Orders[components.Act] = components.Order{Action: handle, Serial: 1}
	ecs.NewPrefab(d.herd.World(), intent, Job{Lasts: 1}).SpawnNow(d.herd.World(), 1, nil)
	d.herd.Step()
	ecs.Get[components.Intent](d.herd.World(), agent(1)).Orders[components.Act].Outcome = components.Pending
	d.herd.Step()
	assert.Equal(t, []string{
		"1: begin 1 (0 updates, number 0)", "1: update 1 (1 updates, number 0)",
		"2: begin 1 (0 updates, number 0)", "2: update 1 (1 updates, number 0)",
	}, d.take())
}

func TestAnOrderOfAnAgentWithoutTheStatePanicsWithTheRemedy(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	require.NoError(t, h.AddAction(action.NewDurative("job", components.Act, action.Steps[Job]{})))
	h.Prefab(addTree(t, h, "t", job(1))).SpawnNow(h.World(), 1, nil)
	defer func() {
		var failed *systems.TaskPanic
		require.ErrorAs(t, recover().(error), &failed)
		assert.Equal(t, `action: entity {1 0} has an order "job" and no action_test.Job; `+
			`add the component before a tree that posts the action`, failed.Value)
		assert.False(t, h.World().IsLocked())
	}()
	h.Step()
}

// Where no time passes nothing is updated, as nobody decides either.
func TestAFrameWithoutTimeUpdatesNobody(t *testing.T) {
	d := &diary{herd: newHerd(t, systems.Options{HostClock: true, Workers: 1})}
	require.NoError(t, d.herd.AddAction(action.NewAgentDurative("job", components.Act, d.steps())))
	d.herd.Prefab(addTree(t, d.herd, "t", job(1)), Job{}).SpawnNow(d.herd.World(), 1, nil)
	d.herd.StepTo(time.Second)
	d.take()
	for range 3 {
		d.herd.StepTo(time.Second)
	}
	assert.Empty(t, d.take())
	d.herd.StepTo(2 * time.Second)
	assert.Equal(t, []string{"5: update 1 (2 updates, number 1)"}, d.take())
}

// An agent that decides once a second is woken by the outcome: its next order stands in the frame after it.
func TestAnOutcomeWakesTheAgent(t *testing.T) {
	d := &diary{herd: newHerd(t, systems.Options{FPS: 60, Workers: 1})}
	d.herd.LOD.Config.Off = false
	d.herd.SetObservers(components.Vec2{X: 200})
	require.NoError(t, d.herd.AddAction(action.NewAgentDurative("job", components.Act, d.steps())))
	tree := addTree(t, d.herd, "t", aitree.Sequence(job(1), job(2)))
	d.herd.Prefab(tree, Job{Lasts: 30}, systems.Walker(0.3, 1)).SpawnNow(d.herd.World(), 1, nil)
	begun := func() (frames []uint32) {
		for range 120 {
			d.herd.Step()
			for _, entry := range d.take() {
				var frame uint32
				var what string
				_, err := fmt.Sscanf(entry, "%d: %s", &frame, &what)
				require.NoError(t, err)
				if what == "begin" {
					frames = append(frames, frame)
				}
			}
		}
		return frames
	}()
	require.GreaterOrEqual(t, len(begun), 2)
	assert.Equal(t, begun[0]+30, begun[1], "30 updates, the first in the frame of the beginning, and the next frame")
}

// A batch is up to 64 agents in ascending order, whatever the order of storage.
func TestBatchesAreInOrderOfEntities(t *testing.T) {
	for _, inParallel := range []bool{false, true} {
		h := newHerd(t, systems.Options{Workers: 3})
		var sizes []int
		var served []components.Entity
		require.NoError(t, h.AddAction(action.NewDurative("job", components.Act, action.Steps[Job]{
			Parallel: inParallel, // one task alone, so one worker calls
			Update: func(b *action.Batch, states []*Job) (succeeded, failed uint64) {
				assert.Len(t, states, len(b.Entities))
				assert.Len(t, b.Orders, len(b.Entities))
				for i, e := range b.Entities {
					assert.Same(t, ecs.Get[Job](h.World(), e), states[i])
				}
				sizes = append(sizes, len(b.Entities))
				served = append(served, b.Entities...)
				return 0, 0
			},
		})))
		tree := addTree(t, h, "t", job(1))
		h.Prefab(tree, Job{}, systems.Walker(0.3, 1)).SpawnNow(h.World(), 50, nil)
		h.Prefab(tree, Job{}).SpawnNow(h.World(), 101, nil)
		for i := range uint32(10) { // they take the last rows of the first archetype
			h.Prefab(tree, Job{}, systems.Walker(0.3, 1)).SpawnNow(h.World(), 1, nil)
			h.World().RemoveEntity(ecs.ToArche(agent(3 * (i + 1))))
		}
		h.Step()
		assert.Equal(t, []int{64, 64, 23}, sizes)
		require.Len(t, served, 151)
		for i := range served[1:] {
			assert.Negative(t, served[i].Compare(served[i+1]))
		}
	}
}

// Several tasks of agents are served by the workers at once, with the worker's own queue.
func TestParallelStepsServeEachAgentOnce(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 4})
	require.NoError(t, h.AddAction(action.NewDurative("job", components.Act, action.Steps[Job]{
		Parallel: true,
		Begin: func(_ *action.Batch, states []*Job) {
			for _, j := range states {
				j.Updates = 0
			}
		},
		Update: func(b *action.Batch, states []*Job) (succeeded, failed uint64) {
			for i, j := range states {
				j.Updates++
				if b.Commands == h.Commands.Queue(b.Worker) && j.Updates == 3 {
					succeeded |= 1 << i
				}
			}
			return succeeded, 0
		},
	})))
	h.Prefab(addTree(t, h, "t", aitree.Sequence(job(1), aitree.Wait(time.Minute))), Job{}).
		SpawnNow(h.World(), 5000, nil)
	for range 5 {
		h.Step()
	}
	for q := h.World().Query(arche.All(arche.ComponentID[Job](h.World()))); q.Next(); {
		j := (*Job)(q.Get(arche.ComponentID[Job](h.World())))
		assert.EqualValues(t, 3, j.Updates)
	}
}

// Bits beyond the batch mean nothing; an agent that is reported both ways has succeeded.
func TestOutcomesAreThoseOfTheBatch(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	durative := action.NewDurative("job", components.Act, action.Steps[Job]{
		Update: func(*action.Batch, []*Job) (succeeded, failed uint64) { return ^uint64(1), ^uint64(0) },
	})
	require.NoError(t, h.AddAction(durative))
	h.Prefab(addTree(t, h, "t", job(1)), Job{}).SpawnNow(h.World(), 3, nil)
	h.Step()
	assert.Equal(t, action.Stats{Begun: 3, Succeeded: 2, Failed: 1}, durative.Stats())
}

func TestAnActionWithoutFunctionsLastsUntilItIsAborted(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	durative := action.NewAgentDurative("job", components.Act, action.AgentSteps[Job]{})
	require.NoError(t, h.AddAction(durative))
	h.Prefab(addTree(t, h, "t", aitree.Sequence(aitree.ForceSuccess(aitree.Timeout(time.Second, job(1))),
		aitree.Wait(time.Minute))), Job{}).SpawnNow(h.World(), 3, nil)
	for range 59 {
		h.Step()
	}
	assert.Equal(t, action.Stats{Begun: 3}, durative.Stats())
	for range 3 {
		h.Step()
	}
	assert.Equal(t, action.Stats{Begun: 3, Aborted: 3}, durative.Stats())
}

// An empty component serves as well, for an action that remembers nothing.
func TestAnEmptyComponentIsAState(t *testing.T) {
	type Digger struct{}
	h := newHerd(t, systems.Options{Workers: 1})
	durative := action.NewDurative("job", components.Move, action.Steps[Digger]{
		Update: func(_ *action.Batch, states []*Digger) (succeeded, failed uint64) { return 1, 0 },
	})
	require.NoError(t, h.AddAction(durative))
	h.Prefab(addTree(t, h, "t", job(1)), Digger{}).SpawnNow(h.World(), 1, nil)
	h.Step()
	assert.Equal(t, action.Stats{Begun: 1, Succeeded: 1}, durative.Stats())
}

// After a panic of a function the world is unlocked, and the next frame goes on.
func TestAPanicOfAFunctionLeavesTheSystemUsable(t *testing.T) {
	h := newHerd(t, systems.Options{Workers: 1})
	fail := true
	durative := action.NewAgentDurative("job", components.Act, action.AgentSteps[Job]{
		Update: func(a action.Agent, j *Job) components.Outcome {
			if fail && a.Entity.Index == 2 {
				panic("no tool")
			}
			return components.Succeeded
		},
	})
	require.NoError(t, h.AddAction(durative))
	h.Prefab(addTree(t, h, "t", job(1)), Job{}).SpawnNow(h.World(), 2, nil)
	assert.PanicsWithValue(t, "no tool", h.Step)
	assert.False(t, h.World().IsLocked())
	fail = false
	h.Step()
	assert.Equal(t, action.Stats{Begun: 2, Succeeded: 2}, durative.Stats())
}

func TestUpdateOutsideARunPanics(t *testing.T) {
	durative := action.NewDurative("job", components.Act, action.Steps[Job]{})
	w := arche.NewWorld()
	assert.PanicsWithValue(t, `action: Update of "job" before Initialize or after Finalize`,
		func() { durative.Update(&w) })
	assert.PanicsWithValue(t, "ecs: the world has no *aitree.Actions; call systems.Install, or add a resource of your "+
		"own with arche's AddResource",
		func() { durative.Initialize(&w) })
}

func TestActionsAllocateNothingOnceWarm(t *testing.T) {
	for _, inParallel := range []bool{false, true} {
		h := newHerd(t, systems.Options{Workers: 2})
		require.NoError(t, h.AddAction(action.NewAgentDurative("job", components.Act, action.AgentSteps[Job]{
			Parallel: inParallel,
			Begin:    func(_ action.Agent, j *Job) { j.Updates = 0 },
			Update: func(_ action.Agent, j *Job) components.Outcome {
				if j.Updates++; j.Updates < 5 {
					return components.Pending
				}
				return components.Succeeded
			},
			Abort: func(_ action.Agent, j *Job) { j.Updates = -1 },
		})))
		// Every agent begins, succeeds and is aborted again and again, each at its own time.
		h.Prefab(addTree(t, h, "t", aitree.Repeat(0, aitree.ForceSuccess(aitree.Timeout(150*time.Millisecond,
			aitree.Repeat(0, job(1)))))), Job{}).SpawnNow(h.World(), 3000, nil)
		for range 60 {
			h.Step()
		}
		allocs.None(t, 60, h.Step)
	}
}

// The action of a paused agent stands still: it is neither updated nor aborted.
func TestAPausedAgentsActionStandsStill(t *testing.T) {
	herd := newHerd(t, systems.Options{Workers: 1})
	d := &diary{herd: herd}
	require.NoError(t, herd.AddAction(action.NewAgentDurative("job", components.Act, d.steps())))
	tree := addTree(t, herd, "worker", aitree.Do("job"))
	var agents []components.Entity
	herd.Prefab(tree, Job{Lasts: 100}).SpawnNow(herd.World(), 2, func(_ int, e components.Entity) {
		agents = append(agents, e)
	})
	herd.Step()
	herd.Step()
	d.take()
	herd.Pause(agents[0])
	herd.Step()
	assert.Equal(t, []string{"3: update 2 (3 updates, number 0)"}, d.take())
	herd.Resume(agents[0])
	herd.Step()
	assert.Equal(t, []string{"4: update 1 (3 updates, number 0)", "4: update 2 (4 updates, number 0)"}, d.take())
	herd.Pause(agents[1])
	herd.Step()
	d.take()
	herd.Swap(agents[1], addTree(t, herd, "idle", aitree.Run()))
	herd.Step()
	assert.Contains(t, d.take(), "6: abort 2 (4 updates, number 0)", "a swap aborts it all the same")
}
