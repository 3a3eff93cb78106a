package ecs_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
)

func TestHashSeesEveryFieldAndNoStorageOrder(t *testing.T) {
	type padded struct {
		A bool
		B int64
	}
	build := func(order []int, change func(i int, p *padded, v *components.Transform)) uint64 {
		w := arche.NewWorld()
		pad, pos := arche.ComponentID[padded](&w), arche.ComponentID[components.Transform](&w)
		entities := make([]arche.Entity, 4)
		for i := range entities {
			entities[i] = w.NewEntity(pad)
		}
		for _, i := range order { // adding a component moves an entity after the others
			w.Add(entities[i], pos)
		}
		for i, e := range entities {
			change(i, (*padded)(w.Get(e, pad)), (*components.Transform)(w.Get(e, pos)))
		}
		return ecs.Hash(&w)
	}
	same := func(i int, p *padded, v *components.Transform) { p.B, v.Position.X = int64(i), float32(i) }
	reference := build([]int{0, 1, 2, 3}, same)
	assert.Equal(t, reference, build([]int{3, 1, 0, 2}, same), "storage order")
	for name, change := range map[string]func(i int, p *padded, v *components.Transform){
		"a bool":  func(i int, p *padded, v *components.Transform) { same(i, p, v); p.A = i == 2 },
		"an int":  func(i int, p *padded, v *components.Transform) { same(i, p, v); p.B += int64(i / 3) },
		"a float": func(i int, p *padded, v *components.Transform) { same(i, p, v); v.Heading.Y = float32(i / 3) },
	} {
		assert.NotEqual(t, reference, build([]int{0, 1, 2, 3}, change), name)
	}
}

// hashOf returns the hash of a world with one entity that has one component.
func hashOf[T any](value T) uint64 {
	w := arche.NewWorld()
	e := w.NewEntity(arche.ComponentID[T](&w))
	*ecs.Get[T](&w, ecs.FromArche(e)) = value
	return ecs.Hash(&w)
}

// expectedHash is hashOf by the definition: package binary packs the fields, without padding and little-endian, and the
// bytes are hashed by words of eight. The last word has what is left of them, and how many bits that is.
func expectedHash(t *testing.T, name string, fields any) uint64 {
	var b bytes.Buffer
	require.NoError(t, binary.Write(&b, binary.LittleEndian, fields))
	h := random.Mix(random.Mix(0, components.Entity{Index: 1}.Key()), random.String(name))
	for b.Len() >= 8 {
		h = random.Mix(h, binary.LittleEndian.Uint64(b.Next(8)))
	}
	rest := make([]byte, 8)
	rest[7] = byte(8 * b.Len())
	copy(rest, b.Bytes())
	h = random.Mix(h, binary.LittleEndian.Uint64(rest))
	return random.Mix(random.Mix(0, 1), h)
}

func TestHashIsThatOfTheFieldsPackedLittleEndian(t *testing.T) {
	type ledger struct {
		Coins int32
		Since int64 // at 4 on 386, at 8 on amd64
	}
	const name = "github.com/flockwork-ai/flockwork/ecs_test."
	coins := ledger{Coins: -5, Since: 1<<40 + 3}
	assert.Equal(t, expectedHash(t, name+"ledger", coins), hashOf(coins))

	type mixed struct {
		A bool
		B uint16
		C [3]int8
		D float64
		E struct {
			F bool
			G [2]float32
		}
		H [5]struct {
			I uint32
			J uint8
		}
		K complex64
		L complex128
		M uint64
		N int16
	}
	m := mixed{A: true, B: 0xabcd, C: [3]int8{1, -2, 3}, D: math.Pi, K: 1 + 2i, L: 3 - 4i, M: 1<<63 + 7, N: -300}
	m.E.F, m.E.G[1], m.H[4].I, m.H[2].J = true, float32(math.Copysign(0, -1)), 0xdeadbeef, 9
	assert.Equal(t, expectedHash(t, name+"mixed", m), hashOf(m))
	transform := components.Transform{Position: components.Vec2{X: 1, Y: 2}}
	assert.Equal(t, expectedHash(t, "github.com/flockwork-ai/flockwork/components.Transform", transform),
		hashOf(transform))

	// The same digits on every platform that runs this test.
	assert.Equal(t, "588b3766b10259b6", fmt.Sprintf("%016x", hashOf(coins)))
	assert.Equal(t, "645b76bd4ad01c80", fmt.Sprintf("%016x", hashOf(m)))
}

func TestHashOfAnIntDoesNotDependOnItsSize(t *testing.T) {
	narrow := func() uint64 {
		type purse struct {
			Coins int
			Keys  uint
		}
		return hashOf(purse{-7, 9})
	}
	wide := func() uint64 {
		type purse struct {
			Coins int64
			Keys  uint64
		}
		return hashOf(purse{-7, 9})
	}
	assert.Equal(t, wide(), narrow(), "types of the same name")
}

func TestHashLeavesOutWhatIsNoValue(t *testing.T) {
	type odd struct {
		A    float32
		Name *string // a component of other code
		B    float64
	}
	nan := math.Float32frombits(0xffc00001) // the NaN of another processor
	one, other := "one", "other"
	assert.Equal(t, hashOf(odd{A: float32(math.NaN()), Name: &one, B: math.NaN()}),
		hashOf(odd{A: nan, Name: &other, B: math.Float64frombits(0xfff8000000000001)}))
	assert.NotEqual(t, hashOf(odd{A: 1}), hashOf(odd{A: nan}))
	assert.NotEqual(t, hashOf(odd{B: 1}), hashOf(odd{B: -1}))
}

func TestHashLeavesOutBlankFields(t *testing.T) {
	type gap struct {
		A int32
		_ int32
		B int32
	}
	const name = "github.com/flockwork-ai/flockwork/ecs_test."
	assert.Equal(t, expectedHash(t, name+"gap", [2]int32{3, 7}), hashOf(gap{A: 3, B: 7}))
	type narrow struct {
		A [4]float32
		_ float32
		B complex64
	}
	assert.Equal(t, expectedHash(t, name+"narrow", [6]float32{1, 2, 3, 4, 5, 6}),
		hashOf(narrow{A: [4]float32{1, 2, 3, 4}, B: 5 + 6i}))
	type wide struct {
		A [8]float64
		_ float64
		B complex128
	}
	assert.Equal(t, expectedHash(t, name+"wide", [10]float64{7: 8, 8: 9, 9: 10}),
		hashOf(wide{A: [8]float64{7: 8}, B: 9 + 10i}))
}

func TestHashOfANaNIsThatOfTheQuietNaNWithoutASign(t *testing.T) {
	type narrow struct{ V float32 }
	type wide struct{ V float64 }
	const name = "github.com/flockwork-ai/flockwork/ecs_test."
	assert.Equal(t, expectedHash(t, name+"narrow", uint32(0x7fc00000)),
		hashOf(narrow{math.Float32frombits(0xffc00001)}))
	assert.Equal(t, expectedHash(t, name+"wide", uint64(0x7ff8000000000000)),
		hashOf(wide{math.Float64frombits(0xfff8000000000001)}))
}

// Components go by their names, whatever the order in which the world met them, and each begins with a new word.
func TestHashGoesThroughAllComponentsOfEachEntityInTheOrderOfTheirNames(t *testing.T) {
	type ant struct{ Legs uint8 }
	type bee struct{ Wings uint8 }
	const name = "github.com/flockwork-ai/flockwork/ecs_test."
	build := func(register func(w *arche.World)) uint64 {
		w := arche.NewWorld()
		register(&w)
		a, b := arche.ComponentID[ant](&w), arche.ComponentID[bee](&w)
		one, both := w.NewEntity(b), w.NewEntity(a, b)
		*(*bee)(w.Get(one, b)) = bee{4}
		*(*ant)(w.Get(both, a)), *(*bee)(w.Get(both, b)) = ant{6}, bee{2}
		return ecs.Hash(&w)
	}
	component := func(h uint64, name string, value uint64) uint64 {
		return random.Mix(random.Mix(h, random.String(name)), value|8<<56) // eight bits in the last word
	}
	first := random.Mix(0, components.Entity{Index: 1}.Key())
	first = component(first, name+"bee", 4)
	second := random.Mix(0, components.Entity{Index: 2}.Key())
	second = component(component(second, name+"ant", 6), name+"bee", 2)
	want := random.Mix(random.Mix(random.Mix(0, 2), first), second)
	assert.Equal(t, want, build(func(w *arche.World) { arche.ComponentID[ant](w) }))
	assert.Equal(t, want, build(func(w *arche.World) { arche.ComponentID[bee](w) }))
}

func TestHashSeesTheTargetOfARelation(t *testing.T) {
	build := func(target int) uint64 {
		w := arche.NewWorld()
		e := []arche.Entity{w.NewEntity(), w.NewEntity(), w.NewEntity(arche.ComponentID[member](&w))}
		w.Relations().Set(e[2], arche.ComponentID[member](&w), e[target])
		return ecs.Hash(&w)
	}
	assert.NotEqual(t, build(0), build(1))
	assert.Equal(t, build(1), build(1))
}
