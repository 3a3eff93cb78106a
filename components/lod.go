package components

// NoImportance is the importance of an agent that distance alone may rank.
const NoImportance uint8 = 255

// LOD is an agent's place in the cadence: how often it decides and when it did last. Add it with [NewLOD]; the
// zero value is taken for that too, whatever else would follow from its Importance of 0.
//
// Only the LOD system writes it, except Importance, which is the user's and the action systems', and
// the flag set by [LOD.Wake].
//
// An agent that decides in a frame keeps its Last until the next frame's LOD pass, so whatever serves it, be it one
// system or several, reads the same [LOD.Elapsed] and has nothing to report back.
type LOD struct {
	Last         Timestamp // clock of the decision before this frame's, or of the frame before it joined
	WaitingSince uint32    // frame from which the present wait counts
	Ring         uint8     // tier by distance alone, with its hysteresis
	Tier         uint8     // tier after importance and caps
	Importance   uint8     // slowest tier allowed, whatever the distance; NoImportance: none
	Flags        uint8     // LODFresh …
}

// Flags of a [LOD].
const (
	LODFresh    uint8 = 1 << iota // waits with a period's head start
	LODWoken                      // an event wants it served next
	LODLate                       // was due and cut by the budget
	LODDue                        // decides in this frame
	LODSeen                       // known to the LOD system
	LODNew                        // made by NewLOD and never seen by the LOD system
	LODPromoted                   // came to a faster tier since its last decision
)

// NewLOD returns the LOD of an agent that joins now.
func NewLOD() LOD { return LOD{Importance: NoImportance, Flags: LODNew} }

// Due reports whether the agent decides in this frame.
func (l *LOD) Due() bool { return l.Flags&LODDue != 0 }

// Elapsed returns the nanoseconds since the last decision of an agent that is due at the clock's reading now.
// Over an agent's decisions it adds up to the simulated time exactly.
func (l *LOD) Elapsed(now Timestamp) Timestamp { return max(now-l.Last, 0) }

// Wake makes the agent due at the next LOD pass, whatever its tier.
func (l *LOD) Wake() { l.Flags |= LODWoken }
