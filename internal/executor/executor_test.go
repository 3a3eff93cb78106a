package executor

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnExecutorThatHasNotTickedHasNoResults(t *testing.T) {
	x := NewExecutor()
	assert.Empty(t, x.Events)
	assert.Zero(t, x.Succeeded|x.Failed|x.Running|x.Mismatched|x.Prompt)
	assert.Zero(t, x.Transitions)
	x.Prepare(&Program{Nodes: []Node{{Op: OpRun}}})
	assert.Empty(t, x.Events)
}
