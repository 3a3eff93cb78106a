package components

// Vec2 is a point or a direction on the ground, in metres.
type Vec2 struct {
	X, Y float32 // metres
}

// Transform is where an agent stands and where it looks. Movement writes it; without movement, the user does.
type Transform struct {
	Position Vec2 // metres
	Heading  Vec2 // unit vector; zero is not set, and movement makes it a unit vector
}

// Body is what movement needs to know of an agent. The user sets Radius and Speed; movement writes Velocity.
type Body struct {
	Velocity Vec2    // metres per second, as of the last frame
	Radius   float32 // metres; 0 occupies no space, so others walk through it
	Speed    float32 // metres per second at a walk; the first number of a move order scales it
}

// Faction is the side that an agent is on. The user writes it. Relations of package systems/frame say which
// factions are hostile to which.
type Faction struct {
	ID uint8 // number of the side
}
