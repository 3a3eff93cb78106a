package aitree

// exec ticks the subtree at index for the lanes of mask, which is not 0, and returns the lanes in
// which it succeeded and those in which it runs; in the rest it failed. On return run[index] tells where
// it runs, and every lane that completed has its instant.
//
// Lanes outside the mask are not touched: where the subtree runs in one of them, whoever did not tick it resets it.
func (x *Executor) exec(index int32, mask uint64) (success, running uint64) {
	n := &x.program.Nodes[index]
	switch n.op {
	case opSequence:
		success, running = x.sequence(n, index, mask)
	case opSelector:
		success, running = x.selector(n, index, mask)
	case opReactiveSequence:
		act := mask
		for c := index + 1; c < n.end; c = x.program.Nodes[c].end {
			x.resetRunning(c, mask&^act)
			if act != 0 {
				s, r := x.exec(c, act)
				running |= r
				act = s
			}
		}
		success = act
	case opReactiveSelector:
		act := mask
		for _, c := range n.children {
			x.resetRunning(c, mask&^act) // an earlier child took them
			if act != 0 {
				s, r := x.exec(c, act)
				success |= s
				running |= r
				act &^= s | r
			}
		}
	case opParallel:
		success, running = x.parallel(n, index, mask)
	case opRandomSequence, opRandomSelector:
		success, running = x.random(n, index, mask)
	case opUtilitySelector:
		success, running = x.utility(n, index, mask)
	case opWeightedChoice:
		success, running = x.weightedChoice(n, index, mask)
	case opInverter:
		s, r := x.exec(index+1, mask)
		success, running = mask&^s&^r, r
	case opForceSuccess:
		_, r := x.exec(index+1, mask)
		success, running = mask&^r, r
	case opForceFailure:
		_, running = x.exec(index+1, mask)
	case opRepeat:
		s, r := x.exec(index+1, mask)
		again := x.rounds(n, index, mask, s, r)
		success, running = s&^again, r|again
	case opRetry:
		s, r := x.exec(index+1, mask)
		again := x.rounds(n, index, mask, mask&^s&^r, r)
		success, running = s, r|again
	case opUntilSuccess:
		s, r := x.exec(index+1, mask)
		x.clearCooldowns(index+1, mask&^s&^r)
		success, running = s, mask&^s
	case opUntilFailure:
		s, r := x.exec(index+1, mask)
		x.clearCooldowns(index+1, s)
		success, running = mask&^s&^r, s|r
	case opCooldown:
		success, running = x.cooldown(n, index, mask)
	case opTimeout:
		success, running = x.timeout(n, index, mask)
	case opGuard:
		pass := x.holds(n, mask)
		x.resetRunning(index+1, mask&^pass)
		if pass != 0 {
			success, running = x.exec(index+1, pass)
		}
	case opCheck:
		return x.holds(n, mask), 0 // never runs
	case opFire:
		x.fire(n, mask)
		return mask, 0
	case opWait:
		success, running = x.wait(n, index, mask)
	case opDo:
		success, running = x.do(n, index, mask)
	case opLeaf:
		success, running = x.custom(n, index, mask)
	}
	x.run[index] = x.run[index]&^mask | running
	return success, running
}
