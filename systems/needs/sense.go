package needs

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// maxCompany is how many others one looks at, so that a crowd does not take the square of its size.
const maxCompany = 32

// lookSpan looks around for those of a task who are due to decide.
func (s *System) lookSpan(_, task int) {
	span := s.spans[task]
	k := &s.chunks[span.Chunk]
	entities := k.Entities()
	needs := ecs.Column[components.Needs](k, needsNeeds)
	engagements := ecs.Column[components.Engagement](k, needsEngagement)
	transforms := ecs.Column[components.Transform](k, needsTransform)
	homes := ecs.Column[components.Home](k, needsHome)
	lods := ecs.Column[components.LOD](k, needsLOD)
	for i := span.Start; i < span.End; i++ {
		if lods != nil && !lods[i].Due() {
			continue
		}
		n := &needs[i]
		n.Day, n.Food = s.day, 0
		if homes != nil {
			if p := s.places.Get(homes[i].Store); p != nil && p.Kind == components.Store && p.Stock > 0 {
				n.Food = min(float32(p.Stock)/float32(s.Rates.Plenty), 1)
			}
		}
		n.Friend, n.Friends, n.Company = components.Entity{}, 0, false
		if !engagements[i].Doing.Asleep() {
			s.lookForCompany(entities[i], transforms[i].Position, n)
		}
	}
}

// lookForCompany finds who is near and awake, and which of them one would turn to. Of more than maxCompany in the cells around,
// the first in the order of the grid count.
func (s *System) lookForCompany(self components.Entity, at components.Vec2, n *components.Needs) {
	g := s.grid
	if len(g.Starts) == 0 || !vec.FiniteVec(at) {
		return
	}
	reach2 := float32(s.CompanyRadius * s.CompanyRadius)
	left, bottom := g.Col(at.X-s.CompanyRadius), g.Row(at.Y+s.CompanyRadius)
	width := g.Col(at.X+s.CompanyRadius) + 1 - left
	rest, found, nearest := maxCompany, int32(0), float32(math.MaxFloat32)
	for row := g.Row(at.Y - s.CompanyRadius); row <= bottom; row++ {
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
				doing := s.activities[e.Index]
				if doing == 0 || components.Activity(doing-1).Asleep() || e == self {
					continue
				}
				found++
				switch talks := components.Activity(doing-1) == components.Socialising; {
				case talks && !n.Company:
					n.Friend, n.Company, nearest = e, true, d2
				case talks == n.Company && d2 < nearest:
					n.Friend, nearest = e, d2
				}
			}
		}
	}
	n.Friends = min(float32(found)/float32(s.Rates.Friends), 1)
}
