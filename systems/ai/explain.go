package ai

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// Explain says what an agent's tree would do if it were ticked now; nil when the agent has no mind or no tree, or is
// paused. It changes nothing. Call it between frames, on the goroutine that owns the world: what it reads is what the
// next AI pass would, but for the clock and for what perception writes until then. It looks for the agent through all
// of its kind.
func (s *System) Explain(e components.Entity) *aitree.Explanation {
	if s.classes == nil {
		return nil // it is not initialised
	}
	words := s.open.mind(e)
	p := s.programOf(words)
	if p == nil || p.MindBytes() > len(words)*4 {
		return nil
	}
	if s.built != s.trees.Len() {
		s.buildClasses()
	}
	defer s.closeClasses()
	s.spans = s.spans[:0]
	for _, c := range s.classes {
		if c.words != len(words) {
			continue
		}
		s.openClass(c)
		for chunk := range c.agents.Chunks {
			for row, who := range c.agents.Chunks[chunk].Entities {
				if who != e {
					continue
				}
				w := s.workers[0]
				defer w.release()
				at := blackboard.Row{Chunk: int32(chunk), Row: int32(row)}
				w.gather.SetRange(c.columns, c.programs[mindlayout.Program(words)].factIndex, at, 1)
				nonfinite := w.gather.Nonfinite
				defer func() { w.gather.Nonfinite = nonfinite }()
				b := w.block
				b.Mask, b.Columns, b.Rows, b.First, b.Now = 1, &c.agents, nil, at, s.clock.Now
				b.Since[0] = int64(s.clock.Step)
				if lods := c.lods[chunk]; lods != nil {
					b.Since[0] = int64(lods[row].Elapsed(b.Now))
				}
				return s.trees.Get(Tree(mindlayout.Program(words))).Explain(&b, 0)
			}
		}
	}
	return nil
}
