package blackboard

// Row is the place of an agent in the columns of a world.
type Row struct {
	Chunk int32 // index of the chunk
	Row   int32 // row of the chunk
}
