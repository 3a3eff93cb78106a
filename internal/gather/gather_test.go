package gather_test

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"testing"
	"unsafe"
	"weak"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// Gather reads columns by address. Here it is held to World.Get and plain field access.

type (
	rank  uint8 // a named integer, as users have them
	marks struct {
		Early bool // the fields after it are not at the start, some at odd places
		Tiny  int8
		Rank  rank
		Pulse float32
		Small int16
		Short uint16
		Late  bool
	}
	counts struct {
		Medium int32
		Wide   uint32
		Long   int64
		Plain  int
		Seen   components.Timestamp
		Foe    components.Entity
	}
	lone  struct{ Mood float32 } // a column of nothing but the fact
	extra struct{ Bytes [3]uint8 }
)

// reading is a fact and the safe way to its value.
type reading struct {
	fact blackboard.Fact
	read func(*gatherStage, arche.Entity) any // nil: the component is missing
}

func reads[C any, F any](fact blackboard.Fact, field func(*C) *F, value func(F) any) reading {
	return reading{fact, func(s *gatherStage, e arche.Entity) any {
		id := arche.ComponentID[C](s.world)
		if !s.world.Has(e, id) {
			return nil
		}
		return value(*field((*C)(s.world.Get(e, id))))
	}}
}

func readsInt[C any, I blackboard.Integer](name string, field func(*C) *I, def I) reading {
	return reads(blackboard.IntFact(name, field, def), field, func(v I) any { return int64(v) })
}

var readings = []reading{
	reads(blackboard.FloatFact("pulse", func(c *marks) *float32 { return &c.Pulse }, 0.5),
		func(c *marks) *float32 { return &c.Pulse }, anyOf),
	reads(blackboard.FloatFact("mood", func(c *lone) *float32 { return &c.Mood }, -3),
		func(c *lone) *float32 { return &c.Mood }, anyOf),
	readsInt("tiny", func(c *marks) *int8 { return &c.Tiny }, -7),
	readsInt("rank", func(c *marks) *rank { return &c.Rank }, 200),
	readsInt("small", func(c *marks) *int16 { return &c.Small }, math.MinInt16),
	readsInt("short", func(c *marks) *uint16 { return &c.Short }, math.MaxUint16),
	readsInt("medium", func(c *counts) *int32 { return &c.Medium }, math.MinInt32),
	readsInt("wide", func(c *counts) *uint32 { return &c.Wide }, math.MaxUint32),
	readsInt("long", func(c *counts) *int64 { return &c.Long }, math.MinInt64),
	readsInt("plain", func(c *counts) *int { return &c.Plain }, math.MaxInt-1),
	readsInt("plain, with another default", func(c *counts) *int { return &c.Plain }, 0),
	reads(blackboard.BoolFact("early", func(c *marks) *bool { return &c.Early }, true),
		func(c *marks) *bool { return &c.Early }, func(v bool) any { return v }),
	reads(blackboard.BoolFact("late", func(c *marks) *bool { return &c.Late }, false),
		func(c *marks) *bool { return &c.Late }, func(v bool) any { return v }),
	reads(blackboard.AgeFact("seen", func(c *counts) *components.Timestamp { return &c.Seen }),
		func(c *counts) *components.Timestamp { return &c.Seen }, func(v components.Timestamp) any { return int64(v) }),
	reads(blackboard.EntityFact("foe", func(c *counts) *components.Entity { return &c.Foe }),
		func(c *counts) *components.Entity { return &c.Foe }, func(v components.Entity) any { return v }),
}

func anyOf(v float32) any { return v }

// expected is what a lane must read, by the rules of components.Fact, and whether that stands for a float that is
// not finite.
func (r reading) expected(s *gatherStage, e arche.Entity) (value any, nonfinite bool) {
	v := r.read(s, e)
	switch r.fact.Kind() {
	case blackboard.Float:
		if v == nil {
			return r.fact.Field().DefaultFloat, false
		}
		if f := float64(v.(float32)); math.IsNaN(f) || math.IsInf(f, 0) {
			return r.fact.Field().DefaultFloat, true
		}
	case blackboard.Bool:
		if v == nil {
			return r.fact.Field().DefaultInt != 0, false
		}
	case blackboard.Age:
		if v == nil {
			return int64(0), false // never
		}
	case blackboard.Int:
		if v == nil {
			return r.fact.Field().DefaultInt, false
		}
	case blackboard.EntityRef:
		if v == nil || !slices.Contains(s.alive, v.(components.Entity)) {
			return components.Entity{}, false
		}
	}
	return v, false
}

// gatherStage is a world of random agents, of up to eight archetypes.
type gatherStage struct {
	world *arche.World
	alive []components.Entity
}

func drawGatherStage(t *rapid.T) *gatherStage {
	w := arche.NewWorld(rapid.SampledFrom([]int{1, 8, 128}).Draw(t, "capacity"))
	s := &gatherStage{world: &w}
	ids := []arche.ID{
		arche.ComponentID[marks](&w), arche.ComponentID[counts](&w), arche.ComponentID[lone](&w),
		arche.ComponentID[extra](&w),
	}
	mind := arche.ComponentID[components.Mind128](&w)
	var gone []components.Entity
	n := rapid.IntRange(1, 150).Draw(t, "entities")
	shapes := rapid.SliceOfN(rapid.IntRange(0, 15), 1, 5).Draw(t, "shapes")
	seed := rapid.Uint64().Draw(t, "values")
	for range n {
		shape := shapes[int(splitmix(&seed)%uint64(len(shapes)))]
		with := []arche.ID{mind}
		for bit, id := range ids {
			if shape>>bit&1 != 0 {
				with = append(with, id)
			}
		}
		e := w.NewEntity(with...)
		s.alive = append(s.alive, ecs.FromArche(e))
	}
	for range rapid.IntRange(0, n-1).Draw(t, "removals") { // which also move rows
		at := int(splitmix(&seed) % uint64(len(s.alive)))
		w.RemoveEntity(ecs.ToArche(s.alive[at]))
		gone = append(gone, s.alive[at])
		s.alive = slices.Delete(s.alive, at, at+1)
	}
	referents := append(append([]components.Entity{{}, {Index: 1 << 31, Generation: 9},
		{Index: 1, Generation: 1 << 20}}, gone...), s.alive...)
	for _, e := range s.alive {
		s.fill(ecs.ToArche(e), &seed, referents)
	}
	return s
}

// splitmix draws from a stream that rapid need not shrink value by value.
func splitmix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *gatherStage) fill(e arche.Entity, seed *uint64, referents []components.Entity) {
	at := ecs.FromArche(e)
	draw := func() uint64 { return splitmix(seed) }
	float := func() float32 {
		switch draw() % 8 {
		case 0:
			return math.Float32frombits(0x7fc00001 | uint32(draw())<<31) // NaN of either sign
		case 1:
			return float32(math.Inf(int(draw()&2) - 1))
		case 2:
			return math.MaxFloat32
		case 3:
			return float32(math.Copysign(0, -1))
		}
		return math.Float32frombits(uint32(draw()) &^ 0x40000000)
	}
	if m := ecs.Get[marks](s.world, at); m != nil {
		*m = marks{
			Early: draw()&1 != 0, Tiny: int8(draw()), Rank: rank(draw()), Pulse: float(),
			Small: int16(draw()), Short: uint16(draw()), Late: draw()&1 != 0,
		}
	}
	if c := ecs.Get[counts](s.world, at); c != nil {
		*c = counts{
			Medium: int32(draw()), Wide: uint32(draw()), Long: int64(draw()), Plain: int(draw()),
			Seen: components.Timestamp(draw() >> 1 >> (draw() % 64)),
			Foe:  referents[int(draw()%uint64(len(referents)))],
		}
	}
	if l := ecs.Get[lone](s.world, at); l != nil {
		l.Mood = float()
	}
	if m := ecs.Get[components.Mind128](s.world, at); m != nil {
		for i := range m.Words {
			m.Words[i] = uint32(draw())
		}
	}
}

// consecutive returns the first of rows, and whether they follow each other in one chunk.
func consecutive(rows []blackboard.Row) (blackboard.Row, bool) {
	for i, r := range rows {
		if r.Chunk != rows[0].Chunk || r.Row != rows[0].Row+int32(i) {
			return blackboard.Row{}, false
		}
	}
	return rows[0], true
}

// drawRows picks up to 64 of the open rows: neighbours or scattered, in storage order or not.
func drawRows(t *rapid.T, chunks []ecs.Chunk) []blackboard.Row {
	var all []blackboard.Row
	for c := range chunks {
		for r := range chunks[c].Len() {
			all = append(all, blackboard.Row{Chunk: int32(c), Row: int32(r)})
		}
	}
	switch rapid.SampledFrom([]string{"dense", "sparse", "shuffled"}).Draw(t, "rows") {
	case "dense":
		start := rapid.IntRange(0, len(all)-1).Draw(t, "start")
		all = all[start:]
	case "sparse":
		keep := rapid.Uint64().Draw(t, "keep")
		all = slices.DeleteFunc(all, func(blackboard.Row) bool { return splitmix(&keep)%3 == 0 })
	case "shuffled":
		order := rapid.Uint64().Draw(t, "order")
		for i := len(all) - 1; i > 0; i-- {
			j := int(splitmix(&order) % uint64(i+1))
			all[i], all[j] = all[j], all[i]
		}
	}
	return all[:min(len(all), rapid.IntRange(1, 64).Draw(t, "lanes"))]
}

func drawMask(t *rapid.T, lanes int) uint64 {
	all := ^uint64(0) >> (64 - lanes)
	switch rapid.SampledFrom([]string{"all", "one", "few", "many"}).Draw(t, "mask") {
	case "one":
		return 1 << rapid.IntRange(0, lanes-1).Draw(t, "lane")
	case "few":
		return all & rapid.Uint64().Draw(t, "a") & rapid.Uint64().Draw(t, "b") & rapid.Uint64().Draw(t, "c")
	case "many":
		return all & (rapid.Uint64().Draw(t, "a") | rapid.Uint64().Draw(t, "b"))
	}
	return all
}

// A lane of the mask must hold the agent's value, a lane of the block that or what was there, and no other lane may be
// written.
func TestGatherReadsWhatWorldGetReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawGatherStage(t)
		// The source's facts are some of the columns' in another order.
		order := rapid.Permutation(readings).Draw(t, "order")
		facts := make([]blackboard.Fact, len(readings))
		for i, r := range readings {
			require.NoError(t, r.fact.Err())
			facts[i] = r.fact
		}
		var index []int32
		for _, r := range order[:rapid.IntRange(1, len(order)).Draw(t, "asked")] {
			index = append(index, int32(slices.IndexFunc(facts, r.fact.Same)))
		}
		columns := gather.NewFactColumns(s.world, facts, ecs.Need[components.Mind128](), ecs.Optional[counts]())
		chunks := columns.Open()
		defer columns.Close()

		g := gather.NewGather()
		for range rapid.IntRange(1, 3).Draw(t, "blocks") {
			rows := drawRows(t, chunks)
			if len(rows) == 0 {
				continue
			}
			lanes := len(rows)
			if first, ok := consecutive(rows); ok && rapid.Bool().Draw(t, "as a range") {
				g.SetRange(columns, index, first, lanes)
			} else {
				g.Set(columns, index, rows)
			}
			entities := make([]arche.Entity, lanes)
			for i, r := range rows {
				entities[i] = ecs.ToArche(chunks[r.Chunk].Entities()[r.Row])
			}
			for k, i := range index {
				mask := drawMask(t, lanes)
				before := g.Nonfinite
				got, untouched := gatherLane(g, k, &facts[i], mask)
				bad := 0
				for l := range 64 {
					what := fmt.Sprintf("fact %q, lane %d of %d, mask %x", facts[i].Name(), l, lanes, mask)
					if l >= lanes {
						require.True(t, untouched[l], what)
						continue
					}
					want, nonfinite := order[k].expected(s, entities[l])
					if mask>>l&1 != 0 {
						require.Equal(t, want, got[l], what)
						if nonfinite {
							bad++
						}
					} else if !untouched[l] {
						require.Equal(t, want, got[l], what)
					}
				}
				require.Equal(t, int64(bad), g.Nonfinite-before, "floats of fact %q that are not finite, mask %x",
					facts[i].Name(), mask)
				requireBelow(t, g, k, &facts[i], mask, &got)
				require.Equal(t, int64(bad), g.Nonfinite-before, "what has been counted is not counted again")
				if facts[i].Kind() == blackboard.EntityRef {
					alive := g.Alive(k, mask)
					for l := range 64 {
						want := mask>>l&1 != 0 && got[l] != components.Entity{}
						require.Equal(t, want, alive>>l&1 != 0, "whether the reference of lane %d is alive, mask %x", l,
							mask)
					}
				}
			}
		}
	})
}

// requireBelow holds comparisons with a bound, one that an agent of the mask has among them, to the values.
func requireBelow(t *rapid.T, g *gather.Gather, k int, f *blackboard.Fact, mask uint64, values *[64]any) {
	if mask == 0 {
		return
	}
	some := values[bits.TrailingZeros64(mask)]
	var below uint64
	var less func(any) bool
	switch f.Kind() {
	case blackboard.Float:
		bound := rapid.SampledFrom([]float32{some.(float32), 0, math.MaxFloat32, -1}).Draw(t, "bound")
		below = g.FloatsBelow(k, mask, bound)
		less = func(v any) bool { return v.(float32) < bound }
	case blackboard.Int, blackboard.Age:
		bound := rapid.SampledFrom([]int64{some.(int64), 0, math.MaxInt64, math.MinInt64, -1}).Draw(t, "bound")
		below = g.IntsBelow(k, mask, bound)
		less = func(v any) bool { return v.(int64) < bound }
	default:
		return
	}
	for l := range 64 {
		want := mask>>l&1 != 0 && less(values[l])
		require.Equal(t, want, below>>l&1 != 0, "fact %q, lane %d, mask %x", f.Name(), l, mask)
	}
}

// gatherLane asks for a fact and returns the lanes' values, and which of them hold still what was there before. A value
// that equals the mark by chance is compared as untouched outside the mask and as itself inside.
func gatherLane(g *gather.Gather, k int, f *blackboard.Fact, mask uint64) (got [64]any, untouched [64]bool) {
	switch f.Kind() {
	case blackboard.Float:
		const mark = -1.2345e-30
		var lane [64]float32
		for l := range lane {
			lane[l] = mark
		}
		given := g.Floats(k, mask, &lane)
		for l, v := range given {
			// A lane of the gather itself has values of the last block outside the mask.
			got[l], untouched[l] = v, v == mark || given != &lane && mask>>l&1 == 0
		}
	case blackboard.Int, blackboard.Age:
		const mark = -0x0123456789abcdef
		var lane [64]int64
		for l := range lane {
			lane[l] = mark
		}
		g.Ints(k, mask, &lane)
		for l, v := range lane {
			got[l], untouched[l] = v, v == mark
		}
	case blackboard.Bool:
		v := g.Bools(k, mask)
		for l := range 64 {
			got[l] = v>>l&1 != 0
			untouched[l] = mask>>l&1 == 0 && v>>l&1 == 0
		}
	case blackboard.EntityRef:
		mark := components.Entity{Index: 1 << 30, Generation: 77}
		var lane [64]components.Entity
		for l := range lane {
			lane[l] = mark
		}
		g.Entities(k, mask, &lane)
		for l, v := range lane {
			got[l], untouched[l] = v, v == mark
		}
	}
	return got, untouched
}

// A fact is read once per agent and tick, so a float is counted once, whatever part of the block is read first.
func TestNonfiniteFloatsAreCountedOnceHoweverTheBlockIsRead(t *testing.T) {
	w := arche.NewWorld()
	nan := float32(math.NaN())
	ecs.NewPrefab(&w, lone{Mood: nan}).SpawnNow(&w, 64, nil)
	mood := readings[1].fact
	columns := gather.NewFactColumns(&w, []blackboard.Fact{mood}, ecs.Need[lone]())
	columns.Open()
	defer columns.Close()
	rows := make([]blackboard.Row, 64)
	for i := range rows {
		rows[i].Row = int32(i)
	}
	scattered := slices.Clone(rows)
	slices.Reverse(scattered)
	for name, rows := range map[string][]blackboard.Row{"dense": rows, "scattered": scattered} {
		for _, first := range []uint64{0xff, 0xffffffff, 0xffffffffffffff00, ^uint64(0)} {
			g := gather.NewGather()
			g.Set(columns, []int32{0}, rows)
			var lane [64]float32
			lane = *g.Floats(0, first, &lane)
			assert.Equal(t, int64(bitmask.Count(first)), g.Nonfinite, "%s, lanes %x", name, first)
			if rest := ^first; rest != 0 {
				lane = *g.Floats(0, rest, &lane)
			}
			assert.Equal(t, int64(64), g.Nonfinite, "%s, lanes %x, then the rest", name, first)
			g.Set(columns, []int32{0}, rows) // the next tick
			lane = *g.Floats(0, first, &lane)
			assert.Equal(t, int64(64+bitmask.Count(first)), g.Nonfinite, "%s, lanes %x, in another block", name, first)
		}
	}
}

func TestGatherAllocatesNothing(t *testing.T) {
	w := arche.NewWorld()
	ecs.NewPrefab(&w, marks{}, counts{}, mindlayout.NewMind128(1)).SpawnNow(&w, 100, nil)
	ecs.NewPrefab(&w, lone{}, mindlayout.NewMind128(1)).SpawnNow(&w, 100, nil)
	var facts []blackboard.Fact
	var index []int32
	for i, r := range readings {
		facts, index = append(facts, r.fact), append(index, int32(i))
	}
	columns := gather.NewFactColumns(&w, facts, ecs.Need[components.Mind128]())
	g := gather.NewGather()
	var rows []blackboard.Row
	for i := range 32 {
		rows = append(rows, blackboard.Row{Chunk: 0, Row: int32(i * 3)}, blackboard.Row{Chunk: 1, Row: int32(i)})
	}
	var floats [64]float32
	var ints [64]int64
	var entities [64]components.Entity
	block := func() {
		columns.Open()
		g.Set(columns, index, rows)
		for i, f := range facts {
			switch f.Kind() {
			case blackboard.Float:
				floats = *g.Floats(i, ^uint64(0), &floats)
				g.FloatsBelow(i, ^uint64(0), 1)
			case blackboard.Bool:
				g.Bools(i, ^uint64(0))
			case blackboard.EntityRef:
				g.Entities(i, ^uint64(0), &entities)
				g.Alive(i, ^uint64(0))
			default:
				g.Ints(i, ^uint64(0), &ints)
				g.IntsBelow(i, ^uint64(0), 1)
			}
		}
		g.Clear()
		columns.Close()
	}
	block()
	assert.Zero(t, testing.AllocsPerRun(20, block))
}

func TestFactColumnsHaveAnOptionalTermForEachComponentThatIsNotATermYet(t *testing.T) {
	w := arche.NewWorld()
	ecs.NewPrefab(&w, marks{}).SpawnNow(&w, 3, nil)
	ecs.NewPrefab(&w, marks{}, lone{Mood: 2}).SpawnNow(&w, 2, nil)
	facts := []blackboard.Fact{readings[1].fact, readings[0].fact, readings[1].fact}
	columns := gather.NewFactColumns(&w, facts, ecs.Need[marks]())
	chunks := columns.Open()
	defer columns.Close()
	require.Len(t, chunks, 2)
	assert.Nil(t, ecs.Column[lone](&chunks[0], 1), "optional")
	assert.Equal(t, []lone{{Mood: 2}, {Mood: 2}}, ecs.Column[lone](&chunks[1], 1))
	assert.Panics(t, func() { chunks[0].Has(2) }, "the other facts are of components that are terms")
}

// Only unsafe code, or a damaged snapshot, makes such a bool.
func TestABoolThatIsNeither0Nor1StaysInItsLane(t *testing.T) {
	w := arche.NewWorld()
	id := arche.ComponentID[marks](&w)
	fact := blackboard.BoolFact("late", func(c *marks) *bool { return &c.Late }, false)
	for i := range 64 {
		e := ecs.FromArche(w.NewEntity(id))
		*(*uint8)(unsafe.Pointer(&ecs.Get[marks](&w, e).Late)) = uint8(254 + i%2*3) // 254 or 1
	}
	facts := []blackboard.Fact{fact}
	columns := gather.NewFactColumns(&w, facts)
	columns.Open()
	defer columns.Close()
	rows := make([]blackboard.Row, 64)
	for i := range rows {
		rows[i].Row = int32(i ^ 2) // scattered, and the even ones stay even
	}
	for _, mask := range []uint64{^uint64(0), 0xff} {
		const odd = 0xaaaaaaaaaaaaaaaa
		g := gather.NewGather()
		g.SetRange(columns, []int32{0}, blackboard.Row{}, 64)
		assert.Equal(t, odd&mask, g.Bools(0, mask), "side by side")
		g.Set(columns, []int32{0}, rows)
		assert.Equal(t, odd&mask, g.Bools(0, mask), "scattered")
	}
}

func TestClosedFactColumnsKeepNoStorageAlive(t *testing.T) {
	w := arche.NewWorld(1)
	id := arche.ComponentID[marks](&w)
	first := ecs.FromArche(w.NewEntity(id))
	old := weak.Make(ecs.Get[marks](&w, first))
	facts := []blackboard.Fact{blackboard.BoolFact("late", func(c *marks) *bool { return &c.Late }, false)}
	columns := gather.NewFactColumns(&w, facts)
	columns.Open()
	columns.Close()
	for range 100 { // the world outgrows the column
		w.NewEntity(id)
	}
	runtime.GC()
	assert.Nil(t, old.Value())
	runtime.KeepAlive(columns)
}
