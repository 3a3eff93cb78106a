package scoring_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/utility"
)

// The published pair: compensation moves the balance between two middling considerations and one good and one bad.
func TestCombinationsRankThePublishedPairDifferently(t *testing.T) {
	uneven, even := []float64{0.2, 0.9}, []float64{0.42, 0.42}
	k := linear(4)
	scores := map[utility.Combination][2]float64{
		utility.Product:         {0.18, 0.1764},
		utility.Compensated:     {0.18 + 0.82*0.5*0.18, 0.1764 + 0.8236*0.5*0.1764},
		utility.CompensatedEach: {(0.2 + 0.8*0.5*0.2) * (0.9 + 0.1*0.5*0.9), math.Pow(0.42+0.58*0.5*0.42, 2)},
		utility.WeightedSum:     {0.55, 0.42},
		utility.GeometricMean:   {math.Sqrt(0.18), 0.42},
		utility.Min:             {0.2, 0.42},
		utility.Max:             {0.9, 0.42},
	}
	wins := map[utility.Combination]string{
		utility.Product: "uneven", utility.Compensated: "uneven", utility.CompensatedEach: "even",
		utility.WeightedSum: "uneven", utility.GeometricMean: "uneven", utility.Min: "even", utility.Max: "uneven",
	}
	for how, want := range scores {
		l := newSolo(t, utility.Choose(utility.NewAction("uneven", k[0], k[1]),
			utility.NewAction("even", k[2], k[3])).Combine(how))
		l.see(slices.Concat(uneven, even)...)
		assert.InDeltaSlice(t, want[:], l.scores(), 1e-6, how.String())
		assert.Equal(t, wins[how], l.e.Actions()[l.tick().Action-1], how.String())
	}
}
