package ecs

import (
	"fmt"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/ecs/event"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// ear is a listener of a world as a user writes one: it reads what it is told of.
type ear struct {
	heard func(w *arche.World, e arche.EntityEvent)
}

func (l ear) Notify(w *arche.World, e arche.EntityEvent) { l.heard(w, e) }
func (l ear) Subscriptions() event.Subscription          { return event.All }
func (l ear) Components() *arche.Mask                    { return nil }

// listen returns what listeners read of each entity that is made or gets components: one line per notification.
func listen(w *arche.World) *[]string {
	lines := &[]string{}
	w.SetListener(ear{func(w *arche.World, e arche.EntityEvent) {
		if e.AddedIDs == nil {
			return
		}
		entity, line := FromArche(e.Entity), ""
		if e.Contains(event.EntityCreated) {
			line = "made"
		}
		if s := Get[small](w, entity); s != nil {
			line += fmt.Sprintf(" small %d", s.A)
		}
		if v := Get[wide](w, entity); v != nil {
			line += fmt.Sprintf(" wide %d %d", v.A, v.C)
		}
		if at := Get[components.Transform](w, entity); at != nil {
			line += fmt.Sprintf(" at %g %g", at.Position.X, at.Position.Y)
		}
		for words, m := range minds(w, entity) {
			line += fmt.Sprintf(" mind of %d words for %d", words, mindlayout.Program(m))
		}
		if p := Get[parent](w, entity); p != nil {
			id, _ := registered(w, testTypes[4])
			line += fmt.Sprintf(" parent %d, target %d", p.Value, FromArche(w.Relations().Get(e.Entity, id)).Index)
		}
		*lines = append(*lines, line)
	}})
	return lines
}

func TestListenersSeeTheValuesOfWhatIsSpawned(t *testing.T) {
	w := arche.NewWorld()
	c := NewCommands(1)
	p := NewPrefab(&w, wide{A: 7, C: 9}, components.Transform{}, small{A: 3}, mindlayout.NewMind64(5))
	heard := listen(&w)
	c.Queue(0).Spawn(components.Entity{}, p, components.Vec2{X: 2, Y: 4})
	c.Queue(0).Spawn(components.Entity{}, p, components.Vec2{X: 8})
	c.Apply(&w)
	assert.Equal(t, []string{
		"made small 3 wide 7 9 at 2 4 mind of 16 words for 5",
		"made small 3 wide 7 9 at 8 0 mind of 16 words for 5",
	}, *heard)
}

func TestListenersSeeTheValuesOfSpawnNow(t *testing.T) {
	w := arche.NewWorld()
	p := NewPrefab(&w, wide{A: 7, C: 9}, small{A: 3})
	heard := listen(&w)
	p.SpawnNow(&w, 3, func(i int, e components.Entity) { Get[small](&w, e).A += uint8(i) })
	assert.Equal(t, []string{"made small 3 wide 7 9", "made small 4 wide 7 9", "made small 5 wide 7 9"}, *heard)
}

func TestListenersSeeTheValuesOfWhatIsAdded(t *testing.T) {
	w := arche.NewWorld()
	c := NewCommands(1)
	q := c.Queue(0)
	e := FromArche(w.NewEntity())
	p := NewPrefab(&w, wide{A: 7, C: 9}, small{A: 3}, components.Transform{Position: components.Vec2{X: 1}})
	heard := listen(&w)

	Assign(q, e, e, small{A: 4})
	Assign(q, e, e, small{A: 5}) // there already: nothing is added
	c.Apply(&w)
	assert.Equal(t, []string{" small 4"}, *heard)

	*heard = nil
	p.Complete(e)
	assert.Equal(t, []string{" small 5 wide 7 9 at 1 0"}, *heard)

	*heard = nil
	Assign(q, e, e, components.Mind64{Words: [16]uint32{6}})   // a first mind
	Assign(q, e, e, components.Mind128{Words: [32]uint32{8}})  // another size
	Assign(q, e, e, components.Mind128{Words: [32]uint32{11}}) // the same size: nothing is added
	Assign(q, e, e, components.Mind64{Words: [16]uint32{9}})
	c.Apply(&w)
	assert.Equal(t, []string{
		" small 5 wide 7 9 at 1 0 mind of 16 words for 6",
		" small 5 wide 7 9 at 1 0 mind of 32 words for 8",
		" small 5 wide 7 9 at 1 0 mind of 16 words for 9",
	}, *heard)
}

func TestSpawnsAndAssignmentsAllocateNothingWithAListener(t *testing.T) {
	w := arche.NewWorld()
	c := NewCommands(1)
	sum := 0
	seen := NewLookup[small](&w)
	w.SetListener(ear{func(_ *arche.World, e arche.EntityEvent) {
		if s := seen.Get(FromArche(e.Entity)); s != nil {
			sum += int(s.A)
		}
	}})
	p := NewPrefab(&w, wide{A: 7}, small{A: 3})
	var made []components.Entity
	c.OnSpawn(func(_ *arche.World, e components.Entity, _ *Prefab, _ uint64) { made = append(made, e) })
	cycle := func() {
		made = made[:0]
		c.Queue(0).Spawn(components.Entity{}, p, components.Vec2{})
		c.Apply(&w)
		for _, e := range made {
			Assign(c.Queue(0), e, e, pair{A: 1})
			Assign(c.Queue(0), e, e, components.Mind64{Words: [16]uint32{1}})
			c.Queue(0).Remove(e, e)
		}
		c.Apply(&w)
	}
	cycle()
	assert.Equal(t, 4*3, sum, "made, pair, mind, removed")
	allocs.None(t, 100, cycle)
}

func TestSpawnRelatedSetsTheTarget(t *testing.T) {
	w := arche.NewWorld()
	c := NewCommands(1)
	p := NewPrefab(&w, parent{Value: 4}, components.Transform{})
	squad, other, gone := FromArche(w.NewEntity()), FromArche(w.NewEntity()), FromArche(w.NewEntity())
	heard := listen(&w)
	var made []components.Entity
	var numbers []uint64
	c.OnSpawn(func(_ *arche.World, e components.Entity, _ *Prefab, number uint64) {
		made, numbers = append(made, e), append(numbers, number)
	})
	q := c.Queue(0)
	q.Remove(components.Entity{}, gone)
	issued := []uint64{
		q.SpawnRelated(components.Entity{}, p, components.Vec2{X: 1}, squad),
		q.SpawnRelated(components.Entity{}, p, components.Vec2{X: 2}, other),
		q.SpawnRelated(components.Entity{}, p, components.Vec2{X: 3}, gone), // dead by then
		q.Spawn(components.Entity{}, p, components.Vec2{X: 4}),
	}
	c.Apply(&w)
	assert.Equal(t, []string{
		fmt.Sprint("made at 1 0 parent 4, target ", squad.Index),
		fmt.Sprint("made at 2 0 parent 4, target ", other.Index),
		"made at 3 0 parent 4, target 0",
		"made at 4 0 parent 4, target 0",
	}, *heard)
	assert.Equal(t, issued, numbers)
	relation := arche.ComponentID[parent](&w)
	for i, want := range []components.Entity{squad, other, {}, {}} {
		assert.Equal(t, want, FromArche(w.Relations().Get(ToArche(made[i]), relation)))
	}
	assert.False(t, w.IsLocked())
}

func TestRelateChangesTheTarget(t *testing.T) {
	w := arche.NewWorld()
	c := NewCommands(1)
	relation := arche.ComponentID[parent](&w)
	with, without := w.NewEntity(relation), w.NewEntity()
	a, gone := FromArche(w.NewEntity()), FromArche(w.NewEntity())
	w.RemoveEntity(ToArche(gone))
	q, e := c.Queue(0), FromArche(with)
	none := components.Entity{}
	for _, step := range []struct{ target, want components.Entity }{{a, a}, {gone, a}, {none, none}} {
		Relate[parent](q, e, e, step.target)
		Relate[parent](q, e, FromArche(without), step.target) // has no such component: nothing happens
		c.Apply(&w)
		assert.Equal(t, step.want, FromArche(w.Relations().Get(with, relation)))
		assert.False(t, w.Has(without, relation))
	}
}

func TestRelationsAreRefusedWhereThereAreNone(t *testing.T) {
	type second struct{ arche.Relation }
	w := arche.NewWorld()
	q := NewCommands(1).Queue(0)
	assert.PanicsWithValue(t,
		"ecs: SpawnRelated of a Prefab without a relation component; give NewPrefab one that embeds arche's Relation",
		func() {
			q.SpawnRelated(components.Entity{}, NewPrefab(&w, small{}), components.Vec2{}, components.Entity{})
		})
	assert.PanicsWithValue(t, "ecs: Spawn of a nil Prefab; make one with NewPrefab",
		func() { q.SpawnRelated(components.Entity{}, nil, components.Vec2{}, components.Entity{}) })
	assert.PanicsWithValue(t,
		"ecs: Relate of ecs.small, which is no relation component; it must embed arche's Relation first",
		func() { Relate[small](q, components.Entity{}, components.Entity{}, components.Entity{}) })
	assert.PanicsWithValue(t,
		"ecs: NewPrefab has two relation components, the second is ecs.second; arche allows one",
		func() { NewPrefab(&w, parent{}, second{}) })
}
