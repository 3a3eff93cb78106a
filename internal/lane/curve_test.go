package lane

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inputs draws numbers in and about 0..1, and now and then one from the end of what there is.
func inputs(r *rand.Rand) (l [64]float32) {
	for i := range l {
		switch r.Intn(8) {
		case 0:
			l[i] = floats[r.Intn(len(floats))]
		case 1:
			l[i] = float32(r.Intn(17)) / 16
		default:
			l[i] = r.Float32()*1.5 - 0.25
		}
	}
	return l
}

// unary compares a kernel with a plain line, for every n, with the output in another lane and in the input's. The line
// is computed in double precision; tolerance is relative to the greater of 1 and the value.
func unary(t *testing.T, name string, tolerance float64, kernel func(out, in *[64]float32, n int),
	line func(x float64) float64) {
	t.Helper()
	r := rand.New(rand.NewSource(3))
	for n := 0; n <= 64; n++ {
		in := inputs(r)
		out, alias := [64]float32{}, in
		kernel(&out, &in, n)
		kernel(&alias, &alias, n)
		for i := range out[:n] {
			require.Equal(t, math.Float32bits(out[i]), math.Float32bits(alias[i]), "%s at %v in place", name, in[i])
			want := line(float64(in[i]))
			if float64(out[i]) != want {
				require.InDelta(t, want, out[i], tolerance*max(1, math.Abs(want)), "%s at %v", name, in[i])
			}
		}
	}
}

// clamp64 is 0..1 of a double; NaN stays NaN.
func clamp64(x float64) float64 {
	switch {
	case x < 0:
		return 0
	case x > 1:
		return 1
	}
	return x
}

// whole is the documented value of a curve with a shape. u is rounded to a float32, since a step jumps with it.
func whole(c *Curve, clamped bool, shape func(u float64) float64) func(x float64) float64 {
	return func(x float64) float64 {
		if clamped {
			x = clamp64(x)
		}
		y := float64(c.Slope)*shape(float64(float32(x)-c.XShift)) + float64(c.YShift)
		y = float64(c.Base) + float64(c.Sign)*clamp64(y)
		if math.IsNaN(y) {
			return 0
		}
		return y
	}
}

func TestCurvesEqualTheirFormulas(t *testing.T) {
	logistic := func(k, mid, u float64) float64 { return 1 / (1 + math.Exp(-k*(u-mid))) }
	type named struct {
		name    string
		kind    CurveKind
		p       [4]float32
		clamped bool
		shape   func(u float64) float64
	}
	var curves []named
	add := func(name string, kind CurveKind, p [4]float32, shape func(u float64) float64) {
		curves = append(curves, named{name, kind, p, kind != CurveLinear && kind != CurvePiecewise, shape})
	}
	identity := func(u float64) float64 { return u }
	add("linear", CurveLinear, [4]float32{}, identity)
	add("clamped linear", CurveClampedLinear, [4]float32{}, identity)
	for _, p := range []float32{2, 3, 0.5, 0, 1, 6} {
		add("polynomial", CurvePolynomial, [4]float32{p}, func(u float64) float64 { return math.Pow(u, float64(p)) })
	}
	add("quadratic", CurveQuadratic, [4]float32{}, func(u float64) float64 { return u * u })
	add("inverse quadratic", CurveInverseQuadratic, [4]float32{}, func(u float64) float64 { return 1 - (1-u)*(1-u) })
	for _, k := range []float64{4, 1, -3, 10} {
		about := max(0, math.Copysign(1, k))
		low := math.Exp(-k * about)
		span := math.Exp(k*(1-about)) - low
		add("exponential", CurveExponential, [4]float32{float32(k), float32(about), float32(low), float32(span)},
			func(u float64) float64 { return math.Expm1(k*u) / math.Expm1(k) })
	}
	for _, k := range []float32{0.125, -0.125, 1e-3, 1e-20} {
		add("gentle", CurveGentle, [4]float32{k, 0, 0, ExpLess1(k)},
			func(u float64) float64 { return math.Expm1(float64(k)*u) / math.Expm1(float64(k)) })
	}
	for _, k := range []float64{8, -8, 1, 0, 40} {
		add("logistic", CurveLogistic, [4]float32{float32(k), 0.25},
			func(u float64) float64 { return logistic(k, 0.25, u) })
	}
	for _, k := range []float64{8, -8, 1, 20} {
		low, span := logistic(k, 0.5, 0), logistic(k, 0.5, 1)-logistic(k, 0.5, 0)
		add("exact logistic", CurveLogisticExact, [4]float32{float32(k), 0.5, float32(low), float32(span)},
			func(u float64) float64 { return (logistic(k, 0.5, u) - low) / span })
	}
	for _, k := range []float32{0.0625, -0.0625, 1e-4} {
		low := LogisticLessHalf(k * -0.5)
		add("gentle logistic", CurveGentleLogistic, [4]float32{k, 0.5, low, LogisticLessHalf(k*0.5) - low},
			func(u float64) float64 { // tanh(z/2)/2 is the logistic less a half, without the loss
				at := func(u float64) float64 { return math.Tanh(float64(k)*(u-0.5)/2) / 2 }
				return (at(u) - at(0)) / (at(1) - at(0))
			})
	}
	add("logit", CurveLogit, [4]float32{}, func(u float64) float64 { u = clamp64(u); return math.Log(u/(1-u)) / 5 })
	add("bell", CurveBell, [4]float32{0.5, 0.15},
		func(u float64) float64 { d := (u - 0.5) / float64(float32(0.15)); return math.Exp(-d * d / 2) })
	for _, f := range []float64{1, 0.25, -2, 0} {
		add("sine", CurveSine, [4]float32{float32(f)}, func(u float64) float64 { return math.Sin(2*math.Pi*f*u) / 2 })
	}
	add("smoothstep", CurveSmoothstep, [4]float32{},
		func(u float64) float64 { u = clamp64(u); return u * u * (3 - 2*u) })
	add("smootherstep", CurveSmootherstep, [4]float32{}, func(u float64) float64 {
		u = clamp64(u)
		return u * u * u * (u*(6*u-15) + 10)
	})
	for _, at := range []float32{0.5, 0, 1, 2} {
		add("step", CurveStep, [4]float32{at}, func(u float64) float64 {
			switch {
			case math.IsNaN(u):
				return u
			case u >= float64(at):
				return 1
			}
			return 0
		})
	}
	seen := map[CurveKind]bool{}
	for _, k := range curves {
		seen[k.kind] = true
		for _, general := range [][5]float32{{1, 0, 0, 0, 1}, {1, 0, 0, 1, -1}, {-1, 0, 1, 0, 1},
			{0.75, 0.25, 0.125, 0, 1}, {2, -0.5, -0.25, 1, -1}} {
			c := &Curve{Kind: k.kind, Slope: general[0], XShift: general[1], YShift: general[2], Base: general[3],
				Sign: general[4], P: k.p}
			unary(t, k.name, 4e-6, c.Apply, whole(c, k.clamped, k.shape))
		}
	}
	for kind := CurveLinear; kind < CurvePiecewise; kind++ {
		assert.True(t, seen[kind], "curve %d is not tested", kind)
	}
}

func TestPiecewiseGoesFromPointToPoint(t *testing.T) {
	for _, points := range [][][2]float32{
		{{0.25, 0.5}},
		{{0, 0}, {0.125, 0.5}, {0.375, 0.75}, {1, 0}},
		{{0, 0.125}, {0.5, 0.25}, {0.5, 0.75}, {1, 1}}, // a jump
		{{-100, 1}, {0.5, 0.5}, {0.5, 0}, {0.5, 0.25}, {200, 0.75}},
	} {
		c := &Curve{Kind: CurvePiecewise, Slope: 1, Sign: 1}
		for _, p := range points {
			c.X, c.Y = append(c.X, p[0]), append(c.Y, p[1])
		}
		unary(t, "piecewise", 1e-6, c.Apply, whole(c, false, func(u float64) float64 {
			last := len(points) - 1
			switch {
			case math.IsNaN(u):
				return u
			case u < float64(points[0][0]):
				return float64(points[0][1])
			case u >= float64(points[last][0]):
				return float64(points[last][1])
			}
			for i := last - 1; ; i-- { // from the end, so that the last of several points at one x is found first
				if x, y := float64(points[i][0]), float64(points[i][1]); u >= x {
					return y + (float64(points[i+1][1])-y)*(u-x)/(float64(points[i+1][0])-x)
				}
			}
		}))
	}
}

// For every curve, NaN gives 0, inverted or not.
func TestWhatIsNotANumberGivesZero(t *testing.T) {
	for kind := CurveLinear; kind <= CurvePiecewise; kind++ {
		for _, invert := range [][2]float32{{0, 1}, {1, -1}} {
			c := &Curve{
				Kind: kind, Slope: 1, YShift: 0.5, Base: invert[0], Sign: invert[1],
				P: [4]float32{0.5, 0.5, 0.25, 0.5}, X: []float32{0, 1}, Y: []float32{0.25, 1},
			}
			for _, n := range []int{1, 64} { // by number and by lane
				var l [64]float32
				for i := range l {
					l[i] = float32(math.NaN())
				}
				c.Apply(&l, &l, n)
				assert.Zero(t, l[0], "curve %d, inverted %v", kind, invert[1] < 0)
				assert.Zero(t, l[n-1])
			}
		}
	}
}

// Short lanes are computed number by number and long ones whole: no bit differs.
func TestCurvesOfFewLanesEqualThoseOfMany(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for kind := CurveLinear; kind <= CurvePiecewise; kind++ {
		c := &Curve{Kind: kind, Slope: 0.75, XShift: 0.125, YShift: 0.125, Sign: 1, P: [4]float32{0.7, 0.5, 0.25, 0.5},
			X: []float32{0, 1}, Y: []float32{0.25, 1}}
		in := inputs(r)
		var many [64]float32
		c.Apply(&many, &in, 64)
		for i := range in {
			one := [64]float32{in[i]}
			c.Apply(&one, &one, 1)
			require.Equal(t, math.Float32bits(many[i]), math.Float32bits(one[0]), "curve %d at %v", kind, in[i])
		}
	}
}

func TestNormaliseIsTheInverseOfALinearInterpolation(t *testing.T) {
	for _, ab := range [][2]float32{{0, 1}, {0.25, 0.75}, {1, 0}, {-3, 5}, {1e-20, 2e-20}} {
		span := ab[1] - ab[0]
		unary(t, "normalise", 1e-6, func(out, in *[64]float32, n int) { Normalise(out, in, n, ab[0], span) },
			func(x float64) float64 {
				// The difference is a float32's, which can overflow.
				return clamp64(float64(float32(x)-ab[0]) / float64(span))
			})
	}
	for _, b := range []float32{0, 0.5, -1} {
		unary(t, "normalise to a step", 0, func(out, in *[64]float32, n int) { NormaliseStep(out, in, n, b) },
			func(x float64) float64 {
				if x >= float64(b) {
					return 1
				}
				return 0
			})
	}
}

func TestSeriesKeepWhatTheQuotientOfDifferencesWouldLose(t *testing.T) {
	for i := -250; i <= 250; i++ {
		z := float32(i) / 1000
		tolerance := 3e-7
		if i < -125 || i > 125 {
			tolerance = 2e-6
		}
		assert.InDelta(t, math.Expm1(float64(z)), ExpLess1(z), tolerance*math.Abs(float64(z)))
		assert.InDelta(t, math.Tanh(float64(z)/2)/2, LogisticLessHalf(z), 4e-7*math.Abs(float64(z)))
	}
	assert.Equal(t, float32(1e-30), ExpLess1(1e-30))
	assert.Equal(t, float32(0.25e-30), LogisticLessHalf(1e-30))
}
