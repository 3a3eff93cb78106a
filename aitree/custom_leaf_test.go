package aitree_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

func TestAFactReadAsAnotherKindOrNotDeclaredPanics(t *testing.T) {
	facts := []blackboard.Fact{health, ammo, alarm, hurt, foe}
	reads := []struct {
		kind blackboard.Kind
		read func(*blackboard.Context, int)
	}{
		{blackboard.Float, func(c *blackboard.Context, i int) { c.Float(i) }},
		{blackboard.Int, func(c *blackboard.Context, i int) { c.Int(i) }},
		{blackboard.Bool, func(c *blackboard.Context, i int) { c.Bool(i) }},
		{blackboard.Age, func(c *blackboard.Context, i int) { c.Age(i) }},
		{blackboard.EntityRef, func(c *blackboard.Context, i int) { c.Entity(i) }},
	}
	tick := func(leaf aitree.LeafFunc) {
		p, err := compile("t", nil, aitree.Leaf("l", leaf).Reads(facts...))
		require.NoError(t, err)
		var mind components.Mind64
		b := executor.Block{Mask: 1, Facts: blackboard.NewLanes(p.Facts), Now: 1}
		b.Minds[0] = mind.Words[:]
		executor.NewExecutor().Tick(p, &b)
	}
	tick(func(c *blackboard.Context) (uint64, uint64) {
		for _, r := range reads {
			for i, f := range facts {
				if f.Kind() == r.kind {
					assert.NotPanics(t, func() { r.read(c, i) })
					continue
				}
				assert.PanicsWithValue(t,
					`aitree: fact "`+f.Name()+`" of kind `+f.Kind().String()+` read as `+r.kind.String(),
					func() { r.read(c, i) })
			}
			assert.PanicsWithValue(t,
				"aitree: fact 5 read as "+r.kind.String()+"; Reads declares 5 facts, the first is 0",
				func() { r.read(c, 5) })
			assert.PanicsWithValue(t,
				"aitree: fact -1 read as "+r.kind.String()+"; Reads declares 5 facts, the first is 0",
				func() { r.read(c, -1) })
		}
		return 1, 0
	})
}
