package villagers

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
)

func BenchmarkVillager(b *testing.B) {
	const agents = 10_240
	for _, c := range newContestants(agents, 1) {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.tick()
				b.StopTimer()
				c.between()
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/agents, "ns/agent")
		})
	}
}

// Contestants must be the same villager, and are tested as they are timed: each choice, and since when it holds, is
// compared to the bit. That takes facts by which no two scores are so close that the last bit of an exponential decides
// between them; see avoidTies.
func TestAllContestantsChooseTheSameActions(t *testing.T) {
	const ticks = 400
	for _, agents := range []int{1, 63, 640, 1000} {
		t.Run(fmt.Sprintf("%d agents", agents), func(t *testing.T) {
			all := newContestants(agents, uint64(agents))
			for tick := range ticks {
				for _, c := range all {
					c.tick()
				}
				for _, c := range all {
					if !c.idle {
						require.Empty(t, sameChoices(all[0].crowd, c.crowd), "by %s, in tick %d", c.name, tick)
					}
					require.Equal(t, all[0].crowd.facts(), c.crowd.facts(), "facts of %s in tick %d", c.name, tick)
				}
				for _, c := range all {
					c.between()
				}
			}
		})
	}
}

func (v *crowd) facts() (all []facts) {
	query := v.needs.Query(v.world)
	for query.Next() {
		all = append(all, *query.Get())
	}
	return all
}

// The contestants must be right as well as equal: their choices are those of float64 arithmetic.
func TestVillagersChooseWhatTheFormulasSay(t *testing.T) {
	const agents, ticks = 200, 200
	for _, c := range newContestants(agents, 7) {
		if c.idle {
			continue
		}
		current := make([]int, agents) // plus one
		for range ticks {
			c.tick()
			facts, i := c.crowd.facts(), 0
			query := c.crowd.choices.Query(c.crowd.world)
			for ; query.Next(); i++ {
				best, most := 0, 0.0
				for a, s := range exactScores(&facts[i]) {
					if s > 0 && a+1 == current[i] {
						s += inertia
					}
					if s > most {
						best, most = a+1, s
					}
				}
				current[i] = best
				require.Equal(t, best, int(query.Get().Action), "%s of %+v", c.name, facts[i])
			}
			c.between()
		}
	}
}

// The comparison means something only if villagers do everything, change their choice, and keep it by inertia.
func TestVillagersDoEverything(t *testing.T) {
	const agents, ticks = 500, 200
	c := newScorerContestant(agents, 1)
	var counts [actionCount + 1]int
	before := make([]components.Choice, agents)
	changes, kept := 0, 0
	for range ticks {
		c.tick()
		for a, n := range c.crowd.countByAction() {
			counts[a] += n
		}
		facts := c.crowd.facts()
		query := c.crowd.choices.Query(c.crowd.world)
		for i := 0; query.Next(); i++ {
			choice := *query.Get()
			if choice != before[i] {
				changes++
			} else if scores := exactScores(&facts[i]); choice.Action > 0 {
				for _, s := range scores {
					if s > scores[choice.Action-1] {
						kept++
					}
				}
			}
			before[i] = choice
		}
		c.between()
	}
	for a, name := range actionNames {
		assert.Greater(t, counts[a], agents*ticks/20, name)
	}
	assert.Greater(t, changes, agents*ticks/100)
	assert.Greater(t, kept, agents*ticks/100)
}

func TestTiesAreAvoided(t *testing.T) {
	// Socialise scores 0.8, of a product of 1; sleep, by its fatigue, the same, or the same when it has the inertia.
	for _, n := range []facts{
		{Loneliness: 1, Friends: 1, Night: 1, Fatigue: 0.8329311}, // sleep: 1.5p - p²/2 = 0.8 for p = 0.69377
		{Loneliness: 1, Friends: 1, Night: 1, Fatigue: 0.7962252}, // 0.75, for p = 0.63397
	} {
		require.True(t, tied(&n), "scores %v", exactScores(&n))
		avoidTies(&n)
		assert.False(t, tied(&n), "scores %v", exactScores(&n))
	}
	assert.False(t, tied(&facts{}), "no score is above 0")
}

func TestChoicesThatDifferAreFound(t *testing.T) {
	a, b := newCrowd(100, 1), newCrowd(100, 1)
	assert.Empty(t, sameChoices(a, b))
	query := b.choices.Query(b.world)
	for query.Next() {
		query.Get().Since = 5
	}
	assert.Contains(t, sameChoices(a, b), "Since:5")
}

func TestAComparisonOfVillagersHasAFigureForEveryContestant(t *testing.T) {
	c := Compare(128, 3, 2)
	assert.Len(t, c.Costs, 6)
	for _, cost := range c.Costs {
		assert.Positive(t, cost.Median, cost.Name)
		assert.LessOrEqual(t, cost.Min, cost.Median, cost.Name)
	}
	assert.True(t, c.Equal)
	assert.Len(t, c.Ratios, 3)
	shares := 0.0
	for _, share := range c.Doing {
		shares += share
	}
	assert.InDelta(t, 1, shares, 1e-9)
}

func TestOnlyWritingDictionariesAllocates(t *testing.T) {
	for _, c := range newContestants(640, 1) {
		if c.name == byWriting {
			continue
		}
		c.tick()
		assert.Zero(t, testing.AllocsPerRun(20, c.tick), c.name)
	}
}
