package ecs

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Hash returns a hash of all entities and of the values of all their components. Equal values have equal hashes on
// every platform: the hash depends neither on the order of storage nor on padding, byte order or the size of an int.
// Entities are hashed in their own order, components in the order of their types' package paths and names, and fields
// in the order of their declaration; a relation component is hashed with its target.
//
// All NaNs are one value, since processors make different ones. Blank fields and fields that hold a Go pointer, as the
// components of other code may, are left out.
//
// Hash allocates: it is for the end of a run, not for each frame.
func Hash(w *arche.World) uint64 {
	type entry struct {
		entity components.Entity
		hash   uint64
	}
	q := w.Query(arche.All())
	entries := make([]entry, 0, q.Count())
	var hashed []hashedComponent
	var of arche.Mask // the archetype that hashed belongs to
	for q.Next() {
		if mask := q.Mask(); mask != of || hashed == nil {
			of, hashed = mask, hashedComponents(w, q.Ids())
		}
		e := FromArche(q.Entity())
		d := digest{hash: random.Mix(0, e.Key())}
		for i := range hashed {
			c := &hashed[i]
			d.hash = random.Mix(d.hash, c.name)
			d.component(q.Get(c.id), c.runs)
			if c.relation {
				d.hash = random.Mix(d.hash, FromArche(q.Relation(c.id)).Key())
			}
		}
		entries = append(entries, entry{e, d.hash})
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.entity.Compare(b.entity) })
	total := random.Mix(0, uint64(len(entries)))
	for _, e := range entries {
		total = random.Mix(total, e.hash)
	}
	return total
}

// hashedComponent is a component type of an archetype and where its values lie.
type hashedComponent struct {
	id       arche.ID
	name     uint64
	text     string
	runs     []valueRun
	relation bool
}

func hashedComponents(w *arche.World, ids []arche.ID) []hashedComponent {
	list := make([]hashedComponent, 0, len(ids))
	for _, id := range ids {
		info, _ := arche.ComponentInfo(w, id)
		text := info.Type.PkgPath() + "." + info.Type.Name()
		list = append(list, hashedComponent{
			id: id, text: text, name: random.String(text), runs: runsOf(info.Type, 0, nil), relation: info.IsRelation,
		})
	}
	slices.SortStableFunc(list, func(a, b hashedComponent) int { return cmp.Compare(a.text, b.text) })
	return list
}

// valueRun is a number of values of one kind that lie one after the other in a component.
type valueRun struct {
	kind   valueKind
	count  int
	offset uintptr
}

// valueKind is how a value is read.
type valueKind uint8

const (
	valueBits8 valueKind = iota
	valueBits16
	valueBits32
	valueBits64
	valueFloat32
	valueFloat64
	valueInt  // of the platform's size
	valueUint // of the platform's size
)

var valueKinds = map[reflect.Kind]valueKind{
	reflect.Bool: valueBits8, reflect.Int8: valueBits8, reflect.Uint8: valueBits8,
	reflect.Int16: valueBits16, reflect.Uint16: valueBits16,
	reflect.Int32: valueBits32, reflect.Uint32: valueBits32, reflect.Int64: valueBits64, reflect.Uint64: valueBits64,
	reflect.Float32: valueFloat32, reflect.Float64: valueFloat64,
	reflect.Int: valueInt, reflect.Uint: valueUint, reflect.Uintptr: valueUint,
}

// runsOf appends the values of a type in their order, neighbours of one kind joined.
func runsOf(t reflect.Type, at uintptr, runs []valueRun) []valueRun {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				runs = runsOf(f.Type, at+f.Offset, runs)
			}
		}
	case reflect.Array:
		if kind, ok := valueKinds[t.Elem().Kind()]; ok {
			return appendRun(runs, valueRun{kind, t.Len(), at}, t.Elem().Size())
		}
		for i := range t.Len() {
			runs = runsOf(t.Elem(), at+uintptr(i)*t.Elem().Size(), runs)
		}
	case reflect.Complex64:
		runs = appendRun(runs, valueRun{valueFloat32, 2, at}, 4)
	case reflect.Complex128:
		runs = appendRun(runs, valueRun{valueFloat64, 2, at}, 8)
	default:
		if kind, ok := valueKinds[t.Kind()]; ok { // the others hold Go pointers
			runs = appendRun(runs, valueRun{kind, 1, at}, t.Size())
		}
	}
	return runs
}

// appendRun appends a run of values of a size in bytes, or extends the last run by it.
func appendRun(runs []valueRun, r valueRun, size uintptr) []valueRun {
	if n := len(runs); n > 0 && runs[n-1].kind == r.kind && runs[n-1].offset+uintptr(runs[n-1].count)*size == r.offset {
		runs[n-1].count += r.count
		return runs
	}
	return append(runs, r)
}

// digest hashes a stream of values. They are packed into words of 64 bits, the first value in the lowest bits, whatever
// the byte order of the platform.
type digest struct {
	hash uint64
	word uint64 // the values that have not been hashed
	bits uint   // of word that are taken: below 64
}

// component hashes the values of a component. The runs lie in it.
func (d *digest) component(p unsafe.Pointer, runs []valueRun) {
	for i := range runs {
		r := &runs[i]
		at := unsafe.Add(p, r.offset)
		switch r.kind {
		case valueBits8:
			for _, v := range unsafe.Slice((*uint8)(at), r.count) {
				d.add(uint64(v), 8)
			}
		case valueBits16:
			for _, v := range unsafe.Slice((*uint16)(at), r.count) {
				d.add(uint64(v), 16)
			}
		case valueBits32:
			for _, v := range unsafe.Slice((*uint32)(at), r.count) {
				d.add(uint64(v), 32)
			}
		case valueBits64:
			for _, v := range unsafe.Slice((*uint64)(at), r.count) {
				d.add(v, 64)
			}
		case valueFloat32:
			for _, v := range unsafe.Slice((*float32)(at), r.count) {
				d.add(uint64(float32Bits(v)), 32)
			}
		case valueFloat64:
			for _, v := range unsafe.Slice((*float64)(at), r.count) {
				d.add(float64Bits(v), 64)
			}
		case valueInt:
			for _, v := range unsafe.Slice((*int)(at), r.count) {
				d.add(uint64(v), 64)
			}
		case valueUint:
			for _, v := range unsafe.Slice((*uint)(at), r.count) {
				d.add(uint64(v), 64)
			}
		}
	}
	d.hash = random.Mix(d.hash, d.word|uint64(d.bits)<<56) // at most 56 bits are left
	d.word, d.bits = 0, 0
}

// add hashes a value of a number of bits.
func (d *digest) add(value uint64, bits uint) {
	d.word |= value << d.bits
	d.bits += bits
	if d.bits >= 64 {
		d.hash = random.Mix(d.hash, d.word)
		d.bits -= 64
		d.word = value >> (bits - d.bits) // what did not fit; a shift by 64 gives 0
	}
}

// float32Bits returns the bits of a number, the same for every NaN.
func float32Bits(v float32) uint32 {
	if v != v {
		return 0x7fc00000
	}
	return math.Float32bits(v)
}

// float64Bits returns the bits of a number, the same for every NaN.
func float64Bits(v float64) uint64 {
	if v != v {
		return 0x7ff8000000000000
	}
	return math.Float64bits(v)
}
