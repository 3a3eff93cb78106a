package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Block is up to 64 agents that run one program and are ticked together. Bit i of a mask is lane i. The caller fills
// it; the executor writes only minds and intents.
type Block struct {
	Mask     uint64 // the lanes to tick; holes are allowed
	Entities [64]components.Entity
	Minds    [64][]uint32           // the Words of the agents' minds
	Intents  [64]*components.Intent // for a program with Do leaves

	// Agents that are stored in columns are named by their rows, and the three fields above are not used. Lane i is
	// Rows[i]; without Rows it is the i-th row from First on.
	Columns *Columns
	Rows    []blackboard.Row
	First   blackboard.Row

	// Number is the number of the program in minds, or 0. With a number, agents whose minds name another program are
	// skipped.
	Number uint16

	Since  [64]int64            // nanoseconds since the agent's last decision, for custom leaves
	Facts  blackboard.Source    // for a program that reads facts
	Seed   uint64               // of the world: a key of every draw
	Now    components.Timestamp // the clock that all lanes share
	Worker int                  // handed to custom leaves and predicates
	User   any                  // handed to custom leaves and predicates
}

// Row returns the position of the agent of a lane in the columns.
func (b *Block) Row(lane int) blackboard.Row {
	if len(b.Rows) > 0 {
		return b.Rows[lane]
	}
	return blackboard.Row{Chunk: b.First.Chunk, Row: b.First.Row + int32(lane)}
}

// Entity returns the agent of a lane.
func (b *Block) Entity(lane int) components.Entity {
	if b.Columns == nil {
		return b.Entities[lane]
	}
	r := b.Row(lane)
	return b.Columns.Chunks[r.Chunk].Entities[r.Row]
}
