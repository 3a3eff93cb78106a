package utility

import (
	"time"

	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// Definition describes an evaluator: the actions, and how one of them is chosen. It is a description only; [Build]
// compiles it and reports what is wrong with it. Make it with [Choose]; each method returns the definition it was
// called on.
type Definition struct {
	actions     []*Action
	combination Combination
	mode        scoring.Mode
	temperature float64
	best        int
	inertia     float64
	minimum     float64
	commitment  time.Duration
	rescore     float64
	rescores    bool
}

// Choose describes the choice between actions. The best score wins; of equal scores, the first action. An action that
// scores 0 is never chosen; if all do, there is no choice.
//
// [Definition.Softmax], [Definition.WeightedRandom] and [Definition.TopN] draw the action instead. The last of them
// that is called counts.
func Choose(actions ...*Action) *Definition { return &Definition{actions: actions} }

// Combine sets how considerations become a score; [Compensated] unless it is set.
func (d *Definition) Combine(c Combination) *Definition { d.combination = c; return d }

// Inertia adds a bonus to the score of the choice in force, if the score is above 0, so that near-ties do not flicker.
// 0 is no inertia. It is ignored if the action is drawn.
func (d *Definition) Inertia(bonus float64) *Definition { d.inertia = bonus; return d }

// Minimum is the least score, without inertia, that an action needs to be chosen; 0 is no minimum.
func (d *Definition) Minimum(score float64) *Definition { d.minimum = score; return d }

// Commit keeps a choice for a time, unless it is vetoed, scores 0 or below the minimum, loses its target, or an action
// of a higher rank can be chosen. The time is rounded down to microseconds; the limit is 35 minutes, and 0 is no
// commitment.
func (d *Definition) Commit(time time.Duration) *Definition { d.commitment = time; return d }

// Softmax draws the action, each in proportion to e^(score/temperature). Temperatures below 1e-4, 0 included, count as
// 1e-4.
func (d *Definition) Softmax(temperature float64) *Definition {
	d.mode, d.temperature = scoring.Softmax, temperature
	return d
}

// WeightedRandom draws the action, in proportion to the scores.
func (d *Definition) WeightedRandom() *Definition { d.mode = scoring.WeightedRandom; return d }

// TopN draws among the n best, in proportion to their scores. n is 1 or more.
func (d *Definition) TopN(n int) *Definition { d.mode, d.best = scoring.TopN, n; return d }

// RescoreBeyond keeps a running choice without scoring until a fact that a consideration reads has changed by more than
// an amount since the last scoring, a target was added or removed, or a commitment ran out. 0 is any change.
//
// The amount is in the unit of each fact, so it is useful only for facts of a similar range. The facts of the last
// scoring are stored in the agent's state: one word for each, two for each target.
func (d *Definition) RescoreBeyond(amount float64) *Definition {
	d.rescore, d.rescores = amount, true
	return d
}
