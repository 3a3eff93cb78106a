package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestSeekWalksToThePointAtFullSpeedAndSucceedsThere(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	e := s.spawn(vec2{X: 10, Y: 10})
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 16, Y: 18}}) // 10 m away
	frames := 0
	s.walkFor(10, func() bool {
		frames++
		return s.order(e).Outcome == components.Pending
	})
	assert.Equal(t, components.Succeeded, s.order(e).Outcome)
	assert.InDelta(t, 0.5, length(sub(vec2{X: 16, Y: 18}, s.at(e))), 0.05, "it stops where it is near enough")
	assert.InDelta(t, 60*9.5/2, frames, 2, "9.5 m at 2 m/s")
	before := s.at(e)
	s.walkFor(1, nil)
	assert.Equal(t, before, s.at(e), "it stands until the next order")
	assert.Zero(t, ecs.Get[components.Body](s.w, e).Velocity)
}

func TestNumbersScaleSpeedAndNearEnough(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	e := s.spawn(vec2{X: 10, Y: 10})
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 20, Y: 10}, Numbers: [2]float32{1.5, 4}})
	s.walkFor(1, nil)
	assert.InDelta(t, 13, s.at(e).X, 1e-3, "3 m/s")
	s.walkFor(2, nil)
	assert.InDelta(t, 16, s.at(e).X, 0.06)
	assert.Equal(t, components.Succeeded, s.order(e).Outcome)
}

func TestArriveSlowsDownBeforeThePoint(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	e := s.spawn(vec2{X: 10, Y: 10})
	s.post(e, components.Order{Action: s.do.Arrive, Point: vec2{X: 14, Y: 10}, Numbers: [2]float32{0, 0.1}})
	fast, slow := float32(0), float32(math.MaxFloat32)
	s.walkFor(20, func() bool {
		if s.order(e).Outcome != components.Pending {
			return false
		}
		v := length(ecs.Get[components.Body](s.w, e).Velocity)
		fast, slow = max(fast, v), min(slow, v)
		return true
	})
	assert.Equal(t, components.Succeeded, s.order(e).Outcome)
	assert.InDelta(t, 2, fast, 1e-3)
	assert.Less(t, slow, float32(0.5))
	assert.LessOrEqual(t, length(sub(vec2{X: 14, Y: 10}, s.at(e))), float32(0.1))
}

func TestALongFrameDoesNotCarryPastTheGoal(t *testing.T) {
	s := newStage(t, plain(), 1, 1, 1)
	e := s.spawn(vec2{X: 10, Y: 10}, components.Route{})
	ecs.Get[components.Body](s.w, e).Speed = 30
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 12, Y: 10}})
	s.walkFor(1, nil)
	assert.Equal(t, components.Succeeded, s.order(e).Outcome)
	assert.InDelta(t, 12, s.at(e).X, 1e-3)
}

func TestSeekFollowsATargetThatMoves(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	hare, hound := s.spawn(vec2{X: 20, Y: 10}), s.spawn(vec2{X: 10, Y: 10})
	s.post(hare, components.Order{Action: s.do.Seek, Point: vec2{X: 20, Y: 60}, Numbers: [2]float32{0.5}})
	s.post(hound, components.Order{Action: s.do.Seek, Target: hare})
	s.walkFor(20, func() bool { return s.order(hound).Outcome == components.Pending })
	assert.Equal(t, components.Succeeded, s.order(hound).Outcome)
	assert.LessOrEqual(t, length(sub(s.at(hare), s.at(hound))), float32(1.05))
	assert.Greater(t, s.at(hound).Y, float32(12), "it went where the hare went")
}

func TestAnOrderWhoseTargetDiedFails(t *testing.T) {
	for _, name := range []string{SeekAction, ArriveAction, FleeAction} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, plain(), 60, 1, 1)
			target, e := s.spawn(vec2{X: 20, Y: 10}), s.spawn(vec2{X: 10, Y: 10})
			handle := map[string]components.Action{SeekAction: s.do.Seek, ArriveAction: s.do.Arrive, FleeAction: s.do.Flee}[name]
			s.post(e, components.Order{Action: handle, Target: target})
			s.walkFor(0.5, nil)
			require.Equal(t, components.Pending, s.order(e).Outcome)
			s.w.RemoveEntity(ecs.ToArche(target))
			s.walkFor(0.1, nil)
			assert.Equal(t, components.Failed, s.order(e).Outcome)
		})
	}
}

func TestFleeGetsAwayFromTheTargetUntilItIsFarEnough(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	threat, e := s.spawn(vec2{X: 30, Y: 30}), s.spawn(vec2{X: 33, Y: 34})
	s.post(e, components.Order{Action: s.do.Flee, Target: threat, Numbers: [2]float32{1, 15}})
	s.walkFor(6, nil)
	assert.Equal(t, components.Succeeded, s.order(e).Outcome)
	assert.InDelta(t, 30+15*0.6, s.at(e).X, 0.1)
	assert.InDelta(t, 30+15*0.8, s.at(e).Y, 0.1)
}

func TestWhoFleesIntoACornerFails(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	threat, e := s.spawn(vec2{X: 6, Y: 6}), s.spawn(vec2{X: 3, Y: 3})
	s.post(e, components.Order{Action: s.do.Flee, Target: threat})
	s.walkFor(5, nil)
	assert.Equal(t, components.Pending, s.order(e).Outcome)
	s.walkFor(5, nil)
	assert.Equal(t, components.Failed, s.order(e).Outcome)
}

func TestWhoFleesDownAStreetTurnsAtItsEnd(t *testing.T) {
	s := newStage(t, drawn(
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
	threat, e := s.spawn(vec2{X: 2, Y: 2}), s.spawn(vec2{X: 6, Y: 2})
	s.post(e, components.Order{Action: s.do.Flee, Target: threat, Numbers: [2]float32{1, 12}})
	s.walkFor(10, func() bool { return s.order(e).Outcome == components.Pending })
	assert.Equal(t, components.Succeeded, s.order(e).Outcome)
	assert.Greater(t, s.at(e).Y, float32(4))
}

func TestPatrolWalksTheLoopOverAndOver(t *testing.T) {
	loop := []vec2{{X: 10, Y: 10}, {X: 20, Y: 10}, {X: 20, Y: 20}}
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
			s := newStage(t, plain(), 60, 1, 1)
			s.routes.Add([]vec2{{X: 1, Y: 1}})
			e := s.spawn(vec2{X: 10, Y: 10}, components.Route{ID: s.routes.Add(loop), Next: 1})
			order := components.Order{Action: s.do.Patrol, Numbers: [2]float32{0, c.pause}}
			s.post(e, order)
			route := ecs.Get[components.Route](s.w, e)
			s.walkFor(20, func() bool { return route.Next == 1 })
			assert.InDelta(t, 20, s.at(e).X, 0.51)
			assert.Equal(t, c.outcome, s.order(e).Outcome)
			if c.pause == 0 {
				s.post(e, order)
				s.walkFor(20, func() bool { return s.order(e).Outcome == components.Pending })
				assert.InDelta(t, 20, s.at(e).Y, 0.51, "the next order goes on to the next waypoint")
				return
			}
			start := s.clock.Now
			last := route.Next
			waypoints := 0
			s.walkFor(60, func() bool {
				if route.Next != last {
					last = route.Next
					waypoints++
				}
				return waypoints < 3
			})
			assert.InDelta(t, c.round, float64(s.clock.Now-start)/1e9, 1.5)
			assert.Equal(t, components.Pending, s.order(e).Outcome)
		})
	}
}

func TestPatrolWithoutARouteFails(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	for name, e := range map[string]components.Entity{
		"no component": s.spawn(vec2{X: 10, Y: 10}),
		"no such":      s.spawn(vec2{X: 20, Y: 10}, components.Route{ID: 7}),
		"negative":     s.spawn(vec2{X: 30, Y: 10}, components.Route{ID: -1}),
	} {
		s.post(e, components.Order{Action: s.do.Patrol})
		s.walkFor(0.1, nil)
		assert.Equal(t, components.Failed, s.order(e).Outcome, name)
	}
}

func TestWhoWasLedAwayRejoinsTheRouteWhereItIsInReach(t *testing.T) {
	s := newStage(t, drawn(
		"............",
		".@@@@@@@@@@.",
		".@@@@@@@@@@.",
		"............",
	), 60, 1, 1)
	route := s.routes.Add([]vec2{{X: 0.5, Y: 0.5}, {X: 11.5, Y: 0.5}, {X: 11.5, Y: 3.5}, {X: 0.5, Y: 3.5}})
	// It was heading for the first waypoint, along the north side, and now stands on the south side.
	e := s.spawn(vec2{X: 9, Y: 3.5}, components.Route{ID: route, Next: 1})
	s.post(e, components.Order{Action: s.do.Patrol, Numbers: [2]float32{0, -1}})
	s.walkFor(0.1, nil)
	assert.EqualValues(t, 2, ecs.Get[components.Route](s.w, e).Next)
	s.walkFor(4, nil)
	assert.Less(t, s.at(e).X, float32(9.5), "on the way west again")
}

func TestWanderersKeepMovingSmoothlyAndEachItsOwnWay(t *testing.T) {
	s := newStage(t, GenerateMap(64, 64, 3), 60, 1, 1)
	type traveller struct {
		e     components.Entity
		last  vec2
		moved float64
	}
	var crowd []*traveller
	for i := range 50 {
		at, _ := s.m.RandomPoint(uint64(i))
		e := s.spawn(at)
		s.post(e, components.Order{Action: s.do.Wander})
		crowd = append(crowd, &traveller{e: e, last: at})
	}
	headings := map[vec2]bool{}
	turned := 0.0
	s.walkFor(20, func() bool {
		for _, w := range crowd {
			now := s.at(w.e)
			w.moved += float64(length(sub(now, w.last)))
			w.last = now
			turned = max(turned, float64(1-dot(ecs.Get[components.Transform](s.w, w.e).Heading, ecs.Get[components.Transform](s.w, w.e).Heading)))
		}
		return true
	})
	for _, w := range crowd {
		headings[ecs.Get[components.Transform](s.w, w.e).Heading] = true
		assert.Greater(t, w.moved, 20.0, "at half the speed or more, walls and all")
		assert.Equal(t, components.Pending, s.order(w.e).Outcome)
	}
	assert.Greater(t, len(headings), 45)
	assert.InDelta(t, 0, turned, 1e-5, "headings stay unit vectors")
}

func TestWanderersStayWithinTheirBounds(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	e := s.spawn(vec2{X: 32, Y: 32})
	s.post(e, components.Order{Action: s.do.Wander, Point: vec2{X: 32, Y: 32}, Numbers: [2]float32{1, 5}})
	far := float32(0)
	s.walkFor(120, func() bool {
		far = max(far, length(sub(s.at(e), vec2{X: 32, Y: 32})))
		return true
	})
	assert.Greater(t, far, float32(4))
	assert.Less(t, far, float32(7), "it turns round at the bounds")
}

func TestHeadingsTurnNoFasterThanTheTurnRate(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	s.locomotion.TurnRate = 3
	e := s.spawn(vec2{X: 32, Y: 32})
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 2, Y: 33}}) // nearly behind it
	before := vec2{X: 1}
	s.walkFor(2, func() bool {
		h := ecs.Get[components.Transform](s.w, e).Heading
		angle := math.Acos(math.Min(1, float64(dot(before, h))))
		require.LessOrEqual(t, angle, 3.0/60+1e-3)
		before = h
		return true
	})
	assert.InDelta(t, -1, before.X, 0.01)
}

func TestWhoStandsTurnsToTheTarget(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	target, e := s.spawn(vec2{X: 32, Y: 40}), s.spawn(vec2{X: 32, Y: 32})
	s.post(e, components.Order{Action: s.do.Stand, Target: target})
	s.walkFor(1, nil)
	assert.Equal(t, vec2{X: 32, Y: 32}, s.at(e))
	assert.InDelta(t, 1, ecs.Get[components.Transform](s.w, e).Heading.Y, 1e-4)
	assert.Equal(t, components.Pending, s.order(e).Outcome)
}

func TestWhoHasNoIntentGoesOnAtItsVelocity(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	var e components.Entity
	ecs.NewPrefab(s.w, components.Transform{Position: vec2{X: 1.5, Y: 10}, Heading: vec2{X: 1}},
		components.Body{Velocity: vec2{X: -2, Y: 1}, Radius: 0.25}).SpawnNow(s.w, 1, func(_ int, made components.Entity) { e = made })
	s.walkFor(3, nil)
	assert.InDelta(t, 0.25, s.at(e).X, 1e-4, "held by the wall")
	assert.InDelta(t, 13, s.at(e).Y, 1e-2, "and slid along it")
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
			m := NewMap(len(c.rows[0]), len(c.rows))
			var from, to vec2
			for y, row := range c.rows {
				for x, letter := range row {
					switch letter {
					case '@':
						m.Set(x, y, Wall)
					case 's':
						from = center(x, y)
					case 'g':
						to = center(x, y)
					}
				}
			}
			s := newStage(t, m, 60, 1, 1)
			e := s.spawn(from)
			s.post(e, components.Order{Action: s.do.Seek, Point: to})
			walked, last := 0.0, from
			s.walkFor(c.seconds, func() bool {
				walked += float64(length(sub(s.at(e), last)))
				last = s.at(e)
				return s.order(e).Outcome == components.Pending
			})
			assert.Equal(t, components.Succeeded, s.order(e).Outcome)
			assert.Less(t, walked, c.within)
		})
	}
}

func TestAnOrderThatCannotBeCarriedOutFailsAfterAWhile(t *testing.T) {
	s := newStage(t, drawn(
		"........",
		"...@@@..",
		"...@.@..",
		"...@@@..",
		"........",
	), 60, 1, 1)
	e := s.spawn(vec2{X: 0.5, Y: 2.5})
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 4.5, Y: 2.5}})
	s.walkFor(5, nil)
	assert.Equal(t, components.Pending, s.order(e).Outcome)
	s.walkFor(25, nil)
	assert.Equal(t, components.Failed, s.order(e).Outcome)
}

func TestSeekFindsItsWayThroughATown(t *testing.T) {
	m := GenerateMap(128, 128, 5)
	s := newStage(t, m, 30, 2, 1)
	var all []components.Entity
	for i := range 300 {
		from, _ := m.RandomPoint(uint64(i))
		to, _ := m.RandomPoint(uint64(i + 100000))
		if d := length(sub(to, from)); d > 40 {
			to = add(from, scale(sub(to, from), 40/d))
			to, _ = free(m, to, 0.3)
		}
		e := s.spawn(from)
		s.post(e, components.Order{Action: s.do.Seek, Point: to})
		all = append(all, e)
	}
	s.walkFor(60, nil)
	count := map[components.Outcome]int{}
	for _, e := range all {
		count[s.order(e).Outcome]++
	}
	assert.GreaterOrEqual(t, count[components.Succeeded], 290, "%v", count)
}

func TestAgentsNeverStandInAWall(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := anyMap(rt)
		if m.PassableTiles() == 0 {
			rt.Skip("no tile is passable")
		}
		s := newStage(t, m, rapid.SampledFrom([]int{1, 2, 10, 60}).Draw(rt, "fps"), 1, rapid.Uint64().Draw(rt, "seed"))
		actions := []components.Action{0, s.do.Seek, s.do.Arrive, s.do.Flee, s.do.Patrol, s.do.Wander, s.do.Stand, 99}
		place := rapid.Custom(func(rt *rapid.T) vec2 { // also outside the map
			return vec2{X: rapid.Float32Range(-3, 15).Draw(rt, "x"), Y: rapid.Float32Range(-3, 15).Draw(rt, "y")}
		})
		route := s.routes.Add([]vec2{place.Draw(rt, "a"), place.Draw(rt, "b"), place.Draw(rt, "c")})
		var all []components.Entity
		for range rapid.IntRange(1, 12).Draw(rt, "agents") {
			e := s.spawn(place.Draw(rt, "start"), components.Route{ID: route})
			b := ecs.Get[components.Body](s.w, e)
			b.Radius = rapid.Float32Range(0, 1).Draw(rt, "radius")
			b.Speed = rapid.Float32Range(0, 30).Draw(rt, "speed")
			all = append(all, e)
		}
		for range 12 {
			for _, e := range all {
				s.post(e, components.Order{
					Action:  rapid.SampledFrom(actions).Draw(rt, "action"),
					Target:  rapid.SampledFrom(append([]components.Entity{{}}, all...)).Draw(rt, "target"),
					Point:   place.Draw(rt, "point"),
					Numbers: [2]float32{rapid.Float32Range(0, 1).Draw(rt, "factor"), rapid.Float32Range(-1, 5).Draw(rt, "number")},
				})
			}
			for range 3 {
				s.clock.Advance()
				s.locomotion.Update(s.w)
				for _, e := range all {
					at := s.at(e)
					require.True(rt, standable(m, at), "%v stands in a wall at %v", e, at)
					clear := float64(clearance(ecs.Get[components.Body](s.w, e).Radius))
					require.GreaterOrEqual(rt, wallDistance(m, at), clear-3e-4)
					require.InDelta(rt, 1, length(ecs.Get[components.Transform](s.w, e).Heading), 1e-4)
				}
			}
		}
	})
}

func TestWhoIsWalledInTooDeepIsLeftAndCounted(t *testing.T) {
	m := NewMap(200, 1)
	for x := range 199 {
		m.Set(x, 0, Wall)
	}
	s := newStage(t, m, 60, 1, 1)
	deep, shallow := s.spawn(vec2{X: 10.5, Y: 0.5}), s.spawn(vec2{X: 190.5, Y: 0.5})
	s.walkFor(0.1, nil) // 6 frames
	assert.Equal(t, vec2{X: 10.5, Y: 0.5}, s.at(deep))
	assert.InDelta(t, 199.3, s.at(shallow).X, 1e-3)
	assert.Equal(t, LocomotionCounts{Freed: 1, Stranded: 6}, s.locomotion.Counts())
}

func TestOpenCountryHasNoWalls(t *testing.T) {
	s := newStage(t, nil, 60, 1, 1)
	// A mode and a tile are left over from a world with a map.
	seeker := s.spawn(vec2{X: -10, Y: -10}, components.Route{})
	s.post(seeker, components.Order{Action: s.do.Seek, Point: vec2{X: -20, Y: -10}})
	s.walkFor(0.1, nil)
	ecs.Get[components.Steering](s.w, seeker).Mode = detouring
	wanderer, other, third := s.spawn(vec2{X: -50, Y: 3}), s.spawn(vec2{X: -50.1, Y: 3}), s.spawn(vec2{X: 1e6, Y: 1e6})
	s.post(wanderer, components.Order{Action: s.do.Wander})
	s.post(other, components.Order{Action: s.do.Flee, Target: wanderer, Numbers: [2]float32{1, 3}})
	s.post(third, components.Order{Action: s.do.Arrive, Point: vec2{X: 1e6, Y: 1e6 + 5}})
	s.walkFor(6, nil)
	for _, e := range []components.Entity{seeker, other, third} {
		assert.Equal(t, components.Succeeded, s.order(e).Outcome, "%v at %v", e, s.at(e))
	}
	assert.Greater(t, length(sub(s.at(wanderer), vec2{X: -50, Y: 3})), float32(1))
	assert.Zero(t, s.locomotion.Counts())
}

func TestAnAgentThatAnotherSystemMovedStillFindsTheWalls(t *testing.T) {
	s := newStage(t, drawn(
		"......",
		"....@.",
		"......",
	), 60, 1, 1)
	var e components.Entity
	ecs.NewPrefab(s.w, components.Transform{Position: vec2{X: 1.5, Y: 1.5}}, components.Faction{},
		components.Body{Velocity: vec2{X: 20}, Radius: 0.3}).SpawnNow(s.w, 1, func(_ int, made components.Entity) { e = made })
	s.clock.Advance()
	s.locomotion.grid.Refresh()
	ecs.Get[components.Transform](s.w, e).Position = vec2{X: 3.6, Y: 1.5} // a teleport beside the pillar
	s.locomotion.Update(s.w)
	assert.InDelta(t, 3.7, s.at(e).X, 1e-3, "0.3 m from it")
}

func TestActionsOfOtherSystemsAreLeftAlone(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	e, target := s.spawn(vec2{X: 10, Y: 10}), s.spawn(vec2{X: 10, Y: 20})
	s.post(e, components.Order{Action: 77, Target: target, Point: vec2{X: 20, Y: 20}})
	before := *ecs.Get[components.Transform](s.w, e)
	s.walkFor(10, nil)
	assert.Equal(t, components.Pending, s.order(e).Outcome)
	assert.Equal(t, before, *ecs.Get[components.Transform](s.w, e), "it stands as it stood")
}

func TestStandardActionsAreRegisteredOnce(t *testing.T) {
	a := aitree.NewActions()
	first, err := StandardActions(a)
	require.NoError(t, err)
	again, err := StandardActions(a)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Equal(t, 15, a.Len())
	taken := aitree.NewActions()
	_, err = taken.Register(StrikeAction, components.Move)
	require.NoError(t, err)
	_, err = StandardActions(taken)
	assert.EqualError(t, err, `systems: standard actions: aitree: action "strike" is registered for channel move already, not as a trigger`)
}
