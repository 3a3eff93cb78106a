package scoring_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// The cases of public_cases.json are values from public engines, talks and papers; its header explains the notation.
// Each is either run, or listed below under the reason why it is not ours.
//
// A foreign formula is written in our curves, ranges, combinations and modes wherever that can be done for all its
// inputs, and then the scorer computes it. A case that can be written and still comes out otherwise, because a rule of
// ours differs, is run too: it must not match. Nor must what the sources themselves know to be a bug.

// Why a case is not ours: there is no way to write it.
const (
	lackSigmoid   = "a curve we lack: the rational sigmoid u(1-k)/(k(1-2|u|)+1)"
	lackComposite = "a curve we lack: one that is put together of curves of several shapes"
	lackNorm      = "a combination we lack: the p-norm (of p = 1 it is the weighted sum)"
	lackNested    = "a combination we lack: one within another, since it is one for each evaluator"
	lackCeiling   = "a setting we lack: a floor and a ceiling of an action's score"
	lackBand      = "a mode we lack: a draw from those within some percent of the best; TopN goes by number"
	lackGreedy    = "a mode we lack: the best, or with some probability any"
	lackDecay     = "a bonus we lack: one that fades; ours lasts, and the commitment ends at once"
	notUtility    = "not a matter of utility: LOD, perception and schedules have tests of their own"
)

var publicLacks = map[string][]string{
	lackSigmoid: {"curve.crystal.sigmoid_1", "curve.crystal.sigmoid_3", "curve.crystal.sigmoid_5",
		"curve.crystal.sigmoid_8"},
	lackComposite: {"curve.crystal.composite_hole"},
	lackNorm:      {"combine.crystal.pnorm_2", "combine.crystal.pnorm_5", "combine.bigbrain.weighted_measure"},
	lackNested:    {"combine.statetree.and_or"},
	lackCeiling:   {"combine.saddle.empty"},
	lackBand:      {"select.top_band_5pct"},
	lackGreedy:    {"select.epsilon_greedy"},
	lackDecay:     {"momentum.suss.score_cooldown"},
	notUtility: {
		"lod.mass.assign_no_prev", "lod.mass.hysteresis", "lod.mass.cap_same_bucket_150",
		"lod.mass.cap_same_bucket_1000", "lod.mass.tick_rates", "perception.ue.revisit_bound",
		"schedule.gdx.due", "schedule.gdx.lcm",
	},
}

// Why a case is not ours: a rule differs. It is run, and must not match.
const (
	ruleInfinity = "U2: positive infinity is 1"
	ruleClamp    = "U2: a curve's output is clamped to 0..1"
	ruleStep     = "U4: a range from a number to itself is a step, 1 from there on"
	ruleNearer   = "U5: what is outside a range is its nearer end and does not wrap"
	ruleWeight   = "U12: the weight comes after the clamp"
	ruleEmpty    = "U16: without considerations an action scores its weight"
	ruleDropping = "U36: what is dropped early is a matter of weights, and its score is shown all the same"
	knownBug     = "the sources say that it is a bug"
)

var publicDiffers = map[string][]string{
	ruleInfinity: {"curve.logit_endpoints.curvature"},
	ruleClamp:    {"curve.suss.step"},
	ruleStep:     {"norm.saddle.degenerate_range", "norm.curvature.one_param_zero_max"},
	ruleNearer:   {"norm.curvature.one_param_wrap"},
	ruleWeight:   {"combine.saddle.urgency_ceiling"},
	ruleEmpty:    {"combine.go.geometric_mean_empty", "combine.crystal.empty_or_zero_weight"},
	ruleDropping: {"earlyout.carloslab.minToBeat"},
	knownBug:     {"curve.bigbrain.sigmoid_port_bug", "norm.curvature.two_param_wrap_bug"},
}

type publicCase struct {
	ID, Group, Status, Formula string
	Params                     map[string]any
	Input, Expected            any
	Tol                        float64
}

// p is a parameter that is a number, or 0.
func (c *publicCase) p(name string) float64 {
	v, _ := c.Params[name].(float64)
	return v
}

// numbers are the elements of a list; "NaN" is one.
func numbers(list any) (out []float64) {
	for _, x := range list.([]any) {
		v, is := x.(float64)
		if !is {
			v = math.NaN()
		}
		out = append(out, v)
	}
	return out
}

func listOf(x []float64) any {
	out := make([]any, len(x))
	for i, v := range x {
		out[i] = v
	}
	return out
}

func publicCases(t testing.TB) []publicCase {
	t.Helper()
	data, err := os.ReadFile("../conformance/testdata/public_cases.json")
	require.NoError(t, err)
	var file struct{ Cases []publicCase }
	require.NoError(t, json.Unmarshal(data, &file))
	require.Len(t, file.Cases, 144)
	return file.Cases
}

// agrees compares what JSON can hold, numbers within a tolerance.
func agrees(want, got any, tol float64) bool {
	switch w := want.(type) {
	case float64:
		g, is := got.(float64)
		return is && math.Abs(w-g) <= tol
	case []any:
		g, is := got.([]any)
		return is && slices.EqualFunc(w, g, func(x, y any) bool { return agrees(x, y, tol) })
	case map[string]any:
		g, is := got.(map[string]any)
		return is && maps.EqualFunc(w, g, func(x, y any) bool { return agrees(x, y, tol) })
	}
	return want == got
}

// slotFact is the n-th number of an agent.
func slotFact(n int) blackboard.Fact {
	return slotOf(fmt.Sprint("x", n), n)
}

// A soloAgent is an agent that decides by itself.
type soloAgent struct {
	t      testing.TB
	e      *utility.Evaluator
	s      *scoring.Scorer
	lanes  *blackboard.Lanes
	block  scoring.Block
	choice components.Choice
}

func newSolo(t testing.TB, d *utility.Definition) *soloAgent {
	t.Helper()
	e, err := utility.Build("lone", d)
	require.NoError(t, err)
	l := &soloAgent{t: t, e: e, s: new(scoring.Scorer), lanes: blackboard.NewLanes(e.Facts())}
	l.block = scoring.Block{Mask: 1, Facts: l.lanes, Now: 1e9}
	l.block.Choices[0], l.block.Memory[0] = &l.choice, make([]uint32, e.Compiled().MemoryWords)
	return l
}

// see sets the first of the agent's numbers, as far as they are read.
func (l *soloAgent) see(x ...float64) *soloAgent {
	for i, v := range x {
		if f := slotFact(i); reads(l.e, f) {
			l.lanes.SetFloat(f, 0, float32(v))
		}
	}
	return l
}

func (l *soloAgent) tick() components.Choice {
	l.block.Now += 100e6
	l.s.Tick(l.e.Compiled(), &l.block)
	return l.choice
}

func (l *soloAgent) explain() *explain.Choice { return l.s.Explain(l.e.Compiled(), &l.block, 0) }

// score is that of the only option.
func (l *soloAgent) score() float64 {
	x := l.explain()
	require.Len(l.t, x.Options, 1)
	return float64(x.Options[0].Score)
}

func (l *soloAgent) scores() (out []float64) {
	for _, o := range l.explain().Options {
		out = append(out, float64(o.Score))
	}
	return out
}

func (l *soloAgent) probabilities() (out []float64) {
	for _, o := range l.explain().Options {
		out = append(out, float64(o.Probability))
	}
	return out
}

// only is a choice of one action.
func only(considerations ...*utility.Consideration) *utility.Definition {
	return utility.Choose(utility.NewAction("act", considerations...))
}

// weights are actions that score a number each.
func weights(scores ...float64) *utility.Definition {
	var actions []*utility.Action
	for i, w := range scores {
		actions = append(actions, utility.NewAction(fmt.Sprint(i)).Weight(w))
	}
	return utility.Choose(actions...)
}

// linear are considerations of the first numbers of an agent, as they are.
func linear(n int) (out []*utility.Consideration) {
	for i := range n {
		out = append(out, utility.Consider(slotFact(i), utility.Linear()))
	}
	return out
}

// run computes the case with the library; written is false when there is no way to write it.
func (c *publicCase) run(t testing.TB) (got any, written bool) {
	switch c.Group {
	case "curve":
		k, ok := c.curve()
		if !ok {
			return nil, false
		}
		return c.each(t, k), true
	case "normalise":
		return c.each(t, c.ranged()), true
	case "combine", "early-out":
		return c.combine(t)
	case "select":
		return c.choose(t)
	case "momentum":
		return c.momentum(t)
	case "contexts", "e2e":
		return c.targets(t), true
	case "needs":
		return c.needs(t), true
	}
	return nil, false
}

// each scores an action of one consideration for each input.
func (c *publicCase) each(t testing.TB, k *utility.Consideration) any {
	l := newSolo(t, only(k))
	var out []float64
	for _, x := range numbers(c.Input) {
		if x != x { // as a fact it would not reach the curve
			curve, _ := c.shape()
			out = append(out, float64(curve.At(float32(x))))
			continue
		}
		out = append(out, l.see(x).score())
	}
	return listOf(out)
}

// curve is the consideration that computes a curve of the cases.
func (c *publicCase) curve() (*utility.Consideration, bool) {
	k, ok := c.shape()
	if !ok {
		return nil, false
	}
	consideration := utility.Consider(slotFact(0), k)
	switch engine, name, _ := strings.Cut(strings.TrimPrefix(c.ID, "curve."), "."); {
	case engine == "crystal" && (strings.HasPrefix(name, "power") || strings.HasPrefix(name, "sigmoid")):
		consideration.Range(c.p("xA"), c.p("xB"))
	case name == "remap":
		consideration.Range(c.p("min"), c.p("max"))
	case name == "linear_out_of_range":
		consideration.Range(0, 1)
	}
	return consideration, true
}

// shape is our curve for one of the cases.
func (c *publicCase) shape() (k utility.Curve, ok bool) {
	p := c.p
	clamp := func(y float64) float64 { return min(max(y, 0), 1) }
	general := func(k utility.Curve) (utility.Curve, bool) {
		return k.Slope(p("m")).ShiftX(p("c")).ShiftY(p("b")), true
	}
	switch c.Params["type"] {
	case "linear":
		return general(utility.Linear())
	case "polynomial":
		return general(utility.Polynomial(p("k")))
	case "logit":
		return general(utility.Logit())
	case "normal": // e^(-30k(x-½)²) has the deviation 1/√(60k)
		return general(utility.Bell(0.5, 1/math.Sqrt(60*p("k"))))
	case "sine":
		return general(utility.Sine(1))
	}
	switch name := strings.TrimPrefix(c.ID, "curve."); name {
	case "riverliu.step":
		return general(utility.Step(0.5))
	case "suss.step": // ⌊2x⌋, of which our step is what is below 1
		return general(utility.Step(0.5))
	case "suss.linear":
		return general(utility.Linear())
	case "suss.quadratic_k2":
		return general(utility.Polynomial(p("k")))
	case "suss.exponential_m2": // m^(kx)+b is (m^k-1)·(e^(k·ln(m)·x)-1)/(m^k-1) + 1+b
		m := math.Pow(p("m"), p("k"))
		return utility.Exponential(p("k") * math.Log(p("m"))).Slope(m - 1).ShiftY(1 + p("b")), p("c") == 0
	case "crystal.linear_0", "crystal.linear_1", "crystal.linear_2", "crystal.linear_3":
		yA, yB := clamp(p("yA")), clamp(p("yB"))
		return utility.Linear().Slope((yB - yA) / (p("xB") - p("xA"))).ShiftX(p("xA")).ShiftY(yA), true
	case "crystal.inverted":
		slope := (p("yB") - p("yA")) / (p("xB") - p("xA"))
		return utility.Linear().Slope(slope).ShiftX(p("xA")).ShiftY(p("yA")).Inverted(), true
	case "crystal.power_1", "crystal.power_2", "crystal.power_3", "crystal.power_4", "crystal.power_5",
		"crystal.power_6":
		yA, yB := clamp(p("yA")), clamp(p("yB"))
		return utility.Polynomial(p("p")).Slope(yB - yA).ShiftY(yA), true
	case "crystal.sigmoid_6": // of a k of 0 it is a straight line
		return utility.Linear().Slope(p("yB") - p("yA")).ShiftY(p("yA")), p("k") == 0
	case "bigbrain.sigmoid_port_bug": // the nearest that we have
		return utility.LogisticExact(4, 0.5), true
	case "bevy.piecewise":
		var points []utility.Point
		for _, q := range c.Params["points"].([]any) {
			xy := numbers(q)
			points = append(points, utility.Point{X: xy[0], Y: xy[1]})
		}
		return utility.Piecewise(points...), true
	case "bevy.linear_neg_shift":
		return utility.Linear().Slope(p("m")).ShiftX(p("xs")).ShiftY(p("ys")), true
	case "poly_negative_base_fractional_exponent":
		return general(utility.Polynomial(p("k")))
	case "saddle.smoothstep":
		return utility.Smoothstep(), true
	case "saddle.inverse_smoothstep":
		return utility.Smoothstep().Inverted(), true
	case "saddle.smootherstep":
		return utility.Smootherstep(), true
	case "saddle.sine": // a quarter of a wave, without the pivot
		return utility.Sine(0.25).Slope(2).ShiftY(-0.5), true
	case "saddle.exponential_p4":
		return utility.Exponential(p("p")), true
	case "saddle.gaussian", "saddle.gaussian_offset":
		return utility.Bell(p("mean"), p("dev")), true
	case "saddle.logistic_norm_8", "saddle.nan_input":
		return utility.LogisticExact(p("s"), p("mid")), true
	case "saddle.power_2":
		return utility.Polynomial(p("p")), true
	case "saddle.bias_05_identity": // of a bias of ½ it is the identity
		return utility.Linear(), p("b") == 0.5
	case "saddle.step_05":
		return utility.Step(p("t")), true
	case "saddle.remap", "saddle.linear_out_of_range":
		return utility.Linear(), true
	case "go.parabolic": // 4x(1-x) is 1-4(x-½)²
		return utility.Quadratic().ShiftX(0.5).Slope(-4).ShiftY(1), true
	}
	return k, false
}

func (c *publicCase) ranged() *utility.Consideration {
	k := utility.Consider(slotFact(0), utility.Linear())
	switch strings.TrimPrefix(c.ID, "norm.") {
	case "curvature.two_param", "saddle.degenerate_range", "curvature.two_param_wrap_bug":
		return k.Range(c.p("min"), c.p("max"))
	case "carloslab.enemy_health_inverted":
		return k.Range(c.p("max"), 0)
	}
	return k.Range(0, c.p("max"))
}

func (c *publicCase) combine(t testing.TB) (any, bool) {
	_, name, _ := strings.Cut(c.ID, ".")
	var in []float64
	if c.Input != nil {
		in = numbers(c.Input)
	}
	plain := func(how utility.Combination, x []float64) float64 {
		return newSolo(t, only(linear(len(x))...).Combine(how)).see(x...).score()
	}
	weighted := func(w []float64) float64 {
		k := linear(len(in))
		for i := range k {
			k[i].Weight(w[i])
		}
		return newSolo(t, only(k...).Combine(utility.WeightedSum)).see(in...).score()
	}
	switch family, _, _ := strings.Cut(name, "."); family {
	case "product":
		return plain(utility.Product, in), true
	case "comp_once_at_end":
		return plain(utility.Compensated, in), true
	case "comp_per_consideration":
		return plain(utility.CompensatedEach, in), true
	case "geometric_mean":
		return plain(utility.GeometricMean, in), true
	}
	switch name {
	case "order_across_n":
		a, b := numbers(c.Params["A"]), numbers(c.Params["B"])
		return map[string]any{
			"prod_A": plain(utility.Product, a), "prod_B": plain(utility.Product,
				b), "per_B": plain(utility.CompensatedEach, b),
			"once_B": plain(utility.Compensated, b), "geo_B": plain(utility.GeometricMean, b),
		}, true
	case "carloslab.0.9pow9":
		return plain(utility.Product, in), true
	case "saddle.geo_of_equal":
		return plain(utility.GeometricMean, in), true
	case "saddle.additive", "crystal.pnorm_1":
		return weighted(numbers(c.Params["weights"])), true
	case "saddle.urgency_ceiling":
		return newSolo(t, utility.Choose(utility.NewAction("act",
			linear(1)...).Weight(c.p("urgency")))).see(in...).score(), true
	case "saddle.weight_exponent": // a weight that is an exponent is a power curve
		var out []float64
		for i, w := range numbers(c.Params["w"]) {
			k := utility.Consider(slotFact(0), utility.Polynomial(max(w, 0)))
			out = append(out, newSolo(t, only(k)).see(in[i]).score())
		}
		return listOf(out), true
	case "go.geometric_mean": // of numbers up to 4: a mean does not mind the scale
		k := linear(len(in))
		for i := range k {
			k[i].Range(0, 4)
		}
		return newSolo(t, utility.Choose(utility.NewAction("act",
			k...).Weight(4)).Combine(utility.GeometricMean)).see(in...).score(), true
	case "go.geometric_mean_empty":
		return plain(utility.GeometricMean, in), true
	case "crystal.empty_or_zero_weight":
		return plain(utility.WeightedSum, in), true
	case "bigbrain.all_or_nothing", "bigbrain.all_or_nothing_fail": // the sum is the mean, n times; the rest are gates
		k := linear(len(in))
		for i := range in {
			k = append(k, utility.Consider(slotFact(i), utility.Step(c.p("thr"))).Gate().Weight(0))
		}
		return newSolo(t, utility.Choose(utility.NewAction("act",
			k...).Weight(float64(len(in)))).Combine(utility.WeightedSum)).see(in...).score(), true
	case "bound.per", "bound.once": // what has not been evaluated yet is at best 1
		how := map[string]utility.Combination{"bound.per": utility.CompensatedEach,
			"bound.once": utility.Compensated}[name]
		best := []float64{1, 1, 1, 1}
		var out []float64
		for i, x := range in {
			best[i] = x
			out = append(out, plain(how, best))
		}
		return listOf(out), true
	case "carloslab.minToBeat":
		l := newSolo(t, utility.Choose(utility.NewAction("1", linear(1)...), utility.NewAction("2", linear(2)[1:]...)))
		x := l.see(c.p("best"), c.p("first")).explain()
		return map[string]any{"discarded": x.Options[1].Skipped, "score": float64(x.Options[1].Score)}, true
	}
	return nil, false
}

func (c *publicCase) choose(t testing.TB) (any, bool) {
	var in []float64
	if c.Input != nil {
		in = numbers(c.Input)
	}
	name := strings.TrimPrefix(c.ID, "select.")
	switch {
	case strings.HasPrefix(name, "softmax."):
		return listOf(newSolo(t, weights(in...).Softmax(c.p("T"))).probabilities()), true
	case name == "threshold_first": // each ranks before those after it
		var actions []*utility.Action
		for i, w := range in {
			actions = append(actions, utility.NewAction(fmt.Sprint(i)).Weight(w).Rank(-i))
		}
		return float64(newSolo(t, utility.Choose(actions...).Minimum(c.p("thr"))).tick().Action) - 1, true
	case name == "weighted_random_only_nonzero":
		l := newSolo(t, weights(in...).WeightedRandom())
		chosen := float64(l.tick().Action) - 1
		for seed := range uint64(500) {
			l.block.Seed = seed
			require.Equal(t, chosen, float64(l.tick().Action)-1)
		}
		return chosen, true
	case name == "weighted_40_30_15_15_empirical":
		l := newSolo(t, weights(in...).WeightedRandom())
		counts := make([]float64, len(in))
		for range int(c.p("draws")) {
			counts[l.tick().Action-1] += 1 / c.p("draws")
		}
		return listOf(counts), true
	case name == "suss.priority_groups":
		groups := c.Params["groups"].(map[string]any)
		var actions []*utility.Action
		for _, g := range slices.Sorted(maps.Keys(groups)) {
			for i, w := range numbers(groups[g]) {
				actions = append(actions, utility.NewAction(g+" "+fmt.Sprint(i)).Weight(w).Rank(-int(g[0]-'0')))
			}
		}
		l := newSolo(t, utility.Choose(actions...))
		l.tick()
		var group, index float64
		_, err := fmt.Sscan(l.e.Actions()[l.choice.Action-1], &group, &index)
		require.NoError(t, err)
		return map[string]any{"group": group, "index": index}, true
	case name == "dual_utility":
		ranks := numbers(c.Params["rank"])
		var actions []*utility.Action
		for i, w := range numbers(c.Params["weight"]) {
			actions = append(actions, utility.NewAction(fmt.Sprint(i)).Weight(w).Rank(int(ranks[i])))
		}
		return map[string]any{"probabilities": listOf(newSolo(t,
			utility.Choose(actions...).WeightedRandom()).probabilities())}, true
	}
	return nil, false
}

// momentum lets one action be in force and then the other come up.
func (c *publicCase) momentum(t testing.TB) (any, bool) {
	two := func(inertia float64) *soloAgent {
		return newSolo(t, utility.Choose(utility.NewAction("current", linear(1)...),
			utility.NewAction("rival", linear(2)[1:]...)).Inertia(inertia))
	}
	rivals := func(inertia float64) bool {
		l := two(inertia)
		require.EqualValues(t, 1, l.see(c.p("current"), 0).tick().Action)
		return l.see(c.p("current"), numbers(c.Input)[0]).tick().Action == 2
	}
	switch strings.TrimPrefix(c.ID, "momentum.") {
	case "saddle.band_hold":
		return !rivals(c.p("band")), true
	case "go.hold_065", "go.switch_09": // a score that is boosted by a factor has that much of a bonus
		if rivals(c.p("current") * (c.p("boost") - 1)) {
			return "newBehavior", true
		}
		return "currentBehavior", true
	case "band_sequence":
		l := two(c.p("delta"))
		require.EqualValues(t, 1, l.see(1, 0).tick().Action)
		var out []float64
		for _, pair := range c.Input.([]any) {
			out = append(out, float64(l.see(numbers(pair)...).tick().Action)-1)
		}
		return listOf(out), true
	}
	return nil, false
}

// targets scores an action for targets whose numbers are x0, x1 and so on.
func (c *publicCase) targets(t testing.TB) any {
	fact := func(n int) blackboard.Fact {
		return targetFact(fmt.Sprint("x", n), n)
	}
	run := func(d *utility.Definition, targets ...[]float64) *soloAgent {
		l := newSolo(t, d)
		l.lanes.SetInt(otherList.Count(), 0, int64(len(targets)))
		for k, x := range targets {
			l.lanes.SetEntity(otherList.Entity(k), 0, components.Entity{Index: uint32(k) + 1})
			for i, v := range x {
				l.lanes.SetFloat(otherList.Field(k, fact(i)), 0, float32(v))
			}
		}
		return l
	}
	switch c.ID {
	case "context.suss.empty_query":
		var actions []*utility.Action
		for i := range int(c.p("attacks")) {
			actions = append(actions, utility.NewAction(fmt.Sprint(i)).For(otherList))
		}
		l := run(utility.Choose(actions...))
		require.Zero(t, l.tick())
		return float64(len(l.explain().Options))
	case "context.bevy.targeted_trivial":
		self := numbers(c.Params["self"])
		var distances [][]float64
		for _, target := range c.Params["targets"].([]any) {
			at := numbers(target)
			distances = append(distances, []float64{math.Hypot(at[0]-self[0], at[1]-self[1])})
		}
		l := run(utility.Choose(utility.NewAction("go",
			utility.Consider(fact(0), utility.Linear().Slope(-1).ShiftY(1))).For(otherList)), distances...)
		chosen := l.tick().Target.Index - 1
		return map[string]any{"target": float64(chosen), "score": l.scores()[chosen]}
	case "context.bevy.simple_trivial":
		l := newSolo(t, weights(numbers(c.Input)...))
		chosen := l.tick().Action - 1
		return map[string]any{"index": float64(chosen), "score": l.scores()[chosen]}
	}
	// e2e.shoot_or_flee
	shoot := utility.NewAction("shoot",
		utility.Consider(fact(0), utility.Linear()).Range(100, 0),
		utility.Consider(fact(1), utility.Polynomial(4).Slope(-1).ShiftY(1)).Range(0, 50)).For(otherList)
	flee := utility.NewAction("flee", utility.Consider(slotFact(0), utility.Logistic(10, 0.5).Inverted()).Range(0, 100))
	how := map[string]utility.Combination{"product": utility.Product,
		"once": utility.Compensated}[c.Params["combine"].(string)]
	var targets [][]float64
	for _, target := range c.Params["targets"].([]any) {
		x := target.(map[string]any)
		targets = append(targets, []float64{x["hp"].(float64), x["d"].(float64)})
	}
	l := run(utility.Choose(shoot, flee).Combine(how), targets...).see(c.p("self_hp"))
	winner := l.e.Actions()[l.tick().Action-1]
	if !l.choice.Target.IsZero() {
		winner += " " + string(rune('A'+l.choice.Target.Index-1))
	}
	return map[string]any{"scores": listOf(l.scores()), "winner": winner}
}

func (c *publicCase) needs(t testing.TB) any {
	in := numbers(c.Input)
	x := slotFact(0)
	// 10/x, of an x up to 100
	tenth := utility.Consider(x, utility.Polynomial(-1).Slope(0.1)).Range(0, 100)
	each := func(weight float64, k ...*utility.Consideration) any {
		l := newSolo(t, utility.Choose(utility.NewAction("act", k...).Weight(weight)).Combine(utility.Product))
		var out []float64
		for _, v := range in {
			out = append(out, l.see(v).score())
		}
		return listOf(out)
	}
	switch strings.TrimPrefix(c.ID, "needs.") {
	case "zubek.trivial": // a sum is a mean, n times
		k := linear(len(in))
		for i := range k {
			k[i].Range(0, 100)
		}
		n := float64(len(in))
		return newSolo(t, utility.Choose(utility.NewAction("act",
			k...).Weight(100*n)).Combine(utility.WeightedSum)).see(in...).score()
	case "zubek.attenuation":
		return each(1, tenth)
	case "zubek.delta": // 10/x - 10/(x+d) is 10/x · d/(x+d)
		d := c.p("delta")
		return each(1, tenth, utility.Consider(x, utility.Polynomial(-1).Slope(d/100)).Range(-d, 100-d))
	}
	// needs.horswill: 100/x - 100/min(100,x+d) is 10 · 10/x · min(d,100-x)/d · d/min(100,x+d)
	d := c.p("inc")
	return each(10, tenth, utility.Consider(x, utility.Linear()).Range(100, 100-d),
		utility.Consider(x, utility.Polynomial(-1).Slope(d/100)).Range(-d, 100-d))
}

func TestPublicCases(t *testing.T) {
	reasons, differs := map[string]string{}, map[string]bool{}
	for _, lists := range []map[string][]string{publicLacks, publicDiffers} {
		for reason, ids := range lists {
			for _, id := range ids {
				require.NotContains(t, reasons, id, "listed twice")
				reasons[id] = reason
			}
		}
	}
	for _, ids := range publicDiffers {
		for _, id := range ids {
			differs[id] = true
		}
	}
	known := map[string]bool{}
	ran, different := 0, 0
	for _, c := range publicCases(t) {
		known[c.ID] = true
		t.Run(c.ID, func(t *testing.T) {
			got, written := c.run(t)
			reason, listed := reasons[c.ID]
			matches := written && agrees(c.Expected, got, max(c.Tol, 5e-6))
			require.Equal(t, c.Status == "known-bug-do-not-match", reason == knownBug)
			switch {
			case differs[c.ID]:
				require.True(t, written)
				require.False(t, matches, "it is listed as different and is not: %v", got)
				different++
			case listed:
				require.False(t, written, "it is listed and can be written: %v", got)
			default:
				require.True(t, written, "%s is neither run nor listed", c.Formula)
				require.True(t, matches, "%s: want %v, got %v", c.Formula, c.Expected, got)
				ran++
			}
		})
	}
	for id := range reasons {
		require.True(t, known[id], "%s is listed and is no case", id)
	}
	t.Logf("%d cases run and pass, %d run and differ by a rule, %d cannot be written", ran, different,
		len(known)-ran-different)
}
