package blackboard_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components/blackboard"
)

func TestMisuseOfLanesSaysWhatIsRight(t *testing.T) {
	f := blackboard.FloatFact("r", func(b *bag) *float32 { return &b.Ratio }, 0)
	l := blackboard.NewLanes([]blackboard.Fact{f})
	var lane [64]float32
	assert.PanicsWithValue(t, `blackboard: lane 64 of fact "r"; use 0 to 63`, func() { l.SetFloat(f, 64, 1) })
	assert.PanicsWithValue(t, `blackboard: lane -1 of fact "r"; use 0 to 63`, func() { l.SetFloat(f, -1, 1) })
	assert.PanicsWithValue(t, "blackboard: fact 3 of Lanes; they have 1 facts, numbered from 0",
		func() { l.Floats(3, 1, &lane) })
}
