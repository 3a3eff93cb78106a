package components

// NoImportance is the importance of an agent that distance alone may rank.
const NoImportance uint8 = 255

// LOD is an agent's place in the cadence: how often it decides and when it did last.
// Only the LOD system writes it, except Importance, which is the user's and the action systems', and
// the flag set by [LOD.Wake]. Add it with [NewLOD].
type LOD struct {
	Last       Timestamp // clock of the last decision
	Since      uint32    // frame from which the present wait counts
	Ring       uint8     // tier by distance alone, with its hysteresis
	Tier       uint8     // tier after importance and caps
	Importance uint8     // slowest tier allowed, whatever the distance; NoImportance: none
	Flags      uint8     // LODNew …
}

// Flags of a [LOD].
const (
	LODNew    uint8 = 1 << iota // never seen by the LOD system
	LODFresh                    // waits with a period's head start
	LODWoken                    // an event wants it served next
	LODLate                     // was due and cut by the budget
	LODDue                      // decides in this frame
	LODDecide                   // reserved for the LOD system
)

// NewLOD returns the LOD of an agent that joins now.
func NewLOD() LOD { return LOD{Importance: NoImportance, Flags: LODNew} }

// Due reports whether the agent decides in this frame.
func (l *LOD) Due() bool { return l.Flags&LODDue != 0 }

// Wake makes the agent due at the next LOD pass.
func (l *LOD) Wake() { l.Flags |= LODWoken }
