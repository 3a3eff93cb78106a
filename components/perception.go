package components

// Senses is what an agent can perceive. The user writes it. With the zero value it perceives nothing.
type Senses struct {
	Sight   float32 // metres within which a new target is seen
	Lose    float32 // metres within which the current target is kept; at least Sight
	Cone    float32 // cosine of half the field of view; -1 sees all around, 0 half of it
	Hearing float32 // factor on the loudness of noises; 1 is normal, 0 is deaf
	Memory  float32 // seconds after which a target out of sight is forgotten
}

// NoDistance is the distance in metres to nobody: that of a [Percept] without a target and of the entries of
// [Candidates] that are not in use. No distance is greater, so what asks for someone within some metres finds nobody,
// and it is finite, so curves and comparisons need no special case.
const NoDistance = 1e6

// Percept is what an agent knows from perception: the best hostile, the loudest noise and how many are near. Make it
// with [NewPercept]: in the zero value Distance is 0 until the agent perceives for the first time. Only perception
// writes it.
type Percept struct {
	Target    Entity    // the hostile in sight or in memory; zero: none
	LastKnown Vec2      // where Target was seen last, metres
	SeenAt    Timestamp // when Target was seen last; zero is never
	Noise     Vec2      // where the loudest recent noise came from, metres
	NoiseAt   Timestamp // when it was heard; zero is never
	Distance  float32   // metres to LastKnown; NoDistance without a Target
	Belief    float32   // 1 while Target is in sight; falls to 0 over Senses.Memory when it is not
	Hostiles  uint16    // hostiles near, seen or not: in the square of perception's Near, in whole cells
	Allies    uint16    // allies within it, without the agent itself
	Visible   bool      // whether Target is in sight now
}

// NewPercept returns the percept of an agent that has perceived nothing.
func NewPercept() Percept { return Percept{Distance: NoDistance} }

// MaxCandidates is how many hostiles [Candidates] can hold.
const MaxCandidates = 8

// Candidate is one hostile among those that an agent may choose a target from.
type Candidate struct {
	Entity    Entity  // the hostile
	Distance  float32 // metres; NoDistance in an entry that is not in use
	Health    int16   // points when it was perceived, at most 32,767
	Visible   bool    // whether it was in sight
	Attackers uint8   // how many other agents hold a claim on it, see Attacked
}

// Candidates are the nearest hostiles that an agent perceives, nearest first. The component is optional. Make it with
// [NewCandidates]: in the zero value distances are 0 until the agent perceives for the first time. Only perception
// writes it.
type Candidates struct {
	List  [MaxCandidates]Candidate // the first Count are in use
	Count uint8                    // 0…MaxCandidates
}

// NewCandidates returns the list of an agent that has perceived nobody.
func NewCandidates() Candidates {
	c := Candidates{}
	for i := range c.List {
		c.List[i].Distance = NoDistance
	}
	return c
}
