package blackboard_test

import (
	"math"
	"testing"

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
