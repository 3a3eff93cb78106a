package components

// Health is what damage reduces; at zero or below the agent dies. The user sets the initial Current and Max; combat
// writes Current, HurtBy and HurtAt. Damage is an integer, so the order in which hits are applied cannot change a
// result.
type Health struct {
	Current int32     // points
	Max     int32     // points
	HurtBy  Entity    // who hit it last; zero: nothing did
	HurtAt  Timestamp // when it was hit last; zero is never
}
