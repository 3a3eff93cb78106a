// Package scoringref is a plain reference of scoring by utility: it decides for one agent at a time, with one number at
// a time. Tests compare the engine of package scoring with it; nothing else uses it.
package scoringref

import (
	"math"

	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Curve is a response curve as it is described.
type Curve struct {
	Type                  string
	Slope, XShift, YShift float32
	Exponent              float32
	Steepness, Mid        float32
	Mean, Deviation       float32
	Frequency             float32
	Threshold             float32
	Points                [][2]float32
	Inverted              bool
}

// Consideration is a consideration of input Input of the agent or, OfTarget, of the target.
type Consideration struct {
	Input    int
	OfTarget bool
	Ranged   bool
	A, B     float32
	Curve    Curve
	Gate     bool
	Weight   float32
}

// Action is an action.
type Action struct {
	Weight         float32
	Rank           int
	Targeted       bool
	List           int // of a targeted action: 0 for the agent's Targets, i for More[i-1]
	Considerations []Consideration
}

// Evaluator is a choice between actions.
type Evaluator struct {
	Combination string
	Mode        string // argmax, softmax, weighted_random, top_n
	Temperature float32
	N           int
	Inertia     float32
	Minimum     float32
	Commitment  float64 // seconds
	Actions     []Action
}

// Target is a target with its inputs.
type Target struct {
	ID     uint64
	Inputs []float32
}

// Agent is what an agent knows when it decides.
type Agent struct {
	Inputs  []float32 // finite
	Targets []Target
	More    [][]Target // further lists
	Draw    uint64
	Out     func(action int, target uint64) bool // what cannot be chosen, as if it were vetoed; nil: nothing
}

func (a *Agent) list(i int) []Target {
	if i == 0 {
		return a.Targets
	}
	return a.More[i-1]
}

// Pair is an action and a target.
type Pair struct {
	Action int
	Target uint64 // 0: none
	Score  float32
	Vetoed bool
}

// Choice is the choice in force.
type Choice struct {
	Made   bool
	Action int
	Target uint64
	Held   float64 // seconds since it was made
}

func clamp01(x float32) float32 {
	if x <= 0 {
		return 0 // of a negative zero too
	}
	if x > 1 {
		return 1
	}
	return x
}

// Normalise is the inverse of a linear interpolation from a to b.
func Normalise(x, a, b float32) float32 {
	if a == b {
		if x >= b {
			return 1
		}
		return 0
	}
	return clamp01((x - a) / (b - a))
}

// At returns the curve's value at t.
func (c *Curve) At(t float32) float32 {
	y := c.shape(t)
	if y != y {
		return 0
	}
	y = clamp01(y)
	if c.Inverted {
		y = 1 - y
	}
	return y
}

func (c *Curve) shape(t float32) float32 {
	if c.Type != "linear" && c.Type != "piecewise" {
		t = clamp01(t)
	}
	u := t - c.XShift
	pivot := float32(0)
	var f float32
	switch c.Type {
	case "linear":
		f = u
	case "polynomial":
		if c.Exponent == 2 {
			f = u * u
		} else {
			f = elementary.Pow(u, c.Exponent)
		}
	case "quadratic":
		f = u * u
	case "inverse_quadratic":
		v := 1 - u
		f = 1 - float32(v*v)
	case "exponential":
		k := c.Steepness
		switch {
		case k == 0:
			f = u
		case k >= -1.0/8 && k <= 1.0/8 && c.XShift >= -1 && c.XShift <= 1:
			f = expLess1(k*u) / expLess1(k)
		case k > 0:
			low := elementary.Exp(-k)
			f = (elementary.Exp(k*(u-1)) - low) / (1 - low)
		default:
			f = (elementary.Exp(k*u) - 1) / (elementary.Exp(k) - 1)
		}
	case "logistic":
		f = logistic(c.Steepness, c.Mid, u)
	case "logistic_exact":
		k := math.Abs(float64(c.Steepness))
		switch {
		case k == 0:
			f = u
		case k*(1+math.Abs(float64(c.Mid))+math.Abs(float64(c.XShift))) <= 1.0/8:
			at := func(u float32) float32 { return gentle(c.Steepness * (u - c.Mid)) }
			f = (at(u) - at(0)) / (at(1) - at(0))
		default:
			f = (logistic(c.Steepness, c.Mid, u) - logistic(c.Steepness, c.Mid, 0)) /
				(logistic(c.Steepness, c.Mid, 1) - logistic(c.Steepness, c.Mid, 0))
		}
	case "logit":
		u = clamp01(u)
		f, pivot = elementary.Log(u/(1-u))/5, 0.5
	case "bell":
		d := (u - c.Mean) / c.Deviation
		f = elementary.Exp(-(float32(d*d) / 2))
	case "sine":
		turns := float32(c.Frequency * u)
		turns -= float32(math.RoundToEven(float64(turns)))
		f, pivot = elementary.Sin(float32(2*math.Pi)*turns)/2, 0.5
	case "smoothstep":
		u = clamp01(u)
		f = u * u * (3 - float32(2*u))
	case "smootherstep":
		u = clamp01(u)
		f = u * u * u * (float32(u*(float32(6*u)-15)) + 10)
	case "step":
		if u != u {
			return u
		}
		if u >= c.Threshold {
			f = 1
		}
	case "piecewise":
		f = line(c.Points, u)
	default:
		panic("reference: curve " + c.Type)
	}
	return float32(c.Slope*f) + (c.YShift + pivot)
}

func logistic(k, mid, u float32) float32 { return 1 / (1 + elementary.Exp(-k*(u-mid))) }

func expLess1(z float32) float32 {
	s := float32(z*(1.0/5)) + 1
	s = float32(float32(z*(1.0/4))*s) + 1
	s = float32(float32(z*(1.0/3))*s) + 1
	s = float32(float32(z*(1.0/2))*s) + 1
	return float32(z * s)
}

func gentle(z float32) float32 {
	q := z * z
	return float32(z * (1.0/4 - float32(q*(1.0/48-float32(q*(1.0/480))))))
}

func line(points [][2]float32, u float32) float32 {
	if u != u {
		return u
	}
	if u < points[0][0] {
		return points[0][1]
	}
	last := 0
	for i, p := range points {
		if p[0] <= u {
			last = i
		}
	}
	y := points[last][1]
	if last+1 < len(points) {
		x0, x1 := points[last][0], points[last+1][0]
		y += float32((points[last+1][1] - y) * ((u - x0) / (x1 - x0)))
	}
	return y
}

// score returns the score of an action about a target, nil for none, and whether a gate vetoes it.
func (e *Evaluator) score(a *Action, agent *Agent, target *Target) (score float32, vetoed bool) {
	n := len(a.Considerations)
	if n == 0 {
		return a.Weight, false
	}
	var s, w []float32
	for i := range a.Considerations {
		c := &a.Considerations[i]
		x := float32(0)
		if c.OfTarget {
			x = target.Inputs[c.Input]
		} else {
			x = agent.Inputs[c.Input]
		}
		if c.Ranged {
			x = Normalise(x, c.A, c.B)
		}
		y := c.Curve.At(x)
		if c.Gate && y == 0 {
			vetoed = true
		}
		s, w = append(s, y), append(w, c.Weight)
	}
	if vetoed {
		return 0, true
	}
	return float32(a.Weight * clamp01(combine(e.Combination, s, w))), false
}

func combine(how string, s, w []float32) float32 {
	n := float32(len(s))
	makeUp := 1 - 1/n
	product, least, greatest, sum, weights := float32(1), s[0], s[0], float32(0), float32(0)
	each := float32(1)
	for i, x := range s {
		product *= x
		each *= x + float32(float32((1-x)*makeUp)*x)
		sum += float32(w[i] * x)
		weights += w[i]
		if x < least {
			least = x
		}
		if x > greatest {
			greatest = x
		}
	}
	switch how {
	case "compensated":
		return product + float32(float32((1-product)*makeUp)*product)
	case "compensated_each":
		return each
	case "product":
		return product
	case "weighted_sum":
		if weights == 0 {
			return 0
		}
		return sum / weights
	case "geometric_mean":
		return elementary.Pow(product, 1/n)
	case "min":
		return least
	case "max":
		return greatest
	}
	panic("reference: combination " + how)
}

// Pairs scores every action and target, with nothing left out.
func (e *Evaluator) Pairs(agent *Agent) (pairs []Pair) {
	for i := range e.Actions {
		a := &e.Actions[i]
		if !a.Targeted {
			s, v := e.score(a, agent, nil)
			pairs = append(pairs, Pair{i, 0, s, v})
			continue
		}
		targets := agent.list(a.List)
		for k := range targets {
			s, v := e.score(a, agent, &targets[k])
			pairs = append(pairs, Pair{i, targets[k].ID, s, v})
		}
	}
	return pairs
}

// Moved reports whether something that a consideration reads has changed by more than an amount, or a target was added
// or removed. No target is listed twice.
func (e *Evaluator) Moved(was, now *Agent, amount float32) bool {
	beyond := func(a, b float32) bool { return a-b > amount || b-a > amount }
	for _, a := range e.Actions {
		for _, c := range a.Considerations {
			if !c.OfTarget && beyond(was.Inputs[c.Input], now.Inputs[c.Input]) {
				return true
			}
		}
		if !a.Targeted {
			continue
		}
		before, after := was.list(a.List), now.list(a.List)
		if len(before) != len(after) {
			return true
		}
		for _, t := range after {
			known := false
			for _, b := range before {
				if b.ID != t.ID {
					continue
				}
				known = true
				for _, c := range a.Considerations {
					if c.OfTarget && beyond(b.Inputs[c.Input], t.Inputs[c.Input]) {
						return true
					}
				}
			}
			if !known {
				return true
			}
		}
	}
	return false
}

// Decide returns the next choice. In the random modes, draw is a hash.
func (e *Evaluator) Decide(agent *Agent, now Choice) Choice {
	pairs := e.Pairs(agent)
	// Veto and minimum, then rank.
	var allowed []Pair
	top, any := 0, false
	for _, p := range pairs {
		if p.Vetoed || p.Score < e.Minimum || agent.Out != nil && agent.Out(p.Action, p.Target) {
			continue
		}
		allowed = append(allowed, p)
		if rank := e.Actions[p.Action].Rank; p.Score > 0 && (!any || rank > top) {
			top, any = rank, true
		}
	}
	if !any {
		return Choice{}
	}
	kept := allowed[:0]
	for _, p := range allowed {
		if e.Actions[p.Action].Rank == top {
			kept = append(kept, p)
		}
	}
	isCurrent := func(p Pair) bool { return now.Made && p.Action == now.Action && p.Target == now.Target }
	if now.Held < e.Commitment {
		for _, p := range kept {
			if isCurrent(p) && p.Score > 0 {
				return now
			}
		}
	}
	next := e.pick(kept, isCurrent, agent.Draw)
	if isCurrent(next) {
		return now
	}
	return Choice{Made: true, Action: next.Action, Target: next.Target}
}

func (e *Evaluator) pick(pairs []Pair, isCurrent func(Pair) bool, draw uint64) Pair {
	if e.Mode == "argmax" {
		best, at := float32(0), -1
		for i, p := range pairs {
			v := p.Score
			if isCurrent(p) && v > 0 {
				v += e.Inertia
			}
			if v > best {
				best, at = v, i
			}
		}
		return pairs[at]
	}
	weights := e.Weights(pairs)
	sum := float64(0) // a float32 cannot hold the sum of large scores
	for _, w := range weights {
		sum += float64(w)
	}
	left, last := float64(float64(random.Unit(draw))*sum), -1
	for i, w := range weights {
		if w == 0 {
			continue
		}
		last = i
		left -= float64(w)
		if left < 0 {
			break
		}
	}
	return pairs[last]
}

// Weights returns the shares of the draw.
func (e *Evaluator) Weights(pairs []Pair) []float32 {
	weights := make([]float32, len(pairs))
	greatest := float32(0)
	for i, p := range pairs {
		weights[i] = p.Score
		greatest = max(greatest, p.Score)
	}
	switch e.Mode {
	case "softmax":
		t := max(e.Temperature, 1e-4)
		for i := range weights {
			weights[i] = elementary.Exp((weights[i] - greatest) / t)
		}
	case "top_n":
		for i := range weights {
			better := 0
			for j := range pairs {
				if pairs[j].Score > pairs[i].Score || pairs[j].Score == pairs[i].Score && j < i {
					better++
				}
			}
			if better >= e.N {
				weights[i] = 0
			}
		}
	}
	return weights
}
