package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// The ways round what stands between an agent and its goal.
func TestSeekGoesRoundObstacles(t *testing.T) {
	for _, c := range []struct {
		name     string
		rows     []string // s is where it starts, g where it goes
		within   float64  // metres of walk
		seconds  float64
		unfailed bool
	}{
		{"a block", []string{
			"..............",
			"..............",
			".....@@@@.....",
			".s...@@@@...g.",
			".....@@@@.....",
			"..............",
			"..............",
		}, 15, 10, true},
		{"a block met off its middle", []string{
			"......@@@.....",
			"......@@@.....",
			"......@@@.....",
			"......@@@.....",
			".s....@@@...g.",
			"......@@@.....",
			"..............",
		}, 16, 10, true},
		{"a yard that opens the wrong way", []string{
			"................",
			"....@@@@@@@.....",
			"..........@.....",
			".s........@...g.",
			"..........@.....",
			"....@@@@@@@.....",
			"................",
			"................",
		}, 38, 22, true},
		{"the door of a room", []string{
			"@@@@@@@@@@@@",
			"@s.........@",
			"@..........@",
			"@@@@@@@@@.@@",
			"............",
			".g..........",
			"............",
		}, 23, 14, true},
		{"a diagonal wall", []string{
			".....@........",
			".s..@@........",
			"...@@.........",
			"..@@..........",
			".@@.......g...",
			".@............",
			"..............",
		}, 22, 14, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := space.NewMap(len(c.rows[0]), len(c.rows))
			var from, to components.Vec2
			for y, row := range c.rows {
				for x, letter := range row {
					switch letter {
					case '@':
						m.Set(x, y, space.Wall)
					case 's':
						from = space.TileCentre(x, y)
					case 'g':
						to = space.TileCentre(x, y)
					}
				}
			}
			s := newStage(t, m, 60, 1, 1)
			e := s.Spawn(from)
			s.Post(e, components.Order{Action: s.Do.Seek, Point: to})
			walked, last := 0.0, from
			s.WalkFor(c.seconds, func() bool {
				walked += float64(vec.Length(vec.Sub(s.At(e), last)))
				last = s.At(e)
				return s.Order(e).Outcome == components.Pending
			})
			assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
			assert.Less(t, walked, c.within)
		})
	}
}

func TestSeekFindsItsWayThroughATown(t *testing.T) {
	m := town.Generate(128, 128, 5)
	s := newStage(t, m, 30, 2, 1)
	var all []components.Entity
	for i := range 300 {
		from, _ := m.RandomPoint(uint64(i), 0)
		to, _ := m.RandomPoint(uint64(i+100000), 0)
		if d := vec.Length(vec.Sub(to, from)); d > 40 {
			to = vec.Add(from, vec.Scale(vec.Sub(to, from), 40/d))
			to, _ = space.NearestStandable(m, to, 0.3)
		}
		e := s.Spawn(from)
		s.Post(e, components.Order{Action: s.Do.Seek, Point: to})
		all = append(all, e)
	}
	s.WalkFor(60, nil)
	count := map[components.Outcome]int{}
	for _, e := range all {
		count[s.Order(e).Outcome]++
	}
	assert.GreaterOrEqual(t, count[components.Succeeded], 290, "%v", count)
}
