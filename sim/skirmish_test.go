package sim

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/utility"
)

// skirmish is the configuration of a skirmish.
func skirmish(agents int, seconds float64) Config {
	c := DefaultConfig()
	c.Scenario, c.Agents, c.Seconds = "skirmish", agents, seconds
	return c
}

func TestASkirmishHasAWinnerAndKeepsItsRules(t *testing.T) {
	c := skirmish(1000, 60)
	if testing.Short() {
		c = skirmish(300, 25)
	}
	r, err := Run(context.Background(), c, nil)
	require.NoError(t, err)
	s := r.Skirmish
	west, east := s.Sides[0], s.Sides[1]
	assert.Equal(t, []SkirmishSide{{"west", c.Agents / 2, west.Alive}, {"east", c.Agents / 2, east.Alive}}, s.Sides)
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

	assert.Equal(t, SoldierAttackers, s.MaxAttackers)
	assert.Equal(t, s.MaxAttackers, s.MostAttackers, "the bound is reached and not passed")
	assert.Positive(t, s.Refused)
	assert.Zero(t, r.Nonfinite)

	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	for _, part := range []string{"How it went", s.Ahead, "at most 4 attackers of one target, of 4 allowed"} {
		assert.Contains(t, text.String(), part)
	}
}

func TestASideHasWonWhenTheOtherHasLostHalf(t *testing.T) {
	for _, c := range []struct {
		west, east    int // alive, of 10 and 11
		ahead, winner string
	}{
		{10, 11, "east", "none"},
		{10, 10, "none", "none"},
		{10, 6, "west", "none"},
		{10, 5, "west", "west"},
		{5, 6, "east", "east"},
		{5, 4, "west", "west"},
		{0, 1, "east", "east"},
		{0, 0, "none", "none"},
	} {
		s := Skirmish{Sides: []SkirmishSide{{"west", 10, c.west}, {"east", 11, c.east}}}
		s.Ahead, s.Winner = standing(s.Sides[0], s.Sides[1])
		assert.Equal(t, c.ahead, s.Ahead, "%+v", c)
		assert.Equal(t, c.winner, s.Winner, "%+v", c)
		var text strings.Builder
		s.write(&printer{w: &text})
		if c.winner == "none" {
			assert.Regexp(t, `ahead +`+c.ahead+`, and not decided`, text.String())
			assert.NotContains(t, text.String(), "winner")
		} else {
			assert.Regexp(t, `winner +`+c.winner, text.String())
		}
	}
}

func TestAReportShowsTheEventsThatHappened(t *testing.T) {
	lines := func(events Counts) string {
		var text strings.Builder
		require.NoError(t, (&Report{Events: events}).WriteText(&text))
		_, rest, _ := strings.Cut(text.String(), "What happened\n")
		list, _, _ := strings.Cut(rest, "\n\n")
		return list
	}
	assert.Equal(t, "  nothing of note", lines(Counts{"strike": 0}))
	assert.Regexp(t, `^  strike +1,200\n  death +3$`, lines(Counts{"death": 3, "respawn": 0, "strike": 1200}))
}

func TestASkirmishIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int) (string, Skirmish) {
		c := skirmish(400, 25)
		if testing.Short() {
			c = skirmish(200, 25)
		}
		c.Workers = workers
		r, err := Run(context.Background(), c, nil)
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
	s, err := NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	for range c.FPS { // long before the sides meet
		s.Step()
	}
	for range 5 {
		allocs.None(t, 300, s.Step)
	}
	assert.Positive(t, s.Combat.Counts().Hits)
	assert.Positive(t, s.Events.Count(systems.Death))
}

func TestNoSoldierIsEverAttackedByMoreThanTheBound(t *testing.T) {
	c := skirmish(300, 25)
	s, err := NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	columns := ecs.NewColumns(s.World, ecs.Need[components.Attack]())
	defer columns.Release()
	claims, most := map[components.Entity]int{}, 0
	for range c.frames() {
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
			if attacked := ecs.Get[components.Attacked](s.World, target); attacked != nil {
				require.EqualValues(t, n, attacked.Count)
			}
		}
	}
	assert.Equal(t, SoldierAttackers, most)
	assert.Equal(t, most, s.Combat.Counts().MostAttackers)
}

func TestSidesBeginApart(t *testing.T) {
	s, err := NewSimulation(skirmish(1001, 1))
	require.NoError(t, err)
	defer s.Close()
	columns := ecs.NewColumns(s.World, ecs.Need[components.Transform](), ecs.Need[components.Faction]())
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
			assert.LessOrEqual(t, away, float32(s.Map.Width)*skirmishStrip)
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

// choose asks a soldier's brain and returns the attack and the place of the foe in the list, or "" and -1.
func choose(t *testing.T, share float32, foes ...foe) (string, int) {
	brain, err := utility.Build("soldier", SoldierBrain())
	require.NoError(t, err)
	facts, list := &systems.Facts, systems.Facts.Candidates
	scorer := utility.NewScorer(brain, 1)
	lanes := scorer.Facts
	lanes.SetFloat(facts.AmmoShare, 0, share)
	lanes.SetFloat(facts.Nearest, 0, foes[0].distance)
	lanes.SetInt(list.Count(), 0, int64(len(foes)))
	for i, f := range foes {
		lanes.SetEntity(list.Entity(i), 0, components.Entity{Index: uint32(i + 1)})
		lanes.SetFloat(list.Field(i, facts.CandidateDistance), 0, f.distance)
		lanes.SetInt(list.Field(i, facts.CandidateHealth), 0, f.health)
		lanes.SetInt(list.Field(i, facts.CandidateAttackers), 0, f.attackers)
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
