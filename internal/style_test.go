package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sourceFiles calls f for every Go file of the module and its nested modules, without generated assembly stubs.
func sourceFiles(t *testing.T, f func(path string, source []byte)) {
	t.Helper()
	count := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && name != "..") {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		if d.IsDir() || filepath.Ext(name) != ".go" || strings.HasPrefix(name, "asm_") {
			return nil
		}
		source, err := os.ReadFile(path)
		count++
		f(strings.TrimPrefix(filepath.ToSlash(path), "../"), source)
		return err
	}))
	require.Greater(t, count, 300)
}

// longFunctions may have more than maxFunction lines.
var longFunctions = map[string]string{
	"internal/lane/curve.go apply": "one case per shape of curve",
}

// longFiles may have more than maxFile lines.
var longFiles = map[string]string{
	"internal/asm/lane.go": "the kernels of one package, each of which writes assembly line by line",
}

const (
	maxFunction = 80
	maxFile     = 500
)

func TestFilesAndFunctionsAreShort(t *testing.T) {
	seen := map[string]bool{}
	sourceFiles(t, func(path string, source []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		seen[path] = strings.Count(string(source), "\n") > maxFile
		if _, long := longFiles[path]; !long {
			assert.LessOrEqual(t, strings.Count(string(source), "\n"), maxFile, "lines of %s; part it by concern", path)
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range parsed.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			_, long := longFunctions[path+" "+f.Name.Name]
			lines := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1
			seen[path+" "+f.Name.Name] = lines > maxFunction
			if !long && !strings.HasPrefix(path, "internal/asm/") {
				assert.LessOrEqual(t, lines, maxFunction, "lines of %s of %s; part it", f.Name.Name, path)
			}
		}
	})
	for name := range longFiles {
		assert.True(t, seen[name], "%s is not long any more; delete its exception", name)
	}
	for name := range longFunctions {
		assert.True(t, seen[name], "%s is not long any more; delete its exception", name)
	}
}

// words that have a standard term instead, or another spelling: what to write.
var words = map[string]string{
	`nooks?`: "sub-cell", `strangers?`: "agents of other programs", `wish(es)?`: "choice, order", `girth`: "radius",
	`shov(e|es|ing)`: "separation", `grop(e|es|ing)`: "detour", `shut in`: "blocked", `keen(ness)?`: "importance",
	`mend(s|ed|ing)?`: "fix, repair", `strays?`: "agent off its route",
	`behaviors?`: "behaviour", `neighbor\w*`: "neighbour", `colors?`: "colour", `normali[z]e\w*`: "normalise",
	`gray`: "grey", `center(ed|s)?`: "centre", `initialize[sd]`: "initialise", `serialize[sd]?`: "serialise",
	`defense`: "defence", `favorite`: "favourite",
}

func TestWordsAreTheFieldsAndBritish(t *testing.T) {
	var pattern []string
	for word := range words {
		pattern = append(pattern, word)
	}
	forbidden := regexp.MustCompile(`(?i)\b(` + strings.Join(pattern, "|") + `)\b`)
	sourceFiles(t, func(path string, source []byte) {
		if path == "internal/style_test.go" {
			return
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, source, parser.ParseComments)
		require.NoError(t, err)
		check := func(at token.Pos, text string) {
			if word := forbidden.FindString(text); word != "" {
				t.Errorf("%s:%d: %q; see the list of words in style_test.go", path, files.Position(at).Line, word)
			}
		}
		for _, group := range parsed.Comments {
			for _, c := range group.List {
				check(c.Pos(), c.Text)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			// These two modules use the names of the libraries that they call.
			foreign := strings.HasPrefix(path, "benchmarks/charts/") || strings.HasPrefix(path, "benchmarks/peers/")
			if name, ok := n.(*ast.Ident); ok && !foreign {
				check(name.Pos(), apart(name.Name))
			}
			return true
		})
	})
}

// apart returns the words of an identifier, apart.
func apart(name string) string {
	return regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1 $2")
}

// Unsafe code is in the one package that knows arche's insides and in the kernels.
func TestUnsafeIsInKernelsOnly(t *testing.T) {
	allowed := regexp.MustCompile(`^(ecs|internal/(gather|memory|rows|lane|elementary|scoring|cpu|asm|scoring))/`)
	sourceFiles(t, func(path string, source []byte) {
		if strings.HasSuffix(path, "_test.go") || allowed.MatchString(path) {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ImportsOnly)
		require.NoError(t, err)
		for _, imported := range parsed.Imports {
			assert.NotEqual(t, `"unsafe"`, imported.Path.Value, path)
		}
	})
}
