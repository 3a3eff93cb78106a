package aitree

// Status is what a node returns from a tick.
type Status uint8

// The results of a tick.
const (
	Failure Status = iota
	Success
	Running
)

// String returns the status's name.
func (s Status) String() string {
	switch s {
	case Failure:
		return "failure"
	case Success:
		return "success"
	case Running:
		return "running"
	}
	return "invalid"
}
