package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// The header of a mind; see package components.
const (
	HeaderWords = 2
	flagStarted = 1 << 16 // in word 1: the mind has been ticked since it was made or reset
)

// RunningLeaves appends to dst the indices of the leaves that run in a mind, in tree order. The mind must belong to
// this program. A cursor that the program cannot have written counts as idle.
func (p *Program) RunningLeaves(words []uint32, dst []int) []int {
	if words[1]&flagStarted == 0 {
		return dst
	}
	return p.runningBelow(words, 0, int(words[1]&0xffff), dst)
}

// runningBelow appends the leaves that run in the strand that begins at node c, by its cursor.
func (p *Program) runningBelow(words []uint32, c int32, cursor int, dst []int) []int {
	if !p.ValidCursor(c, cursor) {
		return dst
	}
	n := &p.Nodes[cursor-1]
	if n.Leaf >= 0 {
		return append(dst, int(n.Leaf))
	}
	if n.Op == OpParallel {
		for _, branch := range n.Children {
			dst = p.runningBelow(words, branch, p.cursor(words, p.Nodes[branch].Strand), dst)
		}
	}
	return dst
}

// ValidCursor reports whether a cursor of the strand that begins at node c names a node that can be the deepest running
// one of that strand. The executor ignores other cursors, so any bytes of a mind give a state that the program can
// have.
func (p *Program) ValidCursor(c int32, cursor int) bool {
	n := int32(cursor) - 1
	return n >= c && n < p.Nodes[c].End && p.Nodes[n].Strand == p.Nodes[c].Strand && p.Nodes[n].Op.hasCursor()
}

// CursorBits returns the width of a branch cursor: 8 bits, or 16 when the nodes and the two marks of a latched result
// do not fit 8.
func (p *Program) CursorBits() uint {
	if p.WideCursors {
		return 16
	}
	return 8
}

// cursor reads a strand's cursor. 0 is idle, k is node k-1; one and two past the last node are a latched success and
// failure.
func (p *Program) cursor(words []uint32, s Strand) int {
	width := p.CursorBits()
	return int(words[s.Word] >> s.Shift & (1<<width - 1))
}

// setCursor writes the cursor of a strand other than the root's.
func (p *Program) setCursor(words []uint32, s Strand, v int) {
	mask := uint32(1)<<p.CursorBits() - 1
	w := &words[s.Word]
	*w = *w&^(mask<<s.Shift) | uint32(v)<<s.Shift
}

// load derives the planes of what runs from the minds' cursors. A cursor names the deepest running node of its strand;
// the ancestors follow from the tree.
func (x *Executor) load() {
	p := x.program
	x.loadRoots()
	for _, n := range p.WithoutCursor {
		x.was[n] = 0
	}
	for _, n := range p.Parallels {
		if x.was[n] != 0 {
			x.loadBranches(n)
		}
	}
	addDescendants(x.was, p.Parents)
	copy(x.run, x.was)
}

// addDescendants adds to every node the lanes in which a node below it runs. Children come after their parents.
//
//go:noinline
func addDescendants(was []uint64, parents []int32) {
	for n := len(was) - 1; n > 0; n-- {
		if v := was[n]; v != 0 {
			was[parents[n]] |= v
		}
	}
}

// loadRoots reads the root cursors into was. A cursor of 0, idle, goes to the plane before it.
func (x *Executor) loadRoots() {
	epoch := uint32(x.now >> epochShift & 0xffff)
	number := uint32(x.block.Number)
	rest := x.mask
	if x.dense && rest&(rest+1) == 0 {
		fixed := uint32(0xffff0000)
		if number != 0 {
			fixed = 0xffffffff
		}
		rest = loadRows(x.planes, x.minds[:bitmask.Count(rest)*x.stride], x.stride, epoch<<16|number, fixed)
	}
	for m := rest; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		words := x.mind(i)
		if number != 0 && words[0]&0xffff != number {
			x.Mismatched |= 1 << i
			continue
		}
		if words[0]>>16 != epoch || words[1]&flagStarted == 0 {
			x.newEpoch(i, words, epoch)
		}
		if cursor := int(words[1] & 0xffff); cursor < len(x.planes) {
			x.planes[cursor] |= 1 << i
		}
	}
	x.mask &^= x.Mismatched
}

// loadRows reads the root cursors of up to 64 successive minds. It returns the lanes of those that it did not read:
// their first word differs from the given one in the fixed bits, or a flag is unexpected.
//
//go:noinline
func loadRows(planes []uint64, minds []uint32, stride int, word, fixed uint32) (rest uint64) {
	bit := uint64(1)
	for at := 0; at+1 < len(minds); at += stride {
		// No other flag is ever set, so the rest is the cursor.
		odd, cursor := (minds[at]^word)&fixed, minds[at+1]^flagStarted
		if odd == 0 && uint(cursor) < uint(len(planes)) { // unsigned: an int may have 32 bits
			planes[cursor] |= bit
		} else {
			rest |= bit
		}
		bit <<= 1
	}
	return rest
}

// loadBranches reads the cursors of the branches of a running Parallel.
func (x *Executor) loadBranches(n int32) {
	p := x.program
	nodes := len(p.Nodes)
	for m := x.was[n]; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		bit := uint64(1) << i
		words := x.mind(i)
		for _, c := range p.Nodes[n].Children {
			switch v := p.cursor(words, p.Nodes[c].Strand); {
			case p.ValidCursor(c, v):
				x.was[v-1] |= bit
			case v == nodes+1:
				x.latchedSuccess[c] |= bit
			case v == nodes+2:
				x.latchedFailure[c] |= bit
			}
		}
	}
}

// writeCursors makes the cursors of a node's strand name the node.
func (x *Executor) writeCursors(n *Node, index int32, mask uint64) {
	if n.Strand.Word == 1 {
		for ; mask != 0; mask &= mask - 1 {
			w := x.word(bitmask.Lowest(mask), 1)
			*w = *w&^0xffff | uint32(index+1)
		}
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		x.program.setCursor(x.mind(bitmask.Lowest(mask)), n.Strand, int(index)+1)
	}
}

// writeBranches writes the cursors of those branches of a running Parallel that do not run: idle, or the mark of a
// latched result. The cursors of branches that run have been written by the node that they name.
func (x *Executor) writeBranches(index int32) {
	p := x.program
	n := &p.Nodes[index]
	for _, c := range n.Children {
		for m := x.run[index] &^ x.run[c]; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			v := 0
			switch bit := uint64(1) << i; {
			case x.latchedSuccess[c]&bit != 0:
				v = len(p.Nodes) + 1
			case x.latchedFailure[c]&bit != 0:
				v = len(p.Nodes) + 2
			}
			p.setCursor(x.mind(i), p.Nodes[c].Strand, v)
		}
	}
}
