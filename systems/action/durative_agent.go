package action

import "github.com/flockwork-ai/flockwork/components"

// AgentSteps are the functions of an action, each for one agent: simpler than [Steps], and slower. The rules are those
// of Steps. The state is valid during the call.
type AgentSteps[T any] struct {
	// Begin is called once for each order, before the first Update.
	Begin func(a Agent, state *T)

	// Update is called once a frame. It returns Pending for an action that goes on, or its outcome. An action without
	// Update goes on until it is aborted.
	Update func(a Agent, state *T) components.Outcome

	// Abort is called once when the action ends without an outcome. It undoes what Begin and Update did.
	Abort func(a Agent, state *T)

	// Parallel lets several workers call the functions at once, see [Steps].
	Parallel bool
}

// Agent is an agent that a function of [AgentSteps] serves, and what it knows of the frame.
type Agent struct {
	*Context
	Entity components.Entity // the agent
	Order  components.Order  // a copy, with the target and numbers of now; of an abort, as it was last
}

// NewAgentDurative returns the system of an action with functions that serve one agent at a time.
func NewAgentDurative[T any](name string, channel components.Channel, steps AgentSteps[T]) *Durative[T] {
	batches := Steps[T]{
		Begin: eachAgent(steps.Begin), Abort: eachAgent(steps.Abort), Parallel: steps.Parallel,
	}
	if update := steps.Update; update != nil {
		batches.Update = func(b *Batch, states []*T) (succeeded, failed uint64) {
			for i, state := range states {
				switch update(b.agent(i), state) {
				case components.Pending:
				case components.Succeeded:
					succeeded |= 1 << i
				default:
					failed |= 1 << i
				}
			}
			return succeeded, failed
		}
	}
	return NewDurative(name, channel, batches)
}

// eachAgent returns a function that calls f for each agent of a batch, or nil.
func eachAgent[T any](f func(Agent, *T)) func(*Batch, []*T) {
	if f == nil {
		return nil
	}
	return func(b *Batch, states []*T) {
		for i, state := range states {
			f(b.agent(i), state)
		}
	}
}

// agent returns an agent of the batch.
func (b *Batch) agent(i int) Agent { return Agent{&b.Context, b.Entities[i], b.Orders[i]} }
