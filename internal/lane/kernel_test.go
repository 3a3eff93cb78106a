package lane

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// Every kernel is compared with its loop, which is the kernel "go", over inputs of all kinds, for every n, in place
// and beside, with words around every vector that nothing may touch.

// guarded is a vector between such words.
type guarded[T any] struct {
	before [16]uint32
	of     [64]T
	after  [16]uint32
}

const guard = 0xdeadbeef

func guardAround[T any](l [64]T) *guarded[T] {
	g := &guarded[T]{of: l}
	for i := range g.before {
		g.before[i], g.after[i] = guard, guard
	}
	return g
}

func (g *guarded[T]) intact() bool {
	for i := range g.before {
		if g.before[i] != guard || g.after[i] != guard {
			return false
		}
	}
	return true
}

// source draws what kernels are given, from the bytes of a fuzzer or at random.
type source struct {
	r     *rand.Rand
	bytes []byte
}

func (s *source) bits() uint64 {
	if len(s.bytes) >= 8 {
		v := binary.LittleEndian.Uint64(s.bytes)
		s.bytes = s.bytes[8:]
		return v
	}
	return s.r.Uint64()
}

// most draws bits most of which are set.
func (s *source) most() uint64 {
	first := s.bits()
	return first | s.bits()
}

// edges are where kernels change their ways, and numbers beside.
var edges = []float32{
	0, 1, 0.5, 0.25, 2, 5, 6, 10, 15, 87.3, 88.72284, 103.97208, 104, 1 << 21, math.SmallestNonzeroFloat32, 0x1p-126,
	math.MaxFloat32,
	float32(math.Inf(1)), float32(math.NaN()), math.Float32frombits(0x7f800001), math.Float32frombits(0x7fffffff),
}

// float draws any number: as many are of 0..1, or near, as are any bits or edges.
func (s *source) float() float32 {
	b := s.bits()
	low := uint32(b)
	switch b >> 61 {
	case 0:
		return math.Float32frombits(low)
	case 1, 2:
		x := edges[int(low%uint32(len(edges)))]
		x = math.Float32frombits(math.Float32bits(x) + (low >> 10 & 3) - 1)
		if b>>60&1 != 0 {
			x = -x
		}
		return x
	case 3:
		return 300*float32(low)/(1<<32) - 150
	case 4:
		return float32(low)/(1<<31) - 0.5
	}
	return float32(low) / (1 << 32)
}

// finite draws a parameter.
func (s *source) finite() float32 {
	for {
		if x := s.float(); x-x == 0 {
			return x
		}
	}
}

func (s *source) lane() (l [64]float32) {
	for i := range l {
		l[i] = s.float()
	}
	return l
}

// same reports whether two results are: one NaN is as good as another.
func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// kernel is a kernel over lanes: in[0] is also what it writes, or out is.
type kernel struct {
	name string
	// run draws the kernel's parameters and returns what it does with lanes.
	run func(s *source) func(out *[64]float32, in [3]*[64]float32, n int)
}

// exact are the kernels that pass on no NaN but one.
var exact = map[string]bool{
	"Compensate": true, "CompensateProduct": true, "Weigh": true, "Mean": true,
	"Normalise": true, "NormaliseStep": true,
	"Select": true, "SoftmaxWeights": true,
}

type (
	lanesOf  = [3]*[64]float32
	function = func(out *[64]float32, in lanesOf, n int)
)

// onto makes a kernel that works in place one that does not.
func onto(f func(acc, s *[64]float32, n int)) function {
	return func(out *[64]float32, in lanesOf, n int) {
		*out = *in[0]
		f(out, in[1], n)
	}
}

var kernels = []kernel{
	{"Multiply", func(*source) function { return onto(Multiply) }},
	{"Product", func(*source) function {
		return func(out *[64]float32, in lanesOf, n int) { Product(out, in[0], in[1], n) }
	}},
	{"MultiplyCompensated", func(s *source) function {
		makeUp := s.float()
		return onto(func(acc, x *[64]float32, n int) { MultiplyCompensated(acc, x, n, makeUp) })
	}},
	{"AddWeighted", func(s *source) function {
		w := s.float()
		return onto(func(acc, x *[64]float32, n int) { AddWeighted(acc, x, n, w) })
	}},
	{"Lower", func(*source) function { return onto(Lower) }},
	{"Raise", func(*source) function { return onto(Raise) }},
	{"Compensate", func(s *source) function {
		makeUp, weight := s.float(), s.finite()
		return onto(func(acc, _ *[64]float32, n int) { Compensate(acc, n, makeUp, weight) })
	}},
	{"CompensateProduct", func(s *source) function {
		makeUp, weight := s.float(), s.finite()
		return func(out *[64]float32, in lanesOf, n int) { CompensateProduct(out, in[0], in[1], n, makeUp, weight) }
	}},
	{"Weigh", func(s *source) function {
		weight := s.finite()
		return onto(func(acc, _ *[64]float32, n int) { Weigh(acc, n, weight) })
	}},
	{"Mean", func(s *source) function {
		sum, weight := s.float(), s.finite()
		return onto(func(acc, _ *[64]float32, n int) { Mean(acc, n, sum, weight) })
	}},
	{"Root", func(s *source) function {
		power, weight := s.float(), s.finite()
		return onto(func(acc, _ *[64]float32, n int) { Root(acc, n, power, weight) })
	}},
	{"Normalise", func(s *source) function {
		a, span := s.float(), s.float()
		return func(out *[64]float32, in lanesOf, n int) { Normalise(out, in[0], n, a, span) }
	}},
	{"NormaliseStep", func(s *source) function {
		b := s.float()
		return func(out *[64]float32, in lanesOf, n int) { NormaliseStep(out, in[0], n, b) }
	}},
	{"Select", func(s *source) function {
		mask, other := s.bits(), s.float()
		return func(out *[64]float32, in lanesOf, n int) { Select(out, in[0], n, mask, other) }
	}},
	{"SoftmaxWeights", func(s *source) function {
		temperature := s.float()
		return onto(func(acc, x *[64]float32, n int) { SoftmaxWeights(acc, x, n, temperature) })
	}},
}

var kindNames = [...]string{
	"Linear", "ClampedLinear", "Polynomial", "Quadratic", "InverseQuadratic", "Exponential", "Gentle", "Logistic",
	"LogisticExact",
	"GentleLogistic", "Logit", "Bell", "Sine", "Smoothstep", "Smootherstep", "Step", "Piecewise",
}

// curve draws a curve of a kind: a plain one, an inverted one, or any.
func (s *source) curve(kind CurveKind) *Curve {
	c := &Curve{Kind: kind, Slope: 1, Sign: 1}
	how := s.bits()
	if how&1 != 0 {
		c.Sign, c.Base = -1, 1
	}
	if how&2 != 0 {
		c.Slope, c.XShift, c.YShift = s.finite(), s.finite(), s.finite()
	}
	if how&12 == 12 {
		c.Sign, c.Base = s.finite(), s.finite()+0 // not -0
	}
	for i := range c.P {
		c.P[i] = s.finite()
	}
	if how&16 != 0 {
		c.P[0] = float32(how>>16%9) - 4 // powers whose sign matters
	}
	x := s.finite()
	for range 1 + how>>8%32 {
		c.X, c.Y = append(c.X, x), append(c.Y, s.finite())
		if s.bits()&3 != 0 { // several points can share an x
			x = max(x, x+float32(s.bits()>>40)/(1<<24))
		}
	}
	return c
}

// checkKernel compares what all kernels make of the same input.
func checkKernel(t *testing.T, name string, f function, in [3][64]float32, n int, what any) {
	t.Helper()
	want := in[0]
	cpu.Force(t, cpu.Go)
	f(&want, lanesOf{&in[0], &in[1], &in[2]}, n)
	for _, k := range cpu.Available()[1:] {
		cpu.Force(t, k)
		for _, place := range []bool{false, true} {
			given := [3]*guarded[float32]{guardAround(in[0]), guardAround(in[1]), guardAround(in[2])}
			out := guardAround([64]float32{})
			if place {
				out = given[0]
			}
			f(&out.of, lanesOf{&given[0].of, &given[1].of, &given[2].of}, n)
			for i, g := range given {
				if g == out {
					continue
				}
				for j := range g.of {
					if math.Float32bits(in[i][j]) != math.Float32bits(g.of[j]) || !g.intact() {
						require.Fail(t, "a write", "%s of %s writes its input %d", name, k, i)
					}
				}
			}
			if !out.intact() {
				require.Fail(t, "a write", "%s of %s writes around its output", name, k)
			}
			for i := range n {
				got := out.of[i]
				if !same(want[i], got) || exact[name] && math.Float32bits(want[i]) != math.Float32bits(got) {
					require.Fail(t, "another result",
						"%s of %s, n %d, in place %v, lane %d: %v %v %v gives %v (%#08x), not %v (%#08x)\n%+v",
						name, k, n, place, i, in[0][i], in[1][i], in[2][i],
						got, math.Float32bits(got), want[i], math.Float32bits(want[i]), what)
				}
			}
		}
	}
}

func (s *source) lanes() [3][64]float32 { return [3][64]float32{s.lane(), s.lane(), s.lane()} }

func checkAllKernels(t *testing.T, s *source, n int) {
	for _, k := range kernels {
		checkKernel(t, k.name, k.run(s), s.lanes(), n, nil)
	}
	for kind, name := range kindNames {
		c := s.curve(CurveKind(kind))
		apply := func(out *[64]float32, in lanesOf, n int) { c.Apply(out, in[0], n) }
		in := s.lanes()
		if CurveKind(kind) == CurvePiecewise {
			for i := range in[0] { // the points themselves, and their neighbours
				if b := s.bits(); b&3 == 0 {
					x := c.X[b>>8%uint64(len(c.X))]
					in[0][i] = math.Float32frombits(math.Float32bits(x+c.XShift) + uint32(b>>2&3) - 1)
				}
			}
		}
		checkKernel(t, "curve "+name, apply, in, n, c)
	}
	checkComparisons(t, s)
	checkBetter(t, s, n)
}

func TestKernelsEqualTheirLoops(t *testing.T) {
	rounds := 10
	if testing.Short() {
		rounds = 1
	}
	s := &source{r: rand.New(rand.NewSource(1))}
	for n := range 65 {
		for range rounds {
			checkAllKernels(t, s, n)
		}
	}
	for range 30 * rounds {
		checkAllKernels(t, s, 64)
	}
}

func FuzzKernelsEqualTheirLoops(f *testing.F) {
	f.Add(uint8(64), int64(1), []byte{})
	f.Add(uint8(17), int64(2), []byte("\x00\x00\xc0\x7f\x00\x00\x00\x00\x01\x00\x80\x7f\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, n uint8, seed int64, bytes []byte) {
		checkAllKernels(t, &source{r: rand.New(rand.NewSource(seed)), bytes: bytes}, int(n%65))
	})
}

// checkComparisons compares all comparisons of a lane, half of which the other shares.
func checkComparisons(t *testing.T, s *source) {
	var a, b *guarded[float32]
	var x, y *guarded[int64]
	{
		var k, l [64]int64
		for i := range k {
			k[i], l[i] = int64(s.bits())>>(s.bits()%64), int64(s.bits())>>(s.bits()%64)
			if s.bits()&1 == 0 {
				l[i] = k[i]
			}
		}
		x, y = guardAround(k), guardAround(l)
		a, b = guardAround(s.lane()), guardAround(s.lane())
		for i := range a.of {
			if s.bits()&1 == 0 {
				b.of[i] = a.of[i]
			}
		}
	}
	p, q := guardAround([64]uint8{}), guardAround([64]uint8{})
	for i := range p.of {
		b := s.bits()
		p.of[i], q.of[i] = uint8(b>>8)>>(b&7), uint8(b>>16)>>(b&7)
	}
	c, d := a.of[s.bits()%64], x.of[s.bits()%64]
	all := func() []uint64 {
		return []uint64{
			FloatLess(&a.of, c), FloatLessEqual(&a.of, c), FloatEqual(&a.of, c),
			FloatLessLane(&a.of, &b.of), FloatLessEqualLane(&a.of, &b.of), FloatEqualLane(&a.of, &b.of),
			IntLess(&x.of, d), IntLessEqual(&x.of, d), IntEqual(&x.of, d),
			IntLessLane(&x.of, &y.of), IntLessEqualLane(&x.of, &y.of), IntEqualLane(&x.of, &y.of),
			ByteEqual(&p.of, p.of[0]), ByteEqualLane(&p.of, &q.of),
		}
	}
	cpu.Force(t, cpu.Go)
	want := all()
	for _, k := range cpu.Available()[1:] {
		cpu.Force(t, k)
		require.Equal(t, want, all(), "comparisons of %s", k)
	}
}

// checkBetter compares a series of scores, some of them raised, some equal, and which are above a number then.
func checkBetter(t *testing.T, s *source, n int) {
	var best [64]uint64
	for i := n; i < len(best); i++ {
		best[i] = s.bits() >> 1 // a kernel does not depend on what is beyond the lanes
	}
	for index := range uint32(4) {
		score, mask, favoured := s.lane(), s.most(), s.bits()
		if s.bits()&3 == 0 {
			mask = ^uint64(0)
		}
		if index > 0 && s.bits()&1 == 0 {
			for i := range score {
				score[i] = math.Float32frombits(uint32(best[i] >> 32))
			}
		}
		bonus, minimum := max(s.finite(), 0), max(s.finite(), 0)
		above := max(s.finite(), 0)
		cpu.Force(t, cpu.Go)
		want, scratch := best, score
		Better(&want, &scratch, n, mask, favoured, bonus, minimum, index*5)
		wantAbove := BestAbove(&want, above)
		for _, k := range cpu.Available()[1:] {
			cpu.Force(t, k)
			got, given := guardAround(best), guardAround(score)
			Better(&got.of, &given.of, n, mask, favoured, bonus, minimum, index*5)
			require.True(t, got.intact() && given.intact(), "Better of %s writes around its lanes", k)
			require.Equal(t, want, got.of, "Better of %s, n %d", k, n)
			require.Equal(t, wantAbove, BestAbove(&got.of, above), "BestAbove of %s", k)
		}
		best = want
		checkBetterProduct(t, s, n, best)
		checkIndices(t, s, best)
	}
}

func checkBetterProduct(t *testing.T, s *source, n int, best [64]uint64) {
	a, b, mask, favoured := s.lane(), s.lane(), s.most(), s.bits()
	makeUp, weight, bonus, minimum, threshold := s.float(), s.float(), max(s.finite(), 0), max(s.finite(), 0),
		max(s.finite(), 0)
	run := func(best *[64]uint64, a, b *[64]float32) uint64 {
		var scratch [64]float32
		return BetterProduct(best, &scratch, a, b, n, mask, favoured, makeUp, weight, bonus, minimum, 77, threshold)
	}
	cpu.Force(t, cpu.Go)
	want := best
	above := run(&want, &a, &b)
	for _, k := range cpu.Available()[1:] {
		cpu.Force(t, k)
		got, x, y := guardAround(best), guardAround(a), guardAround(b)
		require.Equal(t, above, run(&got.of, &x.of, &y.of), "BetterProduct of %s, n %d", k, n)
		require.Equal(t, want, got.of, "BetterProduct of %s, n %d", k, n)
		require.True(t, got.intact() && x.intact() && y.intact(), "BetterProduct of %s writes around its lanes", k)
	}
}

func checkIndices(t *testing.T, s *source, best [64]uint64) {
	shift := uint(s.bits() % 25)
	var want [64]uint8
	cpu.Force(t, cpu.Go)
	Indices(&want, &best, shift)
	for _, k := range cpu.Available()[1:] {
		cpu.Force(t, k)
		got, given := guardAround([64]uint8{}), guardAround(best)
		Indices(&got.of, &given.of, shift)
		require.Equal(t, want, got.of, "Indices of %s", k)
		require.True(t, got.intact() && given.intact(), "Indices of %s writes around its lanes", k)
	}
}

// The loop is a definition only as far as it is right itself.
func TestTheBestIsTheFirstOfTheGreatestScoresThatCount(t *testing.T) {
	s := &source{r: rand.New(rand.NewSource(2))}
	for round := range 2000 {
		n := round % 65
		var best [64]uint64
		var most, at [64]float64
		for index := range 5 {
			score, mask, favoured := s.lane(), s.bits(), s.bits()
			bonus, minimum := max(s.finite(), 0), max(s.finite(), 0)
			for i := range n {
				x := score[i]
				if mask>>i&1 == 0 || !(x > 0 && x >= minimum) {
					continue
				}
				if favoured>>i&1 != 0 {
					x += bonus
				}
				if float64(x) > most[i] {
					most[i], at[i] = float64(x), float64(index)
				}
			}
			Better(&best, &score, n, mask, favoured, bonus, minimum, uint32(index))
		}
		above := BestAbove(&best, 0)
		for i := range 64 {
			require.Equal(t, most[i] > 0, above>>i&1 != 0, "lane %d", i)
			if most[i] > 0 {
				require.Equal(t, float32(most[i]), math.Float32frombits(uint32(best[i]>>32)), "lane %d", i)
				require.Equal(t, uint32(at[i]), ^uint32(best[i]), "lane %d", i)
			}
		}
	}
}

// Assembly finds the parameters of a curve by these places.
func TestTheNumbersOfACurveFollowOneAnother(t *testing.T) {
	var c Curve
	start := unsafe.Offsetof(c.Slope)
	for i, at := range []uintptr{
		unsafe.Offsetof(c.Slope), unsafe.Offsetof(c.XShift), unsafe.Offsetof(c.YShift), unsafe.Offsetof(c.Base),
		unsafe.Offsetof(c.Sign),
		unsafe.Offsetof(c.P),
	} {
		assert.Equal(t, start+uintptr(4*i), at)
	}
	assert.Equal(t, uintptr(16), unsafe.Sizeof(c.P))
}

func TestMoreThanALaneIsRefused(t *testing.T) {
	for _, k := range cpu.Available() {
		cpu.Force(t, k)
		var l, m [64]float32
		for _, n := range []int{-1, 65} {
			assert.Panics(t, func() { Multiply(&l, &m, n) }, "%s", k)
			assert.Panics(t, func() { (&Curve{Slope: 1, Sign: 1}).Apply(&l, &m, n) }, "%s", k)
			assert.Panics(t, func() { Better(new([64]uint64), &l, n, 0, 0, 0, 0, 0) }, "%s", k)
		}
	}
}

// BenchmarkKernels reports nanoseconds for 64 lanes of 0..1.
func BenchmarkKernels(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	var x, y, out [64]float32
	var whole, others [64]int64
	var best [64]uint64
	bytes := make([]byte, 64)
	for i := range x {
		x[i], y[i] = r.Float32(), r.Float32()
		whole[i], others[i] = r.Int63(), r.Int63()
	}
	bench := func(name string, f func()) {
		for _, k := range cpu.Available() {
			b.Run(fmt.Sprintf("%s/%s", name, k), func(b *testing.B) {
				cpu.Force(b, k)
				for b.Loop() {
					f()
				}
			})
		}
	}
	for kind, name := range kindNames {
		for _, shape := range []struct {
			name  string
			slope float32
		}{{"", 1}, {" sloped", 0.75}} {
			c := &Curve{Kind: CurveKind(kind), Slope: shape.slope, Sign: 1, P: [4]float32{3, 0.5, 0, 1},
				X: []float32{0, 0.25, 0.5, 1}, Y: []float32{0, 0.5, 0.75, 1}}
			bench(name+shape.name, func() { c.Apply(&out, &x, 64) })
		}
	}
	bench("Normalise", func() { Normalise(&out, &x, 64, 0.5, 2) })
	bench("NormaliseStep", func() { NormaliseStep(&out, &x, 64, 0.5) })
	bench("Multiply", func() { out = x; Multiply(&out, &y, 64) })
	bench("Product", func() { Product(&out, &x, &y, 64) })
	bench("MultiplyCompensated", func() { out = x; MultiplyCompensated(&out, &y, 64, 0.5) })
	bench("AddWeighted", func() { AddWeighted(&out, &y, 64, 0.5) })
	bench("Lower", func() { Lower(&out, &y, 64) })
	bench("Raise", func() { Raise(&out, &y, 64) })
	bench("Compensate", func() { Compensate(&out, 64, 0.5, 1) })
	bench("CompensateProduct", func() { CompensateProduct(&out, &x, &y, 64, 0.5, 1.2) })
	bench("Weigh", func() { Weigh(&out, 64, 1.2) })
	bench("Mean", func() { out = x; Mean(&out, 64, 1.2, 1) })
	bench("Better", func() { Better(&best, &x, 64, ^uint64(0), 1<<20, 0.1, 0, 5) })
	bench("BetterProduct", func() {
		BetterProduct(&best, &out, &x, &y, 64, ^uint64(0), 1<<20, 0.5, 1.2, 0.1, 0, 5, 0.9)
	})
	bench("Indices", func() { Indices(new([64]uint8), &best, 4) })
	bench("ByteEqual", func() { ByteEqual((*[64]uint8)(bytes), 4) })
	bench("BestAbove", func() { BestAbove(&best, 0.5) })
	bench("Select", func() { Select(&out, &x, 64, 0x123456789abcdef0, -1) })
	bench("SoftmaxWeights", func() { out = x; SoftmaxWeights(&out, &y, 64, 0.5) })
	bench("FloatLess", func() { FloatLess(&x, 0.5) })
	bench("FloatLessLane", func() { FloatLessLane(&x, &y) })
	bench("IntLess", func() { IntLess(&whole, 1<<62) })
	bench("IntLessEqualLane", func() { IntLessEqualLane(&whole, &others) })
}
