// Package scenarios measures what a frame of the scenarios of package sim costs: the whole frame and each stage, at any
// number of agents, with LOD and without. [Measure] runs a scenario and returns its [Cost]; [Stopwatch] times the
// frames of a simulation; [StageHeader] and [StageRow] print stages as columns of a table.
package scenarios
