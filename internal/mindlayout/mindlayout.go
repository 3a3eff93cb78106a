// Package mindlayout defines the header of a mind and the sizes of minds. A mind is one of components.Mind64, Mind128
// and Mind256: words of 32 bits, the first two of which are its header.
package mindlayout

import "fmt"

// Program returns the program number in a mind's words: the low 16 bits of word 0. Zero is none.
func Program(words []uint32) uint16 { return uint16(words[0]) }

// New returns a fresh mind of a size, as a component value, that will run the program of the given number.
//
// Panics when bytes is not 64, 128 or 256.
func New(program uint16, bytes int) any {
	switch bytes {
	case 64:
		return NewMind64(program)
	case 128:
		return NewMind128(program)
	case 256:
		return NewMind256(program)
	}
	panic(fmt.Sprintf("mindlayout: no mind has %d bytes; the sizes are 64, 128 and 256", bytes))
}
