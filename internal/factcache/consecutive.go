package factcache

import "github.com/flockwork-ai/flockwork/components/blackboard"

// Consecutive returns the first of some rows, and whether they are consecutive rows of one chunk. There must be one at
// least.
func Consecutive(rows []blackboard.Row) (first blackboard.Row, ok bool) {
	first = rows[0]
	for i, r := range rows {
		if r.Chunk != first.Chunk || r.Row != first.Row+int32(i) {
			return first, false
		}
	}
	return first, true
}
