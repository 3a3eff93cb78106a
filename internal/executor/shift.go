package executor

// Shift moves all deadlines of a mind that was last ticked at or before the time from, so that what was left of them
// then is left at the time to. Times are in microseconds of the clock. For an agent that was paused in between. It may
// be called again before the next tick.
func (p *Program) Shift(words []uint32, from, to int64) {
	if words[1]&flagStarted == 0 {
		return // its words mean nothing yet
	}
	// Deadlines are read from the start of the epoch of the last tick; see timers.go. It moves to the epoch of the
	// first of them, which may lie before the pause where the agent was not ticked for a time, and not just by the
	// length of the pause: rounded down to an epoch, it would fall behind the deadlines a little in each of several
	// pauses.
	ago := int64(uint16(from>>epochShift) - uint16(words[0]>>16))
	base := (from>>epochShift - ago) << epochShift
	first := to
	for _, slot := range p.runningTimers(words) {
		first = min(first, fullDeadline(words[slot], base)+to-from)
		words[slot] += uint32(to - from)
	}
	epoch := first >> epochShift
	move := func(slot int32) {
		if fullDeadline(words[slot], base) > from {
			words[slot] += uint32(to - from)
		} else {
			words[slot] = uint32(epoch << epochShift) // it is over
		}
	}
	for _, c := range p.Cooldowns {
		move(p.Nodes[c].Slot)
	}
	for _, k := range p.BackingOff {
		u := &p.UtilityNodes[k]
		for i := range u.backOffs() {
			move(u.deadlineSlot(i))
		}
	}
	words[0] = words[0]&0xffff | uint32(epoch)<<16
}

// runningTimers returns the words with the deadlines that count while their node runs.
func (p *Program) runningTimers(words []uint32) (slots []int32) {
	runs := make([]bool, len(p.Nodes))
	p.markRunning(words, 0, int(words[1]&0xffff), runs)
	for i := range p.Nodes {
		n := &p.Nodes[i]
		switch {
		case !runs[i]:
		case n.Op == OpWait, n.Op == OpTimeout, n.Op == OpDo && n.Limited:
			slots = append(slots, n.Slot)
		case n.Op == OpUtilitySelector:
			u := &p.UtilityNodes[n.UtilityNode]
			if u.Evaluator.Commitment > 0 && words[n.Slot]&choiceCommitted != 0 {
				slots = append(slots, n.Slot+u.deadlineOffset())
			}
		}
	}
	return slots
}

// markRunning marks the nodes that run in the strand that begins at node c, by its cursor.
func (p *Program) markRunning(words []uint32, c int32, cursor int, runs []bool) {
	if !p.ValidCursor(c, cursor) {
		return
	}
	n := int32(cursor) - 1
	for at := n; at >= 0 && !runs[at]; at = p.Nodes[at].Parent {
		runs[at] = true
	}
	if p.Nodes[n].Op == OpParallel {
		for _, branch := range p.Nodes[n].Children {
			p.markRunning(words, branch, p.cursor(words, p.Nodes[branch].Strand), runs)
		}
	}
}
