package benchmarks

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	c := newScorerContestant(10240, 1)
	for range 20 {
		c.tick()
		c.between()
	}
	var all []float64
	for range 15000 {
		s := time.Now()
		c.tick()
		all = append(all, float64(time.Since(s).Nanoseconds())/10240)
	}
	slices.Sort(all)
	fmt.Printf("min %.2f  p10 %.2f  median %.2f\n", all[0], all[400], all[2000])
}
