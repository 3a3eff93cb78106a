package sim

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the pages show is compiled: each of their pieces of Go is found in a program or an example that CI runs.
func TestThePagesShowCodeThatIsTested(t *testing.T) {
	for page, names := range map[string][]string{
		"README.md": {"sim/examples/embed/main.go", "systems/example_test.go"},
		"MIGRATION.md": {
			"sim/examples/archemodel/main.go", "sim/examples/archemodel/main_test.go", "sim/examples/daytick/main.go",
			"sim/examples/daytick/main_test.go", "sim/examples/host/main.go", "aitree/example_observers_test.go",
		},
	} {
		var sources strings.Builder
		for _, name := range names {
			text, err := os.ReadFile("../" + name)
			require.NoError(t, err)
			sources.WriteString("\n" + string(text))
		}
		text, err := os.ReadFile("../" + page)
		require.NoError(t, err)
		pieces := regexp.MustCompile("(?s)```go\n(.*?)```\n").FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, pieces)
		for _, piece := range pieces {
			code := "\n" + piece[1]
			// In a function it is indented by a tab.
			indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(code, "\t$1")
			if !strings.Contains(sources.String(), code) {
				assert.Contains(t, sources.String(), indented, "%s shows it, and no example has it", page)
			}
		}
	}
}

// The README's program is what a newcomer reads first, so its length is limited.
func TestTheEmbedExampleIsShort(t *testing.T) {
	text, err := os.ReadFile("examples/embed/main.go")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 45, "lines of sim/examples/embed/main.go")
}
