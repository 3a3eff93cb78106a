package aitree_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

func TestMisuseOfABlockSaysWhatIsRight(t *testing.T) {
	actions := aitree.NewActions()
	_, err := actions.Register("dig", components.Act)
	require.NoError(t, err)
	program, err := aitree.Build("digger", actions, aitree.Do("dig"))
	require.NoError(t, err)
	b := aitree.NewBlock(program, 2)
	for _, misuse := range []struct {
		want string
		use  func()
	}{
		{"aitree: Block.Order of channel 9; use components.Move or components.Act", func() { b.Order(0, 9) }},
		{"aitree: Block.Report of channel 9; use components.Move or components.Act", func() { b.Report(0, 9, 1) }},
		{"aitree: lane 2 of a block of 2 agents", func() { b.Order(2, components.Act) }},
		{"aitree: a Block that was not made; make one with NewBlock", func() { new(aitree.Block).Tick(1) }},
		{"aitree: a Program that was not built; make one with Build", func() { new(aitree.Program).Name() }},
		{"aitree: Block.Report of outcome 77; use Pending, Succeeded or Failed", func() {
			b.Tick(1)
			b.Report(0, components.Act, 77)
		}},
		{"aitree: a Block whose Facts are nil; keep those of NewBlock, or set a blackboard.NewLanes", func() {
			b := aitree.NewBlock(program, 1)
			b.Facts = nil
			b.Tick(1)
		}},
	} {
		assert.PanicsWithValue(t, misuse.want, misuse.use)
	}
	_, err = aitree.Build("digger", nil, aitree.Do("dig"))
	require.Error(t, err)
	assert.Contains(t, err.Error(), `unknown action "dig"; none is registered`)
}
