package main

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// All changes of a run are compiled together, since compiling and linking take longer than most tests. Each changed
// function stands at the end of its file, under a name of its own, and the function itself begins with a switch that
// calls the one whose number is in the environment.

// variable names the variable of the environment that chooses the change; without it there is none.
const variable = "FLOCKWORK_MUTANT"

// chooser is the source of a file that each package with changes gets.
const chooser = `package %s

import (
	"os"
	"strconv"
)

var mutantNumber__ = func() int { n, _ := strconv.Atoi(os.Getenv("` + variable + `")); return n }()
`

// function is where a function stands in its file, and how it calls another of the same signature.
type function struct {
	start, name, nameEnd, body, end int // bytes of the source; body is that of the brace
	names                           []edit
	receiver                        string // with a dot, or empty
	arguments                       string // with the type arguments
	returns                         bool
}

// edit is a replacement in a source.
type edit struct {
	start, end int
	by         string
}

// functionOf describes a function. Parameters without a name get one.
func functionOf(f *ast.FuncDecl, position func(ast.Node) (start, end int)) *function {
	g := &function{returns: f.Type.Results != nil && len(f.Type.Results.List) > 0}
	g.start, g.end = position(f.Type)
	_, g.end = position(f)
	g.body, _ = position(f.Body)
	g.name, g.nameEnd = position(f.Name)
	unnamed := 0
	name := func(list *ast.FieldList) (names []string) {
		for _, field := range list.List {
			dots := ""
			if _, ok := field.Type.(*ast.Ellipsis); ok {
				dots = "..."
			}
			if len(field.Names) == 0 {
				unnamed++
				start, _ := position(field.Type)
				by := fmt.Sprintf("unnamed%d__", unnamed)
				g.names = append(g.names, edit{start, start, by + " "})
				names = append(names, by+dots)
			}
			for _, n := range field.Names {
				by := n.Name
				if by == "_" {
					unnamed++
					by = fmt.Sprintf("unnamed%d__", unnamed)
					start, end := position(n)
					g.names = append(g.names, edit{start, end, by})
				}
				names = append(names, by+dots)
			}
		}
		return names
	}
	if f.Recv != nil {
		g.receiver = name(f.Recv)[0] + "."
	}
	if f.Type.TypeParams != nil {
		g.arguments = "[" + strings.Join(name(f.Type.TypeParams), ", ") + "]"
	}
	g.arguments += "(" + strings.Join(name(f.Type.Params), ", ") + ")"
	return g
}

// call returns a statement that calls a changed function and returns what it returns.
func (f *function) call(name string) string {
	if f.returns {
		return "return " + f.receiver + name + f.arguments
	}
	return f.receiver + name + f.arguments + "; return"
}

// lines are those of a changed function in an instrumented file, counted from 1.
type lines struct{ first, last int }

// instrument returns a file with all its changes, and where each stands. The changes have numbers above 0.
func instrument(source []byte, changes map[int]*mutant) (text string, at map[int]lines) {
	of := map[*function][]int{}
	var functions []*function
	for number, m := range changes {
		if of[m.in] == nil {
			functions = append(functions, m.in)
		}
		of[m.in] = append(of[m.in], number)
	}
	slices.SortFunc(functions, func(a, b *function) int { return a.start - b.start })
	var edits []edit
	var copies strings.Builder
	at = map[int]lines{}
	line := strings.Count(string(source), "\n") + 2
	for _, f := range functions {
		slices.Sort(of[f])
		cases := " switch mutantNumber__ {"
		for i, number := range of[f] {
			m := changes[number]
			name := fmt.Sprintf("%s__mutant%d", source[f.name:f.nameEnd], number)
			if i > 0 {
				cases += ";"
			}
			cases += fmt.Sprintf(" case %d: %s", number, f.call(name))
			text := string(source[f.start:f.name]) + name + string(source[f.nameEnd:m.start]) + m.by +
				string(source[m.end:f.end]) + "\n"
			at[number] = lines{line, line + strings.Count(text, "\n") - 1}
			line = at[number].last + 1
			copies.WriteString(text)
		}
		edits = append(append(edits, f.names...), edit{f.body + 1, f.body + 1, cases + "};"})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	from := 0
	for _, e := range edits {
		b.Write(source[from:e.start])
		b.WriteString(e.by)
		from = e.end
	}
	b.Write(source[from:])
	return b.String() + "\n" + copies.String(), at
}
