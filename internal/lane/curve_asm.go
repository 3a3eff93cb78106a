package lane

import (
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// The two lists of forms below differ in the functions only. A table of functions would replace them, but a call
// through a table moves the lanes to the heap.

// Apply sets out[i] to the curve's value at in[i] for the first n lanes. out and in may be the same.
func (c *Curve) Apply(out, in *[64]float32, n int) {
	if cpu.Level != cpu.AVX512 {
		c.applyNarrow(out, in, n)
		return
	}
	_, _ = out[:n], in[:n]
	at, f := &c.Slope, c.form
	if f == formUnknown {
		f = c.findForm()
	}
	switch f {
	case formPlainLinear:
		plainLinearAVX512(out, in, n, at)
	case formPlainQuadratic:
		plainQuadraticAVX512(out, in, n, at)
	case formPlainSmoothstep:
		plainSmoothstepAVX512(out, in, n, at)
	case formPlainLogistic:
		plainLogisticAVX512(out, in, n, at)
	case formOf + form(CurveLinear):
		linearAVX512(out, in, n, at)
	case formOf + form(CurveClampedLinear):
		clampedLinearAVX512(out, in, n, at)
	case formOf + form(CurvePolynomial):
		shiftedAVX512(out, in, n, at)
		elementary.PowLanes(out, out, n, c.P[0])
		finishAVX512(out, n, 1, at)
	case formOf + form(CurveQuadratic):
		quadraticAVX512(out, in, n, at)
	case formOf + form(CurveInverseQuadratic):
		inverseQuadraticAVX512(out, in, n, at)
	case formOf + form(CurveExponential):
		exponentialAVX512(out, in, n, at)
	case formOf + form(CurveGentle):
		gentleAVX512(out, in, n, at)
	case formOf + form(CurveLogistic):
		logisticAVX512(out, in, n, at)
	case formOf + form(CurveLogisticExact):
		logisticExactAVX512(out, in, n, at)
	case formOf + form(CurveGentleLogistic):
		gentleLogisticAVX512(out, in, n, at)
	case formOf + form(CurveLogit):
		oddsAVX512(out, in, n, at)
		elementary.LogLanes(out, out, n)
		finishAVX512(out, n, 5, at)
	case formOf + form(CurveBell):
		bellAVX512(out, in, n, at)
	case formOf + form(CurveSine):
		turnsAVX512(out, in, n, at)
		elementary.SinLanes(out, out, n)
		finishAVX512(out, n, 2, at)
	case formOf + form(CurveSmoothstep):
		smoothstepAVX512(out, in, n, at)
	case formOf + form(CurveSmootherstep):
		smootherstepAVX512(out, in, n, at)
	case formOf + form(CurveStep):
		stepAVX512(out, in, n, at)
	case formOf + form(CurvePiecewise):
		piecewiseAVX512(out, in, n, at, &c.X[0], &c.Y[0], len(c.X))
	default:
		c.apply(out, in, n) // the shape has no vector form
	}
}

// applyNarrow is Apply without AVX-512.
func (c *Curve) applyNarrow(out, in *[64]float32, n int) {
	if cpu.Level == cpu.Go {
		if !c.plain(out, in, n) {
			c.apply(out, in, n)
		}
		return
	}
	_, _ = out[:n], in[:n]
	at, f := &c.Slope, c.form
	if f == formUnknown {
		f = c.findForm()
	}
	switch f {
	case formPlainLinear:
		plainLinearAVX2(out, in, n, at)
	case formPlainQuadratic:
		plainQuadraticAVX2(out, in, n, at)
	case formPlainSmoothstep:
		plainSmoothstepAVX2(out, in, n, at)
	case formPlainLogistic:
		plainLogisticAVX2(out, in, n, at)
	case formOf + form(CurveLinear):
		linearAVX2(out, in, n, at)
	case formOf + form(CurveClampedLinear):
		clampedLinearAVX2(out, in, n, at)
	case formOf + form(CurvePolynomial):
		shiftedAVX2(out, in, n, at)
		elementary.PowLanes(out, out, n, c.P[0])
		finishAVX2(out, n, 1, at)
	case formOf + form(CurveQuadratic):
		quadraticAVX2(out, in, n, at)
	case formOf + form(CurveInverseQuadratic):
		inverseQuadraticAVX2(out, in, n, at)
	case formOf + form(CurveExponential):
		exponentialAVX2(out, in, n, at)
	case formOf + form(CurveGentle):
		gentleAVX2(out, in, n, at)
	case formOf + form(CurveLogistic):
		logisticAVX2(out, in, n, at)
	case formOf + form(CurveLogisticExact):
		logisticExactAVX2(out, in, n, at)
	case formOf + form(CurveGentleLogistic):
		gentleLogisticAVX2(out, in, n, at)
	case formOf + form(CurveLogit):
		oddsAVX2(out, in, n, at)
		elementary.LogLanes(out, out, n)
		finishAVX2(out, n, 5, at)
	case formOf + form(CurveBell):
		bellAVX2(out, in, n, at)
	case formOf + form(CurveSine):
		turnsAVX2(out, in, n, at)
		elementary.SinLanes(out, out, n)
		finishAVX2(out, n, 2, at)
	case formOf + form(CurveSmoothstep):
		smoothstepAVX2(out, in, n, at)
	case formOf + form(CurveSmootherstep):
		smootherstepAVX2(out, in, n, at)
	case formOf + form(CurveStep):
		stepAVX2(out, in, n, at)
	case formOf + form(CurvePiecewise):
		piecewiseAVX2(out, in, n, at, &c.X[0], &c.Y[0], len(c.X))
	default:
		c.apply(out, in, n)
	}
}
