package utility_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/utility"
)

// The conformance cases of the utility semantics; the notation is explained in the files.

// number is a number of the cases, which may be a bool or the name of what is not finite.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"NaN"`:
		*n = number(math.NaN())
	case `"+Inf"`:
		*n = number(math.Inf(1))
	case `"-Inf"`:
		*n = number(math.Inf(-1))
	case "true":
		*n = 1
	case "false":
		*n = 0
	default:
		return json.Unmarshal(data, (*float64)(n))
	}
	return nil
}

type utilityCase struct {
	ID, Kind, Purpose string
	Rules             []string
	Core, Exact       bool
	Tol               float64
	ProbabilityTol    float64  `json:"probability_tol"`
	KnownFacts        []string `json:"known_facts"`

	Range           []number
	Curve           *caseCurve
	Input, Expected []number
	Inverted        bool

	Evaluator    *caseEvaluator
	Agents       []caseAgent
	Ticks        []caseTick
	Returns      [][]string
	Hold         bool
	RescoreDelta *float64 `json:"rescore_delta"`
}

type caseCurve struct {
	Type                            string
	Slope                           *number
	XShift                          number `json:"x_shift"`
	YShift                          number `json:"y_shift"`
	Exponent, Steepness, Mid, Mean  *number
	Deviation, Frequency, Threshold *number
	Points                          [][2]number
	Inverted                        bool
}

type caseEvaluator struct {
	Facts map[string]struct {
		Kind    string
		Default number
	}
	Combination string
	Selection   *struct {
		Mode        string
		Temperature number
		N           int
	}
	Inertia, Commitment number
	Minimum             number `json:"minimum_score"`
	Actions             []caseAction
}

type caseAction struct {
	Name           string
	Weight         *number
	Rank           int
	Targeted       bool
	Considerations []caseConsideration
}

type caseConsideration struct {
	Fact, Of       string
	Range          []number
	Curve          caseCurve
	Inverted, Gate bool
	Weight         *number
}

type caseAgent struct {
	Facts   map[string]number
	Targets []caseTarget
	Current *caseCurrent
	Expect  caseExpect
}

type caseTarget struct {
	ID    string
	Facts map[string]number
}

type caseCurrent struct {
	Action int
	Target *string
	Held   number
}

type caseExpect struct {
	Pairs         [][2]any
	Scores        []number
	Vetoed        []int
	Choice        json.RawMessage // absent: not given
	Probabilities []number
	Held          *number
	Status        string
	Exits         [][2]any
	Enters        []int
	Rescored      *bool
}

type caseTick struct {
	Dt      float64
	Op      string
	Facts   map[string]number
	Targets []caseTarget
	Expect  caseExpect
}

func utilityCases(t testing.TB) []utilityCase {
	t.Helper()
	var all []utilityCase
	for _, name := range []string{"utility_handmade.json", "utility_generated.json"} {
		data, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		var file struct{ Cases []utilityCase }
		require.NoError(t, json.Unmarshal(data, &file), name)
		all = append(all, file.Cases...)
	}
	require.Len(t, all, 133+206)
	return all
}

// Components of the cases: facts are slots of them, by kind.
type self struct {
	Floats [24]float32
	Ints   [24]int32
	Bools  [24]bool
}

type other struct {
	Entity components.Entity
	self
}

type others struct {
	List  [components.MaxListed]other
	Count uint8
}

var otherList = components.ListOf("others", func(o *others) []other { return o.List[:] },
	func(o *others) *uint8 { return &o.Count }, func(o *other) *components.Entity { return &o.Entity })

// caseFacts are the facts of a case, of the agent and of targets.
type caseFacts struct {
	names  map[string]int
	kinds  []string
	own    []components.Fact
	target []components.Fact
}

func factOf[C any](name, kind string, slot int, def number, at func(*C) *self) components.Fact {
	switch kind {
	case "", "float32":
		return components.FloatFact(name, func(c *C) *float32 { return &at(c).Floats[slot] }, float32(def))
	case "int32":
		return components.IntFact(name, func(c *C) *int32 { return &at(c).Ints[slot] }, int32(def))
	case "bool":
		return components.BoolFact(name, func(c *C) *bool { return &at(c).Bools[slot] }, def != 0)
	}
	panic("kind " + kind)
}

// get returns a fact of a case, which is declared by its first use unless the case says what is known.
func (f *caseFacts) get(c *utilityCase, name string) int {
	if i, ok := f.names[name]; ok {
		return i
	}
	slot := len(f.own)
	f.names[name] = slot
	declared := c.Evaluator.Facts[name]
	f.kinds = append(f.kinds, declared.Kind)
	f.own = append(f.own, factOf(name, declared.Kind, slot, declared.Default, func(s *self) *self { return s }))
	f.target = append(f.target, factOf(name, declared.Kind, slot, declared.Default, func(o *other) *self { return &o.self }))
	return slot
}

func orElse(n *number, def float64) float64 {
	if n == nil {
		return def
	}
	return float64(*n)
}

func (c *caseCurve) build(inverted bool) utility.Curve {
	var k utility.Curve
	switch c.Type {
	case "linear":
		k = utility.Linear()
	case "polynomial":
		k = utility.Polynomial(orElse(c.Exponent, 2))
	case "quadratic":
		k = utility.Quadratic()
	case "inverse_quadratic":
		k = utility.InverseQuadratic()
	case "exponential":
		k = utility.Exponential(orElse(c.Steepness, 4))
	case "logistic":
		k = utility.Logistic(orElse(c.Steepness, 8), orElse(c.Mid, 0.5))
	case "logistic_exact":
		k = utility.LogisticExact(orElse(c.Steepness, 8), orElse(c.Mid, 0.5))
	case "logit":
		k = utility.Logit()
	case "bell":
		k = utility.Bell(orElse(c.Mean, 0.5), orElse(c.Deviation, 0))
	case "sine":
		k = utility.Sine(orElse(c.Frequency, 1))
	case "smoothstep":
		k = utility.Smoothstep()
	case "smootherstep":
		k = utility.Smootherstep()
	case "step":
		k = utility.Step(orElse(c.Threshold, 0.5))
	case "piecewise":
		var points []utility.Point
		for _, p := range c.Points {
			points = append(points, utility.Point{X: float64(p[0]), Y: float64(p[1])})
		}
		k = utility.Piecewise(points...)
	default:
		panic("curve " + c.Type)
	}
	k = k.Slope(orElse(c.Slope, 1)).ShiftX(float64(c.XShift)).ShiftY(float64(c.YShift))
	if inverted != c.Inverted {
		k = k.Inverted()
	}
	return k
}

var combinations = map[string]utility.Combination{
	"compensated": utility.Compensated, "compensated_each": utility.CompensatedEach, "product": utility.Product,
	"weighted_sum": utility.WeightedSum, "geometric_mean": utility.GeometricMean, "min": utility.Min, "max": utility.Max,
}

// build makes the evaluator of a case.
func (c *utilityCase) build(f *caseFacts) (*utility.Evaluator, error) {
	var actions []*utility.Action
	for _, a := range c.Evaluator.Actions {
		var considerations []*utility.Consideration
		for _, k := range a.Considerations {
			fact := components.Fact{}
			if known := c.KnownFacts == nil || contains(c.KnownFacts, k.Fact); known {
				fact = f.own[f.get(c, k.Fact)]
				if k.Of == "target" {
					fact = f.target[f.get(c, k.Fact)]
				}
			}
			b := utility.Consider(fact, k.Curve.build(k.Inverted)).Weight(orElse(k.Weight, 1)).Named(k.Fact)
			if k.Range != nil {
				b.Range(float64(k.Range[0]), float64(k.Range[1]))
			}
			if k.Gate {
				b.Gate()
			}
			considerations = append(considerations, b)
		}
		action := utility.NewAction(a.Name, considerations...).Weight(orElse(a.Weight, 1)).Rank(a.Rank)
		if a.Targeted {
			action.For(otherList)
		}
		actions = append(actions, action)
	}
	e := c.Evaluator
	d := utility.Choose(actions...).Combine(combinations[e.Combination]).Inertia(float64(e.Inertia)).
		Minimum(float64(e.Minimum)).Commit(float64(e.Commitment))
	if s := e.Selection; s != nil {
		switch s.Mode {
		case "argmax":
		case "softmax":
			d.Softmax(float64(s.Temperature))
		case "weighted_random":
			d.WeightedRandom()
		case "top_n":
			d.TopN(s.N)
		default:
			panic("mode " + s.Mode)
		}
	}
	if c.RescoreDelta != nil {
		d.RescoreBeyond(*c.RescoreDelta)
	}
	return utility.Build(c.ID, d)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// caseEntity returns the entity that stands for a target's id.
func caseEntity(id string) components.Entity {
	e := components.Entity{Generation: 7}
	for _, r := range id {
		e.Index = e.Index*31 + uint32(r)
	}
	return e
}

// set gives a lane the facts of an agent or of a target; what is not given is as if the component were missing.
func (f *caseFacts) set(t testing.TB, l *utility.Lanes, e *utility.Evaluator, lane int, values map[string]number, targets []caseTarget) {
	t.Helper()
	for _, fact := range e.Facts() {
		if fact.Component() == otherList.Count().Component() {
			continue
		}
		f.one(l, lane, fact, values)
	}
	if e.Facts() == nil || !reads(e, otherList.Count()) {
		return
	}
	l.SetInt(otherList.Count(), lane, int64(len(targets)))
	for k, target := range targets {
		l.SetEntity(otherList.Entity(k), lane, caseEntity(target.ID))
		for _, fact := range f.target {
			if field := otherList.Field(k, fact); reads(e, field) {
				f.named(l, lane, field, fact.Name(), target.Facts)
			}
		}
	}
}

func reads(e *utility.Evaluator, f components.Fact) bool {
	for _, known := range e.Facts() {
		if known.Same(f) {
			return true
		}
	}
	return false
}

func (f *caseFacts) one(l *utility.Lanes, lane int, fact components.Fact, values map[string]number) {
	f.named(l, lane, fact, fact.Name(), values)
}

func (f *caseFacts) named(l *utility.Lanes, lane int, fact components.Fact, name string, values map[string]number) {
	v, given := values[name]
	switch fact.Kind() {
	case components.Float:
		x := float32(v)
		if !given {
			x = fact.DefaultFloat()
		}
		l.SetFloat(fact, lane, x)
	case components.Int:
		x := int64(v)
		if !given {
			x = fact.DefaultInt()
		}
		l.SetInt(fact, lane, x)
	case components.Bool:
		if !given {
			v = number(fact.DefaultInt())
		}
		l.SetBool(fact, lane, v != 0)
	}
}

func newCaseFacts() *caseFacts { return &caseFacts{names: map[string]int{}} }

// tolerance returns how far a value may be off.
func (c *utilityCase) tolerance() float64 {
	if c.Exact {
		return 0
	}
	if c.Tol > 0 {
		return c.Tol
	}
	return 2e-5
}

func TestNormaliseAndCurveCases(t *testing.T) {
	for _, c := range utilityCases(t) {
		if c.Kind != "normalise" && c.Kind != "curve" {
			continue
		}
		for i, x := range c.Input {
			var got float32
			if c.Kind == "normalise" {
				// Fed to the function itself, not through a fact, which would be mended.
				got = utility.NormaliseOne(float32(x), float32(c.Range[0]), float32(c.Range[1]))
			} else {
				got = c.Curve.build(c.Inverted).At(float32(x))
			}
			if c.Exact {
				assert.Equal(t, float32(c.Expected[i]), got, "%s at %v: %s", c.ID, x, c.Purpose)
			} else {
				assert.InDelta(t, float64(c.Expected[i]), got, c.tolerance(), "%s at %v: %s", c.ID, x, c.Purpose)
			}
		}
	}
}

func TestBuildErrorCases(t *testing.T) {
	for _, c := range utilityCases(t) {
		if c.Kind == "build_error" {
			_, err := c.build(newCaseFacts())
			assert.Error(t, err, "%s: %s", c.ID, c.Purpose)
			t.Log(c.ID, err)
		}
	}
}

// choiceOf returns the choice that a case expects; given is false when it does not say.
func (x *caseExpect) choice(t testing.TB) (c components.Choice, given bool) {
	t.Helper()
	if x.Choice == nil {
		return c, false
	}
	var choice *struct {
		Action int
		Target *string
	}
	require.NoError(t, json.Unmarshal(x.Choice, &choice))
	if choice != nil {
		c.Action = uint16(choice.Action) + 1
		if choice.Target != nil {
			c.Target = caseEntity(*choice.Target)
		}
	}
	return c, true
}

// Every agent is decided for with its case's others and with none, in a lane that moves.
func TestDecideCases(t *testing.T) {
	s := utility.NewScorer()
	for _, c := range utilityCases(t) {
		if c.Kind != "decide" {
			continue
		}
		f := newCaseFacts()
		e, err := c.build(f)
		require.NoError(t, err, c.ID)
		for shift := range 2 {
			lanes := utility.NewLanes(e.Facts())
			b := &utility.Block{Facts: lanes, Seed: 5, Now: 3600e9}
			choices := make([]components.Choice, 64)
			for i, a := range c.Agents {
				lane := (i*7 + shift*13) % 64
				b.Mask |= 1 << lane
				b.Entities[lane] = components.Entity{Index: uint32(i + 1)}
				b.Choices[lane] = &choices[lane]
				f.set(t, lanes, e, lane, a.Facts, a.Targets)
				if a.Current != nil {
					choices[lane] = components.Choice{Action: uint16(a.Current.Action) + 1, Since: b.Now - nanos(float64(a.Current.Held)),
						Committed: float64(a.Current.Held) < float64(c.Evaluator.Commitment)}
					if a.Current.Target != nil {
						choices[lane].Target = caseEntity(*a.Current.Target)
					}
				}
			}
			explained := map[int]*utility.Explanation{}
			for i := range c.Agents {
				explained[i] = s.Explain(e, b, (i*7+shift*13)%64)
			}
			s.Tick(e, b)
			for i, a := range c.Agents {
				where := fmt.Sprintf("%s, agent %d: %s", c.ID, i, c.Purpose)
				got := choices[(i*7+shift*13)%64]
				x := explained[i]
				if want, given := a.Expect.choice(t); given {
					assert.Equal(t, want.Action, got.Action, where)
					assert.Equal(t, want.Target, got.Target, where)
				}
				if got.Action == 0 {
					assert.Equal(t, -1, x.Chosen, where)
				} else {
					assert.Equal(t, c.Evaluator.Actions[got.Action-1].Name, x.Options[x.Chosen].Action, where)
					assert.Equal(t, got.Target, x.Options[x.Chosen].Target, where)
				}
				if a.Expect.Scores != nil {
					c.checkScores(t, where, &a.Expect, x)
				}
				checkProbabilities(t, where, &c, &a.Expect, x)
			}
		}
	}
}

func (c *utilityCase) checkScores(t testing.TB, where string, want *caseExpect, x *utility.Explanation) {
	t.Helper()
	if !assert.Len(t, x.Options, len(want.Scores), where) {
		return
	}
	for i, s := range want.Scores {
		o := x.Options[i]
		weight := 1.0
		for k, a := range c.Evaluator.Actions {
			if a.Name == o.Action {
				weight = max(1, orElse(c.Evaluator.Actions[k].Weight, 1))
			}
		}
		if c.Exact {
			assert.Equal(t, float32(s), o.Score, "%s, score %d", where, i)
		} else {
			assert.InDelta(t, float64(s), o.Score, c.tolerance()*weight, "%s, score %d", where, i)
		}
		vetoed := false
		for _, v := range want.Vetoed {
			vetoed = vetoed || v == i
		}
		assert.Equal(t, vetoed, o.Vetoed, "%s, veto %d", where, i)
	}
}

func checkProbabilities(t testing.TB, where string, c *utilityCase, want *caseExpect, x *utility.Explanation) {
	t.Helper()
	tol := c.ProbabilityTol
	if tol == 0 {
		tol = 1e-4
	}
	for i, p := range want.Probabilities {
		assert.InDelta(t, float64(p), x.Options[i].Probability, tol, "%s, probability %d", where, i)
	}
}

func nanos(seconds float64) components.Timestamp {
	return components.Timestamp(math.Round(seconds * 1e9))
}

func TestSequenceCases(t *testing.T) {
	s := utility.NewScorer()
	for _, c := range utilityCases(t) {
		if c.Kind != "sequence" {
			continue
		}
		f := newCaseFacts()
		e, err := c.build(f)
		require.NoError(t, err, c.ID)
		const lane = 37
		lanes := utility.NewLanes(e.Facts())
		var choice components.Choice
		b := &utility.Block{Mask: 1 << lane, Facts: lanes, Now: 1e9}
		b.Choices[lane] = &choice
		for i, tick := range c.Ticks {
			b.Now += nanos(tick.Dt)
			f.set(t, lanes, e, lane, tick.Facts, tick.Targets)
			s.Tick(e, b)
			where := fmt.Sprintf("%s, tick %d: %s", c.ID, i, c.Purpose)
			if want, given := tick.Expect.choice(t); given {
				require.Equal(t, want.Action, choice.Action, where)
				require.Equal(t, want.Target, choice.Target, where)
			}
			if tick.Expect.Held != nil && choice.Action != 0 {
				require.Equal(t, nanos(float64(*tick.Expect.Held)), b.Now-choice.Since, where)
			}
		}
	}
}
