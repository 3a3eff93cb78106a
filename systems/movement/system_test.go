package movement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/testworld"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestSeekWalksToThePointAtFullSpeedAndSucceedsThere(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 16, Y: 18}}) // 10 m away
	frames := 0
	s.WalkFor(10, func() bool {
		frames++
		return s.Order(e).Outcome == components.Pending
	})
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 0.5, vec.Length(vec.Sub(components.Vec2{X: 16, Y: 18}, s.At(e))), 0.05, "it stops where it is near enough")
	assert.InDelta(t, 60*9.5/2, frames, 2, "9.5 m at 2 m/s")
	before := s.At(e)
	s.WalkFor(1, nil)
	assert.Equal(t, before, s.At(e), "it stands until the next order")
	assert.Zero(t, ecs.Get[components.Body](s.W, e).Velocity)
}

func TestNumbersScaleSpeedAndNearEnough(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 20, Y: 10}, Numbers: [2]float32{1.5, 4}})
	s.WalkFor(1, nil)
	assert.InDelta(t, 13, s.At(e).X, 1e-3, "3 m/s")
	s.WalkFor(2, nil)
	assert.InDelta(t, 16, s.At(e).X, 0.06)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
}

func TestArriveSlowsDownBeforeThePoint(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Arrive, Point: components.Vec2{X: 14, Y: 10}, Numbers: [2]float32{0, 0.1}})
	fast, slow := float32(0), float32(math.MaxFloat32)
	s.WalkFor(20, func() bool {
		if s.Order(e).Outcome != components.Pending {
			return false
		}
		v := vec.Length(ecs.Get[components.Body](s.W, e).Velocity)
		fast, slow = max(fast, v), min(slow, v)
		return true
	})
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 2, fast, 1e-3)
	assert.Less(t, slow, float32(0.5))
	assert.LessOrEqual(t, vec.Length(vec.Sub(components.Vec2{X: 14, Y: 10}, s.At(e))), float32(0.1))
}

func TestALongFrameDoesNotCarryPastTheGoal(t *testing.T) {
	s := newStage(t, testworld.Plain(), 1, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10}, components.Route{})
	ecs.Get[components.Body](s.W, e).Speed = 30
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 12, Y: 10}})
	s.WalkFor(1, nil)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 12, s.At(e).X, 1e-3)
}

func TestSeekFollowsATargetThatMoves(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	hare, hound := s.Spawn(components.Vec2{X: 20, Y: 10}), s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(hare, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 20, Y: 60}, Numbers: [2]float32{0.5}})
	s.Post(hound, components.Order{Action: s.Do.Seek, Target: hare})
	s.WalkFor(20, func() bool { return s.Order(hound).Outcome == components.Pending })
	assert.Equal(t, components.Succeeded, s.Order(hound).Outcome)
	assert.LessOrEqual(t, vec.Length(vec.Sub(s.At(hare), s.At(hound))), float32(1.05))
	assert.Greater(t, s.At(hound).Y, float32(12), "it went where the hare went")
}

func TestAnOrderWhoseTargetDiedFails(t *testing.T) {
	for _, name := range []string{action.Seek, action.Arrive, action.Flee} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testworld.Plain(), 60, 1, 1)
			target, e := s.Spawn(components.Vec2{X: 20, Y: 10}), s.Spawn(components.Vec2{X: 10, Y: 10})
			handle := map[string]components.Action{action.Seek: s.Do.Seek, action.Arrive: s.Do.Arrive, action.Flee: s.Do.Flee}[name]
			s.Post(e, components.Order{Action: handle, Target: target})
			s.WalkFor(0.5, nil)
			require.Equal(t, components.Pending, s.Order(e).Outcome)
			s.W.RemoveEntity(ecs.ToArche(target))
			s.WalkFor(0.1, nil)
			assert.Equal(t, components.Failed, s.Order(e).Outcome)
		})
	}
}

func TestFleeGetsAwayFromTheTargetUntilItIsFarEnough(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	threat, e := s.Spawn(components.Vec2{X: 30, Y: 30}), s.Spawn(components.Vec2{X: 33, Y: 34})
	s.Post(e, components.Order{Action: s.Do.Flee, Target: threat, Numbers: [2]float32{1, 15}})
	s.WalkFor(6, nil)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 30+15*0.6, s.At(e).X, 0.1)
	assert.InDelta(t, 30+15*0.8, s.At(e).Y, 0.1)
}

func TestWhoFleesIntoACornerFails(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	threat, e := s.Spawn(components.Vec2{X: 6, Y: 6}), s.Spawn(components.Vec2{X: 3, Y: 3})
	s.Post(e, components.Order{Action: s.Do.Flee, Target: threat})
	s.WalkFor(5, nil)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
	s.WalkFor(5, nil)
	assert.Equal(t, components.Failed, s.Order(e).Outcome)
}

func TestWhoFleesDownAStreetTurnsAtItsEnd(t *testing.T) {
	s := newStage(t, testworld.Drawn(
		"@@@@@@@@@@@@@@",
		"@............@",
		"@............@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@@@@",
	), 60, 1, 1)
	threat, e := s.Spawn(components.Vec2{X: 2, Y: 2}), s.Spawn(components.Vec2{X: 6, Y: 2})
	s.Post(e, components.Order{Action: s.Do.Flee, Target: threat, Numbers: [2]float32{1, 12}})
	s.WalkFor(10, func() bool { return s.Order(e).Outcome == components.Pending })
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.Greater(t, s.At(e).Y, float32(4))
}

func TestPatrolWalksTheLoopOverAndOver(t *testing.T) {
	loop := []components.Vec2{{X: 10, Y: 10}, {X: 20, Y: 10}, {X: 20, Y: 20}}
	for _, c := range []struct {
		name    string
		pause   float32
		outcome components.Outcome // of the first leg
		round   float64            // seconds for the loop of 10 + 10 + 14.1 m
	}{
		{"succeeding at each waypoint", 0, components.Succeeded, 0},
		{"without a pause", -1, components.Pending, 34.1 / 2},
		{"pausing 2 s at each", 2, components.Pending, 34.1/2 + 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, testworld.Plain(), 60, 1, 1)
			s.Routes.Add([]components.Vec2{{X: 1, Y: 1}})
			e := s.Spawn(components.Vec2{X: 10, Y: 10}, components.Route{ID: s.Routes.Add(loop), Next: 1})
			order := components.Order{Action: s.Do.Patrol, Numbers: [2]float32{0, c.pause}}
			s.Post(e, order)
			route := ecs.Get[components.Route](s.W, e)
			s.WalkFor(20, func() bool { return route.Next == 1 })
			assert.InDelta(t, 20, s.At(e).X, 0.51)
			assert.Equal(t, c.outcome, s.Order(e).Outcome)
			if c.pause == 0 {
				s.Post(e, order)
				s.WalkFor(20, func() bool { return s.Order(e).Outcome == components.Pending })
				assert.InDelta(t, 20, s.At(e).Y, 0.51, "the next order goes on to the next waypoint")
				return
			}
			start := s.Clock.Now
			last := route.Next
			waypoints := 0
			s.WalkFor(60, func() bool {
				if route.Next != last {
					last = route.Next
					waypoints++
				}
				return waypoints < 3
			})
			assert.InDelta(t, c.round, float64(s.Clock.Now-start)/1e9, 1.5)
			assert.Equal(t, components.Pending, s.Order(e).Outcome)
		})
	}
}

func TestPatrolWithoutARouteFails(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	for name, e := range map[string]components.Entity{
		"no component": s.Spawn(components.Vec2{X: 10, Y: 10}),
		"no such":      s.Spawn(components.Vec2{X: 20, Y: 10}, components.Route{ID: 7}),
		"negative":     s.Spawn(components.Vec2{X: 30, Y: 10}, components.Route{ID: -1}),
	} {
		s.Post(e, components.Order{Action: s.Do.Patrol})
		s.WalkFor(0.1, nil)
		assert.Equal(t, components.Failed, s.Order(e).Outcome, name)
	}
}

func TestWhoWasLedAwayRejoinsTheRouteWhereItIsInReach(t *testing.T) {
	s := newStage(t, testworld.Drawn(
		"............",
		".@@@@@@@@@@.",
		".@@@@@@@@@@.",
		"............",
	), 60, 1, 1)
	route := s.Routes.Add([]components.Vec2{{X: 0.5, Y: 0.5}, {X: 11.5, Y: 0.5}, {X: 11.5, Y: 3.5}, {X: 0.5, Y: 3.5}})
	// It was heading for the first waypoint, along the north side, and now stands on the south side.
	e := s.Spawn(components.Vec2{X: 9, Y: 3.5}, components.Route{ID: route, Next: 1})
	s.Post(e, components.Order{Action: s.Do.Patrol, Numbers: [2]float32{0, -1}})
	s.WalkFor(0.1, nil)
	assert.EqualValues(t, 2, ecs.Get[components.Route](s.W, e).Next)
	s.WalkFor(4, nil)
	assert.Less(t, s.At(e).X, float32(9.5), "on the way west again")
}

func TestWanderersKeepMovingSmoothlyAndEachItsOwnWay(t *testing.T) {
	s := newStage(t, town.Generate(64, 64, 3), 60, 1, 1)
	type traveller struct {
		e     components.Entity
		last  components.Vec2
		moved float64
	}
	var crowd []*traveller
	for i := range 50 {
		at, _ := s.M.RandomPoint(uint64(i))
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
			turned = max(turned, float64(1-vec.Dot(ecs.Get[components.Transform](s.W, w.e).Heading, ecs.Get[components.Transform](s.W, w.e).Heading)))
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

func TestWanderersStayWithinTheirBounds(t *testing.T) {
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

func TestHeadingsTurnNoFasterThanTheTurnRate(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	s.Locomotion.TurnRate = 3
	e := s.Spawn(components.Vec2{X: 32, Y: 32})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 2, Y: 33}}) // nearly behind it
	before := components.Vec2{X: 1}
	s.WalkFor(2, func() bool {
		h := ecs.Get[components.Transform](s.W, e).Heading
		angle := math.Acos(math.Min(1, float64(vec.Dot(before, h))))
		require.LessOrEqual(t, angle, 3.0/60+1e-3)
		before = h
		return true
	})
	assert.InDelta(t, -1, before.X, 0.01)
}

func TestWhoStandsTurnsToTheTarget(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	target, e := s.Spawn(components.Vec2{X: 32, Y: 40}), s.Spawn(components.Vec2{X: 32, Y: 32})
	s.Post(e, components.Order{Action: s.Do.Stand, Target: target})
	s.WalkFor(1, nil)
	assert.Equal(t, components.Vec2{X: 32, Y: 32}, s.At(e))
	assert.InDelta(t, 1, ecs.Get[components.Transform](s.W, e).Heading.Y, 1e-4)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
}

func TestWhoHasNoIntentGoesOnAtItsVelocity(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	var e components.Entity
	ecs.NewPrefab(s.W, components.Transform{Position: components.Vec2{X: 1.5, Y: 10}, Heading: components.Vec2{X: 1}},
		components.Body{Velocity: components.Vec2{X: -2, Y: 1}, Radius: 0.25}).SpawnNow(s.W, 1, func(_ int, made components.Entity) { e = made })
	s.WalkFor(3, nil)
	assert.InDelta(t, 0.25, s.At(e).X, 1e-4, "held by the wall")
	assert.InDelta(t, 13, s.At(e).Y, 1e-2, "and slid along it")
}

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

func TestAnOrderThatCannotBeCarriedOutFailsAfterAWhile(t *testing.T) {
	s := newStage(t, testworld.Drawn(
		"........",
		"...@@@..",
		"...@.@..",
		"...@@@..",
		"........",
	), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 0.5, Y: 2.5})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 4.5, Y: 2.5}})
	s.WalkFor(5, nil)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
	s.WalkFor(25, nil)
	assert.Equal(t, components.Failed, s.Order(e).Outcome)
}

func TestSeekFindsItsWayThroughATown(t *testing.T) {
	m := town.Generate(128, 128, 5)
	s := newStage(t, m, 30, 2, 1)
	var all []components.Entity
	for i := range 300 {
		from, _ := m.RandomPoint(uint64(i))
		to, _ := m.RandomPoint(uint64(i + 100000))
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

func TestAgentsNeverStandInAWall(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := testworld.AnyMap(rt)
		if m.PassableTiles() == 0 {
			rt.Skip("no tile is passable")
		}
		s := newStage(t, m, rapid.SampledFrom([]int{1, 2, 10, 60}).Draw(rt, "fps"), 1, rapid.Uint64().Draw(rt, "seed"))
		actions := []components.Action{0, s.Do.Seek, s.Do.Arrive, s.Do.Flee, s.Do.Patrol, s.Do.Wander, s.Do.Stand, 99}
		place := rapid.Custom(func(rt *rapid.T) components.Vec2 { // also outside the map
			return components.Vec2{X: rapid.Float32Range(-3, 15).Draw(rt, "x"), Y: rapid.Float32Range(-3, 15).Draw(rt, "y")}
		})
		route := s.Routes.Add([]components.Vec2{place.Draw(rt, "a"), place.Draw(rt, "b"), place.Draw(rt, "c")})
		var all []components.Entity
		for range rapid.IntRange(1, 12).Draw(rt, "agents") {
			e := s.Spawn(place.Draw(rt, "start"), components.Route{ID: route})
			b := ecs.Get[components.Body](s.W, e)
			b.Radius = rapid.Float32Range(0, 1).Draw(rt, "radius")
			b.Speed = rapid.Float32Range(0, 30).Draw(rt, "speed")
			all = append(all, e)
		}
		for range 12 {
			for _, e := range all {
				s.Post(e, components.Order{
					Action:  rapid.SampledFrom(actions).Draw(rt, "action"),
					Target:  rapid.SampledFrom(append([]components.Entity{{}}, all...)).Draw(rt, "target"),
					Point:   place.Draw(rt, "point"),
					Numbers: [2]float32{rapid.Float32Range(0, 1).Draw(rt, "factor"), rapid.Float32Range(-1, 5).Draw(rt, "number")},
				})
			}
			for range 3 {
				s.Clock.Advance()
				s.Locomotion.Update(s.W)
				for _, e := range all {
					at := s.At(e)
					require.True(rt, space.Standable(m, at), "%v stands in a wall at %v", e, at)
					clear := float64(space.Clearance(ecs.Get[components.Body](s.W, e).Radius))
					require.GreaterOrEqual(rt, testworld.WallDistance(m, at), clear-3e-4)
					require.InDelta(rt, 1, vec.Length(ecs.Get[components.Transform](s.W, e).Heading), 1e-4)
				}
			}
		}
	})
}

func TestWhoIsWalledInTooDeepIsLeftAndCounted(t *testing.T) {
	m := space.NewMap(200, 1)
	for x := range 199 {
		m.Set(x, 0, space.Wall)
	}
	s := newStage(t, m, 60, 1, 1)
	deep, shallow := s.Spawn(components.Vec2{X: 10.5, Y: 0.5}), s.Spawn(components.Vec2{X: 190.5, Y: 0.5})
	s.WalkFor(0.1, nil) // 6 frames
	assert.Equal(t, components.Vec2{X: 10.5, Y: 0.5}, s.At(deep))
	assert.InDelta(t, 199.3, s.At(shallow).X, 1e-3)
	assert.Equal(t, Stats{Freed: 1, Stranded: 6}, s.Locomotion.Stats())
}

func TestOpenCountryHasNoWalls(t *testing.T) {
	s := newStage(t, nil, 60, 1, 1)
	// A mode and a tile are left over from a world with a map.
	seeker := s.Spawn(components.Vec2{X: -10, Y: -10}, components.Route{})
	s.Post(seeker, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: -20, Y: -10}})
	s.WalkFor(0.1, nil)
	ecs.Get[components.Steering](s.W, seeker).Mode = detouring
	wanderer, other, third := s.Spawn(components.Vec2{X: -50, Y: 3}), s.Spawn(components.Vec2{X: -50.1, Y: 3}), s.Spawn(components.Vec2{X: 1e6, Y: 1e6})
	s.Post(wanderer, components.Order{Action: s.Do.Wander})
	s.Post(other, components.Order{Action: s.Do.Flee, Target: wanderer, Numbers: [2]float32{1, 3}})
	s.Post(third, components.Order{Action: s.Do.Arrive, Point: components.Vec2{X: 1e6, Y: 1e6 + 5}})
	s.WalkFor(6, nil)
	for _, e := range []components.Entity{seeker, other, third} {
		assert.Equal(t, components.Succeeded, s.Order(e).Outcome, "%v at %v", e, s.At(e))
	}
	assert.Greater(t, vec.Length(vec.Sub(s.At(wanderer), components.Vec2{X: -50, Y: 3})), float32(1))
	assert.Zero(t, s.Locomotion.Stats())
}

func TestAnAgentThatAnotherSystemMovedStillFindsTheWalls(t *testing.T) {
	s := newStage(t, testworld.Drawn(
		"......",
		"....@.",
		"......",
	), 60, 1, 1)
	var e components.Entity
	ecs.NewPrefab(s.W, components.Transform{Position: components.Vec2{X: 1.5, Y: 1.5}}, components.Faction{},
		components.Body{Velocity: components.Vec2{X: 20}, Radius: 0.3}).SpawnNow(s.W, 1, func(_ int, made components.Entity) { e = made })
	s.Clock.Advance()
	s.Locomotion.grid.Refresh()
	ecs.Get[components.Transform](s.W, e).Position = components.Vec2{X: 3.6, Y: 1.5} // a teleport beside the pillar
	s.Locomotion.Update(s.W)
	assert.InDelta(t, 3.7, s.At(e).X, 1e-3, "0.3 m from it")
}

func TestActionsOfOtherSystemsAreLeftAlone(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e, target := s.Spawn(components.Vec2{X: 10, Y: 10}), s.Spawn(components.Vec2{X: 10, Y: 20})
	s.Post(e, components.Order{Action: 77, Target: target, Point: components.Vec2{X: 20, Y: 20}})
	before := *ecs.Get[components.Transform](s.W, e)
	s.WalkFor(10, nil)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
	assert.Equal(t, before, *ecs.Get[components.Transform](s.W, e), "it stands as it stood")
}

func TestStandardActionsAreRegisteredOnce(t *testing.T) {
	a := aitree.NewActions()
	first, err := action.Register(a)
	require.NoError(t, err)
	again, err := action.Register(a)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Equal(t, 15, a.Len())
	taken := aitree.NewActions()
	_, err = taken.Register(action.Strike, components.Move)
	require.NoError(t, err)
	_, err = action.Register(taken)
	assert.EqualError(t, err, `action: standard actions: aitree: action "strike" is registered for channel move already, not as a trigger`)
}
