package process

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFieldIsTheValueOfTheFirstLineWithItsKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "status")
	require.NoError(t, os.WriteFile(path, []byte("Name:\tgo\nmodel name\t: A: B\nmodel name\t: C\n"), 0o600))
	assert.Equal(t, "go", field(path, "Name"))
	assert.Equal(t, "A: B", field(path, "model name"))
	assert.Empty(t, field(path, "model"))
	assert.Empty(t, field(path+"x", "Name"), "no such file")
}

func TestPeakMemoryIsAtLeastTheResidentMemory(t *testing.T) {
	resident := ResidentMemory()
	assert.GreaterOrEqual(t, PeakMemory(), resident)
	assert.Positive(t, PeakMemory())
	if runtime.GOOS == "linux" {
		assert.Positive(t, resident)
		assert.NotEmpty(t, KernelRelease())
	}
}
