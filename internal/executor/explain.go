package executor

import (
	"fmt"
	"slices"
	"time"

	"github.com/flockwork-ai/flockwork/utility/explain"
)

// Explanation says what one UtilitySelector of a program would choose for an agent if it were ticked now. Its fields
// are those of aitree.Explanation.
type Explanation struct {
	Node    int    // index of the node in pre-order
	Name    string // the node's label, or the evaluator's name
	Running bool   // whether the node is running; if not, only a remembered choice can be in force
	*explain.Choice
}

// Explain explains the choices of one agent of a block, one for each UtilitySelector of the program, in tree order. It
// changes neither the agent nor a counter. It clears the results of the executor's last tick. Unlike a tick it
// allocates.
//
// It panics when the lane is not in the block's mask.
func (x *Executor) Explain(p *Program, b *Block, lane int) []Explanation {
	if uint(lane) > 63 || b.Mask>>lane&1 == 0 {
		panic(fmt.Sprintf("executor: Explain of lane %d, which is not in the block's mask", lane))
	}
	bit := uint64(1) << lane
	// A block of one agent, with a copy of its mind: loading a mind may write into it.
	one := &Block{
		Mask: bit, Number: b.Number, Since: b.Since, Facts: b.Facts, Seed: b.Seed, Now: b.Now,
		Worker: b.Worker, User: b.User,
	}
	one.Entities[lane] = b.Entity(lane)
	x.begin(p, b)
	one.Minds[lane] = slices.Clone(x.mind(lane))
	x.begin(p, one)
	defer x.Clear()
	x.load()
	if x.mask == 0 {
		return nil // the agent runs another program
	}
	var list []Explanation
	_, skipped := x.Scorings()
	for i := range p.UtilityNodes {
		u := &p.UtilityNodes[i]
		n := &p.Nodes[u.Node]
		d := &x.decision
		resumed := x.run[u.Node] & bit
		x.loadChoices(u, n.Slot, bit, resumed)
		ranOut := x.loadCommitments(u, n.Slot, resumed)
		x.beginScoring(u)
		d.Out = nil
		if u.excludes() {
			ranOut |= x.endBackOffs(u, bit)
			d.Out = x.outOf(u)
			clear(d.Out)
			x.loadBackOffs(u, bit)
		}
		kept := u.Hold && resumed != 0 || x.unchanged(u, n.Slot, resumed&^ranOut) != 0
		d.Mask = bit
		if u.Evaluator.Draws() {
			d.Draws[lane] = x.draw(lane, uint32(x.now), u.Node, 0)
		}
		choice := x.scorer.ExplainDecision(d, kept)
		x.explainBackOffs(u, lane, choice)
		list = append(list, Explanation{Node: int(u.Node), Name: u.Name, Running: resumed != 0, Choice: choice})
	}
	x.scorer.Skipped = skipped
	return list
}

// explainBackOffs says for how long the options of a choice that back off are out.
func (x *Executor) explainBackOffs(u *UtilityNode, lane int, choice *explain.Choice) {
	if u.BackOff == 0 {
		return
	}
	for k := range u.backOffs() {
		a := x.backOffAction(u, lane, k)
		if a < 0 {
			continue
		}
		left := time.Duration(x.backOffDeadline(u, lane, k)-x.now) * time.Microsecond
		for i := range choice.Options {
			o := &choice.Options[i]
			if o.Action == u.Evaluator.Actions[a].Name && o.Target == x.backOffTarget(u, lane, k) {
				o.Out = left
			}
		}
	}
}
