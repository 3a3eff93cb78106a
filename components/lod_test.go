package components_test

import (
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
)

func TestLODIsSixteenBytesWithoutPointers(t *testing.T) {
	assert.Equal(t, uintptr(16), unsafe.Sizeof(components.LOD{}))
	assert.NoError(t, components.CheckPointerFree(reflect.TypeFor[components.LOD]()))
}

func TestNewLODIsNotDueAndHasNoImportance(t *testing.T) {
	l := components.NewLOD()
	assert.False(t, l.Due())
	assert.Equal(t, components.NoImportance, l.Importance)
}

func TestElapsedIsTheClockDifferenceAndNeverNegative(t *testing.T) {
	l := components.LOD{Last: 40}
	assert.Equal(t, 60*time.Nanosecond, l.Elapsed(100))
	assert.Zero(t, l.Elapsed(30), "a clock that was set back")
}
