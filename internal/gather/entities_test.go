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
	blocks := [][]blackboard.Row{{{Row: 5}, {Row: 3}, {Row: 2}, {Row: 8}}}
	for _, successive := range [][2]int32{{0, 64}, {2, 1}, {3, 1}, {0, 3}, {1, 2}, {5, 33}, {7, 56}, {1, 63}} {
		var rows []blackboard.Row
		for i := range successive[1] {
			rows = append(rows, blackboard.Row{Row: successive[0] + i})
		}
		blocks = append(blocks, rows)
	}
	for _, rows := range blocks {
		want, wantLane := uint64(0), [64]components.Entity{}
		for i, r := range rows {
			if r.Row%3 == 2 {
				want |= 1 << i
				wantLane[i] = e[63-r.Row]
			}
		}
		read := func(entities func(*memory.Entities)) (alive uint64, lane [64]components.Entity) {
			columns.Open()
			defer columns.Close()
			entities(&columns.entities)
			g := NewGather()
			g.Set(columns, []int32{0}, rows)
			mask := uint64(1)<<len(rows) - 1
			g.Entities(0, mask, &lane)
			return g.Alive(0, mask), lane
		}
		alive, lane := read(func(*memory.Entities) {})
		aliveByTest, laneByTest := read(func(s *memory.Entities) {
			pool := s.Pool
			*s = memory.Entities{Test: func(e components.Entity) bool { return pool.Has(e) }}
		})
		assert.Equal(t, want, alive)
		assert.Equal(t, want, aliveByTest)
		assert.Equal(t, wantLane, lane)
		assert.Equal(t, wantLane, laneByTest)
	}
}
