package utility

import (
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// Evaluator is a compiled choice between actions. It is immutable and shared by all agents and goroutines. Make it with
// [Build].
type Evaluator struct{ compiled *scoring.Evaluator }

// tables returns what Build made. It panics for an evaluator that Build did not make.
func (e *Evaluator) tables() *scoring.Evaluator {
	if e == nil || e.compiled == nil {
		panic("utility: an Evaluator that was not made; make one with Build")
	}
	return e.compiled
}

// Name returns the name of the evaluator. It panics, as Actions and Facts do, for an evaluator that Build did not make.
func (e *Evaluator) Name() string { return e.tables().Name }

// Actions returns the names of the actions in the order of the description. components.Choice and the branches of a
// UtilitySelector refer to an action by its index here; the number in a Choice is the index plus 1.
func (e *Evaluator) Actions() []string {
	names := make([]string, len(e.tables().Actions))
	for i := range names {
		names[i] = e.compiled.Actions[i].Name
	}
	return names
}

// Facts returns the facts that the evaluator reads, each once; the slice must not be changed. A [blackboard.Source] is
// asked for them by their index here.
func (e *Evaluator) Facts() []blackboard.Fact { return e.tables().Facts }

// Compiled returns the tables of the scoring engine. It is for other packages of this module. It is nil for an
// Evaluator that Build did not make.
func (e *Evaluator) Compiled() *scoring.Evaluator { return e.compiled }
