package benchmarks

import (
	"fmt"
	"reflect"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
)

// AgentBytes is what a kind of agent takes in the world for thinking, by what it is for.
type AgentBytes struct {
	Kind     string  `json:"kind"`  // the tree's name
	Share    float64 `json:"share"` // of the agents
	Mind     int     `json:"mind"`
	Intent   int     `json:"intent"`
	LOD      int     `json:"lod"`
	Facts    int     `json:"facts"`    // all components of which its tree reads a field, whatever else they are for
	Triggers int     `json:"triggers"` // where its tree fires any; no part of the sum
}

// Sum is mind, intent, LOD and facts together.
func (a *AgentBytes) Sum() int { return a.Mind + a.Intent + a.LOD + a.Facts }

// SiegeBytes returns the sizes of the siege's agents by kind, and the mean of their sums.
func SiegeBytes() (kinds []AgentBytes, mean float64, err error) {
	const agents = 400
	s, err := sim.NewSimulation(siegeConfig(agents))
	if err != nil {
		return nil, 0, fmt.Errorf("benchmarks: %w", err)
	}
	defer s.Close()
	programs := ecs.Resource[systems.Programs](s.World, "benchmarks")
	counts := make([]int, programs.Len()+1)
	for size, mind := range map[int]reflect.Type{
		16: reflect.TypeFor[components.Mind64](),
		32: reflect.TypeFor[components.Mind128](),
		64: reflect.TypeFor[components.Mind256](),
	} {
		columns := ecs.NewColumns(s.World, ecs.NeedType(mind))
		chunks := columns.Open()
		for i := range chunks {
			words := ecs.MindWords(&chunks[i], 0)
			for row := range chunks[i].Entities() {
				counts[components.MindProgram(words[row*size:])]++
			}
		}
		columns.Close()
		columns.Release()
	}
	for number := 1; number <= programs.Len(); number++ {
		a := bytesOf(programs.Get(uint16(number)))
		a.Share = float64(counts[number]) / agents
		mean += a.Share * float64(a.Sum())
		kinds = append(kinds, a)
	}
	return kinds, mean, nil
}

func bytesOf(p *aitree.Program) AgentBytes {
	a := AgentBytes{
		Kind: p.Name(), Mind: p.Compiled().MindBytes(), Intent: int(reflect.TypeFor[components.Intent]().Size()),
		LOD: int(reflect.TypeFor[components.LOD]().Size()),
	}
	if p.Compiled().Fires {
		a.Triggers = int(reflect.TypeFor[components.Triggers]().Size())
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
