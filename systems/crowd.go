package systems

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

const (
	maxGirth  = 2    // metres; bodies push with no larger radius
	pushSpeed = 6    // metres per second at which an overlap is undone at most
	maxPush   = 0.5  // metres in one frame at most, however long it is
	yielding  = 0.5  // of the speed lost to whoever stands in the way that goes into stepping aside
	maxCrowd  = 1024 // others that one looks at in a frame; a crowd in one cell is not to take the square of its size
	tooClose  = 1e-3 // metres between centres below which they have no direction
)

// girth returns the radius with which a body pushes, in metres.
func girth(radius float32) float32 {
	if !(radius > 0) { // or NaN
		return 0
	}
	return min(radius, maxGirth)
}

// widest returns the largest radius with which anyone in a grid pushes.
func widest(g *Grid) float32 {
	most := float32(0)
	for _, r := range g.Radii {
		if r > most { // no NaN is
			most = r
		}
	}
	return min(most, maxGirth)
}

// surrounding is what is around one agent when the frame begins.
type surrounding struct {
	push vec2   // metres that it should give way to those who stand in it
	x, y uint16 // its tile
	open uint16 // the footing there
}

// surroundings looks around for all agents at once. In a large world that is a matter of memory: it goes
// through the grid slot by slot, so what is near in space is near in the cache, and leaves what it finds where the
// agents are served, which is in the order of storage.
//
// Who is not in the grid, having no Faction or being dead, pushes nobody and is not pushed.
type surroundings struct {
	grid   *Grid
	world  *Map          // nil: open country
	of     []surrounding // by entity index
	widest float32       // metres; the largest radius of all
	look   func(worker, task int)
	forget func(worker, task int)
}

const (
	lookRows   = 4       // rows of cells of a task
	forgetRows = 1 << 16 // surroundings of a task
)

func newSurroundings(g *Grid, m *Map) *surroundings {
	s := &surroundings{grid: g, world: m}
	s.look, s.forget = s.lookRows, s.forgetRange
	return s
}

// refresh looks around for everybody in the grid.
func (s *surroundings) refresh(workers *Workers) {
	s.widest = widest(s.grid)
	s.of = sized(s.of, len(s.grid.slots))
	workers.Run((len(s.of)+forgetRows-1)/forgetRows, s.forget)
	workers.Run((s.grid.rows+lookRows-1)/lookRows, s.look)
}

func (s *surroundings) forgetRange(_, task int) {
	clear(s.of[task*forgetRows : min((task+1)*forgetRows, len(s.of))])
}

// lookRows looks around for those in a few rows of cells, whose slots follow each other.
func (s *surroundings) lookRows(_, task int) {
	g := s.grid
	line := len(g.present) * g.cols
	start, end := g.starts[task*lookRows*line], g.starts[min((task+1)*lookRows, g.rows)*line]
	for slot := int(start); slot < int(end); slot++ {
		p := g.Positions[slot]
		f := footingAt(s.world, p)
		around := &s.of[g.Entities[slot].Index]
		around.x, around.y, around.open = uint16(f.x), uint16(f.y), uint16(f.open)
		if radius := girth(g.Radii[slot]); radius > 0 {
			around.push = crowd(g, slot, p, radius, s.widest)
		}
	}
}

// find returns how far an agent that stands at p should give way, and its footing.
func (s *surroundings) find(e components.Entity, p vec2) (vec2, footing) {
	if uint(e.Index) < uint(len(s.of)) {
		around := &s.of[e.Index]
		// It may have been moved since, by somebody else.
		if x, y := tileOf(p); around.open != 0 && x == int(around.x) && y == int(around.y) {
			return around.push, footing{x: x, y: y, open: uint(around.open)}
		}
		return around.push, footingAt(s.world, p)
	}
	return vec2{}, footingAt(s.world, p)
}

// crowd returns how far one who has a slot should move so as to stand in nobody, if all those it overlaps do
// the same: half of each overlap. The others are where they were when the frame began, and a grid has them in
// the same order in every run, so the sum is the same to the bit. Of more than maxCrowd in the cells around,
// the first of that order count.
func crowd(g *Grid, self int, p vec2, radius, widest float32) vec2 {
	push := vec2{}
	reach := radius + widest
	reach2 := float32(reach * reach)
	left, bottom := g.col(p.X-reach), g.row(p.Y+reach)
	width := g.col(p.X+reach) + 1 - left
	rest := maxCrowd
	for row := g.row(p.Y - reach); row <= bottom; row++ {
		at := row*len(g.present)*g.cols + left
		for range g.present {
			start, end := int(g.starts[at]), int(g.starts[at+width])
			at += g.cols
			end = min(end, start+rest)
			rest -= end - start
			for slot := start; slot < end; slot++ {
				away := sub(p, g.Positions[slot])
				if d2 := dot(away, away); d2 < reach2 && slot != self {
					push = add(push, shove(g.Entities[self], away, sqrt(d2), radius, girth(g.Radii[slot])))
				}
			}
		}
	}
	return push
}

// shove returns how far an agent should give way to one whose centre is d metres away.
func shove(self components.Entity, away vec2, d, radius, other float32) vec2 {
	overlap := radius + other - d
	if overlap <= 0 || other == 0 {
		return vec2{}
	}
	if d < tooClose { // no way is out: each takes one of its own
		return scale(ownDirection(self), overlap/2)
	}
	return scale(away, overlap/(d+d))
}

// ownDirection returns a unit vector that differs from entity to entity.
func ownDirection(e components.Entity) vec2 {
	hash := random.Mix(uint64(e.Generation), uint64(e.Index))
	u, d := direction(vec2{X: float32(random.Unit(hash)*2) - 1, Y: float32(random.Unit(hash<<24)*2) - 1})
	if d == 0 {
		return vec2{X: 1}
	}
	return u
}

// yield returns the velocity of one who wants to go at v and is pushed by others: what of it goes into them is
// lost, and part of that is turned to the side, the same side for all, so that two who meet pass each
// other.
func yield(v, push vec2) vec2 {
	n, d := direction(push)
	into := -dot(v, n)
	if d == 0 || into <= 0 {
		return v
	}
	v = add(v, scale(n, into))
	return add(v, scale(quarter(n), float32(yielding*into)))
}
