package frame

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRelationsByDefault(t *testing.T) {
	var r Relations
	assert.Equal(t, Hostile, r.Between(1, 2))
	assert.Equal(t, Hostile, r.Between(255, 1))
	assert.Equal(t, Ally, r.Between(7, 7))
	for _, pair := range [][2]uint8{{0, 0}, {0, 1}, {1, 0}} {
		assert.Equal(t, Neutral, r.Between(pair[0], pair[1]), "%v", pair)
	}
	r.Set(3, 3, Hostile)
	assert.Equal(t, Hostile, r.Between(3, 3))
	r.Set(3, 3, Neutral)
	assert.Equal(t, Neutral, r.Between(3, 3))
}
