package sim

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// Village is how the villagers of a run lived.
type Village struct {
	Shares   map[string]float64  `json:"shares"`                     // of agent-seconds, by activity; they add up to 1
	Needs    map[string]float64  `json:"mean_needs"`                 // 0…1, after the last frame
	Meals    int64               `json:"meals"`                      // begun
	Refused  int64               `json:"refused"`                    // places that were full, empty or out of reach
	Starved  int64               `json:"starved"`                    // how often hunger was full for six hours
	Switches float64             `json:"switches_per_agent_and_day"` // choices that differ from the one before
	Places   map[string]PlaceUse `json:"places"`
}

// PlaceUse is how the places of one kind are used after the last frame.
type PlaceUse struct {
	Count    int64 `json:"count"`
	Capacity int64 `json:"capacity"`
	Used     int64 `json:"used"`
	Stock    int64 `json:"stock"` // meals
}

// walking is the part of the idle time with somewhere to go, which reports tell apart.
const walking = "walking"

// report tells how the village of a simulation lived.
func (v *village) report(s *Simulation) *Village {
	stats := v.needs.Stats()
	r := &Village{
		Shares: map[string]float64{}, Needs: map[string]float64{}, Places: map[string]PlaceUse{},
		Meals: stats.Begun[components.Eating], Refused: stats.Refused, Starved: stats.Starved,
	}
	total := components.Timestamp(0)
	for _, t := range stats.Time {
		total += t
	}
	for a, t := range stats.Time {
		if components.Activity(a) == components.Idle {
			r.Shares[walking] = ratio(stats.Walking, total)
			t -= stats.Walking
		}
		r.Shares[components.Activity(a).String()] = ratio(t, total)
	}
	if days := float64(s.Clock.Now) / 86400e9; days > 0 && v.heads > 0 {
		r.Switches = float64(v.switches) / (days * float64(v.heads))
	}
	v.meanNeeds(s, r.Needs)
	places := ecs.NewColumns(s.World, ecs.Need[components.Place]())
	chunks := places.Open()
	for i := range chunks {
		for _, p := range ecs.Column[components.Place](&chunks[i], 0) {
			use := r.Places[p.Kind.String()]
			use.Count++
			use.Capacity += int64(p.Capacity)
			use.Used += int64(p.Occupied)
			use.Stock += int64(p.Stock)
			r.Places[p.Kind.String()] = use
		}
	}
	places.Close()
	places.Release()
	return r
}

func (v *village) meanNeeds(s *Simulation, means map[string]float64) {
	columns := ecs.NewColumns(s.World, ecs.Need[components.Needs]())
	chunks := columns.Open()
	n := float64(columns.Len())
	var hunger, fatigue, loneliness float64
	for i := range chunks {
		for _, needs := range ecs.Column[components.Needs](&chunks[i], 0) {
			hunger += float64(needs.Hunger)
			fatigue += float64(needs.Fatigue)
			loneliness += float64(needs.Loneliness)
		}
	}
	columns.Close()
	columns.Release()
	if n > 0 {
		means["hunger"], means["fatigue"], means["loneliness"] = hunger/n, fatigue/n, loneliness/n
	}
}

func ratio(part, whole components.Timestamp) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// write adds a village to a report that is read.
func (v *Village) write(p *printer) {
	p.line("How the village lived")
	for _, name := range sortedKeys(v.Shares) {
		p.line("  %-12s %11.1f %% of the time", name, 100*v.Shares[name])
	}
	p.line("  mean hunger %.2f, fatigue %.2f, loneliness %.2f at the end",
		v.Needs["hunger"], v.Needs["fatigue"], v.Needs["loneliness"])
	p.line("  %s meals, %s starved, %.1f switches per agent and day, %s times no room",
		group(v.Meals), group(v.Starved), v.Switches, group(v.Refused))
	for _, name := range sortedKeys(v.Places) {
		u := v.Places[name]
		p.line("  %-12s %12s, %s of %s taken, %s meals", name, group(u.Count), group(u.Used),
			group(u.Capacity), group(u.Stock))
	}
	p.line("")
}
