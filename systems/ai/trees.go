package ai

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// Tree is the number of a tree in a world's [Trees]; minds name their tree by it. 0 is no tree.
type Tree uint16

// Trees is the registry of a world's trees: a resource that gives each tree a number. Its zero value is empty and
// accepts trees of any register of actions.
type Trees struct {
	Actions *aitree.Actions // the register that trees must have been built with; nil accepts any

	list      []*aitree.Program // by number-1
	names     map[string]bool   // of the trees
	exitsTold bool              // a system of the world was finalised: what runs in minds has exited for its hooks
}

// Add registers a tree and returns its number. It may be called between frames at any time.
//
// The name of a tree keys its random draws, so a second tree of the same name is an error. So is a tree that posts
// actions of another register than the world's, since its action handles would mean other actions, and a tree more than
// the 65,535 that can be numbered.
func (t *Trees) Add(program *aitree.Program) (Tree, error) {
	if program == nil {
		return 0, fmt.Errorf("ai: Trees.Add of a nil program; build one with aitree.Build")
	}
	if program.Compiled() == nil {
		return 0, fmt.Errorf("ai: Trees.Add of a program that was not built; build one with aitree.Build")
	}
	if t.names[program.Name()] {
		return 0, fmt.Errorf("ai: a tree named %q is registered already; names must differ", program.Name())
	}
	if t.Actions != nil && len(program.Compiled().Postings) > 0 && program.Actions() != t.Actions {
		return 0, fmt.Errorf("ai: tree %q posts actions of another register; build it with the register that "+
			"Install was given as Options.Actions", program.Name())
	}
	if len(t.list) == math.MaxUint16 {
		return 0, fmt.Errorf("ai: tree %q is one more than the %d that can be numbered", program.Name(), math.MaxUint16)
	}
	if t.names == nil {
		t.names = map[string]bool{}
	}
	t.names[program.Name()] = true
	t.list = append(t.list, program)
	return Tree(len(t.list)), nil
}

// Get returns the tree of a number, or nil.
func (t *Trees) Get(number Tree) *aitree.Program {
	if number == 0 || int(number) > len(t.list) {
		return nil
	}
	return t.list[number-1]
}

// compiled returns what the executor runs for a tree, or nil.
func (t *Trees) compiled(number Tree) *executor.Program {
	program := t.Get(number)
	if program == nil {
		return nil
	}
	return program.Compiled()
}

// Len returns how many trees there are. Their numbers are 1 to Len.
func (t *Trees) Len() int { return len(t.list) }

// Mind returns a new mind of the size that a tree needs, as a component value for [ecs.NewPrefab].
//
// Panics when there is no tree of that number.
func (t *Trees) Mind(number Tree) any {
	return mindlayout.New(uint16(number), t.MindBytes(number))
}

// MindBytes returns the size of the minds that run a tree, in bytes.
//
// Panics when there is no tree of that number.
func (t *Trees) MindBytes(number Tree) int {
	program := t.compiled(number)
	if program == nil {
		panic(fmt.Sprintf("ai: no tree has number %d; there are %d", number, len(t.list)))
	}
	return program.MindBytes()
}

// require returns the tree of a mind. It panics when there is none, or when the mind is too small for it.
func (t *Trees) require(words []uint32, size int, e components.Entity) *executor.Program {
	number := Tree(mindlayout.Program(words))
	program := t.compiled(number)
	if program == nil {
		panic(fmt.Sprintf("ai: the mind of entity %v names tree %d; there are %d", e, number, len(t.list)))
	}
	if program.MindBytes() > size {
		panic(fmt.Sprintf("ai: tree %q needs a mind of %d bytes; entity %v has one of %d", program.Name,
			program.MindBytes(), e, size))
	}
	return program
}
