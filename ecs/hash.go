package ecs

import (
	"cmp"
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Hash returns a hash of all entities and of the fields of all their components. It depends neither on the order of
// storage nor on padding, so equal worlds have equal hashes. Entities are hashed in their own order, components in the
// order of their types' package paths and names.
//
// Hash allocates: it is for the end of a run, not for each frame.
func Hash(w *arche.World) uint64 {
	type entry struct {
		entity components.Entity
		hash   uint64
	}
	q := w.Query(arche.All())
	entries := make([]entry, 0, q.Count())
	var fields []hashedComponent
	var of arche.Mask // the archetype that fields belongs to
	for q.Next() {
		if mask := q.Mask(); mask != of || fields == nil {
			of, fields = mask, hashedComponents(w, q.Ids())
		}
		e := FromArche(q.Entity())
		h := random.Mix(0, e.Key())
		for i := range fields {
			f := &fields[i]
			h = random.Mix(h, f.name)
			for _, r := range f.ranges {
				// The range lies in the component of the query's current row.
				h = hashBytes(h, bytesAt(unsafe.Add(q.Get(f.id), r.offset), r.size))
			}
		}
		entries = append(entries, entry{e, h})
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.entity.Compare(b.entity) })
	total := random.Mix(0, uint64(len(entries)))
	for _, e := range entries {
		total = random.Mix(total, e.hash)
	}
	return total
}

// hashedComponent is a component type of an archetype and where its fields lie.
type hashedComponent struct {
	id     arche.ID
	name   uint64
	text   string
	ranges []byteRange
}

type byteRange struct{ offset, size uintptr }

func hashedComponents(w *arche.World, ids []arche.ID) []hashedComponent {
	list := make([]hashedComponent, 0, len(ids))
	for _, id := range ids {
		info, _ := arche.ComponentInfo(w, id)
		text := info.Type.PkgPath() + "." + info.Type.Name()
		list = append(list,
			hashedComponent{id: id, text: text, name: random.String(text), ranges: fieldRanges(info.Type, 0, nil)})
	}
	slices.SortFunc(list, func(a, b hashedComponent) int { return cmp.Compare(a.text, b.text) })
	return list
}

// fieldRanges appends the bytes of a type that hold values, neighbours joined; padding is left out.
func fieldRanges(t reflect.Type, at uintptr, ranges []byteRange) []byteRange {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			ranges = fieldRanges(t.Field(i).Type, at+t.Field(i).Offset, ranges)
		}
	case reflect.Array:
		for i := range t.Len() {
			ranges = fieldRanges(t.Elem(), at+uintptr(i)*t.Elem().Size(), ranges)
		}
	default:
		if n := len(ranges); n > 0 && ranges[n-1].offset+ranges[n-1].size == at {
			ranges[n-1].size += t.Size()
		} else {
			ranges = append(ranges, byteRange{at, t.Size()})
		}
	}
	return ranges
}

func hashBytes(h uint64, b []byte) uint64 {
	for len(b) >= 8 {
		h = random.Mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	tail := uint64(len(b)) << 56
	for i, v := range b {
		tail |= uint64(v) << (8 * i)
	}
	return random.Mix(h, tail)
}
