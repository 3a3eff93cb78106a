package cpu

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheBestKernelIsChosenUnlessOneIsNamed(t *testing.T) {
	for _, best := range []Kernel{Go, AVX2, AVX512} {
		for k := Go; k <= best; k++ {
			got, err := choose(k.String(), best)
			assert.NoError(t, err)
			assert.Equal(t, k, got)
		}
		got, err := choose("", best)
		assert.NoError(t, err)
		assert.Equal(t, best, got)
		for k := best + 1; k <= AVX512; k++ {
			what := "cpu: FLOCKWORK_KERNEL=" + k.String() + " is not available here: "
			_, err := choose(k.String(), best)
			assert.EqualError(t, err, what+reason+"; the best is "+best.String())
		}
		_, err = choose("AVX2", best)
		assert.EqualError(t, err, "cpu: FLOCKWORK_KERNEL=AVX2 is unknown: use go, avx2 or avx512")
	}
}

func TestTheChosenKernelIsThatOfTheEnvironment(t *testing.T) {
	k, err := choose(os.Getenv(variable), best())
	assert.NoError(t, err)
	assert.Equal(t, k, Level)
	assert.Contains(t, Available(), Level)
}

func TestAnUnknownKernelEndsTheProgramWithOneLine(t *testing.T) {
	if os.Getenv(variable) == "sse9" {
		return // not reached: the program ends before
	}
	command := exec.Command(os.Args[0], "-test.run=^$")
	command.Env = append(os.Environ(), variable+"=sse9")
	out, err := command.CombinedOutput()
	var failed *exec.ExitError
	if assert.ErrorAs(t, err, &failed) {
		assert.Equal(t, 2, failed.ExitCode())
	}
	assert.Equal(t, "cpu: FLOCKWORK_KERNEL=sse9 is unknown: use go, avx2 or avx512\n", string(out))
}
