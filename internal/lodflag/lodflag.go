// Package lodflag names the bits of components.LOD.Flags. The LOD system writes them, except Woken, which
// perception and the AI set too, and New, which components.NewLOD sets.
package lodflag

// The bits.
const (
	Fresh    uint8 = 1 << iota // its wait starts with one period
	Woken                      // an event made it due at the next LOD pass
	Late                       // was due and exceeded the budget
	Due                        // decides in this frame
	Seen                       // known to the LOD system
	New                        // made by components.NewLOD and never seen by the LOD system
	Promoted                   // moved to a faster tier since its last decision
)
