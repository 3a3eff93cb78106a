package aitree_test

import (
	"fmt"
	"math/bits"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

func gated(t *testing.T, c *aitree.Condition) *utility.Evaluator {
	t.Helper()
	e, err := utility.Build("e", utility.Choose(
		utility.NewAction("a", utility.ConsiderCondition(c).Gate()), utility.NewAction("b").Weight(0.5)))
	require.NoError(t, err)
	return e
}

func TestAConditionThatAnEvaluatorConsidersHasItsValueOfTheTree(t *testing.T) {
	calls := 0
	brave := aitree.Predicate("brave", func(c *blackboard.Context) uint64 {
		calls += bits.OnesCount64(c.Mask)
		return 0b0110
	})
	luck := aitree.Chance(health)
	p, err := compile("t", nil, aitree.Parallel(aitree.All, aitree.One,
		aitree.Check(aitree.AnyOf(brave, aitree.Not(brave))), // the tree evaluates it first
		aitree.UtilitySelector(gated(t, brave),
			aitree.On("a", aitree.Check(brave)), aitree.On("b", aitree.Check(aitree.Not(brave)))),
		aitree.UtilitySelector(gated(t, aitree.AllOf(luck, brave)), // and last
			aitree.On("a", aitree.Check(aitree.AllOf(brave, luck))),
			aitree.On("b", aitree.Check(aitree.Not(aitree.AllOf(luck, brave))))),
		aitree.Check(aitree.AnyOf(luck, aitree.Not(luck))),
	))
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	for lane := range 64 {
		lanes.SetFloat(health, lane, 0.5)
	}
	b := newManyAgents(p, 0b1111, lanes)
	x := sharedExecutor
	for range 50 {
		b.Now += 1e9
		calls = 0
		x.Tick(p, &b.Block)
		require.Equal(t, b.Mask, x.Succeeded)
		require.Equal(t, 4, calls, "once for each agent")
	}
}

func TestBuildChecksTheConditionsThatAnEvaluatorConsiders(t *testing.T) {
	build := func(c *aitree.Condition) error {
		_, err := aitree.Build("t", nil, aitree.UtilitySelector(gated(t, c),
			aitree.On("a", aitree.Wait(0)), aitree.On("b", aitree.Wait(0))))
		return err
	}
	assert.NoError(t, build(aitree.Less(health, 0.5)))
	assert.EqualError(t, build(aitree.AllOf(aitree.Less(alarm, 1))),
		`aitree: tree "t" > UtilitySelector > evaluator "e" > AllOf[0]: fact "alarm" of kind bool compared with a `+
			`number; use True, Alive or EqualFact`)
	e, err := utility.Build("e", utility.Choose(utility.NewAction("a", utility.ConsiderCondition(new(other)))))
	require.NoError(t, err)
	_, err = aitree.Build("t", nil, aitree.UtilitySelector(e, aitree.On("a", aitree.Wait(0))))
	assert.EqualError(t, err, `aitree: tree "t" > UtilitySelector > evaluator "e": a consideration of a `+
		`*aitree_test.other, which is no condition; pass an *aitree.Condition to ConsiderCondition`)
}

// other is a text and no condition.
type other struct{}

func (*other) String() string { return "other" }

func TestAConditionIsWrittenAsText(t *testing.T) {
	deep := aitree.True(alarm)
	for range 100 {
		deep = aitree.AllOf(deep, deep)
	}
	assert.Less(t, len(deep.String()), 3000)
	for _, c := range []struct {
		condition *aitree.Condition
		text      string
	}{
		{nil, "no condition"},
		{aitree.True(alarm), "alarm"},
		{aitree.Not(aitree.True(alarm)), "not alarm"},
		{aitree.Less(health, 0.5), "health < 0.5"},
		{aitree.GreaterEqual(health, 0.5), "health >= 0.5"},
		{aitree.LessEqual(ammo, 3), "ammo <= 3"},
		{aitree.Greater(ammo, 3), "ammo > 3"},
		{aitree.Equal(ammo, 3), "ammo == 3"},
		{aitree.NotEqual(ammo, 3), "ammo != 3"},
		{aitree.Less(hurt, 5*time.Second), "hurt < 5s"},
		{aitree.LessFact(factF, factG), "f < g"},
		{aitree.Not(aitree.LessEqualFact(factF, factG)), "f > g"},
		{aitree.EqualFact(factD, factE), "d == e"},
		{aitree.Alive(foe), "foe is alive"},
		{aitree.Predicate("near", holdsNever), "near"},
		{aitree.Chance(health), "chance of health"},
		{aitree.Not(aitree.AnyOf(aitree.True(alarm), aitree.AllOf(aitree.Alive(foe), aitree.Less(ammo, 1)))),
			"not (alarm or (foe is alive and ammo < 1))"},
	} {
		assert.Equal(t, c.text, c.condition.String())
	}
}

// An archer shoots only where a condition of the tree holds, whatever shooting scores.
func ExampleCondition_gate() {
	type state struct {
		Arrows int16
		Jammed bool
	}
	arrows := blackboard.IntFact("arrows", func(s *state) *int16 { return &s.Arrows }, 0)
	jammed := blackboard.BoolFact("jammed", func(s *state) *bool { return &s.Jammed }, false)
	ready := aitree.AllOf(aitree.Greater(arrows, 0), aitree.Not(aitree.True(jammed)))
	fight, err := utility.Build("fight", utility.Choose(
		utility.NewAction("shoot", utility.ConsiderCondition(ready).Gate()),
		utility.NewAction("strike").Weight(0.5),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := aitree.Build("archer", nil, aitree.UtilitySelector(fight,
		aitree.On("shoot", aitree.Wait(time.Second)), aitree.On("strike", aitree.Wait(time.Second))))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 1)
	block.Facts.SetInt(arrows, 0, 20)
	fmt.Println(block.Explain(0).Choices()[0].Options[0].Considerations[0].Name)
	for _, jam := range []bool{false, true} {
		block.Facts.SetBool(jammed, 0, jam)
		choice := block.Explain(0).Choices()[0]
		fmt.Println(choice.Options[choice.Chosen].Action)
	}
	// Output:
	// (arrows > 0 and not jammed)
	// shoot
	// strike
}
