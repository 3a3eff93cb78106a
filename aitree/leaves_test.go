package aitree_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

func TestSucceedAndFailAreOverAtOnceAndRunNever(t *testing.T) {
	for _, c := range []struct {
		leaf   *aitree.Node
		result aitree.Status
		leaves int
	}{
		{aitree.Succeed(), aitree.Success, 0},
		{aitree.Fail(), aitree.Failure, 0},
		{aitree.Run(), aitree.Running, 1},
	} {
		b := newBlock(t, nil, c.leaf)
		assert.Equal(t, []aitree.Status{c.result, c.result, c.result}, tickAt(t, b, 0, 1, 1e9))
		p, err := aitree.Build("t", nil, c.leaf)
		require.NoError(t, err)
		assert.Len(t, p.Leaves(), c.leaves)
	}
}

func TestARunIsEnteredAndAborted(t *testing.T) {
	var events []string
	b := newBlock(t, nil, aitree.Guard(aitree.Not(aitree.True(alarm)), aitree.Run().Named("idle").
		OnEnter(func(components.Entity) { events = append(events, "enter") }).
		OnExit(func(_ components.Entity, how aitree.Exit) { events = append(events, how.String()) })))
	tickAt(t, b, 0, 1)
	b.Facts.SetBool(alarm, 0, true)
	tickAt(t, b, 2)
	assert.Equal(t, []string{"enter", "aborted"}, events)
}

func TestADoForATimeSucceedsAtItsDeadline(t *testing.T) {
	outcomes := map[float64]components.Outcome{}
	at := func(b *aitree.Block, moments ...float64) (results []aitree.Status) {
		for _, moment := range moments {
			if outcome, ok := outcomes[moment]; ok {
				b.Report(0, components.Move, outcome)
			}
			results = append(results, tickAt(t, b, moment)...)
		}
		return results
	}
	newBlock := func(root *aitree.Node) *aitree.Block { return newBlock(t, testActions(t), root) }
	const f, s, r = aitree.Failure, aitree.Success, aitree.Running
	walk := func(d time.Duration) *aitree.Node { return aitree.Do("walk").For(d) }

	b := newBlock(walk(2 * time.Second))
	assert.Equal(t, []aitree.Status{r, r, r, s, r}, at(b, 0, 1, 1.999999, 2, 3), "and it begins anew")
	assert.NotZero(t, b.Order(0, components.Move).Action)
	assert.Equal(t, []aitree.Status{s}, at(b, 5))
	assert.Zero(t, b.Order(0, components.Move).Action, "the order is withdrawn")

	outcomes[2] = components.Failed
	assert.Equal(t, []aitree.Status{r, f}, at(newBlock(walk(2*time.Second)), 0, 2), "its outcome counts first")
	outcomes[1] = components.Succeeded
	assert.Equal(t, []aitree.Status{r, s}, at(newBlock(walk(2*time.Second)), 0, 1), "and ends it early")
	clear(outcomes)

	assert.Equal(t, []aitree.Status{s, s}, at(newBlock(walk(0)), 0, 1), "nothing is posted for no time")
	assert.Equal(t, []aitree.Status{r}, at(newBlock(aitree.Do("walk")), 1e6), "without For there is no deadline")

	// What follows goes on at the deadlines 2 and 3, so that it ends at 4, however late the ticks are.
	b = newBlock(aitree.Sequence(walk(2*time.Second), walk(time.Second), aitree.Wait(time.Second)))
	assert.Equal(t, []aitree.Status{r, r, s}, at(b, 0, 3.5, 4))
	b = newBlock(aitree.Sequence(walk(2*time.Second), walk(time.Second), aitree.Wait(time.Second)))
	assert.Equal(t, []aitree.Status{r, s}, at(b, 0, 4))
}

func TestUntilCountsBeforeTheTimeOfADo(t *testing.T) {
	b := newBlock(t, testActions(t), aitree.Sequence(
		aitree.Do("walk").Until(aitree.True(alarm)).For(2*time.Second), aitree.Wait(time.Second)))
	tickAt(t, b, 0)
	b.Facts.SetBool(alarm, 0, true)
	assert.Equal(t, []aitree.Status{aitree.Running, aitree.Running, aitree.Success}, tickAt(t, b, 2.5, 3, 3.5),
		"it ended at 2.5, not at its deadline")
}

// Durations by the definition: whole microseconds of the fact's exact value.
func TestAWaitOfAFactLastsAsLongAsTheFactSaysOnEntry(t *testing.T) {
	values := []float32{0, 1, 0.1, 0.7, 1e-6, 1e-7, 2147.4836, 2148, 1e30, math.MaxFloat32, -1, -1e30,
		math.SmallestNonzeroFloat32,
		float32(math.Copysign(0, -1)), 90.3, 1000.001}
	p, err := aitree.Build("t", nil, aitree.WaitFact(health))
	require.NoError(t, err)
	for _, v := range values {
		micros := new(big.Rat).Mul(new(big.Rat).SetFloat64(float64(v)), big.NewRat(1e6, 1))
		want := new(big.Int).Quo(micros.Num(), micros.Denom())
		if want.Sign() < 0 {
			want.SetInt64(0)
		}
		if limit := big.NewInt(math.MaxInt32); want.Cmp(limit) > 0 {
			want = limit
		}
		b := aitree.NewBlock(p, 1)
		b.Facts.SetFloat(health, 0, v)
		const start = 7e9
		b.Tick(start)
		require.Equal(t, want.Sign() == 0, b.Succeeded() != 0, "%v", v)
		if want.Sign() == 0 {
			continue
		}
		b.Facts.SetFloat(health, 0, 0) // it was read on entry
		b.Tick(start + components.Timestamp(want.Int64()-1)*1000)
		require.NotZero(t, b.Running(), "%v", v)
		b.Tick(start + components.Timestamp(want.Int64())*1000)
		require.NotZero(t, b.Succeeded(), "%v", v)
	}
}

// The facts of a component cannot be so, but those of a source of the caller's own.
func TestAWaitOfWhatIsNotFiniteIsOverAtOnce(t *testing.T) {
	p, err := compile("t", nil, aitree.WaitFact(health))
	require.NoError(t, err)
	b := newManyAgents(p, 0b111, wildSource{Lanes: blackboard.NewLanes(p.Facts)})
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Succeeded)
}

// Each agent takes its own time to reload.
func ExampleWaitFact() {
	reload := blackboard.FloatFact("reload", func(s *struct{ Reload float32 }) *float32 { return &s.Reload }, 1)
	program, err := aitree.Build("archer", nil, aitree.WaitFact(reload))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 2)
	block.Facts.SetFloat(reload, 0, 1.5)
	block.Facts.SetFloat(reload, 1, 3)
	for _, second := range []float64{0, 1, 2, 3} {
		block.Tick(components.Timestamp(second) * 1e9)
		fmt.Printf("%v s: reloaded %02b\n", second, block.Succeeded())
	}
	// Output:
	// 0 s: reloaded 00
	// 1 s: reloaded 00
	// 2 s: reloaded 01
	// 3 s: reloaded 10
}

// A villager dances for three seconds, unless the music stops, and then goes on.
func ExampleNode_For() {
	actions := aitree.NewActions()
	for _, name := range []string{"dance", "bow"} {
		if _, err := actions.Register(name, components.Act); err != nil {
			fmt.Println(err)
			return
		}
	}
	villager, err := aitree.Build("villager", actions, aitree.Sequence(
		aitree.Do("dance").For(3*time.Second), aitree.Do("bow").For(time.Second)))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(villager, 1)
	for second := range 5 {
		block.Tick(components.Timestamp(second) * 1e9)
		fmt.Printf("%d s: %q\n", second, actions.Name(block.Order(0, components.Act).Action))
	}
	// Output:
	// 0 s: "dance"
	// 1 s: "dance"
	// 2 s: "dance"
	// 3 s: "bow"
	// 4 s: ""
}

// A door stays open for two seconds.
func ExampleRun() {
	program, err := aitree.Build("door", nil, aitree.Selector(
		aitree.Timeout(2*time.Second, aitree.Run()), // which fails after two seconds
		aitree.Succeed(),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 1)
	for second := range 3 {
		block.Tick(components.Timestamp(second) * 1e9)
		fmt.Printf("%d s: closed: %t\n", second, block.Succeeded() != 0)
	}
	// Output:
	// 0 s: closed: false
	// 1 s: closed: false
	// 2 s: closed: true
}
