package sim

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// listAgents returns the entities with a mind in the order of their indices. That is the order of creation as long as
// no entity has been removed.
func (s *Simulation) listAgents() []components.Entity {
	var agents []components.Entity
	for _, mind := range []ecs.Term{
		ecs.Need[components.Mind64](), ecs.Need[components.Mind128](), ecs.Need[components.Mind256](),
	} {
		columns := ecs.NewColumns(s.World(), mind)
		for _, chunk := range columns.Open() {
			agents = append(agents, chunk.Entities()...)
		}
		columns.Close()
		columns.Release()
	}
	slices.SortFunc(agents, components.Entity.Compare)
	return agents
}

// explain describes what an agent's tree would do now. Agents are numbered from 1 in the order in which
// the scenario made them. When the agent was removed and another agent has its entity index, as after a respawn, the
// other agent is explained.
func (s *Simulation) explain(number int, agents []components.Entity) string {
	if number < 1 || number > len(agents) {
		return fmt.Sprintf("agent %d: there is none; agents are 1 to %d", number, len(agents))
	}
	e := agents[number-1]
	name := fmt.Sprintf("agent %d, entity %d", number, e.Index)
	if !ecs.Alive(s.World(), e) {
		now := s.listAgents()
		at, here := slices.BinarySearchFunc(now, e.Index, func(e components.Entity, index uint32) int {
			return cmp.Compare(e.Index, index)
		})
		if !here {
			return name + ": has fallen and not come back"
		}
		e = now[at]
		name += ", which has come back since"
	}
	x := s.AI.Explain(e)
	if x == nil {
		return name + ": has no tree"
	}
	return fmt.Sprintf("%s, tree %q: %v\n%v", name, x.Tree, x.Status, x)
}
