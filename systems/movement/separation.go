package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	maxGirth  = 2    // metres; bodies push with no larger radius
	pushSpeed = 6    // metres per second at which an overlap is undone at most
	maxPush   = 0.5  // metres in one frame at most, however long it is
	yielding  = 0.5  // of the speed lost to whoever stands in the way that goes into stepping aside
	maxCrowd  = 1024 // others that one looks at in a frame; a crowd at one point is not to take the square of its size
	tooClose  = 1e-3 // metres between centres below which they have no direction
)

// girth returns the radius with which a body pushes, in metres.
func girth(radius float32) float32 {
	if !(radius > 0) { // or NaN
		return 0
	}
	return min(radius, maxGirth)
}

// widestOf returns the largest radius with which anyone in a grid pushes.
func widestOf(g *spatial.Grid) float32 {
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
	// push is how far one should move, in metres, so as to stand in nobody, if all those it overlaps do the same: half
	// of each overlap. The sum is taken in the order of the grid, so it is the same to the bit in every run.
	push components.Vec2
	x, y uint16 // its tile
	open uint16 // the footing there
}

// surroundings looks around for all agents at once. In a large world that is a matter of memory: it goes
// through the grid slot by slot, so what is near in space is near in the cache, and leaves what it finds where the
// agents are served, which is in the order of storage.
//
// Who is not in the grid, having no Faction or being dead, pushes nobody and is not pushed.
type surroundings struct {
	grid   *spatial.Grid
	world  *space.Map    // nil: open country
	of     []surrounding // by entity index
	nooks  []nooks       // by worker
	look   func(worker, task int)
	forget func(worker, task int)
}

const (
	lookRows   = 8       // rows of cells of a task at least
	forgetRows = 1 << 16 // surroundings of a task
)

func newSurroundings(g *spatial.Grid, m *space.Map, workers int) *surroundings {
	s := &surroundings{grid: g, world: m, nooks: make([]nooks, workers)}
	s.look, s.forget = s.lookRows, s.forgetRange
	return s
}

// refresh looks around for everybody in the grid.
func (s *surroundings) refresh(workers *parallel.Workers) {
	widest := widestOf(s.grid)
	for i := range s.nooks {
		s.nooks[i].lay(s.grid, widest)
	}
	rows := s.nooks[0].rows // as of all
	s.of = scratch.Sized(s.of, s.grid.IndexBound())
	workers.Run((len(s.of)+forgetRows-1)/forgetRows, s.forget)
	workers.Run((s.grid.Rows+rows-1)/rows, s.look)
}

func (s *surroundings) forgetRange(_, task int) {
	clear(s.of[task*forgetRows : min((task+1)*forgetRows, len(s.of))])
}

// lookRows looks around for those in a few rows of cells, whose slots follow each other.
func (s *surroundings) lookRows(worker, task int) {
	g, k := s.grid, &s.nooks[worker]
	start, stop := k.take(task)
	for slot := start; slot < stop; slot++ {
		p := g.Positions[slot]
		f := space.FootingAt(s.world, p)
		around := &s.of[g.Entities[slot].Index]
		around.x, around.y, around.open = uint16(f.X), uint16(f.Y), uint16(f.Open)
		if radius := girth(g.Radii[slot]); radius > 0 {
			for _, other := range k.around(slot, radius+k.widest) {
				away := vec.Sub(p, g.Positions[other])
				by := shove(g.Entities[slot], away, vec.Length(away), radius, girth(g.Radii[other]))
				around.push = vec.Add(around.push, by)
			}
		}
	}
}

// find returns how far an agent that stands at p should give way, and its footing.
func (s *surroundings) find(e components.Entity, p components.Vec2) (components.Vec2, space.Footing) {
	if uint(e.Index) < uint(len(s.of)) {
		around := &s.of[e.Index]
		// It may have been moved since, by somebody else.
		if x, y := space.TileOf(p); around.open != 0 && x == int(around.x) && y == int(around.y) {
			return around.push, space.Footing{X: x, Y: y, Open: uint(around.open)}
		}
		return around.push, space.FootingAt(s.world, p)
	}
	return components.Vec2{}, space.FootingAt(s.world, p)
}

// shove returns how far an agent should give way to one whose centre is d metres away.
func shove(self components.Entity, away components.Vec2, d, radius, other float32) components.Vec2 {
	overlap := radius + other - d
	if overlap <= 0 || other == 0 {
		return components.Vec2{}
	}
	if d < tooClose { // no way is out: each takes one of its own
		return vec.Scale(ownDirection(self), overlap/2)
	}
	return vec.Scale(away, overlap/(d+d))
}

// ownDirection returns a unit vector that differs from entity to entity.
func ownDirection(e components.Entity) components.Vec2 {
	hash := random.Mix(uint64(e.Generation), uint64(e.Index))
	u, d := vec.Direction(components.Vec2{X: float32(random.Unit(hash)*2) - 1, Y: float32(random.Unit(hash<<24)*2) - 1})
	if d == 0 {
		return components.Vec2{X: 1}
	}
	return u
}

// yield returns the velocity of one who wants to go at v and is pushed by others: what of it goes into them is
// lost, and part of that is turned to the side, the same side for all, so that two who meet pass each
// other.
func yield(v, push components.Vec2) components.Vec2 {
	n, d := vec.Direction(push)
	into := -vec.Dot(v, n)
	if d == 0 || into <= 0 {
		return v
	}
	v = vec.Add(v, vec.Scale(n, into))
	return vec.Add(v, vec.Scale(vec.Quarter(n), float32(yielding*into)))
}
