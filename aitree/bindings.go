package aitree

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Binding gives a field of a posted order or trigger a value: a constant or a fact.
type Binding struct {
	field  bindField
	facts  [2]blackboard.Fact
	count  int // of facts
	chosen bool
	values [2]float32
}

type bindField uint8

const (
	bindTarget bindField = iota
	bindPoint
	bindNumber0
	bindNumber1
	bindInvalid
)

// Target binds the target of an order or trigger to an entity fact.
func Target(f blackboard.Fact) Binding {
	return Binding{field: bindTarget, facts: [2]blackboard.Fact{f}, count: 1}
}

// ChosenTarget binds the target of an order or trigger to the target that the nearest [UtilitySelector] above has
// chosen.
func ChosenTarget() Binding { return Binding{field: bindTarget, chosen: true} }

// Point binds an order's point to two float facts, in metres.
func Point(x, y blackboard.Fact) Binding {
	return Binding{field: bindPoint, facts: [2]blackboard.Fact{x, y}, count: 2}
}

// PointAt binds an order's point to a constant, in metres.
func PointAt(x, y float32) Binding { return Binding{field: bindPoint, values: [2]float32{x, y}} }

// Number binds number i of an order, 0 or 1, to a float fact. A trigger has only number 0.
func Number(i int, f blackboard.Fact) Binding {
	return Binding{field: numberField(i), facts: [2]blackboard.Fact{f}, count: 1}
}

// NumberOf binds number i of an order, 0 or 1, to a constant. A trigger has only number 0.
func NumberOf(i int, v float32) Binding {
	return Binding{field: numberField(i), values: [2]float32{v}}
}

func numberField(i int) bindField {
	if i != 0 && i != 1 {
		return bindInvalid
	}
	return bindNumber0 + bindField(i)
}

// fault returns what is wrong with the binding on a node of an opcode, or "".
func (b *Binding) fault(op executor.Opcode) string {
	if b.field == bindInvalid {
		return "a binding of a number that is neither 0 nor 1"
	}
	if op == executor.OpFire && (b.field == bindPoint || b.field == bindNumber1) {
		return "a trigger has a target and number 0; point and number 1 belong to Do"
	}
	want := blackboard.Float
	if b.field == bindTarget {
		want = blackboard.EntityRef
	}
	for _, f := range b.facts[:b.count] {
		if err := f.Err(); err != nil {
			return "fact that cannot be used: " + err.Error()
		}
		if f.Kind() != want {
			return fmt.Sprintf("a binding to fact %q of kind %v, which must be of kind %v", f.Name(), f.Kind(), want)
		}
	}
	for _, v := range b.values {
		if !elementary.IsFinite(v) {
			return fmt.Sprintf("a binding to the constant %v; use a finite number", v)
		}
	}
	return ""
}
