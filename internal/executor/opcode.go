package executor

// Opcode is what a compiled node does.
type Opcode uint8

// The opcodes are named as the constructors of package aitree.
const (
	OpSequence Opcode = iota
	OpSelector
	OpReactiveSequence
	OpReactiveSelector
	OpParallel
	OpRandomSequence
	OpRandomSelector
	OpUtilitySelector
	OpRoundRobin
	OpRecovery
	OpWeightedChoice
	OpInverter
	OpForceSuccess
	OpForceFailure
	OpRepeat
	OpRetry
	OpUntilSuccess
	OpUntilFailure
	OpCooldown
	OpEvery
	OpTimeout
	OpGuard
	OpCheck
	OpSucceed
	OpFail
	OpFire
	OpRun
	OpWait
	OpDo
	OpLeaf
	OpSubtree // of a description only: Build inlines it
	opTraced  // of a copy of a program that Rehearse ticks
)

var opNames = [...]string{
	"Sequence", "Selector", "ReactiveSequence", "ReactiveSelector", "Parallel", "RandomSequence",
	"RandomSelector", "UtilitySelector", "RoundRobin", "Recovery", "WeightedChoice", "Inverter", "ForceSuccess",
	"ForceFailure", "Repeat", "Retry", "UntilSuccess", "UntilFailure", "Cooldown", "Every", "Timeout", "Guard", "Check",
	"Succeed", "Fail", "Fire", "Run", "Wait", "Do", "Leaf", "Subtree",
}

// String returns the name of the constructor.
func (o Opcode) String() string { return opNames[o] }

// CanRun reports whether the node is a leaf that is entered and exits.
func (o Opcode) CanRun() bool { return o >= OpRun && o <= OpLeaf }

// hasCursor reports whether a running node can be the deepest of its strand: a leaf, a loop between two rounds, or a
// Parallel, whose branches have their own strands.
func (o Opcode) hasCursor() bool { return o.CanRun() || o == OpParallel || o.IsLoop() }

// IsLoop reports whether the node rests between two rounds, and then runs without a child.
func (o Opcode) IsLoop() bool {
	return o == OpRepeat || o == OpRetry || o == OpUntilSuccess || o == OpUntilFailure || o == OpRecovery
}

// IsComposite reports whether the node has any number of children.
func (o Opcode) IsComposite() bool { return o <= OpWeightedChoice }

// HasChoices reports whether each agent has its own first child, or its own order of the children. Such a node has no
// more than MaxChoices.
func (o Opcode) HasChoices() bool {
	return o == OpRandomSequence || o == OpRandomSelector || o == OpWeightedChoice || o == OpRoundRobin
}

// IsDecorator reports whether the node has one child.
func (o Opcode) IsDecorator() bool { return o >= OpInverter && o <= OpGuard }
