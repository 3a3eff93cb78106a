package scoring_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
)

func TestSoftmaxOfScoresOfAMillionDoesNotOverflow(t *testing.T) {
	l := newSolo(t, weights(1e6, 1e6-1, 0).Softmax(1))
	e := math.Exp(-1)
	assert.InDeltaSlice(t, []float64{1 / (1 + e), e / (1 + e), 0}, l.probabilities(), 1e-6)
	require.NotZero(t, l.tick().Action)

	// Nor do those at the end of what there is, with the least temperature.
	l = newSolo(t, weights(1, math.MaxFloat32, math.MaxFloat32).Softmax(0))
	assert.Equal(t, []float64{0, 0.5, 0.5}, l.probabilities())
	for seed := range uint64(50) {
		l.block.Seed = seed
		require.NotEqual(t, uint16(1), l.tick().Action)
	}
}

// The sum of these is no float32: a draw from it would fall to the last of them always.
func TestWeightedRandomOfScoresWhoseSumIsNoFloat32IsFair(t *testing.T) {
	l := newSolo(t, weights(3e38, 3e38, 3e38).WeightedRandom())
	assert.InDeltaSlice(t, []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}, l.probabilities(), 1e-6)
	counts := [3]int{}
	for range 3000 {
		counts[l.tick().Action-1]++
	}
	for _, n := range counts {
		assert.InDelta(t, 1000, n, 150) // a deviation is 26
	}
}

func TestTemperaturesBelowTheLeastCountAsTheLeast(t *testing.T) {
	want := newSolo(t, weights(1, 0.9999).Softmax(1e-4)).probabilities()
	assert.InDelta(t, 1/(1+math.Exp(-1)), want[0], 1e-3)
	assert.Equal(t, want, newSolo(t, weights(1, 0.9999).Softmax(0)).probabilities())
	assert.Equal(t, want, newSolo(t, weights(1, 0.9999).Softmax(1e-9)).probabilities())
}

// The frequencies of draws are the probabilities that the explanation gives.
func TestDrawsFallByTheirProbabilities(t *testing.T) {
	for name, d := range map[string]*utility.Definition{
		"softmax":         weights(0.3, 0, 0.5, 1).Softmax(0.4),
		"weighted random": weights(0.3, 0, 0.5, 1).WeightedRandom(),
		"top n":           weights(0.3, 0.5, 0.5, 1).TopN(2),
	} {
		l := newSolo(t, d)
		p := l.probabilities()
		const draws = 20000
		counts := make([]float64, 4)
		for range draws {
			counts[l.tick().Action-1] += 1.0 / draws
		}
		assert.InDeltaSlice(t, p, counts, 0.015, name) // four deviations of a share of a half
	}
	assert.Equal(t, []float64{0, float64(float32(1. / 3)), 0, float64(float32(2. / 3))},
		newSolo(t, weights(0.3, 0.5, 0.5, 1).TopN(2)).probabilities())
}

// Draws differ by agent, clock, seed and evaluator, and by nothing else.
func TestDrawsAreOfTheSeedTheAgentTheClockAndTheEvaluator(t *testing.T) {
	d := weights(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1).WeightedRandom()
	draw := func(name string, seed uint64, agent components.Entity, now components.Timestamp) (chosen [64]uint16) {
		e, err := utility.Build(name, d)
		require.NoError(t, err)
		s := new(scoring.Scorer)
		b := &scoring.Block{Mask: ^uint64(0), Seed: seed, Now: now}
		var choices [64]components.Choice
		for i := range 64 {
			agent.Index++
			b.Entities[i], b.Choices[i] = agent, &choices[i]
		}
		s.Tick(e.Compiled(), b)
		for i := range chosen {
			chosen[i] = choices[i].Action
		}
		return chosen
	}
	base := draw("a", 1, components.Entity{}, 1e9)
	assert.Equal(t, base, draw("a", 1, components.Entity{}, 1e9))
	for what, other := range map[string][64]uint16{
		"seed": draw("a", 2, components.Entity{}, 1e9), "evaluator": draw("b", 1, components.Entity{}, 1e9),
		"clock": draw("a", 1, components.Entity{}, 2e9), "index": draw("a", 1, components.Entity{Index: 64}, 1e9),
		"generation": draw("a", 1, components.Entity{Generation: 1}, 1e9),
	} {
		same := 0
		for i := range base {
			if base[i] == other[i] {
				same++
			}
		}
		assert.Less(t, same, 20, what) // four of 64 by chance
	}
}

// What no weight can reach any more is not scored, and a tie is still the first's.
func TestAnActionThatCannotWinIsNotScored(t *testing.T) {
	light := utility.NewAction("light", linear(1)...)
	heavy := utility.NewAction("heavy", linear(2)[1:]...).Weight(2)
	for _, c := range []struct {
		inertia, light, heavy float64
		evaluated             int
		want                  string
	}{
		{0, 1, 0.75, 1, "heavy"}, // 1.5 against at most 1
		{0, 1, 0.25, 2, "light"},
		{0, 1, 0.5, 2, "light"}, // a tie: the first wins
		{0.5, 1, 0.75, 2, "heavy"},
		{0.25, 1, 0.75, 1, "heavy"},
	} {
		l := newSolo(t, utility.Choose(light, heavy).Inertia(c.inertia)).see(c.light, c.heavy)
		assert.Equal(t, c.want, l.e.Actions()[l.tick().Action-1], "%+v", c)
		assert.Equal(t, c.evaluated, l.s.Evaluated(), "%+v", c)
	}
	// Of those in force the bonus counts, so that they are scored as long as it may matter.
	l := newSolo(t, utility.Choose(light, heavy).Inertia(0.5)).see(1, 0.25)
	require.EqualValues(t, 1, l.tick().Action)
	require.EqualValues(t, 1, l.see(1, 0.75).tick().Action, "1 and a half, the same as the other, and first")
	require.EqualValues(t, 2, l.see(1, 0.8125).tick().Action)
}

// A veto, a higher rank and a commitment each skip the rest.
func TestWhatNoLongerMattersIsNotEvaluated(t *testing.T) {
	k := linear(3)
	gate := utility.Consider(slotFact(2), utility.Linear()).Gate()
	l := newSolo(t, utility.Choose(utility.NewAction("a", k[0], k[1], gate)))
	l.see(1, 1, 0).tick()
	assert.Equal(t, 1, l.s.Evaluated(), "the gate, though it stands last")
	l = newSolo(t, utility.Choose(utility.NewAction("a", k[0]), utility.NewAction("b", k[1]).Rank(1)))
	l.see(1, 0.5, 0).tick()
	assert.Equal(t, 1, l.s.Evaluated())
	l = newSolo(t, utility.Choose(utility.NewAction("a", k[0]), utility.NewAction("b", k[1])).Commit(time.Minute))
	l.see(1, 0.5, 0).tick()
	assert.Equal(t, 2, l.s.Evaluated())
	l.see(0.1, 1, 0).tick()
	assert.Equal(t, 1, l.s.Evaluated())
	assert.EqualValues(t, 1, l.choice.Action)
}

// NaN and the infinities read as the fact's default, and through a custom input they count as 0.
func TestNumbersThatAreNotFiniteDoNotReachADecision(t *testing.T) {
	f := blackboard.FloatFact("f", func(s *self) *float32 { return &s.Floats[0] }, 0.25)
	asIs := utility.NewInput("as is", func(c *blackboard.Context, out *[64]float32) { *out = *c.User.(*[64]float32) })
	e, err := utility.Build("e", utility.Choose(utility.NewAction("fact", utility.Consider(f, utility.Linear())),
		utility.NewAction("input", utility.ConsiderInput(asIs, utility.Linear().Inverted()))))
	require.NoError(t, err)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		lanes := blackboard.NewLanes(e.Facts())
		lanes.SetFloat(f, 5, float32(bad))
		var choice components.Choice
		b := &scoring.Block{Mask: 1 << 5, Facts: lanes, User: &[64]float32{5: float32(bad)}}
		b.Choices[5] = &choice
		x := new(scoring.Scorer).Explain(e.Compiled(), b, 5)
		assert.Equal(t, []float32{0.25, 1}, []float32{x.Options[0].Score, x.Options[1].Score})
	}
}

func TestABlockWithoutAgentsIsNoWork(t *testing.T) {
	l := newSolo(t, weights(1))
	l.block.Mask = 0
	require.Zero(t, l.tick())
	require.Zero(t, l.s.Scored)
}

// What an input leaves unfilled is 0, whatever was there for another block.
func TestAnInputThatFillsNothingIsZero(t *testing.T) {
	on := true
	in := utility.NewInput("in", func(c *blackboard.Context, out *[64]float32) {
		for i := range out {
			if on {
				out[i] = 1
			}
		}
	})
	e, err := utility.Build("e", one(utility.ConsiderInput(in, utility.Linear())))
	require.NoError(t, err)
	var choice components.Choice
	b := &scoring.Block{Mask: 1}
	b.Choices[0] = &choice
	s := new(scoring.Scorer)
	s.Tick(e.Compiled(), b)
	require.EqualValues(t, 1, choice.Action)
	on = false
	s.Tick(e.Compiled(), b)
	require.Zero(t, choice)
}

// An input sees the facts it declares, each kind as it is, and the block.
func TestAnInputSeesItsFactsAndTheBlock(t *testing.T) {
	facts := []blackboard.Fact{ownFacts[0], ownFacts[5], ownFacts[8], ownFacts[9], ownFacts[10]}
	called := 0
	in := utility.NewInput("in", func(c *blackboard.Context, out *[64]float32) {
		called++
		assert.EqualValues(t, 1<<3, c.Mask)
		assert.Equal(t, components.Entity{Index: 8}, c.Entities[3])
		assert.EqualValues(t, 10e9, c.Now)
		assert.Equal(t, 2, c.Worker)
		assert.Equal(t, "user", c.User)
		assert.EqualValues(t, 0.5, c.Float(0)[3])
		assert.EqualValues(t, 7, c.Int(1)[3])
		assert.EqualValues(t, 1<<3, c.Bool(2))
		assert.EqualValues(t, 4e9, c.Age(3)[3])
		assert.Equal(t, components.Entity{Index: 9}, c.Entity(4)[3])
		assert.PanicsWithValue(t, `utility: input "in" reads fact 5 of 5 that Reads declares`, func() { c.Float(5) })
		assert.PanicsWithValue(t, `utility: fact "int 0" of kind integer read as float32`, func() { c.Float(1) })
		out[3] = 1
	}).Reads(facts...)
	e, err := utility.Build("e", one(utility.ConsiderInput(in, utility.Linear())))
	require.NoError(t, err)
	lanes := blackboard.NewLanes(e.Facts())
	lanes.SetFloat(facts[0], 3, 0.5)
	lanes.SetInt(facts[1], 3, 7)
	lanes.SetBool(facts[2], 3, true)
	lanes.SetTime(facts[3], 3, 6e9)
	lanes.SetEntity(facts[4], 3, components.Entity{Index: 9})
	var choice components.Choice
	b := &scoring.Block{Mask: 1 << 3, Facts: lanes, Now: 10e9, Worker: 2, User: "user"}
	b.Choices[3], b.Entities[3] = &choice, components.Entity{Index: 8}
	new(scoring.Scorer).Tick(e.Compiled(), b)
	assert.Equal(t, 1, called)
	assert.EqualValues(t, 1, choice.Action)
}

func TestTickNamesWhatABlockLacks(t *testing.T) {
	fact := ownFacts[0]
	e, err := utility.Build("e", one(utility.Consider(fact, utility.Linear())))
	require.NoError(t, err)
	tick := func(b scoring.Block) func() { return func() { new(scoring.Scorer).Tick(e.Compiled(), &b) } }
	lanes := blackboard.NewLanes(e.Facts())
	assert.PanicsWithValue(t, `utility: evaluator "e" reads facts, and the block has no Facts`,
		tick(scoring.Block{Mask: 1, Column: make([]components.Choice, 1)}))
	assert.PanicsWithValue(t, "utility: lane 2 of a block decides, and its Column has 2 choices",
		tick(scoring.Block{Mask: 5, Facts: lanes, Column: make([]components.Choice, 2)}))
	assert.PanicsWithValue(t, "utility: lane 3 of a block decides, and has no choice in Choices or Column",
		tick(scoring.Block{Mask: 1 << 3, Facts: lanes}))
}

// A score equal to the minimum is enough, one just below is not: to be chosen, to be drawn, and to keep a
// choice to which the agent is committed. Without a minimum a score must be above 0. The same by all kernels.
func TestAScoreEqualToTheMinimumIsEnough(t *testing.T) {
	const at = 0.5
	const below = at - 1.0/(1<<22)
	k := linear(3)
	two := func(i int) []*utility.Consideration { return []*utility.Consideration{k[i], k[2]} }
	shapes := []struct {
		name    string
		of      func(first int) []*utility.Consideration
		combine utility.Combination
		minimum float64 // what 0.5 scores
	}{
		{"one", func(i int) []*utility.Consideration { return k[i : i+1] }, utility.Compensated, 0.5},
		{"two compensated", two, utility.Compensated, 0.625}, // 0.5 + 0.5·(1-1/2)·0.5
		{"product of two", two, utility.Product, 0.5},
	}
	modes := map[string]func(*utility.Definition) *utility.Definition{
		"best":    func(d *utility.Definition) *utility.Definition { return d },
		"softmax": func(d *utility.Definition) *utility.Definition { return d.Softmax(1e-3) },
		"random":  func(d *utility.Definition) *utility.Definition { return d.WeightedRandom() },
		"top":     func(d *utility.Definition) *utility.Definition { return d.TopN(1) },
	}
	for _, kernel := range cpu.Available() {
		cpu.Force(t, kernel)
		for _, shape := range shapes {
			for mode, with := range modes {
				name := fmt.Sprint(kernel, " ", shape.name, " ", mode)
				define := func(minimum float64, names ...string) *soloAgent {
					var actions []*utility.Action
					for i, n := range names {
						actions = append(actions, utility.NewAction(n, shape.of(i)...))
					}
					d := utility.Choose(actions...).Combine(shape.combine).Minimum(minimum).Commit(time.Minute)
					return newSolo(t, with(d))
				}
				l := define(shape.minimum, "a")
				assert.EqualValues(t, 0, l.see(below, 0, 1).tick().Action, "%s: below the minimum", name)
				assert.EqualValues(t, 1, l.see(at, 0, 1).tick().Action, "%s: at the minimum", name)

				l = define(shape.minimum, "a", "b")
				require.EqualValues(t, 1, l.see(1, 0, 1).tick().Action, name)
				assert.EqualValues(t, 1, l.see(at, 1, 1).tick().Action, "%s: committed at the minimum", name)
				assert.EqualValues(t, 2, l.see(below, 1, 1).tick().Action, "%s: committed below it", name)

				l = define(0, "a", "b")
				require.EqualValues(t, 1, l.see(1, 0, 1).tick().Action, name)
				assert.EqualValues(t, 1, l.see(1e-30, 1, 1).tick().Action, "%s: committed just above 0", name)
				assert.EqualValues(t, 2, l.see(0, 1, 1).tick().Action, "%s: committed at 0", name)
				assert.EqualValues(t, 0, l.see(0, 0, 1).tick().Action, "%s: all at 0", name)
			}
		}
	}
}
