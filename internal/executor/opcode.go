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
	OpWeightedChoice
	OpInverter
	OpForceSuccess
	OpForceFailure
	OpRepeat
	OpRetry
	OpUntilSuccess
	OpUntilFailure
	OpCooldown
	OpTimeout
	OpGuard
	OpCheck
	OpFire
	OpWait
	OpDo
	OpLeaf
	OpSubtree // of a description only: Build inlines it
)

var opNames = [...]string{
	"Sequence", "Selector", "ReactiveSequence", "ReactiveSelector", "Parallel", "RandomSequence",
	"RandomSelector", "UtilitySelector", "WeightedChoice", "Inverter", "ForceSuccess", "ForceFailure", "Repeat",
	"Retry",
	"UntilSuccess", "UntilFailure", "Cooldown", "Timeout", "Guard", "Check", "Fire", "Wait", "Do", "Leaf",
	"Subtree",
}

// String returns the name of the constructor.
func (o Opcode) String() string { return opNames[o] }

// CanRun reports whether the node is a leaf that is entered and exits.
func (o Opcode) CanRun() bool { return o == OpWait || o == OpDo || o == OpLeaf }

// hasCursor reports whether a running node can be the deepest of its strand: a leaf, a loop between two rounds, or a
// Parallel, whose branches have their own strands.
func (o Opcode) hasCursor() bool {
	return o.CanRun() || o == OpParallel || o == OpRepeat || o == OpRetry || o == OpUntilSuccess || o == OpUntilFailure
}

// IsComposite reports whether the node has any number of children.
func (o Opcode) IsComposite() bool { return o <= OpWeightedChoice }

// IsDrawn reports whether the node draws the child, or the order of its children.
func (o Opcode) IsDrawn() bool {
	return o == OpRandomSequence || o == OpRandomSelector || o == OpWeightedChoice
}

// IsDecorator reports whether the node has one child.
func (o Opcode) IsDecorator() bool { return o >= OpInverter && o <= OpGuard }
