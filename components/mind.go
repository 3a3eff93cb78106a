package components

// A mind is a fixed-size block of 32-bit words that holds the state of a tree for one agent. The AI writes it. A new
// mind has the number of its program in the first word and is otherwise zero. Program 0 is none.
//
// There are three sizes, each a separate component. An agent has at most one mind, of at least the size that its
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
