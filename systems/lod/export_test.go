package lod

import "github.com/flockwork-ai/flockwork/components"

// The tests in package lod_test run the cadence on columns, without a world.

type (
	Chunk        = chunk
	Cadence      = cadence
	CadenceState = cadenceState
)

var NewCadence = newCadence

func (c *cadence) Frame(frame uint32, now components.Timestamp, chunks []Chunk, observers []components.Vec2) {
	c.runFrame(frame, now, chunks, observers)
}

// LongestWait returns the most frames that any agent that decides at all has waited since its last decision. The
// chunks must be those of the last frame.
func (c *cadence) LongestWait(chunks []Chunk) int {
	longest := uint32(0)
	for _, chunk := range chunks {
		for i := range chunk.LODs {
			l := &chunk.LODs[i]
			if l.Flags&(lodSeen|lodDue) == lodSeen && (!c.frozen[l.Tier&7] || l.Flags&lodWoken != 0) {
				longest = max(longest, c.state.Frame-l.WaitingSince)
			}
		}
	}
	return int(longest)
}

func (c *cadence) WakeNow(l *components.LOD) bool { return c.wakeNow(l) }
