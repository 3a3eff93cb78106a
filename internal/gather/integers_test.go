package gather_test

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/gather"
)

// integers has a field of every width, with and without a sign, and another agent.
type integers struct {
	I64   int64
	U64   uint64
	I32   int32
	U32   uint32
	I16   int16
	U16   uint16
	I8    int8
	U8    uint8
	Other arche.Entity
}

// fill sets every field to a value at or next to an end of its type.
func (v *integers) fill(k int) {
	pick := func(from ...int64) int64 { return from[k%len(from)] }
	v.I64 = pick(math.MinInt64, math.MinInt64+1, -1<<31-1, -1<<31, -1, 0, 1<<31-1, 1<<31, 1<<32, math.MaxInt64)
	v.U64 = [...]uint64{0, 1, 1<<31 - 1, 1 << 31, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64}[k%8]
	v.I32 = int32(pick(math.MinInt32, math.MinInt32+1, -1, 0, 1, math.MaxInt32-1, math.MaxInt32))
	v.U32 = uint32(pick(0, 1, 1<<31-1, 1<<31, 1<<31+1, math.MaxUint32-1, math.MaxUint32))
	v.I16 = int16(pick(math.MinInt16, math.MinInt16+1, -1, 0, 1, math.MaxInt16-1, math.MaxInt16))
	v.U16 = uint16(pick(0, 1, 1<<15-1, 1<<15, math.MaxUint16-1, math.MaxUint16))
	v.I8 = int8(pick(math.MinInt8, math.MinInt8+1, -1, 0, 1, math.MaxInt8-1, math.MaxInt8))
	v.U8 = uint8(pick(0, 1, 1<<7-1, 1<<7, math.MaxUint8-1, math.MaxUint8))
}

// Every width of integer, of the agent, of another agent and of a resource, at the ends of its type, against bounds at
// and next to the ends of every type: the values are those that Go converts to an int64.
func TestIntegersOfEveryWidthAreComparedExactlyAtTheirEnds(t *testing.T) {
	world := arche.NewWorld()
	one := generic.NewMap1[integers](&world)
	two := generic.NewMap2[integers, queenTag](&world)
	var all []arche.Entity
	for i := range 140 {
		if i < 70 {
			all = append(all, one.New())
		} else {
			all = append(all, two.New())
		}
	}
	for i, e := range all {
		v := one.Get(e)
		v.fill(i)
		v.Other = all[(i*13+5)%len(all)]
	}
	resource := &integers{}
	resource.fill(6)
	arche.AddResource(&world, resource)

	fields := []struct {
		fact  blackboard.Fact
		value func(v *integers) int64
	}{
		{blackboard.IntFact("i64", func(v *integers) *int64 { return &v.I64 }, 0),
			func(v *integers) int64 { return v.I64 }},
		{blackboard.IntFact("u64", func(v *integers) *uint64 { return &v.U64 }, 0),
			func(v *integers) int64 { return int64Of(v.U64) }},
		{blackboard.IntFact("i32", func(v *integers) *int32 { return &v.I32 }, 0),
			func(v *integers) int64 { return int64(v.I32) }},
		{blackboard.IntFact("u32", func(v *integers) *uint32 { return &v.U32 }, 0),
			func(v *integers) int64 { return int64(v.U32) }},
		{blackboard.IntFact("i16", func(v *integers) *int16 { return &v.I16 }, 0),
			func(v *integers) int64 { return int64(v.I16) }},
		{blackboard.IntFact("u16", func(v *integers) *uint16 { return &v.U16 }, 0),
			func(v *integers) int64 { return int64(v.U16) }},
		{blackboard.IntFact("i8", func(v *integers) *int8 { return &v.I8 }, 0),
			func(v *integers) int64 { return int64(v.I8) }},
		{blackboard.IntFact("u8", func(v *integers) *uint8 { return &v.U8 }, 0),
			func(v *integers) int64 { return int64(v.U8) }},
	}
	other := ecs.EntityFact("other", func(v *integers) *arche.Entity { return &v.Other })
	var facts []blackboard.Fact
	for _, f := range fields {
		facts = append(facts, f.fact, f.fact.Of(other), f.fact.OfResource())
	}
	index := make([]int32, len(facts))
	for i := range index {
		require.NoError(t, facts[i].Err())
		index[i] = int32(i)
	}
	columns := gather.NewFactColumns(&world, facts, ecs.Need[integers]())
	defer columns.Release()
	chunks := columns.Open()
	defer columns.Close()
	require.Len(t, chunks, 2)
	blocks := map[string][]blackboard.Row{}
	for i := range int32(64) {
		blocks["successive"] = append(blocks["successive"], blackboard.Row{Row: 3 + i})
		blocks["scattered"] = append(blocks["scattered"], blackboard.Row{Chunk: i & 1, Row: i * 31 % 70})
	}
	blocks["a few"] = blocks["successive"][20:27]

	bounds := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	for _, shift := range []int{7, 8, 15, 16, 31, 32} {
		for d := int64(-1); d <= 1; d++ {
			bounds = append(bounds, 1<<shift+d, -1<<shift+d)
		}
	}
	g := gather.NewGather()
	defer g.Clear()
	for _, kernel := range cpu.Available() {
		cpu.Force(t, kernel)
		for name, rows := range blocks {
			all := uint64(1)<<len(rows) - 1
			for _, mask := range []uint64{all, 0x1111_1111_1111_1111 & all, 1 << 5} {
				for i, f := range facts {
					var want [64]int64
					for l, r := range rows {
						of := one.Get(ecs.ToArche(chunks[r.Chunk].Entities()[r.Row]))
						switch i % 3 {
						case 1:
							of = one.Get(of.Other)
						case 2:
							of = resource
						}
						want[l] = fields[i/3].value(of)
					}
					// Each bound is asked of a fresh block, too: the first question decides how the field is read.
					for k, bound := range bounds {
						if k%8 == 0 {
							g.Set(columns, index, rows)
						}
						below := uint64(0)
						for l := range rows {
							if want[l] < bound {
								below |= 1 << l
							}
						}
						require.Equal(t, below&mask, g.IntsBelow(i, mask, bound),
							"%s, %s, %v, mask %#x: less than %d", f.Name(), name, kernel, mask, bound)
					}
					var lane [64]int64
					g.Ints(i, mask, &lane)
					for l := range rows {
						if mask>>l&1 == 1 {
							require.Equal(t, want[l], lane[l], "%s, %s, %v, lane %d", f.Name(), name, kernel, l)
						}
					}
				}
			}
		}
	}
}
