package perception_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// hunt returns a world in which a hunter looks east, where its prey is 8 m away. Another hostile stands elsewhere.
func hunt(
	t *testing.T, s *perception.System, other components.Vec2, candidates bool,
) (h *testworld.SensingWorld, frame func()) {
	hunter := guard(20, 10)
	hunter.Health = &components.Health{Current: 100, Max: 100}
	if candidates {
		hunter.Candidates = &components.Candidates{}
	}
	m := space.NewMap(60, 20)
	m.Fill(22, 13, 4, 1, space.Wall)
	h = testworld.NewSensingWorld(t, m, 1,
		[]testworld.Agent{hunter, intruder(28, 10), intruder(other.X, other.Y)}, nil)
	return h, testworld.Run(h, s)
}

// hurt lets an agent hurt the hunter.
func hurt(t *testing.T, h *testworld.SensingWorld, by int) {
	health := testworld.Get[components.Health](t, h, 0)
	health.HurtBy, health.HurtAt = h.Entities[by], h.Clock.Now
}

func TestAnAttackerTakesThePlaceOfATargetThatIsFartherAway(t *testing.T) {
	for name, c := range map[string]struct {
		stickiness float32
		other      components.Vec2
		wins       bool
	}{
		"behind the back":                    {0, components.Vec2{X: 18, Y: 10}, true},
		"hardly nearer":                      {0, components.Vec2{X: 12.25, Y: 10}, false}, // by 0.25 m
		"hardly nearer, but not sticky":      {-1, components.Vec2{X: 12.25, Y: 10}, true},
		"farther away":                       {-1, components.Vec2{X: 11, Y: 10}, false},
		"not near enough for the setting":    {5, components.Vec2{X: 16, Y: 10}, false}, // by 4 m
		"near enough for the setting":        {5, components.Vec2{X: 18, Y: 10}, true},  // by 6 m
		"next to it, for one who never does": {1e6, components.Vec2{X: 19, Y: 10}, false},
	} {
		for _, candidates := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s := &perception.System{Stickiness: c.stickiness}
				h, runFrame := hunt(t, s, c.other, candidates)
				runFrame()
				p := testworld.Get[components.Percept](t, h, 0)
				require.Equal(t, h.Entities[1], p.Target, "the prey")
				hurt(t, h, 2)
				runFrame()
				want, distance := 1, float32(8)
				if c.wins {
					want, distance = 2, 20-c.other.X
				}
				assert.Equal(t, h.Entities[want], p.Target)
				assert.True(t, p.Visible)
				assert.InDelta(t, distance, p.Distance, 1e-5)
				assert.Equal(t, h.Clock.Now, p.SeenAt)
				if candidates {
					list := testworld.Get[components.Candidates](t, h, 0)
					require.EqualValues(t, 2, list.Count, "the attacker and the prey")
					assert.LessOrEqual(t, list.List[0].Distance, list.List[1].Distance)
				}
				runFrame()
				assert.Equal(t, h.Entities[want], p.Target, "it keeps it")
			})
		}
	}
}

func TestAnAgentWithoutATargetSeesWhoHurtsItFromBehind(t *testing.T) {
	for name, c := range map[string]struct {
		at   components.Vec2
		sees bool
	}{
		"near":                        {components.Vec2{X: 17, Y: 10}, true},
		"as far as it keeps a target": {components.Vec2{X: 7, Y: 10}, true}, // 13 m of 14
		"too far":                     {components.Vec2{X: 5, Y: 10}, false},
		"behind a wall":               {components.Vec2{X: 24, Y: 15}, false},
	} {
		t.Run(name, func(t *testing.T) {
			h, runFrame := hunt(t, &perception.System{}, c.at, false)
			move(h, 1, 50, 10) // no prey
			*testworld.Get[components.Transform](t, h, 0) = components.Transform{
				Position: components.Vec2{X: 20, Y: 10}, Heading: components.Vec2{Y: -1},
			}
			runFrame()
			p := testworld.Get[components.Percept](t, h, 0)
			require.False(t, p.Visible)
			hurt(t, h, 2)
			runFrame()
			assert.Equal(t, c.sees, p.Visible)
			if c.sees {
				assert.Equal(t, h.Entities[2], p.Target)
			}
		})
	}
}

func TestAnAttackerInTheFirstSlotOfTheGridIsNoticed(t *testing.T) {
	victim := guard(10, 10)
	victim.Faction, victim.Health = 2, &components.Health{Current: 5, Max: 5}
	attacker := intruder(4, 10) // behind
	attacker.Faction = 1
	h := testworld.NewSensingWorld(t, space.NewMap(20, 20), 1, []testworld.Agent{victim, attacker}, nil)
	frame := testworld.Run(h, &perception.System{})
	frame()
	slot, ok := h.Grid.Find(h.Entities[1])
	require.True(t, ok)
	require.Zero(t, slot)
	require.False(t, testworld.Get[components.Percept](t, h, 0).Visible)
	hurt(t, h, 1)
	frame()
	assert.Equal(t, h.Entities[1], testworld.Get[components.Percept](t, h, 0).Target)
}
