package aitree_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// A crowd is agents that run one tree twice, each alone in the reference and all together in blocks of the executor,
// and that are compared after every step. The blocks are as rough as they may be: agents sit in random lanes, another
// on every tick, between holes that are filled with decoys.
type crowd struct {
	tree       *refTree
	program    *executor.Program
	actions    *aitree.Actions
	leaves     []*refNode // by the program's index of leaves
	members    map[components.Entity]*member
	executor   *executor.Executor
	block      executor.Block
	rng        *rand.Rand
	conds      map[string]*condFact
	numbers    map[string]*numberFact
	reads      []bool // which of memberFacts the program reads
	setters    []factSetter
	evaluators map[*refEvaluator]*utility.Evaluator
	custom     *utility.Input
	hooks      []hookCall
	hooked     bool
	faults     []string
	explaining bool                       // a fact may be read twice
	rehearsed  map[executor.NodeState]int // ticks that were foretold, by their result
	keeps      bool
	twin       *crowd // of the random tests: the same agents in other blocks
}

// A member is one agent of a crowd.
type member struct {
	entity  components.Entity
	agent   *refAgent
	mind    []uint32
	intent  components.Intent
	last    components.Timestamp // clock of the last tick
	since   int64
	pulse   float32       // a fact, which Do leaves bind as their second number
	utility *utilityFacts // what its UtilitySelectors choose by

	expected refStep         // of the reference
	pending  []refInvocation // that the executor has not made yet
	token    uint32
	tokens   map[*refNode]uint32 // what a leaf wrote into its state last
	tested   map[string]bool     // the predicates that were evaluated in this tick
	observed refStep             // of the executor
	twin     *member
}

type hookCall struct {
	who   components.Entity
	leaf  *refNode
	event string
}

// mindProgram is the program's number in a world, which the executor leaves alone.
const mindProgram = 77

// crowdSeed is the seed of every crowd's world.
const crowdSeed = 0x5eed

// newCrowd builds the tree. The error is that of Build.
func newCrowd(root *refNode, subtrees map[string]*refNode, options crowdOptions) (*crowd, error) {
	tree, err := expand(root, subtrees)
	if err != nil {
		return nil, err
	}
	h := &crowd{
		tree: tree, actions: aitree.NewActions(), members: map[components.Entity]*member{}, executor: sharedExecutor,
		rng: rand.New(rand.NewPCG(options.seed, 1)), conds: map[string]*condFact{},
		numbers: map[string]*numberFact{}, hooked: options.hooked,
		keeps:      options.keeps,
		rehearsed:  map[executor.NodeState]int{},
		evaluators: map[*refEvaluator]*utility.Evaluator{},
	}
	h.custom = utility.NewInput("custom", h.fillCustom).Reads(levelFacts[0], tallyFacts[1])
	// Every program has an action that no leaf posts, so that no handle is right by chance.
	if _, err := h.actions.Register("never posted", components.Act); err != nil {
		return nil, err
	}
	var definitions []aitree.Definition
	for _, name := range slices.Sorted(maps.Keys(subtrees)) {
		definitions = append(definitions, aitree.Define(name, h.node(subtrees[name])))
	}
	if h.program, err = compile("herd", h.actions, h.node(root), definitions...); err != nil {
		return nil, err
	}
	// A subtree may have been defined and not used.
	reads := func(f blackboard.Fact) bool { return slices.ContainsFunc(h.program.Facts, f.Same) }
	maps.DeleteFunc(h.conds, func(_ string, c *condFact) bool { return !reads(c.fact) })
	maps.DeleteFunc(h.numbers, func(_ string, n *numberFact) bool { return !reads(n.fact) })
	for _, f := range memberFacts {
		h.reads = append(h.reads, reads(f.fact))
	}
	h.setters = settersOf(h.program)
	for _, leaf := range tree.leaves {
		if leaf.canRun() {
			h.leaves = append(h.leaves, leaf)
		}
	}
	for i, info := range h.program.Leaves {
		switch {
		case i >= len(h.leaves), int(info.Node) != h.leaves[i].index, h.leaves[i].label != "" &&
			info.Name != h.leaves[i].label:
			return nil, fmt.Errorf("crowd: the program's leaf %d is %v", i, info)
		}
	}
	if len(h.program.Leaves) != len(h.leaves) || len(h.program.Nodes) != len(tree.nodes) {
		return nil, fmt.Errorf("crowd: the program has %d leaves and %d nodes, not %d and %d",
			len(h.program.Leaves), len(h.program.Nodes), len(h.leaves), len(tree.nodes))
	}
	return h, nil
}

type crowdOptions struct {
	seed   uint64 // of the arrangement of blocks
	hooked bool   // leaves have hooks, and only their events are asked for
	keeps  bool   // every action leaf keeps a word in the mind
}

// sharedExecutor ticks all trees of all tests, one after the other: nothing may be left over in it.
var sharedExecutor = executor.NewExecutor()

func (h *crowd) fault(format string, args ...any) {
	h.faults = append(h.faults, fmt.Sprintf(format, args...))
}

// join adds an agent that has never been ticked. The mind may be one that another agent left behind.
func (h *crowd) join(entity components.Entity, script refScript, since components.Timestamp, mind []uint32) *member {
	m := &member{
		entity: entity, mind: mind, last: since, tokens: map[*refNode]uint32{}, tested: map[string]bool{},
		agent: newRefAgent(h.tree, entity, script, h.draw),
	}
	m.agent.now = int64(since) / 1000
	if mind == nil {
		m.mind = make([]uint32, h.program.MindBytes()/4)
		m.mind[0] = mindProgram
	}
	h.members[entity] = m
	return m
}

// leave takes an agent out; its mind may be used again after a reset.
func (h *crowd) leave(m *member) []uint32 {
	delete(h.members, m.entity)
	return m.mind
}

func (m *member) setUtilityFacts(w *utilityFacts) { m.utility, m.agent.facts = w, w }

func (h *crowd) draw(entity components.Entity, clock components.Timestamp, n *refNode, k int) uint64 {
	return executor.DrawKey(
		crowdSeed, uint64(entity.Generation)<<32|uint64(entity.Index), uint32(int64(clock)/1000), h.program.Hash,
		int32(n.index), k)
}

// tick ticks agents at a clock, in the reference and in the executor, and returns how they differ. Reports are of the
// action systems, since the agents' last step.
func (h *crowd) tick(now components.Timestamp, due []*member, reports map[*member]map[*refNode]result) error {
	for _, m := range due {
		m.since = int64(now - m.last)
		m.last = now
		m.pulse = float32(uint32(now)%1000 + m.entity.Index)
		m.expected = m.agent.tick(now, reports[m])
		m.pending = append(m.pending[:0], m.agent.log...)
		clear(m.tested)
		for leaf, r := range reports[m] {
			m.intent.Orders[leaf.channel].Outcome = map[result]components.Outcome{succeeded: components.Succeeded,
				failed: components.Failed}[r]
		}
	}
	err := h.blocks(now, due, false)
	for _, m := range due {
		m.agent.script.next()
	}
	return err
}

// reset resets agents from outside, in both.
func (h *crowd) reset(now components.Timestamp, who []*member) error {
	for _, m := range who {
		m.expected = m.agent.resetAgent()
		m.pending = m.pending[:0]
	}
	return h.blocks(now, who, true)
}

// blocks spreads agents over blocks and ticks or resets each.
func (h *crowd) blocks(now components.Timestamp, members []*member, reset bool) error {
	rest := slices.Clone(members)
	h.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	for len(rest) > 0 {
		size := min(64, len(rest))
		if h.rng.IntN(3) == 0 {
			size = 1 + h.rng.IntN(size)
		}
		if err := h.inBlock(now, rest[:size], reset); err != nil {
			return err
		}
		rest = rest[size:]
	}
	return nil
}

// equals compares all but what was entered and ended in the step, and instants.
func (s *refStep) equals(o *refStep) bool {
	return s.status == o.status && slices.Equal(s.exits, o.exits) && slices.Equal(s.enters, o.enters) &&
		slices.Equal(s.running, o.running) && slices.Equal(s.ticked, o.ticked) && slices.Equal(s.fired, o.fired) &&
		s.prompt == o.prompt && s.intents == o.intents && slices.Equal(inOrder(s.anew), inOrder(o.anew))
}

// inOrder returns nodes in tree order.
func inOrder(nodes []*refNode) []*refNode {
	return slices.SortedFunc(slices.Values(nodes), func(a, b *refNode) int { return cmp.Compare(a.index, b.index) })
}

func (s *refStep) String() string {
	var exits []string
	for _, e := range s.exits {
		exits = append(exits, e.String())
	}
	return fmt.Sprintf("status %v, exits %v, enters %v, runs %v, ticked %v, fired %v, intents %v, posted anew %v, "+
		"prompt %v",
		s.status, exits, names(s.enters), names(s.running), names(s.ticked), names(s.fired), intentNames(s.intents),
		names(s.anew), s.prompt)
}

func intentNames(intents [components.Channels]*refNode) []string {
	list := make([]string, len(intents))
	for i, leaf := range intents {
		if leaf != nil {
			list[i] = leaf.label
		}
	}
	return list
}

func (h *crowd) handle(prefix string, leaf *refNode) components.Action {
	a, _ := h.actions.Lookup(prefix + leaf.origin.label)
	return a
}
