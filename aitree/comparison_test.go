package aitree_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// compared has two fields of each kind, to be compared with each other and with numbers.
type compared struct {
	F, G float32
	I, J int64
	S, T components.Timestamp
	D, E components.Entity
	B    bool
}

var (
	factF = blackboard.FloatFact("f", func(c *compared) *float32 { return &c.F }, 0)
	factG = blackboard.FloatFact("g", func(c *compared) *float32 { return &c.G }, 0)
	factI = blackboard.IntFact("i", func(c *compared) *int64 { return &c.I }, 0)
	factJ = blackboard.IntFact("j", func(c *compared) *int64 { return &c.J }, 0)
	factS = blackboard.AgeFact("s", func(c *compared) *components.Timestamp { return &c.S })
	factT = blackboard.AgeFact("t", func(c *compared) *components.Timestamp { return &c.T })
	factD = blackboard.EntityFact("d", func(c *compared) *components.Entity { return &c.D })
	factE = blackboard.EntityFact("e", func(c *compared) *components.Entity { return &c.E })
	factB = blackboard.BoolFact("b", func(c *compared) *bool { return &c.B }, false)
)

// TestConditionsCompareAsTheirNamesSay holds each condition to the operator it is named for, in Go, for one agent
// at a time.
func TestConditionsCompareAsTheirNamesSay(t *testing.T) {
	const now = components.Timestamp(5e9)
	type condition struct {
		name  string
		c     *aitree.Condition
		holds func(v *compared) bool
	}
	age := func(at components.Timestamp) int64 {
		if at == 0 {
			return math.MaxInt64 // never is older than anything
		}
		return int64(now - at)
	}
	conditions := []condition{
		{"True", aitree.True(factB), func(v *compared) bool { return v.B }},
		{"Alive", aitree.Alive(factD), func(v *compared) bool { return !v.D.IsZero() }},
		{"LessFact float", aitree.LessFact(factF, factG), func(v *compared) bool { return v.F < v.G }},
		{"LessEqualFact float", aitree.LessEqualFact(factF, factG), func(v *compared) bool { return v.F <= v.G }},
		{"EqualFact float", aitree.EqualFact(factF, factG), func(v *compared) bool { return v.F == v.G }},
		{"LessFact int", aitree.LessFact(factI, factJ), func(v *compared) bool { return v.I < v.J }},
		{"LessEqualFact int", aitree.LessEqualFact(factI, factJ), func(v *compared) bool { return v.I <= v.J }},
		{"EqualFact int", aitree.EqualFact(factI, factJ), func(v *compared) bool { return v.I == v.J }},
		{"LessFact age", aitree.LessFact(factS, factT), func(v *compared) bool { return age(v.S) < age(v.T) }},
		{"LessEqualFact age", aitree.LessEqualFact(factS, factT),
			func(v *compared) bool { return age(v.S) <= age(v.T) }},
		{"EqualFact age", aitree.EqualFact(factS, factT), func(v *compared) bool { return age(v.S) == age(v.T) }},
		{"EqualFact entity", aitree.EqualFact(factD, factE), func(v *compared) bool { return v.D == v.E }},
	}
	for _, x := range []float64{0, -1, 0.1, 0.5, 1e9, math.Copysign(0, -1)} {
		y := float32(x) // a fact of 32 bits is compared as one
		conditions = append(conditions,
			condition{fmt.Sprint("Less float ", x), aitree.Less(factF, x), func(v *compared) bool { return v.F < y }},
			condition{fmt.Sprint("LessEqual float ", x), aitree.LessEqual(factF, x),
				func(v *compared) bool { return v.F <= y }},
			condition{fmt.Sprint("Greater float ", x), aitree.Greater(factF, x),
				func(v *compared) bool { return v.F > y }},
			condition{fmt.Sprint("GreaterEqual float ", x), aitree.GreaterEqual(factF, x),
				func(v *compared) bool { return v.F >= y }},
			condition{fmt.Sprint("Equal float ", x), aitree.Equal(factF, x),
				func(v *compared) bool { return v.F == y }},
			condition{fmt.Sprint("NotEqual float ", x), aitree.NotEqual(factF, x),
				func(v *compared) bool { return v.F != y }},
		)
	}
	whole := []int64{0, -7, 1 << 24, 1<<24 + 1, 1<<53 + 1, -1<<62 - 1} // float32 and float64 do not hold all of them
	for _, x := range whole {
		conditions = append(conditions,
			condition{fmt.Sprint("Less int ", x), aitree.Less(factI, x), func(v *compared) bool { return v.I < x }},
			condition{fmt.Sprint("LessEqual int ", x), aitree.LessEqual(factI, x),
				func(v *compared) bool { return v.I <= x }},
			condition{fmt.Sprint("Greater int ", x), aitree.Greater(factI, x),
				func(v *compared) bool { return v.I > x }},
			condition{fmt.Sprint("GreaterEqual int ", x), aitree.GreaterEqual(factI, x),
				func(v *compared) bool { return v.I >= x }},
			condition{fmt.Sprint("Equal int ", x), aitree.Equal(factI, x), func(v *compared) bool { return v.I == x }},
			condition{fmt.Sprint("NotEqual int ", x), aitree.NotEqual(factI, x),
				func(v *compared) bool { return v.I != x }},
		)
	}
	for _, seconds := range []float64{0, 0.8, 1, 2.5} {
		x := int64(seconds * 1e9)
		conditions = append(conditions,
			condition{fmt.Sprint("Less age ", seconds), aitree.Less(factS, time.Duration(x)),
				func(v *compared) bool { return age(v.S) < x }},
			condition{fmt.Sprint("LessEqual age ", seconds), aitree.LessEqual(factS, time.Duration(x)),
				func(v *compared) bool { return age(v.S) <= x }},
			condition{fmt.Sprint("Greater age ", seconds), aitree.Greater(factS, time.Duration(x)),
				func(v *compared) bool { return age(v.S) > x }},
			condition{fmt.Sprint("GreaterEqual age ", seconds), aitree.GreaterEqual(factS, time.Duration(x)),
				func(v *compared) bool { return age(v.S) >= x }},
		)
	}

	rng := rand.New(rand.NewPCG(7, 7))
	one := func(from ...float32) float32 { return from[rng.IntN(len(from))] }
	for _, c := range conditions {
		for _, negated := range []bool{false, true} {
			root, name := aitree.Check(c.c), c.name
			if negated {
				root, name = aitree.Check(aitree.Not(c.c)), "Not "+c.name
			}
			p, err := compile(name, nil, root)
			require.NoError(t, err)
			x := executor.NewExecutor()
			for range 8 {
				lanes := blackboard.NewLanes(p.Facts)
				b := executor.Block{Mask: rng.Uint64() | 1, Now: now, Facts: lanes}
				var values [64]compared
				for i := range values {
					float := func() float32 { return one(0, -1, 0.1, 0.5, 0.50000006, 1e9, 2) }
					integer := func() int64 { return whole[rng.IntN(len(whole))] + int64(rng.IntN(3)-1) }
					moment := func() components.Timestamp {
						at := now - components.Timestamp(one(0, 0.8, 1, 2.5)*10)*1e8 +
							components.Timestamp(rng.IntN(3)-1)
						return at * components.Timestamp(min(1, rng.IntN(4)))
					}
					entity := func() components.Entity {
						return components.Entity{Index: uint32(rng.IntN(3)), Generation: uint32(rng.IntN(2))}
					}
					v := &values[i]
					*v = compared{float(), float(), integer(), integer(), moment(), moment(), entity(), entity(),
						rng.IntN(2) == 0}
					for _, f := range p.Facts {
						switch f.Name() {
						case "f":
							lanes.SetFloat(f, i, v.F)
						case "g":
							lanes.SetFloat(f, i, v.G)
						case "i":
							lanes.SetInt(f, i, v.I)
						case "j":
							lanes.SetInt(f, i, v.J)
						case "s":
							lanes.SetTime(f, i, v.S)
						case "t":
							lanes.SetTime(f, i, v.T)
						case "d":
							lanes.SetEntity(f, i, v.D)
						case "e":
							lanes.SetEntity(f, i, v.E)
						case "b":
							lanes.SetBool(f, i, v.B)
						}
					}
					b.Minds[i] = make([]uint32, p.MindBytes()/4)
				}
				x.Tick(p, &b)
				require.Equal(t, b.Mask, x.Succeeded|x.Failed, name)
				for i := range values {
					if b.Mask>>i&1 != 0 {
						require.Equal(t, c.holds(&values[i]) != negated, x.Succeeded>>i&1 != 0, "%s of %+v", name,
							values[i])
					}
				}
			}
		}
	}
}

// Clocks and limits of ages at which now - limit is below, at and above 0, with readings around it. A reading of 0 is
// never, which is older than any limit, even when the clock itself is younger than the limit.
func TestAgesCompareAroundTheLimitAndNeverIsOlderThanAnyLimit(t *testing.T) {
	for _, limit := range []int64{-1, 0, 1, 2, 5e9 - 1, 5e9, 5e9 + 1, 3600e9, 9e18} {
		age := func(now, at int64) int64 {
			if at == 0 {
				return math.MaxInt64
			}
			return now - at
		}
		d := time.Duration(limit)
		for _, c := range []struct {
			name      string
			condition *aitree.Condition
			holds     func(now, at int64) bool
		}{
			{"less", aitree.Less(factS, d), func(now, at int64) bool { return age(now, at) < limit }},
			{"at most", aitree.LessEqual(factS, d), func(now, at int64) bool { return age(now, at) <= limit }},
			{"greater", aitree.Greater(factS, d), func(now, at int64) bool { return age(now, at) > limit }},
			{"at least", aitree.GreaterEqual(factS, d), func(now, at int64) bool { return age(now, at) >= limit }},
			{"equal", aitree.Equal(factS, d), func(now, at int64) bool { return age(now, at) == limit }},
			{"not equal", aitree.NotEqual(factS, d), func(now, at int64) bool { return age(now, at) != limit }},
		} {
			p, err := aitree.Build("t", nil, aitree.Check(c.condition))
			require.NoError(t, err)
			for _, now := range []int64{0, 1, 2, 3, 5e9, 5e9 + 1, 5e9 + 2, 9000e9} {
				b := aitree.NewBlock(p, 10)
				readings := [10]int64{0, 1, 2, now - limit - 1, now - limit, now - limit + 1, now - 1, now, 3, 0}
				for lane, at := range readings {
					b.Facts.SetTime(factS, lane, components.Timestamp(at))
				}
				b.Tick(components.Timestamp(now))
				for lane, at := range readings {
					if 0 <= at && at <= now {
						require.Equal(t, c.holds(now, at), b.Succeeded()>>lane&1 != 0,
							"age %s %v, at %v read at %v", c.name, d, at, now)
					}
				}
			}
		}
	}
}

// Constants and values at the ends of an int64 and around 2^31, where narrower integers end.
func TestIntegersCompareExactlyAtTheirEnds(t *testing.T) {
	const least, greatest = math.MinInt64, math.MaxInt64
	ends := []int64{least, least + 1, -1<<31 - 1, -1 << 31, -1<<31 + 1, -1, 0, 1, 1<<31 - 1, 1 << 31, 1<<31 + 1,
		1<<32 - 1, 1 << 32, greatest - 1, greatest}
	for _, x := range ends {
		for _, c := range []struct {
			name      string
			condition *aitree.Condition
			holds     func(v int64) bool
		}{
			{"less", aitree.Less(factI, x), func(v int64) bool { return v < x }},
			{"at most", aitree.LessEqual(factI, x), func(v int64) bool { return v <= x }},
			{"greater", aitree.Greater(factI, x), func(v int64) bool { return v > x }},
			{"at least", aitree.GreaterEqual(factI, x), func(v int64) bool { return v >= x }},
			{"equal", aitree.Equal(factI, x), func(v int64) bool { return v == x }},
			{"not equal", aitree.NotEqual(factI, x), func(v int64) bool { return v != x }},
		} {
			p, err := aitree.Build("t", nil, aitree.Check(c.condition))
			require.NoError(t, err)
			b := aitree.NewBlock(p, len(ends))
			for lane, v := range ends {
				b.Facts.SetInt(factI, lane, v)
			}
			b.Tick(1)
			for lane, v := range ends {
				require.Equal(t, c.holds(v), b.Succeeded()>>lane&1 != 0, "%d %s %d", v, c.name, x)
			}
		}
	}
}
