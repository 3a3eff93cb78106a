package lane

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// outputs draws what considerations give: 0..1, both ends often.
func outputs(r *rand.Rand) (l [64]float32) {
	for i := range l {
		l[i] = []float32{0, 1, r.Float32(), r.Float32(), float32(r.Intn(5)) / 4}[r.Intn(5)]
	}
	return l
}

// sameBits holds the first n lanes of got to want, bit by bit; the others mean nothing.
func sameBits(t *testing.T, name string, got *[64]float32, n int, want func(i int) float32) {
	t.Helper()
	for i := range n {
		w := want(i)
		if got[i] != got[i] && w != w {
			continue
		}
		require.Equal(t, math.Float32bits(w), math.Float32bits(got[i]), "%s, lane %d of %d: want %v, got %v", name, i,
			n, w, got[i])
	}
}

func between(x float32) float32 {
	switch {
	case x > 1:
		return 1
	case x > 0:
		return x
	}
	return 0
}

func TestScoreKernelsEqualTheirPlainLines(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for n := 0; n <= 64; n++ {
		a, s := outputs(r), outputs(r)
		w, makeUp := float32(1+r.Intn(8))/4, 1-1/float32(1+r.Intn(5))
		compensated := func(p float32) float32 {
			q := (1 - p) * makeUp
			add := float32(q * p)
			return p + add
		}
		for _, k := range []struct {
			name   string
			kernel func(acc *[64]float32)
			line   func(i int) float32
		}{
			{"Multiply", func(acc *[64]float32) { Multiply(acc, &s, n) }, func(i int) float32 { return a[i] * s[i] }},
			{"MultiplyCompensated", func(acc *[64]float32) { MultiplyCompensated(acc, &s, n, makeUp) },
				func(i int) float32 { return a[i] * compensated(s[i]) }},
			{"AddWeighted", func(acc *[64]float32) { AddWeighted(acc, &s, n, w) },
				func(i int) float32 { add := w * s[i]; return a[i] + float32(add) }},
			{"Lower", func(acc *[64]float32) { Lower(acc, &s, n) }, func(i int) float32 {
				if s[i] < a[i] {
					return s[i]
				}
				return a[i]
			}},
			{"Raise", func(acc *[64]float32) { Raise(acc, &s, n) }, func(i int) float32 {
				if s[i] > a[i] {
					return s[i]
				}
				return a[i]
			}},
			{"Compensate", func(acc *[64]float32) { Compensate(acc, n, makeUp, w) },
				func(i int) float32 { return w * between(compensated(a[i])) }},
			{"Weigh", func(acc *[64]float32) { Weigh(acc, n, w) }, func(i int) float32 { return w * between(a[i]) }},
			{"Mean", func(acc *[64]float32) { Mean(acc, n, 0.75, w) },
				func(i int) float32 { return w * between(a[i]/0.75) }},
			{"Root", func(acc *[64]float32) { Root(acc, n, 1.0/3, w) },
				func(i int) float32 { return w * between(elementary.Pow(a[i], 1.0/3)) }},
		} {
			acc := a
			k.kernel(&acc)
			sameBits(t, k.name, &acc, n, k.line)
		}
	}
}

func TestRootIsTheNthRoot(t *testing.T) {
	for count := 1; count <= 8; count++ {
		for _, n := range []int{7, 64} {
			var l [64]float32
			for i := range l {
				l[i] = float32(i) / 63
			}
			in := l
			Root(&l, n, 1/float32(count), 2)
			for i := range n {
				require.InDelta(t, 2*math.Pow(float64(in[i]), 1/float64(count)), l[i], 1e-6)
			}
		}
	}
}

func TestBetterKeepsTheBestAndOfEqualsTheFirst(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for n := range 65 * 4 {
		n %= 65
		best := [64]uint64{}
		for i := n; i < 64; i++ {
			best[i] = 77
		}
		want, at := [64]float32{}, [64]uint32{}
		minimum, bonus := float32(r.Intn(3))/8, float32(r.Intn(3))/8
		for _, index := range r.Perm(1 + r.Intn(6)) { // actions come in no order
			score := outputs(r)
			for i := range score {
				if r.Intn(6) == 0 {
					score[i] = [...]float32{0, 0.125, 0.25, 1, math.SmallestNonzeroFloat32, math.MaxFloat32}[r.Intn(6)]
				}
			}
			mask, favoured := r.Uint64()|r.Uint64(), r.Uint64()&r.Uint64()
			for i := range n {
				v := score[i]
				if mask>>i&1 == 0 || !(v > 0) || !(v >= minimum) {
					continue
				}
				if favoured>>i&1 != 0 {
					v += bonus
				}
				if v > want[i] || v == want[i] && uint32(index) < at[i] {
					want[i], at[i] = v, uint32(index)
				}
			}
			Better(&best, &score, n, mask, favoured, bonus, minimum, uint32(index))
		}
		for i := range best {
			if i >= n {
				require.EqualValues(t, 77, best[i])
			} else {
				require.Equal(t, want[i], math.Float32frombits(uint32(best[i]>>32)), "lane %d of %d", i, n)
				above := func(c float32) bool { return BestAbove(&best, c)>>i&1 != 0 }
				require.Equal(t, want[i] > 0, above(0))
				if want[i] > 0 {
					require.Equal(t, at[i], ^uint32(best[i]), "lane %d of %d", i, n)
					require.False(t, above(want[i]), "%v", want[i])
					require.True(t, above(math.Nextafter32(want[i], 0)), "%v", want[i])
				}
			}
		}
	}
}
