package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDrinksThatAreHeldAreDrunk(t *testing.T) {
	d := run(true)
	assert.Greater(t, d.Succeeded, int64(200), "about three each")
	assert.Positive(t, d.Aborted, "at the alarm")
	assert.GreaterOrEqual(t, d.Running(), int64(0))
	assert.LessOrEqual(t, d.Running(), int64(100), "at most one each")
}

func TestAnActionThatStillsItsOwnNeedIsDroppedUnlessItIsHeld(t *testing.T) {
	d := run(false)
	assert.Greater(t, d.Begun, int64(1000))
	assert.Zero(t, d.Succeeded)
}
