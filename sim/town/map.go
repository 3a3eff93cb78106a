package town

import (
	"math"

	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// AreaPerAgent is the area that [Size] gives each agent, in square metres.
const AreaPerAgent = 16

// Size returns the sides in tiles of a square map with [AreaPerAgent] for each of a number of agents: at least 32 and
// at most [space.MaxMapSide].
func Size(agents int) (width, height int) {
	if agents < 1 {
		return 32, 32
	}
	// A float64 is exact here far beyond the largest map.
	side := int(math.Ceil(math.Sqrt(AreaPerAgent * float64(agents))))
	side = min(max(side, 32), space.MaxMapSide)
	return side, side
}

// Dimensions of a town, in metres.
const (
	townBorder  = 3  // the street around the town
	blockLeast  = 18 // side of a block of buildings
	blockSpread = 20 // bound of the random extra length of a block
	streetLeast = 4
	streetExtra = 4 // bound of the random extra width of a street
	lotLeast    = 9 // side of a house with its share of the garden
	gateWidth   = 3
	doorWidth   = 2
)

// Bounds of the share of closed tiles in the area that has been built so far.
const (
	townDense = 0.215
	townThin  = 0.195
)

// Generate returns the map of a town of width by height tiles, which are metres: avenues along y, streets between
// them, and in the blocks that they enclose houses with rooms and doors, halls around a yard, solid warehouses, parks
// and squares with a pond. About four fifths of the tiles are passable, and all of these are connected. The same
// arguments give the same town.
//
// Panics when a side is below 1 or above [space.MaxMapSide].
func Generate(width, height int, seed uint64) *space.Map {
	t := town{m: space.NewMap(width, height), seed: random.Mix(seed, random.String("town"))}
	t.build()
	return t.m
}

// town is a map under construction.
type town struct {
	m      *space.Map
	seed   uint64
	ground int // tiles of blocks and their streets so far
	closed int // impassable tiles among them
}

// dice is a stream of draws for one block.
type dice struct {
	key   uint64
	count uint64
}

// below draws from 0 to n-1.
func (d *dice) below(n int) int {
	d.count++
	return int(random.Below(random.Mix(d.key, d.count), uint32(n)))
}

// build makes the avenues, the streets and the blocks between them. The border is a street and every avenue
// meets it, so the streets are connected.
func (t *town) build() {
	avenues := dice{key: random.Mix(t.seed, 0)}
	for x := townBorder; x+blockLeast <= t.m.Width-townBorder; {
		w := min(blockLeast+avenues.below(blockSpread), t.m.Width-townBorder-x)
		avenue := streetLeast + avenues.below(streetExtra)
		streets := dice{key: random.Mix(t.seed, uint64(x))}
		for y := townBorder; y+blockLeast <= t.m.Height-townBorder; {
			h := min(blockLeast+streets.below(blockSpread), t.m.Height-townBorder-y)
			street := streetLeast + streets.below(streetExtra)
			t.ground += (w + avenue) * (h + street)
			t.block(x, y, w, h, dice{key: random.Mix(random.Mix(t.seed, uint64(x)), uint64(y))})
			y += h + street
		}
		x += w + avenue
	}
}

// block builds on a rectangle. What it builds depends on the dice and on the density of the town so far.
func (t *town) block(x, y, w, h int, d dice) {
	kind := d.below(100)
	share := float64(t.closed) / float64(t.ground)
	switch {
	case share > townDense:
		kind = d.below(40)
	case share < townThin:
		kind = 40 + d.below(60)
	}
	switch {
	case kind < 12:
		t.square(x, y, w, h)
	case kind < 24:
		t.park(x, y, w, h, &d)
	case kind < 62:
		t.houses(x, y, w, h, &d)
	case kind < 90:
		t.hall(x, y, w, h, &d)
	default:
		t.fill(x+1, y+1, w-2, h-2, space.Wall)
	}
}

// square is open ground with a pond and pillars at its corners.
func (t *town) square(x, y, w, h int) {
	t.fill(x+w/2-2, y+h/2-2, 4, 4, space.Water)
	for _, px := range [2]int{x + 3, x + w - 4} {
		for _, py := range [2]int{y + 3, y + h - 4} {
			t.fill(px, py, 1, 1, space.Wall)
		}
	}
}

// park has trees, never two side by side, so that none blocks a path.
func (t *town) park(x, y, w, h int, d *dice) {
	for ty := y + 2; ty < y+h-1; ty += 2 {
		for tx := x + 2; tx < x+w-1; tx += 2 {
			if d.below(3) == 0 {
				t.fill(tx, ty, 1, 1, space.Wall)
			}
		}
	}
}

// hall is a thick ring around a yard, with a gate on two sides.
func (t *town) hall(x, y, w, h int, d *dice) {
	thick := 2 + d.below(3)
	t.fill(x, y, w, h, space.Wall)
	t.fill(x+thick, y+thick, w-2*thick, h-2*thick, space.Ground)
	gx := x + thick + d.below(w-2*thick-gateWidth+1)
	gy := y + thick + d.below(h-2*thick-gateWidth+1)
	if d.below(2) == 0 {
		t.fill(gx, y, gateWidth, thick, space.Ground)
	} else {
		t.fill(gx, y+h-thick, gateWidth, thick, space.Ground)
	}
	if d.below(2) == 0 {
		t.fill(x, gy, thick, gateWidth, space.Ground)
	} else {
		t.fill(x+w-thick, gy, thick, gateWidth, space.Ground)
	}
}

// houses splits a block into lots with a house on each.
func (t *town) houses(x, y, w, h int, d *dice) {
	columns, rows := w/lotLeast, h/lotLeast
	for row := range rows {
		for column := range columns {
			left, top := x+column*w/columns, y+row*h/rows
			right, bottom := x+(column+1)*w/columns, y+(row+1)*h/rows
			t.house(left+1, top+1, right-left-2, bottom-top-2, d)
		}
	}
}

// house is four thin walls with a door, and where it is long enough two rooms.
func (t *town) house(x, y, w, h int, d *dice) {
	t.fill(x, y, w, h, space.Wall)
	t.fill(x+1, y+1, w-2, h-2, space.Ground)
	alongX := 1 + d.below(w-1-doorWidth)
	alongY := 1 + d.below(h-1-doorWidth)
	switch d.below(4) {
	case 0:
		t.fill(x+alongX, y, doorWidth, 1, space.Ground)
	case 1:
		t.fill(x+alongX, y+h-1, doorWidth, 1, space.Ground)
	case 2:
		t.fill(x, y+alongY, 1, doorWidth, space.Ground)
	case 3:
		t.fill(x+w-1, y+alongY, 1, doorWidth, space.Ground)
	}
	switch {
	case w >= 13:
		// A wall across the house, where the long sides can have no door, which the wall would block.
		t.fill(x+w/2, y+1, 1, h-2, space.Wall)
		t.fill(x+w/2, y+1+d.below(h-1-doorWidth), 1, doorWidth, space.Ground)
	case h >= 13:
		t.fill(x+1, y+h/2, w-2, 1, space.Wall)
		t.fill(x+1+d.below(w-1-doorWidth), y+h/2, doorWidth, 1, space.Ground)
	}
}

// fill sets a rectangle and counts the closed tiles.
func (t *town) fill(x, y, w, h int, tile space.Tile) {
	t.closed += t.m.Fill(x, y, w, h, tile)
}
