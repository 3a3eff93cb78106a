package scenarios

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/systems"
)

// StageHeader returns the column heads of the stages of a frame, in their order, each after a space.
func StageHeader() string {
	line := ""
	for _, stage := range systems.Stages() {
		line += fmt.Sprintf(" %10s", stage)
	}
	return line
}

// StageRow returns the columns under [StageHeader]: the time of each stage, which is given in nanoseconds, in µs.
func StageRow(stages map[string]float64) string {
	line := ""
	for _, stage := range systems.Stages() {
		line += fmt.Sprintf(" %10.1f", stages[stage.String()]/1e3)
	}
	return line
}
