package mindlayout

import "github.com/flockwork-ai/flockwork/components"

// NewMind64 returns a fresh mind that will run the program of the given number.
func NewMind64(program uint16) components.Mind64 {
	return components.Mind64{Words: [16]uint32{uint32(program)}}
}

// NewMind128 returns a fresh mind that will run the program of the given number.
func NewMind128(program uint16) components.Mind128 {
	return components.Mind128{Words: [32]uint32{uint32(program)}}
}

// NewMind256 returns a fresh mind that will run the program of the given number.
func NewMind256(program uint16) components.Mind256 {
	return components.Mind256{Words: [64]uint32{uint32(program)}}
}
