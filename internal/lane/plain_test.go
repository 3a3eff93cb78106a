package lane

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// Inputs at which clamping goes wrong, and others.
func clampedInputs() (in [][64]float32) {
	r := rand.New(rand.NewSource(1))
	one := uint32(oneBits)
	in = make([][64]float32, 200)
	for i := range in {
		for k := range in[i] {
			switch r.Intn(6) {
			case 0:
				in[i][k] = floats[r.Intn(len(floats))]
			case 1:
				in[i][k] = math.Float32frombits(r.Uint32())
			case 2: // about 1
				in[i][k] = math.Float32frombits(one - 4 + uint32(r.Intn(9)))
			case 3: // about 0
				in[i][k] = math.Float32frombits(uint32(r.Intn(4)) | uint32(r.Intn(2))<<31)
			default:
				in[i][k] = r.Float32()*1.5 - 0.25
			}
		}
	}
	return in
}

// exactly is a curve by its definition: nothing is left out because of its parameters.
func exactly(c *Curve, x float32) float32 {
	clamped := func(x float32) float32 { return min(max(x, 0), 1) }
	u := clamped(x) - c.XShift
	var f float32
	switch c.Kind {
	case CurveLinear:
		f = x - c.XShift
	case CurveClampedLinear:
		f = u
	case CurveQuadratic:
		f = u * u
	case CurveSmoothstep:
		u = clamped(u)
		f = float32(u*u) * (3 - float32(2*u))
	case CurveLogistic:
		f = 1 / (1 + elementary.Exp(-c.P[0]*(u-c.P[1])))
	}
	y := clamped(float32(c.Slope*f) + c.YShift)
	y = float32(c.Sign*y) + c.Base
	if y != y {
		return 0
	}
	return y
}

func TestCurvesEqualTheirDefinitionPlainOrNot(t *testing.T) {
	kinds := []CurveKind{CurveLinear, CurveClampedLinear, CurveQuadratic, CurveSmoothstep, CurveLogistic}
	forms := []struct{ slope, x, y float32 }{{1, 0, 0}, {1, 0, 0.25}, {-2, 0, 1}, {1, 0.5, 0}, {3, -0.5, -0.5}}
	for _, in := range clampedInputs() {
		for _, kind := range kinds {
			for _, turn := range []struct{ sign, base float32 }{{1, 0}, {-1, 1}} {
				for _, form := range forms {
					c := Curve{
						Kind: kind, Slope: form.slope, XShift: form.x, YShift: form.y, Sign: turn.sign, Base: turn.base,
						P: [4]float32{10, 0.5},
					}
					for _, n := range []int{64, 33, 7} {
						var out [64]float32
						c.Apply(&out, &in, n)
						for i := range n {
							want := exactly(&c, in[i])
							if math.Float32bits(want) != math.Float32bits(out[i]) {
								assert.Equal(t, want, out[i], "%+v at %v", c, in[i])
								return
							}
						}
					}
				}
			}
		}
	}
}

// No clamping stands between products and scores, so compensation must not lead beyond 1.
func TestACompensatedNumberStaysWithin0To1(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 100_000 {
		p := math.Float32frombits(uint32(oneBits) - uint32(r.Int63n(1<<uint(r.Intn(30)))))
		for _, n := range []float32{1, 2, 3, 7, 64, 1 << 24} {
			y := compensate(p, 1-1/n)
			assert.True(t, y >= p && y <= 1, "%v of %v", y, p)
		}
	}
}

func TestAProductIsCompensatedInOnePassAsInTwo(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var a, b, two, one [64]float32
	for i := range a {
		a[i], b[i] = r.Float32(), r.Float32()
	}
	Product(&two, &a, &b, 50)
	Compensate(&two, 50, 0.5, 1.2)
	CompensateProduct(&one, &a, &b, 50, 0.5, 1.2)
	assert.Equal(t, two[:50], one[:50])
	assert.NotZero(t, one[49])
}
