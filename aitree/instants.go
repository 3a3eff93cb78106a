package aitree

// at returns a lane's instant.
func (x *Executor) at(lane int) int64 {
	if x.moved>>lane&1 != 0 {
		return x.instant[lane]
	}
	return x.now
}

// goOnAt sets a lane's instant.
func (x *Executor) goOnAt(lane int, t int64) {
	if t == x.now {
		x.moved &^= 1 << lane
		return
	}
	x.moved |= 1 << lane
	x.instant[lane] = t
}

// forked is the flow of time through the branches of a Parallel: each begins at the instant the Parallel
// got, and the Parallel goes on at the latest instant of those that completed in this tick.
type forked struct {
	moved   uint64 // lanes that came in at another instant than now
	instant [64]int64
	atNow   uint64 // lanes in which a branch completed at now, which nothing is later than
	earlier uint64 // lanes in which branches completed, all before now
	latest  [64]int64
}

// fork notes the instants of the lanes of a mask.
func (x *Executor) fork(mask uint64) (f forked) {
	f.moved = x.moved & mask
	for m := f.moved; m != 0; m &= m - 1 {
		i := lowest(m)
		f.instant[i] = x.instant[i]
	}
	return f
}

// flow gives the lanes of a mask the instant they came in with.
func (x *Executor) flow(f *forked, mask uint64) {
	x.moved = x.moved&^mask | f.moved&mask
	for m := f.moved & mask; m != 0; m &= m - 1 {
		i := lowest(m)
		x.instant[i] = f.instant[i]
	}
}

// meet notes the instants of lanes in which a branch completed.
func (x *Executor) meet(f *forked, done uint64) {
	f.atNow |= done &^ x.moved
	for m := done & x.moved; m != 0; m &= m - 1 {
		i := lowest(m)
		if f.earlier>>i&1 == 0 || x.instant[i] > f.latest[i] {
			f.latest[i] = x.instant[i]
		}
		f.earlier |= 1 << i
	}
}

// join lets the lanes of a mask go on.
func (x *Executor) join(f *forked, mask uint64) {
	x.flow(f, mask)
	x.moved &^= f.atNow & mask
	for m := mask & f.earlier &^ f.atNow; m != 0; m &= m - 1 {
		i := lowest(m)
		x.goOnAt(i, f.latest[i])
	}
}
