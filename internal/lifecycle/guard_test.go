package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAGuardLetsOnlyTheWorldOfInitializePass(t *testing.T) {
	var g Guard[int]
	one, two := new(int), new(int)
	const unmade = "x.System: Update before Initialize or after Finalize; call Initialize with the world first"
	assert.PanicsWithValue(t, unmade, func() { g.Check("x.System", one) })
	assert.PanicsWithValue(t, unmade, func() { g.Check("x.System", nil) })
	g.Begin("x.System", one)
	assert.NotPanics(t, func() { g.Check("x.System", one) })
	for _, other := range []*int{two, nil} {
		assert.PanicsWithValue(t,
			"x.System: Update of another world than that of Initialize; use one system for each world",
			func() { g.Check("x.System", other) })
	}
	g.End()
	assert.PanicsWithValue(t, unmade, func() { g.Check("x.System", one) })
	assert.PanicsWithValue(t, "x.System: Initialize of a nil world; pass a pointer to the result of arche's NewWorld",
		func() { g.Begin("x.System", nil) })
}
