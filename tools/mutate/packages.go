package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
)

const module = "github.com/flockwork-ai/flockwork/"

// testPackage is a package that has tests.
type testPackage struct {
	dir   string          // below the root
	sees  map[string]bool // the packages of the module that its tests run, by folder
	rapid bool            // whether it has property tests
	asm   bool            // whether it has kernels in assembly, which leave out the same loops in Go
}

// testRun is a run of the tests of a package.
type testRun struct {
	testPackage
	purego bool // without assembly
}

func (r testRun) name() string {
	if r.purego {
		return r.dir + " without assembly"
	}
	return r.dir
}

// listTests returns the packages of the module that have tests.
func listTests(root string) ([]testPackage, error) {
	command := exec.Command("go", "list", "-json=ImportPath,Deps,SFiles,TestImports,XTestImports", "./...")
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	type listed struct{ deps, tests, assembly []string }
	packages := map[string]listed{}
	var order []string
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath                              string
			Deps, SFiles, TestImports, XTestImports []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		packages[p.ImportPath] = listed{p.Deps, append(p.TestImports, p.XTestImports...), p.SFiles}
		order = append(order, p.ImportPath)
	}
	var tests []testPackage
	for _, path := range order {
		p := packages[path]
		dir := strings.TrimPrefix(path, module)
		if len(p.tests) == 0 || strings.HasPrefix(dir, "benchmarks") || dir == "internal" {
			continue
		}
		t := testPackage{
			dir: dir, sees: map[string]bool{dir: true}, rapid: slices.Contains(p.tests, "pgregory.net/rapid"),
			asm: len(p.assembly) > 0,
		}
		add := func(paths []string) {
			for _, path := range paths {
				if dir, ok := strings.CutPrefix(path, module); ok {
					t.sees[dir] = true
				}
			}
		}
		add(p.deps)
		add(p.tests)
		for _, tested := range p.tests {
			add(packages[tested].deps)
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// testsOf returns what tests run a folder's code: its own first, then those that see the least beside it, which are the
// closest to it. Where the folder has assembly, its own tests run without it, too.
func testsOf(dir string, packages []testPackage) []testRun {
	var tests []testRun
	for _, p := range packages {
		if p.sees[dir] {
			tests = append(tests, testRun{testPackage: p})
			if p.dir == dir && p.asm {
				tests = append(tests, testRun{testPackage: p, purego: true})
			}
		}
	}
	slices.SortStableFunc(tests, func(a, b testRun) int {
		if (a.dir == dir) != (b.dir == dir) {
			if a.dir == dir {
				return -1
			}
			return 1
		}
		return len(a.sees) - len(b.sees)
	})
	return tests
}
