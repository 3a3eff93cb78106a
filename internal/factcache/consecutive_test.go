package factcache_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/factcache"
)

func TestRowsAreConsecutiveInOneChunkOnly(t *testing.T) {
	for _, c := range []struct {
		rows []blackboard.Row
		want bool
	}{
		{[]blackboard.Row{{Chunk: 2, Row: 7}}, true},
		{[]blackboard.Row{{Chunk: 2, Row: 7}, {Chunk: 2, Row: 8}, {Chunk: 2, Row: 9}}, true},
		{[]blackboard.Row{{Chunk: 2, Row: 7}, {Chunk: 2, Row: 9}}, false},
		{[]blackboard.Row{{Chunk: 2, Row: 7}, {Chunk: 2, Row: 6}}, false},
		{[]blackboard.Row{{Chunk: 2, Row: 7}, {Chunk: 3, Row: 8}}, false},
	} {
		first, ok := factcache.Consecutive(c.rows)
		assert.Equal(t, c.want, ok, "%v", c.rows)
		assert.Equal(t, c.rows[0], first)
	}
}
