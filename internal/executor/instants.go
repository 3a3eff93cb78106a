package executor

// instantOf returns a lane's instant.
func (x *Executor) instantOf(lane int) int64 {
	if x.past>>lane&1 != 0 {
		return x.instant[lane]
	}
	return x.now
}

// setInstant sets a lane's instant.
func (x *Executor) setInstant(lane int, t int64) {
	if t == x.now {
		x.past &^= 1 << lane
		return
	}
	x.past |= 1 << lane
	x.instant[lane] = t
}

// branchInstants is the flow of time through the branches of a Parallel: each begins at the instant the Parallel
// got, and the Parallel goes on at the latest instant of those that completed in this tick.
type branchInstants struct {
	past    uint64 // lanes that came in at another instant than now
	instant [64]int64
	atNow   uint64 // lanes in which a branch completed at now, which nothing is later than
	earlier uint64 // lanes in which branches completed, all before now
	latest  [64]int64
}

// splitInstants notes the instants of the lanes of a mask.
func (x *Executor) splitInstants(mask uint64) (f branchInstants) {
	f.past = x.past & mask
	for m := f.past; m != 0; m &= m - 1 {
		i := lowest(m)
		f.instant[i] = x.instant[i]
	}
	return f
}

// restoreInstants gives the lanes of a mask the instant they came in with.
func (x *Executor) restoreInstants(f *branchInstants, mask uint64) {
	x.past = x.past&^mask | f.past&mask
	for m := f.past & mask; m != 0; m &= m - 1 {
		i := lowest(m)
		x.instant[i] = f.instant[i]
	}
}

// recordCompleted notes the instants of lanes in which a branch completed.
func (x *Executor) recordCompleted(f *branchInstants, done uint64) {
	f.atNow |= done &^ x.past
	for m := done & x.past; m != 0; m &= m - 1 {
		i := lowest(m)
		if f.earlier>>i&1 == 0 || x.instant[i] > f.latest[i] {
			f.latest[i] = x.instant[i]
		}
		f.earlier |= 1 << i
	}
}

// mergeInstants lets the lanes of a mask go on.
func (x *Executor) mergeInstants(f *branchInstants, mask uint64) {
	x.restoreInstants(f, mask)
	x.past &^= f.atNow & mask
	for m := mask & f.earlier &^ f.atNow; m != 0; m &= m - 1 {
		i := lowest(m)
		x.setInstant(i, f.latest[i])
	}
}
