package blackboard_test

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

func testSchema(t require.TestingT) *blackboard.BoardSchema {
	s := &blackboard.BoardSchema{}
	for _, add := range []func() (blackboard.Fact, error){
		func() (blackboard.Fact, error) { return s.Number("threat", 0.5) },
		func() (blackboard.Fact, error) { return s.Flag("armed", true) },
		func() (blackboard.Fact, error) { return s.Entity("leader") },
		func() (blackboard.Fact, error) { return s.Number("fear", 0) },
	} {
		_, err := add()
		require.NoError(t, err)
	}
	return s
}

func TestBoardKeysAreSlotsWithDefaults(t *testing.T) {
	s := testSchema(t)
	fear, ok := s.Lookup("fear")
	require.True(t, ok)
	assert.Equal(t, uintptr(16+4), fear.Field().Offset, "the second number, after two entities")
	again, err := s.Number("fear", 9)
	require.NoError(t, err)
	assert.True(t, fear.Same(again), "a name is one slot")

	b := s.New()
	for name, expected := range map[string]any{"threat": float32(0.5), "armed": true, "leader": components.Entity{},
		"fear": float32(0)} {
		v, err := s.Get(&b, name)
		require.NoError(t, err)
		assert.Equal(t, expected, v, name)
	}
	require.NoError(t, s.Set(&b, "leader", components.Entity{Index: 3, Generation: 1}))
	assert.Equal(t, components.Entity{Index: 3, Generation: 1}, b.Entities[0])
}

func TestBoardFaultsNameTheKey(t *testing.T) {
	s := testSchema(t)
	b := s.New()
	before := b
	assert.EqualError(t, s.Set(&b, "hunger", float32(1)),
		`blackboard: unknown board key "hunger"; known are: ["threat" "armed" "leader" "fear"]`)
	assert.EqualError(t, s.Set(&b, "armed", float32(1)), `blackboard: board key "armed" is of kind bool, got a float32`)
	assert.EqualError(t, s.Set(&b, "fear", float32(math.NaN())),
		`blackboard: board key "fear": NaN is not finite; use a finite number`)
	assert.Equal(t, before, b)
	_, err := s.Flag("fear", false)
	assert.EqualError(t, err, `blackboard: board key "fear" is of kind float32 already, not bool; use another name`)
	_, err = s.Entity("a second")
	require.NoError(t, err)
	_, err = s.Entity("a third")
	assert.EqualError(t, err,
		`blackboard: board key "a third": all 2 slots of kind entity are taken; give agents a custom component`)
	for text, message := range map[string]string{
		`[]`:             `blackboard: board: json: cannot unmarshal array`,
		`{"hunger":1}`:   `blackboard: unknown board key "hunger"`,
		`{"fear":1e39}`:  `blackboard: board key "fear" of kind float32: json: cannot unmarshal number 1e39`,
		`{"fear":null}`:  `blackboard: board key "fear" of kind float32: null is not a number`,
		`{"armed":null}`: `blackboard: board key "armed" of kind bool: null is not a bool`,
		`{"armed":1}`:    `blackboard: board key "armed" of kind bool: json: cannot unmarshal number`,
		`{"leader":[1]}`: `blackboard: board key "leader" of kind entity: [1] is not a pair of index ` +
			`and generation`,
		`{"leader":[1,-1]}`:  `blackboard: board key "leader" of kind entity: json: cannot unmarshal number -1`,
		`{"fear":1} {"a":1}`: `blackboard: board: invalid character`,
	} {
		_, err := s.Decode([]byte(text))
		assert.ErrorContains(t, err, message, text)
	}
}

// As many keys of each kind as there are slots, and not one more. A key that is there already takes no slot.
func TestEverySlotOfABoardHasAKey(t *testing.T) {
	s := &blackboard.BoardSchema{}
	add := map[string]func(name string) (blackboard.Fact, error){
		"number": func(name string) (blackboard.Fact, error) { return s.Number(name, 1.5) },
		"flag":   func(name string) (blackboard.Fact, error) { return s.Flag(name, true) },
		"entity": func(name string) (blackboard.Fact, error) { return s.Entity(name) },
	}
	var b blackboard.Board
	slots := map[string][]uintptr{"entity": {}, "number": {}, "flag": {}}
	for i := range b.Entities {
		slots["entity"] = append(slots["entity"], unsafe.Offsetof(b.Entities)+uintptr(8*i))
	}
	for i := range b.Numbers {
		slots["number"] = append(slots["number"], unsafe.Offsetof(b.Numbers)+uintptr(4*i))
	}
	for i := range b.Flags {
		slots["flag"] = append(slots["flag"], unsafe.Offsetof(b.Flags)+uintptr(i))
	}
	for kind, offsets := range slots {
		for i, offset := range offsets {
			f, err := add[kind](fmt.Sprint(kind, i))
			require.NoError(t, err)
			assert.Equal(t, offset, f.Field().Offset, "%s %d", kind, i)
		}
		_, err := add[kind]("one more")
		assert.ErrorContains(t, err, fmt.Sprintf("all %d slots of kind", len(offsets)))
		again, err := add[kind](kind + "1")
		require.NoError(t, err)
		assert.Equal(t, offsets[1], again.Field().Offset)
	}
	assert.Len(t, s.Names(), 20)
	_, ok := s.Lookup("one more")
	assert.False(t, ok)
	board := s.New()
	for i := range board.Numbers {
		assert.Equal(t, float32(1.5), board.Numbers[i])
	}
	for i := range board.Flags {
		assert.True(t, board.Flags[i])
	}
	// A key without a name takes no slot either.
	empty := &blackboard.BoardSchema{}
	_, err := empty.Number("", 0)
	assert.EqualError(t, err, `blackboard: a fact of blackboard.Board has no name; give it one`)
	assert.Empty(t, empty.Names())
}

func TestSettingABoardWritesTheNamedSlotOnly(t *testing.T) {
	s := testSchema(t)
	b := s.New()
	want := b
	for _, set := range []struct {
		name  string
		value any
		apply func()
	}{
		{"fear", float32(2.5), func() { want.Numbers[1] = 2.5 }},
		{"armed", false, func() { want.Flags[0] = false }},
		{"armed", true, func() { want.Flags[0] = true }},
		{"leader", components.Entity{Index: 4, Generation: 2}, func() {
			want.Entities[0] = components.Entity{Index: 4, Generation: 2}
		}},
	} {
		require.NoError(t, s.Set(&b, set.name, set.value))
		set.apply()
		assert.Equal(t, want, b, set.name)
	}
	for name, wrong := range map[string]any{
		"fear": true, "armed": components.Entity{}, "leader": float32(1), "threat": 1,
	} {
		assert.ErrorContains(t, s.Set(&b, name, wrong), `board key "`+name+`" is of kind`)
	}
	assert.Equal(t, want, b)
	_, err := s.Get(&b, "hunger")
	assert.EqualError(t, err, `blackboard: unknown board key "hunger"; known are: ["threat" "armed" "leader" "fear"]`)
	data, err := s.Encode(&b)
	require.NoError(t, err)
	assert.JSONEq(t, `{"threat":0.5,"armed":true,"leader":[4,2],"fear":2.5}`, string(data))
	b.Numbers[1] = float32(math.Inf(1))
	_, err = s.Encode(&b)
	assert.EqualError(t, err, `blackboard: board key "fear": +Inf is not finite; set a finite number`)
	decoded, err := s.Decode([]byte(`{"leader":[7,8],"fear":-1}`))
	require.NoError(t, err)
	assert.Equal(t, blackboard.Board{
		Entities: [2]components.Entity{{Index: 7, Generation: 8}}, Numbers: [10]float32{0.5, -1}, Flags: [8]bool{true},
	}, decoded, "what is left out has its default")
	_, err = s.Decode([]byte(`{"zeal":1,"hunger":2}`))
	assert.ErrorContains(t, err, `unknown board key "hunger"`, "the first by name")
	_, err = s.Decode([]byte(`{"leader":[1,2,3]}`))
	assert.ErrorContains(t, err, `[1,2,3] is not a pair of index and generation`)
}

func TestBoardsSerialiseByName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := testSchema(t)
		b := s.New()
		b.Numbers[0] = rapid.Float32().Draw(t, "threat")
		b.Numbers[1] = rapid.Float32().Draw(t, "fear")
		b.Flags[0] = rapid.Bool().Draw(t, "armed")
		b.Entities[0] = components.Entity{Index: rapid.Uint32().Draw(t, "index"),
			Generation: rapid.Uint32().Draw(t, "generation")}
		data, err := s.Encode(&b)
		require.NoError(t, err)
		decoded, err := s.Decode(data)
		require.NoError(t, err)
		assert.Equal(t, b, decoded)
	})
}

func FuzzDecodeBoard(f *testing.F) {
	f.Add([]byte(`{"threat":1.5,"armed":false,"leader":[1,2]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := testSchema(t)
		b, err := s.Decode(data)
		if err != nil {
			assert.Equal(t, blackboard.Board{}, b)
			return
		}
		again, err := s.Encode(&b)
		require.NoError(t, err)
		decoded, err := s.Decode(again)
		require.NoError(t, err)
		assert.Equal(t, b, decoded)
	})
}
