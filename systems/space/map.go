package space

import (
	"fmt"
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// MaxMapSide is the maximum number of tiles in a row or a column of a map. Up to it a float32 places an agent to the
// millimetre. The largest map takes 64 MB.
const MaxMapSide = 16384

// Map is the terrain of a world: tiles of one metre. Tile (x, y) is the square from (x, y) to (x+1, y+1). A tile is
// passable or not, and opaque or not. Everything outside the map is a wall.
//
// Make one with [NewMap], [LoadMap] or [ParseMap]; the zero value has no tiles. It can be read by many goroutines.
// [Map.Set] and [Map.Fill] are for between frames.
type Map struct {
	Width  int // columns, which are metres; read only
	Height int // rows, which are metres; read only

	rowWords int      // words in a row of passable and opaque
	passable []uint64 // bit x of row y: agents can walk there
	opaque   []uint64 // bit x of row y: the tile blocks lines of sight
}

// Tile is the kind of a tile of a map.
type Tile uint8

const (
	Ground Tile = iota // Ground is passable and not opaque.
	Wall               // Wall is impassable and opaque.
	Water              // Water is impassable and not opaque.
)

// NewMap returns a map of [Ground].
//
// Panics when a side is below 1 or above [MaxMapSide].
func NewMap(width, height int) *Map {
	if width < 1 || width > MaxMapSide || height < 1 || height > MaxMapSide {
		panic(fmt.Sprintf("space: a map of %d x %d tiles; want 1 to %d each way", width, height, MaxMapSide))
	}
	m := &Map{Width: width, Height: height, rowWords: (width + 63) / 64}
	m.passable = make([]uint64, m.rowWords*height)
	m.opaque = make([]uint64, m.rowWords*height)
	for y := range height {
		setBits(m.passable[y*m.rowWords:(y+1)*m.rowWords], 0, width, true)
	}
	return m
}

// Passable reports whether an agent can walk on tile (x, y). It is false outside the map.
func (m *Map) Passable(x, y int) bool {
	if uint(x) >= uint(m.Width) || uint(y) >= uint(m.Height) {
		return false
	}
	return m.passable[y*m.rowWords+x>>6]>>(x&63)&1 != 0
}

// Opaque reports whether tile (x, y) blocks lines of sight. It is true outside the map.
func (m *Map) Opaque(x, y int) bool {
	if uint(x) >= uint(m.Width) || uint(y) >= uint(m.Height) {
		return true
	}
	return m.opaque[y*m.rowWords+x>>6]>>(x&63)&1 != 0
}

// PassableTiles returns the number of tiles that can be walked on.
func (m *Map) PassableTiles() int {
	n := 0
	for _, word := range m.passable {
		n += bits.OnesCount64(word)
	}
	return n
}

// Set sets tile (x, y).
//
// Panics outside the map.
func (m *Map) Set(x, y int, tile Tile) {
	if uint(x) >= uint(m.Width) || uint(y) >= uint(m.Height) {
		panic(fmt.Sprintf("space: tile (%d, %d) is outside the map of %d x %d", x, y, m.Width, m.Height))
	}
	row := y * m.rowWords
	setBits(m.passable[row:row+m.rowWords], x, x+1, tile == Ground)
	setBits(m.opaque[row:row+m.rowWords], x, x+1, tile == Wall)
}

// Fill sets a rectangle of tiles with its first corner at (x, y). It returns the number of tiles that became impassable
// minus the number that became passable.
//
// Panics when the rectangle does not lie on the map.
func (m *Map) Fill(x, y, width, height int, tile Tile) (closed int) {
	if x < 0 || y < 0 || width < 0 || height < 0 || x+width > m.Width || y+height > m.Height {
		panic(fmt.Sprintf("space: a rectangle of %d x %d tiles at (%d, %d) is not on the map of %d x %d",
			width, height, x, y, m.Width, m.Height))
	}
	for row := y; row < y+height; row++ {
		at := row * m.rowWords
		passable := m.passable[at : at+m.rowWords]
		before := countBits(passable, x, x+width)
		setBits(passable, x, x+width, tile == Ground)
		setBits(m.opaque[at:at+m.rowWords], x, x+width, tile == Wall)
		closed += before - countBits(passable, x, x+width)
	}
	return closed
}

// RandomPoint returns a point on a passable tile that keeps a clearance from the walls, in metres: that of the body
// that is to stand there, see [Clearance], or [MaxClearance] for any body. 0 allows all points. All passable tiles are
// equally likely, and so are all points of a tile that keep the clearance. The result depends on the map, the draw and
// the clearance only; take draws from a stream that is keyed by the purpose of the point. ok is false when the map has
// no passable tile.
func (m *Map) RandomPoint(draw uint64, clearance float32) (at components.Vec2, ok bool) {
	x, y := 0, 0
	// On most maps a few tries find a passable tile; on others the scan does.
	for try := range uint64(64) {
		x = int(random.Below(random.Mix(draw, 2*try), uint32(m.Width)))
		y = int(random.Below(random.Mix(draw, 2*try+1), uint32(m.Height)))
		if m.Passable(x, y) {
			ok = true
			break
		}
	}
	if !ok {
		if x, y, ok = m.nextPassable(x, y); !ok {
			return at, false
		}
	}
	f := FootingAt(m, TileCentre(x, y))
	clearance = min(clearance, MaxClearance)
	left, width := f.room(1, 0, clearance)
	top, height := f.room(0, 1, clearance)
	for try := range uint64(16) { // more than a third of the points are clear of all four corners
		dx := left + random.Below(random.Mix(draw, 1000+2*try), width)
		dy := top + random.Below(random.Mix(draw, 1001+2*try), height)
		at.X = float32(x) + float32(float32(dx)/pointsPerMetre)
		at.Y = float32(y) + float32(float32(dy)/pointsPerMetre)
		if f.keepsOff(at, clearance) {
			return at, true
		}
	}
	at, _ = f.KeepOff(at, clearance)
	return at, true
}

// pointsPerMetre is how fine random points lie: their coordinates are exact in a float32 on the largest map and never
// reach the next tile.
const pointsPerMetre = 256

// room returns the first of the random points across a tile, along the axis (dx, dy), that the walls on the two sides
// leave free, and how many there are.
func (f *Footing) room(dx, dy int, clearance float32) (first, count uint32) {
	first, end := uint32(0), uint32(pointsPerMetre)
	if !f.Passable(-dx, -dy) {
		for float32(first)/pointsPerMetre < clearance {
			first++
		}
	}
	if !f.Passable(dx, dy) {
		for float32(end-1)/pointsPerMetre > 1-clearance {
			end--
		}
	}
	return first, end - first
}

// nextPassable returns the first passable tile after (x, y) in reading order, starting over at the end.
func (m *Map) nextPassable(x, y int) (int, int, bool) {
	tiles := m.Width * m.Height
	for i := range tiles {
		at := (y*m.Width + x + i) % tiles
		if m.Passable(at%m.Width, at/m.Width) {
			return at % m.Width, at / m.Width, true
		}
	}
	return 0, 0, false
}

// passableWord returns the passable tiles among the 64 tiles of a row that start at (x, y), as the bits of a word.
func (m *Map) passableWord(x, y int) uint64 {
	if uint(y) >= uint(m.Height) {
		return 0
	}
	return wordAt(m.passable[y*m.rowWords:(y+1)*m.rowWords], x)
}

// opaqueWord returns the opaque tiles among the 64 tiles of a row that start at (x, y), as the bits of a word.
func (m *Map) opaqueWord(x, y int) uint64 {
	if uint(y) >= uint(m.Height) {
		return ^uint64(0)
	}
	word := wordAt(m.opaque[y*m.rowWords:(y+1)*m.rowWords], x)
	if x < 0 {
		word |= 1<<min(-x, 64) - 1 // all, where the shift is 64
	}
	if beyond := x + 64 - m.Width; beyond > 0 {
		word |= ^(^uint64(0) >> min(beyond, 64))
	}
	return word
}

// wordAt returns the 64 bits of a row of words from bit x on, which may be negative; 0 for those that it lacks.
func wordAt(row []uint64, x int) uint64 {
	i, shift := x>>6, x&63
	word := uint64(0)
	if uint(i) < uint(len(row)) {
		word = row[i] >> shift
	}
	if uint(i+1) < uint(len(row)) {
		word |= row[i+1] << (64 - shift) // nothing where the shift is 0
	}
	return word
}

// setBits sets or clears the bits from up to but not including to.
func setBits(words []uint64, from, to int, on bool) {
	for from < to {
		word, bit := from>>6, from&63
		n := min(64-bit, to-from)
		mask := ^uint64(0) >> (64 - n) << bit
		if on {
			words[word] |= mask
		} else {
			words[word] &^= mask
		}
		from += n
	}
}

// countBits counts the bits that are set from up to but not including to.
func countBits(words []uint64, from, to int) int {
	n := 0
	for from < to {
		word, bit := from>>6, from&63
		width := min(64-bit, to-from)
		n += bits.OnesCount64(words[word] >> bit & (^uint64(0) >> (64 - width)))
		from += width
	}
	return n
}
