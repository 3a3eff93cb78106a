package perception

import "github.com/flockwork-ai/flockwork/components"

var noCandidates = components.NewCandidates()

// listCandidates writes the hostiles in sight, nearest first. While none is in sight, a remembered target is the only
// candidate. The target is always listed by its own distance, also beyond the sight radius.
func (s *scene) listCandidates(v *view, p *components.Percept, a *agent, targetDist2 float32) {
	*a.candidates = noCandidates
	target := components.Candidate{Entity: p.Target, Distance: p.Distance, Visible: p.Visible}
	listed := p.Target == (components.Entity{})
	for _, f := range v.found[:v.count] {
		entity := s.grid.Entities[f.slot]
		listed = listed || entity == p.Target
		if !listed && s.nearer(targetDist2, p.Target, f) {
			s.addCandidate(a, target)
			listed = true
		}
		s.addCandidate(a, components.Candidate{Entity: entity, Distance: metres(f.dist2), Visible: true})
	}
	if !listed {
		s.addCandidate(a, target)
	}
}

// addCandidate appends a candidate unless the list is full.
func (s *scene) addCandidate(a *agent, candidate components.Candidate) {
	c := a.candidates
	if c.Count == components.MaxCandidates {
		return
	}
	candidate.Health = s.health(candidate.Entity)
	candidate.Attackers = s.attackers(candidate.Entity)
	if candidate.Entity == a.attackTarget && candidate.Attackers > 0 {
		candidate.Attackers-- // the agent itself does not count
	}
	c.List[c.Count] = candidate
	c.Count++
}
