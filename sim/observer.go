package sim

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// camera is the only observer of a simulation. It circles the centre of the map.
type camera struct {
	middle components.Vec2
	radius float32 // metres
}

// lap is the time that the camera takes for a circle.
const lap = components.Timestamp(60e9)

func newCamera(m *space.Map) camera {
	w, h := float32(m.Width), float32(m.Height)
	return camera{middle: components.Vec2{X: float32(w / 2), Y: float32(h / 2)}, radius: float32(0.3 * min(w, h))}
}

// at returns the position of the camera. LOD and thus every decision depend on it, so it must have the same bits on
// every platform: the circle consists of quarters (1-t², 2t)/(1+t²), which need no sine.
func (c camera) at(now components.Timestamp) components.Vec2 {
	quarters := float32(now%lap) / float32(lap/4)
	t := quarters - float32(int(quarters))
	square := float32(t * t)
	x, y := (1-square)/(1+square), 2*t/(1+square)
	for range int(quarters) {
		x, y = -y, x
	}
	return components.Vec2{X: c.middle.X + float32(c.radius*x), Y: c.middle.Y + float32(c.radius*y)}
}

// moveCamera sets the observers to the position of the camera in this frame.
func (s *Simulation) moveCamera(*arche.World) { s.SetObservers(s.camera.at(s.Clock.Now)) }
