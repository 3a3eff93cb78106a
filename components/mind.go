package components

// A mind is a fixed-size block of 32-bit words that holds all a tree remembers about one agent. The
// first two words are its header; what the others mean is the program's affair (package aitree).
// The zero value, with the program's number in place, is an agent that has never been ticked.
//
//	word 0   program number (low 16 bits), epoch of its last tick (high 16 bits)
//	word 1   root cursor (low 16 bits), flags (high 16 bits)
//	word 2…  branch cursors, timers, counters
//
// There are three sizes, as three components; a program says which it needs.
type (
	// Mind64 is a mind of 64 bytes: 14 words of state.
	Mind64 struct{ Words [16]uint32 }
	// Mind128 is a mind of 128 bytes: 30 words of state.
	Mind128 struct{ Words [32]uint32 }
	// Mind256 is a mind of 256 bytes: 62 words of state.
	Mind256 struct{ Words [64]uint32 }
)

// MindProgram returns the program number in a mind's words.
func MindProgram(words []uint32) uint16 { return uint16(words[0]) }

// NewMind64 returns a mind that will run the program of the given number.
func NewMind64(program uint16) Mind64 { return Mind64{Words: [16]uint32{uint32(program)}} }

// NewMind128 returns a mind that will run the program of the given number.
func NewMind128(program uint16) Mind128 { return Mind128{Words: [32]uint32{uint32(program)}} }

// NewMind256 returns a mind that will run the program of the given number.
func NewMind256(program uint16) Mind256 { return Mind256{Words: [64]uint32{uint32(program)}} }
