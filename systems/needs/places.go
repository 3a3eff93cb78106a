package needs

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// placeClaim is an agent's claim on the place that its order names.
type placeClaim struct {
	entity   components.Entity
	chunk    int32
	row      int32
	activity components.Activity
}

// compare orders claims by entity.
func (c placeClaim) compare(o placeClaim) int { return c.entity.Compare(o.entity) }

// placeUse is the use of a place in a frame, as far as one worker has seen it.
type placeUse struct {
	agents int32                // that occupy it
	worked components.Timestamp // time worked there, nanoseconds
}

// serves reports whether the place that an agent occupies still serves its activity.
func (s *System) serves(a *components.Engagement) bool {
	p := s.places.Get(a.Place)
	return p != nil && p.Kind == s.kinds[a.Activity]
}

// countUse counts the agents that occupy each place, and adds the meals that work has produced.
func (s *System) countUse(sites []ecs.Chunk) {
	for i := range sites {
		entities := sites[i].Entities()
		places := ecs.Column[components.Place](&sites[i], 0)
		for row := range places {
			p := &places[row]
			p.Occupied = 0
			worked := components.Timestamp(0)
			for j := range s.perWorker {
				use := s.perWorker[j].places.Get(entities[row])
				p.Occupied += use.agents
				worked += use.worked
			}
			if worked > 0 {
				s.harvest(p, worked)
			}
		}
	}
}

// harvest turns time that was worked at a place into meals of the store that it supplies.
func (s *System) harvest(p *components.Place, worked components.Timestamp) {
	if s.rates.harvest == 0 {
		return
	}
	p.WorkDone += worked
	meals := p.WorkDone / s.rates.harvest
	p.WorkDone -= meals * s.rates.harvest
	if store := s.places.Get(p.Supplies); store != nil && meals > 0 {
		room := max(int64(store.MaxStock)-int64(store.Stock), 0)
		store.Stock += int32(min(int64(meals), room))
	}
}

// grantClaims grants the claims in the order of entities, as long as there is room.
func (s *System) grantClaims() {
	claims := func(w *worker) *[]placeClaim { return &w.claims }
	s.claims = scratch.Merge(s.claims, s.perWorker, claims, placeClaim.compare)
	w := &s.perWorker[0]
	for _, c := range s.claims {
		chunk := &s.chunks[c.chunk]
		a := agent{
			entity:     c.entity,
			engagement: &ecs.Column[components.Engagement](chunk, needsEngagement)[c.row],
			order:      &ecs.Column[components.Intent](chunk, needsIntent)[c.row].Orders[components.Act],
		}
		at := ecs.Column[components.Transform](chunk, needsTransform)[c.row].Position
		if !s.occupy(a.order.Target, s.kinds[c.activity], at) {
			a.order.Outcome = components.Failed
			w.stats.Refused++
			s.events.Wake(0, c.entity)
			continue
		}
		a.engagement.Place = a.order.Target
		s.startActivity(w, &a, c.activity)
		if activity := s.activities.At(c.entity); activity != nil {
			*activity = 1 + uint8(c.activity)
		}
	}
}

// occupy takes a place for an agent at a point, and a meal if the place is a store. It returns false when the place is
// full, of another kind or out of reach.
func (s *System) occupy(place components.Entity, kind components.PlaceKind, at components.Vec2) bool {
	p, t := s.places.Get(place), s.transforms.Get(place)
	if p == nil || t == nil || p.Kind != kind || p.Occupied >= p.Capacity || kind == components.Store && p.Stock <= 0 {
		return false
	}
	if away := vec.Sub(t.Position, at); !(vec.Dot(away, away) <= float32(s.reach*s.reach)) { // or not finite
		return false
	}
	p.Occupied++
	if kind == components.Store {
		p.Stock--
	}
	return true
}
