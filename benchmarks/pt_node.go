package benchmarks

type status uint8

const (
	failure status = iota
	success
	running
)

// node is one object of a tree. dt is the time since the last tick in seconds.
type node interface {
	Tick(bb *pointerBoard, dt float32) status
	// Reset gives up what the node was about, when its parent stops ticking it before it has finished.
	Reset(bb *pointerBoard)
}
