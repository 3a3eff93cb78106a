package lod_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// The cases of testdata/lod_cases.json: the rules L1 to L12 in small. Each runs with the herd in several storage
// layouts, none of which may make a difference.

const caseFPS = 1_000_000 // a frame is 1000 ns, and so is the clock's step

// layouts divide a herd into chunks, in different orders.
var layouts = map[string]func(*herd) []lod.Chunk{
	"one chunk": func(h *herd) []lod.Chunk {
		return []lod.Chunk{{Entities: h.entities, LODs: h.lods, Transforms: h.transforms}}
	},
	"a chunk each": func(h *herd) []lod.Chunk { return h.chunks(1) },
	"threes":       func(h *herd) []lod.Chunk { return h.chunks(3) },
	"backwards": func(h *herd) []lod.Chunk {
		slices.Reverse(h.entities)
		slices.Reverse(h.lods)
		slices.Reverse(h.transforms)
		return h.chunks(2)
	},
}

// herd is agents in columns.
type herd struct {
	entities   []components.Entity
	lods       []components.LOD
	transforms []components.Transform
}

func (h *herd) chunks(rows int) []lod.Chunk {
	var chunks []lod.Chunk
	for i := 0; i < len(h.lods); i += rows {
		j := min(i+rows, len(h.lods))
		chunks = append(chunks, lod.Chunk{Entities: h.entities[i:j], LODs: h.lods[i:j], Transforms: h.transforms[i:j]})
	}
	return chunks
}

func (h *herd) row(entity uint32) int {
	return slices.IndexFunc(h.entities, func(e components.Entity) bool { return e.Index == entity })
}

func (h *herd) add(entity uint32, l components.LOD, at components.Vec2) int {
	h.entities = append(h.entities, components.Entity{Index: entity})
	h.lods = append(h.lods, l)
	h.transforms = append(h.transforms, components.Transform{Position: at})
	return len(h.lods) - 1
}

// remove moves the last row into the gap, as an archetype does.
func (h *herd) remove(row int) {
	last := len(h.lods) - 1
	h.entities[row], h.lods[row], h.transforms[row] = h.entities[last], h.lods[last], h.transforms[last]
	h.entities, h.lods, h.transforms = h.entities[:last], h.lods[:last], h.transforms[:last]
}

// due returns the entities that decide, with the frames elapsed.
func (h *herd) due(now components.Timestamp) map[uint32]int {
	due := map[uint32]int{}
	for i := range h.lods {
		if l := &h.lods[i]; l.Due() {
			due[h.entities[i].Index] = int(l.Elapsed(now) / 1000)
		}
	}
	return due
}

// origin is where the only observer of the cases stands that give squared distances.
var origin = []components.Vec2{{}}

// atSquare returns a position at a squared distance from the origin.
func atSquare(t require.TestingT, d2 float64) components.Vec2 {
	at := components.Vec2{X: float32(math.Sqrt(d2))}
	require.InDelta(t, d2, at.X*at.X, d2*1e-6)
	return at
}

// caseConfig is the configuration of periods in frames, nil for frozen.
func caseConfig(radii []float32, hysteresis float32, periods []*int, caps []*int) lod.Config {
	config := lod.Config{Hysteresis: hysteresis, Every: 1}
	for i, radius := range radii {
		tier := lod.Tier{Radius: radius, Rate: caseFPS / float32(*periods[i])}
		if i < len(caps) {
			tier.Cap = caps[i]
		}
		config.Tiers = append(config.Tiers, tier)
	}
	if last := periods[len(periods)-1]; last != nil {
		config.SlowLane = caseFPS / float32(*last)
	}
	return config
}

func newCadence(t require.TestingT, config lod.Config, fps int) *lod.Cadence {
	c, err := lod.NewCadence(config, fps)
	require.NoError(t, err)
	return c
}

// defaultPeriods are the periods of cases that give none.
func defaultPeriods(radii []float32) []*int {
	periods := make([]*int, len(radii)+1)
	for i := range radii {
		periods[i] = new(i + 1)
	}
	return periods
}

// decode is strict: a key that the test does not know, and so would not check, is an error.
func decode(t require.TestingT, raw []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(into))
}

type caseHead struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Purpose string   `json:"purpose"`
	Rules   []string `json:"rules"`
}

func TestCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/lod_cases.json")
	require.NoError(t, err)
	var file struct {
		Schema   int               `json:"schema"`
		About    string            `json:"about"`
		Notation map[string]string `json:"notation"`
		Rules    map[string]string `json:"rules"`
		Cases    []json.RawMessage `json:"cases"`
	}
	decode(t, raw, &file)
	require.Equal(t, 1, file.Schema)
	kinds := map[string]func(t *testing.T, raw []byte, layout func(*herd) []lod.Chunk){
		"ring":    distanceTierCase,
		"nearest": nearestCase,
		"assign":  assignCase,
		"passes":  passesCase,
		"frames":  framesCase,
	}
	ran, shown := map[string]int{}, map[string]bool{}
	for _, raw := range file.Cases {
		var head caseHead
		require.NoError(t, json.Unmarshal(raw, &head))
		run := kinds[head.Kind]
		require.NotNil(t, run, "case %s is of unknown kind %q", head.ID, head.Kind)
		ran[head.Kind]++
		for _, rule := range head.Rules {
			require.Contains(t, file.Rules, rule)
			shown[rule] = true
		}
		for name, layout := range layouts {
			t.Run(head.ID+"/"+strings.ReplaceAll(name, " ", "_"), func(t *testing.T) { run(t, raw, layout) })
		}
	}
	for kind := range kinds {
		require.NotZero(t, ran[kind], "no case of kind %s", kind)
	}
	for rule := range file.Rules {
		if rule != "L12" { // shown by the longest_wait of frames cases
			require.True(t, shown[rule], "no case of rule %s", rule)
		}
	}
}

// One agent each: its distance tier before, its distance, its distance tier after.
func distanceTierCase(t *testing.T, raw []byte, layout func(*herd) []lod.Chunk) {
	var c struct {
		caseHead
		Radii      []float32 `json:"radii"`
		Hysteresis float32   `json:"hysteresis"`
		Agents     []struct {
			D2     float64 `json:"d2"`
			Ring   *uint8  `json:"ring"`
			Expect *uint8  `json:"expect"`
		} `json:"agents"`
	}
	decode(t, raw, &c)
	require.NotEmpty(t, c.Agents)
	cadence := newCadence(t, caseConfig(c.Radii, c.Hysteresis, defaultPeriods(c.Radii), nil), caseFPS)
	var h herd
	for i, a := range c.Agents {
		l := components.NewLOD()
		if a.Ring != nil {
			l.DistanceTier, l.Tier, l.Flags = *a.Ring, *a.Ring, lodflag.Seen
		}
		h.add(uint32(i), l, atSquare(t, a.D2))
	}
	cadence.Frame(1, 1000, layout(&h), origin)
	for i, a := range c.Agents {
		require.NotNil(t, a.Expect)
		l := h.lods[h.row(uint32(i))]
		require.Equal(t, *a.Expect, l.DistanceTier, "line %d", i)
		require.Equal(t, *a.Expect, l.Tier, "line %d", i)
	}
}

// Agents and observers by position.
func nearestCase(t *testing.T, raw []byte, layout func(*herd) []lod.Chunk) {
	var c struct {
		caseHead
		Radii      []float32    `json:"radii"`
		Hysteresis float32      `json:"hysteresis"`
		Observers  [][2]float32 `json:"observers"`
		Agents     []struct {
			Position [2]float32 `json:"position"`
			D2       *float32   `json:"d2"`
			Expect   *uint8     `json:"expect"`
		} `json:"agents"`
	}
	decode(t, raw, &c)
	require.NotEmpty(t, c.Agents)
	var observers []components.Vec2
	for _, o := range c.Observers {
		observers = append(observers, components.Vec2{X: o[0], Y: o[1]})
	}
	rings := func(config lod.Config, layout func(*herd) []lod.Chunk) []uint8 {
		var h herd
		for i, a := range c.Agents {
			h.add(uint32(i), components.NewLOD(), components.Vec2{X: a.Position[0], Y: a.Position[1]})
		}
		newCadence(t, config, caseFPS).Frame(1, 1000, layout(&h), observers)
		var got []uint8
		for i := range c.Agents {
			got = append(got, h.lods[h.row(uint32(i))].DistanceTier)
		}
		return got
	}
	got := rings(caseConfig(c.Radii, c.Hysteresis, defaultPeriods(c.Radii), nil), layout)
	for i, a := range c.Agents {
		require.NotNil(t, a.Expect)
		require.Equal(t, *a.Expect, got[i], "line %d", i)
		// The squared distance itself: a radius right at it has the agent outside, one right above it inside.
		require.NotNil(t, a.D2)
		d := float32(math.Sqrt(float64(*a.D2)))
		require.Equal(t, *a.D2, d*d)
		above := math.Nextafter32(d, 2*d)
		require.Equal(t, uint8(1), rings(caseConfig([]float32{d}, 0, defaultPeriods([]float32{d}), nil), layout)[i])
		require.Equal(t, uint8(0),
			rings(caseConfig([]float32{above}, 0, defaultPeriods([]float32{above}), nil), layout)[i])
	}
}

// byEntity turns the keys of a JSON object into entities.
func byEntity(t *testing.T, of map[string]uint8) map[uint32]uint8 {
	got := map[uint32]uint8{}
	for key, value := range of {
		var entity uint32
		_, err := fmt.Sscan(key, &entity)
		require.NoError(t, err)
		got[entity] = value
	}
	return got
}

// Passes over distances in a row.
func passesCase(t *testing.T, raw []byte, layout func(*herd) []lod.Chunk) {
	var c struct {
		caseHead
		Periods    []*int    `json:"periods"`
		Radii      []float32 `json:"radii"`
		Hysteresis float32   `json:"hysteresis"`
		Caps       []*int    `json:"caps"`
		Passes     []struct {
			Agents []struct {
				ID         uint32  `json:"id"`
				D2         float64 `json:"d2"`
				Importance *uint8  `json:"importance"`
			} `json:"agents"`
			Ring   map[string]uint8 `json:"ring"`
			Expect map[string]uint8 `json:"expect"`
		} `json:"passes"`
	}
	decode(t, raw, &c)
	requireUncapped(t, c.Periods, c.Caps)
	require.NotEmpty(t, c.Passes)
	cadence := newCadence(t, caseConfig(c.Radii, c.Hysteresis, c.Periods, c.Caps), caseFPS)
	var h herd
	for n, pass := range c.Passes {
		for _, a := range pass.Agents {
			row := h.row(a.ID)
			if row < 0 {
				row = h.add(a.ID, components.NewLOD(), components.Vec2{})
			}
			h.transforms[row].Position = atSquare(t, a.D2)
			h.lods[row].Importance = importanceOf(a.Importance)
		}
		require.Len(t, h.lods, len(pass.Agents))
		cadence.Frame(uint32(n+1), components.Timestamp(n+1)*1000, layout(&h), origin)
		rings, tiers := map[uint32]uint8{}, map[uint32]uint8{}
		for i, e := range h.entities {
			rings[e.Index], tiers[e.Index] = h.lods[i].DistanceTier, h.lods[i].Tier
		}
		require.Equal(t, byEntity(t, pass.Ring), rings, "pass %d", n)
		require.Equal(t, byEntity(t, pass.Expect), tiers, "pass %d", n)
	}
}

// A run of frames. The tiers that the case gives are distance tiers here: tier t lies between 10t and 10t+10 metres.
func framesCase(t *testing.T, raw []byte, layout func(*herd) []lod.Chunk) {
	var c struct {
		caseHead
		Periods []*int `json:"periods"`
		Budget  *int   `json:"budget"`
		Frames  []struct {
			Before [][]any  `json:"before"`
			Due    [][2]int `json:"due"`
		} `json:"frames"`
		LongestWait *int `json:"longest_wait"`
	}
	decode(t, raw, &c)
	require.NotEmpty(t, c.Frames)
	var radii []float32
	for t := range len(c.Periods) - 1 {
		radii = append(radii, float32(10*t+10))
	}
	config := caseConfig(radii, 0, c.Periods, nil)
	if c.Budget != nil {
		config.Budget = *c.Budget
	}
	cadence := newCadence(t, config, caseFPS)
	inTier := func(tier float64) components.Vec2 { return components.Vec2{X: float32(10*tier + 5)} }

	var h herd
	var chunks []lod.Chunk
	for n, frame := range c.Frames {
		for _, event := range frame.Before {
			number := func(i int) float64 { return event[i].(float64) }
			entity := uint32(number(1))
			switch event[0] {
			case "spawn":
				require.Len(t, event, 3)
				h.add(entity, components.NewLOD(), inTier(number(2)))
			case "leave":
				require.Len(t, event, 2)
				h.remove(h.row(entity))
			case "move":
				require.Len(t, event, 3)
				h.transforms[h.row(entity)].Position = inTier(number(2))
			case "wake":
				require.Len(t, event, 2)
				h.lods[h.row(entity)].Flags |= lodflag.Woken
			default:
				require.Fail(t, "unknown event", "%v", event)
			}
		}
		now := components.Timestamp(n+1) * 1000
		chunks = layout(&h)
		cadence.Frame(uint32(n+1), now, chunks, origin)
		want := map[uint32]int{}
		for _, d := range frame.Due {
			want[uint32(d[0])] = d[1]
		}
		require.Equal(t, want, h.due(now), "frame %d", n+1)
	}
	if c.LongestWait != nil {
		require.Equal(t, *c.LongestWait, cadence.LongestWait(chunks))
	}
}
