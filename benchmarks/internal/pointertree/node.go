package pointertree

type Status uint8

const (
	Failure Status = iota
	Success
	Running
)

// Node is one object of a tree. dt is the time since the last tick in seconds.
type Node interface {
	Tick(bb *Blackboard, dt float32) Status
	// Reset gives up what the node was about, when its parent stops ticking it before it has finished.
	Reset(bb *Blackboard)
}
