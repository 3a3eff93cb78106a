package gather

import (
	"unsafe"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/factcache"
	"github.com/flockwork-ai/flockwork/internal/rows"
)

// Gather reads the facts of one block of up to 64 agents from [FactColumns], whatever chunks the agents are in. It is a
// [blackboard.Source]. Make it with [NewGather], one per worker; [Gather.Set] or [Gather.SetRange] begins a block.
type Gather struct {
	// Nonfinite counts the floats that were NaN or infinite and read as their fact's default. A float is counted once
	// per block, when it is asked for. The caller may reset it.
	Nonfinite int64
	counted   []uint64 // by fact: the lanes that are in Nonfinite
	anyCount  bool     // whether counted has a lane

	columns *FactColumns
	index   []int32 // the source's fact i is fact index[i] of columns

	words  [][rows.Window]rows.Lane // by window: the words of consecutive rows
	read   uint64                   // the windows whose words have been read
	finite uint64                   // those in which no word has the bits of a float that is infinite or NaN

	// Consecutive rows of one chunk are read from the address of the first.
	dense  bool
	first  uintptr
	count  int
	fields []unsafe.Pointer // of the chunk, by fact

	// Scattered rows are read run by run.
	rows []blackboard.Row
	runs []run
}

// run is a range of a block's lanes whose rows are in one chunk.
type run struct {
	fields []unsafe.Pointer // of the chunk, by fact
	lanes  uint64
}

// NewGather returns a gather.
func NewGather() *Gather { return &Gather{runs: make([]run, 0, 64)} }

// Set begins a block of 1 to 64 agents: lane i is rows[i], in the chunks of the open columns. Fact i of the source is
// fact index[i] of those that the columns were made with. The gather keeps rows and index until the next block.
func (g *Gather) Set(columns *FactColumns, index []int32, rows []blackboard.Row) {
	if first, ok := factcache.Consecutive(rows); ok {
		g.SetRange(columns, index, first, len(rows))
		return
	}
	g.begin(columns, index)
	g.rows, g.dense = rows, false
	g.runs = g.runs[:0]
	for start := 0; start < len(rows); {
		end := start + 1
		for end < len(rows) && rows[end].Chunk == rows[start].Chunk {
			end++
		}
		g.runs = append(g.runs, run{fields: columns.chunk(rows[start].Chunk), lanes: lanes(end) &^ lanes(start)})
		start = end
	}
}

// SetRange is [Gather.Set] for 1 to 64 consecutive rows of one chunk.
func (g *Gather) SetRange(columns *FactColumns, index []int32, first blackboard.Row, count int) {
	g.begin(columns, index)
	g.dense = true
	g.fields, g.first, g.count = columns.chunk(first.Chunk), uintptr(first.Row), count
}

// Prepare allocates what blocks of the columns need, so that no block allocates.
func (g *Gather) Prepare(columns *FactColumns) {
	if n := len(columns.windows); len(g.words) < n {
		g.words = make([][rows.Window]rows.Lane, n)
	}
}

func (g *Gather) begin(columns *FactColumns, index []int32) {
	g.columns, g.index = columns, index
	g.Prepare(columns)
	g.read, g.finite = 0, 0
	if g.anyCount {
		clear(g.counted)
		g.anyCount = false
	}
}

// Clear drops what the gather holds of the columns. Call it before they close.
func (g *Gather) Clear() {
	clear(g.runs[:cap(g.runs)])
	g.columns, g.index, g.fields, g.rows, g.runs = nil, nil, nil, nil, g.runs[:0]
}

// many reports whether a mask has so many lanes that reading all rows in sequence is cheaper than reading its lanes.
func (g *Gather) many(mask uint64) bool { return 2*bitmask.Count(mask) >= g.count }

// window returns the lanes of a fact's window, the field's word first, or nil when reading the field alone is cheaper.
// p is the address of the field in the block's first row.
func (g *Gather) window(f *fact, p unsafe.Pointer, mask uint64) []rows.Lane {
	if f.window < 0 {
		return nil
	}
	w, bit := &g.words[f.window], uint64(1)<<(f.window&63)
	if g.read&bit == 0 {
		if !g.many(mask) {
			return nil
		}
		from := &g.columns.windows[f.window]
		// The window lies in the component that the field is in.
		if rows.Words(w, unsafe.Add(p, int(from.offset)-int(f.offset)), f.stride, g.count) {
			g.finite |= bit
		}
		g.read |= bit
	}
	return w[f.word:]
}

// at returns the address of a field in the row of a lane. p is its address in row 0 of the chunk.
func (g *Gather) at(p unsafe.Pointer, lane int, stride uintptr) unsafe.Pointer {
	return unsafe.Add(p, uintptr(g.rows[lane].Row)*stride)
}

// lanes returns the mask of the first lanes of a block.
func lanes(count int) uint64 { return 1<<uint(count) - 1 }

// fill sets lanes to one value.
func fill[T any](lanes []T, v T) {
	for l := range lanes {
		lanes[l] = v
	}
}
