package ecs

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
)

func TestResourceNamesTheCallerThatMissesIt(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "systems.Combat: the world has no *ecs.wide; call systems.Install",
		func() { Resource[wide](&w, "systems.Combat") })
	arche.AddResource(&w, &wide{A: 1})
	assert.Equal(t, &wide{A: 1}, Resource[wide](&w, "systems.Combat"))
}

func TestFindResourceIsNilInAWorldWithoutTheResource(t *testing.T) {
	w := arche.NewWorld()
	assert.Nil(t, FindResource[wide](&w))
	added := &wide{A: 1}
	arche.AddResource(&w, added)
	assert.Same(t, added, FindResource[wide](&w))
}
