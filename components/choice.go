package components

// Choice is the action that an agent has chosen by a utility evaluator, without a tree. The system that runs the
// evaluator writes it. The zero value is no choice.
type Choice struct {
	Target    Entity    // target of the action; zero for an action without targets
	Since     Timestamp // when it was chosen
	Action    uint16    // number of the action in the evaluator plus one; 0 is none
	Committed bool      // whether the evaluator's commitment to the choice still held at the last decision
}
