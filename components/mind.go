package components

// A mind is a fixed-size block of 32-bit words that holds all that a tree remembers about one agent. The AI writes it.
// A fresh mind names a program and is otherwise zero: the agent has never been ticked. Program 0 is none.
//
// There are three sizes, each a component of its own. An agent has at most one mind, of at least the size that its
// program needs.
type (
	// Mind64 is a mind of 64 bytes: 14 words of state after a header of two.
	Mind64 struct {
		Words [16]uint32 // the header, then the program's state
	}
	// Mind128 is a mind of 128 bytes: 30 words of state after a header of two.
	Mind128 struct {
		Words [32]uint32 // the header, then the program's state
	}
	// Mind256 is a mind of 256 bytes: 62 words of state after a header of two.
	Mind256 struct {
		Words [64]uint32 // the header, then the program's state
	}
)

// NewMind64 returns a fresh mind that will run the program of the given number.
func NewMind64(program uint16) Mind64 { return Mind64{Words: [16]uint32{uint32(program)}} }

// NewMind128 returns a fresh mind that will run the program of the given number.
func NewMind128(program uint16) Mind128 { return Mind128{Words: [32]uint32{uint32(program)}} }

// NewMind256 returns a fresh mind that will run the program of the given number.
func NewMind256(program uint16) Mind256 { return Mind256{Words: [64]uint32{uint32(program)}} }
