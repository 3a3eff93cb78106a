package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const module = "github.com/flockwork-ai/flockwork/"

// testPackage is a package that has tests.
type testPackage struct {
	dir   string          // below the root
	sees  map[string]bool // the packages of the module that its tests run, by folder
	rapid bool            // whether it has property tests
	limit time.Duration   // for which its tests may run
}

// test returns the arguments of the go command that runs the package's tests.
func (p *testPackage) test(flags ...string) []string {
	arguments := append([]string{"test", "-count=1", "-failfast", "-short"}, flags...)
	arguments = append(arguments, "./"+p.dir)
	if p.rapid {
		arguments = append(arguments, "-rapid.nofailfile")
	}
	return arguments
}

// seesBelow reports whether the tests run code of the folders or below them.
func (p *testPackage) seesBelow(folders []string) bool {
	for dir := range p.sees {
		for _, folder := range folders {
			if folder = strings.Trim(folder, "/"); dir == folder || strings.HasPrefix(dir, folder+"/") {
				return true
			}
		}
	}
	return false
}

// listTests returns the packages of the module that have tests.
func listTests(root string) ([]testPackage, error) {
	command := exec.Command("go", "list", "-json=ImportPath,Deps,Imports,TestImports,XTestImports", "./...")
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	type listed struct{ deps, tests []string }
	packages := map[string]listed{}
	var order []string
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath                               string
			Deps, Imports, TestImports, XTestImports []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		packages[p.ImportPath] = listed{p.Deps, append(p.TestImports, p.XTestImports...)}
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

// testsOf returns the packages whose tests run a folder's code: its own first, then those that see the least beside
// it, which are the closest to it.
func testsOf(dir string, packages []testPackage) []testPackage {
	var tests []testPackage
	for _, p := range packages {
		if p.sees[dir] {
			tests = append(tests, p)
		}
	}
	slices.SortStableFunc(tests, func(a, b testPackage) int {
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
