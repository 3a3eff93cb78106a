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
