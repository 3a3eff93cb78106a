package ecs

import (
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/internal/allocs"
)

// recorder writes down what is asked of it.
type recorder struct {
	name string
	log  *[]string
}

func (r *recorder) Initialize(*arche.World) { *r.log = append(*r.log, "initialize "+r.name) }
func (r *recorder) Update(*arche.World)     { *r.log = append(*r.log, "update "+r.name) }
func (r *recorder) Finalize(*arche.World)   { *r.log = append(*r.log, "finalize "+r.name) }

func TestScheduleRunsSystemsInOrder(t *testing.T) {
	w := arche.NewWorld()
	var log []string
	inner := NewSchedule(&recorder{"b", &log}, &recorder{"c", &log})
	s := NewSchedule(&recorder{"a", &log})
	s.Add("both", inner)
	assert.Equal(t, []string{"*ecs.recorder", "both"}, s.Names())
	s.Initialize(&w)
	s.Update(&w)
	s.Update(&w)
	s.Finalize(&w)
	assert.Equal(t, []string{
		"initialize a", "initialize b", "initialize c",
		"update a", "update b", "update c",
		"update a", "update b", "update c",
		"finalize a", "finalize b", "finalize c",
	}, log)
	assert.PanicsWithValue(t, `ecs: Schedule.Add("lod") of a nil system`, func() { s.Add("lod", nil) })
}

func TestObserverIsToldEachUpdateRightAfterIt(t *testing.T) {
	w := arche.NewWorld()
	var log []string
	s := &Schedule{}
	s.Add("first", &recorder{"1", &log})
	s.Add("second", &recorder{"2", &log})
	s.Observe(func(stage string, took time.Duration) {
		log = append(log, stage)
		assert.GreaterOrEqual(t, took, time.Duration(0))
	})
	s.Initialize(&w)
	log = nil
	s.Update(&w)
	assert.Equal(t, []string{"update 1", "first", "update 2", "second"}, log)
	s.Observe(nil)
	log = nil
	s.Update(&w)
	assert.Equal(t, []string{"update 1", "update 2"}, log)
}

type idle struct{ updates int }

func (s *idle) Initialize(*arche.World) {}
func (s *idle) Update(*arche.World)     { s.updates++ }
func (s *idle) Finalize(*arche.World)   {}

func TestObservingAllocatesNothing(t *testing.T) {
	w := arche.NewWorld()
	s := NewSchedule(&idle{}, &idle{})
	var total time.Duration
	s.Observe(func(_ string, took time.Duration) { total += took })
	s.Initialize(&w)
	allocs.None(t, 100, func() { s.Update(&w) })
}

func TestReplacedSystemsRunUnderTheNamesOfThoseTheyReplace(t *testing.T) {
	w := arche.NewWorld()
	var log []string
	s := &Schedule{}
	s.Add("first", &recorder{"1", &log})
	s.Add("second", &recorder{"2", &log})
	s.Replace(func(name string, system System) System {
		if name == "first" {
			return &recorder{"another", &log}
		}
		return system
	})
	s.Initialize(&w)
	log = nil
	s.Update(&w)
	assert.Equal(t, []string{"update another", "update 2"}, log)
	assert.Equal(t, []string{"first", "second"}, s.Names())
	assert.PanicsWithValue(t, `ecs: Schedule.Replace of "*ecs.idle" by a nil system`, func() {
		NewSchedule(&idle{}).Replace(func(string, System) System { return nil })
	})
}

func TestScheduleSaysWhenItIsUsedOutOfOrder(t *testing.T) {
	var w, other arche.World
	w, other = arche.NewWorld(), arche.NewWorld()
	s := NewSchedule(&idle{})
	const never = "ecs: Schedule.Update before Initialize or after Finalize; call Initialize with the world first"
	assert.PanicsWithValue(t, never, func() { s.Update(&w) })
	s.Initialize(&w)
	assert.PanicsWithValue(t,
		"ecs: Schedule.Update of another world than that of Initialize; use one schedule for each world",
		func() { s.Update(&other) })
	assert.PanicsWithValue(t,
		"ecs: Schedule.Add after Initialize; change the schedule before, or after Finalize",
		func() { s.Add("late", &idle{}) })
	assert.PanicsWithValue(t,
		"ecs: Schedule.Replace after Initialize; change the schedule before, or after Finalize",
		func() { s.Replace(func(_ string, system System) System { return system }) })
	s.Finalize(&w)
	assert.PanicsWithValue(t, never, func() { s.Update(&w) })
}

func TestASystemFuncIsCalledOnceAFrame(t *testing.T) {
	w := arche.NewWorld()
	var calls []*arche.World
	s := NewSchedule(SystemFunc(func(w *arche.World) { calls = append(calls, w) }))
	s.Initialize(&w)
	assert.Empty(t, calls)
	s.Update(&w)
	s.Update(&w)
	s.Finalize(&w)
	assert.Equal(t, []*arche.World{&w, &w}, calls)
}
