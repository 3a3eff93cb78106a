package space

import (
	"fmt"
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// MaxMapSide is the most tiles that a map can have in a row or a column. Up to there a float32 places an
// agent to the millimetre, and the largest map takes 64 MB.
const MaxMapSide = 16384

// Map is the ground that agents walk on and look across: tiles of one metre, tile (x, y) being the
// square from (x, y) to (x+1, y+1). A tile can be walked on or not, and it can be seen through or not.
// Everything outside the map is a wall.
//
// Make one with [NewMap], [LoadMap] or [ParseMap]; the zero value has no tiles. It can be read by many goroutines.
// [Map.Set] and [Map.Fill] are for between frames.
type Map struct {
	Width  int // columns, which are metres; read only
	Height int // rows, which are metres; read only

	rowWords int      // words in a row of passable and opaque
	passable []uint64 // bit x of row y: agents can stand there
	opaque   []uint64 // bit x of row y: it stops a line of sight
}

// Tile is what a square metre of the map is.
type Tile uint8

const (
	Ground Tile = iota // Ground is walked on and seen across.
	Wall               // Wall is neither walked on nor seen across.
	Water              // Water is seen across and not walked on.
)

// NewMap returns a map of ground alone.
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

// Passable reports whether an agent can stand on tile (x, y). Outside the map it cannot.
func (m *Map) Passable(x, y int) bool {
	if uint(x) >= uint(m.Width) || uint(y) >= uint(m.Height) {
		return false
	}
	return m.passable[y*m.rowWords+x>>6]>>(x&63)&1 != 0
}

// Opaque reports whether tile (x, y) stops a line of sight. Outside the map it does.
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

// Fill sets a rectangle of tiles, whose first is (x, y). It returns how many of them became impassable, less how many
// became passable.
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

// RandomPoint returns a point on a tile that can be walked on, all such tiles and all places on them
// being equally likely. It is a function of the map and the draw alone; take draws from a stream
// that is keyed by what the point is for. ok is false when the map has no such tile.
func (m *Map) RandomPoint(draw uint64) (at components.Vec2, ok bool) {
	x, y := 0, 0
	// On most maps a few tries find ground; on others the scan does.
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
	// 8 bits of place in a tile are exact in a float32 on the largest map and never reach the next tile.
	at.X = float32(x) + float32(float32(random.Below(random.Mix(draw, 1000), 256))/256)
	at.Y = float32(y) + float32(float32(random.Below(random.Mix(draw, 1001), 256))/256)
	return at, true
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

// passableWord returns 64 tiles of a row from (x, y) on, as the bits of a word. Outside the map is wall.
func (m *Map) passableWord(x, y int) uint64 {
	if uint(y) >= uint(m.Height) {
		return 0
	}
	row := m.passable[y*m.rowWords : (y+1)*m.rowWords]
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
