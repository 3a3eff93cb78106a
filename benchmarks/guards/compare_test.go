package guards

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

func BenchmarkGuardTree(b *testing.B) {
	const agents = 10_240
	for _, c := range newContestants(agents, 1) {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.tick()
				b.StopTimer()
				c.crowd.between((*frame.Clock).Advance)
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/agents, "ns/agent")
		})
		c.crowd.close()
	}
}

func TestAComparisonHasAFigureForEveryContestant(t *testing.T) {
	c := Compare(128, 3, 2)
	assert.Len(t, c.Costs, 8)
	for _, cost := range c.Costs {
		assert.Positive(t, cost.Median, cost.Name)
		assert.LessOrEqual(t, cost.Min, cost.Median, cost.Name)
	}
	assert.True(t, c.Equal)
	assert.Len(t, c.Ratios, 6)
	assert.Equal(t, 41, c.Nodes)
	shares := 0.0
	for _, share := range c.Doing {
		shares += share
	}
	assert.LessOrEqual(t, shares, 1+1e-9, "a guard is in one leaf at most")
	assert.Greater(t, shares, 0.5, "most are in one: the others completed their tree in this tick")
}

func TestOrdersThatDifferAreFound(t *testing.T) {
	a, b := newCrowd(100, 1, 1), newCrowd(100, 1, 1)
	defer a.close()
	defer b.close()
	assert.Empty(t, sameOrders(a, b))
	query := b.orders.Query(b.world)
	for query.Next() {
		query.Get().Orders[components.Act].Serial = 1
	}
	assert.Contains(t, sameOrders(a, b), "Serial:1")
}

func TestTriggersThatDifferAreFound(t *testing.T) {
	a, b := newCrowd(100, 1, 1), newCrowd(100, 1, 1)
	defer a.close()
	defer b.close()
	strike := components.Trigger{Agent: components.Entity{Index: 3}, Action: a.actions.Strike, Number: 2}
	for range 2 {
		a.fired = append(a.fired, strike)
		b.herd.Triggers.Fire(0, strike)
		assert.Empty(t, sameOrders(a, b))
	}
	a.fired = append(a.fired, strike)
	assert.Contains(t, sameOrders(a, b), "3 triggers and 2")
	strike.Number = 1
	b.herd.Triggers.Fire(0, strike)
	assert.Contains(t, sameOrders(a, b), "Number:1")
}

func TestNeitherLoopNorInterpreterNorBlocksAllocate(t *testing.T) {
	for _, c := range newContestants(640, 1) {
		for range harness.SettlingTicks {
			c.tick()
			c.crowd.between((*frame.Clock).Advance)
		}
		if c.name != byPointerStruct && c.name != byPointerDictionary {
			assert.Zero(t, testing.AllocsPerRun(20, c.tick), c.name)
		}
		c.crowd.close()
	}
}
