// Package conformance reads the cases that define the semantics of scoring by utility, for the tests of packages
// scoring and aitree. Only tests use it. The cases are in testdata.
package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// Number is a number of the cases. It may be written as a bool, or as the name of a number that is not finite.
type Number float64

func (n *Number) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"NaN"`:
		*n = Number(math.NaN())
	case `"+Inf"`:
		*n = Number(math.Inf(1))
	case `"-Inf"`:
		*n = Number(math.Inf(-1))
	case "true":
		*n = 1
	case "false":
		*n = 0
	default:
		return json.Unmarshal(data, (*float64)(n))
	}
	return nil
}

// UtilityCase is a case of one of the kinds normalise, curve, decide, sequence and build_error. The files explain the
// notation.
type UtilityCase struct {
	ID, Kind, Purpose string
	Rules             []string
	Core, Exact       bool
	Tol               float64
	ProbabilityTol    float64  `json:"probability_tol"`
	KnownFacts        []string `json:"known_facts"`

	Range           []Number
	Curve           *Curve
	Input, Expected []Number
	Inverted        bool

	Evaluator    *Evaluator
	Agents       []Agent
	Ticks        []Tick
	Returns      [][]string
	Hold         bool
	RescoreDelta *float64 `json:"rescore_delta"`
}

type Curve struct {
	Type                            string
	Slope                           *Number
	XShift                          Number `json:"x_shift"`
	YShift                          Number `json:"y_shift"`
	Exponent, Steepness, Mid, Mean  *Number
	Deviation, Frequency, Threshold *Number
	Points                          [][2]Number
	Inverted                        bool
}

type Evaluator struct {
	Facts map[string]struct {
		Kind    string
		Default Number
	}
	Combination string
	Selection   *struct {
		Mode        string
		Temperature Number
		N           int
	}
	Inertia, Commitment Number
	Minimum             Number `json:"minimum_score"`
	Actions             []Action
}

type Action struct {
	Name           string
	Weight         *Number
	Rank           int
	Targeted       bool
	Considerations []Consideration
}

type Consideration struct {
	Fact, Of       string
	Range          []Number
	Curve          Curve
	Inverted, Gate bool
	Weight         *Number
}

type Agent struct {
	Facts   map[string]Number
	Targets []Target
	Current *Current
	Expect  Expect
}

type Target struct {
	ID    string
	Facts map[string]Number
}

type Current struct {
	Action int
	Target *string
	Held   Number
}

type Expect struct {
	Pairs         [][2]any
	Scores        []Number
	Vetoed        []int
	Choice        json.RawMessage // absent: not given
	Probabilities []Number
	Held          *Number
	Status        string
	Exits         [][2]any
	Enters        []int
	Rescored      *bool
}

type Tick struct {
	Dt      float64
	Op      string
	Facts   map[string]Number
	Targets []Target
	Expect  Expect
}

// UtilityCases reads the cases of a folder.
func UtilityCases(folder string) ([]UtilityCase, error) {
	var all []UtilityCase
	for _, name := range []string{"utility_handmade.json", "utility_generated.json"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		var file struct{ Cases []UtilityCase }
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, file.Cases...)
	}
	return all, nil
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
	List  [blackboard.MaxListed]other
	Count uint8
}

var otherList = blackboard.ListOf("others", func(o *others) []other { return o.List[:] },
	func(o *others) *uint8 { return &o.Count }, func(o *other) *components.Entity { return &o.Entity })

// Facts are the facts of a case, of the agent and of targets.
type Facts struct {
	names  map[string]int
	kinds  []string
	own    []blackboard.Fact
	target []blackboard.Fact
}

func factOf[C any](name, kind string, slot int, def Number, at func(*C) *self) blackboard.Fact {
	switch kind {
	case "", "float32":
		return blackboard.FloatFact(name, func(c *C) *float32 { return &at(c).Floats[slot] }, float32(def))
	case "int32":
		return blackboard.IntFact(name, func(c *C) *int32 { return &at(c).Ints[slot] }, int32(def))
	case "bool":
		return blackboard.BoolFact(name, func(c *C) *bool { return &at(c).Bools[slot] }, def != 0)
	}
	panic("kind " + kind)
}

// get returns a fact of a case. Its first use declares it, unless the case lists the known facts.
func (f *Facts) get(c *UtilityCase, name string) int {
	if i, ok := f.names[name]; ok {
		return i
	}
	slot := len(f.own)
	f.names[name] = slot
	declared := c.Evaluator.Facts[name]
	f.kinds = append(f.kinds, declared.Kind)
	f.own = append(f.own, factOf(name, declared.Kind, slot, declared.Default, func(s *self) *self { return s }))
	f.target = append(f.target, factOf(name, declared.Kind, slot, declared.Default,
		func(o *other) *self { return &o.self }))
	return slot
}

// OrElse returns the number, or a default if it is not given.
func OrElse(n *Number, def float64) float64 {
	if n == nil {
		return def
	}
	return float64(*n)
}

// Build builds the curve, inverted once more if inverted is set.
func (c *Curve) Build(inverted bool) utility.Curve {
	var k utility.Curve
	switch c.Type {
	case "linear":
		k = utility.Linear()
	case "polynomial":
		k = utility.Polynomial(OrElse(c.Exponent, 2))
	case "quadratic":
		k = utility.Quadratic()
	case "inverse_quadratic":
		k = utility.InverseQuadratic()
	case "exponential":
		k = utility.Exponential(OrElse(c.Steepness, 4))
	case "logistic":
		k = utility.Logistic(OrElse(c.Steepness, 8), OrElse(c.Mid, 0.5))
	case "logistic_exact":
		k = utility.LogisticExact(OrElse(c.Steepness, 8), OrElse(c.Mid, 0.5))
	case "logit":
		k = utility.Logit()
	case "bell":
		k = utility.Bell(OrElse(c.Mean, 0.5), OrElse(c.Deviation, 0))
	case "sine":
		k = utility.Sine(OrElse(c.Frequency, 1))
	case "smoothstep":
		k = utility.Smoothstep()
	case "smootherstep":
		k = utility.Smootherstep()
	case "step":
		k = utility.Step(OrElse(c.Threshold, 0.5))
	case "piecewise":
		var points []utility.Point
		for _, p := range c.Points {
			points = append(points, utility.Point{X: float64(p[0]), Y: float64(p[1])})
		}
		k = utility.Piecewise(points...)
	default:
		panic("curve " + c.Type)
	}
	k = k.Slope(OrElse(c.Slope, 1)).ShiftX(float64(c.XShift)).ShiftY(float64(c.YShift))
	if inverted != c.Inverted {
		k = k.Inverted()
	}
	return k
}

var combinations = map[string]utility.Combination{
	"compensated": utility.Compensated, "compensated_each": utility.CompensatedEach, "product": utility.Product,
	"weighted_sum": utility.WeightedSum, "geometric_mean": utility.GeometricMean,
	"min": utility.Min, "max": utility.Max,
}

// Build builds the evaluator of a case.
func (c *UtilityCase) Build(f *Facts) (*utility.Evaluator, error) {
	var actions []*utility.Action
	for _, a := range c.Evaluator.Actions {
		var considerations []*utility.Consideration
		for _, k := range a.Considerations {
			fact := blackboard.Fact{}
			if known := c.KnownFacts == nil || slices.Contains(c.KnownFacts, k.Fact); known {
				fact = f.own[f.get(c, k.Fact)]
				if k.Of == "target" {
					fact = f.target[f.get(c, k.Fact)]
				}
			}
			b := utility.Consider(fact, k.Curve.Build(k.Inverted)).Weight(OrElse(k.Weight, 1)).Named(k.Fact)
			if k.Range != nil {
				b.Range(float64(k.Range[0]), float64(k.Range[1]))
			}
			if k.Gate {
				b.Gate()
			}
			considerations = append(considerations, b)
		}
		action := utility.NewAction(a.Name, considerations...).Weight(OrElse(a.Weight, 1)).Rank(a.Rank)
		if a.Targeted {
			action.For(otherList)
		}
		actions = append(actions, action)
	}
	e := c.Evaluator
	d := utility.Choose(actions...).Combine(combinations[e.Combination]).Inertia(float64(e.Inertia)).
		Minimum(float64(e.Minimum)).Commit(duration(float64(e.Commitment)))
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

// duration converts seconds. Infinite seconds become the longest duration.
func duration(seconds float64) time.Duration {
	if nanoseconds := math.Round(seconds * 1e9); nanoseconds < math.MaxInt64 {
		return time.Duration(nanoseconds)
	}
	return math.MaxInt64
}

// Entity returns the entity of a target's id.
func Entity(id string) components.Entity {
	e := components.Entity{Generation: 7}
	for _, r := range id {
		e.Index = e.Index*31 + uint32(r)
	}
	return e
}

// Set gives a lane the facts of an agent and its targets. A fact that is not given has its default.
func (f *Facts) Set(l *blackboard.Lanes, e *utility.Evaluator, lane int, values map[string]Number, targets []Target) {
	for _, fact := range e.Facts() {
		if fact.Component() == otherList.Count().Component() {
			continue
		}
		f.one(l, lane, fact, values)
	}
	if !reads(e, otherList.Count()) {
		return
	}
	l.SetInt(otherList.Count(), lane, int64(len(targets)))
	for k, target := range targets {
		l.SetEntity(otherList.Entity(k), lane, Entity(target.ID))
		for _, fact := range f.target {
			if field := otherList.Field(k, fact); reads(e, field) {
				f.named(l, lane, field, fact.Name(), target.Facts)
			}
		}
	}
}

func reads(e *utility.Evaluator, f blackboard.Fact) bool {
	for _, known := range e.Facts() {
		if known.Same(f) {
			return true
		}
	}
	return false
}

func (f *Facts) one(l *blackboard.Lanes, lane int, fact blackboard.Fact, values map[string]Number) {
	f.named(l, lane, fact, fact.Name(), values)
}

func (f *Facts) named(l *blackboard.Lanes, lane int, fact blackboard.Fact, name string, values map[string]Number) {
	v, given := values[name]
	switch fact.Kind() {
	case blackboard.Float:
		x := float32(v)
		if !given {
			x = fact.Field().DefaultFloat
		}
		l.SetFloat(fact, lane, x)
	case blackboard.Int:
		x := int64(v)
		if !given {
			x = fact.Field().DefaultInt
		}
		l.SetInt(fact, lane, x)
	case blackboard.Bool:
		if !given {
			v = Number(fact.Field().DefaultInt)
		}
		l.SetBool(fact, lane, v != 0)
	}
}

// NewFacts returns the facts of a case that is not built yet.
func NewFacts() *Facts { return &Facts{names: map[string]int{}} }

// Tolerance returns the greatest error of a value.
func (c *UtilityCase) Tolerance() float64 {
	if c.Exact {
		return 0
	}
	if c.Tol > 0 {
		return c.Tol
	}
	return 2e-5
}

// ChoiceOf returns the choice that a case expects; given is false when it does not say.
func (x *Expect) ChoiceOf() (c components.Choice, given bool, err error) {
	if x.Choice == nil {
		return c, false, nil
	}
	var choice *struct {
		Action int
		Target *string
	}
	if err := json.Unmarshal(x.Choice, &choice); err != nil {
		return c, true, err
	}
	if choice != nil {
		c.Action = uint16(choice.Action) + 1
		if choice.Target != nil {
			c.Target = Entity(*choice.Target)
		}
	}
	return c, true, nil
}
