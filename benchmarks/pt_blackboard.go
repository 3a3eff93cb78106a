package benchmarks

import (
	"github.com/flockwork-ai/flockwork/components"
)

// pointerBoard is what the nodes of one agent's tree share. Facts stand in its fields, or, where it has a
// dictionary, in that.
type pointerBoard struct {
	// The agent.
	self     components.Entity
	intent   *components.Intent
	triggers *components.Triggers
	fired    int   // triggers of this tick
	instant  int64 // microseconds up to which the branch has come
	draws    draws

	// Facts.
	now          int64 // microseconds
	health       int32
	target       components.Entity // zero when it is dead
	visible      bool
	distance     float32
	lastKnown    components.Vec2
	noise        components.Vec2
	noiseAge     components.Timestamp
	postDistance float32
	post         components.Vec2

	// Facts of villagers and soldiers.
	needs      *components.Needs
	home       *components.Home
	candidates *components.Candidates
	ammo       float32 // share
	alive      func(components.Entity) bool
	chosen     components.Entity // target of the choice above the branch that is ticked

	values map[string]any
}

// set writes a fact into the dictionary.
func set[T any](bb *pointerBoard, key string, value T) { bb.values[key] = value }

// get reads a fact from the dictionary; one that is not there reads as the zero value.
func get[T any](bb *pointerBoard, key string) T {
	value, _ := bb.values[key].(T)
	return value
}

// has reports whether the dictionary has a fact.
func has(bb *pointerBoard, key string) bool {
	_, ok := bb.values[key]
	return ok
}

// time returns the clock in microseconds.
func (bb *pointerBoard) time() int64 {
	if bb.values != nil {
		return bb.timeValue()
	}
	return bb.now
}

func (bb *pointerBoard) timeValue() int64 { return get[int64](bb, "time") }
