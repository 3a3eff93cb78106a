package aitree_test

import (
	"maps"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scoringref"
)

// dice decides how a random test goes on. Small numbers stand for what is simple, so that a failing test
// shrinks.
type dice interface {
	// below returns a number from 0 to n-1.
	below(n int) int
}

type rapidDice struct{ t *rapid.T }

// below draws bits, because rapid's ranges prefer small numbers.
func (d rapidDice) below(n int) int {
	v := 0
	for m := n - 1; m > 0; m >>= 1 {
		v <<= 1
		if rapid.Bool().Draw(d.t, "") {
			v |= 1
		}
	}
	return v % n
}

// byteDice take their numbers from bytes; when these have run out, all is 0.
type byteDice struct{ data []byte }

func (d *byteDice) below(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	v := int(d.data[0])
	d.data = d.data[1:]
	if n > 256 && len(d.data) > 0 {
		v |= int(d.data[0]) << 8
		d.data = d.data[1:]
	}
	return v % n
}

func pick[T any](d dice, from ...T) T { return from[d.below(len(from))] }

// oneIn is true once in n times; the simple answer is no.
func oneIn(d dice, n int) bool { return d.below(n) == n-1 }

// A treeGenerator makes random trees that can be built, but for the state they need.
type treeGenerator struct {
	dice
	actions, dos, fires, waits int // that have been made, for their names
	thoughts                   int
	evaluators                 []*refEvaluator
	room                       int  // words that evaluators may still keep in a mind
	targeted                   bool // the branch that grows has a chosen target
	subtrees                   map[string]*refNode
	flavour                    string
}

// The flavours of trees: what they have more of.
var flavours = []string{"any", "time", "parallel", "reactive", "loops", "random", "deep", "wide", "actions",
	"cooldowns", "subtrees", "large", "utility"}

// seconds draws a duration. There are few, so that deadlines meet.
func (g *treeGenerator) seconds() float64 {
	return pick(g.dice, 0.25, 0, 0.5, 1, 0.1, 1.0/3, 1e-6, 3, 60, 1799.9999, 2000)
}

// node makes a tree of at most size nodes, at least 1. Channels are those its Do leaves may use.
func (g *treeGenerator) node(size int, channels []components.Channel, depth int) *refNode {
	if size <= 1 || depth > 240 {
		return g.leaf(channels)
	}
	composites := []refKind{
		refSequence, refSelector, refReactiveSelector, refReactiveSequence, refParallel, refRandomSelector,
		refRandomSequence, refWeightedChoice, refRoundRobin, refRecovery,
	}
	decorators := []refKind{
		refInverter, refForceSuccess, refForceFailure, refGuard, refTimeout, refCooldown, refRepeat, refRetry,
		refUntilSuccess, refUntilFailure, refEvery,
	}
	if g.flavour == "utility" || g.flavour == "any" {
		composites = append(composites, refUtility)
	}
	kind := pick(g.dice, composites...)
	if g.below(100) >= 55 {
		kind = pick(g.dice, decorators...)
	}
	if g.below(100) >= 40 {
		switch g.flavour {
		case "time":
			kind = pick(g.dice, refSequence, refTimeout, refParallel, refSelector, refRepeat, refCooldown, refEvery)
		case "parallel":
			kind = pick(g.dice, refParallel, refGuard, refReactiveSequence)
		case "reactive":
			kind = pick(g.dice, refReactiveSelector, refReactiveSequence, refGuard)
		case "loops":
			kind = pick(g.dice, refRepeat, refRetry, refUntilSuccess, refUntilFailure, refRecovery)
		case "random":
			kind = pick(g.dice, refRandomSelector, refRandomSequence, refWeightedChoice, refRoundRobin)
		case "deep":
			kind = pick(g.dice, refInverter, refForceSuccess, refGuard, refForceFailure, refSequence)
		case "cooldowns":
			kind = pick(g.dice, refCooldown, refSelector, refSequence, refGuard, refEvery, refRoundRobin)
		case "utility":
			kind = pick(g.dice, refUtility, refUtility, refUtility, refUtility, refRandomSequence, refParallel,
				refParallel,
				refRepeat, refTimeout, refCooldown, refGuard, refSequence, refSelector)
		}
	}
	if g.flavour == "utility" && depth == 0 && len(g.evaluators) == 0 && g.below(4) > 0 {
		kind = refUtility
	}
	if g.targeted && g.below(3) == 0 { // what lies side by side in a mind is what beginning anew could mix up
		kind = pick(g.dice, refSequence, refSelector, refParallel, refParallel, refRepeat, refRandomSequence)
	}
	if g.subtrees != nil && g.below(6) == 5 {
		names := slices.Sorted(maps.Keys(g.subtrees))
		if !g.targeted {
			names = slices.DeleteFunc(names, func(name string) bool { return name == aimedSubtree })
		}
		if len(names) > 0 {
			g.waits++
			return &refNode{kind: refUse, label: "u" + strconv.Itoa(g.waits), subtree: pick(g.dice, names...)}
		}
	}
	if kind == refRecovery && size < 3 {
		kind = refSequence
	}
	n := &refNode{kind: kind}
	if slices.Contains(decorators, kind) {
		switch kind {
		case refRepeat, refRetry:
			n.times = pick(g.dice, 1, 2, 3, 0, -1, 7)
		case refTimeout, refEvery:
			n.seconds = g.seconds()
		case refCooldown:
			n.seconds = g.seconds()
			n.resets = oneIn(g.dice, 2)
			n.completed = oneIn(g.dice, 2)
		case refGuard:
			n.cond = g.condition()
		}
		n.children = []*refNode{g.node(size-1, channels, depth+1)}
		return n
	}

	count := 1 + g.below(min(5, size-1))
	if g.flavour == "wide" && oneIn(g.dice, 2) || oneIn(g.dice, 20) {
		count = 1 + g.below(min(16, size-1))
	}
	if kind == refRecovery {
		count = 2
		n.times = pick(g.dice, 1, 2, 3, 0, -1)
	}
	if kind == refUtility {
		n.evaluator = g.evaluator(count, size-1)
		count = len(n.evaluator.evaluator.Actions)
		n.hold = oneIn(g.dice, 6)
		n.nextBest = oneIn(g.dice, 2)
		if words := n.evaluator.backOffWords(); oneIn(g.dice, 2) && words <= g.room {
			n.backOff = pick(g.dice, 60, g.seconds())
			g.room -= words
		}
		n.remember = oneIn(g.dice, 2) && n.evaluator.words(true) <= g.room
		if n.remember || n.evaluator.rescores {
			g.room -= n.evaluator.words(n.remember)
		}
		for i := range count { // in any order
			n.branches = slices.Insert(n.branches, g.below(i+1), i)
		}
	}
	above := g.targeted
	rest := size - 1 - count // nodes beyond one for each child
	own := make([][]components.Channel, count)
	for i := range own {
		own[i] = channels
	}
	if kind == refParallel { // a channel is one child's alone
		own = make([][]components.Channel, count)
		for _, c := range channels {
			i := g.below(count)
			own[i] = append(own[i], c)
		}
		n.success, n.failure = g.below(count+1), g.below(count+1)
		n.latched = oneIn(g.dice, 2)
	}
	for i := range count {
		some := rest
		if i < count-1 {
			some = g.below(rest + 1)
		}
		rest -= some
		if kind == refUtility {
			g.targeted = n.evaluator.evaluator.Actions[n.branches[i]].Targeted
		}
		n.children = append(n.children, g.node(1+some, own[i], depth+1))
	}
	g.targeted = above
	if kind == refWeightedChoice {
		for range n.children {
			n.weights = append(n.weights, pick(g.dice, 1, 0, 0.5, 3))
		}
		n.weights[g.below(count)] = 1
	}
	return n
}

// evaluator returns an evaluator of so many actions or, one in four times, one that stands in the tree already, of most
// actions at most.
func (g *treeGenerator) evaluator(actions, most int) *refEvaluator {
	if oneIn(g.dice, 4) {
		for _, b := range g.evaluators {
			if len(b.evaluator.Actions) <= most && (!b.rescores || b.words(false) <= g.room) {
				return b
			}
		}
	}
	b := g.describeEvaluator(actions)
	g.evaluators = append(g.evaluators, b)
	return b
}

// condition draws a condition: mostly one that is not put together.
func (g *treeGenerator) condition() string { return g.conditionOf(2) }

func (g *treeGenerator) conditionOf(depth int) string {
	if depth == 0 || !oneIn(g.dice, 3) {
		return pick(g.dice, "", "!") + "C" + strconv.Itoa(g.below(12))
	}
	switch g.below(8) {
	case 0:
		return "(chance " + strconv.Itoa(g.below(len(condFacts{}.Odds))) + ")"
	case 1:
		return "(not " + g.conditionOf(depth-1) + ")"
	}
	text := pick(g.dice, "(all", "(any")
	for range 1 + g.below(4) {
		text += " " + g.conditionOf(depth-1)
	}
	return text + ")"
}

func (g *treeGenerator) leaf(channels []components.Channel) *refNode {
	kind := pick(g.dice, refAction, refAction, refCondition, refWait, refDo, refAction, refWait, refFire)
	if oneIn(g.dice, 8) {
		kind = pick(g.dice, refSucceed, refFail, refRun)
	}
	if g.flavour == "time" && g.below(3) > 0 {
		kind = refWait
	}
	if g.flavour == "actions" && g.below(3) > 0 {
		kind = pick(g.dice, refDo, refFire)
	}
	if g.targeted && g.below(2) > 0 {
		kind = pick(g.dice, refDo, refDo, refFire)
	}
	switch {
	case kind == refFire:
		g.fires++
		return &refNode{kind: kind, label: "X" + strconv.Itoa(g.fires), chosen: g.targeted && g.below(4) > 0}
	case kind == refCondition && (g.flavour != "utility" || g.below(4) == 0):
		return &refNode{kind: kind, cond: g.condition()}
	case kind == refWait:
		g.waits++
		n := &refNode{kind: kind, label: "w" + strconv.Itoa(g.waits), seconds: g.seconds()}
		n.most = n.seconds
		switch g.below(6) {
		case 4:
			n.most = max(n.seconds, g.seconds())
		case 5:
			n.seconds, n.most, n.of = 0, 0, strconv.Itoa(g.below(len(condFacts{}.Pause)))
		}
		return n
	case kind == refDo && len(channels) > 0:
		g.dos++
		n := &refNode{kind: kind, label: "D" + strconv.Itoa(g.dos), channel: pick(g.dice, channels...)}
		n.chosen = g.targeted && g.below(4) > 0
		if oneIn(g.dice, 3) {
			n.until = g.condition()
		}
		if oneIn(g.dice, 3) {
			n.limited, n.seconds = true, g.seconds()
		}
		return n
	case kind == refSucceed || kind == refFail:
		return &refNode{kind: kind}
	case kind == refRun:
		g.waits++
		return &refNode{kind: kind, label: "r" + strconv.Itoa(g.waits)}
	}
	g.actions++
	return &refNode{kind: refAction, label: "A" + strconv.Itoa(g.actions)}
}

// aimedSubtree is a subtree that binds the target of the UtilitySelector it is used below, and posts a trigger.
const aimedSubtree = "Q"

// generateTree makes a tree of up to 200 nodes, of the large flavour up to 800, and the subtrees it uses.
func generateTree(d dice, flavour string) (*refNode, map[string]*refNode) {
	g := &treeGenerator{dice: d, flavour: flavour, room: 28}
	if oneIn(d, 4) || flavour == "subtrees" {
		g.subtrees = map[string]*refNode{}
		for i := range 1 + d.below(2) { // the second may use the first
			g.subtrees["P"+strconv.Itoa(i)] = g.node(1+d.below(12), nil, 0)
		}
		if flavour == "utility" {
			g.fires++
			g.subtrees[aimedSubtree] = &refNode{kind: refSequence, children: []*refNode{
				{kind: refFire, label: "X" + strconv.Itoa(g.fires), chosen: true}, g.leaf(nil),
			}}
		}
	}
	size := 1 + d.below(pick(d, 6, 30, 100, 200))
	switch flavour {
	case "utility":
		size = 3 + d.below(pick(d, 12, 30, 60, 100))
	case "deep":
		size = 200
	case "large": // a cursor is more than a byte
		size = 200 + d.below(600)
	}
	return g.node(size, []components.Channel{components.Move, components.Act}, 0), g.subtrees
}

// describeEvaluator draws an evaluator of so many actions.
func (g *treeGenerator) describeEvaluator(actions int) *refEvaluator {
	g.thoughts++
	b := &refEvaluator{name: "B" + strconv.Itoa(g.thoughts), list: g.below(len(lists))}
	for range ownInputs - inputTests {
		b.tests = append(b.tests, g.condition())
	}
	e := &b.evaluator
	e.Combination = pick(g.dice, "compensated", "compensated_each", "product", "weighted_sum", "geometric_mean", "min",
		"max")
	e.Mode = pick(g.dice, "argmax", "argmax", "argmax", "argmax", "argmax", "softmax", "weighted_random", "top_n")
	e.Temperature, e.N = pick[float32](g.dice, 0.25, 1, 0), 1+g.below(3)
	e.Inertia = pick[float32](g.dice, 0.125, 0, 0.25, 0.5)
	e.Minimum = pick[float32](g.dice, 0, 0, 0, 0, 0, 0.25)
	if oneIn(g.dice, 2) {
		b.commitment = pick(g.dice, 1, g.seconds(), 0.25, 3)
	}
	e.Commitment = b.commitment
	for i := range actions {
		a := scoringref.Action{
			Weight: pick[float32](g.dice, 1, 1, 1, 0.5, 1.5, 1, 1, 0), Rank: pick(g.dice, 0, 0, 0, 0, 0, 0, 1, -1),
			Targeted: g.below(5) >= 2,
		}
		considerations := g.below(4)
		if a.Targeted { // or all targets are equal
			considerations = 1 + g.below(3)
		}
		for k := range considerations {
			a.Considerations = append(a.Considerations, g.consideration(a.Targeted && k < 2, i))
		}
		e.Actions = append(e.Actions, a)
	}
	if oneIn(g.dice, 2) { // there is always something to do
		e.Actions[g.below(actions)] = scoringref.Action{Weight: pick[float32](g.dice, 0.25, 0.5)}
	}
	b.amount = pick[float32](g.dice, 0.25, 0.125, 0, 0.5)
	b.rescores = oneIn(g.dice, 2)
	if b.rescores && b.words(false) > g.room {
		b.list = 0
		b.rescores = b.words(false) <= g.room
	}
	return b
}

// consideration draws a consideration.
func (g *treeGenerator) consideration(ofTarget bool, action int) scoringref.Consideration {
	c := scoringref.Consideration{OfTarget: ofTarget, Weight: pick[float32](g.dice, 1, 0.5, 2, 0),
		Gate: oneIn(g.dice, 8)}
	if ofTarget {
		c.Input = pick(g.dice, 0, 1, 0, 1, 2, 3)
	} else {
		c.Input = pick(g.dice, inputLevel+action%4, inputLevel+g.below(4), inputTally, inputTally+1, inputFlag,
			inputFlag+1,
			inputWhen, inputWhom, inputCustom, inputTests+g.below(ownInputs-inputTests))
	}
	if !ofTarget && c.Input >= inputTests { // it is 0 or 1, and has no curve
		c.Gate = oneIn(g.dice, 2)
		c.Curve = scoringref.Curve{Type: "linear", Slope: 1}
		return c
	}
	switch {
	case ofTarget && c.Input == 2, !ofTarget && (c.Input == inputTally || c.Input == inputTally+1):
		c.Ranged, c.A, c.B = true, pick[float32](g.dice, 0, 4, 2), pick[float32](g.dice, 4, 0, 2)
	case !ofTarget && c.Input == inputWhen:
		c.Ranged, c.A, c.B = true, 0, pick[float32](g.dice, 2, 0.5)
	default:
		c.Ranged, c.A, c.B = oneIn(g.dice, 3), pick[float32](g.dice, 0, 1, -0.25), pick[float32](g.dice, 1, 0.75, 0)
	}
	k := &c.Curve
	k.Type = pick(g.dice, "linear", "linear", "linear", "linear", "step", "polynomial", "inverse_quadratic",
		"exponential", "logistic", "bell", "smoothstep", "piecewise")
	k.Slope = pick[float32](g.dice, 1, 1, 1, -0.5, 0.5)
	k.YShift = pick[float32](g.dice, 0, 0.125, 0.25)
	if k.Slope < 0 {
		k.YShift = 1
	}
	k.XShift = pick[float32](g.dice, 0, 0, 0.125)
	k.Exponent, k.Steepness, k.Mid = pick[float32](g.dice, 2, 0.5, 3), pick[float32](g.dice, 8, 2, -3), 0.5
	k.Mean, k.Deviation, k.Threshold = 0.5, 0.25, 0.5
	k.Points = [][2]float32{{0, 0.25}, {0.5, 1}, {0.5, 0.125}, {1, 0.75}}
	k.Inverted = oneIn(g.dice, 6)
	return c
}
