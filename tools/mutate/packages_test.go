package main

import (
	"slices"
	"testing"
)

func TestAFoldersOwnTestsRunFirstThenThoseClosestToIt(t *testing.T) {
	sees := func(dirs ...string) map[string]bool {
		m := map[string]bool{}
		for _, d := range dirs {
			m[d] = true
		}
		return m
	}
	packages := []testPackage{
		{dir: "far", sees: sees("far", "near", "kernel", "other")},
		{dir: "kernel", sees: sees("kernel", "other", "another", "third", "fourth"), asm: true, rapid: true},
		{dir: "near", sees: sees("near", "kernel")},
		{dir: "other", sees: sees("other")},
	}
	var got []string
	for _, r := range testsOf("kernel", packages) {
		got = append(got, r.name())
	}
	if want := []string{"kernel", "kernel without assembly", "near", "far"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTestsWithoutAssemblyAreRunByTheirBuildTag(t *testing.T) {
	r := testRun{testPackage{dir: "kernel", rapid: true}, true}
	if got := r.arguments("o.json"); !slices.Contains(got, "-tags=purego") ||
		!slices.Equal(got[len(got)-2:], []string{"./kernel", "-rapid.nofailfile"}) {
		t.Errorf("got %q", got)
	}
	r.purego = false
	if got := r.arguments("o.json"); slices.Contains(got, "-tags=purego") {
		t.Errorf("got %q", got)
	}
}
