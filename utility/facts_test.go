package utility_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// The components of tests: slots of an agent, and the same of its targets.
type self struct{ Floats [24]float32 }

type other struct {
	Entity components.Entity
	self
}

type others struct {
	List  [blackboard.MaxListed]other
	Count uint8
}

var otherList = blackboard.ListOf("others", func(o *others) []other { return o.List[:] },
	func(o *others) *uint8 { return &o.Count }, func(o *other) *components.Entity { return &o.Entity })

// targetFact is a slot of a target.
func targetFact(name string, slot int) blackboard.Fact {
	return blackboard.FloatFact(name, func(o *other) *float32 { return &o.Floats[slot] }, 0)
}

// slotFact is the n-th number of an agent.
func slotFact(n int) blackboard.Fact {
	return blackboard.FloatFact(fmt.Sprint("x", n), func(s *self) *float32 { return &s.Floats[n] }, 0)
}

// linear are considerations of the first numbers of an agent, as they are.
func linear(n int) (out []*utility.Consideration) {
	for i := range n {
		out = append(out, utility.Consider(slotFact(i), utility.Linear()))
	}
	return out
}
