package combat

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// raiseImportance gives an agent the highest importance until calmSpan restores it.
func raiseImportance(f *components.Fighter, l *components.LOD) {
	if !f.ImportanceRaised {
		f.ImportanceRaised, f.SavedImportance = true, l.Importance
	}
	l.Importance = 0
}

// calmSpan restores the importance of agents that have neither struck nor been hurt for the alert time.
func (s *System) calmSpan(_, task int) {
	span := s.spans[task]
	chunk := &s.chunks[span.Chunk]
	fighters := ecs.Column[components.Fighter](chunk, fighterFighter)
	lods := ecs.Column[components.LOD](chunk, fighterLOD)
	healths := ecs.Column[components.Health](chunk, fighterHealth)
	since := s.clock.Now - s.settings.alertTime
	for i := span.Start; i < span.End; i++ {
		f := &fighters[i]
		if !f.ImportanceRaised || f.LastAttackAt > since || healths != nil && healths[i].HurtAt > since {
			continue
		}
		f.ImportanceRaised = false
		lods[i].Importance = f.SavedImportance
	}
}
