package lod_test

import (
	"cmp"
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// oracle is a second, simple implementation of the cadence: agents are records in a map, all of them are sorted for
// each question, and a decision is closed at once.
type oracle struct {
	radii, periods []int // a last period of 0 is frozen
	caps           []int // -1: none
	hysteresis     float32
	budget, every  int

	agents     map[uint32]*oracleAgent
	debt       []int
	frame      int
	now        int64
	budgetLeft int
	started    bool

	expected float64 // decisions of the last frame
	overdue  int     // of the last frame
}

type oracleAgent struct {
	entity     uint32
	at         components.Vec2
	importance uint8

	known               bool
	distanceTier, tier  int
	last                int64 // clock of the last decision
	since               int   // frame the wait counts from
	headStart           bool
	woken, late         bool
	promoted            bool
	scheduled, wokenNow bool // decided in this frame: by the cadence, by a wake
}

func newOracle(radii, periods, caps []int, hysteresis float32, budget, every int) *oracle {
	o := &oracle{radii: radii, periods: periods, caps: caps, hysteresis: hysteresis, budget: budget, every: every,
		agents: map[uint32]*oracleAgent{}}
	for _, p := range periods {
		o.debt = append(o.debt, max(p, 1)-1)
	}
	return o
}

func (o *oracle) decides(tier int) bool { return o.periods[tier] > 0 }

func (o *oracle) slowest() int {
	return slices.Max(o.periods)
}

// period is that of the tier, of the slowest where it is frozen.
func (o *oracle) period(tier int) int {
	if o.decides(tier) {
		return o.periods[tier]
	}
	return o.slowest()
}

func (o *oracle) sorted(keep func(*oracleAgent) bool) []*oracleAgent {
	var list []*oracleAgent
	for _, a := range o.agents {
		if keep(a) {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b *oracleAgent) int { return cmp.Compare(a.entity, b.entity) })
	return list
}

func d2(a *oracleAgent, observers []components.Vec2) float32 {
	best := float32(0)
	for n, p := range observers {
		dx, dy := a.at.X-p.X, a.at.Y-p.Y
		d := float32(dx*dx) + float32(dy*dy)
		if d != d {
			d = float32(math.Inf(1))
		}
		if n == 0 || d < best {
			best = d
		}
	}
	return best
}

// updateDistanceTier applies rules L1 and L2.
func (o *oracle) updateDistanceTier(a *oracleAgent, observers []components.Vec2) {
	d, h := d2(a, observers), float64(o.hysteresis)
	square := func(r float64) float32 { return float32(r * r) }
	outer, inner, nominal := 0, 0, 0
	for _, radius := range o.radii {
		r := float64(radius)
		if d > square(r*(1+h)) {
			outer++
		}
		if d >= square(r*(1-h)) {
			inner++
		}
		if d >= square(r) {
			nominal++
		}
	}
	switch {
	case !a.known:
		a.distanceTier = nominal
	case a.distanceTier < outer:
		a.distanceTier = outer
	case a.distanceTier > inner:
		a.distanceTier = inner
	}
}

// assignTiers gives agents their tiers, nearest tier first, within the free places: rules L3, L4 and L5.
func (o *oracle) assignTiers(list []*oracleAgent, free []int, observers []components.Vec2) {
	var overflow []*oracleAgent
	for t := range o.periods {
		pool := slices.Clone(overflow)
		for _, a := range list {
			if min(a.distanceTier, int(a.importance)) == t {
				pool = append(pool, a)
			}
		}
		incumbentFactor := float32(float64(1-float64(o.hysteresis)) * float64(1-float64(o.hysteresis)))
		effective := func(a *oracleAgent) float32 {
			d := d2(a, observers)
			if a.known && a.tier <= t {
				d *= incumbentFactor
			}
			return d
		}
		important := func(a *oracleAgent) int {
			if int(a.importance) <= t {
				return 0
			}
			return 1
		}
		slices.SortFunc(pool, func(a, b *oracleAgent) int {
			return cmp.Or(
				cmp.Compare(important(a), important(b)),
				cmp.Compare(effective(a), effective(b)),
				cmp.Compare(a.entity, b.entity))
		})
		places := len(pool)
		if free[t] >= 0 {
			places = min(places, free[t])
		}
		overflow = pool[places:]
		for _, a := range pool[:places] {
			defer o.assignTier(a, t) // the tier before matters until all agents have a place
		}
	}
}

func (o *oracle) assignTier(a *oracleAgent, tier int) {
	old := a.tier
	a.tier = tier
	switch {
	case !a.known:
		a.known = true
		a.last, a.since, a.headStart = o.now, o.frame, o.decides(tier)
	case o.decides(old) && !o.decides(tier):
		a.late, a.promoted = false, false
		if !a.woken {
			a.headStart = false
		}
	case !o.decides(old) && o.decides(tier):
		if !a.woken || !a.headStart {
			a.since, a.headStart = o.frame, true
		}
	case o.period(tier) < o.period(old):
		a.promoted = true
	}
}

// longestOverdue is the longest wait of the due beyond the period that an agent is entitled to, in frames.
func (o *oracle) longestOverdue(due []*oracleAgent, frame int) int {
	longest := 0
	for _, a := range due {
		period := o.period(a.tier)
		if a.promoted {
			period = o.slowest()
		}
		longest = max(longest, frame-a.since-period)
	}
	return longest
}

// expectedLoad is the load: agents that no wake serves, over the period.
func (o *oracle) expectedLoad() float64 {
	sum := 0.0
	for t, p := range o.periods {
		if p > 0 {
			sum += float64(len(o.sorted(func(a *oracleAgent) bool { return a.tier == t && !a.woken }))) / float64(p)
		}
	}
	return sum
}

// waited is the wait in the sense of the queue: rule L7.
func (o *oracle) waited(a *oracleAgent, frame int) int {
	wait := frame - a.since
	if a.headStart {
		wait += o.period(a.tier)
	}
	return wait
}

// step is a frame. It returns who decides, with the time elapsed.
func (o *oracle) step(frame int, now int64, observers []components.Vec2, fps int) map[uint32]int64 {
	first := !o.started
	if first {
		o.started, o.frame, o.now = true, frame-1, max(0, now-int64(1_000_000_000/fps))
	}
	if first || frame%o.every == 0 {
		all := o.sorted(func(*oracleAgent) bool { return true })
		for _, a := range all {
			o.updateDistanceTier(a, observers)
		}
		o.assignTiers(all, o.caps, observers)
	} else {
		arrivals := o.sorted(func(a *oracleAgent) bool { return !a.known })
		free := slices.Clone(o.caps)
		for t := range free {
			if free[t] >= 0 {
				free[t] = max(0, free[t]-len(o.sorted(func(a *oracleAgent) bool { return a.known && a.tier == t })))
			}
		}
		for _, a := range arrivals {
			o.updateDistanceTier(a, observers)
		}
		o.assignTiers(arrivals, free, observers)
	}

	var due []*oracleAgent
	for t := range o.periods {
		members := o.sorted(func(a *oracleAgent) bool { return a.tier == t })
		var calm []*oracleAgent
		for _, a := range members {
			if a.woken && !o.decides(t) && !a.headStart {
				a.since, a.headStart = o.frame, true
			}
			if a.woken || a.late {
				due = append(due, a)
			} else {
				calm = append(calm, a)
			}
		}
		if !o.decides(t) {
			continue
		}
		p := o.periods[t]
		if len(members) == 0 {
			o.debt[t] = p - 1
			continue
		}
		o.debt[t] += len(calm)
		quota := o.debt[t] / p
		o.debt[t] %= p
		slices.SortStableFunc(calm,
			func(a, b *oracleAgent) int { return cmp.Compare(o.waited(b, frame), o.waited(a, frame)) })
		due = append(due, calm[:quota]...)
	}

	o.expected, o.overdue = o.expectedLoad(), o.longestOverdue(due, frame)
	cut := len(due)
	if o.budget > 0 && len(due) > o.budget {
		cut = o.budget
		slices.SortFunc(due, func(a, b *oracleAgent) int {
			// wait/period, crosswise.
			x := o.waited(a, frame)
			if a.woken {
				x += 2 * o.period(a.tier)
			}
			y := o.waited(b, frame)
			if b.woken {
				y += 2 * o.period(b.tier)
			}
			return cmp.Or(cmp.Compare(y*o.period(a.tier), x*o.period(b.tier)), cmp.Compare(a.entity, b.entity))
		})
	}
	o.budgetLeft = o.budget - cut
	o.frame, o.now = frame, now
	decided := map[uint32]int64{}
	for _, a := range o.agents {
		a.scheduled, a.wokenNow = false, false
	}
	for n, a := range due {
		if n < cut {
			a.wokenNow, a.scheduled = a.woken, !a.woken
			decided[a.entity] = o.decide(a)
		} else if o.decides(a.tier) {
			a.late = true
		}
	}
	return decided
}

func (o *oracle) decide(a *oracleAgent) int64 {
	elapsed := o.now - a.last
	a.last, a.since = o.now, o.frame
	a.headStart, a.woken, a.late, a.promoted = false, false, false, false
	return elapsed
}

// wakeNow is a wake in the midst of a frame.
func (o *oracle) wakeNow(a *oracleAgent) (elapsed int64, served bool) {
	switch {
	case a.scheduled || a.wokenNow:
		return 0, false
	case !a.known || o.budget > 0 && o.budgetLeft == 0:
		a.woken = true
		return 0, false
	}
	o.budgetLeft--
	a.wokenNow = true
	return o.decide(a), true
}

func (o *oracle) longestWait() int {
	longest := 0
	for _, a := range o.agents {
		if a.known && (o.decides(a.tier) || a.woken) {
			longest = max(longest, o.frame-a.since)
		}
	}
	return longest
}

// config is the oracle's configuration in the system's terms.
func (o *oracle) config(fps int) lod.Config {
	config := lod.Config{Hysteresis: o.hysteresis, Budget: o.budget, Every: o.every}
	for i, radius := range o.radii {
		tier := lod.Tier{Radius: float32(radius), Rate: float32(fps) / float32(o.periods[i])}
		if o.caps[i] >= 0 {
			tier.Cap = new(o.caps[i])
		}
		config.Tiers = append(config.Tiers, tier)
	}
	if last := o.periods[len(o.periods)-1]; last > 0 {
		config.SlowLane = float32(fps) / float32(last)
	}
	return config
}
