package components

// Percept is what perception knows on an agent's behalf: the best hostile, what was heard and who is
// near. Only perception writes it.
type Percept struct {
	Target    Entity    // the hostile in sight or in memory; zero when there is none
	LastKnown Vec2      // where it was seen last, metres
	SeenAt    Timestamp // when it was seen last
	Noise     Vec2      // where the loudest recent noise came from, metres
	NoiseAt   Timestamp // when it was heard; zero is never
	Distance  float32   // metres to LastKnown; a million without a Target
	Belief    float32   // 1 while in sight, decays to 0 over the memory of the senses
	Hostiles  uint16    // hostiles near, seen or not: within some metres that perception is told
	Allies    uint16    // allies near, not counting itself
	Visible   bool      // whether Target is in sight now
}

// MaxCandidates is how many hostiles [Candidates] keeps.
const MaxCandidates = 8

// Candidate is one hostile that an agent could turn to.
type Candidate struct {
	Entity    Entity
	Distance  float32 // metres
	Health    int16   // copied when it was perceived, at most 32,767
	Visible   bool
	Attackers uint8 // how many others hold a claim on it, see [Attacked]
}

// Candidates are the nearest hostiles an agent perceives, nearest first. The component is optional:
// perception fills it for the agents that have it.
type Candidates struct {
	List  [MaxCandidates]Candidate
	Count uint8
}
