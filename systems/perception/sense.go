package perception

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// agent is the components of an agent that senses.
type agent struct {
	entity       components.Entity
	transform    components.Transform
	senses       *components.Senses
	faction      uint8
	candidates   *components.Candidates // nil: keeps none
	health       *components.Health     // nil: none
	attackTarget components.Entity      // entity that it attacks; zero: none
}

// outcome is the result of a sensing, besides the percept.
type outcome struct {
	rays       int  // rays cast
	newTarget  bool // another target came into sight
	lostTarget bool // the target went out of sight, was forgotten or was replaced
}

// senseScratch is the memory in which one worker senses.
type senseScratch struct {
	view     view
	viewshed space.Viewshed // of the view, after raysBeforeViewshed
	slots    [viewBatch]uint32
	dist2    [viewBatch]float32
}

// sense updates the percept of an agent.
//
// The current target is tested first, with one ray. While it is in sight it stays in sight up to the lose radius in any
// direction, because an agent turns its head. A target that was lost must be within the cone to be found again. The
// agent searches for the nearest hostiles in sight when its target is not in sight, and always when it keeps
// candidates. Whoever hurt it a short time ago is a candidate as well, and takes the place of a target that is farther
// away.
func (s *scene) sense(w *senseScratch, a *agent, p *components.Percept) (o outcome) {
	v := &w.view
	canSee := s.setUpView(v, a)
	wasVisible, oldTarget := p.Visible, p.Target
	p.Visible = false

	targetSlot, targetDist2 := -1, float32(0)
	if oldTarget != (components.Entity{}) {
		slot, known := s.grid.Find(oldTarget)
		switch {
		case !known:
			if s.mustForget(oldTarget, a.faction) {
				forget(p)
			}
		case s.relations.Between(a.faction, s.grid.Factions[slot]) != frame.Hostile:
			forget(p)
		case canSee:
			targetSlot = slot
			lose := max(a.senses.Lose, a.senses.Sight)
			at := s.grid.Positions[slot]
			targetDist2 = distance2(v.at, at)
			if targetDist2 <= float32(lose*lose) && (wasVisible || v.inCone(at)) && s.castRay(v, at) {
				p.Visible = true
			}
		}
	}

	v.skipSlot, v.count, v.limit = targetSlot, 0, 1
	if a.candidates != nil {
		v.limit = components.MaxCandidates
	}
	if canSee && (!p.Visible || a.candidates != nil) {
		s.search(w, a.faction)
	}
	if canSee && a.health != nil && s.now-a.health.HurtAt <= hurtMemory {
		if attacker, dist2 := s.attacker(v, a, p); attacker >= 0 {
			s.add(v, attacker, dist2)
			if p.Visible && metres(dist2)+s.stickiness < metres(targetDist2) {
				s.add(v, targetSlot, targetDist2) // now a candidate like others
				p.Target, targetSlot, targetDist2 = s.grid.Entities[attacker], attacker, dist2
			}
		}
	}
	o.rays = v.rays

	switch {
	case p.Visible:
		s.recordSight(p, targetSlot, targetDist2)
	case v.count > 0:
		targetSlot, targetDist2 = int(v.found[0].slot), v.found[0].dist2
		p.Target = s.grid.Entities[targetSlot]
		s.recordSight(p, targetSlot, targetDist2)
	case p.Target != (components.Entity{}):
		s.fadeMemory(p, a)
	default:
		p.Distance = components.NoDistance
	}
	o.newTarget = p.Visible && p.Target != oldTarget
	o.lostTarget = oldTarget != p.Target && oldTarget != (components.Entity{}) || wasVisible && !p.Visible
	if canSee {
		s.countNear(p, a)
	} else {
		p.Hostiles, p.Allies = 0, 0
	}
	if a.candidates != nil {
		s.listCandidates(v, p, a, targetDist2)
	}
	return o
}

// attacker returns the slot of the hostile that hurt an agent last, and its squared distance, if it is in sight; -1 if
// it is not, or is the target in sight already. It may be anywhere around the agent, which feels where it was hit, and
// as far away as a target is kept.
func (s *scene) attacker(v *view, a *agent, p *components.Percept) (slot int, dist2 float32) {
	by := a.health.HurtBy
	slot, known := s.grid.Find(by)
	if !known || p.Visible && by == p.Target || s.relations.Between(a.faction, s.grid.Factions[slot]) != frame.Hostile {
		return -1, 0
	}
	at := s.grid.Positions[slot]
	reach := max(a.senses.Lose, a.senses.Sight)
	if dist2 = distance2(v.at, at); !(dist2 <= float32(reach*reach)) || !s.castRay(v, at) {
		return -1, 0
	}
	return slot, dist2
}

// recordSight writes a target in sight into a percept.
func (s *scene) recordSight(p *components.Percept, slot int, dist2 float32) {
	p.Visible = true
	p.LastKnown = s.grid.Positions[slot]
	p.SeenAt = s.now
	p.Distance = metres(dist2)
	p.Belief = 1
}

// fadeMemory updates a percept whose target is out of sight: belief decreases to 0 over the memory of the agent.
func (s *scene) fadeMemory(p *components.Percept, a *agent) {
	age := float32(float64(s.now-p.SeenAt) / 1e9) // seconds
	if !(age < a.senses.Memory) {
		forget(p)
		return
	}
	p.Belief = 1 - age/a.senses.Memory
	if at := a.transform.Position; vec.FiniteVec(at) {
		p.Distance = metres(distance2(at, p.LastKnown))
	}
}

// forget clears the target. The place and time at which it was last seen stay.
func forget(p *components.Percept) {
	p.Target, p.Visible, p.Belief, p.Distance = components.Entity{}, false, 0, components.NoDistance
}
