package aitree_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// A mind keeps deadlines in 32 bits and the epoch of its last tick in 16. Here that is held to 64-bit arithmetic, for
// agents that are ticked every frame and for those that are frozen for years.

const (
	epochMicros = 1 << 30           // an epoch, about 18 minutes
	wrapMicros  = epochMicros << 16 // after so long, 2.2 years, epochs have the same numbers again
	yearMicros  = 365 * 86400 * 1_000_000
	mostSeconds = 2147.483647 // the longest duration
)

// agedTree has every kind of timer, running and idle, beside a leaf that keeps it from completing.
type agedTree struct {
	cooldown, wait1, wait2, timeout1, timeout2, wait3, every float64 // seconds
}

// agedSeen is what the leaves of a tick saw.
type agedSeen struct {
	Struck        bool // the cooldown let its child be ticked
	Waited        bool // both waits are over
	HoldEntered   bool
	Hold2Entered  bool
	Went          bool // the second timeout and the wait after it are over
	Hold2WasAsked bool
	Began         bool // the Every behind both waits let its child begin
}

func (a agedTree) program(t require.TestingT, seen *agedSeen) *executor.Program {
	note := func(name string, at *bool) *aitree.Node {
		return aitree.AgentLeaf(name, func(aitree.Agent) aitree.Status {
			*at = true
			return aitree.Success
		})
	}
	hold := func(name string, entered, asked *bool) *aitree.Node {
		return aitree.AgentLeaf(name, func(g aitree.Agent) aitree.Status {
			*entered, *asked = g.Entering(), true
			return aitree.Running
		})
	}
	var ignored bool
	p, err := compile("aged", nil, aitree.Parallel(aitree.All, aitree.All,
		aitree.Cooldown(duration(a.cooldown), note("strike", &seen.Struck)),
		aitree.Sequence(aitree.Wait(duration(a.wait1)), aitree.Wait(duration(a.wait2)), note("waited", &seen.Waited),
			aitree.Every(duration(a.every), note("began", &seen.Began))),
		aitree.Timeout(duration(a.timeout1), hold("hold", &seen.HoldEntered, &ignored)),
		aitree.Sequence(
			aitree.ForceSuccess(aitree.Timeout(duration(a.timeout2),
				hold("hold2", &seen.Hold2Entered, &seen.Hold2WasAsked))),
			aitree.Wait(duration(a.wait3)),
			note("went", &seen.Went),
		),
		aitree.Leaf("ever", func(c *blackboard.Context) (uint64, uint64) { return 0, c.Mask }),
	))
	require.NoError(t, err)
	return p
}

// agedModel is the same tree by the rules of time, in 64-bit microseconds. A stage of 0 is idle.
type agedModel struct {
	cooldown, wait1, wait2, timeout1, timeout2, wait3, every int64

	ready             int64
	waiting, going    int
	waitEnd, goingEnd int64
	holding           bool
	holdEnd           int64
	again             int64 // when the child of the Every may begin again
}

func (a agedTree) model() *agedModel {
	return &agedModel{
		cooldown: micros(a.cooldown), wait1: micros(a.wait1), wait2: micros(a.wait2),
		timeout1: micros(a.timeout1), timeout2: micros(a.timeout2), wait3: micros(a.wait3), every: micros(a.every),
	}
}

func (m *agedModel) tick(now int64) (seen agedSeen) {
	if now >= m.ready {
		seen.Struck = true
		m.ready = now + m.cooldown
	}

	if m.waiting == 0 {
		m.waiting, m.waitEnd = 1, now+m.wait1
	}
	if m.waiting == 1 && now >= m.waitEnd {
		m.waiting, m.waitEnd = 2, m.waitEnd+m.wait2 // goes on at the deadline
	}
	if m.waiting == 2 && now >= m.waitEnd {
		m.waiting, seen.Waited = 0, true
		if now >= m.again {
			seen.Began, m.again = true, m.waitEnd+m.every // it begins at the deadline of the wait
		}
	}

	if !m.holding {
		m.holding, m.holdEnd, seen.HoldEntered = true, now+m.timeout1, true
	}
	if now >= m.holdEnd {
		m.holding = false
	}

	if m.going == 0 {
		m.going, m.goingEnd, seen.Hold2Entered = 1, now+m.timeout2, true
	}
	if m.going == 1 {
		seen.Hold2WasAsked = true
		if now >= m.goingEnd {
			m.going, m.goingEnd = 2, m.goingEnd+m.wait3
		}
	}
	if m.going == 2 && now >= m.goingEnd {
		m.going, seen.Went = 0, true
	}
	return seen
}

// life ticks a mind of the tree at chosen instants.
type agedLife struct {
	program *executor.Program
	model   *agedModel
	seen    agedSeen
	x       *executor.Executor
	block   executor.Block
	mind    components.Mind128
}

func newAgedLife(t require.TestingT, a agedTree) *agedLife {
	l := &agedLife{model: a.model(), x: executor.NewExecutor()}
	l.program = a.program(t, &l.seen)
	require.LessOrEqual(t, l.program.MindBytes(), 128)
	l.block.Mask, l.block.Minds[0] = 1, l.mind.Words[:]
	return l
}

// tick ticks at an instant in nanoseconds, of which trees see whole microseconds.
func (l *agedLife) tick(nanoseconds int64) (got, want agedSeen) {
	l.seen = agedSeen{}
	l.block.Now = components.Timestamp(nanoseconds)
	l.x.Tick(l.program, &l.block)
	return l.seen, l.model.tick(nanoseconds / 1000)
}

// drawGap draws how long an agent is left alone, in microseconds, from nothing to three years.
func drawGap(t *rapid.T, durations []int64, label string) int64 {
	near := rapid.Int64Range(-2, 2).Draw(t, label+" off")
	switch rapid.SampledFrom([]string{"frame", "duration", "epochs", "cycles", "any", "long", "longest"}).Draw(t,
		label) {
	case "frame":
		return rapid.SampledFrom([]int64{1, 16_666, 16_667, 20_000, 33_333, 100_000, 1_000_000}).Draw(t, label+" frame")
	case "duration":
		return max(0, rapid.SampledFrom(durations).Draw(t, label+" duration")+near)
	case "epochs":
		return max(0, rapid.Int64Range(0, 70).Draw(t, label+" epochs")*epochMicros+near)
	case "cycles": // of the 32 bits of a deadline
		return max(0, rapid.Int64Range(0, 10_000).Draw(t, label+" cycles")<<32+near)
	case "any":
		return rapid.Int64Range(0, 5_000_000_000).Draw(t, label+" any")
	case "long":
		return rapid.Int64Range(0, wrapMicros-epochMicros).Draw(t, label+" long")
	}
	return wrapMicros - epochMicros // the bound
}

func drawDuration(t *rapid.T, label string) float64 {
	if rapid.Bool().Draw(t, label+" special") {
		return rapid.SampledFrom([]float64{0, 0.000001, 0.8, 1, 60, 1073.741823, 1073.741824, 2147.483646,
			mostSeconds}).Draw(t, label)
	}
	return float64(rapid.Int64Range(0, 2_147_483_647).Draw(t, label)) / 1e6
}

func drawAged(t *rapid.T) (agedTree, []int64) {
	a := agedTree{
		drawDuration(t, "cooldown"), drawDuration(t, "wait 1"), drawDuration(t, "wait 2"),
		drawDuration(t, "timeout 1"), drawDuration(t, "timeout 2"), drawDuration(t, "wait 3"), drawDuration(t, "every"),
	}
	m := a.model()
	return a, []int64{m.cooldown, m.wait1, m.wait2, m.timeout1, m.timeout2, m.wait3, m.wait1 + m.wait2,
		m.timeout2 + m.wait3, m.every}
}

// drawStart draws an instant of up to 270 years, many of them beside a turn of an epoch.
func drawStart(t *rapid.T) int64 {
	start := rapid.Int64Range(1, 270*yearMicros).Draw(t, "start")
	if rapid.Bool().Draw(t, "at a turn") {
		start = max(1, start/epochMicros*epochMicros+rapid.Int64Range(-3, 3).Draw(t, "beside it"))
	}
	return start
}

func TestTimersAreExactHoweverLongAMindLiesStillUpToTwoYears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, durations := drawAged(t)
		l := newAgedLife(t, a)
		now := drawStart(t)
		for i := range rapid.IntRange(2, 30).Draw(t, "ticks") {
			got, want := l.tick(now*1000 + rapid.Int64Range(0, 999).Draw(t, "nanoseconds"))
			require.Equal(t, want, got, "tick %d, at %d µs", i, now)
			now += drawGap(t, durations, "gap")
			if now > 280*yearMicros {
				return
			}
		}
	})
}

// Beyond the bound epochs repeat. Only a mind that was left alone for a multiple of the cycle, to within hours, reads
// its timers as if it had been left alone for the rest alone; any other gap is longer than all timers either way.
func TestTimersAreExactBeyondTwoYearsToo(t *testing.T) {
	const margin = 8 * epochMicros // more than two of the longest timers, one behind the other
	rapid.Check(t, func(t *rapid.T) {
		a, _ := drawAged(t)
		l := newAgedLife(t, a)
		now := drawStart(t)
		for i := range 6 {
			got, want := l.tick(now * 1000)
			require.Equal(t, want, got, "tick %d, at %d µs", i, now)
			if i%2 == 0 {
				now += rapid.Int64Range(wrapMicros+margin, 3*yearMicros).Draw(t, "gap")
			} else {
				now += rapid.Int64Range(0, 3_000_000_000).Draw(t, "gap")
			}
		}
	})
}

func TestTheBoundOfTimeInAMindIsTwoYears(t *testing.T) {
	a := agedTree{cooldown: 10, wait1: 10, wait2: 0, timeout1: 10, timeout2: 10, wait3: 0}
	for _, c := range []struct {
		gap   int64
		exact bool
	}{
		{wrapMicros - epochMicros, true},
		{wrapMicros, false}, // 2 years and 84 days to the microsecond
		{wrapMicros + 10_000_000, true},
		{3 * yearMicros, true},
	} {
		l := newAgedLife(t, a)
		start := int64(30 * 86400 * 1_000_000)
		l.tick(start * 1000)
		got, want := l.tick((start + c.gap) * 1000)
		assert.Equal(t, c.exact, got == want, "after %d µs: %+v, want %+v", c.gap, got, want)
	}
	days := float64(wrapMicros-epochMicros) / 86400e6
	assert.InDelta(t, 814.4, days, 0.1, "days that any mind may lie still")
}

// An agent that is ticked every so often, for thirty days and more.
func TestSparseTicksNeverLoseATimer(t *testing.T) {
	for _, seconds := range []float64{0.8, 59.9, 900, mostSeconds} {
		a := agedTree{cooldown: seconds, wait1: seconds, wait2: seconds / 2, timeout1: seconds, timeout2: seconds / 3,
			wait3: seconds, every: seconds * 0.9}
		for _, every := range []int64{7, 60, 5 * 60, 18 * 60, 3600, 71 * 60, 86400, 7 * 86400} {
			t.Run(fmt.Sprintf("%v s every %d s", seconds, every), func(t *testing.T) {
				l := newAgedLife(t, a)
				ticks := 0
				for now := int64(1); now < 30*86400 && ticks < 4000; now += every {
					// Woken: a few frames in a row.
					for f := range int64(3) {
						got, want := l.tick(now*1_000_000_000 + f*16_666_667)
						require.Equal(t, want, got, "at %d s, frame %d", now, f)
					}
					ticks++
				}
			})
		}
	}
}

func TestDurationsUpToTheLimitAreBuiltAndKept(t *testing.T) {
	for name, root := range map[string]func(seconds float64) *aitree.Node{
		"wait": func(s float64) *aitree.Node { return aitree.Wait(duration(s)) },
		"timeout": func(s float64) *aitree.Node {
			return aitree.Timeout(duration(s),
				aitree.Wait(duration(mostSeconds)))
		},
		"cooldown": func(s float64) *aitree.Node { return aitree.Cooldown(duration(s), aitree.Wait(0)) },
		"every":    func(s float64) *aitree.Node { return aitree.Every(duration(s), aitree.Wait(0)) },
		"do for": func(s float64) *aitree.Node {
			return aitree.Do("walk").For(duration(s))
		},
		"between": func(s float64) *aitree.Node { return aitree.WaitBetween(duration(s), duration(s)) },
	} {
		_, err := compile("t", testActions(t), root(mostSeconds))
		assert.NoError(t, err, name)
		_, err = compile("t", testActions(t), root(2147.483648))
		assert.ErrorContains(t, err, "a duration of 35m47.483648s; the limit is 35m47.483647s", name)
	}
	// To the microsecond, from either side of a turn of the low 32 bits.
	for _, start := range []int64{1, epochMicros - 1, epochMicros, 1<<31 - 1, 1<<32 - 1, 1 << 32,
		30 * 86400 * 1_000_000} {
		l := newAgedLife(t, agedTree{cooldown: mostSeconds, wait1: mostSeconds, timeout1: mostSeconds,
			timeout2: mostSeconds})
		first, _ := l.tick(start * 1000)
		assert.Equal(t, agedSeen{Struck: true, HoldEntered: true, Hold2Entered: true, Hold2WasAsked: true}, first)
		early, _ := l.tick((start + 2_147_483_646) * 1000)
		assert.Equal(t, agedSeen{Hold2WasAsked: true}, early, "a microsecond early, from %d", start)
		due, _ := l.tick((start + 2_147_483_647) * 1000)
		assert.Equal(t, agedSeen{Struck: true, Waited: true, Began: true, Hold2WasAsked: true, Went: true}, due,
			"from %d", start)
	}
}
