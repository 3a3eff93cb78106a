package aitree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/reference"
	"github.com/flockwork-ai/flockwork/utility"
)

// What random UtilitySelectors choose by: facts that walk at random, and evaluators of them as the plain reference has
// them and as the package builds them. All numbers are multiples of 1/16, so that an amount is met exactly as often as
// it is exceeded.

// wishFacts are the facts of an agent.
type wishFacts struct {
	Level [4]float32
	Tally [2]int16
	Flag  [2]bool
	When  components.Timestamp
	Whom  components.Entity
}

// A thing is what an agent can turn to.
type thing struct {
	Who   components.Entity
	Near  float32
	Worth float32
	Sort  int8
	Fresh bool
}

type fewThings struct {
	List  [4]thing
	Count uint8
}

type manyThings struct {
	List  [8]thing
	Count uint8
}

// The lists of targets.
var lists = [...]blackboard.List{
	blackboard.ListOf("few", func(t *fewThings) []thing { return t.List[:] },
		func(t *fewThings) *uint8 { return &t.Count }, func(t *thing) *components.Entity { return &t.Who }),
	blackboard.ListOf("many", func(t *manyThings) []thing { return t.List[:] },
		func(t *manyThings) *uint8 { return &t.Count }, func(t *thing) *components.Entity { return &t.Who }),
}

// Inputs of an agent, by their numbers in the reference. What is not finite reads as its default.
const (
	inputLevel  = 0
	inputTally  = 4
	inputFlag   = 6
	inputWhen   = 8
	inputWhom   = 9
	inputCustom = 10
	ownInputs   = 11
)

var (
	levelFacts, tallyFacts, flagFacts = ownFacts()

	whenFact = blackboard.AgeFact("when", func(w *wishFacts) *components.Timestamp { return &w.When })
	whomFact = blackboard.EntityFact("whom", func(w *wishFacts) *components.Entity { return &w.Whom })

	// Facts of a target, by their numbers in the reference.
	thingFacts = []blackboard.Fact{
		blackboard.FloatFact("near", func(t *thing) *float32 { return &t.Near }, 0.5),
		blackboard.FloatFact("worth", func(t *thing) *float32 { return &t.Worth }, 0.25),
		blackboard.IntFact("sort", func(t *thing) *int8 { return &t.Sort }, 0),
		blackboard.BoolFact("fresh", func(t *thing) *bool { return &t.Fresh }, false),
	}
)

func ownFacts() (level, tally, flag []blackboard.Fact) {
	for i := range 4 {
		name := "level " + strconv.Itoa(i)
		level = append(level, blackboard.FloatFact(name, func(w *wishFacts) *float32 { return &w.Level[i] }, float32(i)/4))
	}
	for i := range 2 {
		n := strconv.Itoa(i)
		tally = append(tally, blackboard.IntFact("tally "+n, func(w *wishFacts) *int16 { return &w.Tally[i] }, 0))
		flag = append(flag, blackboard.BoolFact("flag "+n, func(w *wishFacts) *bool { return &w.Flag[i] }, false))
	}
	return level, tally, flag
}

// wishes are those facts of one agent.
type wishes struct {
	wishFacts
	lists [len(lists)][]thing // what is listed; one without an entity is dead
	extra [len(lists)]bool    // the count says that there are more than the list holds
	born  uint32
	rng   *rand.Rand
}

func newWishes(seed uint64) *wishes {
	w := &wishes{rng: rand.New(rand.NewPCG(seed, 3))}
	for range 8 {
		w.walk(1e9)
	}
	return w
}

func (w *wishes) step(v float32) float32 {
	if v != v {
		v = 0.5
	}
	if w.rng.IntN(60) == 0 {
		return float32(math.NaN())
	}
	return max(-0.25, min(v+float32(w.rng.IntN(13)-6)/16, 1.25))
}

// walk lets time pass.
func (w *wishes) walk(now components.Timestamp) {
	oneIn := func(n int) bool { return w.rng.IntN(n) == 0 }
	for i := range w.Level {
		if oneIn(2) {
			w.Level[i] = w.step(w.Level[i])
		}
	}
	for i := range w.Tally {
		if oneIn(3) {
			w.Tally[i] = max(-2, min(w.Tally[i]+int16(w.rng.IntN(3)-1), 6))
		}
		if oneIn(6) {
			w.Flag[i] = !w.Flag[i]
		}
	}
	if oneIn(6) {
		w.When = []components.Timestamp{0, now, max(1, now-500e6)}[w.rng.IntN(3)]
	}
	if oneIn(5) {
		w.Whom.Index ^= 5
	}
	for i := range w.lists {
		list := w.lists[i]
		most := lists[i].Len()
		if oneIn(4) && len(list) < most { // one comes
			w.born++
			who := components.Entity{Index: 100 + w.born/2, Generation: w.born % 2}
			list = append(list, thing{Who: who, Near: w.step(0.5), Worth: w.step(0.5)})
		}
		if oneIn(6) && len(list) > 0 { // one goes
			at := w.rng.IntN(len(list))
			list = slices.Delete(list, at, at+1)
		}
		if oneIn(4) {
			w.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		for k := range list {
			t := &list[k]
			if oneIn(2) {
				t.Near = w.step(t.Near)
			}
			if oneIn(2) {
				t.Worth = w.step(t.Worth)
			}
			if oneIn(6) {
				t.Sort = int8(w.rng.IntN(5)) - 1
			}
			if oneIn(6) {
				t.Fresh = !t.Fresh
			}
			if oneIn(16) { // it dies
				t.Who = components.Entity{}
			}
		}
		w.lists[i] = list
		w.extra[i] = len(list) == most && oneIn(4)
	}
}

// A sight is what the reference is told of an agent.
type sight struct {
	own     []float32
	targets [len(lists)][]reference.Target
}

// orElse is a fact's default in the place of what is not finite.
func orElse(v float32, f blackboard.Fact) float32 {
	if v-v != 0 {
		return f.DefaultFloat()
	}
	return v
}

func truth(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func (w *wishes) sight(now components.Timestamp) (s sight) {
	if w == nil {
		return s
	}
	s.own = make([]float32, ownInputs)
	for i, v := range w.Level {
		s.own[inputLevel+i] = orElse(v, levelFacts[i])
	}
	for i := range w.Tally {
		s.own[inputTally+i], s.own[inputFlag+i] = float32(w.Tally[i]), truth(w.Flag[i])
	}
	age := int64(now - w.When)
	if w.When == 0 {
		age = blackboard.NeverAge
	}
	s.own[inputWhen] = float32(float64(age) / 1e9)
	s.own[inputWhom] = truth(w.Whom.Index != 0)
	if c := w.custom(); c-c == 0 {
		s.own[inputCustom] = c
	}
	for i, list := range w.lists {
		for _, t := range list {
			if !t.Who.IsZero() {
				s.targets[i] = append(s.targets[i], reference.Target{ID: idOf(t.Who), Inputs: []float32{
					orElse(t.Near, thingFacts[0]), orElse(t.Worth, thingFacts[1]), float32(t.Sort), truth(t.Fresh),
				}})
			}
		}
	}
	return s
}

// custom is the input of the user's own.
func (w *wishes) custom() float32 {
	if w.Flag[1] && w.Tally[0] > 3 {
		return float32(math.Inf(1))
	}
	return orElse(w.Level[0], levelFacts[0]) - float32(w.Tally[1])/4
}

func idOf(e components.Entity) uint64 { return uint64(e.Generation)<<32 | uint64(e.Index) }

func entityOf(id uint64) components.Entity {
	return components.Entity{Index: uint32(id), Generation: uint32(id >> 32)}
}

// A wishSetter gives a lane the value of a fact.
type wishSetter struct {
	fact blackboard.Fact
	set  func(l *blackboard.Lanes, lane int, w *wishes)
}

// wishSetters are those of all facts.
var wishSetters = allWishSetters()

func allWishSetters() (all []wishSetter) {
	add := func(f blackboard.Fact, set func(l *blackboard.Lanes, lane int, w *wishes)) {
		all = append(all, wishSetter{f, set})
	}
	for i, f := range levelFacts {
		add(f, func(l *blackboard.Lanes, lane int, w *wishes) { l.SetFloat(f, lane, w.Level[i]) })
	}
	for i, f := range tallyFacts {
		add(f, func(l *blackboard.Lanes, lane int, w *wishes) { l.SetInt(f, lane, int64(w.Tally[i])) })
	}
	for i, f := range flagFacts {
		add(f, func(l *blackboard.Lanes, lane int, w *wishes) { l.SetBool(f, lane, w.Flag[i]) })
	}
	add(whenFact, func(l *blackboard.Lanes, lane int, w *wishes) { l.SetTime(whenFact, lane, w.When) })
	add(whomFact, func(l *blackboard.Lanes, lane int, w *wishes) { l.SetEntity(whomFact, lane, w.Whom) })
	for i, list := range lists {
		add(list.Count(), func(l *blackboard.Lanes, lane int, w *wishes) {
			n := len(w.lists[i])
			if w.extra[i] {
				n += 3
			}
			l.SetInt(list.Count(), lane, int64(n))
		})
		for k := range list.Len() {
			element := func(f blackboard.Fact, set func(l *blackboard.Lanes, lane int, t *thing)) {
				add(f, func(l *blackboard.Lanes, lane int, w *wishes) {
					if k < len(w.lists[i]) {
						set(l, lane, &w.lists[i][k])
					}
				})
			}
			who, near, worth := list.Entity(k), list.Field(k, thingFacts[0]), list.Field(k, thingFacts[1])
			sort, fresh := list.Field(k, thingFacts[2]), list.Field(k, thingFacts[3])
			element(who, func(l *blackboard.Lanes, lane int, t *thing) { l.SetEntity(who, lane, t.Who) })
			element(near, func(l *blackboard.Lanes, lane int, t *thing) { l.SetFloat(near, lane, t.Near) })
			element(worth, func(l *blackboard.Lanes, lane int, t *thing) { l.SetFloat(worth, lane, t.Worth) })
			element(sort, func(l *blackboard.Lanes, lane int, t *thing) { l.SetInt(sort, lane, int64(t.Sort)) })
			element(fresh, func(l *blackboard.Lanes, lane int, t *thing) { l.SetBool(fresh, lane, t.Fresh) })
		}
	}
	return all
}

// settersOf returns the setters of the facts that a program reads.
func settersOf(p *executor.Program) (read []wishSetter) {
	for _, s := range wishSetters {
		if slices.ContainsFunc(p.Facts, s.fact.Same) {
			read = append(read, s)
		}
	}
	return read
}

// A refBrain is an evaluator as it is described.
type refBrain struct {
	name       string
	evaluator  reference.Evaluator
	list       int
	commitment float64 // seconds, as exactly as the package gets them
	rescores   bool
	amount     float32
}

func (b *refBrain) action(i int) string { return "a" + strconv.Itoa(i) }

func (b *refBrain) targeted() bool {
	return slices.ContainsFunc(b.evaluator.Actions, func(a reference.Action) bool { return a.Targeted })
}

// reads returns the inputs that considerations read, of the agent or of its targets.
func (b *refBrain) reads(ofTarget bool) (inputs []int) {
	for _, a := range b.evaluator.Actions {
		for _, c := range a.Considerations {
			if c.OfTarget == ofTarget && !slices.Contains(inputs, c.Input) {
				inputs = append(inputs, c.Input)
			}
		}
	}
	return inputs
}

// moved reports whether what considerations read differs by more than the amount, or a target has come or gone.
func (b *refBrain) moved(then, now *sight) bool {
	differ := func(x, y []float32, inputs []int) bool {
		return slices.ContainsFunc(inputs, func(i int) bool {
			return float32(math.Abs(float64(x[i]-y[i]))) > b.amount
		})
	}
	if differ(then.own, now.own, b.reads(false)) {
		return true
	}
	if !b.targeted() {
		return false
	}
	before, after := then.targets[b.list], now.targets[b.list]
	if len(before) != len(after) {
		return true
	}
	for _, t := range after {
		at := slices.IndexFunc(before, func(o reference.Target) bool { return o.ID == t.ID })
		if at < 0 || differ(before[at].Inputs, t.Inputs, b.reads(true)) {
			return true
		}
	}
	return false
}

// words returns how much state a node of it keeps.
func (b *refBrain) words(remember bool) int {
	n := 0
	if remember || b.commitment > 0 {
		n++
	}
	if b.targeted() {
		n += 2
	}
	if b.commitment > 0 {
		n++
	}
	if b.rescores {
		n += len(b.reads(false))
		if b.targeted() {
			n += lists[b.list].Len() * (2 + len(b.reads(true)))
		}
	}
	return n
}

// String writes the evaluator.
func (b *refBrain) String() string {
	text := fmt.Sprintf("%s: list %d, commits for %v s, rescores %v beyond %v, ", b.name, b.list, b.commitment,
		b.rescores, b.amount)
	return text + strings.ReplaceAll(fmt.Sprintf("%+v", b.evaluator), "Considerations:", "\n\tConsiderations:")
}

var combinations = map[string]utility.Combination{
	"compensated": utility.Compensated, "compensated_each": utility.CompensatedEach, "product": utility.Product,
	"weighted_sum": utility.WeightedSum, "geometric_mean": utility.GeometricMean, "min": utility.Min, "max": utility.Max,
}

// curveOf describes a curve to the package.
func curveOf(c *reference.Curve) utility.Curve {
	f := func(v float32) float64 { return float64(v) }
	var k utility.Curve
	switch c.Type {
	case "linear":
		k = utility.Linear()
	case "polynomial":
		k = utility.Polynomial(f(c.Exponent))
	case "inverse_quadratic":
		k = utility.InverseQuadratic()
	case "exponential":
		k = utility.Exponential(f(c.Steepness))
	case "logistic":
		k = utility.Logistic(f(c.Steepness), f(c.Mid))
	case "bell":
		k = utility.Bell(f(c.Mean), f(c.Deviation))
	case "smoothstep":
		k = utility.Smoothstep()
	case "step":
		k = utility.Step(f(c.Threshold))
	case "piecewise":
		var points []utility.Point
		for _, p := range c.Points {
			points = append(points, utility.Point{X: f(p[0]), Y: f(p[1])})
		}
		k = utility.Piecewise(points...)
	default:
		panic("curve " + c.Type)
	}
	k = k.Slope(f(c.Slope)).ShiftX(f(c.XShift)).ShiftY(f(c.YShift))
	if c.Inverted {
		k = k.Inverted()
	}
	return k
}

// build makes the evaluator of the package. custom is its input of number inputCustom.
func (b *refBrain) build(custom *utility.Input) (*utility.Evaluator, error) {
	var actions []*utility.Action
	for i := range b.evaluator.Actions {
		a := &b.evaluator.Actions[i]
		var considerations []*utility.Consideration
		for k := range a.Considerations {
			c := &a.Considerations[k]
			curve := curveOf(&c.Curve)
			var made *utility.Consideration
			switch {
			case c.OfTarget:
				made = utility.Consider(thingFacts[c.Input], curve)
			case c.Input == inputCustom:
				made = utility.ConsiderInput(custom, curve)
			default:
				facts := slices.Concat(levelFacts, tallyFacts, flagFacts, []blackboard.Fact{whenFact, whomFact})
				made = utility.Consider(facts[c.Input], curve)
			}
			if c.Ranged {
				made.Range(float64(c.A), float64(c.B))
			}
			if c.Gate {
				made.Gate()
			}
			considerations = append(considerations, made.Weight(float64(c.Weight)))
		}
		action := utility.NewAction(b.action(i), considerations...).Weight(float64(a.Weight)).Rank(a.Rank)
		if a.Targeted {
			action.For(lists[b.list])
		}
		actions = append(actions, action)
	}
	e := &b.evaluator
	d := utility.Choose(actions...).Combine(combinations[e.Combination]).Inertia(float64(e.Inertia)).
		Minimum(float64(e.Minimum)).Commit(b.commitment)
	switch e.Mode {
	case "softmax":
		d.Softmax(float64(e.Temperature))
	case "weighted_random":
		d.WeightedRandom()
	case "top_n":
		d.TopN(e.N)
	}
	if b.rescores {
		d.RescoreBeyond(float64(b.amount))
	}
	return utility.Build(b.name, d)
}

// think draws an evaluator of so many actions.
func (g *gardener) think(actions int) *refBrain {
	g.thoughts++
	b := &refBrain{name: "B" + strconv.Itoa(g.thoughts), list: g.below(len(lists))}
	e := &b.evaluator
	e.Combination = pick(g.dice, "compensated", "compensated_each", "product", "weighted_sum", "geometric_mean", "min",
		"max")
	e.Mode = pick(g.dice, "argmax", "argmax", "argmax", "argmax", "argmax", "softmax", "weighted_random", "top_n")
	e.Temperature, e.N = pick[float32](g.dice, 0.25, 1, 0), 1+g.below(3)
	e.Inertia = pick[float32](g.dice, 0.125, 0, 0.25, 0.5)
	e.Minimum = pick[float32](g.dice, 0, 0, 0, 0, 0, 0.25)
	if oneIn(g.dice, 2) {
		b.commitment = pick(g.dice, 1, g.seconds(), 0.25, 3)
	}
	e.Commitment = b.commitment
	for i := range actions {
		a := reference.Action{
			Weight: pick[float32](g.dice, 1, 1, 1, 0.5, 1.5, 1, 1, 0), Rank: pick(g.dice, 0, 0, 0, 0, 0, 0, 1, -1),
			Targeted: g.below(5) >= 2,
		}
		considerations := g.below(4)
		if a.Targeted { // or all targets are equal
			considerations = 1 + g.below(3)
		}
		for k := range considerations {
			a.Considerations = append(a.Considerations, g.consider(a.Targeted && k < 2, i))
		}
		e.Actions = append(e.Actions, a)
	}
	if oneIn(g.dice, 2) { // there is always something to do
		e.Actions[g.below(actions)] = reference.Action{Weight: pick[float32](g.dice, 0.25, 0.5)}
	}
	b.amount = pick[float32](g.dice, 0.25, 0.125, 0, 0.5)
	b.rescores = oneIn(g.dice, 2)
	if b.rescores && b.words(false) > g.room {
		b.list = 0
		b.rescores = b.words(false) <= g.room
	}
	return b
}

// consider draws a consideration.
func (g *gardener) consider(ofTarget bool, action int) reference.Consideration {
	c := reference.Consideration{OfTarget: ofTarget, Weight: pick[float32](g.dice, 1, 0.5, 2, 0), Gate: oneIn(g.dice, 8)}
	if ofTarget {
		c.Input = pick(g.dice, 0, 1, 0, 1, 2, 3)
	} else {
		c.Input = pick(g.dice, inputLevel+action%4, inputLevel+g.below(4), inputTally, inputTally+1, inputFlag, inputFlag+1,
			inputWhen, inputWhom, inputCustom)
	}
	switch {
	case ofTarget && c.Input == 2, !ofTarget && (c.Input == inputTally || c.Input == inputTally+1):
		c.Ranged, c.A, c.B = true, pick[float32](g.dice, 0, 4, 2), pick[float32](g.dice, 4, 0, 2)
	case !ofTarget && c.Input == inputWhen:
		c.Ranged, c.A, c.B = true, 0, pick[float32](g.dice, 2, 0.5)
	default:
		c.Ranged, c.A, c.B = oneIn(g.dice, 3), pick[float32](g.dice, 0, 1, -0.25), pick[float32](g.dice, 1, 0.75, 0)
	}
	k := &c.Curve
	k.Type = pick(g.dice, "linear", "linear", "linear", "linear", "step", "polynomial", "inverse_quadratic",
		"exponential", "logistic", "bell", "smoothstep", "piecewise")
	k.Slope = pick[float32](g.dice, 1, 1, 1, -0.5, 0.5)
	k.YShift = pick[float32](g.dice, 0, 0.125, 0.25)
	if k.Slope < 0 {
		k.YShift = 1
	}
	k.XShift = pick[float32](g.dice, 0, 0, 0.125)
	k.Exponent, k.Steepness, k.Mid = pick[float32](g.dice, 2, 0.5, 3), pick[float32](g.dice, 8, 2, -3), 0.5
	k.Mean, k.Deviation, k.Threshold = 0.5, 0.25, 0.5
	k.Points = [][2]float32{{0, 0.25}, {0.5, 1}, {0.5, 0.125}, {1, 0.75}}
	k.Inverted = oneIn(g.dice, 6)
	return c
}
