package lane

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Values around which comparisons go wrong, non-finite ones included.
var floats = []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32,
	math.MaxFloat32, -math.MaxFloat32,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}

var ints = []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1}

func draw[T float32 | int64](r *rand.Rand, of []T) (l [64]T) {
	for i := range l {
		l[i] = of[r.Intn(len(of))]
	}
	return l
}

// expect is the plain loop that every kernel is documented to be.
func expect[T float32 | int64](a *[64]T, b func(i int) T, holds func(x, y T) bool) (m uint64) {
	for i := range a {
		if holds(a[i], b(i)) {
			m |= 1 << i
		}
	}
	return m
}

func TestComparisonsEqualTheirPlainLoops(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	check(t, r, floats, [3]func(*[64]float32, float32) uint64{FloatLess, FloatLessEqual, FloatEqual},
		[3]func(a, b *[64]float32) uint64{FloatLessLane, FloatLessEqualLane, FloatEqualLane})
	check(t, r, ints, [3]func(*[64]int64, int64) uint64{IntLess, IntLessEqual, IntEqual},
		[3]func(a, b *[64]int64) uint64{IntLessLane, IntLessEqualLane, IntEqualLane})
}

func check[T float32 | int64](
	t *testing.T, r *rand.Rand, of []T, constant [3]func(*[64]T, T) uint64, lanes [3]func(a, b *[64]T) uint64,
) {
	relations := [3]func(x, y T) bool{
		func(x, y T) bool { return x < y },
		func(x, y T) bool { return x <= y },
		func(x, y T) bool { return x == y },
	}
	for range 200 {
		a, b := draw(r, of), draw(r, of)
		for k, holds := range relations {
			assert.Equal(t, expect(&a, func(i int) T { return b[i] }, holds), lanes[k](&a, &b), "lane, relation %d", k)
			for _, c := range of {
				assert.Equal(t, expect(&a, func(int) T { return c }, holds), constant[k](&a, c),
					"constant %v, relation %d", c, k)
			}
		}
	}
}
