package aitree_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

// sentry is a tree in which every state of a node can be brought about.
func sentry(t *testing.T) *aitree.Block {
	p, err := aitree.Build("sentry", testActions(t), aitree.ReactiveSelector(
		aitree.Guard(aitree.AllOf(aitree.True(alarm), aitree.Less(health, 0.5), aitree.Greater(ammo, 2)),
			aitree.Do("aim", aitree.Target(foe)).For(3*time.Second)),
		aitree.Guard(aitree.AnyOf(aitree.Less(hurt, 2*time.Second), aitree.Alive(foe)), aitree.Sequence(
			aitree.Cooldown(10*time.Second, aitree.Fire("bang")), aitree.Timeout(4*time.Second, aitree.Run()),
		)),
		aitree.Sequence(aitree.ForceSuccess(aitree.Check(aitree.EqualFact(foe, foe))), aitree.Leaf("think",
			succeed), aitree.Do("walk")),
	))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 3)
	b.Facts.SetFloat(health, 1, 0.75)
	return b
}

func TestAnExplanationShowsPathAndValues(t *testing.T) {
	b := sentry(t)
	b.Facts.SetBool(alarm, 1, true)
	b.Facts.SetInt(ammo, 1, 7)
	b.Tick(1e9)
	// A custom leaf is not called, and taken to run.
	assert.Equal(t, `> ReactiveSelector
x   Guard (alarm and health < 0.5 and ammo > 2)  [alarm: true]  [health < 0.5: false, it is 0.75]
      Do "aim" target = foe, for 3s
x   Guard (hurt < 2s or foe is alive)  [hurt < 2s: false, it is never]  [foe is alive: false, it is nobody]
      Sequence
        Cooldown 10s
          Fire "bang"
        Timeout 4s
          Run
>   Sequence
      ForceSuccess
        Check foe == foe
      Leaf "think"
>     Do "walk"
`, b.Explain(1).String())
	x := b.Explain(1)
	assert.Equal(t, aitree.Running, x.Status)
	assert.Equal(t, "sentry", x.Tree)
	assert.True(t, x.Nodes[len(x.Nodes)-1].Ran)
	assert.Equal(t, 2, x.Nodes[10].Depth)
	assert.Equal(t, aitree.NotReached, x.Nodes[2].State)

	// It is hurt: the walk is aborted, the shot succeeds, and it would stay for four seconds.
	b.Facts.SetTime(hurt, 1, 5e8)
	x = b.Explain(1)
	assert.Equal(t, `> ReactiveSelector
x   Guard (alarm and health < 0.5 and ammo > 2)  [alarm: true]  [health < 0.5: false, it is 0.75]
      Do "aim" target = foe, for 3s
>   Guard (hurt < 2s or foe is alive)  [hurt < 2s: true, it is 500ms]
>     Sequence
+       Cooldown 10s  [10s left]
+         Fire "bang"
>       Timeout 4s  [4s left]
>         Run
!   Sequence
      ForceSuccess
        Check foe == foe
      Leaf "think"
!     Do "walk"
`, x.String())
	assert.Equal(t, "aborted", x.Nodes[len(x.Nodes)-1].State.String())

	b.Tick(1e9)
	b.Facts.SetEntity(foe, 1, components.Entity{Index: 9, Generation: 2})
	b.Facts.SetFloat(health, 1, 0.25)
	b.Tick(2500e6)
	assert.Equal(t, `> ReactiveSelector
>   Guard (alarm and health < 0.5 and ammo > 2)  [alarm: true]`+
		"  [health < 0.5: true, it is 0.25]  [ammo > 2: true, it is 7]"+`
>     Do "aim" target = foe, for 3s  [3s left]
    Guard (hurt < 2s or foe is alive)
      Sequence
        Cooldown 10s  [8.5s left]
          Fire "bang"
        Timeout 4s
          Run
    Sequence
      ForceSuccess
        Check foe == foe
      Leaf "think"
      Do "walk"
`, b.Explain(1).String())

	// The other agents are told apart.
	assert.Equal(t, aitree.NodeRunning, b.Explain(0).Nodes[len(x.Nodes)-1].State)
	b.Facts.SetBool(alarm, 1, false)
	b.Facts.SetEntity(foe, 2, components.Entity{Index: 9, Generation: 2})
	other := b.Explain(2)
	assert.Equal(t, []aitree.ConditionExplanation{
		{Text: "hurt < 2s", Value: "never"}, {Text: "foe is alive", Holds: true, Value: "entity {9 2}"},
	}, other.Nodes[3].Conditions)
	assert.Equal(t, aitree.NodeSucceeded, other.Nodes[6].State)
}

func TestAnExplanationChangesNothing(t *testing.T) {
	run := func(explain bool) (orders []components.Order) {
		b := sentry(t)
		for i := range 40 {
			b.Facts.SetTime(hurt, 0, components.Timestamp(i/10)*1e9)
			b.Facts.SetBool(alarm, 1, i%7 < 4)
			b.Facts.SetFloat(health, 1, float32(i%3)/3)
			b.Facts.SetInt(ammo, 1, int64(i))
			if explain {
				b.Explain(i % 3)
			}
			b.Tick(components.Timestamp(i) * 3e8)
			for lane := range 3 {
				orders = append(orders, b.Order(lane, components.Move), b.Order(lane, components.Act))
			}
		}
		return orders
	}
	assert.Equal(t, run(false), run(true))
}

func TestAnAgentThatWasNeverTickedIsExplained(t *testing.T) {
	b := sentry(t)
	x := b.Explain(2)
	assert.Equal(t, aitree.Running, x.Status)
	assert.False(t, x.Nodes[0].Ran)
	assert.Equal(t, aitree.NodeRunning, x.Nodes[12].State, "the custom leaf")
	assert.Equal(t, "invalid", aitree.NodeState(99).String())
}
