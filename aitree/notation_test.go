package aitree_test

import (
	"fmt"
	"strconv"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scoringref"
)

// The notation of the conformance cases: (head#label args :option value child...), where a bare symbol
// is an action leaf. It is read in two steps, text to [sexpr] and sexpr to [refNode], so that a foreign
// notation can be rewritten in between. Heads are added for nodes that the cases leave out:
//
//	(rndsel child...)  (rndseq child...)    RandomSelector, RandomSequence
//	(choice (weight child)...)              WeightedChoice
//	(rr child...)  (recovery n child child) RoundRobin, Recovery
//	(every seconds child)                   Every
//	(succeed)  (fail)  (run#r)              Succeed, Fail, Run
//	(wait#w :of number)                     a WaitFact, of the same fact for the same number
//	(decide condition child child)          UtilitySelector of a child for a condition and one for its negation
//	(wait#w min max)                        Wait(min, max)
//	(utility evaluator (action child)...)       UtilitySelector, with :hold true, :remember true, :next true and
//	                                            :back SECONDS
//
// A cooldown with :completed true starts on any completion. A do with :for seconds ends after them. A do or fire that
// binds ChosenTarget has :chosen true. The evaluator of a utility has a notation of its own, which is only written; so
// a tree that is read has none.
//
// !C is the negation of condition C. A condition may be put together:
//
//	(all condition...)  (any condition...)      AllOf, AnyOf
//	(not condition)                             Not
//	(chance number)                             a Chance, the same one for the same number

// refKind is the kind of a [refNode].
type refKind uint8

const (
	refAction refKind = iota
	refCondition
	refDo
	refFire
	refSucceed
	refFail
	refRun
	refWait
	refSequence
	refSelector
	refReactiveSequence
	refReactiveSelector
	refParallel
	refRandomSelector
	refRandomSequence
	refWeightedChoice
	refRoundRobin
	refRecovery
	refUtility
	refInverter
	refForceSuccess
	refForceFailure
	refRepeat
	refRetry
	refUntilSuccess
	refUntilFailure
	refCooldown
	refEvery
	refTimeout
	refGuard
	refUse
)

var refHeads = map[string]refKind{
	"cond": refCondition, "do": refDo, "fire": refFire, "wait": refWait, "seq": refSequence, "sel": refSelector,
	"rseq": refReactiveSequence, "rsel": refReactiveSelector, "par": refParallel, "rndsel": refRandomSelector,
	"rndseq": refRandomSequence, "choice": refWeightedChoice, "utility": refUtility, "inv": refInverter,
	"force-s": refForceSuccess,
	"force-f": refForceFailure, "repeat": refRepeat, "retry": refRetry, "until-s": refUntilSuccess,
	"until-f": refUntilFailure, "cooldown": refCooldown, "timeout": refTimeout, "guard": refGuard, "use": refUse,
	"rr": refRoundRobin, "recovery": refRecovery, "every": refEvery, "succeed": refSucceed, "fail": refFail,
	"run": refRun,
}

// A refNode is a node of a tree as it is written down.
type refNode struct {
	kind     refKind
	label    string // name of a leaf or of a use; otherwise it may be empty
	children []*refNode

	seconds, most    float64            // wait (least and most), cooldown, every, timeout, do
	times            int                // repeat, retry, recovery
	success, failure int                // parallel: how many children; 0 is all
	latched          bool               // parallel
	resets           bool               // cooldown
	completed        bool               // cooldown: any completion starts it
	weights          []float64          // weightedChoice, of each child
	cond             string             // condition, guard: as it is written
	until            string             // do; empty for none
	channel          components.Channel // do
	limited          bool               // do: it ends after the seconds
	of               string             // wait: the number of the fact of its duration
	subtree          string             // use
	chosen           bool               // do, fire: the target is that of the utility above
	evaluator        *refEvaluator      // utility
	branches         []int              // utility: the action of each child
	hold, remember   bool               // utility
	nextBest         bool               // utility
	backOff          float64            // utility, seconds; 0 is none

	index   int      // place in the expanded tree, in pre-order; set by expand
	origin  *refNode // in an expanded tree: the node as it was written
	chooser *refNode // in an expanded tree: the nearest utility above
}

// isLeaf reports whether the node has no children.
func (n *refNode) isLeaf() bool { return n.kind <= refWait }

// canRun reports whether the node is a leaf that is entered and exits: rule 1.
func (n *refNode) canRun() bool {
	return n.kind == refAction || n.kind == refDo || n.kind == refWait ||
		n.kind == refRun
}

// readTree reads a tree in the notation of the cases.
func readTree(text string) (*refNode, error) {
	x, err := readSexpr(text)
	if err != nil {
		return nil, err
	}
	return nodeOf(x)
}

func nodeOf(x sexpr) (*refNode, error) {
	if !x.isList() {
		return &refNode{kind: refAction, label: x.atom}, nil
	}
	f, err := formOf(x)
	if err != nil {
		return nil, err
	}
	if f.head == "decide" {
		return decision(&f)
	}
	kind, known := refHeads[f.head]
	if !known || kind == refUtility {
		return nil, fmt.Errorf("%s: unknown head %s", x, f.head)
	}
	n := &refNode{kind: kind, label: f.label}
	r := formReader{form: &f}
	switch kind {
	case refCondition:
		n.cond = r.condition()
	case refDo:
		n.channel = map[string]components.Channel{"m": components.Move,
			"a": components.Act}[r.oneOf("channel", "m", "a")]
		n.until = r.option(":until")
		if text := r.option(":for"); text != "" {
			n.limited, n.seconds = true, r.parse(text)
		}
		n.chosen = r.flag(":chosen")
	case refFire:
		n.label = r.word("action")
		n.chosen = r.flag(":chosen")
	case refWait:
		if n.of = r.option(":of"); n.of != "" {
			break
		}
		n.seconds = r.number()
		n.most = n.seconds
		if len(f.rest) > 0 {
			n.most = r.number()
		}
	case refParallel:
		n.success = r.policy(":s")
		n.failure = r.policy(":f")
		n.latched = r.flag(":latched")
	case refRepeat, refRetry, refRecovery:
		n.times = int(r.number())
	case refCooldown:
		n.seconds = r.number()
		n.resets = r.flag(":resets")
		n.completed = r.flag(":completed")
	case refTimeout, refEvery:
		n.seconds = r.number()
	case refGuard:
		n.cond = r.condition()
	case refUse:
		n.subtree = r.word("subtree")
	}
	if r.err == nil && len(f.options) > 0 {
		for name := range f.options {
			r.err = fmt.Errorf("unknown option %s", name)
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("%s: %w", x, r.err)
	}
	for _, item := range f.rest {
		if kind == refWeightedChoice {
			if len(item.list) != 2 {
				return nil, fmt.Errorf("%s: %s is not (weight child)", x, item)
			}
			weight, err := strconv.ParseFloat(item.list[0].atom, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: weight %s", x, item.list[0])
			}
			n.weights = append(n.weights, weight)
			item = item.list[1]
		}
		child, err := nodeOf(item)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	if (n.isLeaf() || kind == refUse) && len(n.children) > 0 {
		return nil, fmt.Errorf("%s: a leaf has no children", x)
	}
	return n, nil
}

// decision makes a utility node that decides once, on entry, by a condition: (decide condition then else).
func decision(f *form) (*refNode, error) {
	n := &refNode{kind: refUtility, label: f.label, hold: true, evaluator: &refEvaluator{
		name: "decide", tests: []string{f.rest[0].String(), "(not " + f.rest[0].String() + ")"},
	}}
	e := &n.evaluator.evaluator
	e.Combination, e.Mode = "product", "argmax"
	for i, x := range f.rest[1:] {
		child, err := nodeOf(x)
		if err != nil {
			return nil, err
		}
		gate := scoringref.Consideration{
			Input: inputTests + i, Gate: true, Weight: 1, Curve: scoringref.Curve{Type: "linear", Slope: 1},
		}
		e.Actions = append(e.Actions, scoringref.Action{Weight: 1, Considerations: []scoringref.Consideration{gate}})
		n.children = append(n.children, child)
		n.branches = append(n.branches, i)
	}
	return n, nil
}

// A formReader takes the arguments and options of a form, and keeps the first error.
type formReader struct {
	form *form
	err  error
}

func (r *formReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *formReader) word(what string) string {
	if len(r.form.rest) == 0 || r.form.rest[0].isList() {
		r.fail("no %s", what)
		return ""
	}
	w := r.form.rest[0].atom
	r.form.rest = r.form.rest[1:]
	return w
}

// condition takes a condition as text.
func (r *formReader) condition() string {
	if len(r.form.rest) == 0 {
		r.fail("no condition")
		return ""
	}
	c := r.form.rest[0].String()
	r.form.rest = r.form.rest[1:]
	return c
}

func (r *formReader) oneOf(what string, choices ...string) string {
	w := r.word(what)
	for _, c := range choices {
		if w == c {
			return w
		}
	}
	r.fail("%s %q, want one of %v", what, w, choices)
	return ""
}

func (r *formReader) number() float64 { return r.parse(r.word("number")) }

func (r *formReader) parse(w string) float64 {
	v, err := strconv.ParseFloat(w, 64)
	if err != nil {
		r.fail("%q is not a number", w)
	}
	return v
}

func (r *formReader) option(name string) string {
	x := r.form.options[name]
	delete(r.form.options, name)
	return x.String()
}

func (r *formReader) flag(name string) bool {
	switch r.option(name) {
	case "true":
		return true
	case "", "false":
		return false
	}
	r.fail("option %s is true or false", name)
	return false
}

// policy reads one, all (as 0) or a number of children.
func (r *formReader) policy(name string) int {
	switch w := r.option(name); w {
	case "all":
		return 0
	case "one":
		return 1
	default:
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			r.fail("option %s is one, all or a number of children, not %q", name, w)
		}
		return n
	}
}

// String writes the tree in the notation of the cases.
func (n *refNode) String() string { return n.sexpr().String() }

func (n *refNode) sexpr() sexpr {
	if n.kind == refAction {
		return sAtom(n.label)
	}
	head := ""
	for h, k := range refHeads {
		if k == n.kind {
			head = h
		}
	}
	if n.label != "" && n.kind != refFire {
		head += "#" + n.label
	}
	items := []sexpr{sAtom(head)}
	add := func(x ...sexpr) { items = append(items, x...) }
	addFlag := func(name string, on bool) {
		if on {
			add(sAtom(name), sAtom("true"))
		}
	}
	policy := func(threshold int) sexpr {
		if threshold == 0 {
			return sAtom("all")
		}
		return sNumber(float64(threshold))
	}
	switch n.kind {
	case refCondition, refGuard:
		add(sAtom(n.cond))
	case refDo:
		add(sAtom([]string{"m", "a"}[n.channel]))
		if n.until != "" {
			add(sAtom(":until"), sAtom(n.until))
		}
		if n.limited {
			add(sAtom(":for"), sNumber(n.seconds))
		}
		addFlag(":chosen", n.chosen)
	case refFire:
		add(sAtom(n.label))
		addFlag(":chosen", n.chosen)
	case refWait:
		if n.of != "" {
			add(sAtom(":of"), sAtom(n.of))
			break
		}
		add(sNumber(n.seconds))
		if n.most != n.seconds {
			add(sNumber(n.most))
		}
	case refParallel:
		add(sAtom(":s"), policy(n.success), sAtom(":f"), policy(n.failure))
		addFlag(":latched", n.latched)
	case refUtility:
		add(sAtom(n.evaluator.name))
		addFlag(":hold", n.hold)
		addFlag(":remember", n.remember)
		addFlag(":next", n.nextBest)
		if n.backOff > 0 {
			add(sAtom(":back"), sNumber(n.backOff))
		}
	case refRepeat, refRetry, refRecovery:
		add(sNumber(float64(n.times)))
	case refCooldown:
		add(sNumber(n.seconds))
		addFlag(":resets", n.resets)
		addFlag(":completed", n.completed)
	case refTimeout, refEvery:
		add(sNumber(n.seconds))
	case refUse:
		add(sAtom(n.subtree))
	}
	for i, child := range n.children {
		switch n.kind {
		case refWeightedChoice:
			add(sList(sNumber(n.weights[i]), child.sexpr()))
		case refUtility:
			add(sList(sAtom(n.evaluator.action(n.branches[i])), child.sexpr()))
		default:
			add(child.sexpr())
		}
	}
	return sList(items...)
}
