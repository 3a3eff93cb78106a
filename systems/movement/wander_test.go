package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestWanderingIsSmoothAndDiffersBetweenAgents(t *testing.T) {
	s := newStage(t, town.Generate(64, 64, 3), 60, 1, 1)
	type traveller struct {
		e     components.Entity
		last  components.Vec2
		moved float64
	}
	var crowd []*traveller
	for i := range 50 {
		at, _ := s.M.RandomPoint(uint64(i), 0)
		e := s.Spawn(at)
		s.Post(e, components.Order{Action: s.Do.Wander})
		crowd = append(crowd, &traveller{e: e, last: at})
	}
	headings := map[components.Vec2]bool{}
	turned := 0.0
	s.WalkFor(20, func() bool {
		for _, w := range crowd {
			now := s.At(w.e)
			w.moved += float64(vec.Length(vec.Sub(now, w.last)))
			w.last = now
			turned = max(turned,
				float64(1-vec.Dot(ecs.Get[components.Transform](s.W, w.e).Heading,
					ecs.Get[components.Transform](s.W, w.e).Heading)))
		}
		return true
	})
	for _, w := range crowd {
		headings[ecs.Get[components.Transform](s.W, w.e).Heading] = true
		assert.Greater(t, w.moved, 20.0, "at half the speed or more, walls and all")
		assert.Equal(t, components.Pending, s.Order(w.e).Outcome)
	}
	assert.Greater(t, len(headings), 45)
	assert.InDelta(t, 0, turned, 1e-5, "headings stay unit vectors")
}

func TestWanderingStaysWithinItsBounds(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 32, Y: 32})
	s.Post(e, components.Order{Action: s.Do.Wander, Point: components.Vec2{X: 32, Y: 32}, Numbers: [2]float32{1, 5}})
	far := float32(0)
	s.WalkFor(120, func() bool {
		far = max(far, vec.Length(vec.Sub(s.At(e), components.Vec2{X: 32, Y: 32})))
		return true
	})
	assert.Greater(t, far, float32(4))
	assert.Less(t, far, float32(7), "it turns round at the bounds")
}
