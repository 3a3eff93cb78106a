package rows

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// everyKernel runs a test with each kernel that this machine has.
func everyKernel(t *testing.T, f func(t *testing.T)) {
	for _, k := range cpu.Available() {
		t.Run(k.String(), func(t *testing.T) {
			cpu.Force(t, k)
			f(t)
		})
	}
}

func TestWordsTransposesRowsAtAnyStrideAndPlace(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			stride, n, at := 16+rng.IntN(70), rng.IntN(65), rng.IntN(9)
			memory := make([]byte, at+stride*max(n-1, 0)+16*min(n, 1)) // not a byte after the last row's words
			for i := range memory {
				memory[i] = byte(rng.Uint32())
			}
			var guarded struct{ before, out, after [Window]Lane }
			for k := range guarded.out {
				for i := range 64 {
					guarded.before[k][i], guarded.out[k][i], guarded.after[k][i] = 1, 2, 3
				}
			}
			var p unsafe.Pointer
			if n > 0 {
				p = unsafe.Pointer(&memory[at])
			}
			finite := Words(&guarded.out, p, uintptr(stride), n)
			odd := false
			for k := range guarded.out {
				for i := range 64 {
					require.Equal(t, [2]uint32{1, 3}, [2]uint32{guarded.before[k][i], guarded.after[k][i]})
					want := uint32(2)
					if i < n {
						b := memory[at+i*stride+4*k:]
						want = uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
						odd = odd || want&exponent == exponent
					}
					require.Equal(t, want, guarded.out[k][i], "word %d of row %d of %d, stride %d", k, i, n, stride)
				}
			}
			require.Equal(t, !odd, finite)
		}
	})
}

// Bits about which comparisons go wrong.
var odd = []uint32{0, 1, 2, 0xff, 0x100, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff,
	0x7f800000, 0xff800000, 0x7f7fffff, 0x7fc00000, 0x7f800001}

func draw(rng *rand.Rand) (l Lane) {
	for i := range l {
		l[i] = odd[rng.IntN(len(odd))]
		if rng.IntN(3) == 0 {
			l[i] = rng.Uint32()
		}
	}
	return l
}

func TestComparisonsOfLanesAreTheirLoops(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for range 3000 {
			a, b := draw(rng), draw(rng)
			one, other := odd[rng.IntN(len(odd))], odd[rng.IntN(len(odd))]
			if rng.IntN(2) == 0 {
				one, other = a[rng.IntN(64)], b[rng.IntN(64)]
			}
			long := int64(uint64(other)<<32 | uint64(one))
			differ, finite := Differ(&a, one, other), NotFinite(&a)
			intLess, longLess := IntLess(&a, int32(one)), LongLess(&a, &b, long)
			for i := range 64 {
				f := float64(math.Float32frombits(a[i]))
				require.Equal(t, (a[i]^one)&other != 0, differ>>i&1 != 0)
				require.Equal(t, math.IsNaN(f) || math.IsInf(f, 0), finite>>i&1 != 0)
				require.Equal(t, int32(a[i]) < int32(one), intLess>>i&1 != 0)
				require.Equal(t, int64(uint64(b[i])<<32|uint64(a[i])) < long, longLess>>i&1 != 0)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	memory := make([]byte, 64*64)
	var out [Window]Lane
	for _, k := range cpu.Available() {
		b.Run(k.String(), func(b *testing.B) {
			cpu.Force(b, k)
			for b.Loop() {
				Words(&out, unsafe.Pointer(&memory[0]), 64, 64)
			}
		})
	}
}

func BenchmarkDiffer(b *testing.B) {
	var l Lane
	for _, k := range cpu.Available() {
		b.Run(k.String(), func(b *testing.B) {
			cpu.Force(b, k)
			for b.Loop() {
				Differ(&l, 1, 2)
			}
		})
	}
}
