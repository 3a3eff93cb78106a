package components

// Attack is the state of an agent's attack: its claim on a target. Attacks that take time need it. Only combat writes
// it; the zero value attacks nothing.
type Attack struct {
	Target  Entity    // the target that it holds a claim on; zero: none
	Since   Timestamp // when the claim was granted, or when the order was posted that the claim serves now
	ReadyAt Timestamp // end of the cooldown: it does not attack before
	Serial  uint16    // Order.Serial of the act order that the claim serves
}

// Attacked counts the agents that hold a claim on this one. The component is optional. Only combat writes it.
type Attacked struct {
	Count uint8 // attackers, at most 255
}
