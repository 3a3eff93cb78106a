package villagers

import (
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/curves"
	"github.com/flockwork-ai/flockwork/components"
)

// Utility AI of objects, the way it is commonly written for games: a consideration is two closures, one that reads a
// fact from a blackboard and one that is the response curve; actions hold considerations, an evaluator holds actions
// and the current one. Villagers share considerations and actions; each has a blackboard and an evaluator. The code was
// written for this comparison.

// villagerBoard is a villager's blackboard: a dictionary, or the villager's component where values is nil.
type villagerBoard struct {
	needs  *facts
	values map[string]any
}

// float reads a fact from the dictionary; a missing one reads as 0.
func (b *villagerBoard) float(key string) float32 {
	v, _ := b.values[key].(float32)
	return v
}

// write writes the facts into the dictionary.
func (b *villagerBoard) write(n *facts) {
	b.values["hunger"] = n.Hunger
	b.values["food"] = n.Food
	b.values["fatigue"] = n.Fatigue
	b.values["night"] = n.Night
	b.values["loneliness"] = n.Loneliness
	b.values["friendsNear"] = n.Friends
	b.values["day"] = n.Day
}

type closureConsideration struct {
	name  string
	fact  func(*villagerBoard) float32
	curve func(float32) float32
}

func (c *closureConsideration) evaluate(b *villagerBoard) float32 {
	return curves.Clamp(c.curve(c.fact(b)))
}

type closureAction struct {
	name           string
	weight         float32
	considerations []*closureConsideration
}

func (a *closureAction) score(b *villagerBoard) float32 {
	n := len(a.considerations)
	if n == 0 {
		return a.weight
	}
	product := float32(1)
	for _, c := range a.considerations {
		product *= c.evaluate(b)
	}
	makeup := (1 - product) * (1 - 1/float32(n))
	return a.weight * curves.Clamp(product+makeup*product)
}

type closureEvaluator struct {
	actions []*closureAction
	current int // index of actions, or -1
}

// selectBest returns the index of the action with the best score above 0, or -1.
func (e *closureEvaluator) selectBest(b *villagerBoard, inertia float32) int {
	best, bestScore := -1, float32(0)
	for i, a := range e.actions {
		s := a.score(b)
		if i == e.current && s > 0 {
			s += inertia
		}
		if s > bestScore {
			best, bestScore = i, s
		}
	}
	e.current = best
	return best
}

// villagerReadings are the functions by which considerations read their facts.
type villagerReadings struct {
	hunger, food, fatigue, night, loneliness, friends, day, rested func(*villagerBoard) float32
}

var dictionaryNeeds = villagerReadings{
	hunger:     func(b *villagerBoard) float32 { return b.float("hunger") },
	food:       func(b *villagerBoard) float32 { return b.float("food") },
	fatigue:    func(b *villagerBoard) float32 { return b.float("fatigue") },
	night:      func(b *villagerBoard) float32 { return b.float("night") },
	loneliness: func(b *villagerBoard) float32 { return b.float("loneliness") },
	friends:    func(b *villagerBoard) float32 { return b.float("friendsNear") },
	day:        func(b *villagerBoard) float32 { return b.float("day") },
	rested:     func(b *villagerBoard) float32 { return 1 - b.float("fatigue") },
}

var fieldNeeds = villagerReadings{
	hunger:     func(b *villagerBoard) float32 { return b.needs.Hunger },
	food:       func(b *villagerBoard) float32 { return b.needs.Food },
	fatigue:    func(b *villagerBoard) float32 { return b.needs.Fatigue },
	night:      func(b *villagerBoard) float32 { return b.needs.Night },
	loneliness: func(b *villagerBoard) float32 { return b.needs.Loneliness },
	friends:    func(b *villagerBoard) float32 { return b.needs.Friends },
	day:        func(b *villagerBoard) float32 { return b.needs.Day },
	rested:     func(b *villagerBoard) float32 { return 1 - b.needs.Fatigue },
}

// closureActions builds the villager's actions.
func closureActions(r *villagerReadings) []*closureAction {
	action := func(number int, considerations ...*closureConsideration) *closureAction {
		return &closureAction{actionNames[number], weights[number], considerations}
	}
	return []*closureAction{
		action(eat,
			&closureConsideration{"hunger", r.hunger, curves.Logistic(hungerSteepness, hungerMiddle)},
			&closureConsideration{"hasFood", r.food, curves.Linear}),
		action(sleep,
			&closureConsideration{"fatigue", r.fatigue, curves.Quadratic},
			&closureConsideration{"isNight", r.night, curves.Smoothstep}),
		action(socialise,
			&closureConsideration{"lonely", r.loneliness, curves.Linear},
			&closureConsideration{"friendsNear", r.friends, curves.Smoothstep}),
		action(work,
			&closureConsideration{"daytime", r.day, curves.Smoothstep},
			&closureConsideration{"notTooTired", r.rested, curves.Linear}),
	}
}

// villagerState is a villager's blackboard and evaluator.
type villagerState struct {
	board     villagerBoard
	evaluator closureEvaluator
}

// stateIndex is the index of a villager's state. A component can hold no pointer to the state.
type stateIndex struct{ Index int32 }

// closureVillagers chooses by an evaluator object for each villager.
type closureVillagers struct {
	crowd     *crowd
	villagers *generic.Filter3[facts, components.Choice, stateIndex]
	states    []*villagerState
}

func newClosureVillagers(c *crowd, dictionary bool) *closureVillagers {
	v := &closureVillagers{crowd: c, villagers: generic.NewFilter3[facts, components.Choice, stateIndex]()}
	v.villagers.Register(c.world)
	read := &fieldNeeds
	if dictionary {
		read = &dictionaryNeeds
	}
	actions := closureActions(read)
	query := v.villagers.Query(c.world)
	for query.Next() {
		_, _, index := query.Get()
		index.Index = int32(len(v.states))
		m := &villagerState{evaluator: closureEvaluator{actions: actions, current: -1}}
		if dictionary {
			m.board.values = map[string]any{}
		}
		v.states = append(v.states, m)
	}
	return v
}

// tick chooses for all villagers by the facts of their blackboards.
func (v *closureVillagers) tick() {
	now := v.crowd.now()
	query := v.villagers.Query(v.crowd.world)
	for query.Next() {
		needs, choice, index := query.Get()
		m := v.states[index.Index]
		m.board.needs = needs
		best := m.evaluator.selectBest(&m.board, inertia)
		setChoice(choice, best, now)
	}
}

// setChoice writes a choice, if it differs from the current one; action -1 is none.
func setChoice(choice *components.Choice, action int, now components.Timestamp) {
	if int(choice.Action) == action+1 {
		return
	}
	*choice = components.Choice{}
	if action >= 0 {
		choice.Action, choice.Since = uint16(action+1), now
	}
}

// write writes the facts of all villagers into their dictionaries.
func (v *closureVillagers) write() {
	query := v.villagers.Query(v.crowd.world)
	for query.Next() {
		needs, _, index := query.Get()
		v.states[index.Index].board.write(needs)
	}
}

func newClosureContestant(name string, agents int, seed uint64, dictionary bool) *contestant {
	c := newCrowd(agents, seed, generic.T[stateIndex]())
	v := newClosureVillagers(c, dictionary)
	contestant := &contestant{name: name, crowd: c, tick: v.tick}
	if dictionary {
		contestant.prepare = v.write
		contestant.runPrepare()
	}
	return contestant
}

// newWritingContestant only writes the dictionaries and chooses nothing.
func newWritingContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed, generic.T[stateIndex]())
	v := newClosureVillagers(c, true)
	return &contestant{name: byWriting, crowd: c, tick: v.write, idle: true}
}
