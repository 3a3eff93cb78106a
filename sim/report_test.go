package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	assert.Regexp(t, `^  respawn +1\n  alarm +2\n  flood +3$`, lines(Counts{"flood": 3, "respawn": 1, "alarm": 2}),
		"those of a scenario follow by name")
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
		s.SetOutcome()
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
