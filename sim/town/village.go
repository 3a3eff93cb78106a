package town

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// A village consists of neighbourhoods. All places of a neighbourhood lie within a short walk of its square, so that
// every villager can reach all places of its neighbourhood.
const (
	neighbourhoodVillagers = 40  // at most, about
	neighbourhoodTiles     = 900 // that are considered for places: those with the shortest walk from the square
	neighbourhoodSide      = 64  // metres from one end to the other at most
	bedsPerHouse           = 4   // side by side
	villagersPerSharedBed  = 20  // one of so many villagers shares the bed of another
	villagersPerWorkplace  = 6
	villagersPerStore      = 20
)

// neighbourhoodKey keys the random draws of a neighbourhood. A change of it moves the places of every village.
const neighbourhoodKey = "hamlets"

// Neighbourhood is a part of a village: where its places are, in metres. Each place is the centre of a tile.
type Neighbourhood struct {
	Villagers  int               // that live there
	Square     components.Vec2   // the middle, where villagers meet
	Stores     []components.Vec2 // one for each 20 villagers, rounded up
	Workplaces []components.Vec2 // one for each 6 villagers, rounded up
	Beds       []components.Vec2 // one for each villager but one in 20
}

// PlanVillage finds the places of a village on a map, the same for the same arguments. The neighbourhoods are spread
// over the map's largest connected part, with about 40 villagers in each, and share the villagers evenly. Each place
// has its own tile while there are enough.
//
// It returns an error when the map has no passable tile.
func PlanVillage(m *space.Map, villagers int, seed uint64) ([]Neighbourhood, error) {
	p := planner{m: m, taken: make([]bool, m.Width*m.Height)}
	if !p.findGround() {
		return nil, fmt.Errorf("the map has no passable tile")
	}
	n := (villagers + neighbourhoodVillagers - 1) / neighbourhoodVillagers
	columns := max(1, int(math.Ceil(math.Sqrt(float64(n)*float64(m.Width)/float64(m.Height)))))
	rows := (n + columns - 1) / columns
	neighbourhoods := make([]Neighbourhood, n)
	for i := range neighbourhoods {
		p.key, p.draws = random.Mix(random.Mix(seed, random.String(neighbourhoodKey)), uint64(i)), 0
		x, y := (2*(i%columns)+1)*m.Width/(2*columns), (2*(i/columns)+1)*m.Height/(2*rows)
		p.explore(p.nearest(x, y))
		p.plan(&neighbourhoods[i], firstOfPart(i+1, villagers, n)-firstOfPart(i, villagers, n))
	}
	return neighbourhoods, nil
}

// firstOfPart returns the number of the first villager of the i-th of n equal parts.
func firstOfPart(i, villagers, n int) int { return int(int64(i) * int64(villagers) / int64(n)) }

// planner plans one neighbourhood after the other.
type planner struct {
	m      *space.Map
	ground []bool // by tile: in the largest connected part of the map
	taken  []bool // by tile: has a place
	key    uint64
	draws  uint64

	tiles []int32 // of the neighbourhood, by the length of the walk from its square
	seen  [neighbourhoodSide * neighbourhoodSide]bool
}

// findGround finds the largest connected part of the map. It returns false when no tile is passable.
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

// nearest returns the tile of the ground that is nearest to (x, y), searching ring by ring.
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

// explore lists the tiles around a tile by the length of the walk from it.
func (p *planner) explore(from int) {
	x0, y0 := from%p.m.Width-neighbourhoodSide/2, from/p.m.Width-neighbourhoodSide/2
	clear(p.seen[:])
	p.tiles = append(p.tiles[:0], int32(from))
	p.seen[neighbourhoodSide/2*neighbourhoodSide+neighbourhoodSide/2] = true
	for next := 0; next < len(p.tiles) && len(p.tiles) < neighbourhoodTiles; next++ {
		x, y := int(p.tiles[next])%p.m.Width, int(p.tiles[next])/p.m.Width
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			tx, ty := x+d[0], y+d[1]
			if uint(tx-x0) >= neighbourhoodSide || uint(ty-y0) >= neighbourhoodSide || !p.m.Passable(tx, ty) {
				continue
			}
			if seen := &p.seen[(ty-y0)*neighbourhoodSide+tx-x0]; !*seen {
				*seen = true
				p.tiles = append(p.tiles, int32(ty*p.m.Width+tx))
			}
		}
	}
}

// plan distributes the places of a neighbourhood over its tiles.
func (p *planner) plan(n *Neighbourhood, villagers int) {
	n.Villagers = villagers
	n.Square = p.take(0)
	for range (villagers + villagersPerStore - 1) / villagersPerStore {
		n.Stores = append(n.Stores, p.take(p.draw()))
	}
	for range (villagers + villagersPerWorkplace - 1) / villagersPerWorkplace {
		n.Workplaces = append(n.Workplaces, p.take(p.draw()))
	}
	house := 0
	for i := range villagers - villagers/villagersPerSharedBed {
		if i%bedsPerHouse == 0 {
			house = p.draw()
		}
		n.Beds = append(n.Beds, p.take(house))
	}
}

// draw returns a random index of p.tiles.
func (p *planner) draw() int {
	p.draws++
	return int(random.Below(random.Mix(p.key, p.draws), uint32(len(p.tiles))))
}

// take reserves the tile nearest to p.tiles[i] that is free and returns its centre. Where no tile is free, that is
// tile i itself.
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

// free reports whether neither a tile nor any of its eight neighbours has a place.
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
