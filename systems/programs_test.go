package systems

import (
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestAProgramOfAnotherRegisterIsRefusedIfItPosts(t *testing.T) {
	w, actions := arche.NewWorld(), aitree.NewActions()
	Install(&w, Options{FPS: 60, Workers: 1, Actions: actions})
	t.Cleanup(ecs.Resource[Workers](&w, "test").Close)
	other := aitree.NewActions()
	_, err := StandardActions(other)
	require.NoError(t, err)
	programs := ecs.Resource[Programs](&w, "test")
	for _, c := range []struct {
		name     string
		register *aitree.Actions
		root     *aitree.Node
		refused  bool
	}{
		{"does", other, aitree.Do(SeekAction), true},
		{"fires", other, aitree.Fire(ShoutAction), true},
		{"posts nothing", other, aitree.Wait(time.Second), false},
		{"has no register", nil, aitree.Wait(time.Second), false},
		{"is of the world's", actions, aitree.Do(SeekAction), false},
	} {
		p, err := aitree.Build(c.name, c.register, c.root)
		require.NoError(t, err)
		assert.Same(t, c.register, p.Actions())
		_, err = programs.Add(p)
		if c.refused {
			assert.EqualError(t, err, `systems: program "`+c.name+
				`" posts actions of another register; build it with the register that Install was given as Options.Actions`)
		} else {
			assert.NoError(t, err, c.name)
		}
		_, err = (&Programs{}).Add(p)
		assert.NoError(t, err, "%s: without a register, all are accepted", c.name)
	}
	assert.Equal(t, 3, programs.Len(), "what is refused takes no number")
}
