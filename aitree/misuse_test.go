package aitree_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

func TestMisuseOfABlockSaysWhatIsRight(t *testing.T) {
	actions := aitree.NewActions()
	_, err := actions.Register("dig", components.Act)
	require.NoError(t, err)
	program, err := aitree.Build("digger", actions, aitree.Do("dig"))
	require.NoError(t, err)
	b := aitree.NewBlock(program, 2)
	for _, misuse := range []struct {
		want string
		use  func()
	}{
		{"aitree: Block.Order of channel 9; use components.Move or components.Act", func() { b.Order(0, 9) }},
		{"aitree: Block.Report of channel 9; use components.Move or components.Act", func() { b.Report(0, 9, 1) }},
		{"aitree: lane 2 of a block of 2 agents", func() { b.Order(2, components.Act) }},
		{"aitree: a Block that was not made; make one with NewBlock", func() { new(aitree.Block).Tick(1) }},
		{"aitree: lane -1 of a block of 2 agents", func() { b.Entity(-1) }},
		{"aitree: lane 2 of a block of 2 agents", func() { b.SetEntity(2, components.Entity{}) }},
		{"aitree: lane 2 of a block of 2 agents", func() { b.Triggers(2) }},
		{"aitree: lane 2 of a block of 2 agents", func() { b.Report(2, components.Act, components.Succeeded) }},
		{"aitree: lane 2 of a block of 2 agents", func() { b.Reset(2) }},
		{"aitree: lane 2 of a block of 2 agents", func() { b.Explain(2) }},
		{"aitree: Block.Order of channel 2; use components.Move or components.Act", func() { b.Order(0, 2) }},
		{"aitree: Block.Report of outcome 3; use Pending, Succeeded or Failed", func() {
			b.Tick(1)
			b.Report(0, components.Act, components.Failed+1)
		}},
		{"aitree: Report for lane 0, which has no order on channel move", func() {
			b.Report(0, components.Move, components.Succeeded)
		}},
		{"aitree: NewBlock of a nil program; make one with Build", func() { aitree.NewBlock(nil, 1) }},
		{"aitree: NewBlock of a program that was not built; make one with Build",
			func() { aitree.NewBlock(new(aitree.Program), 1) }},
		{"aitree: NewBlock of 0 agents; a block has 1 to 64", func() { aitree.NewBlock(program, 0) }},
		{"aitree: NewBlock of 65 agents; a block has 1 to 64", func() { aitree.NewBlock(program, 65) }},
		{"aitree: a Program that was not built; make one with Build", func() { new(aitree.Program).Actions() }},
		{"aitree: a Program that was not built; make one with Build", func() { new(aitree.Program).Facts() }},
		{"aitree: a Program that was not built; make one with Build", func() { new(aitree.Program).Nodes() }},
		{"aitree: a Program that was not built; make one with Build", func() { new(aitree.Program).Leaves() }},
		{"aitree: a Program that was not built; make one with Build", func() { new(aitree.Program).Name() }},
		{"aitree: Block.Report of outcome 77; use Pending, Succeeded or Failed", func() {
			b.Tick(1)
			b.Report(0, components.Act, 77)
		}},
		{"aitree: a Block whose Facts are nil; keep those of NewBlock, or set a blackboard.NewLanes", func() {
			b := aitree.NewBlock(program, 1)
			b.Facts = nil
			b.Tick(1)
		}},
	} {
		assert.PanicsWithValue(t, misuse.want, misuse.use)
	}
	_, err = aitree.Build("digger", nil, aitree.Do("dig"))
	require.Error(t, err)
	assert.Contains(t, err.Error(), `unknown action "dig"; none is registered`)
}

func TestWhatABuiltProgramSaysOfItself(t *testing.T) {
	actions := aitree.NewActions()
	dig, err := actions.Register("dig", components.Act)
	require.NoError(t, err)
	program, err := aitree.Build("digger", actions, aitree.Sequence(aitree.Succeed(),
		aitree.Guard(aitree.Less(health, 1), aitree.Do("dig")), aitree.Wait(0).Named("rest")))
	require.NoError(t, err)
	assert.Equal(t, "digger", program.Name())
	assert.Same(t, actions, program.Actions())
	require.Len(t, program.Facts(), 1)
	assert.True(t, program.Facts()[0].Same(health))
	assert.Equal(t, 5, program.Nodes())
	assert.Equal(t, []aitree.LeafInfo{{Name: "dig", Node: 3, Action: dig}, {Name: "rest", Node: 4}}, program.Leaves())
	for status, want := range map[aitree.Status]string{
		aitree.Failure: "failure", aitree.Success: "success", aitree.Running: "running", 3: "invalid",
	} {
		assert.Equal(t, want, status.String())
	}
}

func TestBlocksOfOneAndOf64AgentsAreTickedWhole(t *testing.T) {
	program, err := aitree.Build("t", nil, aitree.Succeed())
	require.NoError(t, err)
	for agents, want := range map[int]uint64{1: 1, 2: 3, 63: 1<<63 - 1, 64: 1<<64 - 1} {
		b := aitree.NewBlock(program, agents)
		b.Tick(1)
		assert.Equal(t, want, b.Succeeded(), "%d agents", agents)
		assert.Equal(t, components.Entity{Index: uint32(agents)}, b.Entity(agents-1))
	}
}

func TestMistakesOfConstructorsAreErrorsOfBuild(t *testing.T) {
	var none *aitree.Actions
	_, err := none.Register("dig", components.Act)
	assert.EqualError(t, err, `aitree: action "dig": the register is nil; make one with NewActions`)
	_, err = none.RegisterTrigger("dig")
	assert.EqualError(t, err, `aitree: action "dig": the register is nil; make one with NewActions`)
	actions := testActions(t)
	bad := blackboard.FloatFact[bag, float32]("bad", nil, 0)
	for _, c := range []struct {
		root *aitree.Node
		want string
	}{
		{aitree.Do("walk", aitree.Number(0, bad)), "fact that cannot be used: blackboard: fact \"bad\""},
		{aitree.Do("walk", aitree.Number(2, health)), "a binding of a number that is neither 0 nor 1"},
		{aitree.Do("walk", aitree.Number(-1, health)), "a binding of a number that is neither 0 nor 1"},
		{aitree.Do("walk", aitree.Number(0, alarm)), `a binding to fact "alarm" of kind bool`},
		{aitree.WaitFact(alarm), `a duration of fact "alarm", which is of kind bool; it takes a float, the seconds`},
		{aitree.AgentLeaf("l", nil), "no function"},
		{aitree.Check(aitree.Less(alarm, 1)), `fact "alarm" of kind bool compared with a number; use True, Alive`},
	} {
		_, err := aitree.Build("t", actions, c.root)
		assert.ErrorContains(t, err, c.want)
	}
	_, err = aitree.Build("t", actions, aitree.Check(aitree.Predicate("p", func(*blackboard.Context) uint64 {
		return 0
	}).Reads(bad)))
	assert.ErrorContains(t, err, "fact that cannot be used")
	_, err = aitree.Build("t", actions, aitree.Check(aitree.LessFact(health, bad)))
	assert.ErrorContains(t, err, "fact that cannot be used")
}

type bag struct{ Ratio float32 }
