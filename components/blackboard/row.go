package blackboard

// Row is the place of an agent in columns: the chunk, and its row there.
type Row struct{ Chunk, Row int32 }
