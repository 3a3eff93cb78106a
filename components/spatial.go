package components

// Vec2 is a point or a direction on the ground, in metres.
type Vec2 struct{ X, Y float32 }

// Transform is where an agent stands and looks.
type Transform struct {
	Position Vec2 // metres
	Heading  Vec2 // unit vector
}

// Body is what locomotion needs to know of an agent.
type Body struct {
	Velocity Vec2    // metres per second, as of the last frame
	Radius   float32 // metres
	Speed    float32 // metres per second at a walk; an intent's first number scales it
}

// Faction is the side an agent is on. Who is hostile to whom is set where perception is made.
type Faction struct{ ID uint8 }

// Senses is what an agent can perceive.
type Senses struct {
	Sight   float32 // metres within which a new target is seen
	Lose    float32 // metres within which the current target is kept; at least Sight
	Cone    float32 // cosine of half the field of view; -1 sees all around
	Hearing float32 // factor on the loudness of what is heard; 1 is normal, 0 deaf
	Memory  float32 // seconds after which a target that is not seen any more is forgotten
}

// Health is what combat takes from. Damage is integer, so the order in which blows land cannot change
// a result.
type Health struct {
	Current int32
	Max     int32
	HurtBy  Entity    // who struck last
	HurtAt  Timestamp // when; zero is never
}

// Route names the patrol route an agent walks: a handle of the route table and the waypoint it is
// heading for.
type Route struct {
	ID   int32
	Next int32
}
