package ecs_test

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestHashSeesEveryFieldAndNoStorageOrder(t *testing.T) {
	type padded struct {
		A bool
		B int64
	}
	build := func(order []int, change func(i int, p *padded, v *components.Transform)) uint64 {
		w := arche.NewWorld()
		pad, pos := arche.ComponentID[padded](&w), arche.ComponentID[components.Transform](&w)
		entities := make([]arche.Entity, 4)
		for i := range entities {
			entities[i] = w.NewEntity(pad)
		}
		for _, i := range order { // adding a component moves an entity after the others
			w.Add(entities[i], pos)
		}
		for i, e := range entities {
			change(i, (*padded)(w.Get(e, pad)), (*components.Transform)(w.Get(e, pos)))
		}
		return ecs.Hash(&w)
	}
	same := func(i int, p *padded, v *components.Transform) { p.B, v.Position.X = int64(i), float32(i) }
	reference := build([]int{0, 1, 2, 3}, same)
	assert.Equal(t, reference, build([]int{3, 1, 0, 2}, same), "storage order")
	for name, change := range map[string]func(i int, p *padded, v *components.Transform){
		"a bool":  func(i int, p *padded, v *components.Transform) { same(i, p, v); p.A = i == 2 },
		"an int":  func(i int, p *padded, v *components.Transform) { same(i, p, v); p.B += int64(i / 3) },
		"a float": func(i int, p *padded, v *components.Transform) { same(i, p, v); v.Heading.Y = float32(i / 3) },
	} {
		assert.NotEqual(t, reference, build([]int{0, 1, 2, 3}, change), name)
	}
}
