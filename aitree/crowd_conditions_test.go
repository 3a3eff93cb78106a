package aitree_test

import (
	"hash/fnv"
	"math/bits"
	"strconv"
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// The facts of the conditions. Each condition is a fact of its own, and its name decides what kind it is.
type condFacts struct {
	Flag  [16]bool
	Level [16]float32
	Count [16]int16
	When  [16]components.Timestamp
	Who   [16]components.Entity
	Odds  [4]float32
	Pause [4]float32

	Pulse float32
	Drift float32
	Even  bool
	Index uint32
	Since components.Timestamp
	Self  components.Entity
}

// A condFact is a condition and the fact that gives it its value in a lane.
type condFact struct {
	condition *aitree.Condition
	fact      blackboard.Fact // the zero one if it reads none
	set       func(lanes *blackboard.Lanes, lane int, now components.Timestamp, holds bool)
}

// A numberFact is a fact of which a script picks the value.
type numberFact struct {
	fact      blackboard.Fact
	condition *aitree.Condition
	value     func(script refScript) float32
}

// Facts that leaves, orders and triggers read, and what they are of a member.
var (
	pulseFact = blackboard.FloatFact("pulse", func(c *condFacts) *float32 { return &c.Pulse }, -1)
	driftFact = blackboard.FloatFact("drift", func(c *condFacts) *float32 { return &c.Drift }, -1)
	evenFact  = blackboard.BoolFact("even", func(c *condFacts) *bool { return &c.Even }, false)
	indexFact = blackboard.IntFact("index", func(c *condFacts) *uint32 { return &c.Index }, 0)
	sinceFact = blackboard.AgeFact("since", func(c *condFacts) *components.Timestamp { return &c.Since })
	selfFact  = blackboard.EntityFact("self", func(c *condFacts) *components.Entity { return &c.Self })
)

var memberFacts = []struct {
	fact blackboard.Fact
	set  func(l *blackboard.Lanes, lane int, m *member, now components.Timestamp)
}{
	{pulseFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetFloat(pulseFact, lane, m.pulse)
	}},
	{driftFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetFloat(driftFact, lane, -m.pulse)
	}},
	{evenFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetBool(evenFact, lane, m.even())
	}},
	{indexFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetInt(indexFact, lane, int64(m.entity.Index))
	}},
	{sinceFact, func(l *blackboard.Lanes, lane int, m *member, now components.Timestamp) {
		l.SetTime(sinceFact, lane, now-components.Timestamp(m.since))
	}},
	{selfFact, func(l *blackboard.Lanes, lane int, m *member, _ components.Timestamp) {
		l.SetEntity(selfFact, lane, m.entity)
	}},
}

func (m *member) even() bool { return m.entity.Index%2 == 0 }

// combination returns a condition that is put together; a chance is the same one every time.
func (h *crowd) combination(text string) *aitree.Condition {
	head, parts := combination(text)
	if head == "chance" {
		if h.numbers[text] == nil {
			i, err := strconv.Atoi(parts[0])
			if err != nil {
				panic(err)
			}
			f := blackboard.FloatFact(text, func(c *condFacts) *float32 { return &c.Odds[i] }, 0)
			h.numbers[text] = &numberFact{f, aitree.Chance(f), func(script refScript) float32 {
				return probabilityOf(script, text)
			}}
		}
		return h.numbers[text].condition
	}
	var conditions []*aitree.Condition
	for _, part := range parts {
		conditions = append(conditions, h.condition(part))
	}
	switch head {
	case "not":
		return aitree.Not(conditions[0])
	case "all":
		return aitree.AllOf(conditions...)
	case "any":
		return aitree.AnyOf(conditions...)
	}
	panic("no such condition: " + text)
}

// pause returns the fact of a WaitFact.
func (h *crowd) pause(number string) blackboard.Fact {
	key := "pause " + number
	if h.numbers[key] == nil {
		i, err := strconv.Atoi(number)
		if err != nil {
			panic(err)
		}
		h.numbers[key] = &numberFact{
			fact:  blackboard.FloatFact(key, func(c *condFacts) *float32 { return &c.Pause[i] }, defaultPause),
			value: func(script refScript) float32 { return pauseOf(script, number) },
		}
	}
	return h.numbers[key].fact
}

// condition returns the condition of a text. One that is not put together is the same every time.
func (h *crowd) condition(name string) *aitree.Condition {
	switch name[0] {
	case '!':
		return aitree.Not(h.condition(name[1:]))
	case '(':
		return h.combination(name)
	}
	if c := h.conds[name]; c != nil {
		return c.condition
	}
	c := &condFact{}
	i := len(h.conds) % 16 // a field that no other condition reads
	hash := fnv.New32()
	hash.Write([]byte(name))
	kind := hash.Sum32() % 7
	if len(h.conds) >= 16 {
		kind = 0 // no field is left: a predicate
	}
	switch kind {
	case 1:
		f := blackboard.BoolFact(name, func(c *condFacts) *bool { return &c.Flag[i] }, false)
		c.fact = f
		c.condition = aitree.True(f)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) { l.SetBool(f, lane, holds) }
	case 2:
		f := blackboard.FloatFact(name, func(c *condFacts) *float32 { return &c.Level[i] }, 0)
		c.fact = f
		c.condition = aitree.Greater(f, 0.5)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) {
			l.SetFloat(f, lane, map[bool]float32{true: 0.75, false: 0.5}[holds])
		}
	case 3:
		f := blackboard.IntFact(name, func(c *condFacts) *int16 { return &c.Count[i] }, 0)
		c.fact = f
		c.condition = aitree.LessEqual(f, -7)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) {
			l.SetInt(f, lane, map[bool]int64{true: -7, false: -6}[holds])
		}
	case 4:
		f := blackboard.AgeFact(name, func(c *condFacts) *components.Timestamp { return &c.When[i] })
		c.fact = f
		c.condition = aitree.Less(f, 2*time.Second)
		c.set = func(l *blackboard.Lanes, lane int, now components.Timestamp, holds bool) {
			when := components.Timestamp(0)
			if holds {
				when = max(1, now-1_999_999_999)
			}
			l.SetTime(f, lane, when)
		}
	case 5:
		f := blackboard.EntityFact(name, func(c *condFacts) *components.Entity { return &c.Who[i] })
		c.fact = f
		c.condition = aitree.Alive(f)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) {
			l.SetEntity(f, lane, components.Entity{Index: map[bool]uint32{true: 9, false: 0}[holds]})
		}
	case 6: // a predicate that reads a fact
		f := blackboard.BoolFact(name, func(c *condFacts) *bool { return &c.Flag[i] }, false)
		c.fact = f
		c.condition = aitree.Predicate(name, func(ctx *blackboard.Context) uint64 {
			h.lookAt(ctx, name)
			return ctx.Bool(0) | h.rng.Uint64()&^ctx.Mask
		}).Reads(f)
		c.set = func(l *blackboard.Lanes, lane int, _ components.Timestamp, holds bool) { l.SetBool(f, lane, holds) }
	default:
		c.condition = aitree.Predicate(name, func(ctx *blackboard.Context) uint64 {
			holds := h.rng.Uint64() &^ ctx.Mask // what is answered for other lanes means nothing
			for _, lane := range h.lookAt(ctx, name) {
				if h.members[ctx.Entities[lane]].agent.script.holds(name) {
					holds |= 1 << lane
				}
			}
			return holds
		})
	}
	h.conds[name] = c
	return c.condition
}

// lookAt checks what a predicate is shown and returns its lanes.
func (h *crowd) lookAt(ctx *blackboard.Context, name string) []int {
	in := h.lanesOf(ctx)
	for _, lane := range in {
		m := h.members[ctx.Entities[lane]]
		if m.tested[name] && !h.explaining {
			h.fault("%v: predicate %s is evaluated twice in a tick", m.entity, name)
		}
		m.tested[name] = true
	}
	return in
}

// lanesOf returns the lanes of a context's mask, after a check that they hold agents of the block.
func (h *crowd) lanesOf(ctx *blackboard.Context) []int {
	if ctx.Mask == 0 || ctx.Mask&^h.block.Mask != 0 || ctx.Now != h.block.Now || ctx.Worker != 3 || ctx.User != any(h) {
		h.fault("context %+v in a block of %x", ctx, h.block.Mask)
		return nil
	}
	var in []int
	for m := ctx.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros64(m)
		in = append(in, lane)
		who := h.members[ctx.Entities[lane]]
		if want := who.since; ctx.Since[lane] != want {
			h.fault("%v: since %d, want %d", who.entity, ctx.Since[lane], want)
		}
	}
	return in
}

// fillCustom is the evaluators' input of the user's own.
func (h *crowd) fillCustom(ctx *blackboard.Context, lane *[64]float32) {
	if ctx.Mask == 0 || ctx.Mask&^h.block.Mask != 0 || ctx.Now != h.block.Now || ctx.Worker != 3 || ctx.User != any(h) {
		h.fault("input: context %+v in a block of %x", ctx, h.block.Mask)
		return
	}
	level, tally := ctx.Float(0), ctx.Int(1)
	for i := range 64 {
		if ctx.Mask>>i&1 == 0 {
			continue
		}
		m := h.members[ctx.Entities[i]]
		if w := m.utility; level[i] != orElse(w.Level[0], levelFacts[0]) || tally[i] != int64(w.Tally[1]) {
			h.fault("%v: an input reads %v and %v", m.entity, level[i], tally[i])
		}
		lane[i] = m.utility.custom()
	}
}

func (h *crowd) checkFacts(m *member, pulse float32, even bool, index, age int64, self components.Entity) {
	born := m.since
	if h.block.Now == components.Timestamp(m.since) { // the last tick was at 0, which reads as never
		born = blackboard.NeverAge
	}
	if pulse != m.pulse || even != m.even() || index != int64(m.entity.Index) || age != born || self != m.entity {
		h.fault("%v reads facts %v, %v, %v, %v, %v", m.entity, pulse, even, index, age, self)
	}
}
