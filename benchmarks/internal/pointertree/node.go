package pointertree

// Status is the result of a tick.
type Status uint8

// The results of a tick.
const (
	Failure Status = iota
	Success
	Running
)

// Node is one object of a tree.
type Node interface {
	// Tick runs the node. dt is the time since the last tick in seconds.
	Tick(bb *Blackboard, dt float32) Status
	// Reset aborts the node: its parent stops ticking it before it has finished.
	Reset(bb *Blackboard)
}
