package components

// Paused stops an agent: it does not decide, sense, move, attack or tire, and its timers stand still. Herd.Pause of
// package systems adds the component and Herd.Resume removes it; both must be used, since they keep the agent's times.
type Paused struct {
	Since Timestamp // the clock's reading when it was paused
	Frame uint32    // the LOD system's number of the frame then
}
