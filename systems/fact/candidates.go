package fact

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// The list of targets that perception writes into [components.Candidates], and facts of its entries. An action of an
// evaluator that chooses a target reads the facts of an entry for each entry.
var (
	// Candidates is the list of perceived hostiles, nearest first, at most [components.MaxCandidates].
	Candidates = blackboard.ListOf("candidates",
		func(c *components.Candidates) []components.Candidate { return c.List[:] },
		func(c *components.Candidates) *uint8 { return &c.Count },
		func(c *components.Candidate) *components.Entity { return &c.Entity })
	// CandidateDistance is the distance of a candidate in metres; [components.NoDistance] in an entry of the list that
	// is not in use.
	CandidateDistance = blackboard.FloatFact("candidate distance",
		func(c *components.Candidate) *float32 { return &c.Distance }, components.NoDistance)
	// CandidateHealth is the health of a candidate when it was perceived, an integer.
	CandidateHealth = blackboard.IntFact("candidate health",
		func(c *components.Candidate) *int16 { return &c.Health }, 0)
	// CandidateAttackers is the number of other agents that attack a candidate, an integer.
	CandidateAttackers = blackboard.IntFact("candidate attackers",
		func(c *components.Candidate) *uint8 { return &c.Attackers }, 0)
	// CandidateVisible is whether a candidate is in sight, a bool.
	CandidateVisible = blackboard.BoolFact("candidate visible",
		func(c *components.Candidate) *bool { return &c.Visible }, false)
	// Nearest is the distance in metres of the first candidate, the nearest; [components.NoDistance] while there is
	// none.
	Nearest = blackboard.FloatFact("nearest candidate",
		func(c *components.Candidates) *float32 { return &c.List[0].Distance }, components.NoDistance)
)
