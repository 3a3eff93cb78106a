package components

// Health is what damage reduces; at zero or below the agent dies. Current and Max are the user's when the agent is
// made; combat writes Current, HurtBy and HurtAt. Damage is an integer, so the order in which hits are applied cannot
// change a result.
type Health struct {
	Current int32     // points
	Max     int32     // points
	HurtBy  Entity    // who hit it last; zero: nothing did
	HurtAt  Timestamp // when it was hit last; zero is never
}
