package systems

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Programs gives trees the numbers that minds name them by. It is a resource of the world.
type Programs struct {
	list    []*aitree.Program // by number-1
	actions *aitree.Actions   // the world's; nil accepts programs of any register
}

// Add registers a program and returns its number. A second program of the same name is an error: the name
// is a key of its random draws. So is a program that posts actions of another register than the world's: its handles
// would name other actions.
func (p *Programs) Add(program *aitree.Program) (uint16, error) {
	if program == nil {
		return 0, fmt.Errorf("systems: Programs.Add of a nil program")
	}
	for _, known := range p.list {
		if known.Name() == program.Name() {
			return 0, fmt.Errorf("systems: a program named %q is registered already; names must differ", program.Name())
		}
	}
	if p.actions != nil && (program.Compiled().Does || program.Compiled().Fires) && program.Actions() != p.actions {
		return 0, fmt.Errorf("systems: program %q posts actions of another register; build it with the register that "+
			"Install was given as Options.Actions", program.Name())
	}
	if len(p.list) == math.MaxUint16 {
		return 0, fmt.Errorf("systems: program %q is one more than the %d that minds can name",
			program.Name(), math.MaxUint16)
	}
	p.list = append(p.list, program)
	return uint16(len(p.list)), nil
}

// Get returns the program of a number, or nil.
func (p *Programs) Get(number uint16) *aitree.Program {
	if number == 0 || int(number) > len(p.list) {
		return nil
	}
	return p.list[number-1]
}

// compiled returns what the executor runs for a number, or nil.
func (p *Programs) compiled(number uint16) *executor.Program {
	program := p.Get(number)
	if program == nil {
		return nil
	}
	return program.Compiled()
}

// Len returns how many programs there are; their numbers are 1 to Len.
func (p *Programs) Len() int { return len(p.list) }

// Mind returns a fresh mind, as a component value for [ecs.NewPrefab], that runs the program of a number.
// Panics when there is none.
func (p *Programs) Mind(number uint16) any {
	program := p.compiled(number)
	if program == nil {
		panic(fmt.Sprintf("systems: no program has number %d; there are %d", number, len(p.list)))
	}
	return ecs.NewMind(number, ecs.MindSize(program.MindBytes()))
}

// mindProgram returns the program of a mind; panics when it has none of its size.
func (p *Programs) mindProgram(words []uint32, size int, e components.Entity) *executor.Program {
	number := components.MindProgram(words)
	program := p.compiled(number)
	if program == nil {
		panic(fmt.Sprintf("systems: the mind of entity %v names program %d; there are %d", e, number, len(p.list)))
	}
	if program.MindBytes() > size {
		panic(fmt.Sprintf("systems: program %q needs a mind of %d bytes; entity %v has one of %d", program.Name,
			program.MindBytes(), e, size))
	}
	return program
}
