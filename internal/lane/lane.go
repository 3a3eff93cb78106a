// Package lane holds the kernels over lanes: 64 values of one kind, one per agent of a block. A comparison returns a
// mask whose bit i is the answer for value i. The functions are pure, allocate nothing and may be called from any
// goroutine.
//
// The loop in a function is its definition. Package cpu chooses at start whether it is used, or a form in vector
// instructions. The vector form returns the same bits in every lane that the caller asked for, for any bits of the
// input, with two exceptions. Where a loop computes the first n lanes, vectors are computed whole, so the other lanes
// have no meaning afterwards. And the bits of a NaN may differ, except that a NaN which a clamped result passes on has
// the bits 0x7fc00000.
package lane

import (
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// The module in internal/asm generates the assembly, its declarations, and the stubs for builds without assembly.
//
//go:generate go -C ../asm run .

// Kernel is how lanes are computed: go, avx2 or avx512.
var Kernel = cpu.Level.String()

// number is the type of the elements of a lane that can be compared.
type number interface{ float32 | int64 }

// The loops go from the last lane to the first: then a shift and an addition are one instruction.

func less[T number](l *[64]T, c T) (m uint64) {
	for i := 60; i >= 0; i -= 4 {
		v := l[i : i+4 : i+4]
		m = m<<1 + bitmask.Of(v[3] < c)
		m = m<<1 + bitmask.Of(v[2] < c)
		m = m<<1 + bitmask.Of(v[1] < c)
		m = m<<1 + bitmask.Of(v[0] < c)
	}
	return m
}

func lessEqual[T number](l *[64]T, c T) (m uint64) {
	for i := 60; i >= 0; i -= 4 {
		v := l[i : i+4 : i+4]
		m = m<<1 + bitmask.Of(v[3] <= c)
		m = m<<1 + bitmask.Of(v[2] <= c)
		m = m<<1 + bitmask.Of(v[1] <= c)
		m = m<<1 + bitmask.Of(v[0] <= c)
	}
	return m
}

func equal[T number](l *[64]T, c T) (m uint64) {
	for i := 60; i >= 0; i -= 4 {
		v := l[i : i+4 : i+4]
		m = m<<1 + bitmask.Of(v[3] == c)
		m = m<<1 + bitmask.Of(v[2] == c)
		m = m<<1 + bitmask.Of(v[1] == c)
		m = m<<1 + bitmask.Of(v[0] == c)
	}
	return m
}

func lessLane[T number](a, b *[64]T) (m uint64) {
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of(a[i] < b[i])
	}
	return m
}

func lessEqualLane[T number](a, b *[64]T) (m uint64) {
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of(a[i] <= b[i])
	}
	return m
}

func equalLane[T number](a, b *[64]T) (m uint64) {
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of(a[i] == b[i])
	}
	return m
}

// FloatLess sets bit i where l[i] < c.
func FloatLess(l *[64]float32, c float32) uint64 {
	if cpu.Level != cpu.Go {
		return floatLessAVX2(l, c)
	}
	return less(l, c)
}

// FloatLessEqual sets bit i where l[i] <= c.
func FloatLessEqual(l *[64]float32, c float32) uint64 {
	if cpu.Level != cpu.Go {
		return floatLessEqualAVX2(l, c)
	}
	return lessEqual(l, c)
}

// FloatEqual sets bit i where l[i] == c.
func FloatEqual(l *[64]float32, c float32) uint64 {
	if cpu.Level != cpu.Go {
		return floatEqualAVX2(l, c)
	}
	return equal(l, c)
}

// FloatLessLane sets bit i where a[i] < b[i].
func FloatLessLane(a, b *[64]float32) uint64 {
	if cpu.Level != cpu.Go {
		return floatLessLaneAVX2(a, b)
	}
	return lessLane(a, b)
}

// FloatLessEqualLane sets bit i where a[i] <= b[i].
func FloatLessEqualLane(a, b *[64]float32) uint64 {
	if cpu.Level != cpu.Go {
		return floatLessEqualLaneAVX2(a, b)
	}
	return lessEqualLane(a, b)
}

// FloatEqualLane sets bit i where a[i] == b[i].
func FloatEqualLane(a, b *[64]float32) uint64 {
	if cpu.Level != cpu.Go {
		return floatEqualLaneAVX2(a, b)
	}
	return equalLane(a, b)
}

// IntLess sets bit i where l[i] < c.
func IntLess(l *[64]int64, c int64) uint64 {
	if cpu.Level != cpu.Go {
		return intLessAVX2(l, c)
	}
	return less(l, c)
}

// IntLessEqual sets bit i where l[i] <= c.
func IntLessEqual(l *[64]int64, c int64) uint64 {
	if cpu.Level != cpu.Go {
		return intLessEqualAVX2(l, c)
	}
	return lessEqual(l, c)
}

// IntEqual sets bit i where l[i] == c.
func IntEqual(l *[64]int64, c int64) uint64 {
	if cpu.Level != cpu.Go {
		return intEqualAVX2(l, c)
	}
	return equal(l, c)
}

// IntLessLane sets bit i where a[i] < b[i].
func IntLessLane(a, b *[64]int64) uint64 {
	if cpu.Level != cpu.Go {
		return intLessLaneAVX2(a, b)
	}
	return lessLane(a, b)
}

// IntLessEqualLane sets bit i where a[i] <= b[i].
func IntLessEqualLane(a, b *[64]int64) uint64 {
	if cpu.Level != cpu.Go {
		return intLessEqualLaneAVX2(a, b)
	}
	return lessEqualLane(a, b)
}

// IntEqualLane sets bit i where a[i] == b[i].
func IntEqualLane(a, b *[64]int64) uint64 {
	if cpu.Level != cpu.Go {
		return intEqualLaneAVX2(a, b)
	}
	return equalLane(a, b)
}

// ByteEqual sets bit i where l[i] == c.
func ByteEqual(l *[64]uint8, c uint8) (m uint64) {
	if cpu.Level != cpu.Go {
		return byteEqualAVX2(l, c)
	}
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of(l[i] == c)
	}
	return m
}

// ByteEqualLane sets bit i where a[i] == b[i].
func ByteEqualLane(a, b *[64]uint8) (m uint64) {
	if cpu.Level != cpu.Go {
		return byteEqualLaneAVX2(a, b)
	}
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of(a[i] == b[i])
	}
	return m
}
