package systems

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Steering turns what an agent wants into a direction to walk in. Nothing here knows of the world: an agent is
// its position, its heading and its [components.Steering].
//
// The way to a goal is found without a search. An agent walks straight until a wall stops it; then it follows
// the wall, tile by tile with one hand on it, until it is nearer to the goal than where it was stopped and
// the way is open again (the rule of Noborio's Class1 and of Kamon and Rivlin's DistBug, which ends since each
// wall is left nearer than it was met). Which hand is decided by tracing the wall both ways. What it heads for is
// not the next tile of the wall but the farthest of the next few that it can walk straight to, so it cuts
// corners as a person would.

// Modes of a components.Steering.
const (
	straight  uint8 = iota
	pausing         // at a waypoint
	following       // a wall, towards +X; +1 towards +Y, +2 towards -X, +3 towards -Y
)

const (
	sightOfWay  = 24  // metres of the straight way that are looked at before one turns to follow a wall
	leaveView   = 2   // metres of the straight way that must be open to leave a wall
	leaveMargin = 0.5 // metres by which one must be nearer than when the wall was met
	carrotReach = 3   // metres; farther tiles of a wall are not headed for
	carrotSteps = 4   // tiles of a wall that one looks on in a frame
	traceSteps  = 128 // tiles of a wall that are looked at to choose a hand
)

var tileSteps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// along returns the next tile and direction for one who follows a wall in direction d. The wall is on the
// side d + hand, and the first open tile from that side on is taken.
func along(m *Map, x, y, d, hand int) (int, int, int) {
	for _, turn := range [4]int{hand, 0, -hand, 2} {
		d := (d + turn) & 3
		if nx, ny := x+tileSteps[d][0], y+tileSteps[d][1]; m.Passable(nx, ny) {
			return nx, ny, d
		}
	}
	return x, y, d
}

// wallTowards returns the side of a tile on which a wall stops one who walks in direction u; the side that u
// points to most goes first.
func wallTowards(m *Map, x, y int, u vec2) (side int, ok bool) {
	sideX, sideY := 0, 1
	if u.X < 0 {
		sideX = 2
	}
	if u.Y < 0 {
		sideY = 3
	}
	first, second := sideX, sideY
	weak := u.Y
	if absolute(u.Y) > absolute(u.X) {
		first, second, weak = sideY, sideX, u.X
	}
	if !m.Passable(x+tileSteps[first][0], y+tileSteps[first][1]) {
		return first, true
	}
	if weak != 0 && !m.Passable(x+tileSteps[second][0], y+tileSteps[second][1]) {
		return second, true
	}
	return 0, false
}

// chooseHand traces a wall both ways from a tile beside it and returns the hand, 1 or -1, with which the
// goal comes nearer on the shorter way.
func chooseHand(m *Map, x, y, wall int, goal vec2, met float32) int {
	best, bestHand := float32(math.MaxFloat32), 1
	for _, hand := range [2]int{1, -1} {
		if cost := traceWall(m, x, y, wall, hand, goal, met); cost < best {
			best, bestHand = cost, hand
		}
	}
	return bestHand
}

// traceWall returns the length of the way along a wall to where it would be left, plus what remains to the goal
// from there, in metres.
func traceWall(m *Map, x, y, wall, hand int, goal vec2, met float32) float32 {
	d := wall - hand
	nearest := met
	for n := range traceSteps {
		x, y, d = along(m, x, y, d, hand)
		at := center(x, y)
		u, left := direction(sub(goal, at))
		nearest = min(nearest, left)
		if left < met-leaveMargin && open(m, at, add(at, scale(u, min(left, leaveView)))) {
			return float32(n+1) + left
		}
	}
	return traceSteps + nearest
}

// approach returns the unit direction in which to walk to a goal, and the distance to it in metres.
// Without a Steering the way is straight.
func approach(m *Map, s *components.Steering, p, goal vec2, clear float32) (vec2, float32) {
	u, d := direction(sub(goal, p))
	if s == nil || s.Mode < following || m.Width <= 0 {
		return u, d
	}
	if d < s.Closest-leaveMargin && walkable(m, p, add(p, scale(u, min(d, leaveView))), clear) {
		s.Mode, s.Hand = straight, 0
		return u, d
	}
	x, y, ok := follow(m, s, p, clear)
	if !ok { // pushed off the wall
		s.Mode = straight
		return u, d
	}
	v, _ := direction(sub(center(x, y), p))
	return v, d
}

// follow moves the tile that one who follows a wall heads for as far along the wall as can be walked to
// straight, and returns it; false when it cannot be reached straight any more.
func follow(m *Map, s *components.Steering, p vec2, clear float32) (x, y int, ok bool) {
	x, y = int(s.Tile)%m.Width, int(s.Tile)/m.Width
	d := int(s.Mode - following)
	moved := false
	for range carrotSteps {
		nx, ny, nd := along(m, x, y, d, int(s.Hand))
		to := sub(center(nx, ny), p)
		if dot(to, to) > carrotReach*carrotReach || !walkable(m, p, center(nx, ny), clear) {
			break
		}
		x, y, d, moved = nx, ny, nd, true
	}
	if !moved && !walkable(m, p, center(x, y), clear) {
		return x, y, false
	}
	s.Tile, s.Mode = int32(y*m.Width+x), following+uint8(d)
	return x, y, true
}

// meetWall makes one that a wall stopped at q on its way to the goal, in direction u and d metres away,
// follow the wall, unless the straight way is open and the wall was only brushed.
func meetWall(m *Map, s *components.Steering, q, goal, u vec2, d, clear float32) {
	if walkable(m, q, add(q, scale(u, min(d, sightOfWay))), clear) {
		return
	}
	x, y := tileOf(q)
	wall, ok := wallTowards(m, x, y, u)
	if !ok {
		return
	}
	if s.Hand == 0 {
		s.Hand, s.Closest = int8(chooseHand(m, x, y, wall, goal, d)), d
	}
	s.Tile, s.Mode = int32(y*m.Width+x), following+uint8((wall-int(s.Hand))&3)
}

const (
	fleeView   = 1.5  // metres that must be open ahead of one who flees
	wanderView = 1.25 // metres that must be open ahead of one who wanders
	wanderSlot = 1e9  // nanoseconds for which one turns at the same rate
	wanderRate = 1.2  // radians per second at most
)

// escape returns the unit direction in which to walk away along u: u itself, or the nearest of a few to its
// sides that is open, on the side that one is turned to already. With none open it is u.
func escape(m *Map, p, u, heading vec2, clear float32) vec2 {
	side := quarter(u)
	if dot(side, heading) < 0 {
		side = scale(side, -1)
	}
	left, _ := direction(add(u, side))
	right, _ := direction(sub(u, side))
	for _, v := range [5]vec2{u, left, right, side, scale(side, -1)} {
		if walkable(m, p, add(p, scale(v, fleeView)), clear) {
			return v
		}
	}
	return u
}

// wander returns the unit direction in which one walks who has nowhere to go: the heading, turned at a rate that
// is drawn anew each second, at an instant of its own for each entity; and turned at turnRate, in radians
// per second, while a wall is ahead.
func wander(m *Map, p, heading vec2, key uint64, now components.Timestamp, dt, turnRate float32) vec2 {
	phase := random.Below(key, wanderSlot)
	slot := (uint64(now) + uint64(phase)) / wanderSlot
	draw := random.Mix(key, slot)
	angle := float32(float32(random.Unit(draw)*2-1) * wanderRate)
	if !open(m, p, add(p, scale(heading, wanderView))) {
		angle = turnRate
		if draw&1 != 0 {
			angle = -turnRate
		}
	}
	c, s := rotation(absolute(angle) * dt)
	if angle < 0 {
		s = -s
	}
	return rotate(heading, c, s)
}
