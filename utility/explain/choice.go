package explain

import (
	"time"

	"github.com/flockwork-ai/flockwork/components"
)

// Choice explains what an evaluator would choose for one agent now. Print it with String.
type Choice struct {
	Evaluator string   // its name
	Options   []Option // by action, then by target; at the end a kept choice whose target is not listed any more
	Chosen    int      // index of Options, or -1: no choice
	RunnerUp  int      // the best of the other options of the same rank, or -1
	Current   int      // the choice in force, or -1
	Reason    Reason   // how the choice came about
	NoTarget  []string // the actions for a list that has no target now
}

// Option is an action, with a target if the action is scored for targets.
type Option struct {
	Action         string            // its name
	Target         components.Entity // zero without a target
	Considerations []Consideration   // in the order of the description
	Combined       float32           // the combination of the considerations before the weight, 0..1
	Score          float32           // 0 or more; 0 if it is vetoed
	Bonus          float32           // the inertia that is added, if it is the choice in force
	Probability    float32           // of being drawn, 0..1; without a draw, 1 for the choice
	Rank           int               // of the action
	Vetoed         bool              // a gate is 0
	BelowMinimum   bool              // Score is less than the evaluator's minimum
	Outranked      bool              // an action of a higher rank can be chosen
	Failed         bool              // it failed, in this tick or so lately that it is out
	Out            time.Duration     // for how long it is out after it failed; 0: for this tick, or not at all
	Skipped        bool              // the decision did not need its score; it was computed for the explanation
}

// Consideration is what one consideration makes of its input.
type Consideration struct {
	Name       string  // of the consideration
	Raw        float32 // the input, in its unit
	Normalised float32 // mapped by the range to 0..1; the input if there is no range
	Output     float32 // of the curve, 0..1
	Weight     float32 // in a weighted sum
	Gate       bool    // whether it vetoes the action when Output is 0
	Skipped    bool    // the decision did not need it; it was computed for the explanation
}

// Reason is how a choice came about.
type Reason uint8

// The reasons.
const (
	NoneAboveZero      Reason = iota // nothing can be chosen
	Best                             // the best score
	Drawn                            // drawn at random
	HeldByInertia                    // the choice in force, which has the best score only with its bonus
	HeldByCommitment                 // the choice in force, whatever the others score
	HeldWithoutScoring               // the choice in force, not scored again: no fact changed, or it is kept until done
	NoneLeft                         // nothing can be chosen, since what scores above 0 has failed
)

var reasons = [...]string{
	"nothing scores above 0", "best score", "drawn", "held by inertia", "held by commitment", "held without scoring",
	"what could be chosen has failed",
}

// String returns the reason in words.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown reason"
}
