package components

// Entity is an 8-byte reference to an entity of a world. Its bits are those of arche's Entity; package ecs converts
// both ways at no cost. The zero value refers to nothing.
type Entity struct {
	Index      uint32 // place in the world's table of entities; 0 refers to nothing
	Generation uint32 // distinguishes entities that have had the same index
}

// IsZero reports whether e refers to nothing.
func (e Entity) IsZero() bool { return e.Index == 0 }

// Key returns both numbers of the entity in one: a key for random draws that differ between entities.
func (e Entity) Key() uint64 { return uint64(e.Generation)<<32 | uint64(e.Index) }

// Less orders entities by index, then by generation. Effects of agents on each other are merged in this order.
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
