package aitree_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/scoringref"
)

// These are the facts that random UtilitySelectors read, which change at random. All numbers are multiples of 1/16, so
// that a value is often equal to the bound that it is compared with.

// utilityFields are the facts of an agent.
type utilityFields struct {
	Level [4]float32
	Tally [2]int16
	Flag  [2]bool
	When  components.Timestamp
	Whom  components.Entity
}

// A listedTarget is an element of a list of targets.
type listedTarget struct {
	Who   components.Entity
	Near  float32
	Worth float32
	Sort  int8
	Fresh bool
}

type fewTargets struct {
	List  [4]listedTarget
	Count uint8
}

type manyTargets struct {
	List  [8]listedTarget
	Count uint8
}

// The lists of targets.
var lists = [...]blackboard.List{
	blackboard.ListOf("few", func(t *fewTargets) []listedTarget { return t.List[:] },
		func(t *fewTargets) *uint8 { return &t.Count }, func(t *listedTarget) *components.Entity { return &t.Who }),
	blackboard.ListOf("many", func(t *manyTargets) []listedTarget { return t.List[:] },
		func(t *manyTargets) *uint8 { return &t.Count }, func(t *listedTarget) *components.Entity { return &t.Who }),
}

// Inputs of an agent, by their numbers in the reference. What is not finite reads as its default.
const (
	inputLevel  = 0
	inputTally  = 4
	inputFlag   = 6
	inputWhen   = 8
	inputWhom   = 9
	inputCustom = 10
	inputTests  = 11 // conditions of the evaluator
	ownInputs   = 15
)

var (
	levelFacts, tallyFacts, flagFacts = agentFacts()

	whenFact = blackboard.AgeFact("when", func(w *utilityFields) *components.Timestamp { return &w.When })
	whomFact = blackboard.EntityFact("whom", func(w *utilityFields) *components.Entity { return &w.Whom })

	// Facts of a target, by their numbers in the reference.
	thingFacts = []blackboard.Fact{
		blackboard.FloatFact("near", func(t *listedTarget) *float32 { return &t.Near }, 0.5),
		blackboard.FloatFact("worth", func(t *listedTarget) *float32 { return &t.Worth }, 0.25),
		blackboard.IntFact("sort", func(t *listedTarget) *int8 { return &t.Sort }, 0),
		blackboard.BoolFact("fresh", func(t *listedTarget) *bool { return &t.Fresh }, false),
	}
)

func agentFacts() (level, tally, flag []blackboard.Fact) {
	for i := range 4 {
		name := "level " + strconv.Itoa(i)
		level = append(level, blackboard.FloatFact(name, func(w *utilityFields) *float32 { return &w.Level[i] },
			float32(i)/4))
	}
	for i := range 2 {
		n := strconv.Itoa(i)
		tally = append(tally, blackboard.IntFact("tally "+n, func(w *utilityFields) *int16 { return &w.Tally[i] }, 0))
		flag = append(flag, blackboard.BoolFact("flag "+n, func(w *utilityFields) *bool { return &w.Flag[i] }, false))
	}
	return level, tally, flag
}

// utilityFacts are those facts of one agent.
type utilityFacts struct {
	utilityFields
	lists [len(lists)][]listedTarget // what is listed; one without an entity is dead
	extra [len(lists)]bool           // the count says that there are more than the list holds
	born  uint32
	rng   *rand.Rand
}

func newUtilityFacts(seed uint64) *utilityFacts {
	w := &utilityFacts{rng: rand.New(rand.NewPCG(seed, 3))}
	for range 8 {
		w.walk(1e9)
	}
	return w
}

func (w *utilityFacts) step(v float32) float32 {
	if v != v {
		v = 0.5
	}
	if w.rng.IntN(60) == 0 {
		return float32(math.NaN())
	}
	return max(-0.25, min(v+float32(w.rng.IntN(13)-6)/16, 1.25))
}

// walk lets time pass.
func (w *utilityFacts) walk(now components.Timestamp) {
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
			list = append(list, listedTarget{Who: who, Near: w.step(0.5), Worth: w.step(0.5)})
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
type readings struct {
	own     []float32
	targets [len(lists)][]scoringref.Target
}

// orElse is a fact's default in the place of what is not finite.
func orElse(v float32, f blackboard.Fact) float32 {
	if v-v != 0 {
		return f.Field().DefaultFloat
	}
	return v
}

func truth(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func (w *utilityFacts) sight(now components.Timestamp) (s readings) {
	s.own = make([]float32, ownInputs)
	if w == nil {
		return s
	}
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
				s.targets[i] = append(s.targets[i], scoringref.Target{ID: idOf(t.Who), Inputs: []float32{
					orElse(t.Near, thingFacts[0]), orElse(t.Worth, thingFacts[1]), float32(t.Sort), truth(t.Fresh),
				}})
			}
		}
	}
	return s
}

// custom is the input of the user's own.
func (w *utilityFacts) custom() float32 {
	if w.Flag[1] && w.Tally[0] > 3 {
		return float32(math.Inf(1))
	}
	return orElse(w.Level[0], levelFacts[0]) - float32(w.Tally[1])/4
}

func idOf(e components.Entity) uint64 { return uint64(e.Generation)<<32 | uint64(e.Index) }

func entityOf(id uint64) components.Entity {
	return components.Entity{Index: uint32(id), Generation: uint32(id >> 32)}
}

// A factSetter gives a lane the value of a fact.
type factSetter struct {
	fact blackboard.Fact
	set  func(l *blackboard.Lanes, lane int, w *utilityFacts)
}

// factSetters are those of all facts.
var factSetters = allFactSetters()

func allFactSetters() (all []factSetter) {
	add := func(f blackboard.Fact, set func(l *blackboard.Lanes, lane int, w *utilityFacts)) {
		all = append(all, factSetter{f, set})
	}
	for i, f := range levelFacts {
		add(f, func(l *blackboard.Lanes, lane int, w *utilityFacts) { l.SetFloat(f, lane, w.Level[i]) })
	}
	for i, f := range tallyFacts {
		add(f, func(l *blackboard.Lanes, lane int, w *utilityFacts) { l.SetInt(f, lane, int64(w.Tally[i])) })
	}
	for i, f := range flagFacts {
		add(f, func(l *blackboard.Lanes, lane int, w *utilityFacts) { l.SetBool(f, lane, w.Flag[i]) })
	}
	add(whenFact, func(l *blackboard.Lanes, lane int, w *utilityFacts) { l.SetTime(whenFact, lane, w.When) })
	add(whomFact, func(l *blackboard.Lanes, lane int, w *utilityFacts) { l.SetEntity(whomFact, lane, w.Whom) })
	for i, list := range lists {
		add(list.Count(), func(l *blackboard.Lanes, lane int, w *utilityFacts) {
			n := len(w.lists[i])
			if w.extra[i] {
				n += 3
			}
			l.SetInt(list.Count(), lane, int64(n))
		})
		for k := range list.Len() {
			element := func(f blackboard.Fact, set func(l *blackboard.Lanes, lane int, t *listedTarget)) {
				add(f, func(l *blackboard.Lanes, lane int, w *utilityFacts) {
					if k < len(w.lists[i]) {
						set(l, lane, &w.lists[i][k])
					}
				})
			}
			who, near, worth := list.Entity(k), list.Field(k, thingFacts[0]), list.Field(k, thingFacts[1])
			sort, fresh := list.Field(k, thingFacts[2]), list.Field(k, thingFacts[3])
			element(who, func(l *blackboard.Lanes, lane int, t *listedTarget) { l.SetEntity(who, lane, t.Who) })
			element(near, func(l *blackboard.Lanes, lane int, t *listedTarget) { l.SetFloat(near, lane, t.Near) })
			element(worth, func(l *blackboard.Lanes, lane int, t *listedTarget) { l.SetFloat(worth, lane, t.Worth) })
			element(sort, func(l *blackboard.Lanes, lane int, t *listedTarget) { l.SetInt(sort, lane, int64(t.Sort)) })
			element(fresh, func(l *blackboard.Lanes, lane int, t *listedTarget) { l.SetBool(fresh, lane, t.Fresh) })
		}
	}
	return all
}

// settersOf returns the setters of the facts that a program reads.
func settersOf(p *executor.Program) (read []factSetter) {
	for _, s := range factSetters {
		if slices.ContainsFunc(p.Facts, s.fact.Same) {
			read = append(read, s)
		}
	}
	return read
}
