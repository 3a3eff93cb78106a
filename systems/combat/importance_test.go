package combat

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestAHurtAgentIsWokenAndImportantUntilTheFightIsOver(t *testing.T) {
	s := arena(t, func(c *System) { c.AlertTime = 2 * time.Second })
	guard, thief, bystander := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10}),
		s.fighter(2, components.Vec2{X: 12, Y: 10})
	lod := func(e components.Entity) *components.LOD { return ecs.Get[components.LOD](s.W, e) }
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief})
	s.Frames(1)
	assert.Equal(t, []components.Entity{thief}, s.Events.Wakes(), "for the LOD system; the striker is awake")
	assert.EqualValues(t, 0, lod(thief).Importance)
	assert.EqualValues(t, 0, lod(guard).Importance)
	assert.EqualValues(t, 2, lod(bystander).Importance)
	s.Frames(10)
	s.fire(thief, components.Trigger{Action: s.Do.Strike, Target: guard})
	s.Frames(19)
	assert.EqualValues(t, 0, lod(thief).Importance, "1.8 s after the last blow")
	s.Frames(1)
	assert.EqualValues(t, 0, lod(thief).Importance, "1.9 s")
	s.Frames(1)
	assert.EqualValues(t, 2, lod(thief).Importance)
	assert.EqualValues(t, 2, lod(guard).Importance)
}
