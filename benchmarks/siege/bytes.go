package siege

import (
	"fmt"
	"reflect"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// AgentBytes is the memory in bytes that a kind of agent takes in the world for its decisions, by purpose.
type AgentBytes struct {
	Kind   string  `json:"kind"`   // the tree's name
	Share  float64 `json:"share"`  // of the agents
	Mind   int     `json:"mind"`   // the component of the tree's state
	Intent int     `json:"intent"` // components.Intent
	LOD    int     `json:"lod"`    // components.LOD
	Facts  int     `json:"facts"`  // all components of which its tree reads a field
}

// Sum returns the bytes of mind, intent, LOD and facts.
func (a *AgentBytes) Sum() int { return a.Mind + a.Intent + a.LOD + a.Facts }

// MeanBytes returns the memory of the siege's agents by kind, and the mean of their sums. An error is one of the
// configuration.
func MeanBytes() (kinds []AgentBytes, mean float64, err error) {
	const agents = 400
	s, err := sim.NewSimulation(config(agents))
	if err != nil {
		return nil, 0, fmt.Errorf("benchmarks: %w", err)
	}
	defer s.Close()
	programs := ecs.Resource[ai.Trees](s.World())
	counts := make([]int, programs.Len()+1)
	countTrees(s.World(), counts, func(m *components.Mind64) []uint32 { return m.Words[:] })
	countTrees(s.World(), counts, func(m *components.Mind128) []uint32 { return m.Words[:] })
	countTrees(s.World(), counts, func(m *components.Mind256) []uint32 { return m.Words[:] })
	for number := 1; number <= programs.Len(); number++ {
		a := bytesOf(programs.Get(ai.Tree(number)))
		a.Share = float64(counts[number]) / agents
		mean += a.Share * float64(a.Sum())
		kinds = append(kinds, a)
	}
	return kinds, mean, nil
}

// countTrees adds the agents with one size of mind to the counts of their trees.
func countTrees[Mind any](w *arche.World, counts []int, words func(*Mind) []uint32) {
	columns := ecs.NewColumns(w, ecs.Need[Mind]())
	defer columns.Release()
	chunks := columns.Open()
	defer columns.Close()
	for i := range chunks {
		minds := ecs.Column[Mind](&chunks[i], 0)
		for row := range minds {
			counts[mindlayout.Program(words(&minds[row]))]++
		}
	}
}

func bytesOf(p *aitree.Program) AgentBytes {
	a := AgentBytes{
		Kind: p.Name(), Mind: p.Compiled().MindBytes(), Intent: int(reflect.TypeFor[components.Intent]().Size()),
		LOD: int(reflect.TypeFor[components.LOD]().Size()),
	}
	seen := map[reflect.Type]bool{}
	for _, f := range p.Facts() {
		if c := f.Component(); !seen[c] {
			seen[c] = true
			a.Facts += int(c.Size())
		}
	}
	return a
}
