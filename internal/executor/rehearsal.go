package executor

import (
	"fmt"
	"slices"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// NodeState is what became of a node in a tick.
type NodeState uint8

// The states.
const (
	NotReached NodeState = iota
	NodeRunning
	NodeSucceeded
	NodeFailed
	NodeAborted // it ran before the tick and was reset in it, or was begun and reset
)

// NodeRehearsal is what a tick would make of a node.
type NodeRehearsal struct {
	State NodeState
	Ran   bool          // it runs now, before the tick
	Left  time.Duration // until the deadline that it waits for after the tick; 0 without one
	Tests []TestRehearsal
}

// TestRehearsal is a comparison, a predicate or a chance of a node's condition that the tick would evaluate.
type TestRehearsal struct {
	Operand
	Holds bool   // the operand, negated or not
	Value string // of the facts that are compared, "" for a bool and a predicate
}

// Rehearsal is what a tick would make of an agent.
type Rehearsal struct {
	Status  NodeState // of the root
	Nodes   []NodeRehearsal
	Choices []Explanation // of all UtilitySelectors, in tree order, reached or not
}

// Rehearse ticks a copy of one agent of a block and says what became of each node. Custom leaves are not called, since
// they may act: they are taken to run. The agent and the counters of the block's executor stay as they are. It returns
// nil when the agent runs another program. It allocates.
//
// It panics when the lane is not in the block's mask.
func Rehearse(p *Program, b *Block, lane int) *Rehearsal {
	x := NewExecutor()
	choices := x.Explain(p, b, lane)
	bit := uint64(1) << lane
	one := &Block{
		Mask: bit, Number: b.Number, Since: b.Since, Facts: b.Facts, Seed: b.Seed, Now: b.Now,
		Worker: b.Worker, User: b.User,
	}
	one.Entities[lane] = b.Entity(lane)
	x.begin(p, b)
	one.Minds[lane] = slices.Clone(x.mind(lane))
	one.Intents[lane] = new(components.Intent)
	*one.Intents[lane] = b.intent(lane)
	copied := p.forRehearsal()
	x.trace, x.ops = make([]NodeState, len(p.Nodes)), make([]Opcode, len(p.Nodes))
	x.begin(copied, one)
	x.load()
	if x.mask == 0 {
		return nil
	}
	for i := range copied.Nodes {
		n := &copied.Nodes[i]
		x.ops[i], n.Op = n.Op, opTraced
	}
	x.exec(0, bit)
	x.markFailures(choices)
	r := &Rehearsal{Status: x.trace[0], Choices: choices, Nodes: make([]NodeRehearsal, len(p.Nodes))}
	for i := range p.Nodes {
		n, k := &p.Nodes[i], &r.Nodes[i]
		k.State, k.Ran = x.trace[i], x.was[i]&bit != 0
		runs := x.run[i]&bit != 0
		if !runs && (k.State == NodeRunning || k.State == NotReached && k.Ran) {
			k.State = NodeAborted
		}
		k.Left = x.timeLeft(n, lane, runs)
		if n.Condition.Test >= 0 && k.State != NotReached {
			k.Tests = x.tests(n.Condition, lane, nil)
		}
	}
	return r
}

// forRehearsal returns a copy of the program whose nodes may be changed, and whose custom leaves run without a call of
// their code.
func (p *Program) forRehearsal() *Program {
	q := *p
	q.Nodes, q.Leaves = slices.Clone(p.Nodes), slices.Clone(p.Leaves)
	for i := range q.Leaves {
		if l := &q.Leaves[i]; l.Tick != nil {
			l.Tick = func(c *blackboard.Context) (success, running uint64) { return 0, c.Mask }
		}
	}
	return &q
}

// intent returns a copy of the intent of a lane, an empty one if the agent has none.
func (b *Block) intent(lane int) (i components.Intent) {
	if b.Columns == nil {
		if b.Intents[lane] != nil {
			i = *b.Intents[lane]
		}
		return i
	}
	r := b.Row(lane)
	if intents := b.Columns.Chunks[r.Chunk].Intents; intents != nil {
		i = intents[r.Row]
	}
	return i
}

// traced ticks a node of a rehearsal as any other and records what became of it. In the copy of the program that is
// rehearsed every node has the opcode opTraced, so a tick that is no rehearsal does not ask whether it is one.
func (x *Executor) traced(index int32, mask uint64) (success, running uint64) {
	n := &x.program.Nodes[index]
	if x.trace[index] != NotReached { // its branch begins again in this tick, so what is below is of another time
		clear(x.trace[index:n.End])
	}
	n.Op = x.ops[index]
	success, running = x.exec(index, mask)
	n.Op = opTraced
	switch {
	case success != 0:
		x.trace[index] = NodeSucceeded
	case running != 0:
		x.trace[index] = NodeRunning
	default:
		x.trace[index] = NodeFailed
		if n.Parent >= 0 && x.ops[n.Parent] == OpUtilitySelector {
			x.noteFailure(&x.program.UtilityNodes[x.program.Nodes[n.Parent].UtilityNode], index, mask)
		}
	}
	return success, running
}

// noteFailure notes that the chosen branch of a UtilitySelector has failed in a rehearsal.
func (x *Executor) noteFailure(u *UtilityNode, branch int32, mask uint64) {
	action := slices.Index(u.Branches, branch)
	e := Event{Leaf: uint16(x.program.Nodes[u.Node].UtilityNode), Action: uint16(action)}
	if u.Evaluator.Targeted(action) {
		e.Target = x.chosenTarget(u, x.program.Nodes[u.Node].Slot, bitmask.Lowest(mask))
	}
	x.failures = append(x.failures, e)
}

// markFailures marks the options whose branches fail in the rehearsal.
func (x *Executor) markFailures(choices []Explanation) {
	for _, e := range x.failures {
		u, choice := &x.program.UtilityNodes[e.Leaf], choices[e.Leaf]
		for i := range choice.Options {
			o := &choice.Options[i]
			if o.Action == u.Evaluator.Actions[e.Action].Name && o.Target == e.Target {
				o.Failed = true
			}
		}
	}
}

// timeLeft returns the time until the deadline of a node, 0 if it has none after the tick.
func (x *Executor) timeLeft(n *Node, lane int, runs bool) time.Duration {
	switch n.Op {
	case OpWait, OpTimeout:
		if !runs {
			return 0
		}
	case OpDo:
		if !runs || !n.Limited {
			return 0
		}
	case OpCooldown, OpEvery:
	default:
		return 0
	}
	// Every deadline that is in a mind after a tick is later than now, or expired.
	left := fullDeadline(*x.word(lane, n.Slot), x.epochStart()) - x.now
	return time.Duration(max(left, 0)) * time.Microsecond
}

// tests appends the tests of a condition that have been evaluated, those of combinations one by one.
func (x *Executor) tests(c Operand, lane int, list []TestRehearsal) []TestRehearsal {
	if x.known[c.Test]>>lane&1 == 0 {
		return list
	}
	t := &x.program.Tests[c.Test]
	if t.Op == TestAll {
		for _, of := range t.Of {
			of.Negate ^= c.Negate
			list = x.tests(of, lane, list)
		}
		return list
	}
	return append(list, TestRehearsal{
		Operand: c, Holds: (x.value[c.Test]^c.Negate)>>lane&1 != 0, Value: x.testValue(t, lane),
	})
}

// testValue returns the values that a test compares, as text.
func (x *Executor) testValue(t *Test, lane int) string {
	if t.Op == TestPredicate || t.Op == TestTrue {
		return ""
	}
	value := x.factValue(t.Fact, lane)
	if t.Other >= 0 {
		value += " and " + x.factValue(t.Other, lane)
	}
	return value
}

// factValue returns the value of a fact as text.
func (x *Executor) factValue(fact int32, lane int) string {
	bit := uint64(1) << lane
	switch x.program.Facts[fact].Kind() {
	case blackboard.Float:
		return fmt.Sprint(x.facts.Floats(fact, bit)[lane])
	case blackboard.Int:
		return fmt.Sprint(x.facts.Ints(fact, bit)[lane])
	case blackboard.Age:
		age := x.facts.Ages(fact, bit)[lane]
		if age == blackboard.NeverAge {
			return "never"
		}
		return time.Duration(age).String()
	}
	e := x.facts.Entities(fact, bit)[lane]
	switch {
	case e.IsZero():
		return "nobody"
	case x.facts.Alive(fact, bit)&bit == 0:
		return fmt.Sprintf("entity %v, gone", e)
	}
	return fmt.Sprintf("entity %v", e)
}
