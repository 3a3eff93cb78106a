package utility

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

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
				return fmt.Sprintf("curve Piecewise: point %d, (%v, %v), is so far from the one before that a "+
					"float32 cannot hold the difference; use closer points", i, p.X, p.Y)
			}
			if i > 0 && p.X < c.points[i-1].X {
				return fmt.Sprintf("curve Piecewise: point %d, at x = %v, comes after %v; sort the points by x",
					i, p.X, c.points[i-1].X)
			}
		}
	}
	return ""
}

// finite reports whether a parameter is a finite number as a float32.
func finite(v float64) bool {
	return elementary.IsFinite(float32(v))
}

// finiteStep reports whether the difference between two coordinates, as float32, is finite.
func finiteStep(from, to float64) bool { return finite(float64(float32(to) - float32(from))) }

// Below these steepnesses a curve is computed by the first terms of its series, which are as exact as a float32. The
// plain formula would be the quotient of two small differences.
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
			k.P[1], k.P[2] = 1, elementary.Exp(-steepness)
			k.P[3] = 1 - k.P[2]
		default:
			k.Kind = lane.CurveExponential
			k.P[1], k.P[2] = 0, 1
			k.P[3] = elementary.Exp(steepness) - 1
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
			at := func(u float32) float32 { return 1 / (1 + elementary.Exp(-steepness*(u-mid))) }
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
