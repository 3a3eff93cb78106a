package needs

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// maxCompany is how many other agents one agent tests. It bounds the cost of a crowd, which would be quadratic.
const maxCompany = 32

// lookSpan refreshes the facts of the agents of a task that are due to decide: the time of day, food and company.
func (s *System) lookSpan(_, task int) {
	span := s.spans[task]
	chunk := &s.chunks[span.Chunk]
	entities := chunk.Entities()
	needs := ecs.Column[components.Needs](chunk, needsNeeds)
	engagements := ecs.Column[components.Engagement](chunk, needsEngagement)
	transforms := ecs.Column[components.Transform](chunk, needsTransform)
	homes := ecs.Column[components.Home](chunk, needsHome)
	lods := ecs.Column[components.LOD](chunk, needsLOD)
	for i := span.Start; i < span.End; i++ {
		if lods != nil && !lods[i].Due() {
			continue
		}
		n := &needs[i]
		n.Day, n.Food = s.day, 0
		if homes != nil {
			if p := s.places.Get(homes[i].Store); p != nil && p.Kind == components.Store && p.Stock > 0 {
				n.Food = min(float32(p.Stock)/s.rates.plenty, 1)
			}
		}
		n.Companion, n.Friends, n.SocialisingNearby = components.Entity{}, 0, false
		if !engagements[i].Activity.Asleep() && s.companyRadius > 0 {
			s.lookForCompany(entities[i], transforms[i].Position, n)
		}
	}
}

// lookForCompany counts the agents that are near and awake, and finds the nearest of them; agents that socialise come
// first. It tests at most maxCompany agents in the cells around, in the order of the grid.
func (s *System) lookForCompany(self components.Entity, at components.Vec2, n *components.Needs) {
	g, activities := s.grid, s.activities.Values()
	if len(g.Starts) == 0 || !vec.FiniteVec(at) {
		return
	}
	reach2 := float32(s.companyRadius * s.companyRadius)
	left, bottom := g.Col(at.X-s.companyRadius), g.Row(at.Y+s.companyRadius)
	width := g.Col(at.X+s.companyRadius) + 1 - left
	rest, found, nearest := maxCompany, int32(0), float32(math.MaxFloat32)
	for row := g.Row(at.Y - s.companyRadius); row <= bottom && rest > 0; row++ {
		line := row*len(g.Present)*g.Cols + left
		for range g.Present {
			start, end := int(g.Starts[line]), int(g.Starts[line+width])
			line += g.Cols
			end = min(end, start+rest)
			rest -= end - start
			positions := g.Positions[start:end]
			entities := g.Entities[start:end][:len(positions)]
			for i, p := range positions {
				away := vec.Sub(p, at)
				d2 := vec.Dot(away, away)
				if !(d2 <= reach2) {
					continue
				}
				e := entities[i]
				activity := activities[e.Index]
				if activity == 0 || components.Activity(activity-1).Asleep() || e == self {
					continue
				}
				found++
				switch talks := components.Activity(activity-1) == components.Socialising; {
				case talks && !n.SocialisingNearby:
					n.Companion, n.SocialisingNearby, nearest = e, true, d2
				case talks == n.SocialisingNearby && d2 < nearest:
					n.Companion, nearest = e, d2
				}
			}
		}
	}
	n.Friends = min(float32(found)/s.rates.friends, 1)
}
