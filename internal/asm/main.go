// Command asm generates the assembly of the kernels and its Go declarations. It is a separate module, so that its
// dependencies are not dependencies of the library.
//
//	go -C internal/asm run .          writes the files
//	go -C internal/asm run . -check   fails if a file is not what it would write
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail if a file is stale")
	root := flag.String("root", "../..", "the folder of the library")
	flag.Parse()
	stale := false
	for _, p := range []struct {
		name, folder string
		emit         func(*build.Context)
	}{
		{"cpu", "internal/cpu", cpu},
		{"elementary", "internal/elementary", elementary},
		{"lane", "internal/lane", lanes},
		{"rows", "internal/rows", rows},
		{"scoring", "internal/scoring", choiceKernels},
	} {
		for name, text := range generate(p.name, p.emit) {
			path := filepath.Join(*root, filepath.FromSlash(p.folder), name)
			if *check {
				if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, text) {
					fmt.Fprintf(os.Stderr, "%s is stale: run go generate ./internal/...\n", path)
					stale = true
				}
				continue
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				fail(err)
			}
		}
	}
	if stale {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "asm:", err)
	os.Exit(1)
}

// generate returns the files of a package: assembly, its declarations, and for builds without assembly functions of the
// same names that are never called.
func generate(pkg string, emit func(*build.Context)) map[string][]byte {
	known = map[string]operand.Mem{}
	c := build.NewContext()
	c.ConstraintExpr("!purego")
	emit(c)
	f, err := c.Result()
	if err != nil {
		fail(fmt.Errorf("%s: %w", pkg, err))
	}
	if err := pass.Compile.Execute(f); err != nil {
		fail(fmt.Errorf("%s: %w", pkg, err))
	}
	config := printer.Config{Name: "internal/asm", Pkg: pkg}
	stubs := print(printer.NewStubs(config), f)
	files := map[string][]byte{
		"asm_amd64.s":  print(printer.NewGoAsm(config), f),
		"asm_amd64.go": stubs,
	}
	if pkg != "cpu" {
		files["asm_other.go"] = absent(stubs)
	}
	return files
}

func print(p printer.Printer, f *ir.File) []byte {
	text, err := p.Print(f)
	if err != nil {
		fail(err)
	}
	return text
}

var (
	constraint  = regexp.MustCompile(`(?m)^//go:build .*$`)
	declaration = regexp.MustCompile(`(?m)^func .*$`)
)

// absent gives the declarations bodies.
func absent(stubs []byte) []byte {
	text := constraint.ReplaceAllString(string(stubs), "//go:build !amd64 || purego")
	text = strings.ReplaceAll(text, "//go:noescape\n", "")
	text = declaration.ReplaceAllString(text, `$0 { panic("no assembly") }`)
	formatted, err := format.Source([]byte(text))
	if err != nil {
		fail(err)
	}
	return formatted
}
