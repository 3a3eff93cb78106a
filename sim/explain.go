package sim

import (
	"fmt"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// explain says what an agent would choose now, by the index of its entity.
func (s *Simulation) explain(index uint32) string {
	e, ok := s.find(index)
	if !ok {
		return fmt.Sprintf("entity %d: no agent has this index", index)
	}
	choices := s.AI.Explain(e)
	if len(choices) == 0 {
		return fmt.Sprintf("entity %d: its tree chooses nothing by utility", index)
	}
	var b strings.Builder
	for _, c := range choices {
		state := "does not run"
		if c.Running {
			state = "runs"
		}
		fmt.Fprintf(&b, "entity %d, whose UtilitySelector at node %d %s\n%s", index, c.Node, state, c.Explanation)
	}
	return b.String()
}

// find returns the agent whose entity has an index.
func (s *Simulation) find(index uint32) (components.Entity, bool) {
	agents := ecs.NewColumns(s.World, ecs.Need[components.LOD]())
	defer agents.Release()
	chunks := agents.Open()
	defer agents.Close()
	for i := range chunks {
		for _, e := range chunks[i].Entities() {
			if e.Index == index {
				return e, true
			}
		}
	}
	return components.Entity{}, false
}
