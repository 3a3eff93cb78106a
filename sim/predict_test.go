package sim_test

import (
	"slices"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// Every agent is explained right before the AI decides, when its facts and the clock are those of the decision, and the
// leaves that are to run are compared with those that do. The world comes to the same end as one that nobody looks at.
func TestAnExplanationForetellsTheDecisionAndChangesNothing(t *testing.T) {
	for _, chosen := range scenario.All() {
		c := sim.DefaultConfig(chosen)
		c.Agents, c.FPS, c.Seconds, c.Workers = 40, 10, 12, 1
		undisturbed, err := sim.NewSimulation(c)
		require.NoError(t, err)

		o := &oracle{t: t, name: chosen.Name, running: map[components.Entity][]int{}}
		c.Scenario.SetUp = func(s *sim.Simulation) error {
			s.Before(systems.AIStage, ecs.SystemFunc(func(*arche.World) { o.foretell(s) }))
			s.After(systems.AIStage, ecs.SystemFunc(func(*arche.World) { o.compare(s) }))
			return chosen.SetUp(s)
		}
		s, err := sim.NewSimulation(c)
		require.NoError(t, err)
		for range 120 {
			s.Step()
			undisturbed.Step()
		}
		assert.Equal(t, ecs.Hash(undisturbed.World()), ecs.Hash(s.World()), chosen.Name)
		t.Logf("%s: %d decisions foretold, %d leaves of them begin; %d nodes fail", chosen.Name, o.decided, o.begun,
			o.failing)
		assert.Greater(t, o.decided, 200, chosen.Name)
		assert.Greater(t, o.begun, 20, chosen.Name)
		s.Close()
		undisturbed.Close()
	}
}

// An oracle explains agents before they decide.
type oracle struct {
	t       *testing.T
	name    string
	running map[components.Entity][]int // of the agents that are due, the leaves that are to run

	decided, begun, failing int
}

func (o *oracle) foretell(s *sim.Simulation) {
	clear(o.running)
	before, stats := ecs.Hash(s.World()), s.AI.Stats()
	for _, e := range sim.AllAgents(s) {
		tree := s.AI.Explain(e)
		require.NotNil(o.t, tree)
		if lod := ecs.Get[components.LOD](s.World(), e); lod != nil && !lod.Due() {
			continue
		}
		leaves := map[int]bool{}
		for _, l := range program(s, e).Leaves() {
			leaves[l.Node] = true
		}
		o.running[e] = []int{}
		for i := range tree.Nodes {
			switch n := &tree.Nodes[i]; {
			case n.State == aitree.NodeFailed:
				o.failing++
			case n.State == aitree.NodeRunning && leaves[i]:
				o.running[e] = append(o.running[e], i)
				if !n.Ran {
					o.begun++
				}
			}
		}
	}
	require.Equal(o.t, before, ecs.Hash(s.World()), o.name)
	require.Equal(o.t, stats, s.AI.Stats(), o.name)
}

func (o *oracle) compare(s *sim.Simulation) {
	for e, foretold := range o.running {
		p := program(s, e)
		want := []int{}
		for _, leaf := range p.Compiled().RunningLeaves(mindOf(s.World(), e), nil) {
			want = append(want, p.Leaves()[leaf].Node)
		}
		require.True(o.t, slices.Equal(want, foretold), "%s %v runs %v, was to run %v", o.name, e, want, foretold)
		o.decided++
	}
}

// program returns the program of an agent.
func program(s *sim.Simulation, e components.Entity) *aitree.Program {
	return s.Trees.Get(ai.Tree(mindlayout.Program(mindOf(s.World(), e))))
}

// mindOf returns the words of an agent's mind.
func mindOf(w *arche.World, e components.Entity) []uint32 {
	if m := ecs.Get[components.Mind64](w, e); m != nil {
		return m.Words[:]
	}
	if m := ecs.Get[components.Mind128](w, e); m != nil {
		return m.Words[:]
	}
	return ecs.Get[components.Mind256](w, e).Words[:]
}
