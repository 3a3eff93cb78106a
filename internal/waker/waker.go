// Package waker lets a system that runs after the LOD stage make an agent decide in the same frame.
package waker

import "github.com/flockwork-ai/flockwork/components"

// Waker is a resource that the LOD system puts into a world.
type Waker struct {
	// WakeNow makes an agent decide in this frame, or in the next where the budget of this frame is spent. It reports
	// whether the agent decides in this frame.
	WakeNow func(*components.LOD) bool
	// Frame returns the LOD system's number of the last frame. Frames without time do not count.
	Frame func() uint32
}
