package aitree_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// turns are leaves that note their names when they are ticked and return what a test says.
type turns struct {
	took    string
	returns map[string]aitree.Status // else success
}

func (s *turns) leaf(name string) *aitree.Node {
	return aitree.AgentLeaf(name, func(aitree.Agent) aitree.Status {
		s.took += name
		if r, ok := s.returns[name]; ok {
			return r
		}
		return aitree.Success
	})
}

func (s *turns) tick(b *aitree.Block, returns map[string]aitree.Status) string {
	s.took, s.returns = "", returns
	b.Tick(1e9)
	return s.took
}

func TestARoundRobinBeginsAfterTheChildThatSucceededLast(t *testing.T) {
	type returning = map[string]aitree.Status
	const f, r = aitree.Failure, aitree.Running
	s := &turns{}
	b := newBlock(t, nil, aitree.Guard(aitree.Not(aitree.True(alarm)),
		aitree.RoundRobin(s.leaf("a"), s.leaf("b"), s.leaf("c"))))
	for i, step := range []struct {
		returns returning
		took    string
		status  aitree.Status
	}{
		{nil, "a", aitree.Success},
		{nil, "b", aitree.Success},
		{nil, "c", aitree.Success},
		{nil, "a", aitree.Success},
		{returning{"b": f}, "bc", aitree.Success},
		{returning{"a": f, "b": f, "c": f}, "abc", f},
		{returning{"a": f}, "ab", aitree.Success},
		{returning{"c": r}, "c", r},
		{returning{"c": f, "a": r}, "ca", r}, // it resumes at c and goes on with a
		{returning{"a": f, "b": f}, "ab", f}, // b is the last, since c was the first
		{returning{"c": r}, "c", r},
	} {
		require.Equal(t, step.took, s.tick(b, step.returns), "step %d", i)
		require.Equal(t, step.status == f, b.Failed() != 0, "step %d", i)
		require.Equal(t, step.status == r, b.Running() != 0, "step %d", i)
	}
	b.Facts.SetBool(alarm, 0, true)
	assert.Empty(t, s.tick(b, nil), "aborted")
	b.Facts.SetBool(alarm, 0, false)
	assert.Equal(t, "c", s.tick(b, nil), "it begins where it would have begun")
	b.Reset(0)
	assert.Equal(t, "a", s.tick(b, nil), "and anew after a reset")
}

// Agents of one block begin with different children, and each tries every child once.
func TestAgentsOfABlockTakeTheirOwnTurns(t *testing.T) {
	const children = 16
	var took [64][]int
	var list []*aitree.Node
	for k := range children {
		list = append(list, aitree.Leaf(fmt.Sprint(k), func(c *blackboard.Context) (success, running uint64) {
			for lane := range 64 {
				if c.Mask>>lane&1 != 0 {
					took[lane] = append(took[lane], k)
				}
			}
			return 0, 0
		}))
	}
	p, err := compile("t", nil, aitree.RoundRobin(list...))
	require.NoError(t, err)
	b := newManyAgents(p, ^uint64(0), nil)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	slot := p.Nodes[0].Slot
	for lane := range 64 {
		b.Minds[lane][slot] = uint32(lane) // 16 and above is no child, and counts as 0
	}
	took = [64][]int{}
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Failed)
	for lane := range 64 {
		var want []int
		for k := range children {
			first := lane
			if first >= children {
				first = 0
			}
			want = append(want, (first+k)%children)
		}
		require.Equal(t, want, took[lane])
	}
}

// A guard rings each of three bells in turn, and the next one where a rope is torn.
func ExampleRoundRobin() {
	type bells struct{ Torn int16 }
	torn := blackboard.IntFact("torn", func(b *bells) *int16 { return &b.Torn }, 0)
	var rung []string
	ring := func(number int, name string) *aitree.Node {
		return aitree.AgentLeaf(name, func(a aitree.Agent) aitree.Status {
			if a.Int(0) == int64(number) {
				return aitree.Failure
			}
			rung = append(rung, name)
			return aitree.Success
		}).Reads(torn)
	}
	program, err := aitree.Build("ringer", nil, aitree.RoundRobin(ring(1, "north"), ring(2, "east"), ring(3, "south")))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 1)
	for hour := range 5 {
		if hour == 3 {
			block.Facts.SetInt(torn, 0, 1)
		}
		block.Tick(components.Timestamp(hour) * 3600e9)
	}
	fmt.Println(strings.Join(rung, ", "))
	// Output: north, east, south, east, south
}
