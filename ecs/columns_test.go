package ecs

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
)

func TestColumnsFollowArchetypes(t *testing.T) {
	w := arche.NewWorld(4)
	plain := NewPrefab(&w, components.Transform{})
	rich := NewPrefab(&w, components.Transform{}, components.Health{Current: 7})
	plain.SpawnNow(&w, 3, nil)
	rich.SpawnNow(&w, 5, func(i int, e components.Entity) { Get[components.Health](&w, e).Max = int32(i) })
	c := NewColumns(&w, Need[components.Transform](), Optional[components.Health]())
	chunks := c.Open()
	require.Len(t, chunks, 2)
	assert.Equal(t, 3, chunks[0].Len())
	assert.Nil(t, Column[components.Health](&chunks[0], 1))
	assert.Equal(t, int32(4), Column[components.Health](&chunks[1], 1)[4].Max)
	assert.Equal(t, int32(7), Column[components.Health](&chunks[1], 1)[4].Current)
	assert.True(t, w.IsLocked())
	c.Close()
	assert.False(t, w.IsLocked())
	assert.Zero(t, testing.AllocsPerRun(10, func() { c.Open(); c.Spans(2); c.Close() }))
}

func TestCommandsSmoke(t *testing.T) {
	w := arche.NewWorld()
	p := NewPrefab(&w, components.Transform{}, components.NewLOD(), components.NewMind64(3))
	c := NewCommands(2)
	var last components.Entity
	c.OnSpawn(func(w *arche.World, e components.Entity, _ *Prefab) { last = e })
	round := func() {
		c.Queue(0).Spawn(components.Entity{}, p, components.Vec2{X: 1, Y: 2})
		c.Apply(&w)
		c.Queue(1).SetTree(last, last, 9, Mind256)
		c.Apply(&w)
		c.Queue(1).Remove(last, last)
		c.Queue(0).Remove(last, last)
		c.Apply(&w)
	}
	round()
	assert.False(t, Alive(&w, last))
	assert.Zero(t, testing.AllocsPerRun(100, round))
}
