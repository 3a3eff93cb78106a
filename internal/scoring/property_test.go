package scoring_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/internal/scoringref"
	"github.com/flockwork-ai/flockwork/utility"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// dice decides how a random test goes on. Small numbers stand for what is simple, so that a failing test
// shrinks.
type dice interface {
	// below returns a number from 0 to n-1.
	below(n int) int
}

type rapidDice struct{ t *rapid.T }

// below draws bits, because rapid's ranges prefer small numbers.
func (d rapidDice) below(n int) int {
	v := 0
	for m := n - 1; m > 0; m >>= 1 {
		v <<= 1
		if rapid.Bool().Draw(d.t, "") {
			v |= 1
		}
	}
	return v % n
}

// byteDice take their numbers from bytes; when these have run out, all is 0.
type byteDice struct{ data []byte }

func (d *byteDice) below(n int) int {
	v := 0
	for m := n - 1; m > 0 && len(d.data) > 0; m >>= 8 {
		v = v<<8 | int(d.data[0])
		d.data = d.data[1:]
	}
	return v % n
}

// randDice are for what need not shrink.
type randDice struct{ *rand.Rand }

func (d randDice) below(n int) int { return d.IntN(n) }

func pick[T any](d dice, from ...T) T { return from[d.below(len(from))] }

// oneIn is true once in n times; the simple answer is no.
func oneIn(d dice, n int) bool { return d.below(n) == n-1 }

// The components of a random agent. Each kind of fact is there several times.
type mob struct {
	Floats [5]float32
	Ints   [3]int64
	Bools  [2]bool
	Times  [2]components.Timestamp
	Refs   [2]components.Entity
}

type thing struct {
	Who    components.Entity
	Floats [3]float32
	Ints   [2]int16
	Bool   bool
}

type near struct {
	Things [5]thing
	Count  uint8
}

type far struct {
	Count  uint8
	Things [blackboard.MaxListed]thing
}

// What the inputs of a random evaluator are, own and of targets, in the order of the reference's inputs. The last own
// ones are custom: inputs 2 and 3 of ownFacts go through functions that leave the finite numbers.
var (
	ownFacts, thingFacts []blackboard.Fact
	ownInputs            []*utility.Input // nil for a plain fact
	thingLists           = []blackboard.List{
		blackboard.ListOf("near", func(n *near) []thing { return n.Things[:] },
			func(n *near) *uint8 { return &n.Count },
			func(t *thing) *components.Entity { return &t.Who }),
		blackboard.ListOf("far", func(n *far) []thing { return n.Things[:] }, func(n *far) *uint8 { return &n.Count },
			func(t *thing) *components.Entity { return &t.Who }),
	}
)

func init() {
	for i := range 5 {
		def := []float32{0, 0.5, -3, 0.25, 1e6}[i]
		ownFacts = append(ownFacts, blackboard.FloatFact(fmt.Sprint("float ", i),
			func(m *mob) *float32 { return &m.Floats[i] }, def))
	}
	for i := range 3 {
		ownFacts = append(ownFacts, blackboard.IntFact(fmt.Sprint("int ", i),
			func(m *mob) *int64 { return &m.Ints[i] }, int64(i)))
	}
	for i := range 2 {
		ownFacts = append(ownFacts, blackboard.BoolFact(fmt.Sprint("bool ", i),
			func(m *mob) *bool { return &m.Bools[i] }, i == 1),
			blackboard.AgeFact(fmt.Sprint("age ", i), func(m *mob) *components.Timestamp { return &m.Times[i] }),
			blackboard.EntityFact(fmt.Sprint("entity ", i), func(m *mob) *components.Entity { return &m.Refs[i] }))
	}
	ownInputs = make([]*utility.Input, len(ownFacts))
	ownInputs = append(ownInputs,
		utility.NewInput("root", func(c *blackboard.Context, out *[64]float32) {
			x := c.Float(0)
			for i := range out { // more than it is asked for
				out[i] = root(x[i])
			}
		}).Reads(ownFacts[0]),
		utility.NewInput("ratio", func(c *blackboard.Context, out *[64]float32) {
			x, y := c.Float(0), c.Float(1)
			for m := c.Mask; m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				out[i] = x[i] / y[i]
			}
		}).Reads(ownFacts[1], ownFacts[2]))
	for i := range 3 {
		thingFacts = append(thingFacts, blackboard.FloatFact(fmt.Sprint("thing float ", i),
			func(t *thing) *float32 { return &t.Floats[i] }, float32(i)))
	}
	for i := range 2 {
		thingFacts = append(thingFacts, blackboard.IntFact(fmt.Sprint("thing int ", i),
			func(t *thing) *int16 { return &t.Ints[i] }, 0))
	}
	thingFacts = append(thingFacts, blackboard.BoolFact("thing bool", func(t *thing) *bool { return &t.Bool }, false))
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// orZero is what a custom input counts as.
func orZero(x float32) float32 {
	if x-x != 0 {
		return 0
	}
	return x
}

// An agent's senses are the values of all facts.
type senses struct {
	mob
	lists [2][]thing
}

// number draws what a fact or a parameter could be: plain numbers, and some at the end of what there is.
func plainNumber(d dice) float32 {
	switch d.below(8) {
	case 6:
		return float32(d.below(400))/100 - 1
	case 7:
		return pick[float32](d, 0, -1, 2, 1e-3, 100, -100)
	}
	return float32(d.below(17)) / 16
}

func wildNumber(d dice) float32 {
	switch d.below(12) {
	case 10:
		return pick[float32](d, 0, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32,
			1e30, -1e30, 1e-30, 1<<24)
	case 11:
		return pick(d, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)))
	}
	return plainNumber(d)
}

// finiteNumber is for what parameters must be.
func finiteNumber(d dice) float32 { return orZero(wildNumber(d)) }

// sense draws an agent's senses. In a list no entity stands twice unless that is asked for.
func sense(d dice, now components.Timestamp, twice bool) (s senses) {
	for i := range s.Floats {
		s.Floats[i] = wildNumber(d)
	}
	for i := range s.Ints {
		s.Ints[i] = int64(d.below(4)) - 1
		if oneIn(d, 10) {
			s.Ints[i] = pick[int64](d, 1<<24+1, math.MaxInt64, math.MinInt64, 100)
		}
	}
	for i := range s.Bools {
		s.Bools[i] = oneIn(d, 2)
		s.Times[i] = pick(d, now, 0, now-1e9, now-300e6, now+1e9)
		if oneIn(d, 2) {
			s.Refs[i] = components.Entity{Index: 9, Generation: 1}
		}
	}
	for l := range s.lists {
		for n := d.below(thingLists[l].Len() + 1); n > 0; n-- {
			// Index 0 is no entity.
			t := thing{Who: components.Entity{Index: uint32(d.below(12)), Generation: uint32(d.below(2))}}
			for i := range t.Floats {
				t.Floats[i] = wildNumber(d)
			}
			for i := range t.Ints {
				t.Ints[i] = int16(d.below(5) - 1)
			}
			t.Bool = oneIn(d, 2)
			if !t.Who.IsZero() && !twice &&
				slices.ContainsFunc(s.lists[l], func(o thing) bool { return o.Who == t.Who }) {
				continue
			}
			s.lists[l] = append(s.lists[l], t)
		}
	}
	return s
}

// agent is what the reference knows of a lane.
func (s *senses) agent(now components.Timestamp) *scoringref.Agent {
	a := &scoringref.Agent{More: make([][]scoringref.Target, 1)}
	own := func(x float32) { a.Inputs = append(a.Inputs, x) }
	float := func(f blackboard.Fact, x float32) float32 {
		if x-x != 0 {
			return f.Field().DefaultFloat
		}
		return x
	}
	var floats [5]float32
	for i, x := range s.Floats {
		floats[i] = float(ownFacts[i], x)
		own(floats[i])
	}
	for _, x := range s.Ints {
		own(float32(x))
	}
	for i := range s.Bools {
		own(oneIf(s.Bools[i]))
		if s.Times[i] == 0 {
			own(float32(float64(blackboard.NeverAge) / 1e9))
		} else {
			own(float32(float64(now-s.Times[i]) / 1e9))
		}
		own(oneIf(!s.Refs[i].IsZero()))
	}
	own(orZero(root(floats[0])))
	own(orZero(floats[1] / floats[2]))
	for l, list := range s.lists {
		var targets []scoringref.Target
		for _, t := range list {
			if t.Who.IsZero() {
				continue
			}
			r := scoringref.Target{ID: idOf(t.Who)}
			for i, x := range t.Floats {
				r.Inputs = append(r.Inputs, float(thingFacts[i], x))
			}
			for _, x := range t.Ints {
				r.Inputs = append(r.Inputs, float32(x))
			}
			targets = append(targets, scoringref.Target{ID: r.ID, Inputs: append(r.Inputs, oneIf(t.Bool))})
		}
		if l == 0 {
			a.Targets = targets
		} else {
			a.More[l-1] = targets
		}
	}
	return a
}

func oneIf(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func idOf(e components.Entity) uint64 { return uint64(e.Generation)<<32 | uint64(e.Index) }

func entityOf(id uint64) components.Entity {
	return components.Entity{Index: uint32(id), Generation: uint32(id >> 32)}
}

// A sensorium is the source of a block's facts. It sees to it that a fact is asked for once for each agent.
type sensorium struct {
	*blackboard.Lanes
	t     require.TestingT
	facts []blackboard.Fact
	asked []uint64
	// For each fact, which list it is of (-1: none), and of which element (-1: the count), and which field there.
	at [][3]int
}

func newSensorium(t require.TestingT, e *utility.Evaluator) *sensorium {
	s := &sensorium{
		Lanes: blackboard.NewLanes(e.Facts()), t: t, facts: e.Facts(), asked: make([]uint64, len(e.Facts())),
	}
	for _, f := range s.facts {
		s.at = append(s.at, placeOf(f))
	}
	return s
}

func placeOf(f blackboard.Fact) [3]int {
	if i := slices.IndexFunc(ownFacts, f.Same); i >= 0 {
		return [3]int{-1, 0, i}
	}
	for l, list := range thingLists {
		if f.Same(list.Count()) {
			return [3]int{l, -1, 0}
		}
		for k := range list.Len() {
			if f.Same(list.Entity(k)) {
				return [3]int{l, k, -1}
			}
			for i, field := range thingFacts {
				if f.Same(list.Field(k, field)) {
					return [3]int{l, k, i}
				}
			}
		}
	}
	panic("a fact that no one declared: " + f.Name())
}

func (s *sensorium) set(lane int, from *senses) {
	for i, f := range s.facts {
		l, k, field := s.at[i][0], s.at[i][1], s.at[i][2]
		if l < 0 {
			switch {
			case field < 5:
				s.SetFloat(f, lane, from.Floats[field])
			case field < 8:
				s.SetInt(f, lane, from.Ints[field-5])
			case (field-8)%3 == 0:
				s.SetBool(f, lane, from.Bools[(field-8)/3])
			case (field-8)%3 == 1:
				s.SetTime(f, lane, from.Times[(field-8)/3])
			default:
				s.SetEntity(f, lane, from.Refs[(field-8)/3])
			}
			continue
		}
		if k < 0 {
			s.SetInt(f, lane, int64(len(from.lists[l])))
			continue
		}
		// After the last element of a list, old values remain.
		if k >= len(from.lists[l]) {
			continue
		}
		t := from.lists[l][k]
		switch {
		case field < 0:
			s.SetEntity(f, lane, t.Who)
		case field < 3:
			s.SetFloat(f, lane, t.Floats[field])
		case field < 5:
			s.SetInt(f, lane, int64(t.Ints[field-3]))
		default:
			s.SetBool(f, lane, t.Bool)
		}
	}
}

func (s *sensorium) ask(fact int, mask uint64) uint64 {
	if mask == 0 || s.asked[fact]&mask != 0 {
		require.Fail(s.t, "asked in vain", "%v of lanes %b, of which it has been asked for %b", s.facts[fact].Name(),
			mask, s.asked[fact])
	}
	s.asked[fact] |= mask
	return mask
}

// Floats fills the lanes it is asked for and no other: the others may hold what they want.
func (s *sensorium) Floats(fact int, mask uint64, lane *[64]float32) *[64]float32 {
	fillLanes(lane, s.Lanes.Floats(fact, s.ask(fact, mask), nil), mask)
	return lane
}

func (s *sensorium) Ints(fact int, mask uint64, lane *[64]int64) {
	var all [64]int64
	s.Lanes.Ints(fact, s.ask(fact, mask), &all)
	fillLanes(lane, &all, mask)
}

func (s *sensorium) Bools(fact int, mask uint64) uint64 {
	return s.Lanes.Bools(fact, s.ask(fact, mask))
}

func (s *sensorium) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	var all [64]components.Entity
	s.Lanes.Entities(fact, s.ask(fact, mask), &all)
	fillLanes(lane, &all, mask)
}

func fillLanes[T any](to, from *[64]T, mask uint64) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		to[i] = from[i]
	}
}

// curve draws a curve that can be built.
func drawCurve(d dice) scoringref.Curve {
	c := scoringref.Curve{Slope: 1, Type: pick(d, "linear", "polynomial", "quadratic", "inverse_quadratic",
		"exponential", "logistic",
		"logistic_exact", "logit", "bell", "sine", "smoothstep", "smootherstep", "step", "piecewise")}
	if oneIn(d, 3) {
		c.Slope, c.YShift = finiteNumber(d), finiteNumber(d)
	}
	if oneIn(d, 4) {
		c.XShift = finiteNumber(d)
	}
	if oneIn(d, 4) {
		c.Slope, c.YShift = -1, 1
	}
	steepness := pick[float32](d, 4, 1, 0, 0.05, -0.1, 0.125, -3, 8, 40, -40)
	switch c.Type {
	case "polynomial":
		c.Exponent = pick[float32](d, 2, 3, 0.5, 1, 0, -1, 0.25, 6)
		if oneIn(d, 4) {
			c.Exponent = finiteNumber(d)
		}
	case "exponential", "logistic":
		c.Steepness, c.Mid = steepness, pick[float32](d, 0.5, 0, 0.25, 1, 2)
		if oneIn(d, 4) {
			c.Steepness = finiteNumber(d)
		}
	case "logistic_exact":
		c.Steepness, c.Mid = steepness, pick[float32](d, 0.5, 0, 0.25, 1, 0.75)
	case "bell":
		c.Mean, c.Deviation = plainNumber(d), pick[float32](d, 0.25, 0.1, 1, 1e-3, 1e-30, 1e30)
	case "sine":
		c.Frequency = pick[float32](d, 1, 0.5, 0.25, 0, 3, -1)
		if oneIn(d, 4) {
			c.Frequency = finiteNumber(d)
		}
	case "step":
		c.Threshold = plainNumber(d)
	case "piecewise":
		x := plainNumber(d)
		for range 1 + d.below(6) {
			c.Points = append(c.Points, [2]float32{x, plainNumber(d)})
			x += float32(d.below(4)) / 8
		}
	}
	c.Inverted = oneIn(d, 4)
	return c
}

func buildCurve(c scoringref.Curve) (k utility.Curve) {
	p := func(x float32) float64 { return float64(x) }
	switch c.Type {
	case "linear":
		k = utility.Linear()
	case "polynomial":
		k = utility.Polynomial(p(c.Exponent))
	case "quadratic":
		k = utility.Quadratic()
	case "inverse_quadratic":
		k = utility.InverseQuadratic()
	case "exponential":
		k = utility.Exponential(p(c.Steepness))
	case "logistic":
		k = utility.Logistic(p(c.Steepness), p(c.Mid))
	case "logistic_exact":
		k = utility.LogisticExact(p(c.Steepness), p(c.Mid))
	case "logit":
		k = utility.Logit()
	case "bell":
		k = utility.Bell(p(c.Mean), p(c.Deviation))
	case "sine":
		k = utility.Sine(p(c.Frequency))
	case "smoothstep":
		k = utility.Smoothstep()
	case "smootherstep":
		k = utility.Smootherstep()
	case "step":
		k = utility.Step(p(c.Threshold))
	case "piecewise":
		var points []utility.Point
		for _, q := range c.Points {
			points = append(points, utility.Point{X: p(q[0]), Y: p(q[1])})
		}
		k = utility.Piecewise(points...)
	}
	k = k.Slope(p(c.Slope)).ShiftX(p(c.XShift)).ShiftY(p(c.YShift))
	if c.Inverted {
		k = k.Inverted()
	}
	return k
}

// A plan is a random evaluator, for the reference and as ours.
type plan struct {
	scoringref.Evaluator
	rescores bool
	amount   float32
	shared   []*scoringref.Consideration // considerations to use again
}

// drawPlan draws an evaluator of at most some actions.
func drawPlan(d dice, most int) *plan {
	p := &plan{}
	p.Combination = pick(d, "compensated", "compensated_each", "product", "weighted_sum", "geometric_mean", "min",
		"max")
	p.Mode = pick(d, "argmax", "argmax", "softmax", "weighted_random", "top_n")
	p.Temperature = pick[float32](d, 0.1, 1, 0, 1e-5, 1e30)
	p.N = 1 + d.below(4)
	if oneIn(d, 2) {
		p.Inertia = pick[float32](d, 0.1, 0.01, 1, 1e30)
	}
	if oneIn(d, 3) {
		p.Minimum = pick[float32](d, 0.1, 0.5, 1, 1e-6)
	}
	if oneIn(d, 3) {
		p.Commitment = pick(d, 0.5, 2, 1e-6)
	}
	if oneIn(d, 3) {
		p.rescores, p.amount = true, pick[float32](d, 0.1, 0, 1, 1e9)
	}
	ranks := 1 + d.below(3)
	for range 1 + d.below(most) {
		a := scoringref.Action{Weight: 1}
		switch d.below(6) {
		case 4:
			a.Weight = plainNumber(d)
		case 5:
			a.Weight = finiteNumber(d)
		}
		a.Weight = max(a.Weight, -a.Weight)
		a.Rank = pick(d, 0, -7, 1<<20)
		if a.Rank != 0 && ranks == 1 || a.Rank > 0 && ranks == 2 {
			a.Rank = 0
		}
		if oneIn(d, 3) {
			a.Targeted, a.List = true, d.below(2)
		}
		for range d.below(9) {
			a.Considerations = append(a.Considerations, p.consideration(d, a.Targeted))
		}
		p.Actions = append(p.Actions, a)
	}
	if p.Mode != "argmax" && oneIn(d, 2) {
		p.Inertia = 0
	}
	return p
}

func (p *plan) consideration(d dice, targeted bool) scoringref.Consideration {
	if len(p.shared) > 0 && oneIn(d, 3) {
		if c := *pick(d, p.shared...); targeted || !c.OfTarget {
			c.Weight, c.Gate = pick[float32](d, 1, 2), oneIn(d, 4)
			if oneIn(d, 2) {
				nearly(d, &c)
			}
			return c
		}
	}
	c := scoringref.Consideration{Weight: 1, Curve: drawCurve(d), Gate: oneIn(d, 4)}
	c.Input = d.below(len(ownInputs))
	if targeted && oneIn(d, 2) {
		c.OfTarget, c.Input = true, d.below(len(thingFacts))
	}
	if oneIn(d, 3) {
		c.Ranged = true
		c.A, c.B = plainNumber(d), plainNumber(d)
		if oneIn(d, 8) { // whose difference is a float32
			c.A, c.B = finiteNumber(d)/2, finiteNumber(d)/2
		}
	}
	if oneIn(d, 4) {
		c.Weight = pick[float32](d, 0, 0.5, 3, 1e30)
	}
	p.shared = append(p.shared, &c)
	return c
}

// nearly changes one thing of a consideration, which is not the same one then.
func nearly(d dice, c *scoringref.Consideration) {
	x := plainNumber(d)
	switch d.below(7) {
	case 0:
		c.A = x
	case 1:
		c.B = x
	case 2:
		c.Curve.Slope = x
	case 3:
		c.Curve.XShift = x
	case 4:
		c.Curve.YShift = x
	case 5:
		c.Curve.Inverted = !c.Curve.Inverted
	case 6:
		c.Curve.Points = slices.Clone(c.Curve.Points)
		for i := range c.Curve.Points {
			c.Curve.Points[i][1] = x
		}
	}
}

// definition describes the plan to the library.
func (p *plan) definition() *utility.Definition {
	var actions []*utility.Action
	for i, a := range p.Actions {
		var considerations []*utility.Consideration
		for _, c := range a.Considerations {
			var k *utility.Consideration
			curve := buildCurve(c.Curve)
			switch {
			case c.OfTarget:
				k = utility.Consider(thingFacts[c.Input], curve)
			case ownInputs[c.Input] != nil:
				k = utility.ConsiderInput(ownInputs[c.Input], curve)
			default:
				k = utility.Consider(ownFacts[c.Input], curve)
			}
			if c.Ranged {
				k.Range(float64(c.A), float64(c.B))
			}
			if c.Gate {
				k.Gate()
			}
			considerations = append(considerations, k.Weight(float64(c.Weight)))
		}
		action := utility.NewAction("action "+strconv.Itoa(i), considerations...).Weight(float64(a.Weight)).Rank(a.Rank)
		if a.Targeted {
			action.For(thingLists[a.List])
		}
		actions = append(actions, action)
	}
	d := utility.Choose(actions...).Combine(combinations[p.Combination]).
		Inertia(float64(p.Inertia)).Minimum(float64(p.Minimum)).
		Commit(time.Duration(math.Round(p.Commitment * 1e9)))
	switch p.Mode {
	case "softmax":
		d.Softmax(float64(p.Temperature))
	case "weighted_random":
		d.WeightedRandom()
	case "top_n":
		d.TopN(p.N)
	}
	if p.rescores {
		d.RescoreBeyond(float64(p.amount))
	}
	return d
}

// A crowd is the agents of a block, with what the reference thinks of each.
type crowd struct {
	p       *plan
	e       *utility.Evaluator
	source  *sensorium
	block   scoring.Block
	choices [64]components.Choice
	memory  [64][]uint32

	senses     [64]senses
	agents     [64]*scoringref.Agent
	remembered [64]*scoringref.Agent // at the last scoring
	since      [64]components.Timestamp
	chosen     [64]scoringref.Choice
	suppressed [64]bool // whether a commitment held at the last tick
}

const crowdName = "crowd"

func newCrowd(t require.TestingT, p *plan) *crowd {
	e, err := utility.Build(crowdName, p.definition())
	require.NoError(t, err)
	c := &crowd{p: p, e: e, source: newSensorium(t, e)}
	c.block = scoring.Block{Facts: c.source, Seed: 99, Now: 100e9}
	for i := range 64 {
		c.block.Entities[i] = components.Entity{Index: uint32(i + 1), Generation: uint32(i % 3)}
		c.memory[i] = make([]uint32, e.Compiled().MemoryWords)
		c.block.Choices[i], c.block.Memory[i] = &c.choices[i], c.memory[i]
	}
	return c
}

// sense lets the lanes of a mask see something new, or nearly what they saw.
func (c *crowd) sense(d dice, mask uint64) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		s := &c.senses[i]
		switch {
		case c.agents[i] != nil && d.below(3) == 0:
			for k := range s.Floats {
				s.Floats[k] += float32(d.below(9)-4) / 32
			}
			for l := range s.lists { // in another order
				if n := len(s.lists[l]); n > 1 {
					j, k := d.below(n), d.below(n)
					s.lists[l][j], s.lists[l][k] = s.lists[l][k], s.lists[l][j]
				}
			}
		case c.agents[i] != nil && d.below(3) == 0:
		default:
			*s = sense(d, c.block.Now, !c.p.rescores)
		}
		c.source.set(i, s)
		c.agents[i] = s.agent(c.block.Now)
	}
}

// force gives some lanes a choice, as if it had been made a while ago.
func (c *crowd) force(d dice, mask uint64) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if !oneIn(d, 3) || c.p.rescores && c.remembered[i] == nil {
			continue // one that never decided remembers nothing
		}
		a := d.below(len(c.p.Actions))
		r := scoringref.Choice{Made: true, Action: a}
		if c.p.Actions[a].Targeted {
			r.Target = 1<<32 | uint64(1+d.below(11)) // which may not exist any more
			if list := c.senses[i].lists[c.p.Actions[a].List]; len(list) > 0 && d.below(3) > 0 {
				if t := list[d.below(len(list))]; !t.Who.IsZero() {
					r.Target = idOf(t.Who)
				}
			}
		}
		c.since[i] = c.block.Now - pick[components.Timestamp](d, 0, 250e6, 500e6, 1000e6, 2000e6)
		c.chosen[i], c.suppressed[i] = r, c.p.Commitment > 0
		c.choices[i] = components.Choice{Action: uint16(a) + 1, Target: entityOf(r.Target), Since: c.since[i],
			Committed: c.suppressed[i]}
	}
}

// decide is the reference's decision for a lane.
func (c *crowd) decide(i int) {
	now := c.block.Now
	r := &c.chosen[i]
	r.Held = float64(now-c.since[i]) / 1e9
	ranOut := c.suppressed[i] && r.Held >= c.p.Commitment
	c.suppressed[i] = r.Made && c.p.Commitment > 0 && r.Held < c.p.Commitment
	stands := c.p.rescores && r.Made && !ranOut && c.remembered[i] != nil &&
		!c.p.Moved(c.remembered[i], c.agents[i], c.p.amount)
	if stands {
		return
	}
	c.remembered[i] = c.agents[i]
	entity := c.block.Entities[i]
	h := random.Mix(c.block.Seed, uint64(entity.Generation)<<32|uint64(entity.Index))
	c.agents[i].Draw = random.Mix(random.Mix(h, uint64(now)), random.String(crowdName))
	next := c.p.Decide(c.agents[i], *r)
	if next.Made && (!r.Made || next.Action != r.Action || next.Target != r.Target) {
		c.since[i] = now
		c.suppressed[i] = c.p.Commitment > 0
	}
	*r = next
}

// check compares the lanes of a mask with the reference.
func (c *crowd) check(t require.TestingT, mask uint64) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		got, want := c.choices[i], components.Choice{}
		if r := c.chosen[i]; r.Made {
			want = components.Choice{Action: uint16(r.Action) + 1, Target: entityOf(r.Target), Since: c.since[i],
				Committed: c.suppressed[i]}
		}
		if got != want {
			require.Equal(t, want, got, "lane %d: %+v\npairs %+v", i, c.p, c.p.Pairs(c.agents[i]))
		}
	}
}

// explain compares the scores of a lane with those of the reference, to the bit.
func (c *crowd) explain(t require.TestingT, s *scoring.Scorer, i int) {
	x := s.Explain(c.e.Compiled(), &c.block, i)
	pairs := c.p.Pairs(c.agents[i])
	if x.Reason == explain.HeldWithoutScoring && x.Chosen == len(pairs) { // it stands, though its target is not listed
		x.Options = x.Options[:len(pairs)]
	}
	require.Len(t, x.Options, len(pairs))
	for k, p := range pairs {
		o := &x.Options[k]
		require.Equal(t, fmt.Sprint("action ", p.Action), o.Action)
		require.Equal(t, entityOf(p.Target), o.Target)
		require.Equal(t, p.Vetoed, o.Vetoed)
		require.Equal(t, math.Float32bits(p.Score), math.Float32bits(o.Score), "%v and %v: %+v", p.Score, o.Score,
			c.p.Actions[p.Action])
	}
}

func (c *crowd) tick(s *scoring.Scorer, mask uint64) {
	clear(c.source.asked)
	c.block.Mask = mask
	s.Tick(c.e.Compiled(), &c.block)
}

// drawMask draws which lanes there are: often all, or few, with holes.
func drawMask(d dice) uint64 {
	all := ^uint64(0)
	switch d.below(5) {
	case 0:
		return 1 << d.below(64)
	case 1:
		return all
	case 2:
		return all >> d.below(64)
	}
	m := uint64(0)
	for range 4 {
		m = m<<16 | uint64(d.below(1<<16))
	}
	return max(m, 1)
}

// play lets a crowd decide some times, by a scorer that drops what cannot win and by one that drops nothing, and holds
// both to the reference.
func play(t require.TestingT, d dice, p *plan, s, whole *scoring.Scorer) (dropped int) {
	c := newCrowd(t, p)
	w := newCrowd(t, p)
	facts := randDice{rand.New(rand.NewPCG(uint64(d.below(1<<16)), 1))}
	for range 3 {
		mask := drawMask(d)
		c.block.Now += pick(d, components.Timestamp(250e6), 0, 1, 500e6)
		w.block.Now = c.block.Now
		c.sense(facts, mask)
		c.force(facts, mask)
		w.choices, w.senses = c.choices, c.senses
		for i := range 64 {
			copy(w.memory[i], c.memory[i])
			if mask>>i&1 != 0 {
				w.source.set(i, &c.senses[i])
			}
		}
		clear(c.source.asked)
		lane := bits.TrailingZeros64(mask)
		for range d.below(mask2(mask)) {
			lane = bits.TrailingZeros64(mask &^ (1<<(lane+1) - 1))
		}
		c.block.Mask = mask
		c.explain(t, s, lane)

		for m := mask; m != 0; m &= m - 1 {
			c.decide(bits.TrailingZeros64(m))
		}
		skipped, scored := s.Skipped, s.Scored
		c.tick(s, mask)
		c.check(t, mask)
		require.Equal(t, int64(bits.OnesCount64(mask)), s.Skipped-skipped+s.Scored-scored)
		few := s.Evaluated()
		w.tick(whole, mask)
		require.Equal(t, c.choices, w.choices, "dropping nothing makes a difference")
		require.Equal(t, c.memory, w.memory)
		require.GreaterOrEqual(t, whole.Evaluated(), few)
		dropped += whole.Evaluated() - few
	}
	return dropped
}

// mask2 is the number of lanes of a mask, so that one of them can be drawn.
func mask2(mask uint64) int { return bits.OnesCount64(mask) }

// The scorers serve all the evaluators that are drawn, so the state of one must not affect the next.
func TestDecisionsEqualThoseOfThePlainReferenceWithDroppingAndWithout(t *testing.T) {
	s, whole := new(scoring.Scorer), new(scoring.Scorer)
	whole.SetExhaustive(true)
	dropped := 0
	rapid.Check(t, func(t *rapid.T) {
		d := rapidDice{t}
		dropped += play(t, d, drawPlan(d, pick(d, 4, 12, 40)), s, whole)
	})
	require.Positive(t, s.Skipped, "no choice stood without scoring")
	require.Positive(t, dropped, "nothing was dropped")
	t.Logf("%d decisions, %d skipped; dropping saved %d evaluations of a consideration", s.Scored, s.Skipped, dropped)
}

// Two draws of the same senses, in other lanes, with other mates, in another order.
func TestLaneMatesAndOrderMakeNoDifference(t *testing.T) {
	s := new(scoring.Scorer)
	rapid.Check(t, func(t *rapid.T) {
		d := rapidDice{t}
		p := drawPlan(d, 8)
		c, o := newCrowd(t, p), newCrowd(t, p)
		facts := randDice{rand.New(rand.NewPCG(uint64(d.below(1<<16)), 2))}
		all := ^uint64(0)
		c.sense(facts, all)
		c.force(facts, all)
		to := facts.Perm(64)
		for i := range 64 {
			o.choices[to[i]] = c.choices[i]
			o.block.Entities[to[i]] = c.block.Entities[i]
			o.source.set(to[i], &c.senses[i])
		}
		c.tick(s, all)
		for rest := all; rest != 0; {
			part := drawMask(facts) & rest
			if part == 0 {
				continue
			}
			o.tick(s, part)
			rest &^= part
		}
		for i := range 64 {
			require.Equal(t, c.choices[i], o.choices[to[i]], "lane %d, in lane %d: %+v", i, to[i], p)
			require.Equal(t, c.memory[i], o.memory[to[i]])
		}
	})
}

// Two scorers take turns in the blocks of two evaluators, one large and one small.
func TestScorersThatTakeTurnsAgreeWithNewOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapidDice{t}
		plans := []*plan{drawPlan(d, 10), drawPlan(d, 2)}
		turns := []*scoring.Scorer{new(scoring.Scorer), new(scoring.Scorer)}
		var crowds, alone []*crowd
		for _, p := range plans {
			crowds, alone = append(crowds, newCrowd(t, p)), append(alone, newCrowd(t, p))
		}
		facts := randDice{rand.New(rand.NewPCG(uint64(d.below(1<<16)), 3))}
		for tick := range 4 {
			for k := range plans {
				mask := drawMask(d)
				crowds[k].block.Now += 300e6
				alone[k].block.Now = crowds[k].block.Now
				crowds[k].sense(facts, mask)
				for m := mask; m != 0; m &= m - 1 {
					i := bits.TrailingZeros64(m)
					alone[k].source.set(i, &crowds[k].senses[i])
				}
				crowds[k].tick(turns[(k+tick)%2], mask)
				alone[k].tick(new(scoring.Scorer), mask)
				require.Equal(t, alone[k].choices, crowds[k].choices)
				require.Equal(t, alone[k].memory, crowds[k].memory)
			}
		}
	})
}

// FuzzDecide makes an evaluator and facts of bytes and holds the decisions to the reference.
func FuzzDecide(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 12 {
		data := make([]byte, n*40)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &byteDice{data}
		s, whole := new(scoring.Scorer), new(scoring.Scorer)
		whole.SetExhaustive(true)
		play(t, d, drawPlan(d, 12), s, whole)
	})
}
