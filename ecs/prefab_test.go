package ecs

import (
	"runtime"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

func TestPrefabCopiesItsValues(t *testing.T) {
	w := arche.NewWorld()
	value := wide{A: 1, B: 2, C: 3}
	p := NewPrefab(&w, value, tagged{}, components.NewLOD(), pair{A: 1 << 60, B: 5})
	value.A = 9
	var made []components.Entity
	p.SpawnNow(&w, 100, func(i int, e components.Entity) {
		require.Equal(t, len(made), i)
		made = append(made, e)
		Get[wide](&w, e).C += uint32(i)
	})
	require.Len(t, made, 100)
	for i, e := range made {
		assert.Equal(t, wide{A: 1, B: 2, C: 3 + uint32(i)}, *Get[wide](&w, e))
		assert.Equal(t, pair{A: 1 << 60, B: 5}, *Get[pair](&w, e))
		assert.Equal(t, components.NewLOD(), *Get[components.LOD](&w, e))
		assert.NotNil(t, Get[tagged](&w, e))
	}
	assert.False(t, w.IsLocked())
}

func TestSpawnNowLeavesEarlierEntitiesAlone(t *testing.T) {
	w := arche.NewWorld(4)
	var first components.Entity
	NewPrefab(&w, small{A: 1}).SpawnNow(&w, 1, func(_ int, e components.Entity) { first = e })
	NewPrefab(&w, small{A: 2}).SpawnNow(&w, 9, nil) // the same archetype grows
	NewPrefab(&w, small{A: 3}).SpawnNow(&w, 0, func(int, components.Entity) { t.Fail() })
	c := NewColumns(&w, Need[small]())
	chunks := c.Open()
	require.Len(t, chunks, 1)
	assert.Equal(t, []small{{1}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}, {2}}, Column[small](&chunks[0], 0))
	c.Close()
	assert.Equal(t, small{1}, *Get[small](&w, first))
}

func TestSpawnNowOfRecycledRowsHasNoOldBytes(t *testing.T) {
	w := arche.NewWorld()
	p := NewPrefab(&w, wide{A: 1})
	var old []components.Entity
	p.SpawnNow(&w, 3, func(_ int, e components.Entity) {
		Get[wide](&w, e).B = 7
		old = append(old, e)
	})
	for _, e := range old {
		w.RemoveEntity(ToArche(e))
	}
	p.SpawnNow(&w, 3, func(_ int, e components.Entity) { assert.Equal(t, wide{A: 1}, *Get[wide](&w, e)) })
}

func TestPrefabWithoutValuesMakesBareEntities(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w).SpawnNow(&w, 3, nil)
	c := NewColumns(&w)
	c.Open()
	assert.Equal(t, 3, c.Len())
	c.Close()
}

func TestPrefabKnowsWhetherItsEntitiesHaveAPosition(t *testing.T) {
	w := arche.NewWorld()
	assert.True(t, NewPrefab(&w, components.Transform{}).HasTransform())
	assert.True(t, NewPrefab(&w, small{}, components.Transform{}).HasTransform())
	assert.False(t, NewPrefab(&w, small{}).HasTransform())
}

func TestCompleteAddsTheOneComponentThatIsMissing(t *testing.T) {
	w := arche.NewWorld()
	e := FromArche(w.NewEntity(arche.ComponentID[small](&w)))
	*Get[small](&w, e) = small{9}
	p := NewPrefab(&w, small{1}, wide{A: 2})
	p.Complete(e)
	assert.Equal(t, wide{A: 2}, *Get[wide](&w, e))
	assert.Equal(t, small{9}, *Get[small](&w, e), "it keeps what it has")
	p.Complete(e) // nothing is missing
	assert.Equal(t, small{9}, *Get[small](&w, e))
}

func TestPrefabRefuses(t *testing.T) {
	w, other := arche.NewWorld(), arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: NewPrefab has two values of component ecs.small",
		func() { NewPrefab(&w, small{1}, small{2}) })
	p := NewPrefab(&w, small{})
	assert.PanicsWithValue(t, "ecs: a Prefab of another world; make one for this world with NewPrefab",
		func() { p.SpawnNow(&other, 1, nil) })
	assert.PanicsWithValue(t, "ecs: SpawnNow of -1 entities", func() { p.SpawnNow(&w, -1, nil) })
}

func TestSpawnNowAllocatesEachColumnOnce(t *testing.T) {
	const n = 1 << 17 // a power of two times arche's first capacity, so a column has exactly n rows
	w := arche.NewWorld(128)
	p := NewPrefab(&w, components.Transform{}, components.Percept{}, mindlayout.NewMind128(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p.SpawnNow(&w, n, nil)
	runtime.ReadMemStats(&after)
	const (
		columns = 16 + 56 + 128 + 8 // with the entity
		index   = 16 * 2            // where each entity is; n+1 entries, so arche doubles
		pool    = 8 * 8             // arche appends handles one by one, so earlier pools add up
	)
	perEntity := float64(after.TotalAlloc-before.TotalAlloc) / n
	assert.Less(t, perEntity, float64(columns+index+pool))
	assert.GreaterOrEqual(t, perEntity, float64(columns))
}
