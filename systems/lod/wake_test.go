package lod_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

func TestAWakeWithinTheFrameIsServedAtOnce(t *testing.T) {
	c := newCadence(t, lod.Config{}, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 1000}) // frozen
	c.Frame(1, 1000, h.chunks(1), origin)
	c.Frame(2, 2000, h.chunks(1), origin)
	l := &h.lods[0]
	require.False(t, l.Due())
	assert.True(t, c.WakeNow(l))
	assert.True(t, l.Due())
	assert.Equal(t, 1, c.Stats().Woken)
	assert.True(t, c.WakeNow(l), "it is due already")
	assert.Equal(t, 1, c.Stats().Woken)
	l.Flags |= lodflag.Woken // by what its decision led to
	c.Frame(3, 3000, h.chunks(1), origin)
	assert.True(t, l.Due(), "a wake after the decision is not spent by it")
	assert.Equal(t, time.Duration(1000), l.Elapsed(3000))
	c.Frame(4, 4000, h.chunks(1), origin)
	assert.False(t, l.Due())

	newcomer := components.NewLOD()
	assert.False(t, c.WakeNow(&newcomer), "nobody knows yet since when it waits")
	assert.False(t, newcomer.Due())
	h.add(2, newcomer, components.Vec2{X: 1000})
	c.Frame(5, 5000, h.chunks(2), origin)
	assert.True(t, h.lods[1].Due())
}

func TestAWakeWithinTheFrameKeepsToTheBudget(t *testing.T) {
	c := newCadence(t, lod.Config{Budget: 3}, 60)
	var h herd
	for i := range uint32(4) {
		h.add(i, components.NewLOD(), components.Vec2{X: 1000})
	}
	h.lods[3].Flags |= lodflag.Woken
	c.Frame(1, 1000, h.chunks(9), origin)
	var served []bool
	for i := range 3 {
		served = append(served, c.WakeNow(&h.lods[i]))
	}
	assert.Equal(t, []bool{true, true, false}, served)
	c.Frame(2, 2000, h.chunks(9), origin)
	assert.True(t, h.lods[2].Due(), "it is the next frame's first")
	assert.Equal(t, int64(4), c.Stats().TotalWoken)
}
