// Package cpu chooses, once when the program starts, the instructions that the kernels are computed with.
//
// Every kernel is a loop in Go, which is its definition. Some have forms in vector instructions that return the same
// bits. Those of the widest kind that processor and operating system offer are used, unless the environment variable
// FLOCKWORK_KERNEL names another: go, avx2 or avx512. One that is unknown or not available stops the program. The
// build tag purego, and every platform but amd64, leaves Go alone.
package cpu

// Kernel is a kind of instructions. A greater one includes the lesser ones.
type Kernel uint8

// The kinds.
const (
	Go     Kernel = iota // the loops, as the compiler has them
	AVX2                 // vectors of 32 bytes
	AVX512               // vectors of 64 bytes: the subsets F, BW, DQ and VL
)

var names = [...]string{Go: "go", AVX2: "avx2", AVX512: "avx512"}

// String returns the kernel's name, as the environment variable has it.
func (k Kernel) String() string { return names[k] }

// Vectors reports whether the kernels are computed in vectors: then all of a lane costs about what a few of its values
// do, and to read a few words of each row together less than to read them one after the other.
func Vectors() bool { return Level != Go }

// variable is the environment variable that names a kernel.
const variable = "FLOCKWORK_KERNEL"

// Available returns the kernels that this program can use here, the least first.
func Available() []Kernel {
	all := []Kernel{Go, AVX2, AVX512}
	return all[:best()+1]
}

// TB is what [Force] needs of a test.
type TB interface {
	Helper()
	Cleanup(func())
}

// choose returns the kernel with a name, or the best there is if it has none.
func choose(name string, best Kernel) Kernel {
	if name == "" {
		return best
	}
	for k, known := range names {
		if name != known {
			continue
		}
		if Kernel(k) > best {
			panic("cpu: " + variable + "=" + name + " is not available here: " + reason + "; the best is " + best.String())
		}
		return Kernel(k)
	}
	panic("cpu: " + variable + "=" + name + " is unknown: use go, avx2 or avx512")
}
