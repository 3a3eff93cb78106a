package aitree_test

import (
	"cmp"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// sortEvents checks the order of events, by leaf and then by lane, and that no leaf has two in a lane.
func (h *crowd) sortEvents(events []executor.Event) {
	for i, e := range events {
		if int(e.Leaf) >= len(h.leaves) || h.block.Mask>>e.Lane&1 == 0 {
			h.fault("event %+v", e)
		}
		if i > 0 && cmp.Or(cmp.Compare(events[i-1].Leaf, e.Leaf), cmp.Compare(events[i-1].Lane, e.Lane)) >= 0 {
			h.fault("event %+v comes after %+v", e, events[i-1])
		}
		if h.hooked {
			h.hooks = h.hooks[:0]
			h.program.CallHook(e, h.block.Entities[e.Lane])
			want := hookCall{h.block.Entities[e.Lane], h.leaves[e.Leaf].origin,
				[...]string{"done", "failed", "aborted", "enter"}[e.Kind]}
			if len(h.hooks) != 1 || h.hooks[0] != want {
				h.fault("event %+v calls hooks %v, want %v", e, h.hooks, want)
			}
		}
	}
}

// observe reads a step of the executor out of its results and the agent's components.
func (h *crowd) observe(m *member, lane int, before components.Intent) {
	x := h.executor
	bit := uint64(1) << lane
	did := refStep{prompt: x.Prompt&bit != 0}
	switch {
	case x.Succeeded&bit != 0:
		did.status = succeeded
	case x.Failed&bit != 0:
		did.status = failed
	case x.Running&bit != 0:
		did.status = running
	}
	entered := map[*refNode]bool{}
	for _, e := range x.Events {
		if int(e.Lane) != lane || int(e.Leaf) >= len(h.leaves) {
			continue
		}
		leaf := h.leaves[e.Leaf]
		switch e.Kind {
		case executor.Enter:
			did.enters = append(did.enters, leaf)
			entered[leaf] = true
		case executor.ExitSuccess:
			did.exits = append(did.exits, refExit{leaf, succeeded})
		case executor.ExitFailure:
			did.exits = append(did.exits, refExit{leaf, failed})
		case executor.ExitAborted:
			did.exits = append(did.exits, refExit{leaf, aborted})
		}
	}
	runs := map[components.Channel]*refNode{}
	for _, i := range h.program.RunningLeaves(m.mind, nil) {
		leaf := h.leaves[i]
		did.running = append(did.running, leaf)
		if leaf.kind == refDo {
			runs[leaf.channel] = leaf
		}
	}

	// The order of a channel is its running Do, posted anew if that was entered in this step, or begun anew.
	for c := range components.Channel(components.Channels) {
		order, was := m.intent.Orders[c], before.Orders[c]
		for _, leaf := range h.leaves {
			if leaf.kind == refDo && h.handle("do ", leaf) == order.Action &&
				(runs[c] == nil || runs[c].origin == leaf.origin) {
				did.intents[c] = leaf
				if runs[c] != nil {
					did.intents[c] = runs[c]
				}
				break
			}
		}
		if order.Action != 0 && did.intents[c] == nil {
			h.fault("%v: order %+v", m.entity, order)
		}
		leaf := did.intents[c]
		switch {
		case leaf == nil:
			if order.Outcome != components.Pending || order.Serial != was.Serial {
				h.fault("%v: withdrawn order %+v, before %+v", m.entity, order, was)
			}
		case entered[leaf]:
			if order.Serial == was.Serial || order.Outcome != components.Pending {
				h.fault("%v: new order %+v, before %+v", m.entity, order, was)
			}
		case order.Serial != was.Serial && order.Outcome == components.Pending:
			did.anew = append(did.anew, leaf)
		case order.Serial != was.Serial:
			h.fault("%v: order %+v of a Do that ran on, before %+v", m.entity, order, was)
		}
		if leaf != nil {
			want := m.order(leaf)
			want.Action, want.Serial, want.Outcome = order.Action, order.Serial, order.Outcome
			if order != want {
				h.fault("%v: order %+v of %s, want %+v", m.entity, order, leaf.label, want)
			}
		}
	}

	for _, fired := range h.executor.Fired {
		if int(fired.Lane) != lane {
			continue
		}
		trigger := fired.Trigger
		// Uses of one subtree fire the same action; of those it is one that should have fired, if any.
		var by *refNode
		for _, leaves := range [][]*refNode{m.expected.fired, h.tree.leaves} {
			for _, leaf := range leaves {
				if by == nil && leaf.kind == refFire && h.handle("fire ", leaf) == trigger.Action &&
					count(did.fired, leaf) < max(count(m.expected.fired, leaf), 1) {
					by = leaf
				}
			}
		}
		if by == nil {
			h.fault("%v: trigger %+v", m.entity, trigger)
			continue
		}
		want := m.trigger(by, count(did.fired, by))
		want.Agent, want.Action = m.entity, trigger.Action
		if trigger != want {
			h.fault("%v: trigger %+v of %s, want %+v", m.entity, trigger, by.label, want)
		}
		did.fired = append(did.fired, by)
	}
	if m.mind[0]&0xffff != mindProgram {
		h.fault("%v: the mind names program %d", m.entity, m.mind[0]&0xffff)
	}

	// The invocations are those of the reference, or there was a fault; a leaf that was entered and does
	// not run was entered for this tick alone.
	for _, leaf := range m.expected.ticked {
		if leaf.kind == refAction || slices.Contains(did.fired, leaf) {
			did.ticked = append(did.ticked, leaf)
		}
	}
	for _, invocation := range m.agent.log {
		if invocation.entering && !slices.Contains(did.running, invocation.leaf) {
			how := invocation.result
			if how == running {
				how = aborted
			}
			did.instant = append(did.instant, refExit{invocation.leaf, how})
		}
	}
	m.observed = did
}

// count returns how often a leaf is in a list.
func count(list []*refNode, leaf *refNode) (n int) {
	for _, l := range list {
		if l == leaf {
			n++
		}
	}
	return n
}
