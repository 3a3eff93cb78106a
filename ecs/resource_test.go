package ecs

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
)

func TestResourceNamesTheTypeThatTheWorldLacksAndTheRemedy(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: the world has no *ecs.wide; call systems.Install, or add a resource of your own "+
		"with arche's AddResource", func() { Resource[wide](&w) })
	arche.AddResource(&w, &wide{A: 1})
	assert.Equal(t, &wide{A: 1}, Resource[wide](&w))
}

func TestFindResourceIsNilInAWorldWithoutTheResource(t *testing.T) {
	w := arche.NewWorld()
	assert.Nil(t, FindResource[wide](&w))
	added := &wide{A: 1}
	arche.AddResource(&w, added)
	assert.Same(t, added, FindResource[wide](&w))
}
