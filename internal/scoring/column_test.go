package scoring_test

import (
	"fmt"
	"math/bits"
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
)

// evaluators are of all the kinds that Tick treats differently.
func evaluators(t *testing.T) map[string]*utility.Evaluator {
	inputs := make([]*utility.Input, 5)
	for i := range inputs {
		inputs[i] = utility.NewInput(fmt.Sprint(i), func(c *blackboard.Context, out *[64]float32) {
			for m := c.Mask; m != 0; m &= m - 1 {
				k := bits.TrailingZeros64(m)
				hash := random.Mix(random.Mix(uint64(c.Now), uint64(c.Entities[k].Index)), uint64(i))
				out[k] = float32(1.5*random.Unit(hash)) - 0.25
			}
		})
	}
	define := func() *utility.Definition {
		return utility.Choose(
			utility.NewAction("a", utility.ConsiderInput(inputs[0], utility.Logistic(10, 0.5)),
				utility.ConsiderInput(inputs[1], utility.Linear())).Weight(1.2),
			utility.NewAction("b", utility.ConsiderInput(inputs[2], utility.Quadratic()),
				utility.ConsiderInput(inputs[1], utility.Smoothstep()),
				utility.ConsiderInput(inputs[0], utility.Bell(0.5, 0.2))),
			utility.NewAction("c", utility.ConsiderInput(inputs[3], utility.Step(0.9)).Gate(),
				utility.ConsiderInput(inputs[4], utility.Linear().Inverted())).Rank(1),
			utility.NewAction("d", utility.ConsiderInput(inputs[4], utility.Linear())).Weight(0.3),
		).Inertia(0.05)
	}
	all := map[string]*utility.Evaluator{}
	for name, d := range map[string]*utility.Definition{
		"plain": define(), "committed": define().Commit(1500 * time.Millisecond), "minimum": define().Minimum(0.6),
		"softmax":      define().Softmax(0.2),
		"weighted sum": define().Combine(utility.WeightedSum), "least": define().Combine(utility.Min),
		"mean": define().Combine(utility.GeometricMean),
	} {
		e, err := utility.Build(name, d)
		require.NoError(t, err)
		all[name] = e
	}
	return all
}

func TestAColumnAndSingleChoicesAreDecidedTheSameByAllKernels(t *testing.T) {
	for name, e := range evaluators(t) {
		for _, mask := range []uint64{^uint64(0), 1<<17 - 1, 1, 0xf0f0_1234_5678_9abc} {
			var want []components.Choice
			for _, k := range cpu.Available() {
				for _, column := range []bool{false, true} {
					cpu.Force(t, k)
					got := decideFor(e, mask, column)
					if want == nil {
						want = got
						continue
					}
					require.Equal(t, want, got, "%s, mask %#x, %s, a column %v", name, mask, k, column)
				}
			}
		}
	}
}

// decideFor lets agents decide for a while and returns all their choices. To begin with they hold whatever.
func decideFor(e *utility.Evaluator, mask uint64, column bool) (all []components.Choice) {
	r := rand.New(rand.NewSource(3))
	rows := make([]components.Choice, 64)
	for i := range rows {
		rows[i] = scoring.DrawChoice(r, len(e.Actions()))
		rows[i].Since = 0
		if i%9 == 0 {
			rows[i].Target = components.Entity{Index: 7, Generation: 1}
		}
	}
	b := &scoring.Block{Mask: mask, Seed: 5}
	for i := range rows {
		b.Entities[i] = components.Entity{Index: uint32(i + 1)}
		b.Choices[i] = &rows[i]
	}
	if column {
		b.Column, b.Choices = rows, [64]*components.Choice{}
	}
	s := new(scoring.Scorer)
	for tick := range 12 {
		b.Now = components.Timestamp(1e9 + int64(tick)*4e8)
		s.Tick(e.Compiled(), b)
		all = append(all, rows...)
	}
	return all
}
