package systems

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
)

// NeedFacts are ready-made handles of what agents know about their needs and of where they belong: the fields of
// [components.Needs] and [components.Home].
var NeedFacts = struct {
	Hunger     blackboard.Fact // 0…1
	Fatigue    blackboard.Fact // 0…1
	Loneliness blackboard.Fact // 0…1
	Food       blackboard.Fact // 0…1: of what one could wish for
	Friends    blackboard.Fact // 0…1: of as many as one could wish for
	Day        blackboard.Fact // 0…1; night is a range of 1 to 0 of it
	Friend     blackboard.Fact // entity: whom to turn to for company
	Bed        blackboard.Fact // entity
	Store      blackboard.Fact // entity
	Work       blackboard.Fact // entity
	Square     blackboard.Fact // entity
}{
	Hunger:     blackboard.FloatFact("hunger", func(n *components.Needs) *float32 { return &n.Hunger }, 0),
	Fatigue:    blackboard.FloatFact("fatigue", func(n *components.Needs) *float32 { return &n.Fatigue }, 0),
	Loneliness: blackboard.FloatFact("loneliness", func(n *components.Needs) *float32 { return &n.Loneliness }, 0),
	Food:       blackboard.FloatFact("food", func(n *components.Needs) *float32 { return &n.Food }, 0),
	Friends:    blackboard.FloatFact("friends near", func(n *components.Needs) *float32 { return &n.Friends }, 0),
	Day:        blackboard.FloatFact("day", func(n *components.Needs) *float32 { return &n.Day }, 0),
	Friend:     blackboard.EntityFact("friend", func(n *components.Needs) *components.Entity { return &n.Companion }),
	Bed:        blackboard.EntityFact("bed", func(h *components.Home) *components.Entity { return &h.Bed }),
	Store:      blackboard.EntityFact("store", func(h *components.Home) *components.Entity { return &h.Store }),
	Work:       blackboard.EntityFact("workplace", func(h *components.Home) *components.Entity { return &h.Work }),
	Square:     blackboard.EntityFact("square", func(h *components.Home) *components.Entity { return &h.Square }),
}

// maxCompany is how many others one looks at, so that a crowd does not take the square of its size.
const maxCompany = 32

// lookSpan looks around for those of a task who are due to decide.
func (s *Needs) lookSpan(_, task int) {
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
		n.Companion, n.Friends, n.SocialisingNearby = components.Entity{}, 0, false
		if !engagements[i].Activity.Asleep() {
			s.meet(entities[i], transforms[i].Position, n)
		}
	}
}

// meet finds who is near and awake, and which of them one would turn to. Of more than maxCompany in the cells around,
// the first in the order of the grid count.
func (s *Needs) meet(self components.Entity, at vec2, n *components.Needs) {
	g := s.grid
	if len(g.starts) == 0 || !finiteVec(at) {
		return
	}
	reach2 := float32(s.Near * s.Near)
	left, bottom := g.col(at.X-s.Near), g.row(at.Y+s.Near)
	width := g.col(at.X+s.Near) + 1 - left
	rest, found, nearest := maxCompany, int32(0), float32(math.MaxFloat32)
	for row := g.row(at.Y - s.Near); row <= bottom; row++ {
		line := row*len(g.present)*g.cols + left
		for range g.present {
			start, end := int(g.starts[line]), int(g.starts[line+width])
			line += g.cols
			end = min(end, start+rest)
			rest -= end - start
			positions := g.Positions[start:end]
			entities := g.Entities[start:end][:len(positions)]
			for i, p := range positions {
				away := sub(p, at)
				d2 := dot(away, away)
				if !(d2 <= reach2) {
					continue
				}
				e := entities[i]
				doing := s.doing[e.Index]
				if doing == 0 || components.Activity(doing-1).Asleep() || e == self {
					continue
				}
				found++
				switch talks := components.Activity(doing-1) == components.Socialising; {
				case talks && !n.SocialisingNearby:
					n.Companion, n.SocialisingNearby, nearest = e, true, d2
				case talks == n.SocialisingNearby && d2 < nearest:
					n.Companion, nearest = e, d2
				}
			}
		}
	}
	n.Friends = min(float32(found)/float32(s.Rates.Friends), 1)
}
