package spatial

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestTheAgentsOfManyFactionsAreCountedTwiceAtMost(t *testing.T) {
	const agents = 200 // one task
	var all Columns
	for i := range agents {
		all.Entities = append(all.Entities, components.Entity{Index: uint32(i + 1)})
		all.Transforms = append(all.Transforms, components.Transform{})
		all.Factions = append(all.Factions, components.Faction{ID: uint8(i)})
	}
	g := NewGrid(1)
	counted := 0
	count := g.build.countTask
	g.build.countTask = func(worker, task int) {
		counted++
		count(worker, task)
	}
	g.BuildFrom(space.NewMap(8000, 8000), all)
	assert.Equal(t, 2, counted, "one pass for each doubling of the cells would be more")
}
