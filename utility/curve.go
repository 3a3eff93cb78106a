package utility

// Curve is a response curve: it maps an input t, usually in 0..1, to 0..1. With u = t - ShiftX it is
//
//	Slope · f(u) + ShiftY
//
// clamped to 0..1, where f is the shape that the constructor names, and then inverted if [Curve.Inverted] was called. t
// is clamped to 0..1 first, except by [Linear] and [Piecewise]. If f(u) is not a number, such as a root of a negative
// number, the result is 0, inverted or not. Positive infinity gives 1.
//
// The zero Curve is no curve; [Build] refuses it. Each method returns a changed copy.
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

// Point is a point that a [Piecewise] curve goes through: at input X the result is Y.
type Point struct {
	X float64 // input
	Y float64 // result, 0..1
}

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

// Linear is u; the input is not clamped.
func Linear() Curve { return curve(shapeLinear) }

// Polynomial is u to a power: with an exponent above 1 it rises late, below 1 early. A negative u has a value for whole
// exponents only.
func Polynomial(exponent float64) Curve { return curve(shapePolynomial, exponent) }

// Quadratic is u².
func Quadratic() Curve { return curve(shapeQuadratic) }

// InverseQuadratic is 1 - (1-u)².
func InverseQuadratic() Curve { return curve(shapeInverseQuadratic) }

// Exponential is (e^(k·u) - 1) / (e^k - 1), where k is the steepness. It rises late for a positive k and early for a
// negative one, and is a straight line for 0.
func Exponential(steepness float64) Curve { return curve(shapeExponential, steepness) }

// Logistic is 1 / (1 + e^(-k·(u-mid))), where k is the steepness: a soft threshold at mid. It reaches neither 0 nor 1.
func Logistic(steepness, mid float64) Curve { return curve(shapeLogistic, steepness, mid) }

// LogisticExact is a [Logistic] stretched to be 0 at u = 0 and 1 at u = 1. It is a straight line for a steepness of 0.
func LogisticExact(steepness, mid float64) Curve { return curve(shapeLogisticExact, steepness, mid) }

// Logit is ln(u/(1-u))/5 + ½, u clamped to 0..1: steep at both ends.
func Logit() Curve { return curve(shapeLogit) }

// Bell is e^(-((u-mean)/deviation)²/2): 1 at the mean, less on both sides. The deviation is above 0.
func Bell(mean, deviation float64) Curve { return curve(shapeBell, mean, deviation) }

// Sine is sin(2π·frequency·u)/2 + ½. The frequency is the number of waves from 0 to 1.
func Sine(frequency float64) Curve { return curve(shapeSine, frequency) }

// Smoothstep is u²(3-2u), u clamped to 0..1: level at both ends.
func Smoothstep() Curve { return curve(shapeSmoothstep) }

// Smootherstep is u³(u(6u-15)+10), u clamped to 0..1: level at both ends, and so is its slope.
func Smootherstep() Curve { return curve(shapeSmootherstep) }

// Step is 1 where u is at least a threshold, else 0.
func Step(threshold float64) Curve { return curve(shapeStep, threshold) }

// MaxPoints is the number of points that a [Piecewise] curve can have.
const MaxPoints = 32

// Piecewise is a straight line from point to point, and level before the first and after the last. X must not decrease.
// Several points of the same X are a jump: at that X the last of them counts. The input is not clamped.
func Piecewise(points ...Point) Curve {
	c := curve(shapePiecewise)
	c.points = points
	return c
}

// Slope multiplies the shape; 1 unless it is set. It may be negative.
func (c Curve) Slope(s float64) Curve { c.slope = s; return c }

// ShiftX moves the curve to the right by x; to the left if x is negative.
func (c Curve) ShiftX(x float64) Curve { c.shiftX = x; return c }

// ShiftY moves the curve up by y; down if y is negative.
func (c Curve) ShiftY(y float64) Curve { c.shiftY = y; return c }

// Inverted returns 1 minus the curve. Called twice, it undoes itself.
func (c Curve) Inverted() Curve { c.inverted = !c.inverted; return c }

// At returns the value of the curve at an input, exactly as a decision computes it; for tools and tests. It panics if
// [Build] would refuse the curve.
func (c Curve) At(input float32) float32 {
	if fault := c.fault(); fault != "" {
		panic("utility: " + fault)
	}
	k := c.compiled()
	l := [64]float32{input}
	k.Apply(&l, &l, 1)
	return l[0]
}
