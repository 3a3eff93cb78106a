package components

// Entity is an 8-byte reference to an entity of a world: an index and the generation that tells a
// recycled index from the entity that used it before. Its bits are those of arche's Entity; package
// ecs converts both ways at no cost. The zero value refers to nothing.
type Entity struct {
	Index      uint32
	Generation uint32
}

// IsZero reports whether e refers to nothing.
func (e Entity) IsZero() bool { return e.Index == 0 }

// Key returns the entity in one number, the key of draws that are its own.
func (e Entity) Key() uint64 { return uint64(e.Generation)<<32 | uint64(e.Index) }

// Less orders entities by index, then generation: the order in which everything that agents do to
// each other is merged.
func (e Entity) Less(o Entity) bool {
	if e.Index != o.Index {
		return e.Index < o.Index
	}
	return e.Generation < o.Generation
}

// Compare returns -1, 0 or +1 by the order of [Entity.Less].
func (e Entity) Compare(o Entity) int {
	switch {
	case e == o:
		return 0
	case e.Less(o):
		return -1
	}
	return 1
}

// Timestamp is a reading of the simulated clock in nanoseconds. The zero value means never; the first
// frame of a clock stands later than it.
type Timestamp int64
