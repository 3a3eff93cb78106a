package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Results are the same everywhere only if each operation rounds by itself and subnormal numbers are kept: assembly may
// neither multiply and add in one instruction, nor take approximations, nor change the rounding of the processor.
func TestAssemblyRoundsAsTheCompilerDoes(t *testing.T) {
	files, err := filepath.Glob("*/*_amd64.s")
	require.NoError(t, err)
	more, err := filepath.Glob("../*/*_amd64.s")
	require.NoError(t, err)
	files = append(files, more...)
	require.NotEmpty(t, files)
	forbidden := regexp.MustCompile(`\b(VF\w*(ADD|SUB)\w*|V?(RCP|RSQRT)\w*|V?LDMXCSR|\w+_(RD|RU|RZ)_SAE)\b`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Empty(t, forbidden.FindString(string(text)), file)
	}
}
