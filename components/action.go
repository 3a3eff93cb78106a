package components

// Steering is what locomotion remembers of the way an agent walks. Without it an agent still walks and slides along
// walls, but never goes round a building, never pauses on its route and never reports that it is stuck.
// Only locomotion writes it; its zero value is an agent that has not set out.
type Steering struct {
	Goal            Vec2    // the waypoint that a patrol heads for, metres
	ClosestDistance float32 // metres to the goal when the agent last got on towards it
	Timer           float32 // seconds since then; of a pause, seconds so far
	DetourTile      int32   // on a way round something: the tile to head for, row by row
	Serial          uint16  // posting of the move order that this belongs to
	Mode            uint8   // straight, pausing, or on a way round: locomotion's affair
	HasGoal         bool    // whether Goal is known
}

// Fighter is what combat remembers of an agent. Without it an agent can still strike, be hurt and die, but
// its importance is left alone and it does not come back. Only combat writes it, but for Kind.
type Fighter struct {
	LastAttackAt     Timestamp // when it struck or shot last; zero is never
	Kind             uint8     // which of combat's prefabs replaces it after its death
	Importance       uint8     // what LOD.Importance falls back to after a fight
	ImportanceRaised bool      // whether combat has raised LOD.Importance
}
