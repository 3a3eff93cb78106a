package systems_test

import (
	"fmt"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

// brawl is a system that uses all a frame offers: columns cut in spans, workers, events and commands.
// Each agent strikes the next, the dead leave and a newcomer takes their place.
type brawl struct {
	columns  *ecs.Columns
	workers  *parallel.Workers
	events   *eventlist.Lists
	commands *ecs.Commands
	health   ecs.Lookup[components.Health]
	newcomer *ecs.Prefab
	chunks   []ecs.Chunk
	spans    []ecs.Span
	fight    func(worker, task int)
	alone    bool // without the pool
}

func (b *brawl) Initialize(w *arche.World) {
	b.columns = ecs.NewColumns(w, ecs.Need[components.Transform](), ecs.Need[components.Health](),
		ecs.Optional[components.Faction]())
	b.workers = ecs.Resource[parallel.Workers](w)
	b.events = ecs.Resource[eventlist.Lists](w)
	b.commands = ecs.Resource[ecs.Commands](w)
	b.health = ecs.NewLookup[components.Health](w)
	b.newcomer = ecs.NewPrefab(w, components.Transform{}, components.Health{Current: 9})
	b.fight = func(worker, task int) {
		span := b.spans[task]
		chunk := &b.chunks[span.Chunk]
		entities := chunk.Entities()
		transforms, health := ecs.Column[components.Transform](chunk, 0), ecs.Column[components.Health](chunk, 1)
		for row := span.Start; row < span.End; row++ {
			e := entities[row]
			transforms[row].Position.X++
			b.events.Hurt(worker, e, entities[(row+1)%len(entities)], int32(e.Index%5))
			b.events.Count(worker, eventlist.Strike, 1)
			if health[row].Current <= 0 {
				b.commands.Queue(worker).Remove(e, e)
				b.commands.Queue(worker).Spawn(e, b.newcomer, transforms[row].Position)
			}
		}
	}
}

func (b *brawl) Update(*arche.World) {
	b.chunks = b.columns.Open()
	b.spans = b.columns.Spans(16)
	if b.alone {
		for task := range b.spans {
			b.fight(0, task)
		}
	} else {
		b.workers.Run(len(b.spans), b.fight)
	}
	b.columns.Close()
	for _, wound := range b.events.Wounds() {
		if h := b.health.Get(wound.Target); h != nil {
			h.Current -= wound.Amount
			h.HurtBy = wound.By
		}
	}
}

func (b *brawl) Finalize(*arche.World) {}

// startBrawl returns a world with a brawl and what runs one frame of it.
func startBrawl(t *testing.T, workers int) (*arche.World, *brawl, func()) {
	w := arche.NewWorld()
	testworld.Install(&w, resources.Options{FPS: 60, Workers: workers})
	t.Cleanup(ecs.Resource[parallel.Workers](&w).Close)
	ecs.NewPrefab(&w, components.Transform{}, components.Health{Current: 20}).SpawnNow(&w, 300, nil)
	ecs.NewPrefab(&w, components.Transform{}, components.Health{Current: 10}, components.Faction{ID: 1}).SpawnNow(&w,
		200, nil)
	b := &brawl{}
	schedule := ecs.NewSchedule(b, &frame.CommandSystem{})
	schedule.Initialize(&w)
	return &w, b, func() { schedule.Update(&w) }
}

func TestAFrameDoesNotDependOnWorkers(t *testing.T) {
	var want string
	for _, workers := range []int{1, 2, 3, 8} {
		w, b, step := startBrawl(t, workers)
		for range 30 {
			step()
		}
		var got string
		newcomers := 0
		for _, chunk := range b.columns.Open() {
			for _, e := range chunk.Entities() {
				if e.Generation > 0 {
					newcomers++
				}
			}
			got += fmt.Sprint(chunk.Entities(), ecs.Column[components.Transform](&chunk, 0),
				ecs.Column[components.Health](&chunk, 1))
		}
		assert.Equal(t, 500, b.columns.Len())
		assert.NotZero(t, newcomers, "some died and were replaced")
		b.columns.Close()
		assert.False(t, w.IsLocked())
		assert.EqualValues(t, 30*500, b.events.Total(eventlist.Strike))
		if workers == 1 {
			want = got
		}
		assert.Equal(t, want, got, "%d workers", workers)
	}
}

func TestAFrameAllocatesNothingOnceWarm(t *testing.T) {
	for _, workers := range []int{1, 2} {
		_, b, step := startBrawl(t, workers)
		pooled := b.fight
		for worker := range workers { // each may have to serve all of a step
			b.fight = func(_, task int) { pooled(worker, task) }
			b.alone = true
			for range 100 {
				step()
			}
		}
		b.fight, b.alone = pooled, false
		allocs.None(t, 100, step)
	}
}
