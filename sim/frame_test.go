package sim

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/ecs"
)

// idle is a system that does nothing.
type idle struct{ name string }

func (*idle) Initialize(*arche.World) {}
func (*idle) Update(*arche.World)     {}
func (*idle) Finalize(*arche.World)   {}

func TestAddedSystemsRunAfterThoseOfTheirStage(t *testing.T) {
	first, second, last := &idle{"first"}, &idle{"second"}, &idle{"last"}
	var stages []string
	systems := map[string]ecs.System{} // the last of each stage
	s, err := NewSimulationWith(DefaultConfig(Scenario{Name: "test", SetUp: func(s *Simulation) error {
		s.AddSystem(StageCommands, last)
		s.AddSystem(StageLOD, first)
		s.AddSystem(StageLOD, second)
		return nil
	}}), func(stage string, system ecs.System) ecs.System {
		stages, systems[stage] = append(stages, stage), system
		return system
	})
	require.NoError(t, err)
	defer s.Close()
	assert.Equal(t, []string{"lod", "lod", "lod", "perception", "ai", "actions", "commands", "commands"}, stages)
	assert.Same(t, second, systems[StageLOD])
	assert.Same(t, last, systems[StageCommands])
}

func TestAddSystemRefusesUnknownStagesAndNil(t *testing.T) {
	s := &Simulation{}
	assert.PanicsWithValue(t, `sim: AddSystem to the stage "dreams"; use one of [lod perception ai actions commands]`,
		func() { s.AddSystem("dreams", &idle{}) })
	assert.PanicsWithValue(t, `sim: AddSystem to the stage "ai" of a nil system`, func() { s.AddSystem(StageAI, nil) })
}

func TestAConfigurationNeedsAScenario(t *testing.T) {
	_, err := NewSimulation(DefaultConfig(Scenario{Name: "nothing"}))
	assert.EqualError(t, err, "sim: no scenario; set Config.Scenario to one that has SetUp, such as those of sim/scenario")
}

func TestAnErrorOfASetUpNamesTheScenario(t *testing.T) {
	_, err := NewSimulation(DefaultConfig(Scenario{Name: "test", SetUp: func(*Simulation) error { return assert.AnError }}))
	require.ErrorIs(t, err, assert.AnError)
	assert.EqualError(t, err, `sim: scenario "test": `+assert.AnError.Error())
}
