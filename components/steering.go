package components

// Steering is the state of movement for one agent. The component is optional. Without it an agent still walks and
// slides along walls, but it never walks round an obstacle, never pauses on its route and never reports that it is
// stuck. Only movement writes it; the zero value is an agent that has not started.
type Steering struct {
	Goal            Vec2    // the place that it heads for or flees from, metres; see HasGoal
	ClosestDistance float32 // least distance to the goal so far, metres; in flight the greatest, negative
	Timer           float32 // seconds without progress towards the goal; in a pause, seconds paused so far
	Patience        float32 // metres to walk without coming nearer than ever; 0: no limit; negative: used up
	DetourTile      int32   // on a detour: the tile to head for, counted row by row
	Skipped         int32   // index of the waypoint of its route that it skipped last, plus one; 0: none
	Serial          uint16  // Order.Serial of the move order that the state belongs to
	Mode            uint8   // of movement: straight, pausing or on a detour
	HasGoal         bool    // whether Goal is set
}

// Route is the patrol route that an agent walks. The user sets ID and the initial Next; movement advances Next.
type Route struct {
	ID   int32 // handle of the route in the table of routes
	Next int32 // index of the waypoint that the agent heads for
}
