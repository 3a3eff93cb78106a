package executor

// exec ticks the subtree at index for the lanes of mask, which is not 0. It returns the lanes in which the subtree
// succeeded and those in which it runs; in the rest it failed, which is what an OpFail comes to. On return, run[index]
// says where it runs, and every lane that completed has its instant.
//
// Lanes outside the mask are not touched. A parent that does not tick a child in a lane in which the child runs resets
// it.
func (x *Executor) exec(index int32, mask uint64) (success, running uint64) {
	n := &x.program.Nodes[index]
	switch n.Op {
	case OpSequence:
		success, running = x.sequence(n, index, mask)
	case OpSelector:
		success, running = x.selector(n, index, mask)
	case OpReactiveSequence:
		success, running = x.reactiveSequence(n, index, mask)
	case OpReactiveSelector:
		success, running = x.reactiveSelector(n, mask)
	case OpParallel:
		success, running = x.parallel(n, index, mask)
	case OpRandomSequence, OpRandomSelector:
		success, running = x.random(n, index, mask)
	case OpRoundRobin:
		success, running = x.roundRobin(n, index, mask)
	case OpRecovery:
		success, running = x.recovery(n, index, mask)
	case OpUtilitySelector:
		success, running = x.utility(n, index, mask)
	case OpWeightedChoice:
		success, running = x.weightedChoice(n, index, mask)
	case OpInverter:
		s, r := x.exec(index+1, mask)
		success, running = mask&^s&^r, r
	case OpForceSuccess:
		_, r := x.exec(index+1, mask)
		success, running = mask&^r, r
	case OpForceFailure:
		_, running = x.exec(index+1, mask)
	case OpRepeat:
		s, r := x.exec(index+1, mask)
		again := x.rounds(n, index, mask, s, r)
		success, running = s&^again, r|again
	case OpRetry:
		s, r := x.exec(index+1, mask)
		again := x.rounds(n, index, mask, mask&^s&^r, r)
		success, running = s, r|again
	case OpUntilSuccess:
		s, r := x.exec(index+1, mask)
		x.clearCooldowns(index+1, mask&^s&^r)
		success, running = s, mask&^s
	case OpUntilFailure:
		s, r := x.exec(index+1, mask)
		x.clearCooldowns(index+1, s)
		success, running = mask&^s&^r, s|r
	case OpCooldown:
		success, running = x.cooldown(n, index, mask)
	case OpEvery:
		success, running = x.every(n, index, mask)
	case OpTimeout:
		success, running = x.timeout(n, index, mask)
	case OpGuard:
		passed := x.holds(n.Condition, mask)
		x.resetRunning(index+1, mask&^passed)
		if passed != 0 {
			success, running = x.exec(index+1, passed)
		}
	case OpCheck:
		success = x.holds(n.Condition, mask)
	case OpSucceed:
		success = mask
	case OpFire:
		success = x.fire(n, mask)
	case OpRun:
		running = mask
	case OpWait:
		success, running = x.wait(n, index, mask)
	case OpDo:
		success, running = x.do(n, index, mask)
	case OpLeaf:
		success, running = x.custom(n, index, mask)
	case opTraced:
		return x.traced(index, mask)
	}
	x.run[index] = x.run[index]&^mask | running
	return success, running
}
