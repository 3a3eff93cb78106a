package utility

import "github.com/flockwork-ai/flockwork/components/blackboard"

// Input is a custom input of considerations: a function that fills a lane for a block of agents. Make it with
// [NewInput].
type Input struct {
	name  string
	fill  func(*blackboard.Context, *[64]float32)
	reads []blackboard.Fact
}

// NewInput describes an input. The function fills the lanes of the context's mask; a lane that it does not fill, or
// that is not finite, counts as 0. It must be a pure function of facts and of data that does not change during an AI
// stage, and may be called from several goroutines at once.
func NewInput(name string, fill func(*blackboard.Context, *[64]float32)) *Input {
	return &Input{name: name, fill: fill}
}

// Reads declares the facts that the input reads. The function reads them from the context by their position here.
func (in *Input) Reads(facts ...blackboard.Fact) *Input { in.reads = facts; return in }
