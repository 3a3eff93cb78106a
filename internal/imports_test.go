package internal_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The decision engines need no world: nothing below them may reach arche.
func TestTreesUtilityAndComponentsDoNotReachArche(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	for _, packages := range []string{"../aitree", "../utility", "../components"} {
		out, err := exec.Command("go", "list", "-deps", packages).CombinedOutput()
		require.NoError(t, err, string(out))
		assert.NotContains(t, string(out), "mlange-42/arche", packages)
	}
	out, err := exec.Command("go", "list", "-deps", "../components").CombinedOutput()
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(out), "flockwork-ai/flockwork"), "components imports no other package of the project")
}
