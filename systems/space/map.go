package space

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"strconv"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// MaxMapSide is the most tiles a map can have in a row or a column. Up to there a float32 places an
// agent to the millimetre, and the largest map takes 64 MB.
const MaxMapSide = 16384

// Map is the ground that agents walk on and look across: tiles of one metre, tile (x, y) being the
// square from (x, y) to (x+1, y+1). A tile can be walked on or not, and it can be seen through or not.
// Everything outside the map is a wall.
//
// Make one with [LoadMap], [ParseMap], [town.Generate] or [NewMap]. It may be read by many goroutines; [Map.Set] is for
// between frames.
type Map struct {
	Width, Height int // tiles, which are metres

	rowWords int      // words in a row of passable and opaque
	passable []uint64 // bit x of row y: agents can stand there
	opaque   []uint64 // bit x of row y: nobody sees through
}

// Tile is what a square metre of the map is.
type Tile uint8

// The tiles.
const (
	Ground Tile = iota // walked on, seen across
	Wall               // neither
	Water              // seen across, not walked on
)

// The letters of the MovingAI format, by the tile they stand for. Swamp (S) is ground here: the format
// makes it slower, not closed. Water (W) stops legs but not eyes.
const (
	groundLetters = ".GS"
	wallLetters   = "@OT"
	waterLetters  = "W"
)

// NewMap returns a map of ground alone. It panics when a side is below 1 or above [MaxMapSide].
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

// Opaque reports whether tile (x, y) stops a look. Outside the map it does.
func (m *Map) Opaque(x, y int) bool {
	if uint(x) >= uint(m.Width) || uint(y) >= uint(m.Height) {
		return true
	}
	return m.opaque[y*m.rowWords+x>>6]>>(x&63)&1 != 0
}

// PassableTiles counts the tiles that can be walked on.
func (m *Map) PassableTiles() int {
	n := 0
	for _, word := range m.passable {
		n += bits.OnesCount64(word)
	}
	return n
}

// Set makes tile (x, y) what it is told. It panics outside the map.
func (m *Map) Set(x, y int, tile Tile) {
	if uint(x) >= uint(m.Width) || uint(y) >= uint(m.Height) {
		panic(fmt.Sprintf("space: tile (%d, %d) is outside the map of %d x %d", x, y, m.Width, m.Height))
	}
	row := y * m.rowWords
	setBits(m.passable[row:row+m.rowWords], x, x+1, tile == Ground)
	setBits(m.opaque[row:row+m.rowWords], x, x+1, tile == Wall)
}

// RandomPoint returns a point on a tile that can be walked on, all such tiles and all places on them
// being equally likely. It is a function of the map and the draw alone; take draws from a stream
// that is keyed by what the point is for. ok is false when the map has no such tile.
func (m *Map) RandomPoint(draw uint64) (at components.Vec2, ok bool) {
	x, y := 0, 0
	// On any map worth the name a few tries find ground; what a map without has is found by the scan.
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

// LoadMap reads a map file, see [ParseMap].
func LoadMap(path string) (*Map, error) {
	// A pipe would be waited for and a directory read as an empty file, so neither is opened.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file; want a map in the MovingAI octile format", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; want a map in the MovingAI octile format", err)
	}
	defer file.Close()
	return ParseMap(path, file)
}

// ParseMap reads a map in the MovingAI octile format: the lines `type octile`, `height H`, `width W`
// and `map`, then H rows of W letters. The letters . G (ground) and S (swamp) can be walked on; @ O (out
// of bounds) and T (trees) are walls; W (water) can be looked across but not walked on. Height and width
// may come in either order, lines may end in CRLF, and blank lines may follow the last row.
//
// An error names the file as name, the line (and the column of a letter), what was wrong and what
// would be right. Memory grows with the rows that are there, not with the size that the header claims.
func ParseMap(name string, r io.Reader) (*Map, error) {
	p := mapParser{name: name, in: bufio.NewReaderSize(r, MaxMapSide+64)}
	m, err := p.parse()
	if err != nil {
		return nil, err
	}
	return m, nil
}

// mapParser reads line by line and knows where it is.
type mapParser struct {
	name   string
	in     *bufio.Reader
	number int // of the last line read, from 1
	height int
	width  int
}

func (p *mapParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.name, p.number, fmt.Sprintf(format, args...))
}

// line returns the next line without its end, or io.EOF. It is valid until the next call.
func (p *mapParser) line() ([]byte, error) {
	line, err := p.in.ReadSlice('\n')
	if err == io.EOF && len(line) == 0 {
		return nil, io.EOF
	}
	p.number++
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, p.errorf("the line is longer than any row can be; want at most %d letters", MaxMapSide)
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("%s:%d: %w", p.name, p.number, err)
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

func (p *mapParser) parse() (*Map, error) {
	if err := p.header(); err != nil {
		return nil, err
	}
	m := &Map{Width: p.width, Height: p.height, rowWords: (p.width + 63) / 64}
	ground := 0
	for row := range p.height {
		line, err := p.line()
		if err == io.EOF {
			return nil, p.errorf("the file ends after row %d of %d; want %d more of %d letters", row,
				p.height, p.height-row, p.width)
		}
		if err != nil {
			return nil, err
		}
		n, err := p.row(m, row, line)
		if err != nil {
			return nil, err
		}
		ground += n
	}
	for {
		line, err := p.line()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return nil, p.errorf("a line after the last row; want %d rows, the height in the header", p.height)
		}
	}
	if ground == 0 {
		return nil, fmt.Errorf("%s: no tile can be walked on; want at least one of the letters %s",
			p.name, groundLetters)
	}
	return m, nil
}

// header reads up to the line that says map.
func (p *mapParser) header() error {
	const shape = "want the lines: type octile, height H, width W, map"
	typed := false
	for {
		line, err := p.line()
		if err == io.EOF {
			if p.number == 0 {
				return fmt.Errorf("%s: the file is empty; %s", p.name, shape)
			}
			return p.errorf("the file ends in the header; %s", shape)
		}
		if err != nil {
			return err
		}
		key, value, _ := bytes.Cut(bytes.TrimRight(line, " \t"), []byte(" "))
		switch string(key) {
		case "type":
			if typed {
				return p.errorf("a second type; want one")
			}
			if string(value) != "octile" {
				return p.errorf("type %s; want type octile", quote(value))
			}
			typed = true
			continue
		case "height", "width":
			if !typed {
				return p.errorf("%s before the type; want type octile first", key)
			}
			side := &p.height
			if string(key) == "width" {
				side = &p.width
			}
			if *side != 0 {
				return p.errorf("a second %s; want one", key)
			}
			n, err := strconv.Atoi(string(value))
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return p.errorf("%s %s is not a number; want 1 to %d", key, quote(value), MaxMapSide)
			}
			if n < 1 || n > MaxMapSide {
				return p.errorf("%s %s; want 1 to %d", key, value, MaxMapSide)
			}
			*side = n
			continue
		case "map":
			switch {
			case len(value) > 0:
				return p.errorf("map %s; want the line map alone", quote(value))
			case !typed:
				return p.errorf("map before the type; %s", shape)
			case p.height == 0:
				return p.errorf("map before the height; %s", shape)
			case p.width == 0:
				return p.errorf("map before the width; %s", shape)
			}
			return nil
		}
		return p.errorf("header line %s; %s", quote(line), shape)
	}
}

// row appends a row to the map and returns how many of its tiles can be walked on.
func (p *mapParser) row(m *Map, row int, line []byte) (ground int, err error) {
	for x, letter := range line {
		if x == p.width {
			break
		}
		if x&63 == 0 {
			m.passable = append(m.passable, 0)
			m.opaque = append(m.opaque, 0)
		}
		last := len(m.passable) - 1
		switch {
		case bytes.IndexByte([]byte(groundLetters), letter) >= 0:
			m.passable[last] |= 1 << (x & 63)
			ground++
		case bytes.IndexByte([]byte(wallLetters), letter) >= 0:
			m.opaque[last] |= 1 << (x & 63)
		case bytes.IndexByte([]byte(waterLetters), letter) >= 0:
		default:
			return 0, fmt.Errorf("%s:%d:%d: unknown letter %s; want one of %s (ground), %s (wall) or %s (water)",
				p.name, p.number, x+1, quote(line[x:x+1]), groundLetters, wallLetters, waterLetters)
		}
	}
	if len(line) != p.width {
		return 0, p.errorf("row %d has %d letters; want %d, the width in the header", row+1, len(line), p.width)
	}
	return ground, nil
}

// quote shows a piece of the file in an error, short and on one line.
func quote(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

// WriteMap writes a map in the format that [ParseMap] reads, with the letters . @ and W.
func WriteMap(w io.Writer, m *Map) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "type octile\nheight %d\nwidth %d\nmap\n", m.Height, m.Width)
	for y := range m.Height {
		for x := range m.Width {
			letter := byte('W')
			switch {
			case m.Passable(x, y):
				letter = '.'
			case m.Opaque(x, y):
				letter = '@'
			}
			out.WriteByte(letter)
		}
		out.WriteByte('\n')
	}
	return out.Flush() // the first error of all writes
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

// Fill makes a rectangle of tiles, whose first is (x, y), one kind of tile. It returns how many of them became
// impassable, less how many became passable. The rectangle must lie on the map.
func (m *Map) Fill(x, y, width, height int, tile Tile) (closed int) {
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
