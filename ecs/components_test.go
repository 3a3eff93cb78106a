package ecs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// componentSizes are the structs of package components that are components or parts of them, in bytes.
var componentSizes = map[reflect.Type]uintptr{
	reflect.TypeFor[components.Entity]():     8,
	reflect.TypeFor[components.Vec2]():       8,
	reflect.TypeFor[components.Trigger]():    24,
	reflect.TypeFor[components.Transform]():  16,
	reflect.TypeFor[components.Body]():       16,
	reflect.TypeFor[components.Faction]():    1,
	reflect.TypeFor[components.Senses]():     20,
	reflect.TypeFor[components.Health]():     24,
	reflect.TypeFor[components.Route]():      8,
	reflect.TypeFor[components.Paused]():     16,
	reflect.TypeFor[components.Percept]():    56,
	reflect.TypeFor[components.Candidate]():  16,
	reflect.TypeFor[components.Candidates](): 132,
	reflect.TypeFor[components.LOD]():        16,
	reflect.TypeFor[components.Order]():      32,
	reflect.TypeFor[components.Intent]():     64,
	reflect.TypeFor[components.Mind64]():     64,
	reflect.TypeFor[components.Mind128]():    128,
	reflect.TypeFor[components.Mind256]():    256,
	reflect.TypeFor[blackboard.Board]():      64,
	reflect.TypeFor[components.Steering]():   32,
	reflect.TypeFor[components.Fighter]():    16,
	reflect.TypeFor[components.Attack]():     32,
	reflect.TypeFor[components.Attacked]():   1,
	reflect.TypeFor[components.Ammo]():       8,
	reflect.TypeFor[components.Needs]():      48,
	reflect.TypeFor[components.Engagement](): 24,
	reflect.TypeFor[components.Home]():       32,
	reflect.TypeFor[components.Place]():      40,
	reflect.TypeFor[components.Choice]():     24,
}

func TestComponentsHaveTheirSizesAndNoPointers(t *testing.T) {
	w := arche.NewWorld()
	for component, size := range componentSizes {
		if reflect.TypeFor[int64]().FieldAlign() == 8 {
			assert.Equal(t, size, component.Size(), "%v", component)
		} else { // some 32-bit platforms align an int64 to 4 bytes and need less padding
			assert.LessOrEqual(t, component.Size(), size, "%v", component)
		}
		assert.NotPanics(t, func() { componentID(&w, component) }, "%v", component)
	}
}

// notComponents are the structs that are no data of agents: handles, schemas and what custom code sees.
var notComponents = map[string]bool{
	"Fact": true, "Field": true, "List": true, "BoardSchema": true, "Lanes": true, "Row": true, "Context": true,
}

func TestAllComponentsAreTested(t *testing.T) {
	known := map[string]bool{}
	for component := range componentSizes {
		known[component.Name()] = true
	}
	files, err := filepath.Glob("../components/*.go")
	require.NoError(t, err)
	more, err := filepath.Glob("../components/blackboard/*.go")
	require.NoError(t, err)
	files = append(files, more...)
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() || notComponents[spec.Name.Name] {
				return true
			}
			if _, ok := spec.Type.(*ast.StructType); ok {
				found++
				assert.True(t, known[spec.Name.Name], "add components.%s of %s to componentSizes", spec.Name.Name, name)
			}
			return true
		})
	}
	assert.Equal(t, len(componentSizes), found, "structs found by parsing")
}
