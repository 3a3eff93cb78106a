package ecs

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/flockwork-ai/flockwork/components"
)

// MindColumn returns a column of minds of any of the three sizes as words, one row after another: for systems that tick
// trees. It returns nil when the archetype lacks an optional mind.
//
// Panics when there is no such term, or it is not one of the three types of minds.
func MindColumn(chunk *Chunk, term int) []uint32 {
	if uint(term) >= uint(len(chunk.terms)) {
		chunk.panicTerm(term)
	}
	t := chunk.terms[term].component
	if t != mind64Type && t != mind128Type && t != mind256Type {
		panic(fmt.Sprintf("ecs: MindColumn of term %d, which is %v; use a term of components.Mind64, Mind128 or "+
			"Mind256", term, t))
	}
	if chunk.columns[term] == nil {
		return nil
	}
	// A mind is an array of words and nothing else, and a column is an array of minds.
	return unsafe.Slice((*uint32)(chunk.columns[term]), chunk.Len()*int(t.Size())/4)
}

var (
	mind64Type  = reflect.TypeFor[components.Mind64]()
	mind128Type = reflect.TypeFor[components.Mind128]()
	mind256Type = reflect.TypeFor[components.Mind256]()
)
