package sim

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQuantilesAreRightToTheWidthOfABucket(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var h histogram
	var sorted []int64
	for range 10_000 {
		v := int64(1) << r.Intn(40)
		v += r.Int63n(v)
		h.add(v)
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 1} {
		exact := sorted[int(q*float64(len(sorted)-1))]
		assert.InEpsilon(t, exact, h.quantile(q), 0.016, "quantile %v", q)
	}
	assert.Equal(t, sorted[len(sorted)-1], h.max)
}

func TestBucketsFollowEachOther(t *testing.T) {
	for b := range 57 * 64 { // all that an int64 can reach but the last octave, whose end overflows
		assert.Equal(t, b, bucket(lower(b)))
		assert.Equal(t, b, bucket(lower(b+1)-1))
	}
	var none histogram
	assert.Zero(t, none.quantile(0.5))
}
