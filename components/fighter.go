package components

// Fighter is the state of combat for one agent. The component is optional. Without it an agent can still attack, be hit
// and die, but combat leaves its importance alone and does not respawn it. The user sets Kind; combat writes
// the other fields.
type Fighter struct {
	LastAttackAt     Timestamp // when it attacked last; zero is never
	Kind             uint8     // index of the prefab of combat that replaces the agent after its death
	SavedImportance  uint8     // LOD.Importance before the fight, to which it returns
	ImportanceRaised bool      // whether combat has raised LOD.Importance
}
