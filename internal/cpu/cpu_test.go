package cpu

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheBestKernelIsChosenUnlessOneIsNamed(t *testing.T) {
	for _, best := range []Kernel{Go, AVX2, AVX512} {
		assert.Equal(t, best, choose("", best))
		for k := Go; k <= best; k++ {
			assert.Equal(t, k, choose(k.String(), best))
		}
		for k := best + 1; k <= AVX512; k++ {
			what := "cpu: FLOCKWORK_KERNEL=" + k.String() + " is not available here: "
			assert.PanicsWithValue(t, what+reason+"; the best is "+best.String(), func() { choose(k.String(), best) })
		}
		assert.PanicsWithValue(t, "cpu: FLOCKWORK_KERNEL=AVX2 is unknown: use go, avx2 or avx512", func() {
			choose("AVX2",
				best)
		})
	}
}

func TestTheChosenKernelIsThatOfTheEnvironment(t *testing.T) {
	assert.Equal(t, choose(os.Getenv(variable), best()), Level)
	assert.Contains(t, Available(), Level)
}
