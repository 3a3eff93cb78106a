package internal_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	module = "github.com/flockwork-ai/flockwork"
	arche  = "github.com/mlange-42/arche"
)

// forTests are imported by tests only.
var forTests = []string{
	"internal/scoringref", "internal/conformance", "internal/allocs", "systems/internal/testworld",
}

// goPackage is a package as go list knows it.
type goPackage struct {
	ImportPath string
	Imports    []string // without those of its tests
	Deps       []string // what it imports, directly or not
}

// listPackages returns the project's packages.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Deps", "./...")
	command.Dir = ".."
	out, err := command.Output()
	require.NoError(t, err)
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if strings.HasPrefix(p.ImportPath, module) {
			packages = append(packages, p)
		}
	}
	require.NotEmpty(t, packages)
	return packages
}

// within reports whether a package is a folder's.
func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// rule is what a cell of CONTRIBUTING.md's table allows.
type rule struct {
	names  []string
	except bool // everything but these
}

func (r rule) allows(path string) bool {
	named := slices.ContainsFunc(r.names, func(name string) bool {
		return within(path, name) && (name != "internal" || !slices.Contains(forTests, path))
	})
	return named != r.except
}

// readRules returns the table's rules by folder.
func readRules(t *testing.T) map[string]rule {
	t.Helper()
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| folder | its one job | may import |\n|---|---|---|\n")
	require.True(t, found, "CONTRIBUTING.md has the table of folders")
	table, _, _ = strings.Cut(table, "\n\n")
	quoted := regexp.MustCompile("`([^`]+)`")
	namesIn := func(cell string) (names []string) {
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			names = append(names, strings.TrimSuffix(m[1], "/"))
		}
		return names
	}
	rules := map[string]rule{}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		require.Len(t, cells, 3, line)
		r := rule{names: namesIn(cells[2]), except: strings.Contains(cells[2], "everything")}
		require.True(t, len(r.names) > 0 || r.except || strings.TrimSpace(cells[2]) == "nothing", line)
		for _, folder := range namesIn(cells[0]) {
			rules[folder] = r
		}
	}
	return rules
}

func TestPackagesImportWhatTheContributorsTableAllows(t *testing.T) {
	rules := readRules(t)
	for _, p := range listPackages(t) {
		path := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if path == "internal" {
			continue // this test
		}
		folder := ""
		for f := range rules {
			if within(path, f) && len(f) > len(folder) {
				folder = f
			}
		}
		require.NotEmpty(t, folder, "CONTRIBUTING.md says nothing of %s", path)
		for _, i := range p.Imports {
			name, ours := strings.CutPrefix(i, module+"/")
			switch {
			case i == "unsafe":
				assert.Contains(t, []string{"ecs", "internal/gather", "internal/memory", "internal/lane",
					"internal/rows"}, folder, "%s imports unsafe", path)
			case ours && within(name, folder), !ours && !strings.HasPrefix(i, arche):
			case ours:
				assert.True(t, rules[folder].allows(name), "%s imports %s", path, name)
				assert.NotContains(t, forTests, name, "%s imports it outside its tests", path)
			default:
				assert.True(t, rules[folder].allows("arche"), "%s imports %s", path, i)
			}
		}
	}
}

// The decision engines need no world: nothing below them may reach arche.
func TestTreesUtilityAndComponentsDoNotReachArche(t *testing.T) {
	checked := 0
	for _, p := range listPackages(t) {
		switch strings.TrimPrefix(p.ImportPath, module+"/") {
		case "aitree", "utility", "utility/explain", "components", "components/blackboard",
			"internal/executor", "internal/scoring":
			checked++
			for _, d := range p.Deps {
				assert.False(t, strings.HasPrefix(d, arche), "%s reaches %s", p.ImportPath, d)
			}
		}
	}
	assert.Equal(t, 7, checked)
}

// Package ecs serves any tool that works on columns; what ticks trees is above it.
func TestEcsDoesNotReachTrees(t *testing.T) {
	for _, p := range listPackages(t) {
		if p.ImportPath == module+"/ecs" {
			assert.NotContains(t, p.Deps, module+"/aitree")
			assert.NotContains(t, p.Deps, module+"/internal/executor")
			return
		}
	}
	t.Fatal("package ecs is not listed")
}
