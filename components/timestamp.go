package components

// Timestamp is a reading of the simulated clock in nanoseconds. Zero means never: the clock's first frame is later. A
// span between two readings is a time.Duration.
type Timestamp int64
