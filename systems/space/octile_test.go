package space_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestLettersSayWhereToWalkAndWhatToSeeThrough(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText(".GS@OTW"))
	require.Equal(t, 7, m.Width)
	require.Equal(t, 1, m.Height)
	for x, want := range []struct{ passable, opaque bool }{
		{true, false}, {true, false}, {true, false}, // . G S
		{false, true}, {false, true}, {false, true}, // @ O T
		{false, false}, // W
	} {
		assert.Equal(t, want.passable, m.Passable(x, 0), "passable %d", x)
		assert.Equal(t, want.opaque, m.Opaque(x, 0), "opaque %d", x)
	}
	assert.Equal(t, 3, m.PassableTiles())
}

func TestTheFirstRowOfTheFileIsRowZero(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText("@..", "..@"))
	assert.False(t, m.Passable(0, 0))
	assert.True(t, m.Passable(2, 0))
	assert.False(t, m.Passable(2, 1))
}

func TestParseMapAcceptsTheFormatsVariants(t *testing.T) {
	want := testworld.ParsedMap(t, testworld.MapText("..@", "W.."))
	for name, text := range map[string]string{
		"CRLF":               "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n..@\r\nW..\r\n",
		"no end of line":     "type octile\nheight 2\nwidth 3\nmap\n..@\nW..",
		"width first":        "type octile\nwidth 3\nheight 2\nmap\n..@\nW..\n",
		"blank lines at end": "type octile\nheight 2\nwidth 3\nmap\n..@\nW..\n\n \r\n",
		"blanks after words": "type octile \nheight 2\t\nwidth 3  \nmap \n..@\nW..\n",
		"other letters":      "type octile\nheight 2\nwidth 3\nmap\nG.T\nWS.\n",
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, want, testworld.ParsedMap(t, text)) })
	}
}

func TestParseMapErrors(t *testing.T) {
	const shape = "want the lines: type octile, height H, width W, map"
	header := func(height, width string) string {
		return "type octile\nheight " + height + "\nwidth " + width + "\nmap\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":           {"", "m: the file is empty; " + shape},
		"type missing":    {"height 1\nwidth 1\nmap\n.\n", "m:1: height before the type; want type octile first"},
		"type twice":      {"type octile\ntype octile\n", "m:2: a second type; want one"},
		"other type":      {"type tile\n", `m:1: type "tile"; want type octile`},
		"height missing":  {"type octile\nwidth 1\nmap\n.\n", "m:3: map before the height; " + shape},
		"width missing":   {"type octile\nheight 1\nmap\n.\n", "m:3: map before the width; " + shape},
		"map alone":       {"map\n.\n", "m:1: map before the type; " + shape},
		"height twice":    {"type octile\nheight 1\nheight 1\n", "m:3: a second height; want one"},
		"width twice":     {"type octile\nwidth 1\nwidth 2\n", "m:3: a second width; want one"},
		"map missing":     {"type octile\nheight 1\nwidth 1\n.\n", `m:4: header line "."; ` + shape},
		"map with more":   {"type octile\nheight 1\nwidth 1\nmap x\n.\n", `m:4: map "x"; want the line map alone`},
		"header only":     {"type octile\nheight 1\n", "m:2: the file ends in the header; " + shape},
		"blank in header": {"type octile\n\nheight 1\n", `m:2: header line ""; ` + shape},
		"garbled header":  {"type octile\nhöhe 3\n", `m:2: header line "höhe 3"; ` + shape},
		"long garbage": {strings.Repeat("x", 100) + "\n",
			`m:1: header line "` + strings.Repeat("x", 40) + `"…; ` + shape},
		"height not number": {header("one", "1"), `m:2: height "one" is not a number; want 1 to 16384`},
		"height empty":      {"type octile\nheight\n", `m:2: height "" is not a number; want 1 to 16384`},
		"height fraction":   {header("1.5", "1"), `m:2: height "1.5" is not a number; want 1 to 16384`},
		"height zero":       {header("0", "1"), "m:2: height 0; want 1 to 16384"},
		"height negative":   {header("-3", "1"), "m:2: height -3; want 1 to 16384"},
		"height 10^9":       {header("1000000000", "1"), "m:2: height 1000000000; want 1 to 16384"},
		"height beyond int": {header("99999999999999999999", "1"), "m:2: height 99999999999999999999; want 1 to 16384"},
		"width 10^9":        {header("1", "1000000000"), "m:3: width 1000000000; want 1 to 16384"},
		"width negative":    {header("1", "-1"), "m:3: width -1; want 1 to 16384"},
		"row missing": {header("3", "2") + "..\n..\n",
			"m:6: the file ends after row 2 of 3; want 1 more of 2 letters"},
		"no rows": {header("3", "2"), "m:4: the file ends after row 0 of 3; want 3 more of 2 letters"},
		"row too short": {header("2", "3") + "...\n..\n",
			"m:6: row 2 has 2 letters; want 3, the width in the header"},
		"row too long": {header("2", "3") + "....\n...\n",
			"m:5: row 1 has 4 letters; want 3, the width in the header"},
		"blank row": {header("2", "3") + "...\n\n...\n",
			"m:6: row 2 has 0 letters; want 3, the width in the header"},
		"row too many": {header("1", "3") + "...\n...\n",
			"m:6: a line after the last row; want 1 rows, the height in the header"},
		"unknown letter": {header("2", "3") + "...\n.x.\n",
			`m:6:2: unknown letter "x"; want one of .GS (ground), @OT (wall) or W (water)`},
		"small letter": {header("1", "3") + "..t\n",
			`m:5:3: unknown letter "t"; want one of .GS (ground), @OT (wall) or W (water)`},
		"byte that is none": {header("1", "1") + "\xff\n",
			`m:5:1: unknown letter "\xff"; want one of .GS (ground), @OT (wall) or W (water)`},
		"no passable tile": {header("2", "2") + "@W\nTO\n",
			"m: no tile can be walked on; want at least one of the letters .GS"},
		"endless line": {strings.Repeat("type ", 1<<16),
			"m:1: the line is longer than any row can be; want at most 16384 letters"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := space.ParseMap("m", strings.NewReader(c.text))
			assert.EqualError(t, err, c.want)
			assert.Nil(t, m)
		})
	}
}

func TestParseMapTakesMemoryForRowsThatAreThereOnly(t *testing.T) {
	claim := "type octile\nheight 16384\nwidth 16384\nmap\n.\n"
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := space.ParseMap("m", strings.NewReader(claim))
			require.Error(b, err)
		}
	})
	assert.Less(t, result.AllocedBytesPerOp(), int64(64<<10))
}

func TestParseMapPassesAReadErrorOn(t *testing.T) {
	broken := errors.New("cable cut")
	_,
		err := space.ParseMap("m",
		io.MultiReader(strings.NewReader("type octile\nheight 2\n"), iotest.ErrReader(broken)))
	assert.ErrorIs(t, err, broken)
	assert.EqualError(t, err, "m:3: cable cut")
}

func TestLoadMapNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "town.map")
	_, err := space.LoadMap(path)
	assert.EqualError(t, err, "open "+path+": no such file or directory; want a map in the MovingAI octile format")
	require.NoError(t, os.WriteFile(path, []byte(testworld.MapText("..", "x.")), 0o600))
	_, err = space.LoadMap(path)
	assert.EqualError(t, err, path+`:6:1: unknown letter "x"; want one of .GS (ground), @OT (wall) or W (water)`)
	require.NoError(t, os.WriteFile(path, []byte(testworld.MapText("..", "@.")), 0o600))
	m, err := space.LoadMap(path)
	require.NoError(t, err)
	assert.Equal(t, 3, m.PassableTiles())
}

// realMaps are city maps that are not part of the project. The counts were taken from the files with tr and wc.
var realMaps = map[string]struct{ width, height, ground int }{
	"Berlin_0_256.map": {256, 256, 47964 + 183},
	"Denver_0_256.map": {256, 256, 48054 + 148},
}

func loadRealMap(t testing.TB, name string) *space.Map {
	path := filepath.Join("..", "..", "shared", "maps", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no real maps here: %v", err)
	}
	m, err := space.LoadMap(path)
	require.NoError(t, err)
	return m
}

func TestRealMapsHaveTheGroundThatTheirFilesShow(t *testing.T) {
	for name, want := range realMaps {
		t.Run(name, func(t *testing.T) {
			m := loadRealMap(t, name)
			assert.Equal(t, want.width, m.Width)
			assert.Equal(t, want.height, m.Height)
			text, err := os.ReadFile(filepath.Join("..", "..", "shared", "maps", name))
			require.NoError(t, err)
			_, rows, _ := bytes.Cut(text, []byte("\nmap\r\n"))
			letters := bytes.Count(rows, []byte(".")) + bytes.Count(rows, []byte("G")) + bytes.Count(rows, []byte("S"))
			assert.Equal(t, want.ground, letters)
			assert.Equal(t, want.ground, m.PassableTiles())
			count := 0
			for y := range m.Height {
				for x := range m.Width {
					if m.Passable(x, y) {
						count++
					}
				}
			}
			assert.Equal(t, want.ground, count)
		})
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteMapFailsWithItsWriter(t *testing.T) {
	full := errors.New("disk full")
	assert.ErrorIs(t, space.WriteMap(failingWriter{full}, space.NewMap(100, 100)), full)
}

func FuzzParseMap(f *testing.F) {
	f.Add([]byte(testworld.MapText("..@", "W..", "TGS")))
	f.Add([]byte("type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.@\r\n"))
	f.Add([]byte("type octile\nheight 1000000000\nwidth 1\nmap\n"))
	f.Add([]byte("type octile\nheight 2\nwidth 70\nmap\n" + strings.Repeat(".", 70) + "\n" + strings.Repeat("@", 70)))
	f.Add([]byte("map\nmap\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := space.ParseMap("fuzz", bytes.NewReader(text))
		if err != nil {
			require.Nil(t, m)
			require.NotContains(t, err.Error(), "\n")
			require.True(t, strings.HasPrefix(err.Error(), "fuzz:"), err.Error())
			return
		}
		require.Positive(t, m.PassableTiles())
		var out bytes.Buffer
		require.NoError(t, space.WriteMap(&out, m))
		again, err := space.ParseMap("again", &out)
		require.NoError(t, err)
		require.Equal(t, m, again)
	})
}
