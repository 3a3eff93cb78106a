package main

import (
	bt "github.com/joeycumines/go-behaviortree"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// The guard's tree of package scenario, built from the composites of go-behaviortree: Selector, Sequence, and Memorize
// for those that resume. The library has no way to abort a branch and no timers in simulated time. So a branch here is
// a node with a reset, and the decorators that the library lacks are custom ticks, as its documentation suggests.
// Leaves and conditions are those of the other contestants. Trees are built once.

// branch is a node and the function that aborts it while it runs.
type branch struct {
	node  bt.Node
	reset func()
}

func noReset() {}

// guardTree builds a guard's tree and returns the function that ticks it.
func guardTree(g *guards.Guard) (tick func()) {
	call := func() branch { return always(cooldown(g, scenario.GuardCallInterval.Seconds(), leaf(g.Shout()))) }
	root := reactiveSelector(
		guard(g.BadlyHurt, timeout(g, 10, sequence(
			call(),
			guard(g.TargetKnown, leaf(g.Flee())),
			leaf(g.CatchBreath()),
		))),
		guard(g.Visible, sequence(
			call(),
			selector(check(g.InReach), leaf(g.Chase())),
			selector(cooldown(g, scenario.GuardStrikeInterval.Seconds(), leaf(g.Strike())), leaf(g.Wait(0.1))),
		)),
		guard(g.TargetKnown, sequence(
			leaf(g.Search()),
			repeat(3, sequence(
				always(timeout(g, 2, leaf(g.LookAround()))),
				leaf(g.Wait(0.5)),
			)),
		)),
		guard(g.Noisy, sequence(leaf(g.Investigate()), leaf(g.Wait(1.5)))),
		sequence(
			selector(check(g.AtPost), leaf(g.Return())),
			leaf(g.Patrol()),
			leaf(g.Pause()),
		),
	)
	return func() {
		if _, err := root.node.Tick(); err != nil {
			panic(err)
		}
	}
}

// leaf makes a node of a leaf.
func leaf(l guards.Leaf) branch {
	return branch{
		node: bt.New(func([]bt.Node) (bt.Status, error) {
			switch l.Tick() {
			case guards.Running:
				return bt.Running, nil
			case guards.Success:
				return bt.Success, nil
			}
			return bt.Failure, nil
		}),
		reset: l.Reset,
	}
}

// check succeeds when a condition holds.
func check(condition func() bool) branch {
	return branch{
		node: bt.New(func([]bt.Node) (bt.Status, error) {
			if condition() {
				return bt.Success, nil
			}
			return bt.Failure, nil
		}),
		reset: noReset,
	}
}

// sequence resumes at the child that runs.
func sequence(children ...branch) branch { return memorized(bt.Sequence, children) }

// selector resumes at the child that runs.
func selector(children ...branch) branch { return memorized(bt.Selector, children) }

// memorized makes a composite remember the results of its children. They can be dropped only with the composite.
func memorized(composite bt.Tick, children []branch) branch {
	tick, running := bt.Memorize(composite), false
	return branch{
		node: bt.New(func(nodes []bt.Node) (bt.Status, error) {
			status, err := tick(nodes)
			running = status == bt.Running
			return status, err
		}, nodesOf(children)...),
		reset: func() {
			if !running {
				return
			}
			tick, running = bt.Memorize(composite), false
			for _, c := range children {
				c.reset()
			}
		},
	}
}

func nodesOf(children []branch) []bt.Node {
	nodes := make([]bt.Node, len(children))
	for i, c := range children {
		nodes[i] = c.node
	}
	return nodes
}

// reactiveSelector starts from its first child every time and resets the one that ran when another takes over.
func reactiveSelector(children ...branch) branch {
	running, reached := -1, -1
	nodes := make([]bt.Node, len(children))
	for i, c := range children {
		nodes[i] = bt.New(func(nodes []bt.Node) (bt.Status, error) {
			reached = i
			return nodes[0].Tick()
		}, c.node)
	}
	reset := func() {
		if running >= 0 {
			children[running].reset()
			running = -1
		}
	}
	return branch{
		node: bt.New(func(nodes []bt.Node) (bt.Status, error) {
			status, err := bt.Selector(nodes)
			if running != reached {
				reset()
			}
			running = -1
			if status == bt.Running {
				running = reached
			}
			return status, err
		}, nodes...),
		reset: reset,
	}
}

// decorated makes a branch of a tick over one child.
func decorated(child branch, tick bt.Tick, reset func()) branch {
	return branch{node: bt.New(tick, child.node), reset: func() {
		reset()
		child.reset()
	}}
}

// guard ticks its child while a condition holds.
func guard(condition func() bool, child branch) branch {
	running := false
	return decorated(child, func(nodes []bt.Node) (bt.Status, error) {
		if !condition() {
			if running {
				running = false
				child.reset()
			}
			return bt.Failure, nil
		}
		status, err := nodes[0].Tick()
		running = status == bt.Running
		return status, err
	}, func() { running = false })
}

// always succeeds whatever its child does.
func always(child branch) branch {
	return decorated(child, func(nodes []bt.Node) (bt.Status, error) {
		status, err := nodes[0].Tick()
		if status == bt.Running {
			return status, err
		}
		return bt.Success, err
	}, noReset)
}

// repeat runs its child a number of times, one round per tick.
func repeat(rounds int, child branch) branch {
	done := 0
	return decorated(child, func(nodes []bt.Node) (bt.Status, error) {
		status, err := nodes[0].Tick()
		if status != bt.Success {
			if status == bt.Failure {
				done = 0
			}
			return status, err
		}
		if done++; done >= rounds {
			done = 0
			return bt.Success, err
		}
		return bt.Running, err
	}, func() { done = 0 })
}

// cooldown lets its child succeed once per interval; a reset does not end it.
func cooldown(g *guards.Guard, seconds float64, child branch) branch {
	ready, interval := int64(0), int64(seconds*1e6)
	return decorated(child, func(nodes []bt.Node) (bt.Status, error) {
		if g.Now() < ready {
			return bt.Failure, nil
		}
		status, err := nodes[0].Tick()
		if status == bt.Success {
			ready = g.Now() + interval
		}
		return status, err
	}, noReset)
}

// timeout fails when its child takes too long.
func timeout(g *guards.Guard, seconds float64, child branch) branch {
	deadline, limit, running := int64(0), int64(seconds*1e6), false
	return decorated(child, func(nodes []bt.Node) (bt.Status, error) {
		if !running {
			deadline = g.Instant() + limit
		}
		status, err := nodes[0].Tick()
		running = status == bt.Running
		if running && g.Now() >= deadline {
			running = false
			child.reset()
			g.SetInstant(deadline)
			return bt.Failure, err
		}
		return status, err
	}, func() { running = false })
}
