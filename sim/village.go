package sim

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// A village is made of hamlets. All places of a hamlet lie within a short walk of its square, so that everyone can
// reach what is theirs.
const (
	hamletVillagers = 40
	hamletTiles     = 900 // that are looked at for places, those nearest to the square by foot
	hamletSide      = 64  // metres that a hamlet extends at most
	houseBeds       = 4   // beds of a house, side by side
	bedlessIn       = 20  // of so many villagers one has no bed of its own and shares another's
	workersPerPlace = 6   // villagers who are told to work at one place
	postsPerPlace   = 5   // of them, how many can at once
	eatersPerStore  = 20  // villagers who eat at one store
	seatsPerStore   = 10
	mealsAtStart    = 2 // a head
	mealsAtMost     = 6 // a head
)

// hamlet is a plan: where its places are.
type hamlet struct {
	villagers  int
	square     components.Vec2
	stores     []components.Vec2
	workplaces []components.Vec2
	beds       []components.Vec2
}

// planVillage finds the places of a village on a map.
func planVillage(m *space.Map, villagers int, seed uint64) ([]hamlet, error) {
	p := planner{m: m, taken: make([]bool, m.Width*m.Height)}
	if !p.findGround() {
		return nil, fmt.Errorf("the map has no passable tile")
	}
	n := (villagers + hamletVillagers - 1) / hamletVillagers
	columns := max(1, int(math.Ceil(math.Sqrt(float64(n)*float64(m.Width)/float64(m.Height)))))
	rows := (n + columns - 1) / columns
	hamlets := make([]hamlet, n)
	for i := range hamlets {
		p.key, p.draws = random.Mix(random.Mix(seed, random.String("hamlets")), uint64(i)), 0
		x, y := (2*(i%columns)+1)*m.Width/(2*columns), (2*(i/columns)+1)*m.Height/(2*rows)
		p.explore(p.nearest(x, y))
		p.plan(&hamlets[i], share(i+1, villagers, n)-share(i, villagers, n))
	}
	return hamlets, nil
}

// share returns the first i of n equal parts of some villagers, rounded down.
func share(i, villagers, n int) int { return int(int64(i) * int64(villagers) / int64(n)) }

// planner plans one hamlet after the other.
type planner struct {
	m      *space.Map
	ground []bool // by tile: in the largest part of the map that hangs together
	taken  []bool // by tile: a place is there
	key    uint64
	draws  uint64

	tiles []int32 // of the hamlet, by the length of the way from its square
	seen  [hamletSide * hamletSide]bool
}

// findGround finds the largest part of the map that hangs together; false when nothing can be walked on.
func (p *planner) findGround() bool {
	seen := make([]bool, len(p.taken))
	best, from := 0, -1
	var stack []int32
	flood := func(start int) int {
		n := 0
		stack = append(stack[:0], int32(start))
		seen[start] = true
		for len(stack) > 0 {
			at := int(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
			n++
			x, y := at%p.m.Width, at/p.m.Width
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
				if to := at + d[0] + d[1]*p.m.Width; p.m.Passable(x+d[0], y+d[1]) && !seen[to] {
					seen[to] = true
					stack = append(stack, int32(to))
				}
			}
		}
		return n
	}
	for at := range seen {
		if !seen[at] && p.m.Passable(at%p.m.Width, at/p.m.Width) {
			if n := flood(at); n > best {
				best, from = n, at
			}
		}
	}
	if from < 0 {
		return false
	}
	clear(seen)
	flood(from)
	p.ground = seen
	return true
}

// nearest returns the tile of the ground that is nearest to (x, y), by rings of tiles.
func (p *planner) nearest(x, y int) int {
	for r := 0; ; r++ {
		for dy := -r; dy <= r; dy++ {
			step := max(2*r, 1) // between the two sides of the ring
			if dy == -r || dy == r {
				step = 1
			}
			for dx := -r; dx <= r; dx += step {
				if tx, ty := x+dx, y+dy; uint(tx) < uint(p.m.Width) && uint(ty) < uint(p.m.Height) &&
					p.ground[ty*p.m.Width+tx] {
					return ty*p.m.Width + tx
				}
			}
		}
	}
}

// explore lists the tiles around a tile in the order of their way from it.
func (p *planner) explore(from int) {
	x0, y0 := from%p.m.Width-hamletSide/2, from/p.m.Width-hamletSide/2
	clear(p.seen[:])
	p.tiles = append(p.tiles[:0], int32(from))
	p.seen[hamletSide/2*hamletSide+hamletSide/2] = true
	for next := 0; next < len(p.tiles) && len(p.tiles) < hamletTiles; next++ {
		x, y := int(p.tiles[next])%p.m.Width, int(p.tiles[next])/p.m.Width
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			tx, ty := x+d[0], y+d[1]
			if uint(tx-x0) >= hamletSide || uint(ty-y0) >= hamletSide || !p.m.Passable(tx, ty) {
				continue
			}
			if seen := &p.seen[(ty-y0)*hamletSide+tx-x0]; !*seen {
				*seen = true
				p.tiles = append(p.tiles, int32(ty*p.m.Width+tx))
			}
		}
	}
}

// plan distributes the places of a hamlet over its tiles.
func (p *planner) plan(h *hamlet, villagers int) {
	h.villagers = villagers
	h.square = p.take(0)
	for range (villagers + eatersPerStore - 1) / eatersPerStore {
		h.stores = append(h.stores, p.take(p.draw()))
	}
	for range (villagers + workersPerPlace - 1) / workersPerPlace {
		h.workplaces = append(h.workplaces, p.take(p.draw()))
	}
	house := 0
	for i := range villagers - villagers/bedlessIn {
		if i%houseBeds == 0 {
			house = p.draw()
		}
		h.beds = append(h.beds, p.take(house))
	}
}

// draw returns a random index of tiles.
func (p *planner) draw() int {
	p.draws++
	return int(random.Below(random.Mix(p.key, p.draws), uint32(len(p.tiles))))
}

// take returns the middle of the tile that is nearest to one of the list and has no place on it or beside it; where all
// have, that of the tile itself.
func (p *planner) take(i int) components.Vec2 {
	near := int(p.tiles[i])
	best, at := math.MaxInt, near
	for _, tile := range p.tiles {
		dx, dy := int(tile)%p.m.Width-near%p.m.Width, int(tile)/p.m.Width-near/p.m.Width
		if d := dx*dx + dy*dy; d < best && p.free(int(tile)) {
			best, at = d, int(tile)
		}
	}
	p.taken[at] = true
	return components.Vec2{X: float32(at%p.m.Width) + 0.5, Y: float32(at/p.m.Width) + 0.5}
}

// free reports whether there is no place on a tile or on one of its eight neighbours.
func (p *planner) free(tile int) bool {
	x, y := tile%p.m.Width, tile/p.m.Width
	for ty := max(y-1, 0); ty <= min(y+1, p.m.Height-1); ty++ {
		for tx := max(x-1, 0); tx <= min(x+1, p.m.Width-1); tx++ {
			if p.taken[ty*p.m.Width+tx] {
				return false
			}
		}
	}
	return true
}
