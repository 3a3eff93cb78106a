package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

func call(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = command(context.Background(), args, &o, &e, false)
	return status, o.String(), e.String()
}

func TestListNamesEveryScenario(t *testing.T) {
	status, out, errs := call(t, "list")
	assert.Zero(t, status)
	assert.Empty(t, errs)
	for _, s := range scenario.All() {
		assert.Contains(t, out, s.Name)
		assert.Contains(t, out, s.Summary)
	}
}

func TestRunPrintsOneJSONObject(t *testing.T) {
	status, out, errs := call(t, "run", "-agents", "100", "guards", "-seconds", "2", "-fps", "30", "-seed", "7",
		"-workers", "2", "-lod=off", "-json")
	require.Zero(t, status, errs)
	assert.Empty(t, errs)
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &fields))
	for _, name := range []string{
		"scenario", "agents", "seed", "fps", "sim_seconds", "frames", "workers", "lod", "kernel", "interrupted",
		"rss_peak_bytes", "tiers", "frame_ns",
		"stage_ns_per_frame", "decisions", "wakeups", "decisions_per_frame", "ns_per_decision", "allocs_per_frame",
		"transitions", "actions",
		"events", "overdue_max_ms", "nonfinite_facts", "world_hash",
	} {
		assert.Contains(t, fields, name)
	}
	assert.Equal(t, "guards", fields["scenario"])
	assert.EqualValues(t, 100, fields["agents"])
	assert.EqualValues(t, 7, fields["seed"])
	assert.EqualValues(t, 60, fields["frames"])
	assert.EqualValues(t, 2, fields["sim_seconds"])
	assert.Equal(t, false, fields["lod"])
	assert.InDelta(t, 100*60, fields["decisions"], 100*60*0.03,
		"without LOD everyone who is alive decides in every frame")
	assert.Regexp(t, "^[0-9a-f]{16}$", fields["world_hash"])
	assert.ElementsMatch(t, []string{"p50", "p99", "max"}, keys(fields["frame_ns"]))
	assert.ElementsMatch(t, []string{"lod", "perception", "ai", "actions", "commands"},
		keys(fields["stage_ns_per_frame"]))
	assert.ElementsMatch(t, []string{"mean", "max", "flatness"}, keys(fields["decisions_per_frame"]))
	assert.ElementsMatch(t, []string{"sighting", "noise", "chase", "strike", "death", "search", "return", "respawn"},
		keys(fields["events"]))
}

func keys(object any) (list []string) {
	for k := range object.(map[string]any) {
		list = append(list, k)
	}
	return list
}

func TestRunWithoutJSONPrintsAReportToRead(t *testing.T) {
	status, out, _ := call(t, "run", "guards", "-agents", "60", "-seconds", "1")
	require.Zero(t, status)
	for _, part := range []string{"guards: 60 agents for 1 s, 60 frames", "What happened", "Herd cost per frame", "p50",
		"decisions per simulated second", "LOD tiers", "world hash"} {
		assert.Contains(t, out, part)
	}
}

func TestWrongLinesSayWhatWouldBeRight(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.map")
	require.NoError(t, os.WriteFile(broken, []byte("type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n"), 0o600))
	for _, c := range []struct {
		args      []string
		status    int
		expecting string
	}{
		{[]string{"fly"}, 2, `unknown command "fly"`},
		{[]string{"list", "all"}, 2, `list takes no arguments, got "all"`},
		{[]string{"run"}, 2, "run needs a scenario; known are: guards"},
		{[]string{"run", "orcs"}, 2, `unknown scenario "orcs"; known are: guards`},
		{[]string{"run", "guards", "orcs"}, 2, `run takes one scenario, got "guards" and "orcs"`},
		{[]string{"run", "guards", "-agents", "0"}, 2, "0 agents; use 1 to"},
		{[]string{"run", "guards", "-agents", "-5"}, 2, "-5 agents; use 1 to"},
		{[]string{"run", "guards", "-agents", "1000000000"}, 2, "1000000000 agents; use 1 to"},
		{[]string{"run", "guards", "-agents", "many"}, 2, `invalid value "many" for flag -agents`},
		{[]string{"run", "guards", "-seconds", "-1"}, 2, "-1 seconds; use more than 0"},
		{[]string{"run", "guards", "-seconds", "NaN"}, 2, "NaN seconds; use more than 0"},
		{[]string{"run", "guards", "-seconds", "1e300"}, 2, "1e+300 seconds; use more than 0 and at most"},
		{[]string{"run", "guards", "-seconds", "0.001"}, 2,
			"0.001 seconds at 60 frames per second is less than a frame"},
		{[]string{"run", "guards", "-seconds", "1e8", "-fps", "1000"}, 2, "is more than"},
		{[]string{"run", "guards", "-fps", "0"}, 2, "0 frames per second; use 1 to"},
		{[]string{"run", "guards", "-fps", "100000"}, 2, "100000 frames per second; use 1 to"},
		{[]string{"run", "guards", "-explain", "-3"}, 2, "explain agent -3; agents are 1 to 2000"},
		{[]string{"run", "guards", "-explain", "2001"}, 2, "explain agent 2001; agents are 1 to 2000"},
		{[]string{"run", "guards", "-explain", "31", "-agents", "30"}, 2, "explain agent 31; agents are 1 to 30"},
		{[]string{"run", "guards", "-workers", "0"}, 2, "0 workers; use 1 to"},
		{[]string{"run", "guards", "-seed", "-1"}, 2, `invalid value "-1" for flag -seed`},
		{[]string{"run", "guards", "-lod", "maybe"}, 2, `invalid value "maybe" for flag -lod: use on or off`},
		{[]string{"run", "guards", "-map", "/no/such.map"}, 1, "/no/such.map"},
		{[]string{"run", "guards", "-map", broken}, 1, "broken.map:6"},
	} {
		status, out, errs := call(t, c.args...)
		assert.Equal(t, c.status, status, "%v", c.args)
		assert.Empty(t, out, "%v", c.args)
		assert.Contains(t, errs, c.expecting, "%v", c.args)
	}
}

func TestTheReadmesExplanationIsOfAnAgent(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	line := regexp.MustCompile("`go run ./sim/cmd/flockwork (run \\w+ -explain \\d+)`").FindSubmatch(readme)
	require.NotNil(t, line, "README.md shows -explain")
	args := append(strings.Fields(string(line[1])), "-seconds", "0.5")
	status, out, errs := call(t, args...)
	require.Zero(t, status, errs)
	assert.Contains(t, out, "agent "+args[3]+", entity ")
	assert.Contains(t, out, "UtilitySelector")

	line = regexp.MustCompile("(?s)`go run ./sim/cmd/flockwork (run [\\w -]+ -explain \\d+)` prints:\n\n```\n(.*?)```").
		FindSubmatch(readme)
	require.NotNil(t, line, "README.md shows a part of what is printed")
	status, out, errs = call(t, strings.Fields(string(line[1]))...)
	require.Zero(t, status, errs)
	assert.Contains(t, out, string(line[2]))
}

func TestHelpNamesWhatAFlagTakes(t *testing.T) {
	_, _, errs := call(t, "run", "guards", "-h")
	for _, flag := range []string{"-agents n\n", "-explain n\n", "-fps n\n", "-lod on|off\n", "-map file\n",
		"-seconds s\n", "-seed n\n", "-workers n\n"} {
		assert.Contains(t, errs, flag)
	}
}

func TestHelpIsNoError(t *testing.T) {
	status, out, _ := call(t, "help")
	assert.Zero(t, status)
	assert.Contains(t, out, "flockwork run SCENARIO")
	status, _, errs := call(t, "run", "guards", "-h")
	assert.Zero(t, status)
	assert.Contains(t, errs, "-agents")
}

func TestInterruptingARunReportsSoFar(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := sim.DefaultConfig(scenario.Siege())
	c.Agents, c.Seconds = 50, 1e6
	report, err := sim.Run(ctx, c, func(frame, frames int) { cancel() })
	require.NoError(t, err)
	assert.True(t, report.Interrupted)
	assert.Positive(t, report.Frames)
	assert.Less(t, report.Frames, 60_000_000)
	assert.Positive(t, report.Decisions)
}

// fullDisk is a writer that has no room.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	for _, args := range [][]string{
		{"list"}, {"help"},
		{"run", "guards", "-agents", "10", "-seconds", "0.1"},
		{"run", "guards", "-agents", "10", "-seconds", "0.1", "-json"},
	} {
		var errs bytes.Buffer
		assert.Equal(t, 1, command(context.Background(), args, fullDisk{}, &errs, false), "%v", args)
		assert.Equal(t, "flockwork: no space left on device\n", errs.String(), "%v", args)
	}
}

func TestInterruptingTheSetUpEndsTheCommandAtOnce(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	c := sim.DefaultConfig(sim.Scenario{Name: "slow"})
	begun, blocked := make(chan bool), make(chan bool)
	c.Scenario.SetUp = func(*sim.Simulation) error {
		close(begun)
		<-blocked // as the set-up of a million agents
		return nil
	}
	go func() { <-begun; interrupt() }()
	var out, errs bytes.Buffer
	assert.Equal(t, 1, run(ctx, c, false, &out, &errs, false))
	assert.Empty(t, out.String())
	assert.Equal(t, "flockwork: sim: interrupted during the set-up: context canceled\n", errs.String())
	close(blocked)
}
