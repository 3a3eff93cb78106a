package gather

import (
	"unsafe"

	"github.com/flockwork-ai/flockwork/components"
)

// MindWords returns a column of minds as words, one mind after another: nil for nil.
func MindWords[Mind components.Mind64 | components.Mind128 | components.Mind256](column []Mind) []uint32 {
	if column == nil {
		return nil
	}
	// A mind is an array of words and nothing else, and a column is an array of minds.
	words := int(unsafe.Sizeof(column[0])) / 4
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(column))), len(column)*words)
}
