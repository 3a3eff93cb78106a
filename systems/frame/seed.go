package frame

// Seed is the root of all random draws of a world.
type Seed uint64
