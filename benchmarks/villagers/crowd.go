package villagers

import (
	"math"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/draws"
	"github.com/flockwork-ai/flockwork/components"
)

// crowd is the villagers of one contestant in their own world, and the events between their ticks. The events do
// not depend on choices: crowds of one size and seed go through the same events, to the bit.
type crowd struct {
	world     *arche.World
	seed      uint64
	frame     int64
	dayOffset []float32 // by villager, 0..1: the beginning of its day, so that all times of day occur in every tick

	needs   *generic.Filter1[facts]
	choices *generic.Filter1[components.Choice]
}

const (
	dayTicks           = 600 // a day takes a minute
	needRises          = 0.02
	needSatisfiedOneIn = 60  // ticks
	supplyChangesOneIn = 40  // ticks
	supplyMargin       = 0.2 // draws go this far beyond 0..1 before they are clamped, so that 0 and 1 are common
	tieMargin          = 1e-5
	tieFactor          = 0.995
	tieAttemptLimit    = 100
)

// newCrowd creates a world with villagers. more adds the components that a contestant keeps of a villager.
func newCrowd(agents int, seed uint64, more ...generic.Comp) *crowd {
	world := arche.NewWorld()
	w := &world
	v := &crowd{
		world: w, seed: seed, dayOffset: make([]float32, agents),
		needs:   generic.NewFilter1[facts](),
		choices: generic.NewFilter1[components.Choice](),
	}
	ids := []arche.ID{arche.ComponentID[facts](w), arche.ComponentID[components.Choice](w)}
	for _, t := range more {
		ids = append(ids, arche.TypeID(w, t))
	}
	arche.NewBuilder(w, ids...).NewBatch(agents)
	v.needs.Register(w)
	v.choices.Register(w)
	query := v.needs.Query(w)
	for i := 0; query.Next(); i++ {
		draw := v.draw(i)
		v.dayOffset[i] = draw.Between(0, 1)
		n := query.Get()
		*n = facts{
			Hunger: draw.Between(0, 1), Fatigue: draw.Between(0, 1), Loneliness: draw.Between(0, 1),
			Food: drawSupply(&draw), Friends: drawSupply(&draw),
		}
		v.updateFacts(i, n, &draw)
	}
	return v
}

// now returns the clock: 10 ticks a second, beginning at one second.
func (v *crowd) now() components.Timestamp {
	return components.Timestamp(1e9 + v.frame*1e8)
}

// draw returns the draws of a villager in this frame.
func (v *crowd) draw(villager int) draws.Stream {
	return draws.NewStream(v.seed, uint64(villager), uint64(v.frame))
}

// between runs the events between two ticks.
func (v *crowd) between() {
	v.frame++
	query := v.needs.Query(v.world)
	for i := 0; query.Next(); i++ {
		draw := v.draw(i)
		v.updateFacts(i, query.Get(), &draw)
	}
}

// updateFacts changes a villager's facts by the time of a tick.
func (v *crowd) updateFacts(villager int, n *facts, draw *draws.Stream) {
	for _, need := range []*float32{&n.Hunger, &n.Fatigue, &n.Loneliness} {
		*need = min(*need+draw.Between(0, needRises), 1)
		if draw.Below(needSatisfiedOneIn) == 0 {
			*need = draw.Between(0, 0.2)
		}
	}
	for _, supply := range []*float32{&n.Food, &n.Friends} {
		if draw.Below(supplyChangesOneIn) == 0 {
			*supply = drawSupply(draw)
		}
	}
	_, time := math.Modf(float64(v.dayOffset[villager]) + float64(v.frame)/dayTicks)
	sun := math.Sin(2 * math.Pi * time)
	n.Day = float32(min(max(0.5+sun, 0), 1))
	n.Night = float32(min(max(0.5-sun, 0), 1))
	avoidTies(n)
}

// drawSupply draws how much food or company there is, 0..1.
func drawSupply(s *draws.Stream) float32 {
	return min(max(s.Between(-supplyMargin, 1+supplyMargin), 0), 1)
}

// avoidTies changes facts a little as long as two scores are so close that the last bits of an exponential could decide
// between them: the contestants use different exponentials, which round differently.
func avoidTies(n *facts) {
	for range tieAttemptLimit {
		if !tied(n) {
			return
		}
		n.Hunger *= tieFactor
		n.Fatigue *= tieFactor
		n.Loneliness *= tieFactor
	}
	panic("benchmarks: the scores of a villager stay tied; move its facts farther")
}

// tied reports whether two scores are nearly equal, with the inertia added to one of them or not. A score of 0 is 0 for
// all contestants.
func tied(n *facts) bool {
	scores := exactScores(n)
	for i, a := range scores {
		for _, b := range scores[:i] {
			d := math.Abs(a - b)
			if a > 0 && b > 0 && (d < tieMargin*max(a, b) || math.Abs(d-inertia) < tieMargin) {
				return true
			}
		}
	}
	return false
}

// exactScores returns the scores of all actions, computed in float64.
func exactScores(n *facts) [actionCount]float64 {
	smoothstep := func(t float64) float64 { return t * t * (3 - 2*t) }
	hunger, fatigue := float64(n.Hunger), float64(n.Fatigue)
	products := [actionCount]float64{
		eat:       1 / (1 + math.Exp(-hungerSteepness*(hunger-hungerMiddle))) * float64(n.Food),
		sleep:     fatigue * fatigue * smoothstep(float64(n.Night)),
		socialise: float64(n.Loneliness) * smoothstep(float64(n.Friends)),
		work:      smoothstep(float64(n.Day)) * (1 - fatigue),
	}
	for i, p := range products {
		products[i] = float64(weights[i]) * (p + (1-p)*0.5*p)
	}
	return products
}
