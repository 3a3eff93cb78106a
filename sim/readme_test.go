package sim

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the README shows is compiled: each of its pieces of Go is found in a program or an example.
func TestTheReadmeShowsCodeThatIsTested(t *testing.T) {
	var sources strings.Builder
	for _, name := range []string{"examples/embed/main.go", "../systems/example_test.go"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		sources.WriteString("\n" + string(text))
	}
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	pieces := regexp.MustCompile("(?s)```go\n(.*?)```\n").FindAllStringSubmatch(string(readme), -1)
	require.NotEmpty(t, pieces)
	for _, piece := range pieces {
		code := "\n" + piece[1]
		// In a function it is indented by a tab.
		indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(code, "\t$1")
		if !strings.Contains(sources.String(), code) {
			assert.Contains(t, sources.String(), indented, "README.md shows it, and no example has it")
		}
	}
}

// The README's program is what a newcomer reads first, so its length is limited.
func TestTheEmbedExampleIsShort(t *testing.T) {
	text, err := os.ReadFile("examples/embed/main.go")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 45, "lines of sim/examples/embed/main.go")
}
