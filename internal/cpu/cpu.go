// Package cpu chooses, once when the program starts, the instructions that kernels use.
//
// Every kernel is a loop in Go, which is its definition. Some have forms in vector instructions, which return the same
// bits. The widest form that the processor and the operating system support is used, unless the environment variable
// FLOCKWORK_KERNEL names another: go, avx2 or avx512. A name that is unknown or not available stops the
// program with one line and status 2: it is a mistake of who set the variable, to whom a stack of goroutines says
// nothing, and there is no caller yet to return an error to. With
// the build tag purego, and on every platform but amd64, there are the Go loops only.
package cpu

import (
	"fmt"
	"os"
)

// Kernel is a kind of instructions. A greater kind includes the lesser ones.
type Kernel uint8

// The kinds.
const (
	Go     Kernel = iota // the loops in Go
	AVX2                 // vectors of 32 bytes
	AVX512               // vectors of 64 bytes: the subsets F, BW, DQ and VL
)

var names = [...]string{Go: "go", AVX2: "avx2", AVX512: "avx512"}

// String returns the name that the environment variable uses.
func (k Kernel) String() string { return names[k] }

// Vectors reports whether kernels use vectors. If so, a whole lane costs about as much as a few of its values, and it
// is cheaper to read a few words of each row together than one by one.
func Vectors() bool { return Level != Go }

// variable is the environment variable that names a kernel.
const variable = "FLOCKWORK_KERNEL"

// Available returns the kernels that can be used on this machine, the least first.
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
func choose(name string, best Kernel) (Kernel, error) {
	if name == "" {
		return best, nil
	}
	for k, known := range names {
		if name != known {
			continue
		}
		if Kernel(k) > best {
			return Go, fmt.Errorf("cpu: %s=%s is not available here: %s; the best is %v", variable, name, reason, best)
		}
		return Kernel(k), nil
	}
	return Go, fmt.Errorf("cpu: %s=%s is unknown: use go, avx2 or avx512", variable, name)
}

// chosen returns the kernel of the environment, or ends the program.
func chosen(best Kernel) Kernel {
	k, err := choose(os.Getenv(variable), best)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return k
}
