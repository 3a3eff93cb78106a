package villagers

import (
	"math"

	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/curves"
	"github.com/flockwork-ai/flockwork/components"
)

// handwritten is the villager's choice as a Go programmer would write it by hand for an arche world: one pass of a
// query, with the formulas written out. It knows this evaluator only: it multiplies by constants, clamps a fact once,
// does not clamp a value that is always within 0..1, and requires finite facts.
type handwritten struct {
	crowd     *crowd
	villagers *generic.Filter2[facts, components.Choice]
}

func newHandContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed)
	h := &handwritten{crowd: c, villagers: generic.NewFilter2[facts, components.Choice]()}
	h.villagers.Register(c.world)
	return &contestant{name: byHand, crowd: c, tick: h.tick}
}

// tick chooses for all villagers.
func (h *handwritten) tick() {
	now := h.crowd.now()
	query := h.villagers.Query(h.crowd.world)
	for query.Next() {
		needs, choice := query.Get()
		setChoice(choice, bestAction(needs, int(choice.Action)-1), now)
	}
}

// bestAction returns the action with the best score above 0, or -1.
func bestAction(n *facts, current int) int {
	hunger := 1 / (1 + float32(math.Exp(float64(-hungerSteepness*(curves.Clamp(n.Hunger)-hungerMiddle)))))
	fatigue := curves.Clamp(n.Fatigue)
	best, bestScore := -1, float32(0)
	if s := addInertia(1.2*compensate2(hunger*curves.Clamp(n.Food)), current == eat); s > bestScore {
		best, bestScore = eat, s
	}
	if s := addInertia(compensate2(fatigue*fatigue*smoothstep(n.Night)), current == sleep); s > bestScore {
		best, bestScore = sleep, s
	}
	s := addInertia(0.8*compensate2(curves.Clamp(n.Loneliness)*smoothstep(n.Friends)), current == socialise)
	if s > bestScore {
		best, bestScore = socialise, s
	}
	if s := addInertia(0.7*compensate2(smoothstep(n.Day)*(1-fatigue)), current == work); s > bestScore {
		best = work
	}
	return best
}

// addInertia adds the inertia to the score of the current action, if it is above 0.
func addInertia(score float32, current bool) float32 {
	if current && score > 0 {
		score += inertia
	}
	return score
}

// compensate2 compensates the product of two considerations; see villager.go.
func compensate2(p float32) float32 { return p + (1-p)*0.5*p }

func smoothstep(t float32) float32 {
	t = curves.Clamp(t)
	return t * t * (3 - 2*t)
}
