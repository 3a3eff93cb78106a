package aitree

import (
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// action compiles the action, the until condition and the bindings of a Do or a Fire.
func (b *builder) action(n *Node, self int32) error {
	p := b.program
	handle, kind, err := b.lookUp(n)
	if err != nil {
		return err
	}
	p.Nodes[self].Action = handle
	p.ActionCount = max(p.ActionCount, int(handle)+1)
	if n.op == executor.OpDo {
		p.Nodes[self].Channel = kind.channel
		p.HasDo = true
		if n.until != nil {
			if p.Nodes[self].Condition, err = b.condition(n.until); err != nil {
				return err
			}
		}
		if n.limited {
			p.Nodes[self].Limited = true
			if p.Nodes[self].Micros, err = b.micros(n.duration); err != nil {
				return err
			}
		}
		b.channels[self] = []doLeaf{{p.Nodes[self].Channel, strings.Join(b.path, " > ")}}
	}
	posting, err := b.posting(n, self, handle)
	if err != nil {
		return err
	}
	p.Nodes[self].Posting = int32(len(p.Postings))
	p.Postings = append(p.Postings, posting)
	return nil
}

// lookUp returns the handle and the kind of the action of a node.
func (b *builder) lookUp(n *Node) (handle components.Action, kind actionKind, err error) {
	handle, ok := b.actions.Lookup(n.action)
	if !ok {
		register := "Register"
		if n.op == executor.OpFire {
			register = "RegisterTrigger"
		}
		known := "none is registered"
		if b.actions.Len() > 0 {
			known = "known are " + strings.Join(b.actions.names, ", ")
		}
		return 0, kind, b.errorf("unknown action %q; %s; register it with Actions.%s, or call systems.Install "+
			"before Build to register the standard actions", n.action, known, register)
	}
	kind = b.actions.kinds[handle-1]
	if kind.trigger && n.op == executor.OpDo {
		return 0, kind, b.errorf("action %q is registered as a trigger, which is over at once; post it with Fire",
			n.action)
	}
	if !kind.trigger && n.op == executor.OpFire {
		return 0, kind, b.errorf("action %q is registered as a durative action of channel %v; post it with Do, or "+
			"register it with Actions.RegisterTrigger",
			n.action, kind.channel)
	}
	return handle, kind, nil
}

// posting compiles the bindings of a node.
func (b *builder) posting(n *Node, self int32, handle components.Action) (executor.Posting, error) {
	p := b.program
	order := executor.Posting{
		Target: -1, Chosen: -1, X: -1, Y: -1, Numbers: [2]int32{-1, -1}, Order: components.Order{Action: handle},
	}
	bound := [bindInvalid]bool{}
	for i := range n.bindings {
		bind := &n.bindings[i]
		if fault := bind.fault(n.op); fault != "" {
			return order, b.errorf("%s", fault)
		}
		facts := [2]int32{-1, -1}
		for k, f := range bind.facts[:bind.count] {
			at, err := b.fact(f)
			if err != nil {
				return order, err
			}
			facts[k] = at
			p.Nodes[self].FollowsFacts = n.op == executor.OpDo
		}
		if bound[bind.field] {
			return order, b.errorf("one field is bound twice; bind target, point and each number once")
		}
		bound[bind.field] = true
		switch bind.field {
		case bindTarget:
			order.Target = facts[0]
			if bind.chosen {
				selector, err := b.selectorAbove(self)
				if err != nil {
					return order, err
				}
				order.Chosen = selector
			}
		case bindPoint:
			order.X, order.Y = facts[0], facts[1]
			order.Order.Point = components.Vec2{X: bind.values[0], Y: bind.values[1]}
		default:
			i := bind.field - bindNumber0
			order.Numbers[i] = facts[0]
			order.Order.Numbers[i] = bind.values[0]
		}
	}
	return order, nil
}
