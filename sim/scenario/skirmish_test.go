package scenario

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/utility"
)

// skirmish is the configuration of a skirmish.
func skirmish(agents int, seconds float64) sim.Config {
	c := sim.DefaultConfig(Skirmish())
	c.Agents, c.Seconds = agents, seconds
	return c
}

func TestASkirmishHasAWinnerAndKeepsItsRules(t *testing.T) {
	c := skirmish(1000, 60)
	if testing.Short() {
		c = skirmish(300, 25)
	}
	r, err := sim.Run(context.Background(), c, nil)
	require.NoError(t, err)
	s := r.Skirmish
	west, east := s.Sides[0], s.Sides[1]
	assert.Equal(t, []sim.SkirmishSide{{Name: "west", Agents: c.Agents / 2, Alive: west.Alive},
		{Name: "east", Agents: c.Agents / 2, Alive: east.Alive}}, s.Sides)
	assert.NotEqual(t, west.Alive, east.Alive)
	ahead := west
	if east.Alive > west.Alive {
		ahead = east
	}
	assert.Equal(t, ahead.Name, s.Ahead)
	if testing.Short() {
		assert.Contains(t, []string{ahead.Name, "none"}, s.Winner)
	} else {
		assert.Equal(t, ahead.Name, s.Winner)
	}
	assert.EqualValues(t, c.Agents-west.Alive-east.Alive, r.Events["death"], "nobody comes back")
	assert.Zero(t, r.Events["respawn"])
	assert.Greater(t, r.Events["death"], int64(c.Agents/4))

	assert.Greater(t, s.Strikes, int64(c.Agents/2))
	assert.Equal(t, r.Events["strike"], s.Strikes)
	assert.Greater(t, s.Shots, int64(c.Agents/2))
	assert.Greater(t, s.Hits, s.Shots/5)
	assert.Less(t, s.Hits, s.Shots)
	assert.LessOrEqual(t, s.Shots+s.RoundsLeft, int64(c.Agents*soldierRounds))
	for _, action := range []string{"melee", "shoot", "seek", "patrol"} {
		assert.Positive(t, r.Actions[action].Starts, action)
	}

	assert.Equal(t, SoldierMaxAttackers, s.MaxAttackers)
	assert.Equal(t, s.MaxAttackers, s.MostAttackers, "the bound is reached and not passed")
	assert.Positive(t, s.Refused)
	assert.Zero(t, r.Nonfinite)

	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	for _, part := range []string{"How it went", s.Ahead, "at most 4 attackers of one target, of 4 allowed"} {
		assert.Contains(t, text.String(), part)
	}
}

func TestASkirmishIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int) (string, sim.Skirmish) {
		c := skirmish(400, 25)
		if testing.Short() {
			c = skirmish(200, 25)
		}
		c.Workers = workers
		r, err := sim.Run(context.Background(), c, nil)
		require.NoError(t, err)
		return r.WorldHash, *r.Skirmish
	}
	hash, report := run(1)
	assert.Positive(t, report.Strikes)
	assert.Positive(t, report.Shots)
	for _, workers := range []int{1, 2, 5} {
		again, other := run(workers)
		assert.Equal(t, hash, again, "%d workers", workers)
		assert.Equal(t, report, other)
	}
}

func TestASkirmishAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector's own allocations count")
	}
	c := skirmish(1000, 60)
	c.Workers = 2
	s, err := sim.NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	for range c.FPS { // long before the sides meet
		s.Step()
	}
	for range 5 {
		allocs.None(t, 300, s.Step)
	}
	assert.Positive(t, s.Combat.Stats().Hits)
	assert.Positive(t, s.Events.Count(frame.Death))
}

func TestNoSoldierIsEverAttackedByMoreThanTheBound(t *testing.T) {
	c := skirmish(300, 25)
	s, err := sim.NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	columns := ecs.NewColumns(s.World(), ecs.Need[components.Attack]())
	defer columns.Release()
	claims, most := map[components.Entity]int{}, 0
	for range c.Frames() {
		s.Step()
		clear(claims)
		chunks := columns.Open()
		for i := range chunks {
			for _, attack := range ecs.Column[components.Attack](&chunks[i], 0) {
				if !attack.Target.IsZero() {
					claims[attack.Target]++
				}
			}
		}
		columns.Close()
		for target, n := range claims {
			most = max(most, n)
			if attacked := ecs.Get[components.Attacked](s.World(), target); attacked != nil {
				require.EqualValues(t, n, attacked.Count)
			}
		}
	}
	assert.Equal(t, SoldierMaxAttackers, most)
	assert.Equal(t, most, s.Combat.Stats().MostAttackers)
}

func TestSidesBeginApart(t *testing.T) {
	s, err := sim.NewSimulation(skirmish(1001, 1))
	require.NoError(t, err)
	defer s.Close()
	columns := ecs.NewColumns(s.World(), ecs.Need[components.Transform](), ecs.Need[components.Faction]())
	defer columns.Release()
	count := [2]int{}
	chunks := columns.Open()
	for i := range chunks {
		factions := ecs.Column[components.Faction](&chunks[i], 1)
		for row, transform := range ecs.Column[components.Transform](&chunks[i], 0) {
			side := int(factions[row].ID) - 1
			count[side]++
			away := transform.Position.X
			if side == 1 {
				away = float32(s.Map.Width) - away
			}
			assert.LessOrEqual(t, away, float32(s.Map.Width)*stripShare)
		}
	}
	columns.Close()
	assert.Equal(t, [2]int{501, 500}, count)
}

// A foe is a candidate of a test.
type foe struct {
	distance  float32
	health    int64
	attackers int64
}

// choose asks a soldier's evaluator and returns the attack and the place of the foe in the list, or "" and -1.
func choose(t *testing.T, share float32, foes ...foe) (string, int) {
	evaluator, err := utility.Build("soldier", soldierEvaluator())
	require.NoError(t, err)
	list := fact.Candidates
	scorer := utility.NewScorer(evaluator, 1)
	lanes := scorer.Facts
	lanes.SetFloat(fact.AmmoShare, 0, share)
	lanes.SetFloat(fact.Nearest, 0, foes[0].distance)
	lanes.SetInt(list.Count(), 0, int64(len(foes)))
	for i, f := range foes {
		lanes.SetEntity(list.Entity(i), 0, components.Entity{Index: uint32(i + 1)})
		lanes.SetFloat(list.Field(i, fact.CandidateDistance), 0, f.distance)
		lanes.SetInt(list.Field(i, fact.CandidateHealth), 0, f.health)
		lanes.SetInt(list.Field(i, fact.CandidateAttackers), 0, f.attackers)
	}
	scorer.Now = 1
	scorer.Decide()
	return scorer.Action(0), int(scorer.Choices[0].Target.Index) - 1
}

func TestASoldierChoosesByDistanceAmmunitionHealthAndAttackers(t *testing.T) {
	for _, c := range []struct {
		name   string
		share  float32
		foes   []foe
		attack string
		whom   int
	}{
		{"near", 1, []foe{{2, 100, 0}}, "melee", 0},
		{"far", 1, []foe{{10, 100, 0}}, "ranged", 0},
		{"rather near, with ammunition", 1, []foe{{5.2, 100, 0}}, "ranged", 0},
		{"rather near, with little", 0.2, []foe{{5.2, 100, 0}}, "melee", 0},
		{"far, without any", 0, []foe{{10, 100, 0}}, "", -1},
		{"the nearer", 1, []foe{{8, 100, 0}, {11, 100, 0}}, "ranged", 0},
		{"the weaker", 1, []foe{{8, 100, 0}, {8.5, 20, 0}}, "ranged", 1},
		{"the one whom fewer attack", 1, []foe{{1.5, 100, 3}, {2, 100, 0}}, "melee", 1},
		{"not one who has no place", 1, []foe{{1.5, 10, 4}, {5, 100, 3}}, "melee", 1},
		{"nobody who has a place", 1, []foe{{1.5, 10, 4}}, "", -1},
	} {
		attack, whom := choose(t, c.share, c.foes...)
		assert.Equal(t, c.attack, attack, c.name)
		assert.Equal(t, c.whom, whom, c.name)
	}
}
