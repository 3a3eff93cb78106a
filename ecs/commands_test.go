package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// stage is a world with a few equal entities and a command queue of two workers.
func newStage(t *testing.T, values ...any) (w *arche.World, c *Commands, entities []components.Entity) {
	world := arche.NewWorld()
	NewPrefab(&world, values...).SpawnNow(&world, 4,
		func(_ int, e components.Entity) { entities = append(entities, e) })
	return &world, NewCommands(2), entities
}

func TestCommandsWaitForApply(t *testing.T) {
	w, c, e := newStage(t, small{A: 1})
	c.Queue(0).Remove(e[0], e[1])
	Assign(c.Queue(0), e[0], e[2], wide{A: 5})
	Drop[small](c.Queue(1), e[0], e[3])
	assert.True(t, Alive(w, e[1]))
	assert.Nil(t, Get[wide](w, e[2]))
	assert.NotNil(t, Get[small](w, e[3]))
	c.Apply(w)
	assert.False(t, Alive(w, e[1]))
	assert.Equal(t, wide{A: 5}, *Get[wide](w, e[2]))
	assert.Equal(t, small{A: 1}, *Get[small](w, e[2]), "other components stay")
	assert.Nil(t, Get[small](w, e[3]))
	assert.True(t, Alive(w, e[3]))
}

func TestCommandsMayBeQueuedWhileTheWorldIsLocked(t *testing.T) {
	w, c, e := newStage(t, small{})
	columns := NewColumns(w, Need[small]())
	columns.Open()
	Assign(c.Queue(0), e[0], e[0], wide{A: 1}) // a type that the world does not know yet
	assert.PanicsWithValue(t, "ecs: Commands.Apply in a locked world; close the query or Columns first",
		func() { c.Apply(w) })
	columns.Close()
	c.Apply(w)
	assert.EqualValues(t, 1, Get[wide](w, e[0]).A)
}

func TestCommandsGoByIssuerThenOrderOfIssue(t *testing.T) {
	w, c, e := newStage(t)
	Assign(c.Queue(0), e[1], e[3], small{A: 1})
	Assign(c.Queue(1), e[0], e[3], small{A: 2})
	c.Apply(w)
	assert.Equal(t, small{A: 1}, *Get[small](w, e[3]), "the later issuer has the last word")

	// One issuer, served by worker 1 in one stage and by worker 0 in the next.
	Assign(c.Queue(1), e[0], e[3], small{A: 3})
	Assign(c.Queue(0), e[0], e[3], small{A: 4})
	c.Apply(w)
	assert.Equal(t, small{A: 4}, *Get[small](w, e[3]), "the later command has the last word")

	Assign(c.Queue(1), e[0], e[3], small{A: 5})
	Assign(c.Queue(0), components.Entity{}, e[3], small{A: 6})
	c.Apply(w)
	assert.Equal(t, small{A: 5}, *Get[small](w, e[3]), "the zero entity comes first")
}

func TestDuplicateAndLateCommandsAreHarmless(t *testing.T) {
	w, c, e := newStage(t, small{})
	left := 0
	c.OnLeave(func(*arche.World, components.Entity, LeaveReason) { left++ })
	q := c.Queue(0)
	q.Remove(e[0], e[1])
	q.Remove(e[0], e[1])
	c.Queue(1).Remove(e[2], e[1])
	Assign(q, e[0], e[1], wide{})
	Assign(q, e[0], e[1], small{})
	Drop[small](q, e[0], e[1])
	Assign(q, e[0], e[1], mindlayout.NewMind64(1))
	Drop[wide](q, e[0], e[2]) // lacks it
	Drop[small](q, e[0], e[3])
	Drop[small](q, e[0], e[3]) // lacks it by now
	q.Remove(e[0], components.Entity{})
	q.Remove(e[0], entity(999, 0))
	c.Apply(w)
	assert.Equal(t, 1, left, "one entity left, once")
	assert.False(t, Alive(w, e[1]))
	assert.Nil(t, Get[small](w, e[3]))
}

func TestRecycledIndexIsNotMistakenForTheRemovedEntity(t *testing.T) {
	w, c, e := newStage(t)
	var made components.Entity
	c.OnSpawn(func(_ *arche.World, e components.Entity, _ *Prefab, _ uint64) { made = e })
	p := NewPrefab(w, small{A: 1})
	c.Queue(0).Remove(e[0], e[1])
	c.Queue(0).Spawn(e[0], p, components.Vec2{})
	c.Queue(0).Remove(e[2], e[1])
	c.Apply(w)
	assert.Equal(t, e[1].Index, made.Index)
	assert.True(t, Alive(w, made))
}

func TestDeadEntitiesMayIssueCommands(t *testing.T) {
	w, c, e := newStage(t)
	corpses := 0
	c.OnSpawn(func(*arche.World, components.Entity, *Prefab, uint64) { corpses++ })
	c.Queue(0).Remove(e[0], e[0])
	c.Queue(0).Spawn(e[0], NewPrefab(w, small{}), components.Vec2{})
	c.Apply(w)
	assert.Equal(t, 1, corpses)
}

func TestSpawnPlacesAFreshCopyOfThePrefab(t *testing.T) {
	w, c, e := newStage(t)
	heading := components.Vec2{X: 0, Y: 1}
	p := NewPrefab(w, components.NewLOD(), components.Transform{Position: components.Vec2{X: 9, Y: 9},
		Heading: heading}, components.Health{Current: 3, Max: 4})
	placeless := NewPrefab(w, small{A: 7})
	var made []components.Entity
	c.OnSpawn(func(w *arche.World, e components.Entity, from *Prefab, _ uint64) {
		made = append(made, e)
		require.True(t, Alive(w, e))
		require.Equal(t, from == p, Get[components.Transform](w, e) != nil, "the components are in place")
	})
	c.Queue(1).Spawn(e[1], p, components.Vec2{X: 1, Y: 2})
	c.Queue(0).Spawn(e[0], placeless, components.Vec2{X: 5, Y: 6})
	c.Queue(0).Spawn(e[2], p, components.Vec2{X: 3, Y: 4})
	c.Apply(w)
	require.Len(t, made, 3)
	assert.Equal(t, small{A: 7}, *Get[small](w, made[0]))
	for i, at := range []components.Vec2{{X: 1, Y: 2}, {X: 3, Y: 4}} {
		assert.Equal(t, components.Transform{Position: at, Heading: heading}, *Get[components.Transform](w, made[i+1]))
		assert.Equal(t, components.Health{Current: 3, Max: 4}, *Get[components.Health](w, made[i+1]))
		assert.Equal(t, components.NewLOD(), *Get[components.LOD](w, made[i+1]))
	}
}

// minds returns the words of an entity's minds, by size in words.
func minds(w *arche.World, e components.Entity) map[int][]uint32 {
	found := map[int][]uint32{}
	if m := Get[components.Mind64](w, e); m != nil {
		found[16] = slices.Clone(m.Words[:])
	}
	if m := Get[components.Mind128](w, e); m != nil {
		found[32] = slices.Clone(m.Words[:])
	}
	if m := Get[components.Mind256](w, e); m != nil {
		found[64] = slices.Clone(m.Words[:])
	}
	return found
}

// assignMind assigns a fresh mind of a size in bytes.
func assignMind(q *Queue, issuer, e components.Entity, program uint16, bytes int) {
	switch bytes {
	case 64:
		Assign(q, issuer, e, mindlayout.NewMind64(program))
	case 128:
		Assign(q, issuer, e, mindlayout.NewMind128(program))
	case 256:
		Assign(q, issuer, e, mindlayout.NewMind256(program))
	}
}

func TestAMindReplacesTheMindOfAnySize(t *testing.T) {
	sizes := []int{64, 128, 256}
	for _, from := range sizes {
		for _, to := range sizes {
			t.Run(fmt.Sprintf("%d to %d", from, to), func(t *testing.T) {
				w, c, e := newStage(t, small{A: 1}, mindlayout.New(0xffff, from))
				var log []string
				c.OnLeave(func(w *arche.World, left components.Entity, reason LeaveReason) {
					log = append(log, fmt.Sprint(left == e[2], reason))
					require.EqualValues(t, 0xffff, minds(w, e[2])[from/4][0], "the old mind is in place")
				})
				for _, m := range []any{Get[components.Mind64](w, e[2]), Get[components.Mind128](w, e[2]),
					Get[components.Mind256](w, e[2])} {
					if v := reflect.ValueOf(m); !v.IsNil() {
						words := v.Elem().Field(0)
						for i := 1; i < words.Len(); i++ {
							words.Index(i).SetUint(0xdead)
						}
					}
				}
				assignMind(c.Queue(1), e[0], e[2], 12, to)
				c.Apply(w)
				want := make([]uint32, to/4)
				want[0] = 12
				assert.Equal(t, map[int][]uint32{to / 4: want}, minds(w, e[2]))
				assert.Equal(t, []string{"true swapped"}, log)
				assert.Equal(t, small{A: 1}, *Get[small](w, e[2]))
				assert.EqualValues(t, 0xffff, minds(w, e[1])[from/4][0], "others keep theirs")
			})
		}
	}
}

func TestAssignGivesAMindToAnEntityWithoutOne(t *testing.T) {
	w, c, e := newStage(t)
	c.OnLeave(func(*arche.World, components.Entity, LeaveReason) { t.Error("no tree ran") })
	Assign(c.Queue(0), e[0], e[1], mindlayout.NewMind128(3))
	c.Apply(w)
	assert.EqualValues(t, 3, minds(w, e[1])[32][0])
}

func TestOnLeaveIsCalledBeforeTheEntityOrItsMindIsRemoved(t *testing.T) {
	w, c, e := newStage(t, mindlayout.NewMind64(1), small{A: 5})
	var log []string
	c.OnLeave(func(w *arche.World, left components.Entity, reason LeaveReason) {
		log = append(log, fmt.Sprint("first ", slices.Index(e, left), " ", reason, " ", Get[small](w, left).A))
	})
	c.OnLeave(func(w *arche.World, left components.Entity, reason LeaveReason) {
		log = append(log, fmt.Sprint("second ", slices.Index(e, left)))
	})
	q := c.Queue(0)
	q.Remove(e[0], e[0])
	Drop[components.Mind64](q, e[0], e[1])
	Assign(q, e[0], e[2], mindlayout.NewMind64(2))
	Assign(q, e[0], e[3], small{A: 6}) // no mind: OnLeave is not called
	c.Apply(w)
	assert.Equal(t, []string{
		"first 0 removed 5", "second 0",
		"first 1 swapped 5", "second 1",
		"first 2 swapped 5", "second 2",
	}, log)
	assert.Empty(t, minds(w, e[1]))
	assert.EqualValues(t, 2, minds(w, e[2])[16][0])
}

func TestCallbacksMayQueueCommandsForTheSameApply(t *testing.T) {
	w, c, e := newStage(t, small{})
	p := NewPrefab(w, wide{A: 1})
	c.OnLeave(func(w *arche.World, left components.Entity, _ LeaveReason) {
		Assign(c.Queue(0), left, e[3], pair{A: 1})
		c.Queue(0).Spawn(left, p, components.Vec2{})
	})
	var made components.Entity
	c.OnSpawn(func(w *arche.World, e components.Entity, _ *Prefab, _ uint64) {
		made = e
		Assign(c.Queue(1), e, e, tagged{})
	})
	// The payload of a command that comes after must survive what callbacks queue meanwhile.
	c.Queue(0).Remove(e[0], e[0])
	Assign(c.Queue(0), e[1], e[1], wide{A: 8, B: 9})
	c.Apply(w)
	assert.Equal(t, wide{A: 8, B: 9}, *Get[wide](w, e[1]))
	assert.Equal(t, pair{A: 1}, *Get[pair](w, e[3]))
	assert.NotNil(t, Get[tagged](w, made), "a command of the third round")
}

func TestCommandsOfCallbacksComeAfterThoseQueuedBefore(t *testing.T) {
	w, c, e := newStage(t)
	c.OnLeave(func(_ *arche.World, left components.Entity, _ LeaveReason) {
		Assign(c.Queue(0), left, e[3], small{A: 1})
	})
	c.Queue(0).Remove(e[0], e[0])
	Assign(c.Queue(0), e[1], e[3], small{A: 2})
	c.Apply(w)
	assert.Equal(t, small{A: 1}, *Get[small](w, e[3]))
}

func TestApplyPanicsInsteadOfNotEnding(t *testing.T) {
	w, c, e := newStage(t)
	p := NewPrefab(w, small{})
	endless, nested, made := true, false, 0
	c.OnSpawn(func(w *arche.World, e components.Entity, _ *Prefab, _ uint64) {
		made++
		if nested {
			c.Queue(1).Spawn(e, p, components.Vec2{})
			c.Apply(w)
		}
		if endless {
			c.Queue(0).Spawn(e, p, components.Vec2{})
		}
	})
	c.Queue(0).Spawn(e[0], p, components.Vec2{})
	assert.PanicsWithValue(t, "ecs: callbacks of Commands queued more commands 1000 times in a row",
		func() { c.Apply(w) })
	endless, nested = false, true
	c.Queue(0).Spawn(e[0], p, components.Vec2{})
	assert.PanicsWithValue(t, "ecs: Commands.Apply called by one of its callbacks; what they queue is applied anyway",
		func() { c.Apply(w) })
	nested, made = false, 0
	c.Queue(0).Spawn(e[0], p, components.Vec2{})
	assert.NotPanics(t, func() { c.Apply(w) })
	assert.Equal(t, 1, made, "what a panic left is dropped")
}

func TestCallbacksMayQueueCommandsAThousandTimesInARow(t *testing.T) {
	w, c, e := newStage(t)
	p := NewPrefab(w, small{})
	made := 0
	c.OnSpawn(func(_ *arche.World, e components.Entity, _ *Prefab, _ uint64) {
		if made++; made < 1000 {
			c.Queue(0).Spawn(e, p, components.Vec2{})
		}
	})
	c.Queue(0).Spawn(e[0], p, components.Vec2{})
	c.Apply(w)
	assert.Equal(t, 1000, made)
}

func TestASpawnOfAPrefabOfAnotherWorldIsRefused(t *testing.T) {
	w, c, e := newStage(t)
	other := arche.NewWorld()
	c.Queue(0).Spawn(e[0], NewPrefab(&other, small{}), components.Vec2{})
	assert.PanicsWithValue(t, "ecs: a Prefab of another world; make one for this world with NewPrefab",
		func() { c.Apply(w) })
}

func TestApplyEmptiesTheQueues(t *testing.T) {
	w, c, e := newStage(t)
	p := NewPrefab(w)
	for range 3 {
		Assign(c.Queue(0), e[0], e[0], wide{})
		c.Queue(0).Spawn(e[0], p, components.Vec2{})
		require.Len(t, c.queues[0].payload, 12)
		require.Len(t, c.queues[0].prefabs, 1)
		c.Apply(w)
		assert.Nil(t, c.queues[0].prefabs[:1][0], "no prefab is kept alive")
	}
}

func TestEntityThatACallbackRemovedIsLeftAlone(t *testing.T) {
	w, c, e := newStage(t, mindlayout.NewMind64(1))
	c.OnLeave(func(w *arche.World, left components.Entity, _ LeaveReason) { w.RemoveEntity(ToArche(left)) })
	c.Queue(0).Remove(e[0], e[0])
	Assign(c.Queue(0), e[0], e[1], mindlayout.NewMind256(2))
	Assign(c.Queue(0), e[0], e[2], mindlayout.NewMind64(2))
	Drop[components.Mind64](c.Queue(0), e[0], e[3])
	assert.NotPanics(t, func() { c.Apply(w) })
	assert.False(t, slices.ContainsFunc(e, func(e components.Entity) bool { return Alive(w, e) }))
}

func TestQueueRefuses(t *testing.T) {
	w, c, e := newStage(t)
	assert.PanicsWithValue(t,
		"ecs: component string holds a Go pointer: string is a string; use an index or a handle instead",
		func() { Assign(c.Queue(0), e[0], e[0], "name") })
	assert.PanicsWithValue(t,
		"ecs: component []int holds a Go pointer: []int is a slice; use an index or a handle instead",
		func() { Drop[[]int](c.Queue(0), e[0], e[0]) })
	assert.PanicsWithValue(t, "ecs: Spawn of a nil Prefab; make one with NewPrefab",
		func() { c.Queue(0).Spawn(e[0], nil, components.Vec2{}) })
	assert.PanicsWithValue(t, "ecs: NewCommands for 0 workers; use 1 to 1024", func() { NewCommands(0) })
	c.Apply(w)
	assert.Len(t, arche.ComponentIDs(w), 3, "the minds, and nothing that was refused")
}

func TestTheSameCommandsServeSeveralWorldsInTurn(t *testing.T) {
	c := NewCommands(1)
	for i := range 3 {
		w := arche.NewWorld()
		for range i { // so that IDs differ from world to world
			componentID(&w, numbered(len(arche.ComponentIDs(&w))))
		}
		e := FromArche(w.NewEntity())
		Assign(c.Queue(0), e, e, small{A: 3})
		Assign(c.Queue(0), e, e, mindlayout.NewMind64(4))
		c.Apply(&w)
		assert.Equal(t, small{A: 3}, *Get[small](&w, e))
		assert.EqualValues(t, 4, minds(&w, e)[16][0])
	}
}

// script is a frame's commands: in each stage, each issuer that acts issues some.
type scripted struct {
	issuer, target int
	op             int
	value          byte
}

func drawStages(t *rapid.T) [][]scripted {
	one := rapid.Custom(func(t *rapid.T) scripted {
		return scripted{
			issuer: rapid.IntRange(0, 7).Draw(t, "issuer"),
			target: rapid.IntRange(0, 7).Draw(t, "target"),
			op:     rapid.IntRange(0, 6).Draw(t, "op"),
			value:  rapid.Byte().Draw(t, "value"),
		}
	})
	return rapid.SliceOfN(rapid.SliceOfN(one, 0, 20), 1, 3).Draw(t, "stages")
}

func (s scripted) queue(q *Queue, e []components.Entity, p *Prefab) {
	issuer, target := e[s.issuer], e[s.target]
	switch s.op {
	case 0:
		q.Remove(issuer, target)
	case 1:
		q.Spawn(issuer, p, components.Vec2{X: float32(s.value), Y: float32(s.issuer)})
	case 2:
		Assign(q, issuer, target, small{A: s.value})
	case 3:
		Assign(q, issuer, target, wide{A: uint32(s.value)})
	case 4:
		Drop[small](q, issuer, target)
	case 5:
		Drop[wide](q, issuer, target)
	case 6:
		assignMind(q, issuer, target, uint16(s.value), []int{64, 128, 256}[s.value%3])
	}
}

// run applies the script with a number of workers, issuers assigned to them anew in each stage, and dumps the
// world.
func runScript(stages [][]scripted, workers int, assigned func(stage, issuer int) int) []string {
	w := arche.NewWorld(2)
	var e []components.Entity
	NewPrefab(&w, small{}, mindlayout.NewMind64(1)).SpawnNow(&w, 8,
		func(_ int, made components.Entity) { e = append(e, made) })
	p := NewPrefab(&w, components.Transform{}, components.NewLOD())
	c := NewCommands(workers)
	var log []string
	c.OnLeave(func(_ *arche.World, left components.Entity, reason LeaveReason) {
		log = append(log, fmt.Sprint(left, reason))
		if reason == Removed {
			c.Queue(0).Spawn(left, p, components.Vec2{Y: 1})
		}
	})
	for i, stage := range stages {
		// Workers run one after the other here: whatever their order, an issuer's commands stay in order.
		for worker := range workers {
			for _, s := range stage {
				if assigned(i, s.issuer) == worker {
					s.queue(c.Queue(worker), e, p)
				}
			}
		}
	}
	c.Apply(&w)
	types := []reflect.Type{
		reflect.TypeFor[small](), reflect.TypeFor[wide](), reflect.TypeFor[components.Transform](),
		reflect.TypeFor[components.LOD](),
		reflect.TypeFor[components.Mind64](), reflect.TypeFor[components.Mind128](),
		reflect.TypeFor[components.Mind256](),
	}
	var ids []arche.ID
	for _, t := range types {
		ids = append(ids, componentID(&w, t))
	}
	all := arche.All()
	return append(log, dump(&w, &all, types, ids)...)
}

func TestOutcomeDoesNotDependOnWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stages := drawStages(t)
		workers := rapid.IntRange(2, 5).Draw(t, "workers")
		turns := rapid.SliceOfN(rapid.IntRange(0, workers-1), 24, 24).Draw(t, "who serves")
		want := runScript(stages, 1, func(int, int) int { return 0 })
		require.Equal(t, want, runScript(stages, workers, func(stage, issuer int) int { return turns[stage*8+issuer] }))
	})
}

// A plain model of the rules, on maps: which entities are alive after the commands, and their components.
func TestOutcomeIsThatOfOneCommandAfterTheOther(t *testing.T) {
	type agent struct {
		small, wide int // -1: none
		mind        [2]int
	}
	rapid.Check(t, func(t *rapid.T) {
		stages := drawStages(t)
		model := map[int]*agent{}
		for i := range 8 {
			model[i] = &agent{small: 0, wide: -1, mind: [2]int{64, 1}}
		}
		var spawned []components.Vec2
		for issuer := range 8 {
			for _, s := range slices.Concat(stages...) {
				if s.issuer != issuer {
					continue
				}
				if s.op == 1 {
					spawned = append(spawned, components.Vec2{X: float32(s.value), Y: float32(issuer)})
				}
				a := model[s.target]
				if a == nil {
					continue
				}
				switch s.op {
				case 0:
					delete(model, s.target)
				case 2:
					a.small = int(s.value)
				case 3:
					a.wide = int(s.value)
				case 4:
					a.small = -1
				case 5:
					a.wide = -1
				case 6:
					a.mind = [2]int{[]int{64, 128, 256}[s.value%3], int(s.value)}
				}
			}
		}

		w := arche.NewWorld()
		var e []components.Entity
		NewPrefab(&w, small{}, mindlayout.NewMind64(1)).SpawnNow(&w, 8,
			func(_ int, made components.Entity) { e = append(e, made) })
		p := NewPrefab(&w, components.Transform{})
		c := NewCommands(1)
		var places []components.Vec2
		c.OnSpawn(func(w *arche.World, e components.Entity, _ *Prefab, _ uint64) {
			places = append(places, Get[components.Transform](w, e).Position)
		})
		for _, s := range slices.Concat(stages...) {
			s.queue(c.Queue(0), e, p)
		}
		c.Apply(&w)
		require.Equal(t, spawned, places)
		for i := range 8 {
			want := model[i]
			require.Equal(t, want != nil, Alive(&w, e[i]))
			if want == nil {
				continue
			}
			got := agent{small: -1, wide: -1}
			if s := Get[small](&w, e[i]); s != nil {
				got.small = int(s.A)
			}
			if v := Get[wide](&w, e[i]); v != nil {
				got.wide = int(v.A)
			}
			for words, m := range minds(&w, e[i]) {
				require.Zero(t, got.mind, "one mind")
				got.mind = [2]int{words * 4, int(mindlayout.Program(m))}
			}
			require.Equal(t, *want, got)
		}
	})
}

func TestApplyAllocatesNothingOnceWarm(t *testing.T) {
	w, c, e := newStage(t, small{})
	p := NewPrefab(w, components.Transform{}, components.NewLOD(), mindlayout.NewMind64(1))
	var herd []components.Entity
	c.OnSpawn(func(_ *arche.World, e components.Entity, _ *Prefab, _ uint64) { herd = append(herd, e) })
	left := 0
	c.OnLeave(func(*arche.World, components.Entity, LeaveReason) { left++ })
	cycle := func() {
		herd = herd[:0]
		for i := range 20 {
			c.Queue(i%2).Spawn(e[i%4], p, components.Vec2{X: float32(i)})
		}
		c.Apply(w)
		for i, a := range herd {
			q := c.Queue(i % 2)
			assignMind(q, a, a, uint16(i), []int{64, 128, 256}[i%3])
			Assign(q, a, a, wide{A: uint32(i)})
			Assign(q, a, a, wide{B: uint32(i)})
			Drop[components.LOD](q, a, a)
		}
		c.Apply(w)
		for i, a := range herd {
			c.Queue(i%2).Remove(a, a)
		}
		c.Apply(w)
	}
	cycle()
	allocs.None(t, 100, cycle)
	assert.NotZero(t, left)
}

func BenchmarkSpawnAndRemove(b *testing.B) {
	w := arche.NewWorld()
	p := NewPrefab(&w, components.Transform{}, components.Body{}, components.Percept{}, components.NewLOD(),
		components.Intent{}, mindlayout.NewMind64(1))
	c := NewCommands(1)
	var made []components.Entity
	c.OnSpawn(func(_ *arche.World, e components.Entity, _ *Prefab, _ uint64) { made = append(made, e) })
	b.ReportAllocs()
	for range b.N {
		made = made[:0]
		for i := range 1000 {
			c.Queue(0).Spawn(entity(uint32(1000-i), 0), p, components.Vec2{})
		}
		c.Apply(&w)
		for _, e := range made {
			c.Queue(0).Remove(e, e)
		}
		c.Apply(&w)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/command")
}

func TestFactsAreWrittenThroughTheQueue(t *testing.T) {
	w := arche.NewWorld()
	commands := NewCommands(1)
	q := commands.Queue(0)
	schema := &blackboard.BoardSchema{}
	threat, err := schema.Number("threat", 0)
	require.NoError(t, err)
	armed, err := schema.Flag("armed", false)
	require.NoError(t, err)
	leader, err := schema.Entity("leader")
	require.NoError(t, err)

	board := arche.ComponentID[blackboard.Board](&w)
	with, without := FromArche(w.NewEntity(board)), FromArche(w.NewEntity())
	for _, e := range []components.Entity{with, without} {
		q.SetFloat(e, e, threat, 0.75)
		q.SetBool(e, e, armed, true)
		q.SetEntity(e, e, leader, without)
	}
	commands.Apply(&w)

	b := Get[blackboard.Board](&w, with)
	assert.Equal(t, blackboard.Board{Numbers: [10]float32{0.75}, Flags: [8]bool{true},
		Entities: [2]components.Entity{without}}, *b)
	assert.Nil(t, Get[blackboard.Board](&w, without), "no component is added")
	assert.PanicsWithValue(t, `ecs: fact "threat" is of kind float32, not bool`,
		func() { q.SetBool(with, with, threat, true) })
}

func TestA64BitNumberIsWrittenThroughTheQueue(t *testing.T) {
	type account struct{ Owner, Balance, Limit float64 }
	w, c, e := newStage(t, account{1, 2, 3})
	balance := blackboard.FloatFact("balance", func(a *account) *float64 { return &a.Balance }, 0)
	c.Queue(0).SetFloat(e[0], e[0], balance, 0.5)
	c.Apply(w)
	assert.Equal(t, account{1, 0.5, 3}, *Get[account](w, e[0]))
}

func TestAFactThatIsNoFieldOfTheEntityIsNotWritten(t *testing.T) {
	type boss struct{ Who components.Entity }
	type flag struct{ Up bool }
	up := blackboard.BoolFact("up", func(f *flag) *bool { return &f.Up }, false)
	who := blackboard.EntityFact("who", func(b *boss) *components.Entity { return &b.Who })
	q, e := NewCommands(1).Queue(0), components.Entity{Index: 1}
	for _, f := range []blackboard.Fact{blackboard.HasFact[flag]("has flag"), up.OfResource(), up.Of(who)} {
		require.NoError(t, f.Err())
		assert.PanicsWithValue(t, fmt.Sprintf("ecs: fact %q names no field of a component of the entity; use Assign "+
			"or Drop for a component, and write a resource or another entity's component by itself", f.Name()),
			func() { q.SetBool(e, e, f, true) })
	}
	assert.NotPanics(t, func() { q.SetBool(e, e, up, true) })
	broken := blackboard.BoolFact[flag]("broken", nil, false)
	assert.PanicsWithValue(t, "ecs: "+broken.Err().Error(), func() { q.SetBool(e, e, broken, true) })
}

func TestAFactBeyond16MegabytesIsRefused(t *testing.T) {
	type edge struct {
		_        [1<<24 - 1]byte
		Last, Up bool
	}
	lastByte := blackboard.BoolFact("last byte", func(v *edge) *bool { return &v.Last }, false)
	assert.NotPanics(t, func() {
		NewCommands(1).Queue(0).SetBool(components.Entity{}, components.Entity{}, lastByte, true)
	})
	type vast struct {
		_          [1<<24 - 4]byte
		Last, Over float32
	}
	last := blackboard.FloatFact("last", func(v *vast) *float32 { return &v.Last }, 0)
	over := blackboard.FloatFact("over", func(v *vast) *float32 { return &v.Over }, 0)
	q, e := NewCommands(1).Queue(0), components.Entity{Index: 1}
	assert.NotPanics(t, func() { q.SetFloat(e, e, last, 1) })
	assert.PanicsWithValue(t,
		`ecs: fact "over" lies 16777216 bytes into its component; a queue can write up to 16777215`,
		func() { q.SetFloat(e, e, over, 1) })
}

func TestCallbacksCanBeRemovedAndRecogniseSpawnsByNumber(t *testing.T) {
	world := arche.NewWorld()
	c := NewCommands(1)
	p := NewPrefab(&world, components.Transform{})
	var first, second []uint64
	note := func(list *[]uint64) func(*arche.World, components.Entity, *Prefab, uint64) {
		return func(_ *arche.World, _ components.Entity, _ *Prefab, number uint64) { *list = append(*list, number) }
	}
	remove := c.OnSpawn(note(&first))
	c.OnSpawn(note(&second))
	a := c.Queue(0).Spawn(components.Entity{}, p, components.Vec2{})
	b := c.Queue(0).Spawn(components.Entity{}, p, components.Vec2{})
	c.Apply(&world)
	remove()
	d := c.Queue(0).Spawn(components.Entity{}, p, components.Vec2{})
	c.Apply(&world)
	if !slices.Equal(first, []uint64{a, b}) || !slices.Equal(second, []uint64{a, b, d}) {
		t.Errorf("spawns %d, %d, %d were seen as %v and %v", a, b, d, first, second)
	}
	if a == b || b == d || a == d {
		t.Error("numbers are not unique")
	}
}
