package guards

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Compare measures all contestants. In every tick all guards decide. Between ticks the facts of a tenth of the guards
// change and some of their actions end, equally for all contestants; that is not part of the times.
//
// Panics when a number is not positive.
func Compare(agents, repetitions, ticks int) *harness.Comparison {
	harness.RequirePositive("guards.Compare", agents, repetitions, ticks)
	return compareAll(newContestants(agents, 1), agents, repetitions, ticks)
}

// CompareWithHandwritten measures the hand-written loops and the block executor alone, as [Compare] does.
//
// Panics when a number is not positive.
func CompareWithHandwritten(agents, repetitions, ticks int) *harness.Comparison {
	harness.RequirePositive("guards.CompareWithHandwritten", agents, repetitions, ticks)
	all := []*contestant{
		newHandContestant(agents, 1), newHandColumnsContestant(agents, 1), newBlockContestant(byBlock, agents, 1, 1),
	}
	return compareAll(all, agents, repetitions, ticks)
}

// compareAll measures contestants and closes their worlds.
func compareAll(all []*contestant, agents, repetitions, ticks int) *harness.Comparison {
	defer func() {
		for _, c := range all {
			c.crowd.close()
		}
	}()
	measured := make([]harness.Contestant, len(all))
	for i, c := range all {
		measured[i] = harness.Contestant{
			Name: c.name, Tick: c.tick, Between: func() { c.crowd.between((*frame.Clock).Advance) },
		}
	}
	result := harness.Compare("the guard's tree", measured, agents, repetitions, ticks)
	result.Decisions = "orders"
	result.Notes = []string{"between ticks a tenth of the guards see their facts change, and some actions end"}
	for _, c := range all {
		if !c.idle && sameOrders(all[0].crowd, c.crowd) != "" {
			result.Equal = false
		}
		if c.program != nil && len(result.Doing) == 0 {
			result.Nodes = c.program.Nodes()
			for leaf, n := range c.leafCounts() {
				result.Doing[c.program.Leaves()[leaf].Name] += float64(n) / float64(agents)
			}
		}
	}
	result.SetRatio("tree_vs_handwritten", byBlock, byHand, byHandColumns)
	result.SetRatio("tree_vs_interpreter", byBlock, byInterpreter)
	result.SetRatio("tree_vs_pointer_struct", byBlock, byPointerStruct)
	result.SetRatio("tree_vs_pointer_dict", byBlock, byPointerDictionary)
	result.SetRatio("tree_vs_iteration", byBlock, byIteration)
	result.SetRatio("two_workers_vs_one", byBlockTwoWorkers, byBlock)
	return result
}

// sameOrders compares the orders and triggers of two crowds. It returns those of the first guard for which they differ,
// or "".
func sameOrders(a, b *crowd) string {
	x, y := a.orders.Query(a.world), b.orders.Query(b.world)
	defer x.Close()
	defer y.Close()
	if x.Count() != y.Count() {
		return fmt.Sprintf("%d guards and %d", x.Count(), y.Count())
	}
	for range x.Count() {
		x.Next()
		y.Next()
		xIntent, yIntent := x.Get(), y.Get()
		if x.Entity() != y.Entity() || *xIntent != *yIntent {
			return fmt.Sprintf("guard %v: %+v\nguard %v: %+v", x.Entity(), *xIntent, y.Entity(), *yIntent)
		}
	}
	fired, others := a.triggers(), b.triggers()
	if len(fired) != len(others) {
		return fmt.Sprintf("%d triggers and %d", len(fired), len(others))
	}
	for i := range fired {
		if fired[i] != others[i] {
			return fmt.Sprintf("trigger %+v\nand     %+v", fired[i], others[i])
		}
	}
	return ""
}
