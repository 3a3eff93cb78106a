package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	maxPushRadius   = 2    // metres; larger bodies push others with this radius
	separationSpeed = 6    // maximum speed at which overlapping bodies are moved apart, metres per second
	maxSeparation   = 0.5  // maximum distance in one frame of any length, metres
	sideStepShare   = 0.5  // share of the speed lost to bodies ahead that is turned to the side
	maxTested       = 1024 // bodies tested per agent and frame
	maxOverlaps     = 32   // bodies that push an agent; bounds the quadratic cost of a crowd at one point
	minDistance     = 1e-3 // metres between centres below which they have no direction
)

// pushRadius returns the radius with which a body pushes others, in metres.
func pushRadius(radius float32) float32 {
	if !(radius > 0) { // or NaN
		return 0
	}
	return min(radius, maxPushRadius)
}

// largestPushRadius returns the largest push radius of a grid's agents.
func largestPushRadius(g *spatial.Grid) float32 {
	most := float32(0)
	for _, r := range g.Radii {
		if r > most { // false for NaN
			most = r
		}
	}
	return min(most, maxPushRadius)
}

// separation is the result of the scan for one agent.
type separation struct {
	// push is how far the agent should move, in metres, so as to overlap no other body if all do the same: half of
	// each overlap. The sum is taken in the order of the grid, so it is the same to the bit in every run.
	push components.Vec2
	x, y uint16 // tile of the agent
	open uint16 // space.Footing.Open of the tile
}

// separator finds the separation of all agents before any of them moves. It visits the grid slot by slot, so that
// neighbours in space are neighbours in the cache. It stores results by entity index, because agents are moved in
// storage order.
//
// An agent that is not in the grid, because it has no Faction or is dead, neither pushes nor is pushed.
type separator struct {
	grid     *spatial.Grid
	world    *space.Map // nil: open country
	agents   ecs.Table[separation]
	subCells []subCells // by worker
	scan     func(worker, task int)
	reset    func(worker, task int)
}

const (
	minTaskRows = 8       // rows of cells of a task at least
	resetBatch  = 1 << 16 // separations that a task resets
)

func newSeparator(g *spatial.Grid, m *space.Map, workers int) *separator {
	s := &separator{grid: g, world: m, subCells: make([]subCells, workers)}
	s.scan, s.reset = s.scanRows, s.resetRange
	return s
}

// refresh finds the separation of all agents in the grid.
func (s *separator) refresh(workers *parallel.Workers) {
	widest := largestPushRadius(s.grid)
	for i := range s.subCells {
		s.subCells[i].fit(s.grid, widest)
	}
	rows := s.subCells[0].rows // as of all
	s.agents.Grow(s.grid.IndexBound())
	workers.Run((s.agents.Len()+resetBatch-1)/resetBatch, s.reset)
	workers.Run((s.grid.Rows+rows-1)/rows, s.scan)
}

func (s *separator) resetRange(_, task int) {
	agents := s.agents.Values()
	clear(agents[task*resetBatch : min((task+1)*resetBatch, len(agents))])
}

// scanRows finds the separation of the agents in a few rows of cells, whose slots are contiguous.
func (s *separator) scanRows(worker, task int) {
	g, cells := s.grid, &s.subCells[worker]
	start, stop := cells.load(task)
	agents := s.agents.Values()
	for slot := start; slot < stop; slot++ {
		p := g.Positions[slot]
		f := space.FootingAt(s.world, p)
		result := &agents[g.Entities[slot].Index]
		result.x, result.y, result.open = uint16(f.X), uint16(f.Y), uint16(f.Open)
		if radius := pushRadius(g.Radii[slot]); radius > 0 {
			for _, other := range cells.overlapping(slot, radius) {
				away := vec.Sub(p, g.Positions[other])
				push := separate(g.Entities[slot], away, vec.Length(away), radius, pushRadius(g.Radii[other]))
				result.push = vec.Add(result.push, push)
			}
		}
	}
}

// find returns the separation of an agent that stands at p, and its footing.
func (s *separator) find(e components.Entity, p components.Vec2) (push components.Vec2, f space.Footing) {
	if result := s.agents.At(e); result != nil {
		// Another system may have moved it since the scan.
		if x, y := space.TileOf(p); result.open != 0 && x == int(result.x) && y == int(result.y) {
			return result.push, space.Footing{X: x, Y: y, Open: uint(result.open)}
		}
		return result.push, space.FootingAt(s.world, p)
	}
	return components.Vec2{}, space.FootingAt(s.world, p)
}

// separate returns by how much an agent moves away from a body whose centre is d metres away.
func separate(self components.Entity, away components.Vec2, d, radius, other float32) components.Vec2 {
	overlap := radius + other - d
	if overlap <= 0 || other == 0 {
		return components.Vec2{}
	}
	if d < minDistance { // the direction is undefined: each agent takes a random one
		return vec.Scale(randomDirection(self), overlap/2)
	}
	return vec.Scale(away, overlap/(d+d))
}

// randomDirection returns a unit vector that differs from entity to entity.
func randomDirection(e components.Entity) components.Vec2 {
	hash := random.Mix(uint64(e.Generation), uint64(e.Index))
	u, d := vec.Direction(components.Vec2{X: float32(random.Unit(hash)*2) - 1, Y: float32(random.Unit(hash<<24)*2) - 1})
	if d == 0 {
		return components.Vec2{X: 1}
	}
	return u
}

// sideStep returns the velocity of an agent that wants to walk at v and is pushed by other bodies. It removes the part
// of v that goes into the bodies, and turns a share of that part to the side. The side is the same for all agents, so
// that two agents pass each other.
func sideStep(v, push components.Vec2) components.Vec2 {
	n, d := vec.Direction(push)
	into := -vec.Dot(v, n)
	if d == 0 || into <= 0 {
		return v
	}
	v = vec.Add(v, vec.Scale(n, into))
	return vec.Add(v, vec.Scale(vec.Quarter(n), float32(sideStepShare*into)))
}
