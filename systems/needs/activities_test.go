package needs

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestAnActivityEndsWhenItsTimeIsUpOrTheNeedIsSatisfied(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	field := h.place(components.Vec2{X: 10, Y: 10}, components.Place{Kind: components.Workplace, Capacity: 1})
	e := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{})
	h.post(e, components.Order{Action: h.do.Work, Target: field, Numbers: [2]float32{60}})
	h.seconds(60)
	assert.Equal(t, components.Working, h.doing(e))
	h.seconds(1)
	assert.Equal(t, components.Succeeded, h.order(e).Outcome)
	sleeper := h.villager(components.Vec2{X: 30, Y: 30}, components.Needs{Fatigue: 0.12})
	h.post(sleeper, components.Order{Action: h.do.Sleep})
	h.seconds(3599)
	assert.Equal(t, components.Camping, h.doing(sleeper))
	h.seconds(3)
	assert.Equal(t, components.Succeeded, h.order(sleeper).Outcome, "0.07 in an hour, to the 0.05 that are none")
}

func TestAnActivityThatDoesNotExistIsIdleness(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	e := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{})
	ecs.Get[components.Engagement](h.w, e).Activity = components.Activities
	h.seconds(2)
	assert.Equal(t, components.Idle, h.doing(e))
}

func TestTimeOnAWayIsCountedAndTimeOfStandingIsNot(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	walker, stander := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{}),
		h.villager(components.Vec2{X: 50, Y: 50}, components.Needs{})
	move := func(e components.Entity) *components.Order {
		return &ecs.Get[components.Intent](h.w, e).Orders[components.Move]
	}
	move(walker).Action, move(stander).Action = h.do.Seek, h.do.Stand
	h.frames(1)
	h.seconds(10)
	assert.Equal(t, 10*second, h.needs.Stats().Walking)
	move(walker).Outcome = components.Succeeded
	h.seconds(10)
	assert.Equal(t, 10*second, h.needs.Stats().Walking, "it has arrived")
}
