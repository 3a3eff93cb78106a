package aitree_test

// The cases of bt_cases.json that are not run, by the reason.

// Why a case is listed: there is no rewriting in our nodes.
const (
	lackIf = "a node we lack: IfThenElse whose condition may run; one that cannot is a UtilitySelector of two gates " +
		"that holds its choice"
	lackArity    = "a node we lack: IfThenElse or WhileDoElse, whose number of children is wrong here"
	lackRunLimit = "a node we lack: RunLimit and OneShot on success, which count over the life of the tree"
	lackSelected = "a node we lack: a Parallel that is given the children that must succeed, here one that it has not"
	lackLoop     = "a node we lack: While and WhileAll, which run several rounds of their body in one tick"
	lackAfter    = "a node we lack: After, which checks the order in which its children complete"
)

// Why a case is listed: it can be written in our nodes, and the engine's rule is not ours.
const (
	rulePersist    = "an engine's rule that is not ours: a sequence that failed resumes at the child that failed"
	ruleLoopInTick = "an engine's rule that is not ours: a loop goes through several rounds in one tick"
	ruleEmpty      = "an engine's rule that is not ours: a composite or decorator without children has a result; " +
		"ours is a build error"
	ruleLazyAbort = "an engine's rule that is not ours: children of a resolved Parallel go on running until its " +
		"next entry"
	ruleEarlyExit = "an engine's rule that is not ours: a Parallel does not tick the children after the one " +
		"that decides"
	ruleEnteringTick = "an engine's rule that is not ours: the dt of the tick that enters a wait counts"
	ruleRecreate     = "an engine's rule that is not ours: a reactive composite makes its children anew on every " +
		"tick, so a wait in it never ends"
	ruleStaysDone = "an engine's rule that is not ours: a tree that completed does nothing more until it is reset"
	ruleSkipped   = "an engine's rule that is not ours: skipped as a fourth result"
	ruleError     = "an engine's rule that is not ours: an error of a leaf as a fourth result"
)

// btListed are the cases that are not ours.
var btListed = map[string][]string{
	lackIf:       {"btcpp-if-cond-running"},
	lackArity:    {"btcpp-if-four-children", "btcpp-wde-one-child", "btcpp-wde-four-children"},
	lackRunLimit: {"pytrees-oneshot-on-success", "limbo-run-limit-multi-tick", "limbo-empty-run_limit"},
	lackSelected: {"pytrees-par-selected-invalid"},
	lackLoop:     {"bonsai-loop-ten", "bonsai-while-forever", "bonsai-while-all"},
	lackAfter:    {"bonsai-after-out-of-order"},

	rulePersist:    {"btcpp-seqmem-issue636"},
	ruleLoopInTick: {"btcpp-retry-in-tick"},
	ruleEmpty: {
		"limbo-seq-empty", "limbo-empty-repeat", "limbo-empty-invert", "limbo-empty-time_limit", "limbo-empty-delay",
		"limbo-empty-repeat_until_failure", "bonsai-race-empty", "bonsai-memless-sel-empty",
	},
	ruleLazyAbort: {"limbo-par-1c"},
	ruleEarlyExit: {"gdx-par-resume-sel"},
	ruleEnteringTick: {
		"bonsai-wait-exact", "bonsai-wait-half", "bonsai-wait-two", "bonsai-when-all-wait", "bonsai-all-select",
	},
	ruleRecreate: {"bonsai-memless-seq-wait"},
	ruleStaysDone: {
		"entitiesbt-seq", "entitiesbt-par", "entitiesbt-seq-running", "entitiesbt-par-running",
	},
	ruleSkipped: {"btcpp-skipif-not-when-running-B"},
	ruleError:   {"gobt-memorize-error-resets"},
}

// btDerivedDiffers are the cases that run and pass in all that the cited test asserts, where something
// that was deduced from the engine's source besides differs.
var btDerivedDiffers = map[string]string{
	"btcpp-par-early-exit": ruleEarlyExit,
	"btcpp-loop-5": "an engine's rule that is not ours: a loop finds out on a tick of its own that no item " +
		"is left",
}
