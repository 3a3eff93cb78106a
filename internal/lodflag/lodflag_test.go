package lodflag_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
)

// Package components imports nothing and has the two bits that it uses itself.
func TestTheBitsAreThoseOfPackageComponents(t *testing.T) {
	l := components.NewLOD()
	assert.Equal(t, lodflag.New, l.Flags)
	assert.False(t, l.Due())
	assert.True(t, (&components.LOD{Flags: lodflag.Due}).Due())
	assert.False(t, (&components.LOD{Flags: ^lodflag.Due}).Due())
}
