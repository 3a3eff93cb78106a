package aitree_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

type vitals struct {
	Health float32
	Ammo   int16
	Alarm  bool
	Hurt   components.Timestamp
	Foe    components.Entity
}

var (
	health = blackboard.FloatFact("health", func(v *vitals) *float32 { return &v.Health }, 1)
	ammo   = blackboard.IntFact("ammo", func(v *vitals) *int16 { return &v.Ammo }, 0)
	alarm  = blackboard.BoolFact("alarm", func(v *vitals) *bool { return &v.Alarm }, false)
	hurt   = blackboard.AgeFact("hurt", func(v *vitals) *components.Timestamp { return &v.Hurt })
	foe    = blackboard.EntityFact("foe", func(v *vitals) *components.Entity { return &v.Foe })
)

func testActions(t testing.TB) *aitree.Actions {
	a := aitree.NewActions()
	_, err := a.Register("walk", components.Move)
	require.NoError(t, err)
	_, err = a.Register("aim", components.Act)
	require.NoError(t, err)
	_, err = a.RegisterTrigger("bang")
	require.NoError(t, err)
	return a
}

// Facts of what the AI writes.
var (
	serial  = blackboard.IntFact("serial", func(i *components.Intent) *uint16 { return &i.Orders[0].Serial }, 0)
	ordered = blackboard.EntityFact("ordered",
		func(i *components.Intent) *components.Entity { return &i.Orders[0].Target })
	mindWord = blackboard.IntFact("mind word", func(m *components.Mind64) *uint32 { return &m.Words[2] }, 0)
)

func holdsNever(*blackboard.Context) uint64 { return 0 }

func succeed(c *blackboard.Context) (uint64, uint64) { return c.Mask, 0 }

func TestBuildNamesThePlaceAndTheFault(t *testing.T) {
	ok := func() *aitree.Node { return aitree.Leaf("ok", succeed) }
	deep := ok()
	for range 256 {
		deep = aitree.Inverter(deep)
	}
	chain := func(length int) (list []aitree.Definition) {
		for i := range length - 1 {
			list = append(list, aitree.Define(strconv.Itoa(i), aitree.Subtree(strconv.Itoa(i+1))))
		}
		return append(list, aitree.Define(strconv.Itoa(length-1), ok()))
	}
	nested := aitree.True(alarm)
	for range 257 {
		nested = aitree.AllOf(nested)
	}
	var crowd, timers []*aitree.Node
	for range 17 {
		crowd = append(crowd, ok())
	}
	for range 63 {
		timers = append(timers, aitree.Cooldown(time.Second, ok()))
	}
	evaluator := func(name string, actions ...*utility.Action) *utility.Evaluator {
		e, err := utility.Build(name, utility.Choose(actions...))
		require.NoError(t, err)
		return e
	}
	act := func(name string) *utility.Action { return utility.NewAction(name) }
	toThings := evaluator("things", act("go").For(lists[0]), act("rest"))
	wide, err := utility.Build("wide", utility.Choose(utility.NewAction("go",
		utility.Consider(thingFacts[0], utility.Linear()),
		utility.Consider(thingFacts[1], utility.Linear())).For(lists[1])).RescoreBeyond(1))
	require.NoError(t, err)
	selector := func(goes, rests *aitree.Node) *aitree.Node {
		return aitree.UtilitySelector(toThings, aitree.On("go", goes), aitree.On("rest", rests))
	}
	for _, c := range []struct {
		name      string
		root      *aitree.Node
		subtrees  []aitree.Definition
		expecting string
	}{
		{"no root", nil, nil, `tree "t": no root`},
		{"empty composite", aitree.Sequence(), nil, `tree "t" > Sequence: no children; give it one or more`},
		{"empty composite below", aitree.Selector(ok(), aitree.Sequence().Named("inner")), nil,
			`tree "t" > Selector > Sequence[1] "inner": no children`},
		{"decorator without child", aitree.Selector(aitree.Inverter(nil)), nil,
			`Selector > Inverter[0]: no child; give it one`},
		{"nil child", aitree.Sequence(ok(), nil), nil, `Sequence: child 1 is nil; give it a node`},
		{"zero fact", aitree.Check(aitree.True(blackboard.Fact{})), nil,
			`Check: fact that cannot be used: blackboard: the zero Fact names no field`},
		{"fact outside its component", aitree.Check(aitree.Less(blackboard.FloatFact("lost",
			func(*vitals) *float32 { return new(float32) }, 0), 1)), nil,
			`fact that cannot be used: blackboard: fact "lost": the accessor returned a pointer outside the ` +
				`aitree_test.vitals`},
		{"no condition", aitree.Guard(nil, ok()), nil, `Guard: no condition; use True, Less, Predicate or another`},
		{"bool compared", aitree.Check(aitree.Less(alarm, 1)), nil,
			`Check: fact "alarm" of kind bool compared with a number; use True, Alive or EqualFact`},
		{"number as truth", aitree.Check(aitree.True(health)), nil,
			`Check: True of fact "health", which is of kind float32; it takes a bool`},
		{"number alive", aitree.Check(aitree.Alive(ammo)), nil,
			`Check: Alive of fact "ammo", which is of kind integer; it takes an entity`},
		{"fraction for an integer", aitree.Check(aitree.Less(ammo, 2.5)), nil,
			`integer fact "ammo" compared with 2.5; use a whole number`},
		{"NaN", aitree.Check(aitree.Less(health, math.NaN())), nil,
			`fact "health" compared with NaN; use a finite number`},
		{"beyond float32", aitree.Check(aitree.Less(health, 1e300)), nil,
			`fact "health" compared with 1e+300, which is beyond the range of a float32`},
		{"age beyond the clock", aitree.Check(aitree.Less(hurt, time.Duration(math.MaxInt64))), nil,
			`age "hurt" compared with 2562047h47m16.854775807s; the limit is 9e9 seconds`},
		{"number for an age", aitree.Check(aitree.Less(hurt, 1.5)), nil,
			`Check: age "hurt" compared with the number 1.5; use a time.Duration`},
		{"duration for a float", aitree.Check(aitree.Less(health, time.Second)), nil,
			`fact "health" of kind float32 compared with the duration 1s; use a number, or a fact of kind age`},
		{"duration for an integer", aitree.Check(aitree.Less(ammo, time.Second)), nil,
			`fact "ammo" of kind integer compared with the duration 1s; use a number, or a fact of kind age`},
		{"two kinds", aitree.Check(aitree.LessFact(health, ammo)), nil,
			`fact "health" of kind float32 compared with fact "ammo" of kind integer; compare two numbers`},
		{"entities ordered", aitree.Check(aitree.LessFact(foe, foe)), nil,
			`fact "foe" of kind entity compared with fact "foe" of kind entity`},
		{"predicate without function", aitree.Check(aitree.Predicate("p", nil)), nil,
			`Check: predicate "p" has no function`},
		{"nothing in an AllOf", aitree.Guard(aitree.AllOf(), ok()), nil,
			`Guard: AllOf of no conditions; give it one or more`},
		{"nothing in an AnyOf", aitree.Guard(aitree.Not(aitree.AnyOf()), ok()), nil,
			`Guard: AnyOf of no conditions; give it one or more`},
		{"nil in an AnyOf in an AllOf",
			aitree.Check(aitree.AllOf(aitree.True(alarm), aitree.AnyOf(aitree.Not(nil)))), nil,
			`Check > AllOf[1] > AnyOf[0]: no condition; use True, Less, Predicate or another`},
		{"faulty condition in an AllOf", aitree.Do("walk").Until(aitree.AllOf(aitree.Less(alarm, 1))), nil,
			`Do > AllOf[0]: fact "alarm" of kind bool compared with a number`},
		{"order in an AnyOf", aitree.Check(aitree.AnyOf(aitree.True(alarm), aitree.Equal(serial, 1))), nil,
			`Check > AnyOf[1]: fact "serial" of components.Intent`},
		{"conditions too deep", aitree.Check(nested), nil, `conditions nested deeper than 256; flatten them`},
		{"chance of an integer", aitree.Check(aitree.Chance(ammo)), nil,
			`Check: Chance of fact "ammo", which is of kind integer; it takes a float, the probability`},
		{"chance of no fact", aitree.Check(aitree.Chance(blackboard.Fact{})), nil,
			`Check: fact that cannot be used: blackboard: the zero Fact names no field`},
		{"Reads on an AllOf", aitree.Check(aitree.AllOf(aitree.True(alarm)).Reads(ammo)), nil,
			`Check: Reads has no meaning`},
		{"leaf without function", aitree.Leaf("l", nil), nil, `Leaf "l": no function`},
		{"unknown action", aitree.Do("fly"), nil,
			`Do: unknown action "fly"; known are walk, aim, bang; register it with Actions.Register, `},
		{"target of a number", aitree.Do("walk", aitree.Target(health)), nil,
			`Do: a binding to fact "health" of kind float32, which must be of kind entity`},
		{"third number", aitree.Do("walk", aitree.NumberOf(2, 1)), nil,
			`Do: a binding of a number that is neither 0 nor 1`},
		{"Do of a trigger", aitree.Sequence(aitree.Do("bang")), nil,
			`action "bang" is registered as a trigger, which is over at once; post it with Fire`},
		{"Fire of a durative action", aitree.Sequence(aitree.Fire("walk")), nil,
			`action "walk" is registered as a durative action of channel move; post it with Do, or register it with ` +
				`Actions.RegisterTrigger`},
		{"Fire of an unknown action", aitree.Fire("zap"), nil,
			`unknown action "zap"; known are walk, aim, bang; register it with Actions.RegisterTrigger, `},
		{"point of a trigger", aitree.Fire("bang", aitree.PointAt(1, 2)), nil,
			`Fire: a trigger has a target and number 0; point and number 1 belong to Do`},
		{"infinite constant", aitree.Do("walk", aitree.NumberOf(0, float32(math.Inf(1)))), nil,
			`Do: a binding to the constant +Inf; use a finite number`},
		{"field bound twice", aitree.Do("walk", aitree.PointAt(1, 2), aitree.PointAt(2, 1)), nil,
			`Do: one field is bound twice`},
		{"negative wait", aitree.Wait(-time.Second), nil, `Wait: a duration of -1s; use 0 or more`},
		{"negative cooldown", aitree.Cooldown(-1, ok()), nil, `Cooldown: a duration of -1ns; use 0 or more`},
		{"longest timeout there is", aitree.Timeout(math.MaxInt64, ok()), nil,
			`Timeout: a duration of 2562047h47m16.854775807s; the limit is 35m47.483647s`},
		{"wait beyond 35 minutes", aitree.Wait(2148 * time.Second), nil,
			`Wait: a duration of 35m48s; the limit is 35m47.483647s`},
		{"wait the wrong way round", aitree.WaitBetween(2*time.Second, time.Second), nil,
			`Wait: waits between 2s and 1s; the first must not exceed the second`},
		{"policy of none", aitree.Parallel(aitree.AtLeast(0), aitree.One, ok()), nil,
			`Parallel: success policy cannot be met by 1 children; use One, All or AtLeast(1…1)`},
		{"policy of too many", aitree.Parallel(aitree.All, aitree.AtLeast(3), ok(), ok()), nil,
			`Parallel: failure policy cannot be met by 2 children`},
		{"negative weight", aitree.WeightedChoice(aitree.Weight(-1, ok())), nil,
			`WeightedChoice: weight 0 is -1; use a finite number of 0 or more`},
		{"no weight", aitree.WeightedChoice(aitree.Weight(0, ok())), nil,
			`WeightedChoice: the weights add up to 0; use a finite sum above 0`},
		{"too many choices", aitree.RandomSelector(crowd...), nil, `RandomSelector: 17 children; the limit is 16`},
		{"too deep", deep, nil, `deeper than 256 nodes; split the tree or flatten it`},
		{"too much state", aitree.Sequence(timers...), nil,
			`the tree needs 260 bytes of state; the largest mind has 256`},
		{"one channel twice", aitree.Parallel(aitree.All, aitree.One, aitree.Do("walk").Named("a"),
			aitree.Sequence(ok(), aitree.Do("walk").Named("b"))), nil,
			`Parallel: two Do leaves of one channel in different branches of a Parallel would both hold it: tree ` +
				`"t" > Parallel > Do[0] "a" and tree "t" > Parallel > Sequence[1] > Do[1] "b"`},
		{"one channel twice through subtrees", aitree.Parallel(aitree.All, aitree.One, aitree.Subtree("s"),
			aitree.Subtree("s")), []aitree.Definition{aitree.Define("s", aitree.Do("walk"))},
			`two Do leaves of one channel in different branches`},
		{"unknown subtree", aitree.Sequence(aitree.Subtree("s")), []aitree.Definition{aitree.Define("u", ok())},
			`tree "t" > Sequence > Subtree "s": unknown subtree; defined are: "u"`},
		{"subtree without root", aitree.Subtree("s"), []aitree.Definition{aitree.Define("s", nil)},
			`Subtree "s": the subtree has no root`},
		{"recursion", aitree.Subtree("a"), []aitree.Definition{aitree.Define("a", aitree.Sequence(aitree.Subtree("b"))),
			aitree.Define("b", aitree.Inverter(aitree.Subtree("a")))},
			`Subtree "a" > Sequence > Subtree "b" > Inverter[0] > Subtree "a": the subtree contains itself`},
		{"subtrees too deep", aitree.Subtree("0"), chain(257),
			`Subtree "255" > Subtree "256": subtrees used in one another deeper than 256; use the innermost directly`},
		{"defined twice", ok(), []aitree.Definition{aitree.Define("a", ok()), aitree.Define("a", ok())},
			`tree "t": subtree "a" is defined twice`},
		{"subtree without name", ok(), []aitree.Definition{aitree.Define("", ok())}, `tree "t": subtree 0 has no name`},
		{"Latched on a Sequence", aitree.Sequence(ok()).Latched(), nil,
			`Sequence: Latched has no meaning for Sequence; it belongs to [Parallel]`},
		{"ClearedByAbort on a Wait", aitree.Wait(time.Second).ClearedByAbort(), nil,
			`ClearedByAbort has no meaning for Wait`},
		{"too many turns", aitree.RoundRobin(crowd...), nil, `RoundRobin: 17 children; the limit is 16`},
		{"no turns", aitree.RoundRobin(), nil, `RoundRobin: no children; give it one or more`},
		{"Recovery without recovery", aitree.Recovery(2, ok(), nil), nil, `Recovery: child 1 is nil; give it a node`},
		{"Every without child", aitree.Every(time.Second, nil), nil, `Every: no child; give it one`},
		{"negative Every", aitree.Every(-time.Second, ok()), nil, `Every: a duration of -1s; use 0 or more`},
		{"negative For", aitree.Do("walk").For(-1), nil, `Do: a duration of -1ns; use 0 or more`},
		{"For on a Wait", aitree.Wait(time.Second).For(time.Second), nil, `For has no meaning for Wait`},
		{"wait of an age", aitree.WaitFact(hurt), nil,
			`Wait: a duration of fact "hurt", which is of kind age; it takes a float, the seconds`},
		{"wait of no fact", aitree.WaitFact(blackboard.Fact{}), nil,
			`Wait: fact that cannot be used: blackboard: the zero Fact names no field`},
		{"StartedByCompletion on a Timeout", aitree.Timeout(time.Second, ok()).StartedByCompletion(), nil,
			`StartedByCompletion has no meaning for Timeout; it belongs to [Cooldown]`},
		{"Until on a Fire", aitree.Fire("bang").Until(aitree.True(alarm)), nil, `Until has no meaning for Fire`},
		{"Until of nothing", aitree.Do("walk").Until(nil), nil, `Until was given no condition`},
		{"Reads on a Wait", aitree.Wait(time.Second).Reads(health), nil, `Reads has no meaning for Wait`},
		{"Keeps on a Do", aitree.Do("walk").Keeps(1), nil, `Keeps has no meaning for Do`},
		{"negative Keeps", ok().Keeps(-1), nil, `Leaf "ok": keeps -1 words; use 0 or more`},
		{"Keeps beyond the largest mind", ok().Keeps(63), nil,
			`Leaf "ok": keeps 63 words; the largest mind has room for 62`},
		{"Keeps beyond 32 bits", ok().Keeps(math.MaxInt), nil,
			fmt.Sprintf(`Leaf "ok": keeps %d words; the largest mind has room for 62`, math.MaxInt)},
		{"Keeps of 62 modulo 2^31", ok().Keeps(math.MinInt + 62), nil,
			fmt.Sprintf(`Leaf "ok": keeps %d words`, math.MinInt+62)},
		{"fact of an order", aitree.Check(aitree.Equal(serial, 1)), nil,
			`tree "t" > Check: fact "serial" of components.Intent, which the AI writes: its value would depend on ` +
				`which agents were ticked before; copy what you need into a custom component`},
		{"order compared with a fact", aitree.Check(aitree.LessFact(ammo, serial)), nil,
			`Check: fact "serial" of components.Intent`},
		{"predicate that reads a mind", aitree.Check(aitree.Predicate("p", holdsNever).Reads(ammo, mindWord)), nil,
			`Check: fact "mind word" of components.Mind64`},
		{"until an order", aitree.Do("walk").Until(aitree.Equal(serial, 1)), nil,
			`Do: fact "serial" of components.Intent`},
		{"target of an order", aitree.Do("walk", aitree.Target(ordered)), nil,
			`Do: fact "ordered" of components.Intent`},
		{"no evaluator", aitree.Sequence(aitree.UtilitySelector(nil, aitree.On("a", ok()))), nil,
			`tree "t" > Sequence > UtilitySelector[0]: no evaluator; make one with utility.Build`},
		{"neither evaluator nor branches", aitree.UtilitySelector(nil), nil, `UtilitySelector: no evaluator`},
		{"branch of an unknown action", aitree.UtilitySelector(toThings, aitree.On("go", ok()), aitree.On("rest", ok()),
			aitree.On("hop", ok())).Named("n"), nil,
			`UtilitySelector "n": a branch for "hop", which is not an action of evaluator "things"; its actions are ` +
				`["go" "rest"]`},
		{"action without a branch", aitree.UtilitySelector(toThings, aitree.On("go", ok())), nil,
			`UtilitySelector: no branch for action "rest" of evaluator "things"; give it one with On`},
		{"no branches", aitree.UtilitySelector(toThings), nil,
			`UtilitySelector: no branch for action "go" of evaluator "things"`},
		{"two branches", aitree.UtilitySelector(toThings, aitree.On("go", ok()), aitree.On("rest", ok()),
			aitree.On("go", ok())), nil,
			`UtilitySelector: two branches for action "go"; give it one`},
		{"nil branch", selector(ok(), nil), nil, `UtilitySelector: child 1 is nil; give it a node`},
		{"chosen target without a selector", aitree.Sequence(aitree.Do("walk", aitree.ChosenTarget())), nil,
			`tree "t" > Sequence > Do[0]: ChosenTarget has no UtilitySelector above it; use Target`},
		{"chosen target of an action without targets",
			selector(ok(), aitree.Sequence(aitree.Fire("bang", aitree.ChosenTarget()))), nil,
			`tree "t" > UtilitySelector > Sequence[1] > Fire[0]: ChosenTarget below action "rest" of evaluator ` +
				`"things", which has no targets; use Action.For`},
		{"chosen target of the nearest selector", selector(selector(aitree.Do("walk", aitree.ChosenTarget()),
			aitree.Do("walk", aitree.ChosenTarget())),
			ok()), nil,
			`UtilitySelector > UtilitySelector[0] > Do[1]: ChosenTarget below action "rest"`},
		{"chosen target in a subtree", selector(aitree.Subtree("s"), aitree.Subtree("s")),
			[]aitree.Definition{aitree.Define("s", aitree.Inverter(aitree.Do("walk", aitree.ChosenTarget())))},
			`tree "t" > UtilitySelector > Subtree "s" > Inverter[1] > Do[0]: ChosenTarget below action "rest"`},
		{"chosen target in a subtree without a selector", aitree.Subtree("s"),
			[]aitree.Definition{aitree.Define("s", aitree.Do("walk", aitree.ChosenTarget()))},
			`Subtree "s" > Do: ChosenTarget has no UtilitySelector above`},
		{"chosen target beside a target", selector(aitree.Do("walk", aitree.Target(foe), aitree.ChosenTarget()), ok()),
			nil,
			`Do[0]: one field is bound twice`},
		{"HoldUntilDone on a Selector", aitree.Selector(ok()).HoldUntilDone(), nil,
			`Selector: HoldUntilDone has no meaning for Selector; it belongs to [UtilitySelector]`},
		{"RememberChoice on a Do", aitree.Do("walk").RememberChoice(), nil, `Do: RememberChoice has no meaning for Do`},
		{"evaluator that reads an order", aitree.UtilitySelector(evaluator("e",
			utility.NewAction("a", utility.Consider(serial, utility.Linear()))), aitree.On("a", ok())), nil,
			`UtilitySelector: fact "serial" of components.Intent, which the AI writes`},
		{"two evaluators that remember too much", aitree.Sequence(aitree.UtilitySelector(wide,
			aitree.On("go", ok())).RememberChoice(),
			aitree.UtilitySelector(wide, aitree.On("go", ok())).RememberChoice()), nil,
			`the tree needs 288 bytes of state; the largest mind has 256: split it, or use fewer cooldowns, timers, ` +
				`Parallels and evaluators that remember what they read`},
		{"one channel in two branches of a Parallel", aitree.Parallel(aitree.All, aitree.All,
			selector(aitree.Do("walk"), aitree.Do("walk")), aitree.Do("walk")), nil,
			`two Do leaves of one channel`},
		{"hook on a Check", aitree.Check(aitree.True(alarm)).OnExit(func(components.Entity, aitree.Exit) {}), nil,
			`OnExit has no meaning for Check`},
		{"Reads on a comparison", aitree.Check(aitree.Less(health, 1).Reads(ammo)), nil,
			`Reads has no meaning for a comparison; it belongs to Predicate`},
		{"modifier on a use", aitree.Subtree("s").Latched(), []aitree.Definition{aitree.Define("s", ok())},
			`Subtree "s": Latched has no meaning for Subtree`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := compile("t", testActions(t), c.root, c.subtrees...)
			assert.Nil(t, p)
			require.ErrorContains(t, err, c.expecting)
			assert.ErrorContains(t, err, "aitree: tree \"t\"")
		})
	}
	_, err = compile("", nil, ok())
	assert.EqualError(t, err, "aitree: a tree has no name")
}

func TestATreeAndAMindOfTheSizeItNeeds(t *testing.T) {
	for cooldowns, bytes := range map[int]int{0: 64, 14: 64, 15: 128, 30: 128, 31: 256, 62: 256} {
		children := []*aitree.Node{aitree.Leaf("l", succeed)}
		for range cooldowns {
			children = append(children, aitree.Cooldown(time.Second, aitree.Leaf("l", succeed)))
		}
		p, err := compile("t", nil, aitree.Sequence(children...))
		require.NoError(t, err)
		assert.Equal(t, bytes, p.MindBytes(), "%d cooldowns", cooldowns)
	}
}

func TestNodesThatCannotBeActiveTogetherShareState(t *testing.T) {
	var waits []*aitree.Node
	for range 500 {
		waits = append(waits, aitree.Wait(time.Second))
	}
	p, err := compile("t", nil, aitree.Sequence(waits...))
	require.NoError(t, err)
	assert.Equal(t, 64, p.MindBytes())
}

func TestADescriptionCanBeBuiltTwiceAndUsedTwice(t *testing.T) {
	shared := aitree.Wait(time.Second).Named("w")
	root := aitree.Sequence(shared, shared, aitree.Subtree("s").Named("first"), aitree.Subtree("s"))
	for range 2 {
		p, err := compile("t", nil, root, aitree.Define("s", aitree.Sequence(shared)))
		require.NoError(t, err)
		var names []string
		for _, l := range p.Leaves {
			names = append(names, l.Name)
		}
		assert.Equal(t, []string{"w", "w", "first.w", "s.w"}, names)
	}
}

func TestActionsAreRegisteredOnceByNameAndChannel(t *testing.T) {
	a := aitree.NewActions()
	walk, err := a.Register("walk", components.Move)
	require.NoError(t, err)
	again, err := a.Register("walk", components.Move)
	require.NoError(t, err)
	assert.Equal(t, walk, again)
	assert.Equal(t, "walk", a.Name(walk))
	assert.Empty(t, a.Name(0))
	assert.Empty(t, a.Name(99))
	_, err = a.Register("walk", components.Act)
	assert.EqualError(t, err, `aitree: action "walk" is registered for channel move already, not for channel act`)
	_, err = a.RegisterTrigger("walk")
	assert.EqualError(t, err, `aitree: action "walk" is registered for channel move already, not as a trigger`)
	bang, err := a.RegisterTrigger("bang")
	require.NoError(t, err)
	again, err = a.RegisterTrigger("bang")
	require.NoError(t, err)
	assert.Equal(t, bang, again)
	assert.Equal(t, walk+1, bang, "triggers and others are numbered together")
	_, err = a.Register("bang", components.Act)
	assert.EqualError(t, err, `aitree: action "bang" is registered as a trigger already, not for channel act`)
	_, err = a.Register("", components.Act)
	assert.EqualError(t, err, "aitree: an action has no name")
	_, err = a.RegisterTrigger("")
	assert.EqualError(t, err, "aitree: an action has no name")
	for channel := range components.Channel(components.Channels) {
		_, err = a.Register(fmt.Sprint("on ", channel), channel)
		require.NoError(t, err)
	}
	_, err = a.Register("swim", components.Channels)
	assert.EqualError(t, err, `aitree: action "swim": no channel 2; use components.Move or components.Act`)
	_, err = a.Register("fly", 7)
	assert.EqualError(t, err, `aitree: action "fly": no channel 7; use components.Move or components.Act`)
}

func TestIntegersAreComparedExactlyToTheEndsOfTheirRange(t *testing.T) {
	type wide struct{ V int64 }
	f := blackboard.IntFact("v", func(w *wide) *int64 { return &w.V }, 0)
	for _, c := range []struct {
		value     int64
		condition *aitree.Condition
		holds     bool
	}{
		{math.MaxInt64, aitree.Equal(f, int64(math.MaxInt64)), true},
		{math.MaxInt64 - 1, aitree.Equal(f, int64(math.MaxInt64)), false},
		{math.MinInt64, aitree.LessEqual(f, int64(math.MinInt64)), true},
		{1<<53 + 1, aitree.Less(f, int64(1<<53+1)), false},
		{1 << 53, aitree.Less(f, int64(1<<53+1)), true},
		{3, aitree.Equal(f, 3.0), true},
	} {
		p, err := compile("t", nil, aitree.Check(c.condition))
		require.NoError(t, err)
		lanes := blackboard.NewLanes(p.Facts)
		lanes.SetInt(f, 0, c.value)
		var mind components.Mind64
		b := executor.Block{Mask: 1, Facts: lanes, Now: 1}
		b.Minds[0] = mind.Words[:]
		x := executor.NewExecutor()
		x.Tick(p, &b)
		assert.Equal(t, c.holds, x.Succeeded == 1, "%+v", c)
	}
	_, err := compile("t", nil, aitree.Check(aitree.Equal(f, float64(1<<63))))
	assert.ErrorContains(t, err, "use a whole number")
}
