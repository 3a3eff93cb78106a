package utility

// Combination is how the considerations of an action become one number. An evaluator has one for all its actions,
// because scores of different combinations do not compare. n is the number of the action's considerations, gates
// included. The zero value is [Compensated].
type Combination uint8

// The combinations. The result is clamped to 0..1 and then multiplied by the action's weight.
const (
	// Compensated is p + (1-p)·(1-1/n)·p, where p is the product: it makes up for the number of factors. See Mark,
	// "Behavioral Mathematics for Game AI".
	Compensated Combination = iota
	// CompensatedEach compensates each consideration s by s + (1-s)·(1-1/n)·s and multiplies them.
	CompensatedEach
	// Product is the product.
	Product
	// WeightedSum is the mean by the weights of the considerations; 0 if all weights are 0.
	WeightedSum
	// GeometricMean is the n-th root of the product.
	GeometricMean
	// Min is the least consideration.
	Min
	// Max is the greatest consideration.
	Max
	combinations
)

var combinationNames = [...]string{
	"Compensated", "CompensatedEach", "Product", "WeightedSum", "GeometricMean", "Min", "Max",
}

// String returns the combination's name.
func (c Combination) String() string {
	if c < combinations {
		return combinationNames[c]
	}
	return "unknown combination"
}
