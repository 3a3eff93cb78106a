package gather

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/memory"
)

// A version of arche whose pool cannot be read is asked by a function.
func TestReferencesReadTheSameWhenArchesPoolCannotBeRead(t *testing.T) {
	type bond struct{ To components.Entity }
	w := arche.NewWorld()
	var e []components.Entity
	ecs.NewPrefab(&w, bond{}).SpawnNow(&w, 64, func(_ int, made components.Entity) { e = append(e, made) })
	gone := ecs.FromArche(w.NewEntity())
	w.RemoveEntity(ecs.ToArche(gone))
	for i := range e { // a third refers to nobody, a third to the dead, a third to each other
		ecs.Get[bond](&w, e[i]).To = []components.Entity{{}, gone, e[63-i]}[i%3]
	}
	to := blackboard.EntityFact("to", func(b *bond) *components.Entity { return &b.To })
	columns := NewFactColumns(&w, []blackboard.Fact{to})
	for _, rows := range [][]blackboard.Row{nil, {{Row: 5}, {Row: 3}, {Row: 2}, {Row: 8}}} {
		read := func(entities func(*memory.Entities)) (alive uint64, lane [64]components.Entity) {
			columns.Open()
			defer columns.Close()
			entities(&columns.entities)
			g := NewGather()
			if rows == nil {
				g.SetRange(columns, []int32{0}, blackboard.Row{}, 64)
			} else {
				g.Set(columns, []int32{0}, rows)
			}
			mask := ^uint64(0)
			if rows != nil {
				mask = 1<<len(rows) - 1
			}
			g.Entities(0, mask, &lane)
			return g.Alive(0, mask), lane
		}
		alive, lane := read(func(*memory.Entities) {})
		aliveByTest, laneByTest := read(func(s *memory.Entities) {
			pool := s.Pool
			*s = memory.Entities{Test: func(e components.Entity) bool { return pool.Has(e) }}
		})
		assert.NotZero(t, alive)
		assert.Equal(t, alive, aliveByTest)
		assert.Equal(t, lane, laneByTest)
	}
}
