package harness

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAQuantileIsTheNearestRank(t *testing.T) {
	values := make([]float64, 101)
	for i := range values {
		values[i] = float64(100 - i)
	}
	assert.Equal(t, 50.0, Quantile(values, 0.5))
	assert.Equal(t, 99.0, Quantile(values, 0.99))
	assert.Equal(t, 0.0, Quantile(values, 0))
	assert.Equal(t, 100.0, Quantile(values, 1))
	assert.Zero(t, Quantile(nil, 0.5))
	assert.Equal(t, 100.0, values[0], "what is measured keeps its order")
}
