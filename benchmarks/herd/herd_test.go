package main

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
	"github.com/flockwork-ai/flockwork/sim/scenario"
	"github.com/flockwork-ai/flockwork/systems"
)

// smallHerd measures as little as possible of everything.
func smallHerd(t *testing.T) *report.Herd {
	t.Helper()
	plan := plan{
		agents: 128, repetitions: 3, ticks: 2,
		siege: 200, settle: 6, siegeRepetitions: 3, siegeFrames: 6, windows: 3, window: 10,
		small: 100, large: 400, sizeSettle: 2, sizeFrames: 6,
		sizes: []size{{50, 6, 6}, {200, 6, 6}},
	}
	h, err := plan.run(func(agents, repetitions, ticks int) (*harness.Comparison, error) {
		return guards.CompareWithHandwritten(agents, repetitions, ticks), nil
	}, nil)
	require.NoError(t, err)
	return h
}

var ratioNames = []string{
	"tree_vs_handwritten", "tree_vs_interpreter", "tree_vs_pointer_struct", "tree_vs_pointer_dict", "tree_vs_iteration",
	"tree_plain_vs_handwritten", "utility_vs_closures", "utility_vs_scalar", "siege_vs_naive", "siege_p99_over_p50",
	"utility_vs_struct_closures", "siege_vs_naive_struct", "siege_without_lod_vs_naive_struct",
	"million_over_ten_thousand", "bytes_per_agent", "decision_lod_vs_all_due", "ai_million_over_ten_thousand",
}

func TestARatioIsTheFirstNamedDividedByTheSecond(t *testing.T) {
	h := smallHerd(t)
	require.Len(t, h.Ratios, len(ratioNames))
	median := func(c *harness.Comparison, name string) float64 {
		for _, cost := range c.Costs {
			if cost.Name == name {
				return cost.Median
			}
		}
		require.Failf(t, "no such contestant", "%q", name)
		return 0
	}
	byHand := func(c *harness.Comparison) float64 {
		return min(median(c, "handwritten"), median(c, "handwritten over columns"))
	}
	sieges := map[string]float64{}
	for _, c := range h.Siege.Costs {
		assert.LessOrEqual(t, c.Min, c.Median, c.Name)
		assert.LessOrEqual(t, c.Median, c.Max, c.Name)
		sieges[c.Name] = c.Median
	}
	tree, utility := median(h.Tree, "block executor"), median(h.Utility, "batch scorer")
	bytes := 0.0
	for _, kind := range h.Bytes {
		bytes += kind.Share * float64(kind.Mind+kind.Intent+kind.LOD+kind.Facts)
	}
	for name, want := range map[string]float64{
		"tree_vs_handwritten":               tree / byHand(h.Tree),
		"tree_vs_interpreter":               tree / median(h.Tree, "interpreter"),
		"tree_vs_pointer_struct":            tree / median(h.Tree, "pointer nodes, struct blackboard"),
		"tree_vs_pointer_dict":              tree / median(h.Tree, "pointer nodes, dictionary blackboard"),
		"tree_vs_iteration":                 tree / median(h.Tree, "iteration alone"),
		"tree_plain_vs_handwritten":         median(h.PlainTree, "block executor") / byHand(h.PlainTree),
		"utility_vs_closures":               utility / median(h.Utility, "closures, dictionary blackboard"),
		"utility_vs_struct_closures":        utility / median(h.Utility, "closures, struct blackboard"),
		"utility_vs_scalar":                 utility / median(h.Utility, "handwritten"),
		"siege_vs_naive":                    sieges["library, LOD on"] / sieges["naive, dictionary blackboards"],
		"siege_vs_naive_struct":             sieges["library, LOD on"] / sieges["naive, struct blackboards"],
		"siege_without_lod_vs_naive_struct": sieges["library, LOD off"] / sieges["naive, struct blackboards"],
		"siege_p99_over_p50":                h.Siege.Evenness,
		"million_over_ten_thousand":         h.Sizes.LargeNS / h.Sizes.SmallNS,
		"bytes_per_agent":                   bytes,
		"decision_lod_vs_all_due":           h.Decisions.LOD / h.Decisions.AllDue,
		"ai_million_over_ten_thousand":      h.Decisions.LargeDue / h.Decisions.AllDue,
	} {
		assert.Positive(t, h.Ratios[name], name)
		assert.InDelta(t, want, h.Ratios[name], 1e-9, name)
	}
	for name := range h.Limits {
		assert.Contains(t, h.Ratios, name)
	}
}

func TestTheResultAsJSONIsOneObjectWithWhatItPromises(t *testing.T) {
	h := smallHerd(t)
	var text bytes.Buffer
	require.NoError(t, harness.WriteJSON(&text, h))
	var object struct {
		Machine  map[string]any     `json:"machine"`
		Kernel   string             `json:"kernel"`
		Versions map[string]string  `json:"versions"`
		Spin     map[string]float64 `json:"spin_calibration"`
		Ratios   map[string]float64 `json:"ratios"`
	}
	decoder := json.NewDecoder(&text)
	require.NoError(t, decoder.Decode(&object))
	assert.ErrorIs(t, decoder.Decode(&object), io.EOF, "one object")
	assert.NotEmpty(t, object.Machine["goarch"])
	assert.Equal(t, h.Kernel, object.Kernel)
	assert.NotEmpty(t, object.Versions["go"])
	for _, key := range []string{"one_ms", "two_ms", "parallel_speedup", "worst_over_median"} {
		assert.Positive(t, object.Spin[key], key)
	}
	for _, name := range ratioNames {
		assert.Positive(t, object.Ratios[name], name)
	}
}

func TestEveryScenarioAndSizeHasACostByStage(t *testing.T) {
	h := smallHerd(t)
	require.Len(t, h.Costs, len(scenario.All())*2*2)
	for _, c := range h.Costs {
		assert.Positive(t, c.P50, "%+v", c)
		assert.LessOrEqual(t, c.P50, c.P99, "%+v", c)
		assert.InDelta(t, c.P50/float64(c.Agents), c.PerAgent, 1e-9)
		assert.Len(t, c.Stages, len(systems.Stages()))
		assert.Positive(t, c.Decisions, "%+v", c)
		assert.Positive(t, c.HeapBytes, "%+v", c)
		if !c.LOD {
			assert.InDelta(t, c.Agents, c.Decisions, float64(c.Agents)/20, "without LOD all decide: %+v", c)
		}
	}
}

func TestTheTextNamesEveryRatioAndWhatIsBeyondItsLimit(t *testing.T) {
	h := smallHerd(t)
	h.Ratios["siege_vs_naive"], h.Ratios["utility_vs_scalar"] = 0.5, 0.125
	var text bytes.Buffer
	require.NoError(t, h.WriteText(&text))
	for _, name := range ratioNames {
		assert.Contains(t, text.String(), name)
	}
	assert.Regexp(t, `siege_vs_naive +0\.500   MISSES the goal of at most 0\.1\n`, text.String())
	assert.Regexp(t, `utility_vs_scalar +0\.125   meets the goal of at most 0\.15\n`, text.String())
}

func TestWrongFlagsAreNamed(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"quick", `unknown argument "quick"`},
		{"-tree=1,2", "three positive numbers"},
		{"-tree=0,1,1", "three positive numbers"},
	} {
		assert.ErrorContains(t, run([]string{c.args}, io.Discard, io.Discard), c.want)
	}
}

func TestTheTreeAloneIsComparedWithTheHandWrittenLoop(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, run([]string{"-tree=64,2,2"}, &text, io.Discard))
	var c harness.Comparison
	require.NoError(t, json.Unmarshal(text.Bytes(), &c))
	assert.Len(t, c.Costs, 3)
	assert.Positive(t, c.Ratios["tree_vs_handwritten"])
}
