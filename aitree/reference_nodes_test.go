package aitree_test

import (
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scoringref"
)

// run is the table of nodes.
func (a *refAgent) run(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	switch n.kind {
	case refAction:
		r := a.script.invoke(n, entering)
		a.log = append(a.log, refInvocation{n, entering, r})
		return r, at

	case refCondition:
		return resultIf(a.holds(n.cond)), at

	case refFire:
		a.aim(n, s)
		a.fired, a.targets = append(a.fired, n), append(a.targets, s.aim)
		return succeeded, at

	case refDo:
		if n.until != "" && a.holds(n.until) { // 9, 10
			return succeeded, at
		}
		if report := a.reports[n]; !entering && report != 0 { // 11
			return report, at
		}
		if entering {
			a.aim(n, s)
			s.deadline = at + micros(n.seconds)
		}
		if n.limited && a.now >= s.deadline { // 42
			return succeeded, s.deadline
		}
		return running, at

	case refSucceed:
		return succeeded, at

	case refFail:
		return failed, at

	case refRun:
		return running, at

	case refWait:
		if entering {
			s.deadline = at + a.duration(n)
		}
		if a.now >= s.deadline { // 20
			return succeeded, s.deadline // 21
		}
		return running, at

	case refSequence, refSelector, refRandomSequence, refRandomSelector:
		if entering {
			s.child, s.entered = 0, a.clock
		}
		goesOn := succeeded
		if n.kind == refSelector || n.kind == refRandomSelector {
			goesOn = failed
		}
		order := a.order(n, s)
		for ; s.child < len(order); s.child++ {
			var r result
			if r, at = a.exec(n.children[order[s.child]], at); r != goesOn {
				return r, at
			}
		}
		return goesOn, at

	case refRoundRobin: // 43
		if entering {
			s.child = 0
		}
		for ; s.child < len(n.children); s.child++ {
			tried := (s.start + s.child) % len(n.children)
			var r result
			if r, at = a.exec(n.children[tried], at); r == succeeded {
				s.start = (tried + 1) % len(n.children)
			}
			if r != failed {
				return r, at
			}
		}
		return failed, at

	case refRecovery:
		return a.recovery(n, s, at, entering)

	case refReactiveSequence, refReactiveSelector:
		goesOn := succeeded
		if n.kind == refReactiveSelector {
			goesOn = failed
		}
		for i, child := range n.children {
			var r result
			if r, at = a.exec(child, at); r != goesOn {
				a.resetRunning(n.children[i+1:])
				return r, at
			}
		}
		return goesOn, at

	case refWeightedChoice:
		if entering {
			s.entered = a.clock
		}
		return a.exec(n.children[a.choice(n, s)], at)

	case refParallel:
		return a.parallel(n, s, at, entering)

	case refUtility:
		return a.utility(n, s, at, entering)

	case refInverter:
		r, next := a.exec(n.children[0], at)
		switch r {
		case succeeded:
			r = failed
		case failed:
			r = succeeded
		}
		return r, next

	case refForceSuccess, refForceFailure:
		r, next := a.exec(n.children[0], at)
		if r != running {
			r = resultIf(n.kind == refForceSuccess)
		}
		return r, next

	case refRepeat, refRetry, refUntilSuccess, refUntilFailure:
		return a.loop(n, s, at, entering)

	case refCooldown:
		if entering && s.cooling && a.now < s.ready { // 16
			return failed, at
		}
		r, next := a.exec(n.children[0], at)
		if r == succeeded || r == failed && n.completed { // 39
			s.cooling, s.ready = true, a.now+micros(n.seconds)
		}
		return r, next

	case refEvery: // 41
		if entering {
			if s.stands != 0 && a.now < s.begun+micros(n.seconds) {
				return s.stands, at
			}
			s.begun = at
		}
		r, next := a.exec(n.children[0], at)
		if r != running {
			s.stands = r
		}
		return r, next

	case refTimeout:
		if entering {
			s.deadline = at + micros(n.seconds)
		}
		r, next := a.exec(n.children[0], at)
		if r == running && a.now >= s.deadline { // 27
			a.reset(n.children[0])
			return failed, s.deadline // 28
		}
		return r, next

	case refGuard:
		if !a.holds(n.cond) { // 18
			a.resetRunning(n.children)
			return failed, at
		}
		return a.exec(n.children[0], at)
	}
	panic("reference: no such node")
}

func (a *refAgent) parallel(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	if entering {
		s.results = make([]result, len(n.children))
	}
	successes, failures, latest := 0, 0, int64(math.MinInt64)
	for i, child := range n.children {
		r := s.results[i]
		if r == 0 {
			var next int64
			r, next = a.exec(child, at) // 23: each child comes in at the same instant
			if r != running {
				latest = max(latest, next)
				if n.latched {
					s.results[i] = r // 25
				}
			}
		}
		switch r {
		case succeeded:
			successes++
		case failed:
			failures++
		}
	}
	policy := func(threshold int) int {
		if threshold == 0 {
			return len(n.children)
		}
		return threshold
	}
	r := running
	switch {
	case failures >= policy(n.failure): // 19
		r = failed
	case successes >= policy(n.success):
		r = succeeded
	case successes+failures == len(n.children): // 26
		r = failed
	default:
		return running, at
	}
	a.resetRunning(n.children)
	return r, latest
}

// utility is a UtilitySelector. The numbers with a U are those of the rules of utility.
func (a *refAgent) utility(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	if entering {
		s.choice.committed = false // what is remembered has inertia only
	}
	ranOut := s.choice.committed && a.now >= s.choice.since+micros(n.evaluator.commitment) // U25
	if ranOut {
		s.choice.committed = false
	}
	for i := range s.backOffs {
		if b := &s.backOffs[i]; b.until > 0 && a.now >= b.until { // U44
			*b, ranOut = refBackOff{}, true
		}
	}
	out := map[[2]uint64]bool{} // pairs that cannot be chosen in this tick
	for _, b := range s.backOffs {
		if b.until > 0 {
			out[[2]uint64{uint64(b.action), b.target}] = true
		}
	}
	now := a.facts.sight(a.clock)
	s.first = refChoice{}
	for i, test := range n.evaluator.tests {
		now.own[inputTests+i] = truth(a.holds(test))
	}
	switch {
	case !entering && n.hold: // U39
		a.did.held++
	case !entering && n.evaluator.rescores && !ranOut && !n.evaluator.moved(&s.seen, &now): // U41
		a.did.spared++
	default:
		s.seen = now
		if !a.choose(n, s, &now, out, entering) {
			return failed, at // U27, U37
		}
	}
	s.first = s.choice
	ran := a.tree.nodes[0] // the branch that ran before, or the root, which is none
	for _, child := range n.children {
		if a.state[child.index].before {
			ran = child
		}
	}
	for try := 1; ; try++ {
		tried := s.choice
		r, next := a.exec(n.children[slices.Index(n.branches, tried.action)], at)
		if r != failed {
			if r != running && !n.remember {
				s.choice = refChoice{} // U38
			}
			return r, next
		}
		at = next
		a.did.failures++
		if until := at + micros(n.backOff); until > a.now {
			a.backOff(n, s, refBackOff{tried.action, tried.target, until})
		}
		if !n.nextBest {
			if !n.remember {
				s.choice = refChoice{}
			}
			return failed, at
		}
		out[[2]uint64{uint64(tried.action), tried.target}] = true // U43
		s.seen = now
		a.chooseNext(n, s, &now, out, try)
		if !s.choice.made {
			a.did.left++
			return failed, at
		}
		a.did.next++
		child := n.children[slices.Index(n.branches, s.choice.action)]
		switch {
		case s.choice.action == tried.action:
			a.did.again++
		case child == ran:
			a.did.back++
		}
		a.afresh(child)
	}
}

// chooseNext chooses once more in a tick, after what was chosen has failed. Nothing is in force.
func (a *refAgent) chooseNext(n *refNode, s *refState, now *readings, out map[[2]uint64]bool, try int) {
	a.did.scored++
	question := a.question(n, now, out, try)
	next := n.evaluator.evaluator.Decide(&question, scoringref.Choice{})
	s.choice = a.chosen(n, next)
}

// question is what the evaluator is asked.
func (a *refAgent) question(n *refNode, now *readings, out map[[2]uint64]bool, try int) scoringref.Agent {
	return scoringref.Agent{Inputs: now.own, Targets: now.targets[n.evaluator.list],
		Draw: a.draw(a.entity, a.clock, n, try),
		Out:  func(action int, target uint64) bool { return out[[2]uint64{uint64(action), target}] }}
}

// chosen is a new choice.
func (a *refAgent) chosen(n *refNode, next scoringref.Choice) refChoice {
	return refChoice{made: next.Made, action: next.Action, target: next.Target, since: a.now,
		committed: next.Made && micros(n.evaluator.commitment) > 0}
}

// backOff remembers what is out, in a free place, or in that of the one that ends first (U44).
func (a *refAgent) backOff(n *refNode, s *refState, b refBackOff) {
	if s.backOffs == nil {
		places := 4
		if actions := len(n.evaluator.evaluator.Actions); !n.evaluator.targeted() {
			places = min(places, actions) // an action has a place at most
		}
		s.backOffs = make([]refBackOff, places)
	}
	at := 0
	for i := range s.backOffs {
		if s.backOffs[i].until < s.backOffs[at].until {
			at = i
		}
	}
	if s.backOffs[at].until > 0 {
		a.did.forgotten++
	}
	s.backOffs[at] = b
}

// choose scores and chooses, and resets what the node turns from. It returns whether there is a choice.
func (a *refAgent) choose(n *refNode, s *refState, now *readings, out map[[2]uint64]bool, entering bool) bool {
	evaluator, old := n.evaluator, s.choice
	a.did.scored++
	question := a.question(n, now, out, 0)
	was := scoringref.Choice{Made: old.made, Action: old.action, Target: old.target, Held: math.Inf(1)}
	free := evaluator.evaluator.Decide(&question, was)
	next := free
	if old.committed {
		was.Held = 0
		next = evaluator.evaluator.Decide(&question, was)
	}
	same := next.Made && old.made && next.Action == old.action && next.Target == old.target
	a.countChoice(n, &question, was, free, next, same, entering)
	if !same || entering {
		s.choice = a.chosen(n, next)
	}
	switch {
	case entering || same:
	case !next.Made || next.Action != old.action:
		a.resetRunning(n.children) // U37
	default: // U40
		child := n.children[slices.Index(n.branches, old.action)]
		a.reset(child)
		a.afresh(child)
	}
	return next.Made
}

// countChoice counts what decided, so that a test can tell what it has seen.
func (a *refAgent) countChoice(n *refNode, agent *scoringref.Agent,
	was, free, next scoringref.Choice, same, entering bool) {
	d := &a.did
	pair := func(c scoringref.Choice) scoringref.Choice { c.Held = 0; return c }
	switch {
	case !next.Made:
		d.none++
	case entering:
		d.made++
	case !same && next.Action == was.Action:
		d.retargeted++
	case !same:
		d.turned++
	}
	if n.evaluator.evaluator.Mode != "argmax" {
		d.drawn++
	}
	everything := *agent
	everything.Out = nil
	if pair(n.evaluator.evaluator.Decide(&everything, was)) != pair(next) {
		d.out++
	}
	if pair(free) != pair(next) {
		d.committed++
	}
	if same && pair(n.evaluator.evaluator.Decide(agent, scoringref.Choice{})) != pair(free) {
		if entering {
			d.remembered++
		} else {
			d.inert++
		}
	}
}

// aim notes the target that a leaf binds when it is entered or fires.
func (a *refAgent) aim(n *refNode, s *refState) {
	if n.chosen {
		s.aim = entityOf(a.state[n.chooser.index].choice.target)
	}
}

func (a *refAgent) loop(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	if entering {
		s.count = 0
	}
	again, limit := succeeded, n.times
	switch n.kind {
	case refRetry:
		again = failed
	case refUntilSuccess:
		again, limit = failed, 0
	case refUntilFailure:
		limit = 0
	}
	r, next := a.exec(n.children[0], at)
	switch {
	case r == running:
		return running, next
	case r != again:
		if n.kind == refUntilFailure {
			return succeeded, next // 12
		}
		return r, next
	}
	if s.count++; limit > 0 && s.count >= limit {
		return r, next
	}
	a.reset(n.children[0]) // 14: between two rounds; the next begins on the next tick
	return running, next
}

// recovery is a loop of a child and what is done when that fails.
func (a *refAgent) recovery(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	if entering {
		s.child, s.count = 0, 0
	}
	if s.child == 0 {
		r, next := a.exec(n.children[0], at)
		if r != failed || n.times > 0 && s.count == n.times {
			return r, next
		}
		s.child, at = 1, next
	}
	r, next := a.exec(n.children[1], at)
	if r != succeeded {
		return r, next
	}
	s.child = 0
	s.count++
	for _, child := range n.children { // as between the rounds of another loop (14)
		a.reset(child)
	}
	return running, next
}

// order is the order in which a Sequence or Selector takes its children: the drawn one of a random
// composite is the same for as long as it runs.
func (a *refAgent) order(n *refNode, s *refState) []int {
	order := make([]int, len(n.children))
	for i := range order {
		order[i] = i
	}
	if n.kind == refRandomSequence || n.kind == refRandomSelector {
		for i := len(order) - 1; i > 0; i-- {
			j := random.Below(a.draw(a.entity, s.entered, n, i), uint32(i+1))
			order[i], order[j] = order[j], order[i]
		}
	}
	return order
}

// choice is the child that a WeightedChoice has drawn: the draw's high 32 bits are a point of the line on
// which the weights lie end to end.
func (a *refAgent) choice(n *refNode, s *refState) int {
	total := 0.0
	for _, w := range n.weights {
		total += w
	}
	at := float64(a.draw(a.entity, s.entered, n, 0) >> 32)
	upTo, last := 0.0, 0
	for i, w := range n.weights {
		if w <= 0 {
			continue
		}
		last = i
		if upTo += w; at < math.Floor(upTo/total*(1<<32)) {
			break
		}
	}
	return last
}

// duration is that of a wait, in microseconds; Wait(min, max) draws it on entry.
func (a *refAgent) duration(n *refNode) int64 {
	if n.of != "" {
		seconds := float64(pauseOf(a.script, n.of))
		switch {
		case seconds != seconds: // the fact has its default
			seconds = defaultPause
		case seconds < 0:
			return 0
		}
		return int64(min(seconds*1e6, 1<<31-1))
	}
	least, most := micros(n.seconds), micros(n.most)
	if least == most {
		return least
	}
	return least + int64(random.Below(a.draw(a.entity, a.clock, n, 0), uint32(most-least+1)))
}
