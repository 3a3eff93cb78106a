package aitree_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// everyNode is a tree with a node of every kind, and its text.
func everyNode(t *testing.T) (*aitree.Program, string) {
	mood, err := utility.Build("mood", utility.Choose(utility.NewAction("howl"), utility.NewAction("roam").Weight(0.5)))
	require.NoError(t, err)
	ok := func() *aitree.Node { return aitree.Succeed() }
	p, err := aitree.Build("t", testActions(t), aitree.Sequence(
		aitree.Selector(aitree.Check(aitree.Less(health, 0.5)), aitree.Check(aitree.GreaterEqual(ammo, 3))).
			Named("any"),
		aitree.ReactiveSequence(aitree.Guard(aitree.Not(aitree.True(alarm)), ok())),
		aitree.ReactiveSelector(aitree.Guard(aitree.AnyOf(aitree.Alive(foe), aitree.Less(hurt, 2*time.Second)), ok())),
		aitree.Parallel(aitree.One, aitree.AtLeast(2), aitree.Run(), ok(), aitree.Fail()).Latched(),
		aitree.RandomSequence(ok()), aitree.RandomSelector(ok()), aitree.RoundRobin(ok()),
		aitree.WeightedChoice(aitree.Weight(0.25, ok()), aitree.Weight(2, aitree.Fail())),
		aitree.UtilitySelector(mood, aitree.On("howl", aitree.Fire("bang", aitree.NumberOf(0, 2))),
			aitree.On("roam", aitree.Do("walk", aitree.PointAt(1, -2.5), aitree.Number(0, health)).
				Until(aitree.EqualFact(foe, foe)).For(3*time.Second).Named("stroll"))).
			HoldUntilDone().RememberChoice().NextBest().BackOff(4*time.Second),
		aitree.UtilitySelector(mood, aitree.On("roam", ok()), aitree.On("howl", ok())).Named("again"),
		aitree.Recovery(2, ok(), ok()),
		aitree.Inverter(ok()), aitree.ForceSuccess(ok()), aitree.ForceFailure(ok()),
		aitree.Repeat(3, ok()), aitree.Retry(0, ok()), aitree.UntilSuccess(ok()), aitree.UntilFailure(ok()),
		aitree.Cooldown(5*time.Second, ok()).StartedByCompletion().ClearedByAbort(),
		aitree.Every(time.Second, ok()), aitree.Timeout(1500*time.Millisecond, ok()),
		aitree.Wait(time.Second), aitree.WaitBetween(time.Second, 2*time.Second), aitree.WaitFact(health),
		aitree.Do("aim", aitree.Target(foe)), aitree.Leaf("dig", succeed).Reads(health, ammo).Keeps(2),
		aitree.Subtree("rest").Named("nap"), aitree.Subtree("rest"),
	), aitree.Define("rest", aitree.Subtree("deep")), aitree.Define("deep", aitree.Wait(time.Minute).Named("sleep")))
	require.NoError(t, err)
	return p, strings.TrimPrefix(`
Sequence
  Selector "any"
    Check health < 0.5
    Check ammo >= 3
  ReactiveSequence
    Guard not alarm
      Succeed
  ReactiveSelector
    Guard (foe is alive or hurt < 2s)
      Succeed
  Parallel success one failure 2, latched
    Run
    Succeed
    Fail
  RandomSequence
    Succeed
  RandomSelector
    Succeed
  RoundRobin
    Succeed
  WeightedChoice
    weight 0.25: Succeed
    weight 2: Fail
  UtilitySelector "mood", held until done, remembered, next best, back off 4s
    on "howl": Fire "bang" number 0 = 2
    on "roam": Do "walk" point = (1, -2.5), number 0 = health, until foe == foe, for 3s, named "stroll"
  UtilitySelector "mood", named "again"
    on "roam": Succeed
    on "howl": Succeed
  Recovery 2
    Succeed
    recovery: Succeed
  Inverter
    Succeed
  ForceSuccess
    Succeed
  ForceFailure
    Succeed
  Repeat 3
    Succeed
  Retry without end
    Succeed
  UntilSuccess
    Succeed
  UntilFailure
    Succeed
  Cooldown 5s, started by completion, cleared by abort
    Succeed
  Every 1s
    Succeed
  Timeout 1.5s
    Succeed
  Wait 1s
  Wait 1s to 2s
  Wait seconds = health
  Do "aim" target = foe
  Leaf "dig", reads health ammo, keeps 2 words
  subtree "nap": subtree "deep": Wait "sleep" 1m0s
  subtree "rest": subtree "deep": Wait "sleep" 1m0s
`, "\n")
}

func TestAProgramAsTextShowsEveryNodeWithItsParameters(t *testing.T) {
	p, text := everyNode(t)
	assert.Equal(t, text, p.String())
	shown := map[executor.Opcode]bool{executor.OpSubtree: true}
	for _, n := range p.Compiled().Nodes {
		shown[n.Op] = true
	}
	for op := range executor.OpSubtree {
		assert.True(t, shown[op], "a %v is missing in the test", op)
	}
}

func TestTextsOfConditions(t *testing.T) {
	hungry := aitree.Predicate("hungry", holdsNever)
	for text, c := range map[string]*aitree.Condition{
		"health < 0.5": aitree.Less(health, 0.5), "health <= 0.5": aitree.LessEqual(health, 0.5),
		"health > 0.5": aitree.Greater(health, 0.5), "health >= 0.5": aitree.GreaterEqual(health, 0.5),
		"ammo == 3": aitree.Equal(ammo, 3), "ammo != 3": aitree.NotEqual(ammo, 3),
		"ammo < ammo": aitree.LessFact(ammo, ammo), "ammo <= ammo": aitree.LessEqualFact(ammo, ammo),
		"foe == foe": aitree.EqualFact(foe, foe), "foe != foe": aitree.Not(aitree.EqualFact(foe, foe)),
		"alarm": aitree.True(alarm), "not alarm": aitree.Not(aitree.True(alarm)),
		"foe is alive": aitree.Alive(foe), "not foe is alive": aitree.Not(aitree.Alive(foe)),
		"chance of health": aitree.Chance(health), "hurt < 1.5s": aitree.Less(hurt, 1500*time.Millisecond),
		"(alarm and ammo < 1)":     aitree.AllOf(aitree.True(alarm), aitree.Less(ammo, 1)),
		"not (alarm or hungry)":    aitree.Not(aitree.AnyOf(aitree.True(alarm), hungry)),
		"((alarm) and not hungry)": aitree.AllOf(aitree.AllOf(aitree.True(alarm)), aitree.Not(hungry)),
	} {
		p, err := aitree.Build("t", nil, aitree.Check(c))
		require.NoError(t, err)
		assert.Equal(t, "Check "+text+"\n", p.String())
	}
}
