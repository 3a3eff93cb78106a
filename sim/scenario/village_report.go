package scenario

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
)

// walking is the name in reports of the idle time with a pending move order.
const walking = "walking"

// report returns the section of a village in the report of a simulation.
func (v *village) report(s *sim.Simulation) *sim.Village {
	stats := v.needs.Stats()
	r := &sim.Village{
		Shares: map[string]float64{}, Needs: map[string]float64{}, Places: map[string]sim.PlaceUse{},
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
	if days := float64(s.Clock.Now) / 86400e9; days > 0 && v.villagers > 0 {
		r.Switches = float64(v.switches) / (days * float64(v.villagers))
	}
	v.meanNeeds(s, r.Needs)
	places := ecs.NewColumns(s.World(), ecs.Need[components.Place]())
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

func (v *village) meanNeeds(s *sim.Simulation, means map[string]float64) {
	columns := ecs.NewColumns(s.World(), ecs.Need[components.Needs]())
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
