package utility_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/utility"
)

// Where an exponential is nearly a straight line, its formula is the quotient of two small differences, and its series
// is exact near 0 only. Against the formula in float64, with shifts that lead far from 0.
func TestAGentleExponentialIsExactHoweverFarItIsShifted(t *testing.T) {
	for _, steepness := range []float64{1.0 / 8, -1.0 / 8, 0.01, 0.13, -0.13} {
		for _, shift := range []float64{-3, -2, -1.25, -1, -0.5, 0, 0.5} {
			// Of values up to about 5, and -0.6 at the least, to 0.1 to 0.9.
			c := utility.Exponential(steepness).ShiftX(shift).Slope(0.125).ShiftY(0.125)
			for x := 0.0; x <= 1; x += 1.0 / 64 {
				y := math.Expm1(steepness*(x-shift)) / math.Expm1(steepness)
				assert.InDelta(t, 0.125*y+0.125, c.At(float32(x)), 1e-6, "steepness %v, shift %v, at %v",
					steepness, shift, x)
			}
		}
	}
}

// The same of a logistic curve that is scaled to reach 0 and 1.
func TestAGentleExactLogisticIsExactHoweverFarItIsShifted(t *testing.T) {
	for _, steepness := range []float64{1.0 / 8, -1.0 / 8, 0.01} {
		for _, mid := range []float64{-20, -2, 0, 0.5, 1, 20} {
			for _, shift := range []float64{-20, -1, 0, 1, 20} {
				c := utility.LogisticExact(steepness, mid).ShiftX(shift).Slope(0.008).ShiftY(0.5)
				at := func(u float64) float64 { return 1 / (1 + math.Exp(-steepness*(u-mid))) }
				for x := 0.0; x <= 1; x += 1.0 / 16 {
					y := (at(x-shift) - at(0)) / (at(1) - at(0))
					assert.InDelta(t, 0.008*y+0.5, c.At(float32(x)), 1e-5, "steepness %v, mid %v, shift %v, at %v",
						steepness, mid, shift, x)
				}
			}
		}
	}
}
