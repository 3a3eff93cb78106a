package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	file     string // below the root
	source   []byte
	pack     string // name of the package
	function string
	in       *function
	start    int // the bytes of the source that are replaced
	end      int
	by       string
	number   int // among the changes of the function that read the same
}

// id identifies the change as long as the function stays the same, wherever it stands in the file.
func (m *mutant) id() string {
	return fmt.Sprintf("%s %s: %s => %s #%d", filepath.ToSlash(m.file), m.function,
		oneLine(string(m.source[m.start:m.end])), oneLine(m.by), m.number)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// mutantsBelow returns the changes of the files in a folder and below it, without tests and generated files.
func mutantsBelow(root, folder string) ([]*mutant, error) {
	var found []*mutant
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "testworld"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, "asm_") || name == "doc.go":
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		mutants, err := mutantsOf(path, relative)
		found = append(found, mutants...)
		return err
	})
	return found, err
}

// mutantsOf returns the changes of one file.
func mutantsOf(path, relative string) ([]*mutant, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	v := &finder{
		file: relative, source: source, pack: parsed.Name.Name,
		position: func(p token.Pos) int { return files.Position(p).Offset },
	}
	extent := func(n ast.Node) (start, end int) { return v.position(n.Pos()), v.position(n.End()) }
	for _, declaration := range parsed.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok && f.Body != nil && f.Name.Name != "String" {
			v.function, v.in, v.counts = f.Name.Name, functionOf(f, extent), map[string]int{}
			ast.Inspect(f.Body, v.visit)
		}
	}
	return v.mutants, nil
}

// finder collects the changes of a file.
type finder struct {
	file     string
	source   []byte
	pack     string
	position func(token.Pos) int
	function string
	in       *function
	counts   map[string]int // by how a change reads
	mutants  []*mutant
}

// operators gives what each operator becomes.
var operators = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.AND_NOT: {token.AND}, token.XOR: {token.OR},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.OR_ASSIGN: {token.ASSIGN}, token.AND_ASSIGN: {token.ASSIGN}, token.AND_NOT_ASSIGN: {token.AND_ASSIGN},
}

func (v *finder) visit(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.CallExpr:
		// What a panic says is not a result.
		if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "panic" {
			return false
		}
	case *ast.BinaryExpr:
		for _, by := range operators[n.Op] {
			v.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by.String())
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB || n.Op == token.XOR {
			v.add(n.OpPos, n.OpPos+1, "")
		}
	case *ast.BasicLit:
		if n.Kind == token.INT {
			v.add(n.Pos(), n.End(), "("+n.Value+"+1)")
		}
	case *ast.Ident:
		if n.Name == "true" {
			v.add(n.Pos(), n.End(), "false")
		} else if n.Name == "false" {
			v.add(n.Pos(), n.End(), "true")
		}
	case *ast.IfStmt:
		v.add(n.Cond.Pos(), n.Cond.End(), "(false && ("+v.text(n.Cond)+"))")
		v.add(n.Cond.Pos(), n.Cond.End(), "(true || ("+v.text(n.Cond)+"))")
	case *ast.AssignStmt:
		for _, by := range operators[n.Tok] {
			v.add(n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), by.String())
		}
		if n.Tok != token.DEFINE {
			v.add(n.Pos(), n.End(), "")
		}
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
				return false
			}
		}
		v.add(n.Pos(), n.End(), "")
	case *ast.IncDecStmt:
		v.add(n.Pos(), n.End(), "")
	case *ast.BranchStmt:
		if n.Tok == token.CONTINUE && n.Label == nil {
			v.add(n.Pos(), n.End(), "break")
		} else if n.Tok == token.BREAK && n.Label == nil {
			v.add(n.Pos(), n.End(), "")
		}
	}
	return true
}

func (v *finder) text(n ast.Node) string {
	return string(v.source[v.position(n.Pos()):v.position(n.End())])
}

// add records the change of a range of the source.
func (v *finder) add(from, to token.Pos, by string) {
	m := &mutant{
		file: v.file, source: v.source, pack: v.pack, function: v.function, in: v.in,
		start: v.position(from), end: v.position(to), by: by,
	}
	key := string(v.source[m.start:m.end]) + " => " + by
	v.counts[key]++
	m.number = v.counts[key]
	v.mutants = append(v.mutants, m)
}
