package sim

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// eventName returns the name that reports give a kind of event.
func eventName(kind frame.EventKind) string {
	if kind == frame.NoiseHeard {
		return "noise"
	}
	return kind.String()
}

// EventNames returns the names of the events of a report, in the order in which it shows them.
func EventNames() []string {
	var list []string
	for kind := range frame.EventKind(frame.EventKinds) {
		list = append(list, eventName(kind))
	}
	return list
}

func actionHandle(i int) components.Action { return components.Action(i) }

// offLeg returns how far p is from the line from a to b. It is rounded the same everywhere: products are converted
// before they are added, so none is fused.
func offLeg(p, a, b components.Vec2) float32 {
	x, y := float64(p.X-a.X), float64(p.Y-a.Y)
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	if length := float64(dx*dx) + float64(dy*dy); length > 0 {
		t := min(max((float64(x*dx)+float64(y*dy))/length, 0), 1)
		x, y = x-float64(t*dx), y-float64(t*dy)
	}
	return float32(math.Sqrt(float64(x*x) + float64(y*y)))
}
