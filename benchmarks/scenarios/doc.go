// Package scenarios measures the cost of a frame of each scenario of package scenario: the whole frame and each stage,
// at any number of agents, with LOD and without. [Measure] runs a scenario and returns its [Cost]; [Stopwatch] times
// the frames of a simulation; [StageHeader] and [StageRow] print stages as columns of a table.
package scenarios
