package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const instrumented = `package p

type list[T any] []T

func (l list[T]) add(_ string, more ...T) list[T] { return append(l, more...) }

func count[T int8 | int16](T, int) (n int) {
	n = 3
	return n
}

func (*pair) f() {
	values[0]++
	values[0] += 2
}
type pair struct{}

var values [1]int
`

const instrumentedTest = `package p

import (
	"fmt"
	"testing"
)

func Test(t *testing.T) {
	(*pair)(nil).f()
	if got := fmt.Sprint(list[int]{1}.add("", 2, 3), count[int8](1, 2), values); got != "[1 2 3] 3 [3]" {
		t.Error(got)
	}
}
`

// Each change is seen when its number is chosen and without a number none is. The changes that do not compile are left
// out.
func TestChangesAreCompiledTogetherAndChosenOneByOne(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module p\n\ngo 1.24\n", "p.go": instrumented, "p_test.go": instrumentedTest,
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := mutantsBelow(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorkshop(root, t.TempDir(), all, len(all))
	if err != nil {
		t.Fatal(err)
	}
	tests := []testPackage{{dir: ".", sees: map[string]bool{".": true}}}
	noticed := map[string]bool{}
	for number := range w.changes {
		by, err := w.try(number, tests)
		if err != nil {
			t.Fatal(err)
		}
		noticed[strings.TrimPrefix(w.changes[number].id(), "p.go ")] = by == "."
	}
	want := map[string]bool{
		"count: n = 3 =>  #1": true, "count: 3 => (3+1) #1": true,
		"f: values[0]++ =>  #1": true, "f: += => -= #1": true,
		"f: values[0] += 2 =>  #1": true, "f: 2 => (2+1) #1": true,
	}
	for id, n := range want {
		if noticed[id] != n {
			t.Errorf("%s: noticed %v, want %v", id, noticed[id], n)
		}
	}
	// An index of 1 is beyond the end of the array, which the compiler says.
	if len(noticed) != len(want) {
		t.Errorf("%d changes compile, want %d: %v", len(noticed), len(want), noticed)
	}
}
