package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestMutantsOfAFile(t *testing.T) {
	dir := t.TempDir()
	source := `package p

func f(a, b int) bool {
	if a < b && !g() {
		a++
		panic("f: " + "no")
	}
	return true
}
`
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := mutantsBelow(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range found {
		ids = append(ids, m.id())
	}
	want := []string{
		"p.go f: a < b && !g() => (false && (a < b && !g())) #1",
		"p.go f: a < b && !g() => (true || (a < b && !g())) #1",
		"p.go f: && => || #1",
		"p.go f: < => <= #1",
		"p.go f: < => >= #1",
		"p.go f: ! =>  #1",
		"p.go f: a++ =>  #1",
		"p.go f: true => false #1",
	}
	if !slices.Equal(ids, want) {
		t.Errorf("got\n%q\nwant\n%q", ids, want)
	}
}
