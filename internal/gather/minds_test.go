package gather_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

func TestMindWordsAreTheMindsThemselves(t *testing.T) {
	column := []components.Mind128{mindlayout.NewMind128(4), mindlayout.NewMind128(5)}
	column[1].Words[31] = 7
	words := gather.MindWords(column)
	assert.Len(t, words, 64)
	assert.Equal(t, []uint32{4, 5, 7}, []uint32{words[0], words[32], words[63]})
	words[33] = 9
	assert.EqualValues(t, 9, column[1].Words[1])
	assert.Len(t, gather.MindWords(make([]components.Mind64, 3)), 48)
	assert.Len(t, gather.MindWords(make([]components.Mind256, 1)), 64)
	assert.Nil(t, gather.MindWords[components.Mind64](nil))
}
