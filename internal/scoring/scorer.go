package scoring

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/factcache"
)

// Scorer decides for blocks of up to 64 agents. It holds scratch memory only, so one serves any evaluator and block,
// one goroutine at a time; after its first block of the largest evaluator it allocates nothing. The zero Scorer is
// ready for use.
type Scorer struct {
	// Counters since the scorer was made; a caller may clear them.
	Scored  int64 // decisions for which scores were computed
	Skipped int64 // decisions without scores, because no fact had changed; see Evaluator.Rescores

	e     *Evaluator
	host  Host
	count int // one past the last lane of the block

	terms   [][64]float32 // by term: the outputs
	known   []uint64      // by term: the lanes in which it has been evaluated
	raws    [][64]float32 // by input: the numbers, unless it is a Float fact
	read    []uint64      // by input: the lanes of raws that are filled
	found   []uint64      // by list: the lanes whose targets have been looked up
	present [][blackboard.MaxListed]uint64
	inForce [MaxActions]uint64 // by action: the lanes whose choice it is

	sum, scratch [64]float32   // of a score and of a term
	best         [64]uint64    // of Argmax: scores and pairs, see lane.Better
	greatest     [64]float32   // of the random modes: scores
	chosen       [64]uint32    // of the random modes: pairs
	weights      [][64]float32 // of the random modes, by pair
	targeted     bool          // a choice of the block has a target, or could get one
	exhaustive   bool          // nothing is dropped early: for tests
	facts        factcache.Cache
	reader       inputReader
	context      blackboard.Context
	decision     Decision
}

// Host gives a scorer access to a block whose choices the caller stores itself.
type Host struct {
	Facts    *factcache.Cache
	Index    []int32 // the evaluator's fact i is fact Index[i] of the cache; nil: the same
	Mask     uint64  // all lanes of the block
	Entities *[64]components.Entity
	Now      components.Timestamp
	Worker   int // passed to custom inputs
	User     any // passed to custom inputs

	Conditions Conditions // of a tree, for an evaluator that has some
}

// Conditions tests the conditions of a tree that an evaluator considers.
type Conditions interface {
	// Holds returns the lanes of a mask in which condition i of Evaluator.Conditions holds.
	Holds(i int32, mask uint64) uint64
}

// Decision is the input and the output of a scorer: which lanes decide, and the choices in force, which the decision
// replaces.
type Decision struct {
	Mask      uint64 // the lanes that decide
	Held      uint64 // the lanes that have a choice in force; afterwards, those that have one
	Committed uint64 // the lanes of Held that are committed to it
	Action    [64]uint8
	Target    [64]components.Entity // zero for an action without targets
	Draws     [64]uint64            // hashes to draw from, for the random modes

	// Out has the lanes in which each pair cannot be chosen, as if it were vetoed: Evaluator.Pairs masks, which
	// Scorer.Exclude fills. When it is nil, every pair can be chosen.
	Out []uint64
}

// open returns the lanes of a mask in which a pair is not out.
func (d *Decision) open(pair int32, mask uint64) uint64 {
	if d.Out == nil {
		return mask
	}
	return mask &^ d.Out[pair]
}

// Begin prepares the scorer for a block; it forgets the last.
func (s *Scorer) Begin(e *Evaluator, h Host) {
	s.host = h
	s.begin(e)
}

// begin is Begin after the host has been set.
func (s *Scorer) begin(e *Evaluator) {
	h := &s.host
	s.e, s.targeted = e, true
	s.count = 64 - bits.LeadingZeros64(h.Mask)
	if t := len(e.Terms); cap(s.known) < t {
		s.terms, s.known = make([][64]float32, t), make([]uint64, t)
	}
	s.terms, s.known = s.terms[:len(e.Terms)], s.known[:len(e.Terms)]
	clear(s.known)
	if n := len(e.Inputs); cap(s.read) < n {
		s.raws, s.read = make([][64]float32, n), make([]uint64, n)
	}
	s.raws, s.read = s.raws[:len(e.Inputs)], s.read[:len(e.Inputs)]
	clear(s.read)
	if n := len(e.Lists); cap(s.found) < n {
		s.found, s.present = make([]uint64, n), make([][blackboard.MaxListed]uint64, n)
	}
	s.found, s.present = s.found[:len(e.Lists)], s.present[:len(e.Lists)]
	clear(s.found)
	if e.Mode != Argmax && len(s.weights) < int(e.pairs) {
		s.weights = make([][64]float32, e.pairs)
	}
}

// Clear drops the references to the last block.
func (s *Scorer) Clear() {
	s.host, s.context, s.reader = Host{}, blackboard.Context{}, inputReader{}
	s.facts.Clear()
}
