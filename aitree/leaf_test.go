package aitree_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

func TestAFactReadAsAnotherKindOrNotDeclaredPanics(t *testing.T) {
	facts := []components.Fact{health, ammo, alarm, hurt, foe}
	reads := []struct {
		kind components.Kind
		read func(*Context, int)
	}{
		{components.Float, func(c *Context, i int) { c.Float(i) }},
		{components.Int, func(c *Context, i int) { c.Int(i) }},
		{components.Bool, func(c *Context, i int) { c.Bool(i) }},
		{components.Age, func(c *Context, i int) { c.Age(i) }},
		{components.EntityRef, func(c *Context, i int) { c.Entity(i) }},
	}
	tick := func(leaf LeafFunc) {
		p, err := Build("t", nil, Leaf("l", leaf).Reads(facts...))
		require.NoError(t, err)
		var mind components.Mind64
		b := Block{Mask: 1, Facts: NewLanes(p), Now: 1}
		b.Minds[0] = mind.Words[:]
		NewExecutor().Tick(p, &b)
	}
	tick(func(c *Context) (uint64, uint64) {
		for _, r := range reads {
			for i, f := range facts {
				if f.Kind() == r.kind {
					assert.NotPanics(t, func() { r.read(c, i) })
					continue
				}
				assert.PanicsWithValue(t, `aitree: fact "`+f.Name()+`" of kind `+f.Kind().String()+` read as `+r.kind.String(),
					func() { r.read(c, i) })
			}
			assert.PanicsWithValue(t, "aitree: fact 5 read as "+r.kind.String()+"; Reads declares 5 facts, the first is 0", func() { r.read(c, 5) })
			assert.PanicsWithValue(t, "aitree: fact -1 read as "+r.kind.String()+"; Reads declares 5 facts, the first is 0", func() { r.read(c, -1) })
		}
		return 1, 0
	})
}
