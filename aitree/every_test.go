package aitree_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

func TestEveryBeginsItsChildOnceInItsDurationAndRepeatsTheResultMeanwhile(t *testing.T) {
	seconds := []float64{0, 1, 2, 3, 4, 5, 6}
	var invoked []float64
	results := tickAt(t, newBlock(t, nil, aitree.Every(3*time.Second,
		scripted(&invoked, aitree.Failure, aitree.Success, aitree.Failure))), seconds...)
	assert.Equal(t, []float64{0, 3, 6}, invoked)
	const f, s, r = aitree.Failure, aitree.Success, aitree.Running
	assert.Equal(t, []aitree.Status{f, f, f, s, s, s, f}, results)

	// A child that runs is ticked on every tick, and its beginning counts: it begins at 0, 4 and 6.
	invoked = nil
	results = tickAt(t, newBlock(t, nil, aitree.Every(2*time.Second, scripted(&invoked, r, r, r, s, f, r, s))),
		0, 1, 2, 3, 4, 5, 6, 7)
	assert.Equal(t, []float64{0, 1, 2, 3, 4, 6, 7}, invoked)
	assert.Equal(t, []aitree.Status{r, r, r, s, f, f, r, s}, results)

	invoked = nil
	tickAt(t, newBlock(t, nil, aitree.Every(0, scripted(&invoked, s))), 0, 0, 1)
	assert.Equal(t, []float64{0, 0, 1}, invoked, "a duration of 0 limits nothing")
}

// The second wait ends at 1.5 s, and is noticed at 2 s: the child begins at the instant 1.5, and may at 3.5 again.
func TestEveryCountsFromTheInstantAtWhichItsChildBegan(t *testing.T) {
	var invoked []float64
	tickAt(t, newBlock(t, nil, aitree.Sequence(aitree.Wait(500*time.Millisecond), aitree.Wait(time.Second),
		aitree.Every(2*time.Second, scripted(&invoked, aitree.Success)))), 0, 2, 2, 3.499)
	assert.Equal(t, []float64{2}, invoked)
	tickAt(t, newBlock(t, nil, aitree.Sequence(aitree.Wait(500*time.Millisecond), aitree.Wait(time.Second),
		aitree.Every(2*time.Second, scripted(&invoked, aitree.Success)))), 0, 2, 2, 3.5)
	assert.Equal(t, []float64{2, 2, 3.5}, invoked)
}

func TestTheMemoryOfEverySurvivesAbortsAndRoundsButNoReset(t *testing.T) {
	var invoked []float64
	b := newBlock(t, nil, aitree.Guard(aitree.Not(aitree.True(alarm)), aitree.UntilFailure(
		aitree.Every(10*time.Second, scripted(&invoked, aitree.Success)))))
	tickAt(t, b, 0, 1)
	b.Facts.SetBool(alarm, 0, true)
	tickAt(t, b, 2)
	b.Facts.SetBool(alarm, 0, false)
	tickAt(t, b, 3, 9)
	assert.Equal(t, []float64{0}, invoked)
	b.Reset(0)
	tickAt(t, b, 9.5)
	assert.Equal(t, []float64{0, 9.5}, invoked)
}

// What was aborted before it completed has no result that could stand. Later ones have, and their beginning counts.
func TestEveryBeginsAgainAfterAnAbortWhileThereIsNoResult(t *testing.T) {
	var invoked []float64
	b := newBlock(t, nil, aitree.Guard(aitree.Not(aitree.True(alarm)), aitree.Every(3*time.Second,
		scripted(&invoked, aitree.Running, aitree.Success, aitree.Running, aitree.Running))))
	abort := func(at float64) {
		b.Facts.SetBool(alarm, 0, true)
		tickAt(t, b, at)
		b.Facts.SetBool(alarm, 0, false)
	}
	tickAt(t, b, 0)
	abort(1)
	assert.Equal(t, []aitree.Status{aitree.Success}, tickAt(t, b, 2), "there is none yet")
	assert.Equal(t, []aitree.Status{aitree.Success, aitree.Running}, tickAt(t, b, 4, 5))
	abort(6)
	assert.Equal(t, []aitree.Status{aitree.Success, aitree.Running}, tickAt(t, b, 7, 8),
		"the success of 2 s until 5 + 3")
	assert.Equal(t, []float64{0, 2, 5, 8}, invoked)
}

// A scout looks around at most once in five seconds; until then it believes what it saw.
func ExampleEvery() {
	seesFoe := blackboard.BoolFact("sees foe", func(s *guardSenses) *bool { return &s.SeesFoe }, false)
	look := aitree.AgentLeaf("look", func(a aitree.Agent) aitree.Status {
		fmt.Printf("%d s: looks\n", a.Now()/1e9)
		if a.Bool(0) {
			return aitree.Success
		}
		return aitree.Failure
	}).Reads(seesFoe)
	program, err := aitree.Build("scout", nil, aitree.Every(5*time.Second, look))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 1)
	for second := range 7 {
		block.Facts.SetBool(seesFoe, 0, second >= 2)
		block.Tick(components.Timestamp(second) * 1e9)
		fmt.Printf("%d s: a foe: %t\n", second, block.Succeeded() != 0)
	}
	// Output:
	// 0 s: looks
	// 0 s: a foe: false
	// 1 s: a foe: false
	// 2 s: a foe: false
	// 3 s: a foe: false
	// 4 s: a foe: false
	// 5 s: looks
	// 5 s: a foe: true
	// 6 s: a foe: true
}
