package sim

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems"
)

// eventName returns the name that reports give a kind of event.
func eventName(kind systems.EventKind) string {
	if kind == systems.NoiseHeard {
		return "noise"
	}
	return kind.String()
}

// EventNames returns the names of the events of a report, in the order in which it shows them.
func EventNames() []string {
	var list []string
	for kind := range systems.EventKind(systems.EventKinds) {
		list = append(list, eventName(kind))
	}
	return list
}

func actionHandle(i int) components.Action { return components.Action(i) }

// distance is rounded the same everywhere: the root of a float64 sum of exact squares.
func distance(a, b components.Vec2) float32 {
	dx, dy := float64(a.X-b.X), float64(a.Y-b.Y)
	return float32(math.Sqrt(float64(dx*dx) + float64(dy*dy)))
}
