package lane

import (
	"math/rand"
	"testing"
)

var benchCurves = []struct {
	name  string
	curve Curve
}{
	{"linear", Curve{Kind: CurveLinear, Slope: 1, Sign: 1}},
	{"linear inverted", Curve{Kind: CurveLinear, Slope: 1, Sign: -1, Base: 1}},
	{"quadratic", Curve{Kind: CurveQuadratic, Slope: 1, Sign: 1}},
	{"smoothstep", Curve{Kind: CurveSmoothstep, Slope: 1, Sign: 1}},
	{"logistic", Curve{Kind: CurveLogistic, Slope: 1, Sign: 1, P: [4]float32{10, 0.5}}},
	{"bell", Curve{Kind: CurveBell, Slope: 1, Sign: 1, P: [4]float32{0.5, 0.2}}},
}

// Inputs are of 0..1, or lie beyond one time in three, in no order.
func BenchmarkCurve(b *testing.B) {
	for _, beyond := range []struct {
		name      string
		low, high float32
	}{{"within", 0, 1}, {"beyond", -0.25, 1.25}} {
		r := rand.New(rand.NewSource(1))
		in := make([][64]float32, 160)
		for i := range in {
			for k := range in[i] {
				in[i][k] = beyond.low + r.Float32()*(beyond.high-beyond.low)
			}
		}
		for _, c := range benchCurves {
			b.Run(c.name+"/"+beyond.name, func(b *testing.B) {
				var out [64]float32
				for b.Loop() {
					for i := range in {
						c.curve.Apply(&out, &in[i], 64)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64/160, "ns/value")
			})
		}
	}
}

func BenchmarkBetter(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	scores := make([][64]float32, 160)
	for i := range scores {
		for k := range scores[i] {
			scores[i][k] = r.Float32()
		}
	}
	var best [64]uint64
	for b.Loop() {
		for i := range scores {
			if i%4 == 0 {
				clear(best[:])
			}
			Better(&best, &scores[i], 64, ^uint64(0), 0x1000800420010080<<(i%4), 1e-9, 0, uint32(i))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64/160, "ns/value")
}
