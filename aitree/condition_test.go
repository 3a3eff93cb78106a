package aitree_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Every combination of values of three facts, against Go's operators. Each agent is one row of the truth table.
func TestCombinationsHoldAsTheirNamesSay(t *testing.T) {
	low, some := aitree.Less(health, 0.5), aitree.Greater(ammo, 0)
	for _, c := range []struct {
		name      string
		condition *aitree.Condition
		holds     func(a, b, c bool) bool
	}{
		{"all", aitree.AllOf(aitree.True(alarm), low, some), func(a, b, c bool) bool { return a && b && c }},
		{"any", aitree.AnyOf(aitree.True(alarm), low, some), func(a, b, c bool) bool { return a || b || c }},
		{"not all", aitree.Not(aitree.AllOf(aitree.True(alarm), low)), func(a, b, _ bool) bool { return !(a && b) }},
		{"not any", aitree.Not(aitree.AnyOf(aitree.True(alarm), some)), func(a, _, c bool) bool { return !(a || c) }},
		{"one", aitree.AnyOf(low), func(_, b, _ bool) bool { return b }},
		{"all of any and not", aitree.AllOf(aitree.AnyOf(aitree.True(alarm), low), aitree.Not(some)),
			func(a, b, c bool) bool { return (a || b) && !c }},
		{"any of all", aitree.AnyOf(aitree.AllOf(aitree.True(alarm), low), aitree.AllOf(aitree.Not(low), some)),
			func(a, b, c bool) bool { return a && b || !b && c }},
		{"contradiction", aitree.AllOf(low, aitree.Not(low)), func(_, _, _ bool) bool { return false }},
		{"tautology", aitree.AnyOf(low, aitree.Not(low)), func(_, _, _ bool) bool { return true }},
	} {
		for place, root := range map[string]*aitree.Node{
			"check": aitree.Check(c.condition), "guard": aitree.Guard(c.condition, aitree.Wait(0)),
			"until": aitree.Timeout(0, aitree.Do("walk").Until(c.condition)),
		} {
			p, err := aitree.Build("t", testActions(t), root)
			require.NoError(t, err)
			b := aitree.NewBlock(p, 8)
			want := uint64(0)
			for lane := range 8 {
				v := [3]bool{lane&1 != 0, lane&2 != 0, lane&4 != 0}
				for _, f := range p.Facts() {
					switch f.Name() {
					case "alarm":
						b.Facts.SetBool(alarm, lane, v[0])
					case "health":
						b.Facts.SetFloat(health, lane, map[bool]float32{true: 0.25, false: 0.5}[v[1]])
					case "ammo":
						b.Facts.SetInt(ammo, lane, map[bool]int64{true: 1, false: 0}[v[2]])
					}
				}
				if c.holds(v[0], v[1], v[2]) {
					want |= 1 << lane
				}
			}
			b.Tick(1e9)
			assert.Equal(t, want, b.Succeeded(), "%s as %s", c.name, place)
		}
	}
}

// The draws of a chance by the definition of its key: seed, entity, clock, tree and number of the chance.
func TestAChanceDrawsByItsDocumentedKey(t *testing.T) {
	a, b := aitree.Chance(health), aitree.Chance(health)
	p, err := aitree.Build("gamblers", nil, aitree.Parallel(aitree.All, aitree.One,
		aitree.Check(a), aitree.Check(b), aitree.Check(aitree.Not(aitree.Not(a)))))
	require.NoError(t, err)
	both := 0
	for tick := range components.Timestamp(20) {
		block := aitree.NewBlock(p, 64)
		block.Seed = 7
		want := uint64(0)
		for lane := range 64 {
			block.Facts.SetFloat(health, lane, 0.75)
			drawn := func(number uint64) float64 {
				key := random.Mix(random.Mix(7, uint64(lane+1)), uint64(tick*1000))
				key = random.Mix(key, random.String("gamblers"))
				return float64(random.Mix(key, -(number+1)<<32)>>32) / (1 << 32)
			}
			if drawn(0) < 0.75 && drawn(1) < 0.75 {
				want |= 1 << lane
				both++
			}
		}
		block.Tick(tick * 1e6)
		require.Equal(t, want, block.Succeeded())
	}
	assert.InDelta(t, 1280*0.75*0.75, both, 4*math.Sqrt(1280*0.5625*0.4375), "two draws, each with its own chance")
}

func TestAChanceIsAsLikelyAsItsFact(t *testing.T) {
	p, err := aitree.Build("t", nil, aitree.Check(aitree.Chance(health)))
	require.NoError(t, err)
	block := aitree.NewBlock(p, 64)
	var held [64]int
	probabilities := []float32{0, 1, -3, 2, float32(math.NaN()), 0.1, 0.5, 0.9}
	for lane := range 64 {
		block.Facts.SetFloat(health, lane, probabilities[lane%8])
	}
	const ticks = 2000
	for tick := range components.Timestamp(ticks) {
		block.Tick(tick * 1e6)
		for lane := range 64 {
			held[lane] += int(block.Succeeded() >> lane & 1)
		}
	}
	for lane, n := range held {
		switch want := probabilities[lane%8]; lane % 8 {
		case 0, 2:
			assert.Zero(t, n, "probability %v", want)
		case 1, 3, 4: // a NaN reads as the fact's default of 1
			assert.Equal(t, ticks, n, "probability %v", want)
		default:
			q := float64(want)
			assert.InDelta(t, ticks*q, n, 5*math.Sqrt(ticks*q*(1-q)), "probability %v", want)
		}
	}
}

// A source of the caller's own may answer anything.
func TestAChanceOfWhatIsNotFiniteIsZeroOrOne(t *testing.T) {
	p, err := compile("t", nil, aitree.Check(aitree.Chance(health)))
	require.NoError(t, err)
	b := newManyAgents(p, 0b111, wildSource{Lanes: blackboard.NewLanes(p.Facts)})
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Equal(t, uint64(0b010), x.Succeeded)
}

// wildSource answers with NaN, +Inf and -Inf.
type wildSource struct{ *blackboard.Lanes }

func (wildSource) Floats(_ int, _ uint64, lane *[64]float32) *[64]float32 {
	lane[0], lane[1], lane[2] = float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))
	return lane
}

// A guard fights while it is healthy, or cornered and armed.
func ExampleAnyOf() {
	type state struct {
		Health          float32
		Cornered, Armed bool
	}
	health := blackboard.FloatFact("health", func(s *state) *float32 { return &s.Health }, 1)
	cornered := blackboard.BoolFact("cornered", func(s *state) *bool { return &s.Cornered }, false)
	armed := blackboard.BoolFact("armed", func(s *state) *bool { return &s.Armed }, false)
	fights := aitree.AnyOf(
		aitree.Greater(health, 0.5),
		aitree.AllOf(aitree.True(cornered), aitree.True(armed)),
	)
	program, err := aitree.Build("guard", nil, aitree.Check(fights))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 4)
	block.Facts.SetFloat(health, 1, 0.2)
	block.Facts.SetFloat(health, 2, 0.2)
	block.Facts.SetBool(cornered, 2, true)
	block.Facts.SetFloat(health, 3, 0.2)
	block.Facts.SetBool(cornered, 3, true)
	block.Facts.SetBool(armed, 3, true)
	block.Tick(0)
	fmt.Printf("%04b\n", block.Succeeded())
	// Output: 1001
}

// How often an agent tries depends on its courage.
func ExampleChance() {
	courage := blackboard.FloatFact("courage", func(s *struct{ Courage float32 }) *float32 { return &s.Courage }, 0)
	program, err := aitree.Build("thief", nil, aitree.Check(aitree.Chance(courage)))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 3)
	block.Facts.SetFloat(courage, 1, 0.3)
	block.Facts.SetFloat(courage, 2, 1)
	var tries [3]int
	for second := range 1000 {
		block.Tick(components.Timestamp(second) * 1e9)
		for lane := range tries {
			tries[lane] += int(block.Succeeded() >> lane & 1)
		}
	}
	fmt.Println(tries[0], tries[1] > 250 && tries[1] < 350, tries[2])
	// Output: 0 true 1000
}
