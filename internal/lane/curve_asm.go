package lane

import "github.com/flockwork-ai/flockwork/internal/elem"

// applyAVX2 is Apply, by assembly.
func (c *Curve) applyAVX2(out, in *[64]float32, n int) {
	at := &c.Slope
	if plain, _ := c.orientation(); plain {
		switch c.Kind {
		case CurveLinear, CurveClampedLinear:
			plainLinearAVX2(out, in, n, at)
			return
		case CurveQuadratic:
			plainQuadraticAVX2(out, in, n, at)
			return
		case CurveSmoothstep:
			plainSmoothstepAVX2(out, in, n, at)
			return
		case CurveLogistic:
			plainLogisticAVX2(out, in, n, at)
			return
		}
	}
	switch c.Kind {
	case CurveLinear:
		linearAVX2(out, in, n, at)
	case CurveClampedLinear:
		clampedLinearAVX2(out, in, n, at)
	case CurvePolynomial:
		shiftedAVX2(out, in, n, at)
		elem.PowLanes(out, out, n, c.P[0])
		finishAVX2(out, n, 1, at)
	case CurveQuadratic:
		quadraticAVX2(out, in, n, at)
	case CurveInverseQuadratic:
		inverseQuadraticAVX2(out, in, n, at)
	case CurveExponential:
		exponentialAVX2(out, in, n, at)
	case CurveGentle:
		gentleAVX2(out, in, n, at)
	case CurveLogistic:
		logisticAVX2(out, in, n, at)
	case CurveLogisticExact:
		logisticExactAVX2(out, in, n, at)
	case CurveGentleLogistic:
		gentleLogisticAVX2(out, in, n, at)
	case CurveLogit:
		oddsAVX2(out, in, n, at)
		elem.LogLanes(out, out, n)
		finishAVX2(out, n, 5, at)
	case CurveBell:
		bellAVX2(out, in, n, at)
	case CurveSine:
		turnsAVX2(out, in, n, at)
		elem.SinLanes(out, out, n)
		finishAVX2(out, n, 2, at)
	case CurveSmoothstep:
		smoothstepAVX2(out, in, n, at)
	case CurveSmootherstep:
		smootherstepAVX2(out, in, n, at)
	case CurveStep:
		stepAVX2(out, in, n, at)
	case CurvePiecewise:
		piecewiseAVX2(out, in, n, at, &c.X[0], &c.Y[0], len(c.X))
	}
}

// applyAVX512 is Apply, by assembly.
func (c *Curve) applyAVX512(out, in *[64]float32, n int) {
	at := &c.Slope
	if plain, _ := c.orientation(); plain {
		switch c.Kind {
		case CurveLinear, CurveClampedLinear:
			plainLinearAVX512(out, in, n, at)
			return
		case CurveQuadratic:
			plainQuadraticAVX512(out, in, n, at)
			return
		case CurveSmoothstep:
			plainSmoothstepAVX512(out, in, n, at)
			return
		case CurveLogistic:
			plainLogisticAVX512(out, in, n, at)
			return
		}
	}
	switch c.Kind {
	case CurveLinear:
		linearAVX512(out, in, n, at)
	case CurveClampedLinear:
		clampedLinearAVX512(out, in, n, at)
	case CurvePolynomial:
		shiftedAVX512(out, in, n, at)
		elem.PowLanes(out, out, n, c.P[0])
		finishAVX512(out, n, 1, at)
	case CurveQuadratic:
		quadraticAVX512(out, in, n, at)
	case CurveInverseQuadratic:
		inverseQuadraticAVX512(out, in, n, at)
	case CurveExponential:
		exponentialAVX512(out, in, n, at)
	case CurveGentle:
		gentleAVX512(out, in, n, at)
	case CurveLogistic:
		logisticAVX512(out, in, n, at)
	case CurveLogisticExact:
		logisticExactAVX512(out, in, n, at)
	case CurveGentleLogistic:
		gentleLogisticAVX512(out, in, n, at)
	case CurveLogit:
		oddsAVX512(out, in, n, at)
		elem.LogLanes(out, out, n)
		finishAVX512(out, n, 5, at)
	case CurveBell:
		bellAVX512(out, in, n, at)
	case CurveSine:
		turnsAVX512(out, in, n, at)
		elem.SinLanes(out, out, n)
		finishAVX512(out, n, 2, at)
	case CurveSmoothstep:
		smoothstepAVX512(out, in, n, at)
	case CurveSmootherstep:
		smootherstepAVX512(out, in, n, at)
	case CurveStep:
		stepAVX512(out, in, n, at)
	case CurvePiecewise:
		piecewiseAVX512(out, in, n, at, &c.X[0], &c.Y[0], len(c.X))
	}
}
