//go:build !purego

package cpu

// Level is the kernel in force. It changes only in tests.
var Level = chosen(best())

// Force puts a kernel in force until a test ends.
func Force(t TB, k Kernel) {
	t.Helper()
	if before := Level; before != k {
		Level = k
		t.Cleanup(func() { Level = before })
	}
}

// reason is why a kernel is not available.
const reason = "the processor or the operating system lacks it"

// best returns the widest kernel that the processor has and whose registers the operating system keeps.
func best() Kernel {
	most, _, _, _ := cpuid(0, 0)
	if most < 7 {
		return Go
	}
	_, _, c1, _ := cpuid(1, 0)
	const osxsave, avx = 1 << 27, 1 << 28
	if c1&osxsave == 0 || c1&avx == 0 {
		return Go
	}
	kept := xgetbv()
	const ymm, zmm = 1<<1 | 1<<2, 1<<5 | 1<<6 | 1<<7 // XMM and the upper halves; masks and the rest of ZMM
	_, b7, _, _ := cpuid(7, 0)
	const avx2, avx512 = 1 << 5, 1<<16 | 1<<17 | 1<<30 | 1<<31 // F, DQ, BW, VL
	switch {
	case kept&ymm != ymm || b7&avx2 == 0:
		return Go
	case kept&zmm != zmm || b7&avx512 != avx512:
		return AVX2
	}
	return AVX512
}
