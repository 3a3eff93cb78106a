package ai

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// sizeClass holds the agents whose minds have one size.
type sizeClass struct {
	words     int
	mind      reflect.Type
	minds     func(*ecs.Chunk) []uint32 // the words of the minds of a chunk
	needed    ecs.Term                  // the mind, for this class
	optional  ecs.Term                  // the mind, for the other classes
	columns   *gather.FactColumns
	programs  []classTree         // by number; 0 is unused
	touched   []uint32            // the numbers of trees that have remainders in this frame
	facts     []blackboard.Fact   // of all trees, each once
	sameField map[factKey][]int32 // the indices of those that may be the same
	open      bool
	agents    executor.Columns // while the columns are open
	lods      [][]components.LOD
}

// factKey is equal for facts that may be the same.
type factKey struct {
	component reflect.Type
	offset    uintptr
	kind      blackboard.Kind
}

// classTree is a tree as a size class runs it.
type classTree struct {
	program   *executor.Program
	fits      bool             // the minds of the class are large enough
	factIndex []int32          // by fact of the program: its index in the facts of the class
	remaining int              // agents of the remainders of this frame
	remainder []blackboard.Row // the same, a part of System.rows
}

// The terms of the columns of a class. The terms of the facts follow them.
const (
	termMind = iota
	termLOD
	termIntent
	termOthers // the minds of the two other sizes, which no agent has as well; then Paused
)

// closeClasses closes what tickAll opened. When a panic has ended tickAll, it also discards pending rows and events.
func (s *System) closeClasses() {
	for _, c := range s.classes {
		if c.open {
			s.closeClass(c)
		}
	}
	if !s.ticked {
		for _, w := range s.workers {
			for i := range w.pending {
				w.pending[i].count = 0
			}
			w.touched = w.touched[:0]
			w.events = w.events[:0]
			w.release()
		}
	}
	s.ticked = false
}

// newSizeClass returns the class of a type of mind, which has a number of words.
func newSizeClass[Mind components.Mind64 | components.Mind128 | components.Mind256](words int) *sizeClass {
	return &sizeClass{words: words, mind: reflect.TypeFor[Mind](), needed: ecs.Need[Mind](),
		optional: ecs.Optional[Mind](), programs: make([]classTree, 1), sameField: map[factKey][]int32{},
		minds: func(k *ecs.Chunk) []uint32 { return gather.MindWords(ecs.Column[Mind](k, termMind)) }}
}

// buildClasses takes in the trees that the classes do not know yet. It takes time in proportion to these, and for a
// tree that reads a fact that no other does, to the number of different facts as well.
func (s *System) buildClasses() {
	for _, c := range s.classes {
		known := len(c.facts)
		for number := len(c.programs); number <= s.trees.Len(); number++ {
			c.addTree(s.trees.compiled(Tree(number)))
		}
		if c.columns == nil || len(c.facts) != known {
			s.makeColumns(c)
		}
		if !s.ticks {
			s.adoptRunning(c)
		}
	}
	for _, w := range s.workers {
		for len(w.pending) <= s.trees.Len() {
			w.pending = append(w.pending, pendingRows{})
		}
		for number := s.built + 1; number <= s.trees.Len(); number++ {
			w.executor.Prepare(s.trees.compiled(Tree(number)))
		}
	}
	s.built = s.trees.Len()
}

// addTree adds a tree, with the facts that no earlier tree of the class reads.
func (c *sizeClass) addTree(p *executor.Program) {
	tree := classTree{program: p, fits: p.MindBytes() <= c.words*4}
	for _, f := range p.Facts {
		key := factKey{f.Component(), f.Field().Offset, f.Kind()}
		at := slices.IndexFunc(c.sameField[key], func(i int32) bool { return c.facts[i].Same(f) })
		if at >= 0 {
			tree.factIndex = append(tree.factIndex, c.sameField[key][at])
			continue
		}
		index := int32(len(c.facts))
		c.facts, c.sameField[key] = append(c.facts, f), append(c.sameField[key], index)
		tree.factIndex = append(tree.factIndex, index)
	}
	c.programs = append(c.programs, tree)
	c.touched = slices.Grow(c.touched, len(c.programs)-len(c.touched)) // so that a frame does not allocate
}

// makeColumns makes the columns of a class, with the components of its facts.
func (s *System) makeColumns(c *sizeClass) {
	terms := []ecs.Term{c.needed, ecs.Optional[components.LOD](), ecs.Optional[components.Intent]()}
	for _, other := range s.classes {
		if other != c {
			terms = append(terms, other.optional)
		}
	}
	terms = append(terms, ecs.Without[components.Paused]())
	if c.columns != nil {
		c.columns.Release()
	}
	c.columns = gather.NewFactColumns(s.world, c.facts, terms...)
	for _, w := range s.workers {
		w.gather.Prepare(c.columns)
	}
}

// adoptRunning records the leaves that already run in minds whose trees are new to the system, as in a world that it
// has not ticked before. Their exits will be called.
func (s *System) adoptRunning(c *sizeClass) {
	if s.trees.exitsTold {
		return
	}
	columns := ecs.NewColumns(s.world, c.needed) // paused agents as well
	defer columns.Release()
	defer columns.Close()
	for _, k := range columns.Open() {
		words := c.minds(&k)
		for row, e := range k.Entities() {
			mind := words[row*c.words : (row+1)*c.words]
			n := int(mindlayout.Program(mind))
			if n > s.built && n < len(c.programs) && c.programs[n].fits {
				s.open.adopt(e, c.programs[n].program, mind)
			}
		}
	}
}

// openClass opens the columns of a class and divides them into spans.
func (s *System) openClass(c *sizeClass) {
	chunks := c.columns.Open()
	c.open = true
	c.agents.Words = c.words
	for i := range chunks {
		k := &chunks[i]
		s.requireOneMind(c, k)
		c.agents.Chunks = append(c.agents.Chunks, executor.Chunk{
			Entities: k.Entities(),
			Minds:    c.minds(k),
			Intents:  ecs.Column[components.Intent](k, termIntent),
		})
		c.lods = append(c.lods, ecs.Column[components.LOD](k, termLOD))
		for start := 0; start < k.Len(); start += spanRows {
			// A span that is used again keeps the memory of its remainder.
			n := len(s.spans)
			s.spans = append(s.spans[:n], s.spans[n:min(n+1, cap(s.spans))]...)
			if len(s.spans) == n {
				s.spans = append(s.spans, span{})
			}
			span := &s.spans[n]
			if span.remainder == nil { // also after the list has grown
				span.remainder = make([]remainderRow, 0, min(spanRows, 64*len(c.programs)))
			}
			span.class, span.chunk, span.start, span.end = c, i, start, min(start+spanRows, k.Len())
			span.remainder = span.remainder[:0]
		}
	}
}

// requireOneMind panics when the agents of a chunk have minds of two sizes.
func (s *System) requireOneMind(c *sizeClass, k *ecs.Chunk) {
	term := termOthers
	for _, other := range s.classes {
		if other == c {
			continue
		}
		if k.Has(term) {
			panic(fmt.Sprintf("ai: entity %v has a %v and a %v: an agent has one mind; exchange it with "+
				"Herd.Swap",
				k.Entities()[0], c.mind, other.mind))
		}
		term++
	}
}

// closeClass closes the columns of a class and drops all references to them.
func (s *System) closeClass(c *sizeClass) {
	clear(c.agents.Chunks)
	clear(c.lods)
	c.agents.Chunks, c.lods = c.agents.Chunks[:0], c.lods[:0]
	c.columns.Close()
	c.open = false
}
