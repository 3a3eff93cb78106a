package sim

import (
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/movement"
)

// Stages of a frame, as reports name them.
const (
	StageLOD        = "lod"        // chooses the agents that decide in this frame
	StagePerception = "perception" // updates what agents see, hear and need
	StageAI         = "ai"         // ticks the trees of those agents
	StageActions    = "actions"    // moves agents, lets them fight
	StageCommands   = "commands"   // carries out queued structural changes
)

var stageNames = [...]string{StageLOD, StagePerception, StageAI, StageActions, StageCommands}

// Stages returns the names of the stages of a frame, in order.
func Stages() []string { return slices.Clone(stageNames[:]) }

// stagedSystem is a system with the stage it belongs to.
type stagedSystem struct {
	stage  string
	system ecs.System
}

// frameSystems lists the systems of a frame in order: in each stage those that every scenario has, then those that the
// scenario added.
func (s *Simulation) frameSystems() []stagedSystem {
	common := map[string][]ecs.System{
		StageLOD:        {s.LOD},
		StagePerception: {&spatial.GridSystem{}},
		StageAI:         {s.AI},
		StageActions:    {&movement.System{}},
		StageCommands:   {&frame.CommandSystem{}},
	}
	var list []stagedSystem
	for _, stage := range stageNames {
		for _, system := range common[stage] {
			list = append(list, stagedSystem{stage, system})
		}
		for _, added := range s.added {
			if added.stage == stage {
				list = append(list, added)
			}
		}
	}
	return list
}

// AddSystem adds a system to a stage of the frame, after those that the stage has. [Scenario.SetUp] calls it; later
// calls have no effect.
//
// Panics when the stage is none of [Stages] or the system is nil.
func (s *Simulation) AddSystem(stage string, system ecs.System) {
	if !slices.Contains(stageNames[:], stage) {
		panic(fmt.Sprintf("sim: AddSystem to the stage %q; use one of %v", stage, stageNames))
	}
	if system == nil {
		panic(fmt.Sprintf("sim: AddSystem to the stage %q of a nil system", stage))
	}
	s.added = append(s.added, stagedSystem{stage, system})
}
