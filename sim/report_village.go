package sim

// Village is the section of a report for villagers.
type Village struct {
	Shares   map[string]float64  `json:"shares"`                     // of agent-seconds, by activity; the sum is 1
	Needs    map[string]float64  `json:"mean_needs"`                 // 0…1, by need, after the last frame
	Meals    int64               `json:"meals"`                      // meals begun
	Refused  int64               `json:"refused"`                    // claims on places that were refused
	Starved  int64               `json:"starved"`                    // how often a villager starved
	Switches float64             `json:"switches_per_agent_and_day"` // choices that differ from the one before
	Places   map[string]PlaceUse `json:"places"`                     // by the kind of place
}

// PlaceUse is the use of the places of one kind after the last frame.
type PlaceUse struct {
	Count    int64 `json:"count"`    // places
	Capacity int64 `json:"capacity"` // agents at a time; 0 for squares
	Used     int64 `json:"used"`     // agents that are there
	Stock    int64 `json:"stock"`    // meals
}

// write adds the section to a report's text.
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
