package utility

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/internal/elem"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// Curve is a response curve: how an input t, most often of 0..1, becomes a desire of 0..1. With u = t - ShiftX it is
//
//	Slope · f(u) + ShiftY
//
// clamped to 0..1, f being the shape that the constructor names, and then inverted if that is asked for. t is clamped
// to 0..1 first, except by [Linear] and [Piecewise]. What is not a number, as a root of a negative one, gives 0,
// inverted or not; positive infinity gives 1.
//
// The shapes are those of the literature on utility AI; see Mark, "Behavioral Mathematics for Game AI", and Lewis,
// "Choosing Effective Utility-Based Considerations" (Game AI Pro 3).
type Curve struct {
	shape                 shape
	slope, shiftX, shiftY float64
	p                     [2]float64
	points                []Point
	inverted              bool
}

// Point is a point that a [Piecewise] curve goes through.
type Point struct{ X, Y float64 }

type shape uint8

const (
	shapeNone shape = iota
	shapeLinear
	shapePolynomial
	shapeQuadratic
	shapeInverseQuadratic
	shapeExponential
	shapeLogistic
	shapeLogisticExact
	shapeLogit
	shapeBell
	shapeSine
	shapeSmoothstep
	shapeSmootherstep
	shapeStep
	shapePiecewise
)

var shapeNames = [...]string{
	"none", "Linear", "Polynomial", "Quadratic", "InverseQuadratic", "Exponential", "Logistic", "LogisticExact",
	"Logit", "Bell", "Sine", "Smoothstep", "Smootherstep", "Step", "Piecewise",
}

func curve(s shape, p ...float64) Curve {
	c := Curve{shape: s, slope: 1}
	copy(c.p[:], p)
	return c
}

// Linear is u, unclamped on the way in.
func Linear() Curve { return curve(shapeLinear) }

// Polynomial is u to a power: above 1 it rises late, below 1 early. A negative u has a value for whole exponents only.
func Polynomial(exponent float64) Curve { return curve(shapePolynomial, exponent) }

// Quadratic is u².
func Quadratic() Curve { return curve(shapeQuadratic) }

// InverseQuadratic is 1 - (1-u)².
func InverseQuadratic() Curve { return curve(shapeInverseQuadratic) }

// Exponential is (e^(k·u) - 1) / (e^k - 1), k being the steepness: for what matters near the end only. It is a straight
// line for a k of 0 and rises early for a negative one.
func Exponential(steepness float64) Curve { return curve(shapeExponential, steepness) }

// Logistic is 1 / (1 + e^(-k·(u-mid))), a soft threshold at mid. It comes near 0 and 1 only.
func Logistic(steepness, mid float64) Curve { return curve(shapeLogistic, steepness, mid) }

// LogisticExact is a [Logistic] that is stretched so that it is 0 at u = 0 and 1 at u = 1; a straight line for a
// steepness of 0.
func LogisticExact(steepness, mid float64) Curve { return curve(shapeLogisticExact, steepness, mid) }

// Logit is ln(u/(1-u))/5 + ½, u clamped to 0..1: steep at both ends.
func Logit() Curve { return curve(shapeLogit) }

// Bell is e^(-((u-mean)/deviation)²/2): most at mean, less on both sides.
func Bell(mean, deviation float64) Curve { return curve(shapeBell, mean, deviation) }

// Sine is sin(2π·frequency·u)/2 + ½, the frequency in waves from 0 to 1.
func Sine(frequency float64) Curve { return curve(shapeSine, frequency) }

// Smoothstep is u²(3-2u), u clamped to 0..1: level at both ends.
func Smoothstep() Curve { return curve(shapeSmoothstep) }

// Smootherstep is u³(u(6u-15)+10), u clamped to 0..1: level at both ends, and so is its slope.
func Smootherstep() Curve { return curve(shapeSmootherstep) }

// Step is 1 from a threshold on and 0 below.
func Step(threshold float64) Curve { return curve(shapeStep, threshold) }

// MaxPoints is how many points a [Piecewise] curve can have.
const MaxPoints = 32

// Piecewise goes straight from point to point, whose X must not decrease, and is level before the first and after the
// last. At an X that several share it is at the last of them: so a jump is drawn. It takes its input unclamped.
func Piecewise(points ...Point) Curve {
	c := curve(shapePiecewise)
	c.points = points
	return c
}

// Slope multiplies the shape; 1 unless it is set.
func (c Curve) Slope(s float64) Curve { c.slope = s; return c }

// ShiftX moves the curve to the right.
func (c Curve) ShiftX(x float64) Curve { c.shiftX = x; return c }

// ShiftY moves the curve up.
func (c Curve) ShiftY(y float64) Curve { c.shiftY = y; return c }

// Inverted turns the curve over: 1 less what it gives.
func (c Curve) Inverted() Curve { c.inverted = !c.inverted; return c }

// fault returns what is wrong with the curve, or "".
func (c *Curve) fault() string {
	if c.shape == shapeNone {
		return "no curve; use Linear, Logistic, Smoothstep or another"
	}
	name := shapeNames[c.shape]
	for _, p := range []struct {
		what string
		v    float64
	}{
		{"Slope", c.slope}, {"ShiftX", c.shiftX}, {"ShiftY", c.shiftY},
		{"the first parameter", c.p[0]}, {"the second parameter", c.p[1]},
	} {
		if !finite(p.v) {
			return fmt.Sprintf("curve %s: %s is %v; use a finite number", name, p.what, p.v)
		}
	}
	switch c.shape {
	case shapeBell:
		if !(float32(c.p[1]) > 0) {
			return fmt.Sprintf("curve Bell: a deviation of %v; use more than 0", c.p[1])
		}
	case shapeLogisticExact:
		if k := c.compiled(); !(k.P[3] != 0) && k.Kind != lane.CurveClampedLinear {
			return fmt.Sprintf("curve LogisticExact: a steepness of %v about %v is level from 0 to 1, so it cannot be "+
				"stretched; use less, or a mid nearer to 0..1",
				c.p[0], c.p[1])
		}
	case shapePiecewise:
		if len(c.points) < 1 || len(c.points) > MaxPoints {
			return fmt.Sprintf("curve Piecewise: %d points; use 1 to %d", len(c.points), MaxPoints)
		}
		for i, p := range c.points {
			if !finite(p.X) || !finite(p.Y) {
				return fmt.Sprintf("curve Piecewise: point %d is (%v, %v); use finite numbers", i, p.X, p.Y)
			}
			if i > 0 && !(finiteStep(c.points[i-1].X, p.X) && finiteStep(c.points[i-1].Y, p.Y)) {
				return fmt.Sprintf("curve Piecewise: point %d, (%v, %v), is farther from the one before than a "+
					"float32 can tell; bring them nearer", i, p.X, p.Y)
			}
			if i > 0 && p.X < c.points[i-1].X {
				return fmt.Sprintf("curve Piecewise: point %d, at x = %v, comes after %v; give the points by rising x",
					i, p.X, c.points[i-1].X)
			}
		}
	}
	return ""
}

// finite reports whether a parameter is a finite number as a float32.
func finite(v float64) bool {
	f := float32(v)
	return f-f == 0
}

// finiteStep reports whether the difference between two coordinates, as float32, is finite.
func finiteStep(from, to float64) bool { return finite(float64(float32(to) - float32(from))) }

// Below these steepnesses a curve is a straight line to the precision of a float32 but for what the first terms of its
// series say; the plain formula would be the quotient of two small differences.
const (
	gentleExponential = 1.0 / 8
	gentleLogistic    = 1.0 / 8
)

// compiled returns the curve for the kernels.
func (c *Curve) compiled() lane.Curve {
	k := lane.Curve{
		Slope: float32(c.slope), XShift: float32(c.shiftX), YShift: float32(c.shiftY), Sign: 1,
		P: [4]float32{float32(c.p[0]), float32(c.p[1])},
	}
	if c.inverted {
		k.Base, k.Sign = 1, -1
	}
	switch c.shape {
	case shapeLinear:
		k.Kind = lane.CurveLinear
	case shapePolynomial:
		k.Kind = lane.CurvePolynomial
		if k.P[0] == 2 {
			k.Kind = lane.CurveQuadratic
		}
	case shapeQuadratic:
		k.Kind = lane.CurveQuadratic
	case shapeInverseQuadratic:
		k.Kind = lane.CurveInverseQuadratic
	case shapeExponential:
		steepness := k.P[0]
		switch {
		case steepness == 0:
			k.Kind = lane.CurveClampedLinear
		case math.Abs(float64(steepness)) <= gentleExponential && math.Abs(c.shiftX) <= 1:
			k.Kind = lane.CurveGentle
			k.P[3] = lane.ExpLess1(steepness)
		case steepness > 0: // about u = 1, so that nothing overflows
			k.Kind = lane.CurveExponential
			k.P[1], k.P[2] = 1, elem.Exp(-steepness)
			k.P[3] = 1 - k.P[2]
		default:
			k.Kind = lane.CurveExponential
			k.P[1], k.P[2] = 0, 1
			k.P[3] = elem.Exp(steepness) - 1
		}
	case shapeLogistic:
		k.Kind = lane.CurveLogistic
	case shapeLogisticExact:
		steepness, mid := k.P[0], k.P[1]
		switch {
		case steepness == 0:
			k.Kind = lane.CurveClampedLinear
		case math.Abs(c.p[0])*(1+math.Abs(c.p[1])+math.Abs(c.shiftX)) <= gentleLogistic:
			k.Kind = lane.CurveGentleLogistic
			k.P[2] = lane.LogisticLessHalf(steepness * (0 - mid))
			k.P[3] = lane.LogisticLessHalf(steepness*(1-mid)) - k.P[2]
		default:
			k.Kind = lane.CurveLogisticExact
			at := func(u float32) float32 { return 1 / (1 + elem.Exp(-steepness*(u-mid))) }
			k.P[2] = at(0)
			k.P[3] = at(1) - k.P[2]
		}
	case shapeLogit:
		k.Kind = lane.CurveLogit
		k.YShift += 0.5
	case shapeBell:
		k.Kind = lane.CurveBell
	case shapeSine:
		k.Kind = lane.CurveSine
		k.YShift += 0.5
	case shapeSmoothstep:
		k.Kind = lane.CurveSmoothstep
	case shapeSmootherstep:
		k.Kind = lane.CurveSmootherstep
	case shapeStep:
		k.Kind = lane.CurveStep
	case shapePiecewise:
		k.Kind = lane.CurvePiecewise
		for _, p := range c.points {
			k.X, k.Y = append(k.X, float32(p.X)), append(k.Y, float32(p.Y))
		}
	}
	return k.Ready()
}

// At returns the curve's value at an input, as the scorer computes it; for tools and tests. It panics when the curve
// is at fault, as Build would report.
func (c Curve) At(input float32) float32 {
	if fault := c.fault(); fault != "" {
		panic("utility: " + fault)
	}
	k := c.compiled()
	l := [64]float32{input}
	k.Apply(&l, &l, 1)
	return l[0]
}
