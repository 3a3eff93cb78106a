package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// caught returns how many fish each gull has, in the order in which they were made.
func (c *colony) caught() (list []uint32) {
	for q := c.gulls.Query(&c.world); q.Next(); {
		gull, _ := q.Get()
		list = append(list, gull.Caught)
	}
	return list
}

// The shoal is 16 m away: at 8 m/s and 30 frames a second the gull is there after 60 frames. In the next frame the tree
// learns of it and the gull dives.
func TestAGullFliesToTheNearestShoalAndDives(t *testing.T) {
	c := newColony([]Place{{East: 16}}, []Place{{}, {East: 40}}, 5)
	defer c.herd.Close()
	frames := 0
	for ; c.caught()[0] == 0 && frames < 200; frames++ {
		c.herd.Step()
	}
	assert.InDelta(t, 61, frames, 6, "it may have to wait for its first decision")
	for range 30 {
		c.herd.Step()
	}
	assert.Equal(t, []uint32{5}, c.caught(), "it catches the others and does not fly to the far shoal")
}

// Three gulls arrive in the same frame at the last fish: the events are served in the order of entities.
func TestTheLastFishIsTheFirstGulls(t *testing.T) {
	c := newColony([]Place{{East: 4}, {East: -4}, {North: 4}}, []Place{{}}, 1)
	defer c.herd.Close()
	c.herd.LOD.Config.Off = true // all decide in the first frame
	for range 60 {
		c.herd.Step()
	}
	assert.Equal(t, []uint32{1, 0, 0}, c.caught())
}

func Example() {
	main()
	// Output: 17 gulls caught 100 of 100 fish
}
