package pointertree

import (
	"github.com/flockwork-ai/flockwork/benchmarks/internal/draws"
	"github.com/flockwork-ai/flockwork/components"
)

// Blackboard is the data that the nodes of one agent's tree share. Facts are in its fields, or in Values where that is
// not nil.
type Blackboard struct {
	// The agent.
	Self    components.Entity
	Intent  *components.Intent
	Fired   *[]components.Trigger // of all agents; a Fire appends
	Instant int64                 // microseconds that the ticked branch has reached: now, or the end of a wait
	Waits   draws.Waits

	// Facts of guards.
	Now          int64 // clock in microseconds
	Health       int32
	Target       components.Entity // zero when there is none, or it is dead
	Visible      bool
	Distance     float32
	LastKnown    components.Vec2
	Noise        components.Vec2
	NoiseAge     components.Timestamp
	PostDistance float32
	Post         components.Vec2

	// Facts of villagers and soldiers.
	Needs      *components.Needs
	Home       *components.Home
	Candidates *components.Candidates
	Ammo       float32 // share, 0..1
	Alive      func(components.Entity) bool
	Chosen     components.Entity // target of the action whose branch is ticked

	Values map[string]any // the dictionary, or nil
}

// SetValue writes a fact into the dictionary.
func SetValue[T any](bb *Blackboard, key string, value T) { bb.Values[key] = value }

// Value reads a fact from the dictionary; a missing one reads as the zero value.
func Value[T any](bb *Blackboard, key string) T {
	value, _ := bb.Values[key].(T)
	return value
}

// HasValue reports whether the dictionary has a fact.
func HasValue(bb *Blackboard, key string) bool {
	_, ok := bb.Values[key]
	return ok
}

// time returns the clock in microseconds.
func (bb *Blackboard) time() int64 {
	if bb.Values != nil {
		return bb.timeValue()
	}
	return bb.Now
}

func (bb *Blackboard) timeValue() int64 { return Value[int64](bb, "time") }
