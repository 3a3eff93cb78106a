package components

import "time"

// NoImportance is the value of [LOD.Importance] for an agent that is ranked by distance alone.
const NoImportance uint8 = 255

// LOD is an agent's level of detail: how often it decides and when it decided last. Make it with [NewLOD]. The LOD
// system treats the zero value as that of a new agent.
//
// Only the LOD system writes it, with two exceptions: the user and action systems set Importance, and perception and
// the AI set a flag. To wake an agent, use Events.Wake of package systems/frame.
//
// Last stays as it is until the LOD pass of the frame after a decision. So all systems that serve the agent in a frame
// read the same [LOD.Elapsed].
type LOD struct {
	Last         Timestamp // clock of the decision before this frame's, or of the frame before the agent joined
	WaitingSince uint32    // frame in which the wait for the next decision began; frames without time do not count
	DistanceTier uint8     // tier by distance alone, with hysteresis
	Tier         uint8     // tier after importance and caps; 0 is the fastest
	Importance   uint8     // slowest tier allowed at any distance; NoImportance: no limit
	Flags        uint8     // bits of the LOD system
}

// The bits of LOD.Flags that this package needs. The package internal/lodflag has all of them, and a test there
// compares the two.
const (
	lodDue uint8 = 1 << 3
	lodNew uint8 = 1 << 5
)

// NewLOD returns the LOD of an agent that is new to the LOD system.
func NewLOD() LOD { return LOD{Importance: NoImportance, Flags: lodNew} }

// Due reports whether the agent decides in this frame.
func (l *LOD) Due() bool { return l.Flags&lodDue != 0 }

// Elapsed returns the simulated time since the last decision of an agent that is due, at the clock's reading now. It is
// never negative. Over all decisions of an agent it adds up to the simulated time exactly.
func (l *LOD) Elapsed(now Timestamp) time.Duration { return time.Duration(max(now-l.Last, 0)) }
