package perception_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestPerceptionCountsHostilesAndAlliesNear(t *testing.T) {
	// Cells are 4 m wide; the square of 8 m around (18, 18) touches those from 8 to 28.
	people := []testworld.Agent{guard(18, 18)}
	ally, hostile := guard(0, 0), intruder(0, 0)
	for _, at := range [][2]float32{{8, 8}, {27.9, 27.9}, {18, 18}, {7.9, 18}, {18, 28}} {
		ally.At, hostile.At = components.Vec2{X: at[0], Y: at[1]}, components.Vec2{X: at[0], Y: at[1]}
		people = append(people, ally, hostile, hostile)
	}
	people = append(people, testworld.Agent{At: components.Vec2{X: 18, Y: 18}}) // a neutral
	h := testworld.NewSensingWorld(t, space.NewMap(40, 40), 1, people, nil)
	testworld.Run(h, &perception.System{})()
	p := testworld.Get[components.Percept](t, h, 0)
	assert.EqualValues(t, 3, p.Allies, "not counting itself")
	assert.EqualValues(t, 6, p.Hostiles, "seen or not")

	wide := testworld.NewSensingWorld(t, space.NewMap(40, 40), 1, people, nil)
	testworld.Run(wide, &perception.System{Near: new(float32(100))})()
	p = testworld.Get[components.Percept](t, wide, 0)
	assert.EqualValues(t, 5, p.Allies)
	assert.EqualValues(t, 10, p.Hostiles)

	own := testworld.NewSensingWorld(t, space.NewMap(40, 40), 1, people, nil)
	testworld.Run(own, &perception.System{Near: new(float32(0))})()
	p = testworld.Get[components.Percept](t, own, 0)
	assert.EqualValues(t, 1, p.Allies, "in the same cell")
	assert.EqualValues(t, 2, p.Hostiles, "in the same cell")
}

func TestPerceptionFollowsTheRelations(t *testing.T) {
	watch, thief := guard(2, 5), intruder(6, 5)
	thief.Senses, thief.Heading = watch.Senses, west
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, []testworld.Agent{watch, thief}, nil)
	relations := ecs.Resource[frame.Relations](h.World)
	relations.Set(1, 2, frame.Neutral)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	assert.False(t, testworld.Get[components.Percept](t, h, 0).Visible)
	assert.True(t, testworld.Get[components.Percept](t, h, 1).Visible, "the reverse is a setting of its own")
	relations.Set(1, 2, frame.Ally)
	runFrame()
	assert.EqualValues(t, 1, testworld.Get[components.Percept](t, h, 0).Allies)
	relations.Set(1, 2, frame.Hostile)
	runFrame()
	assert.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
}

func TestAnAgentThatIsHostileToItsFactionDoesNotSeeItself(t *testing.T) {
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1, []testworld.Agent{guard(2, 5), guard(6, 5)}, nil)
	ecs.Resource[frame.Relations](h.World).Set(1, 1, frame.Hostile)
	runFrame := testworld.Run(h, &perception.System{})
	runFrame()
	p := testworld.Get[components.Percept](t, h, 0)
	assert.Equal(t, h.Entities[1], p.Target)
	assert.EqualValues(t, 1, p.Hostiles)
	assert.Equal(t, components.Entity{}, testworld.Get[components.Percept](t, h, 1).Target, "the other looks away")
}
