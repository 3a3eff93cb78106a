package blackboard

// Successive returns the first of rows that follow one another in one chunk, and whether they do.
func Successive(rows []Row) (first Row, ok bool) {
	first = rows[0]
	for i, r := range rows {
		if r.Chunk != first.Chunk || r.Row != first.Row+int32(i) {
			return first, false
		}
	}
	return first, true
}
