package sim

import (
	"slices"

	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Events that a scenario counts in the hooks of its trees and adds to [Report.Events].
const (
	EventChase  = "chase"  // an agent started to chase its target
	EventSearch = "search" // an agent started to search for a lost target
	EventReturn = "return" // an agent started to return to its route
)

// systemEvents are the events that systems count, by the name that a report gives them.
var systemEvents = map[string]frame.EventKind{
	"sighting": frame.Sighting,
	"noise":    frame.NoiseHeard,
	"strike":   frame.Strike,
	"death":    frame.Death,
	"respawn":  frame.Respawn,
}

// eventNames are the events of a report, in the order of its text.
var eventNames = []string{
	"sighting", "noise", EventChase, "strike", "death", EventSearch, EventReturn, "respawn",
}

// EventNames returns the names of the events of a [Report], in the order of its text. Each report has all of them;
// events that its scenario does not have are 0.
func EventNames() []string { return slices.Clone(eventNames) }

// countEvents returns the events of a run by name. Those that a scenario counts are 0.
func countEvents(events *frame.Events) Counts {
	counts := Counts{}
	for _, name := range eventNames {
		counts[name] = 0
		if kind, counted := systemEvents[name]; counted {
			counts[name] = events.Count(kind)
		}
	}
	return counts
}
