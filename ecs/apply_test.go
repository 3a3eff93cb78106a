package ecs

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
)

func TestTheFirstFrameWithACommandForOneOf64EntitiesAllocatesNothing(t *testing.T) {
	w := arche.NewWorld()
	var e []components.Entity
	NewPrefab(&w, small{}, pair{}).SpawnNow(&w, 1<<14, func(_ int, made components.Entity) { e = append(e, made) })
	for worker := range 2 {
		c, e := NewCommands(2), e[worker*len(e)/2:]
		q, commands := c.Queue(worker), 1
		allocs.None(t, 1, func() { // the first run, with one command, is not counted
			for _, e := range e[:commands/2] {
				q.Remove(e, e)
			}
			for _, e := range e[commands/2 : commands] {
				Assign(q, e, e, pair{A: 1})
			}
			c.Apply(&w)
			commands = 1 << 14 / 64
		})
	}
}

func TestRoomForCommandsGrowsWithTheWorld(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		w, c := arche.NewWorld(), NewCommands(1)
		p := NewPrefab(&w)
		for _, agents := range []int{0, 6400, 64000} {
			p.SpawnNow(&w, agents, nil)
			c.Apply(&w)
			q := c.queues[0]
			assert.GreaterOrEqual(t, cap(q.commands), agents/64+64)
			assert.GreaterOrEqual(t, cap(q.prefabs), agents/64+64)
			assert.GreaterOrEqual(t, cap(q.payload), agents+64*64)
			assert.GreaterOrEqual(t, cap(c.merged), agents/64+64)
		}
	})
}
