package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDrinksThatAreHeldAreDrunkAndCheeredAtOnce(t *testing.T) {
	d := run(true)
	assert.Greater(t, d.ended, 200, "about three each")
	assert.Positive(t, d.dropped, "at the alarm")
	underWay := d.begun - d.ended - d.dropped
	assert.GreaterOrEqual(t, underWay, 0)
	assert.LessOrEqual(t, underWay, 100, "at most one each")
	assert.InDelta(t, d.ended, d.cheers, 10, "but for those of the last frame")
	assert.Equal(t, uint32(1), d.latest, "who is woken decides in the next frame")
}

func TestAnActionThatStillsItsOwnNeedIsDroppedUnlessItIsHeld(t *testing.T) {
	d := run(false)
	assert.Greater(t, d.begun, 1000)
	assert.Zero(t, d.ended)
	assert.Zero(t, d.cheers)
}
