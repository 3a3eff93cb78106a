package components

// Choice is what an agent that decides by utility alone, without a tree, has chosen. The zero value has chosen nothing.
type Choice struct {
	Target    Entity    // zero for an action without targets
	Since     Timestamp // when it was chosen
	Action    uint16    // the action's number in the evaluator plus one; 0 is none
	Committed bool      // whether the evaluator's commitment still held at the last decision
}
