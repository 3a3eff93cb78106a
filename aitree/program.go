package aitree

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// Program is a compiled tree: immutable, and shared by all agents that run it and by all goroutines
// that tick them. Make it with [Build].
//
// Nodes stand in pre-order, so a subtree is a contiguous range and skipping one is a jump.
type Program struct {
	name      string
	hash      uint64 // of the name: the program's part in the keys of draws
	nodes     []node
	parents   []int32 // of the nodes, side by side
	leaves    []leaf
	leafNodes []leafNode // what the end of a tick needs of the leaves, side by side
	tests     []compiledTest
	facts     []blackboard.Fact
	posts     []posting // of Do and Fire nodes, by node.post
	parallels []int32
	loops     []int32 // nodes that can rest between two rounds
	cooldowns []int32
	brains    []brain  // of UtilitySelectors, in tree order
	restless  []int32  // nodes that the root's strand cannot rest at
	words     int      // of a mind, header included
	register  *Actions // that the handles are of; nil if there was none
	actions   int      // one past the highest action handle, 0 if none is posted
	wide      bool
	fires     bool
	does      bool
	hooked    bool
	custom    bool
}

// node is one compiled node. Which fields mean something depends on op.
type node struct {
	op             opcode
	latched        bool
	clearedByAbort bool
	followsFacts   bool // Do: a binding is to a fact
	channel        components.Channel
	action         components.Action
	end            int32 // one past the last node of the subtree
	parent         int32
	leaf           int32 // index into leaves, or -1
	test           int32 // Check, Guard, Do's until: index into tests, or -1
	slot           int32 // first word of its state in the mind, or -1
	count          int32 // Repeat, Retry: rounds; 0 is for ever. Parallel, Random…, WeightedChoice: children
	post           int32
	brain          int32  // UtilitySelector: index into brains
	success        int32  // Parallel: how many must succeed
	failure        int32  // Parallel: how many must fail
	negate         uint64 // of the condition: all bits set if it is negated
	micros         int64  // Cooldown, Timeout, Wait
	span           int64  // WaitBetween: longest less shortest, else 0
	children       []int32
	thresholds     []uint32 // WeightedChoice: upper ends of the draws, as shares of 2^32
	strand         strand   // where the cursor of the strand it is in lies
}

// leafNode is a leaf that can run.
type leafNode struct {
	node         int32
	action       components.Action
	channel      components.Channel
	does         bool // a Do
	followsFacts bool
	hooked       bool
}

// strand says where a cursor lies in a mind: the root's, or that of one branch of a Parallel.
type strand struct {
	word  int32
	shift uint8
}

type leaf struct {
	node  int32
	name  string
	tick  LeafFunc
	facts []int32 // declared by Reads, as indices of Program.facts
	keeps int32
	enter func(components.Entity)
	exit  func(components.Entity, Exit)
}

type compiledTest struct {
	test
	kind        blackboard.Kind // of the fact; Invalid for a predicate
	ask         asking
	fact, other int32   // indices of Program.facts, or -1
	float       float32 // the constant, in the fact's terms
	integer     int64
	reads       []int32
}

// asking is how a test is evaluated.
type asking uint8

const (
	askCompare     asking = iota // lanes are gathered and compared
	askPredicate                 // the user's function is called
	askBool                      // the source is asked for a Bool
	askFloatsBelow               // the source is asked for what is less than compiledTest.float
	askIntsBelow                 // the source is asked for what is less than compiledTest.integer
	askAlive                     // the source is asked for who is alive
)

// brain is what a UtilitySelector decides by.
type brain struct {
	node      int32
	name      string // of the node, or of the evaluator
	evaluator *scoring.Evaluator
	facts     []int32 // the evaluator's, as indices of Program.facts
	branch    []int32 // by action: the child
	words     int32   // of state
	targeted  bool
	keeps     bool // word 0 holds the action and the flag
	hold      bool
	remember  bool
}

// posting is what a Do or a Fire posts: the constants in an order, which for a Fire stands for a trigger, and the
// facts that are bound, as indices of Program.facts or -1.
type posting struct {
	order   components.Order
	target  int32
	chosen  int32 // the UtilitySelector whose target it is, or -1
	x, y    int32
	numbers [2]int32
}

// Header of a mind; see package components.
const (
	headerWords = 2
	flagStarted = 1 << 16 // in word 1: the mind has been ticked since it was made or reset
)

// Name returns the program's name.
func (p *Program) Name() string { return p.name }

// Actions returns the register that the program was built with, or nil. Its action handles mean nothing in another.
func (p *Program) Actions() *Actions { return p.register }

// Nodes returns how many nodes the program has, subtrees inlined.
func (p *Program) Nodes() int { return len(p.nodes) }

// Facts returns the facts the program reads, each once. A [Source] is asked for them by their index here.
func (p *Program) Facts() []blackboard.Fact { return p.facts }

// MindBytes returns the size of the mind the program needs: 64, 128 or 256 bytes.
func (p *Program) MindBytes() int {
	switch {
	case p.words <= 16:
		return 64
	case p.words <= 32:
		return 128
	}
	return 256
}

// Fires reports whether the program has Fire leaves, so that its agents need Triggers.
func (p *Program) Fires() bool { return p.fires }

// Does reports whether the program has Do leaves, so that its agents need an Intent.
func (p *Program) Does() bool { return p.does }

// Hooked reports whether any leaf has an enter or an exit hook.
func (p *Program) Hooked() bool { return p.hooked }

// NeedsSince reports whether the program has custom leaves or predicates, which may ask for [Block.Since].
func (p *Program) NeedsSince() bool { return p.custom }

// HasExitHook reports whether leaf l has an exit hook.
func (p *Program) HasExitHook(l int) bool { return p.leaves[l].exit != nil }

// LeafInfo describes a leaf that can run: a custom leaf, a Do or a Wait.
type LeafInfo struct {
	Name   string // its label, or the action's name, with the names of the uses it stands in before it
	Node   int    // index of its node in pre-order
	Action components.Action
	Hooked bool
}

// Leaves returns the leaves that can run, in tree order. Events and hooks name a leaf by its index here.
func (p *Program) Leaves() []LeafInfo {
	infos := make([]LeafInfo, len(p.leaves))
	for i, l := range p.leaves {
		infos[i] = LeafInfo{
			Name: l.name, Node: int(l.node), Action: p.nodes[l.node].action, Hooked: l.enter != nil || l.exit != nil,
		}
	}
	return infos
}

// RunningLeaves appends to dst the indices of the leaves that run in a mind, in tree order. The mind must
// belong to this program; a cursor in it that the program cannot have written counts as idle.
func (p *Program) RunningLeaves(words []uint32, dst []int) []int {
	if words[1]&flagStarted == 0 {
		return dst
	}
	return p.runningBelow(words, 0, int(words[1]&0xffff), dst)
}

// runningBelow appends the leaves that run in the strand that begins at node c, by its cursor.
func (p *Program) runningBelow(words []uint32, c int32, cursor int, dst []int) []int {
	if !p.rests(c, cursor) {
		return dst
	}
	n := &p.nodes[cursor-1]
	if n.leaf >= 0 {
		return append(dst, int(n.leaf))
	}
	if n.op == opParallel {
		for _, branch := range n.children {
			dst = p.runningBelow(words, branch, p.cursor(words, p.nodes[branch].strand), dst)
		}
	}
	return dst
}

// rests reports whether a cursor names a node that the strand that begins at node c can rest at. The executor relies on
// it: what runs is then a state that the program can be in, whatever the mind's bytes.
func (p *Program) rests(c int32, cursor int) bool {
	n := int32(cursor) - 1
	return n >= c && n < p.nodes[c].end && p.nodes[n].strand == p.nodes[c].strand && p.nodes[n].op.canRest()
}

// CallHook calls the hook that leaf l of an event asks for, if it has one.
func (p *Program) CallHook(e Event, who components.Entity) {
	l := &p.leaves[e.Leaf]
	if e.Kind == Enter {
		if l.enter != nil {
			l.enter(who)
		}
		return
	}
	if l.exit != nil {
		l.exit(who, Exit(e.Kind))
	}
}

// cursorBits returns the width of a branch cursor: a byte, unless the nodes and the two marks of a
// latched result do not fit one.
func (p *Program) cursorBits() uint {
	if p.wide {
		return 16
	}
	return 8
}

// cursor reads a strand's cursor: 0 is idle, k the node k-1, and one and two past the last node a latched success
// and failure.
func (p *Program) cursor(words []uint32, s strand) int {
	width := p.cursorBits()
	return int(words[s.word] >> s.shift & (1<<width - 1))
}

func (p *Program) setCursor(words []uint32, s strand, v int) {
	mask := uint32(1)<<p.cursorBits() - 1
	if s.word == 1 { // the root's cursor always has 16 bits
		mask = 0xffff
	}
	w := &words[s.word]
	*w = *w&^(mask<<s.shift) | uint32(v)<<s.shift
}

// epochShift sets the length of an epoch: 2^30 microseconds, 18 minutes. See deadline in time.go.
const epochShift = 30

// lowest returns the index of the lowest set bit of a mask that is not 0.
func lowest(mask uint64) int { return bits.TrailingZeros64(mask) }
