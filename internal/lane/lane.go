// Package lane holds the kernels over lanes: 64 values of one kind, one per agent of a block. A
// comparison returns a mask whose bit i is the answer for value i. The functions are pure, allocate
// nothing and may be called from any goroutine.
package lane

// bit returns 1 for true and 0 for false; the compiler makes it a single instruction.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Kernel names how lanes are computed.
const Kernel = "go"

// number is what a lane can be made of.
type number interface{ float32 | int64 }

func less[T number](l *[64]T, c T) (m uint64) {
	for i := 0; i < 64; i += 8 {
		v := l[i : i+8 : i+8]
		m |= (bit(v[0] < c) | bit(v[1] < c)<<1 | bit(v[2] < c)<<2 | bit(v[3] < c)<<3 |
			bit(v[4] < c)<<4 | bit(v[5] < c)<<5 | bit(v[6] < c)<<6 | bit(v[7] < c)<<7) << i
	}
	return m
}

func lessEqual[T number](l *[64]T, c T) (m uint64) {
	for i := 0; i < 64; i += 8 {
		v := l[i : i+8 : i+8]
		m |= (bit(v[0] <= c) | bit(v[1] <= c)<<1 | bit(v[2] <= c)<<2 | bit(v[3] <= c)<<3 |
			bit(v[4] <= c)<<4 | bit(v[5] <= c)<<5 | bit(v[6] <= c)<<6 | bit(v[7] <= c)<<7) << i
	}
	return m
}

func equal[T number](l *[64]T, c T) (m uint64) {
	for i := range l {
		m |= bit(l[i] == c) << i
	}
	return m
}

func lessLane[T number](a, b *[64]T) (m uint64) {
	for i := range a {
		m |= bit(a[i] < b[i]) << i
	}
	return m
}

func lessEqualLane[T number](a, b *[64]T) (m uint64) {
	for i := range a {
		m |= bit(a[i] <= b[i]) << i
	}
	return m
}

func equalLane[T number](a, b *[64]T) (m uint64) {
	for i := range a {
		m |= bit(a[i] == b[i]) << i
	}
	return m
}

// FloatLess sets bit i where l[i] < c.
func FloatLess(l *[64]float32, c float32) uint64 { return less(l, c) }

// FloatLessEqual sets bit i where l[i] <= c.
func FloatLessEqual(l *[64]float32, c float32) uint64 { return lessEqual(l, c) }

// FloatEqual sets bit i where l[i] == c.
func FloatEqual(l *[64]float32, c float32) uint64 { return equal(l, c) }

// FloatLessLane sets bit i where a[i] < b[i].
func FloatLessLane(a, b *[64]float32) uint64 { return lessLane(a, b) }

// FloatLessEqualLane sets bit i where a[i] <= b[i].
func FloatLessEqualLane(a, b *[64]float32) uint64 { return lessEqualLane(a, b) }

// FloatEqualLane sets bit i where a[i] == b[i].
func FloatEqualLane(a, b *[64]float32) uint64 { return equalLane(a, b) }

// IntLess sets bit i where l[i] < c.
func IntLess(l *[64]int64, c int64) uint64 { return less(l, c) }

// IntLessEqual sets bit i where l[i] <= c.
func IntLessEqual(l *[64]int64, c int64) uint64 { return lessEqual(l, c) }

// IntEqual sets bit i where l[i] == c.
func IntEqual(l *[64]int64, c int64) uint64 { return equal(l, c) }

// IntLessLane sets bit i where a[i] < b[i].
func IntLessLane(a, b *[64]int64) uint64 { return lessLane(a, b) }

// IntLessEqualLane sets bit i where a[i] <= b[i].
func IntLessEqualLane(a, b *[64]int64) uint64 { return lessEqualLane(a, b) }

// IntEqualLane sets bit i where a[i] == b[i].
func IntEqualLane(a, b *[64]int64) uint64 { return equalLane(a, b) }
