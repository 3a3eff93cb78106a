package aitree

// opcode is what a compiled node does.
type opcode uint8

const (
	opSequence opcode = iota
	opSelector
	opReactiveSequence
	opReactiveSelector
	opParallel
	opRandomSequence
	opRandomSelector
	opUtilitySelector
	opWeightedChoice
	opInverter
	opForceSuccess
	opForceFailure
	opRepeat
	opRetry
	opUntilSuccess
	opUntilFailure
	opCooldown
	opTimeout
	opGuard
	opCheck
	opFire
	opWait
	opDo
	opLeaf
	opSubtree // inlined by Build
)

var opNames = [...]string{
	"Sequence", "Selector", "ReactiveSequence", "ReactiveSelector", "Parallel", "RandomSequence",
	"RandomSelector", "UtilitySelector", "WeightedChoice", "Inverter", "ForceSuccess", "ForceFailure", "Repeat",
	"Retry",
	"UntilSuccess", "UntilFailure", "Cooldown", "Timeout", "Guard", "Check", "Fire", "Wait", "Do", "Leaf",
	"Subtree",
}

func (o opcode) String() string { return opNames[o] }

// canRun reports whether the node is a leaf that is entered and exits.
func (o opcode) canRun() bool { return o == opWait || o == opDo || o == opLeaf }

// canRest reports whether a running node can be the deepest of its strand: a leaf, a loop between two rounds, or a
// Parallel, whose branches are strands of their own.
func (o opcode) canRest() bool {
	return o.canRun() || o == opParallel || o == opRepeat || o == opRetry || o == opUntilSuccess || o == opUntilFailure
}

func (o opcode) isComposite() bool { return o <= opWeightedChoice }

func (o opcode) isDecorator() bool { return o >= opInverter && o <= opGuard }
