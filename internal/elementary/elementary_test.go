package elementary

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/random"
)

var exhaustive = flag.Bool("exhaustive", false,
	"measure all 2^32 inputs of Exp, Log and Sin, for which -timeout 1h is enough")

var (
	infinity = math.Float32frombits(inf32)
	nan      = math.Float32frombits(nan32)
	minusNil = math.Float32frombits(sign32)
)

// unary are the functions of one argument. The reference is quick and right to far below a float32's precision, but for
// the quick sine of large numbers; exact is right everywhere. The worst error is the documented one.
var unary = []struct {
	name             string
	scalar           func(float32) float32
	lanes            func(out, in *[64]float32, n int)
	reference, exact func(float64) float64
	low, high        float32 // where most draws are made
	worst            float64
}{
	{"exp", Exp, ExpLanes, math.Exp, math.Exp, -104, 89, 0.91},
	{"log", Log, LogLanes, math.Log, math.Log, 0, 4, 0.84},
	{"sin", Sin, SinLanes, math.Sin, exactSin, -1e4, 1e4, 0.501},
}

// exactSin reduces with 400 bits.
func exactSin(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.NaN()
	}
	const digits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"
	pi, _, err := big.ParseFloat(digits, 10, 400, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	wide := func() *big.Float { return new(big.Float).SetPrec(400) }
	turns := wide().Quo(wide().SetFloat64(math.Abs(x)), pi)
	n, _ := wide().Add(turns, wide().SetFloat64(0.5)).Int(nil)
	r, _ := wide().Sub(wide().SetFloat64(math.Abs(x)), wide().Mul(pi, wide().SetInt(n))).Float64()
	if n.Bit(0) == 1 {
		r = -r
	}
	return math.Sin(math.Copysign(1, x) * r)
}

// ulps is how far a result is from the wanted number, in units of the last place of a float32 there. Infinity counts as
// 2^128.
func ulps(got float32, want float64) float64 {
	finite := func(x float64) float64 { return max(-0x1p128, min(x, 0x1p128)) }
	if got != got || math.IsNaN(want) {
		if got != got && math.IsNaN(want) {
			return 0
		}
		return math.Inf(1)
	}
	want = finite(want)
	_, exponent := math.Frexp(want)
	return math.Abs(finite(float64(got))-want) / math.Ldexp(1, max(min(exponent, 128), -125)-24)
}

// edges are numbers around which the functions change their ways.
var edges = []float32{
	0, math.SmallestNonzeroFloat32, math.MaxFloat32, 0x1p-126, 1, 2, 3, 4, 0.5, math.Sqrt2, math.Sqrt2 / 2,
	math.Pi / 2, math.Pi, 104, 103.97208, 103.27893, 88.72284, 87.33655, 87.3, 127, 128, 149, 150, 192,
	1 << 20, 1 << 21, 1 << 23, 1 << 24, 1 << 31, 1 << 63, infinity,
}

// visit calls f with all float32 numbers when the flag is set, else with every exponent of both signs, the
// neighbourhoods of the edges and draws between low and high.
func visit(low, high float32, f func(x float32)) {
	if *exhaustive {
		for bits := range uint64(1) << 32 {
			f(math.Float32frombits(uint32(bits)))
		}
		return
	}
	for top := range uint32(512) {
		for i := range uint32(400) {
			f(math.Float32frombits(top<<23 | uint32(random.Mix(uint64(top), uint64(i)))&mantissa32))
		}
	}
	for _, edge := range edges {
		for d := range int32(200) {
			x := math.Float32frombits(math.Float32bits(edge) + uint32(d-100))
			f(x)
			f(-x)
		}
	}
	for i := range uint64(500_000) {
		f(low + float32((high-low)*random.Unit(random.Mix(1, i))))
	}
}

func TestErrorsAreSmallEverywhere(t *testing.T) {
	for _, fn := range unary {
		t.Run(fn.name, func(t *testing.T) {
			worst, at := 0.0, float32(0)
			visit(fn.low, fn.high, func(x float32) {
				got := fn.scalar(x)
				e := ulps(got, fn.reference(float64(x)))
				if e > fn.worst {
					e = ulps(got, fn.exact(float64(x)))
				}
				if e > worst {
					worst, at = e, x
				}
			})
			t.Logf("at most %.4f ulp, at %v (%#08x)", worst, at, math.Float32bits(at))
			assert.LessOrEqual(t, worst, fn.worst, "%s(%v), bits %#08x, is %v", fn.name, at, math.Float32bits(at),
				fn.scalar(at))
		})
	}
}

func TestSineOfLargeNumbersIsExact(t *testing.T) {
	for i := range uint64(20_000) {
		x := math.Float32frombits(uint32(random.Mix(2, i)))
		if math.Abs(float64(x)) < 1000 {
			continue
		}
		require.LessOrEqual(t, ulps(Sin(x), exactSin(float64(x))), 0.501, "sin(%v)", x)
	}
	// The float32 nearest to a multiple of pi, among the large ones, is 16367173 * 2^72.
	for _, x := range []float32{16367173 * 0x1p72, -16367173 * 0x1p72, math.MaxFloat32} {
		assert.LessOrEqual(t, ulps(Sin(x), exactSin(float64(x))), 0.501, "sin(%v)", x)
	}
}

func TestExpNeverFalls(t *testing.T) {
	next := func(x float32) float32 { return math.Nextafter32(x, infinity) }
	check := func(x float32) {
		if a, b := Exp(x), Exp(next(x)); a > b {
			require.LessOrEqual(t, a, b, "exp(%v) and exp(%v)", x, next(x))
		}
	}
	visit(-104, 89, func(x float32) {
		if x == x {
			check(x)
		}
	})
	for k := -150; k <= 129; k++ { // where the power of two changes
		x := float32((float64(k) + 0.5) * math.Ln2)
		for d := range uint32(2000) {
			check(math.Float32frombits(math.Float32bits(x) + d - 1000))
		}
	}
}

func TestExactValues(t *testing.T) {
	assertBits := func(want, got float32, what string) {
		t.Helper()
		assert.Equal(t, math.Float32bits(want), math.Float32bits(got), "%s: %v, want %v", what, got, want)
	}
	assertBits(1, Exp(0), "exp(0)")
	assertBits(1, Exp(minusNil), "exp(-0)")
	assertBits(infinity, Exp(infinity), "exp(+Inf)")
	assertBits(infinity, Exp(math.MaxFloat32), "exp(max)")
	assertBits(0, Exp(-infinity), "exp(-Inf)")
	assertBits(0, Exp(-math.MaxFloat32), "exp(-max)")
	assertBits(math.SmallestNonzeroFloat32, Exp(-103.5), "exp(-103.5), a subnormal")
	assertBits(0, Log(1), "log(1)")
	assertBits(-infinity, Log(0), "log(0)")
	assertBits(-infinity, Log(minusNil), "log(-0)")
	assertBits(infinity, Log(infinity), "log(+Inf)")
	assertBits(-103.27893, Log(math.SmallestNonzeroFloat32), "log of the smallest number")
	assertBits(0, Sin(0), "sin(0)")
	assertBits(minusNil, Sin(minusNil), "sin(-0)")
	assertBits(1, Sin(math.Pi/2), "sin(pi/2)")
	for name, y := range map[string]float32{
		"exp(NaN)": Exp(-nan), "log(NaN)": Log(-nan), "log(-1)": Log(-1), "log(-Inf)": Log(-infinity),
		"sin(NaN)": Sin(-nan), "sin(Inf)": Sin(infinity), "sin(-Inf)": Sin(-infinity),
		"pow(NaN, 1)": Pow(-nan, 1), "pow(2, NaN)": Pow(2, -nan), "pow(-2, 0.5)": Pow(-2, 0.5),
	} {
		assertBits(nan, y, name+" is the one NaN")
	}
	for i := range uint64(100_000) {
		x := math.Float32frombits(uint32(random.Mix(3, i)))
		if x == x {
			require.Equal(t, x, Pow(x, 1), "%v to the first", x)
		}
		require.Equal(t, float32(1), Pow(x, 0), "%v to the nothing", x)
		require.Equal(t, float32(1), Pow(1, x), "one to the %v", x)
		if whole := float32(random.Below(random.Mix(4, i), 4096)); true {
			require.Equal(t, whole*whole, Pow(-whole, 2), "%v squared", whole)
		}
	}
}

// exponents are those that curves use, and others.
func exponents() []float32 {
	ys := []float32{0.5, 1, 1.5, 2, 3, 4, 5, 10, 0.1, 0.25, 1.0 / 3, 1e-3, 100, 333.3, 1000, 1e5}
	r := rand.New(rand.NewSource(1))
	for range 60 {
		ys = append(ys, 1000*r.Float32(), 10*r.Float32())
	}
	for _, y := range ys {
		ys = append(ys, -y)
	}
	return ys
}

func TestErrorsOfPowersAreSmall(t *testing.T) {
	worst, atX, atY := 0.0, float32(0), float32(0)
	check := func(x, y float32) {
		if e := ulps(Pow(x, y), math.Pow(float64(x), float64(y))); e > worst {
			worst, atX, atY = e, x, y
		}
	}
	for k, y := range exponents() {
		for i := range uint64(2000) {
			hash := random.Mix(uint64(k), i)
			size := math.Exp((float64(random.Unit(random.Mix(hash, 1)))*194 - 104) / float64(y))
			check(math.Float32frombits(uint32(hash>>33)%inf32), y) // any number
			check(random.Unit(hash), y)                            // what a consideration gives
			check(float32(size), y)                                // a result of any size
		}
		for _, x := range edges {
			check(x, y)
		}
	}
	t.Logf("at most %.4f ulp, at %v^%v", worst, atX, atY)
	assert.LessOrEqual(t, worst, 0.55, "%v^%v is %v", atX, atY, Pow(atX, atY))
}

func TestPowersOfSpecialValuesAreThoseOfTheStandardLibrary(t *testing.T) {
	values := []float32{0, minusNil, nan, infinity}
	for _, v := range []float32{
		math.SmallestNonzeroFloat32, 0x1p-126, 0.3, 0.5, 1, 1.0000001, 2, 3, 7, 1<<23 - 0.5, 1<<23 + 1, 1<<24 - 1,
		1 << 24, 1 << 31, math.MaxFloat32,
	} {
		values = append(values, v, -v)
	}
	values = append(values, -infinity)
	for _, x := range values {
		for _, y := range values {
			want, got := math.Pow(float64(x), float64(y)), Pow(x, y)
			assert.LessOrEqual(t, ulps(got, want), 0.55, "%v^%v is %v, want %v", x, y, got, want)
			assert.Equal(t, math.Signbit(want) && want == want, math.Signbit(float64(got)), "the sign of %v^%v", x, y)
		}
	}
}

// golden is what all platforms make of the same inputs.
const golden = 0x839dd53e1241d06f

func TestBitsAreTheSameOnEveryPlatform(t *testing.T) {
	for _, k := range cpu.Available() {
		t.Run(k.String(), func(t *testing.T) {
			cpu.Force(t, k)
			testGolden(t)
		})
	}
}

func testGolden(t *testing.T) {
	hash := uint64(0)
	fold := func(y float32) { hash = random.Mix(hash, uint64(math.Float32bits(y))) }
	wide := func(y float64) { hash = random.Mix(hash, math.Float64bits(y)) }
	for i := uint64(0); i < 1<<20; i += 64 {
		var in [2][64]float32
		var out [3][2][64]float32
		for k := range uint64(64) {
			in[0][k] = math.Float32frombits(uint32((i + k) * 4093))
			in[1][k] = float32(256*random.Unit(random.Mix(5, i+k))) - 128
		}
		for f, fn := range unary {
			fn.lanes(&out[f][0], &in[0], 64)
			fn.lanes(&out[f][1], &in[1], 64)
		}
		for k := range 64 {
			for f, fn := range unary {
				if i%(1<<14) == 0 { // the scalar forms are those of a lane that TestLanesEqualScalars compares
					require.Equal(t, math.Float32bits(fn.scalar(in[0][k])), math.Float32bits(out[f][0][k]))
				}
				fold(out[f][0][k])
				fold(out[f][1][k])
			}
		}
	}
	// A product that was not rounded before its sum is seldom seen in what becomes of a float64, so those go in as
	// well.
	for i := range uint64(100_000) {
		t := float64(256*random.Unit(random.Mix(8, i))) - 128
		wide(log2Join(log2Split(math.Float32bits(random.Unit(random.Mix(9, i))))))
		wide(exp2Join(exp2Split(t)))
		wide(sinJoin(sinSplit(t)))
	}
	for k, y := range exponents() {
		for i := uint64(0); i < 4000; i += 50 {
			var a, b [64]float32
			for j := range uint64(50) {
				a[j] = math.Float32frombits(uint32(random.Mix(uint64(k), i+j)))
				b[j] = random.Unit(random.Mix(6, i+j))
			}
			PowLanes(&a, &a, 50, y)
			PowLanes(&b, &b, 50, y)
			for j := range 50 {
				fold(a[j])
				fold(b[j])
			}
		}
	}
	assert.Equal(t, uint64(golden), hash, "%#x", hash)
}

// Where the compiler may keep a product unrounded into a sum, some platforms do; a conversion forbids it.
func TestEveryProductIsRounded(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "elementary.go", nil, 0)
	if err != nil {
		t.Skip("no source: ", err)
	}
	rounded, products := map[ast.Node]bool{}, 0
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GenDecl:
			return node.Tok != token.CONST
		case *ast.CallExpr:
			f, is := node.Fun.(*ast.Ident)
			if is && (f.Name == "float32" || f.Name == "float64" || f.Name == "uint64") {
				rounded[node.Args[0]] = true
			}
		case *ast.BinaryExpr:
			if node.Op == token.MUL {
				products++
				assert.True(t, rounded[node], "a product goes on unrounded at %s", files.Position(node.Pos()))
			}
		case *ast.AssignStmt:
			assert.NotEqual(t, token.MUL_ASSIGN, node.Tok, "a product goes on unrounded at %s",
				files.Position(node.Pos()))
		}
		return true
	})
	assert.Greater(t, products, 40)
}

// guarded is a lane between words that nothing may write.
type guarded struct {
	before [16]uint32
	lane   [64]float32
	after  [16]uint32
}

const guard = 0xdeadbeef

func newGuarded(lane *[64]float32) *guarded {
	g := &guarded{lane: *lane}
	for i := range g.before {
		g.before[i], g.after[i] = guard, guard
	}
	return g
}

func (g *guarded) intact() bool {
	for i := range g.before {
		if g.before[i] != guard || g.after[i] != guard {
			return false
		}
	}
	return true
}

// checkLanes compares the first n lanes of every lane form, of every kernel, with its scalar form, both beside and in
// place.
func checkLanes(t *testing.T, in [64]float32, n int, y float32) {
	t.Helper()
	powLanes := func(out, in *[64]float32, n int) { PowLanes(out, in, n, y) }
	check := func(k cpu.Kernel, name string, lanes func(out, in *[64]float32, n int), scalar func(float32) float32) {
		out, place := newGuarded(&in), newGuarded(&in)
		source := newGuarded(&in)
		lanes(&out.lane, &source.lane, n)
		lanes(&place.lane, &place.lane, n)
		require.True(t, out.intact() && place.intact() && source.intact(), "%s of %s writes beyond its lane", name, k)
		for i, x := range in {
			if math.Float32bits(x) != math.Float32bits(source.lane[i]) {
				require.Fail(t, "a write", "%s of %s writes its input", name, k)
			}
			if i >= n {
				continue
			}
			want := math.Float32bits(scalar(x))
			if want != math.Float32bits(out.lane[i]) || want != math.Float32bits(place.lane[i]) {
				require.Equal(t, want, math.Float32bits(out.lane[i]),
					"%s of %s for %v (%#08x), exponent %v", name, k, x,
					math.Float32bits(x), y)
				require.Equal(t, want, math.Float32bits(place.lane[i]),
					"%s of %s for %v in place, exponent %v", name, k, x, y)
			}
		}
	}
	for _, k := range cpu.Available() {
		cpu.Force(t, k)
		for _, fn := range unary {
			check(k, fn.name, fn.lanes, fn.scalar)
		}
		check(k, "pow", powLanes, func(x float32) float32 { return Pow(x, y) })
	}
}

func TestLanesEqualScalars(t *testing.T) {
	ys := append(exponents(), 0, minusNil, nan, infinity, -infinity, math.MaxFloat32, math.SmallestNonzeroFloat32,
		1<<24-1)
	for i := range uint64(3000) {
		var in [64]float32
		for j := range in {
			switch hash := random.Mix(i, uint64(j)); hash >> 62 {
			case 0:
				in[j] = edges[random.Below(hash, uint32(len(edges)))]
			case 1:
				in[j] = float32(200*random.Unit(random.Mix(hash, 1))) - 100
			case 2:
				in[j] = random.Unit(random.Mix(hash, 1))
			default:
				in[j] = math.Float32frombits(uint32(hash))
			}
		}
		checkLanes(t, in, 64, ys[i%uint64(len(ys))])
		checkLanes(t, in, int(i%65), ys[i%uint64(len(ys))])
	}
}

func FuzzLanesEqualScalars(f *testing.F) {
	f.Add(float32(1), float32(0), float32(2), uint64(1), uint8(64))
	f.Add(infinity, minusNil, float32(-3), uint64(2), uint8(63))
	f.Add(nan, float32(0x1p-140), float32(0.5), uint64(3), uint8(9))
	f.Fuzz(func(t *testing.T, a, b, y float32, seed uint64, n uint8) {
		var in [64]float32
		for i := range in {
			hash := random.Mix(seed, uint64(i))
			in[i] = [4]float32{a, b, math.Float32frombits(uint32(hash)), a + float32((b-a)*random.Unit(hash))}[hash>>62]
		}
		checkLanes(t, in, int(n%65), y)
	})
}

func TestLanesAllocateNothing(t *testing.T) {
	var in, out [64]float32
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		ExpLanes(&out, &in, 64)
		LogLanes(&out, &in, 64)
		SinLanes(&out, &in, 64)
		PowLanes(&out, &in, 64, 3)
	}))
}

// benchmark reports the time for one element.
func benchmark(b *testing.B, low, high float32, lane func(out, in *[64]float32)) {
	var in, out [64]float32
	for i := range in {
		in[i] = low + float32((high-low)*random.Unit(random.Mix(7, uint64(i))))
	}
	for b.Loop() {
		lane(&out, &in)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64, "ns/element")
}

// benchmarkKernels is benchmark for every kernel.
func benchmarkKernels(b *testing.B, low, high float32, lanes func(out, in *[64]float32, n int)) {
	for _, k := range cpu.Available() {
		b.Run(k.String(), func(b *testing.B) {
			cpu.Force(b, k)
			benchmark(b, low, high, func(out, in *[64]float32) { lanes(out, in, 64) })
		})
	}
}

// plain makes a lane form of a function of the standard library.
func plain(f func(float64) float64) func(out, in *[64]float32) {
	return func(out, in *[64]float32) {
		for i, x := range in {
			out[i] = float32(f(float64(x)))
		}
	}
}

func BenchmarkExpLanes(b *testing.B)    { benchmarkKernels(b, -20, 20, ExpLanes) }
func BenchmarkExpStandard(b *testing.B) { benchmark(b, -20, 20, plain(math.Exp)) }
func BenchmarkLogLanes(b *testing.B)    { benchmarkKernels(b, 0, 100, LogLanes) }
func BenchmarkLogStandard(b *testing.B) { benchmark(b, 0, 100, plain(math.Log)) }
func BenchmarkSinLanes(b *testing.B)    { benchmarkKernels(b, -100, 100, SinLanes) }
func BenchmarkSinStandard(b *testing.B) { benchmark(b, -100, 100, plain(math.Sin)) }
func BenchmarkPowLanes(b *testing.B) {
	benchmarkKernels(b, 0, 1, func(out, in *[64]float32, n int) { PowLanes(out, in, n, 2.5) })
}

func BenchmarkPowStandard(b *testing.B) {
	benchmark(b, 0, 1, plain(func(x float64) float64 { return math.Pow(x, 2.5) }))
}

// The same in scalar form.

func scalar(f func(float32) float32) func(out, in *[64]float32) {
	return func(out, in *[64]float32) {
		for i, x := range in {
			out[i] = f(x)
		}
	}
}

func BenchmarkExp(b *testing.B) { benchmark(b, -20, 20, scalar(Exp)) }
func BenchmarkLog(b *testing.B) { benchmark(b, 0, 100, scalar(Log)) }
func BenchmarkSin(b *testing.B) { benchmark(b, -100, 100, scalar(Sin)) }
func BenchmarkPow(b *testing.B) {
	benchmark(b, 0, 1, scalar(func(x float32) float32 { return Pow(x, 2.5) }))
}
