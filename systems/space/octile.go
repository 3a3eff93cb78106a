package space

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// The letters of the MovingAI octile format, by the tile that they mean. Swamp (S) is ground here: in the format it is
// slower, not impassable.
const (
	groundLetters = ".GS"
	wallLetters   = "@OT"
	waterLetters  = "W"
)

// LoadMap reads a map file, see [ParseMap]. It returns an error when the path is not a regular file.
func LoadMap(path string) (*Map, error) {
	// Opening a pipe would block, and a directory would read as an empty file.
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
// can come in either order, lines can end in CRLF, and blank lines can follow the last row.
//
// An error has the name, the line (and the column of a letter), the fault and the expected content. Memory grows with
// the rows in the file, not with the size in the header.
func ParseMap(name string, r io.Reader) (*Map, error) {
	p := mapParser{name: name, in: bufio.NewReaderSize(r, MaxMapSide+64)}
	m, err := p.parse()
	if err != nil {
		return nil, err
	}
	return m, nil
}

// mapParser reads line by line and counts the lines.
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

// header reads the lines up to the line map.
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

// WriteMap writes a map in the format that [ParseMap] reads, with the letters . @ and W. It returns the first error of
// the writer.
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
