package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// instantOf returns the instant of a lane: the simulated time that its branch has reached in this tick. It is now at
// the root, and the deadline after a wait or a timeout that ended. It is stored only for the lanes of past, so lanes
// that do not wait cost nothing.
func (x *Executor) instantOf(lane int) int64 {
	if x.past>>lane&1 != 0 {
		return x.instant[lane]
	}
	return x.now
}

// setInstant sets the instant of a lane.
func (x *Executor) setInstant(lane int, t int64) {
	if t == x.now {
		x.past &^= 1 << lane
		return
	}
	x.past |= 1 << lane
	x.instant[lane] = t
}

// branchInstants are the instants of the branches of a Parallel. Each branch begins at the instant of the Parallel,
// which continues at the latest instant of the branches that completed in this tick.
type branchInstants struct {
	past    uint64 // lanes that entered at an instant before now
	instant [64]int64
	atNow   uint64 // lanes in which a branch completed now, the latest instant
	earlier uint64 // lanes in which branches completed before now
	latest  [64]int64
}

// splitInstants stores the instants of the lanes of a mask.
func (x *Executor) splitInstants(mask uint64) (f branchInstants) {
	f.past = x.past & mask
	for m := f.past; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		f.instant[i] = x.instant[i]
	}
	return f
}

// restoreInstants gives the lanes of a mask the instants that they entered with.
func (x *Executor) restoreInstants(f *branchInstants, mask uint64) {
	x.past = x.past&^mask | f.past&mask
	for m := f.past & mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		x.instant[i] = f.instant[i]
	}
}

// recordCompleted stores the instants of lanes in which a branch completed.
func (x *Executor) recordCompleted(f *branchInstants, done uint64) {
	f.atNow |= done &^ x.past
	for m := done & x.past; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		if f.earlier>>i&1 == 0 || x.instant[i] > f.latest[i] {
			f.latest[i] = x.instant[i]
		}
		f.earlier |= 1 << i
	}
}

// mergeInstants sets the instants with which the lanes of a mask continue.
func (x *Executor) mergeInstants(f *branchInstants, mask uint64) {
	x.restoreInstants(f, mask)
	x.past &^= f.atNow & mask
	for m := mask & f.earlier &^ f.atNow; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		x.setInstant(i, f.latest[i])
	}
}
