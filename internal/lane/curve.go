package lane

import (
	"math"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// CurveKind is the shape of a [Curve].
type CurveKind uint8

// The shapes. u is the input minus the shift.
const (
	CurveLinear           CurveKind = iota // u
	CurveClampedLinear                     // u, of an input clamped to 0..1
	CurvePolynomial                        // u^P0
	CurveQuadratic                         // u·u
	CurveInverseQuadratic                  // 1 - (1-u)²
	CurveExponential                       // (e^(P0·(u-P1)) - P2) / P3
	CurveGentle                            // CurveExponential for a small steepness P0, by its series; P3: at 1
	CurveLogistic                          // 1 / (1 + e^(-P0·(u-P1)))
	CurveLogisticExact                     // (1 / (1 + e^(-P0·(u-P1))) - P2) / P3
	CurveGentleLogistic                    // CurveLogisticExact for a small steepness, by its series
	CurveLogit                             // ln(u/(1-u)) / 5, u clamped to 0..1
	CurveBell                              // e^(-((u-P0)/P1)² / 2)
	CurveSine                              // sin(2π·P0·u) / 2
	CurveSmoothstep                        // u²(3-2u), u clamped to 0..1
	CurveSmootherstep                      // u³(u(6u-15)+10), u clamped to 0..1
	CurveStep                              // 1 if u >= P0, else 0
	CurvePiecewise                         // straight lines through X, Y
)

// Curve is a compiled response curve: y = Slope times the shape plus YShift, clamped to 0..1, and then Sign·y + Base,
// which inverts it if Sign is -1 and Base is 1. Base is not -0. NaN becomes 0.
type Curve struct {
	Kind CurveKind
	form form // or formUnknown
	// Assembly finds these relative to Slope.
	Slope, XShift, YShift float32
	Base, Sign            float32
	P                     [4]float32
	X, Y                  []float32 // of the points; X does not decrease
}

// oneBits are the bits of 1. As integers, the bits of a number in 0..1 are at most that, and the bits of all others are
// greater: of -0, of numbers that are negative or above 1, and of NaN. So one comparison, which is easy to predict,
// tells whether a number must be clamped.
const oneBits = 0x3f800000

// clamp returns the nearest number in 0..1. A NaN becomes the NaN that package elementary returns.
func clamp(x float32) float32 {
	if math.Float32bits(x) > oneBits {
		return outside(x, nan)
	}
	return x
}

var nan = math.Float32frombits(0x7fc00000)

// outside clamps a number that is not in 0..1; a NaN becomes other.
func outside(x, other float32) float32 {
	if x > 1 {
		return 1
	}
	if x <= 0 {
		return 0
	}
	return other
}

// Quick reports whether a value takes a few operations only: no exponential, no division and no search.
func (c *Curve) Quick() bool {
	switch c.Kind {
	case CurveLinear, CurveClampedLinear, CurveQuadratic, CurveInverseQuadratic, CurveSmoothstep, CurveSmootherstep,
		CurveStep:
		return true
	}
	return false
}

const twoPi = float32(2 * math.Pi)

// finish turns the value of a shape into the value of the curve. The product is rounded before the sum, on every
// platform.
func finish(f, slope, shift, base, sign float32) float32 {
	y := float32(slope*f) + shift
	if math.Float32bits(y) > oneBits {
		y = outside(y, y)
		if y != y {
			return 0
		}
	}
	return float32(sign*y) + base
}

// Normalise sets out[i] = (in[i] - a) / span, clamped to 0..1, for the first n lanes: the inverse of a linear
// interpolation from a to a+span.
func Normalise(out, in *[64]float32, n int, a, span float32) {
	switch o, x := out[:n], in[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		normaliseAVX2(out, in, n, a, span)
	default:
		for i := range o {
			o[i] = clamp((x[i] - a) / span)
		}
	}
}

// NormaliseStep sets out[i] to 1 where in[i] >= b, else to 0.
func NormaliseStep(out, in *[64]float32, n int, b float32) {
	switch o, x := out[:n], in[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		normaliseStepAVX2(out, in, n, b)
	default:
		for i := range o {
			o[i] = float32(bitmask.Of(x[i] >= b))
		}
	}
}

// Ready returns the curve with its form, which [Curve.Apply] would otherwise have to find in each call.
func (c Curve) Ready() Curve {
	c.form = c.findForm()
	return c
}

// form is the kernel that computes a curve: a kernel for plain curves, or the kernel of its kind.
type form uint8

const (
	formUnknown form = iota
	formPlainLinear
	formPlainQuadratic
	formPlainSmoothstep
	formPlainLogistic
	formOf // and its kind
)

func (c *Curve) findForm() form {
	if plain, _ := c.orientation(); plain {
		switch c.Kind {
		case CurveLinear, CurveClampedLinear:
			return formPlainLinear
		case CurveQuadratic:
			return formPlainQuadratic
		case CurveSmoothstep:
			return formPlainSmoothstep
		case CurveLogistic:
			return formPlainLogistic
		}
	}
	return formOf + form(c.Kind)
}

// apply is the loop of Apply for curves that are not plain.
func (c *Curve) apply(out, in *[64]float32, n int) {
	slope, shift, base, sign, left := c.Slope, c.YShift, c.Base, c.Sign, c.XShift
	o, x := out[:n], in[:n]
	switch c.Kind {
	case CurveLinear:
		for i := range o {
			o[i] = finish(x[i]-left, slope, shift, base, sign)
		}
	case CurveClampedLinear:
		for i := range o {
			o[i] = finish(clamp(x[i])-left, slope, shift, base, sign)
		}
	case CurvePolynomial:
		for i := range o {
			o[i] = clamp(x[i]) - left
		}
		elementary.PowLanes(out, out, n, c.P[0])
		c.finishAll(o)
	case CurveQuadratic:
		for i := range o {
			u := clamp(x[i]) - left
			o[i] = finish(u*u, slope, shift, base, sign)
		}
	case CurveInverseQuadratic:
		for i := range o {
			v := 1 - (clamp(x[i]) - left)
			o[i] = finish(1-float32(v*v), slope, shift, base, sign)
		}
	case CurveExponential:
		k, at, low, span := c.P[0], c.P[1], c.P[2], c.P[3]
		for i := range o {
			o[i] = float32(k * (clamp(x[i]) - left - at))
		}
		elementary.ExpLanes(out, out, n)
		for i := range o {
			o[i] = finish((o[i]-low)/span, slope, shift, base, sign)
		}
	case CurveGentle:
		k, span := c.P[0], c.P[3]
		for i := range o {
			o[i] = finish(ExpLess1(float32(k*(clamp(x[i])-left)))/span, slope, shift, base, sign)
		}
	case CurveLogistic:
		c.logistic(out, in, n)
		for i := range o {
			o[i] = finish(1/(1+o[i]), slope, shift, base, sign)
		}
	case CurveLogisticExact:
		c.logistic(out, in, n)
		low, span := c.P[2], c.P[3]
		for i := range o {
			o[i] = finish((1/(1+o[i])-low)/span, slope, shift, base, sign)
		}
	case CurveGentleLogistic:
		k, mid, low, span := c.P[0], c.P[1], c.P[2], c.P[3]
		for i := range o {
			o[i] = finish((LogisticLessHalf(float32(k*(clamp(x[i])-left-mid)))-low)/span, slope, shift, base, sign)
		}
	case CurveLogit:
		for i := range o {
			u := clamp(clamp(x[i]) - left)
			o[i] = u / (1 - u)
		}
		elementary.LogLanes(out, out, n)
		for i := range o {
			o[i] = finish(o[i]/5, slope, shift, base, sign)
		}
	case CurveBell:
		mean, deviation := c.P[0], c.P[1]
		for i := range o {
			d := (clamp(x[i]) - left - mean) / deviation
			o[i] = -(float32(d*d) / 2)
		}
		elementary.ExpLanes(out, out, n)
		c.finishAll(o)
	case CurveSine:
		for i := range o {
			turns := float32(c.P[0] * (clamp(x[i]) - left))
			turns -= float32(math.RoundToEven(float64(turns)))
			o[i] = float32(twoPi * turns)
		}
		elementary.SinLanes(out, out, n)
		for i := range o {
			o[i] = finish(o[i]/2, slope, shift, base, sign)
		}
	case CurveSmoothstep:
		for i := range o {
			u := clamp(clamp(x[i]) - left)
			o[i] = finish(u*u*(3-float32(2*u)), slope, shift, base, sign)
		}
	case CurveSmootherstep:
		for i := range o {
			u := clamp(clamp(x[i]) - left)
			o[i] = finish(u*u*u*(float32(u*(float32(6*u)-15))+10), slope, shift, base, sign)
		}
	case CurveStep:
		for i := range o {
			u := clamp(x[i]) - left
			o[i] = finish(float32(bitmask.Of(u >= c.P[0]))+(u-u), slope, shift, base, sign) // u-u passes a NaN on
		}
	case CurvePiecewise:
		for i := range o {
			o[i] = finish(c.line(x[i]-left), slope, shift, base, sign)
		}
	}
}

// orientation reports whether a curve has neither slope nor shifts, and whether it is inverted.
func (c *Curve) orientation() (plain, inverted bool) {
	upright, inverted := c.Sign == 1 && c.Base == 0, c.Sign == -1 && c.Base == 1
	return c.Slope == 1 && c.XShift == 0 && c.YShift == 0 && (upright || inverted), inverted
}

// plain is apply for the most common curves: without slope and shifts, their shapes map 0..1 to 0..1, so that the input
// needs to be clamped only. It reports whether the curve is one of them.
func (c *Curve) plain(out, in *[64]float32, n int) bool {
	plain, inverted := c.orientation()
	if !plain {
		return false
	}
	// All shapes except the logistic one map 0 to 0 and 1 to 1. A NaN is replaced by the value whose result is 0.
	other := c.Base
	o, x := out[:n], in[:n]
	switch c.Kind {
	case CurveLinear, CurveClampedLinear:
		for i := range o {
			u := x[i]
			if math.Float32bits(u) > oneBits {
				u = outside(u, other)
			}
			o[i] = u
		}
	case CurveQuadratic:
		for i := range o {
			u := x[i]
			if math.Float32bits(u) > oneBits {
				u = outside(u, other)
			}
			o[i] = u * u
		}
	case CurveSmoothstep:
		for i := range o {
			u := x[i]
			if math.Float32bits(u) > oneBits {
				u = outside(u, other)
			}
			o[i] = u * u * (3 - float32(2*u)) // never above 1, rounded or not
		}
	case CurveLogistic:
		c.logistic(out, in, n)
		for i := range o {
			y := 1 / (1 + o[i])
			if math.Float32bits(y) > oneBits {
				y = other
			}
			o[i] = y
		}
	default:
		return false
	}
	if inverted {
		for i := range o {
			o[i] = 1 - o[i]
		}
	}
	return true
}

func (c *Curve) finishAll(o []float32) {
	slope, shift, base, sign := c.Slope, c.YShift, c.Base, c.Sign
	for i := range o {
		o[i] = finish(o[i], slope, shift, base, sign)
	}
}

// logistic sets out[i] to e^(-P0·(u-P1)).
func (c *Curve) logistic(out, in *[64]float32, n int) {
	k, mid, left := -c.P[0], c.P[1], c.XShift
	o, x := out[:n], in[:n]
	for i := range o {
		o[i] = float32(k * (clamp(x[i]) - left - mid))
	}
	elementary.ExpLanes(out, out, n)
}

// line returns the value at u of the straight lines through the points. Outside, it is the value of the nearest point;
// at an x that several points share, the value of the last.
func (c *Curve) line(u float32) float32 {
	if u != u {
		return u
	}
	y := c.Y[0]
	for i := range c.X {
		if !(u >= c.X[i]) {
			break
		}
		y = c.Y[i]
		if i+1 < len(c.X) && u < c.X[i+1] {
			y += float32((c.Y[i+1] - y) * ((u - c.X[i]) / (c.X[i+1] - c.X[i])))
		}
	}
	return y
}

// ExpLess1 returns e^z - 1 for |z| <= 1/8, by five terms of its series.
func ExpLess1(z float32) float32 {
	s := float32(z*(1.0/5)) + 1
	s = float32(float32(z*(1.0/4))*s) + 1
	s = float32(float32(z*(1.0/3))*s) + 1
	s = float32(float32(z*(1.0/2))*s) + 1
	return float32(z * s)
}

// LogisticLessHalf returns 1/(1+e^-z) - 1/2 for |z| <= 1/4, by three terms of its series.
func LogisticLessHalf(z float32) float32 {
	q := float32(z * z)
	s := 1.0/4 - float32(q*(1.0/48-float32(q*(1.0/480))))
	return float32(z * s)
}
