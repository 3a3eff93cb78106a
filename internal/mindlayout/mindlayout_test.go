package mindlayout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

func TestNewMindHasTheSizeAndTheProgram(t *testing.T) {
	assert.Equal(t, mindlayout.NewMind64(7), mindlayout.New(7, 64))
	assert.Equal(t, mindlayout.NewMind128(7), mindlayout.New(7, 128))
	assert.Equal(t, mindlayout.NewMind256(7), mindlayout.New(7, 256))
	assert.PanicsWithValue(t, "mindlayout: no mind has 100 bytes; the sizes are 64, 128 and 256",
		func() { mindlayout.New(1, 100) })
}

func TestProgramIsTheLowHalfOfTheFirstWord(t *testing.T) {
	mind := mindlayout.NewMind64(0xfffe)
	mind.Words[0] |= 3 << 16 // the epoch of its last tick
	assert.Equal(t, uint16(0xfffe), mindlayout.Program(mind.Words[:]))
}
