package aitree_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// The cases of bt_cases.json are facts from the public test suites of nine engines; its header explains
// the notation. Each is either run, or listed below under the reason why it is not ours.
//
// A foreign tree is rewritten in our nodes first ([rewrite]). An option of the foreign node that ours
// lacks is dropped, a foreign node that is a composition of ours is written out, and the run decides:
// what an engine's test asserts must come out of our tree too. Only a tree for which there is no such
// rewriting counts as one that needs a node we lack.

// Cases.

type btCase struct {
	ID, Profile, Tree string
	Leaves            []btLeaf
	Steps             []btStep
	BuildError        bool `json:"expect_build_error"`
}

type btLeaf struct {
	Leaf     string
	Returns  []string
	Index    string
	AfterEnd string `json:"after_end"`
}

type btStep struct {
	Op              string
	Dt              float64
	Max             int
	Set             map[string]any
	Expect, Derived btExpect
}

type btExpect struct {
	Status    string
	StatusNot string `json:"status_not"`
	Nodes     map[string]string
	Counts    map[string]map[string]int
	Halted    []string
	NotTicked []string `json:"not_ticked"`
	Ticks     int
	Total     int `json:"total_ticks"`
}

func btCases(t testing.TB) []btCase {
	t.Helper()
	var file struct{ Cases []btCase }
	loadCases(t, "bt_cases.json", &file)
	require.Len(t, file.Cases, 184)
	return file.Cases
}

// Rewriting.

// read reads the tree of a case in our nodes. The error is a [lack], or the runner's own.
func (c *btCase) read() (*refNode, error) {
	x, err := readSexpr(c.Tree)
	if err != nil {
		return nil, err
	}
	if x, err = (&rewriter{c.Profile, c.Leaves}).rewrite(x, ""); err != nil {
		return nil, err
	}
	return nodeOf(x)
}

// Running.

// A btScript plays the leaves of a case and its blackboard.
type btScript struct {
	leaves      map[string]btLeaf
	invocations map[string]int
	treeTick    int
	variables   map[string]any
}

func newBtScript(c *btCase) *btScript {
	s := &btScript{leaves: map[string]btLeaf{}, invocations: map[string]int{}, variables: map[string]any{}}
	for _, leaf := range c.Leaves {
		s.leaves[leaf.Leaf] = leaf
	}
	return s
}

func (s *btScript) invoke(leaf *refNode, _ bool) result {
	i := s.invocations[leaf.label]
	s.invocations[leaf.label]++
	return s.at(leaf.label, i)
}

func (s *btScript) next() { s.treeTick++ }

func (s *btScript) at(name string, i int) result {
	leaf, known := s.leaves[name]
	if !known {
		panic("no script for leaf " + name)
	}
	if leaf.Index == "tree_tick" {
		i = s.treeTick
	}
	if leaf.AfterEnd == "cycle" {
		i %= len(leaf.Returns)
	}
	r := leaf.Returns[min(i, len(leaf.Returns)-1)]
	if r == "E" {
		return failed // there is no error among our results
	}
	return result(r[0])
}

// holds answers for a condition: a comparison of a variable (V=1, or with several values V=1|42), a bool
// variable, or a scripted leaf. The last is asked once per tick, so its invocations are tree ticks; the
// cases have it where the two agree.
func (s *btScript) holds(name string) bool {
	if variable, values, compares := strings.Cut(name, "="); compares {
		value, set := s.variables[variable].(string)
		return set && slices.Contains(strings.Split(values, "|"), value)
	}
	if value, set := s.variables[name].(bool); set {
		return value
	}
	return s.at(name, s.treeTick) == succeeded
}

// A btEngine runs the tree of a case, for one agent.
type btEngine interface {
	// step ticks the tree at a clock, or resets the agent.
	step(clock components.Timestamp, reset bool) refStep
	// node returns what the named nodes returned last, none if that is not known.
	last(label string) (r result, runs bool, known bool)
}

// btRun runs a case and returns what differs from what its tests assert, and from what was deduced.
func btRun(c *btCase, script *btScript, engine btEngine) (asserted, derived []string) {
	var clock components.Timestamp
	counts := map[string]map[string]int{}
	total := 0
	count := func(leaf *refNode, what string) {
		if counts[leaf.label] == nil {
			counts[leaf.label] = map[string]int{}
		}
		counts[leaf.label][what]++
	}
	for i := range c.Steps {
		step := &c.Steps[i]
		maps.Copy(script.variables, step.Set)
		var status result
		halted, ticked := []string{}, []string{}
		ticks := 0
		for again := true; again; {
			clock += nanos(step.Dt)
			outside := step.Op == "halt" || step.Op == "reset"
			did := engine.step(clock, outside)
			if !outside {
				ticks++
			}
			status = did.status
			for _, leaf := range did.ticked {
				count(leaf, "tick")
				ticked = append(ticked, leaf.label)
				total++
			}
			for _, leaf := range did.enters {
				count(leaf, "enter")
			}
			for _, exit := range did.instant {
				count(exit.leaf, "enter")
			}
			for _, exit := range slices.Concat(did.exits, did.instant) {
				count(exit.leaf, "exit")
				if exit.how == aborted {
					halted = append(halted, exit.leaf.label)
				}
			}
			again = step.Op == "run_until_done" && status == running && ticks < step.Max
		}

		for _, part := range []struct {
			expect  *btExpect
			differs *[]string
			name    string
		}{{&step.Expect, &asserted, "asserted"}, {&step.Derived, &derived, "derived"}} {
			e := part.expect
			mismatch := func(format string, args ...any) {
				*part.differs = append(*part.differs, fmt.Sprintf("step %d, %s: %s", i, part.name,
					fmt.Sprintf(format, args...)))
			}
			if e.Status != "" && e.Status != status.String() {
				mismatch("status %s, is %v", e.Status, status)
			}
			if e.StatusNot != "" && e.StatusNot == status.String() {
				mismatch("status not %v", status)
			}
			for _, label := range slices.Sorted(maps.Keys(e.Nodes)) {
				// What an engine shows of a node that does not run is its own affair; where it shows a
				// result, that must be the last one.
				want := e.Nodes[label]
				r, runs, known := engine.last(label)
				switch {
				case !known:
				case (want == "R") != runs, want != "R" && want != "I" && want != r.String():
					mismatch("node %s %s, is %v", label, want, r)
				}
			}
			for _, leaf := range slices.Sorted(maps.Keys(e.Counts)) {
				for what, n := range e.Counts[leaf] {
					if counts[leaf][what] != n {
						mismatch("count of %s of %s %d, is %d", what, leaf, n, counts[leaf][what])
					}
				}
			}
			if e.Halted != nil && !assert.ElementsMatch(new(silentT), e.Halted, halted) {
				mismatch("halted %v, are %v", e.Halted, halted)
			}
			for _, leaf := range e.NotTicked {
				if slices.Contains(ticked, leaf) {
					mismatch("%s is not ticked, it was", leaf)
				}
			}
			if e.Ticks != 0 && e.Ticks != ticks {
				mismatch("%d ticks, are %d", e.Ticks, ticks)
			}
			if e.Total != 0 && e.Total != total {
				mismatch("%d ticks of leaves, are %d", e.Total, total)
			}
		}
	}
	return asserted, derived
}

// silentT takes the complaints of an assertion that is used as a test of equality.
type silentT struct{}

func (*silentT) Errorf(string, ...any) {}

// A btReference runs a case on the reference interpreter.
type btReference struct{ agent *refAgent }

func (r btReference) step(clock components.Timestamp, reset bool) refStep {
	if reset {
		return r.agent.resetAgent()
	}
	defer r.agent.script.next()
	return r.agent.tick(clock, nil)
}

func (r btReference) last(label string) (result, bool, bool) {
	for _, n := range r.agent.tree.nodes {
		if n.label == label {
			s := &r.agent.state[n.index]
			return s.last, s.running, true
		}
	}
	return 0, false, false
}

// btOutcome is what became of a case: nothing, or why it is not ours.
func btOutcome(t *testing.T, c *btCase, run func(t *testing.T, root *refNode, script *btScript) (btEngine,
	error)) (derived []string, why error) {
	root, err := c.read()
	if err != nil {
		return nil, err
	}
	script := newBtScript(c)
	engine, err := run(t, root, script)
	if err != nil {
		return nil, refused(err.Error())
	}
	if c.BuildError {
		return nil, differs("it is built")
	}
	asserted, derived := btRun(c, script, engine)
	if len(asserted) > 0 {
		return derived, differs(strings.Join(asserted, "; "))
	}
	return derived, nil
}

// testBtCases runs every case and holds the lists to what happens.
func testBtCases(t *testing.T, run func(t *testing.T, root *refNode, script *btScript) (btEngine, error)) {
	reasons := map[string]string{}
	for reason, ids := range btListed {
		for _, id := range ids {
			require.NotContains(t, reasons, id, "listed twice")
			reasons[id] = reason
		}
	}
	listed := len(reasons)
	passed := 0
	known := map[string]bool{}
	for _, c := range btCases(t) {
		known[c.ID] = true
		t.Run(c.ID, func(t *testing.T) {
			derived, why := btOutcome(t, &c, run)
			reason, isListed := reasons[c.ID]
			var l lack
			var r refused
			switch {
			case !isListed:
				require.NoError(t, why, c.Tree)
				passed++
			case errors.As(why, &l):
				require.Equal(t, reason, string(l))
			case errors.As(why, &r):
				require.Equal(t, ruleEmpty, reason, r)
			default:
				require.Error(t, why, "it is listed and passes; run it: %s", c.Tree)
				require.ErrorAs(t, why, new(differs))
				require.Contains(t, reason, "an engine's rule", "it can be written in our nodes: %s", why)
			}
			if isListed {
				return
			}
			if _, differs := btDerivedDiffers[c.ID]; differs {
				require.NotEmpty(t, derived, "what was deduced is listed as different and is not")
			} else {
				require.Empty(t, derived)
			}
		})
	}
	for id := range reasons {
		require.True(t, known[id], "%s is listed and is no case", id)
	}
	for id := range btDerivedDiffers {
		require.True(t, known[id] && reasons[id] == "", "%s is no case that runs", id)
	}
	t.Logf("%d cases run and pass, %d are listed", passed, listed)
}

func TestReferencePassesTheBtCases(t *testing.T) {
	testBtCases(t, func(t *testing.T, root *refNode, script *btScript) (btEngine, error) {
		if err := check(root); err != nil {
			return nil, err
		}
		tree, err := expand(root, nil)
		require.NoError(t, err)
		return btReference{newRefAgent(tree, components.Entity{Index: 1}, script, anyDraws)}, nil
	})
}

// anyDraws are draws for a tree that is in no program.
func anyDraws(_ components.Entity, _ components.Timestamp, n *refNode, k int) uint64 {
	return random.Mix(uint64(n.index), uint64(k))
}

// TestExecutorPassesTheBtCases runs the cases through the block executor, among others, and holds each
// step to the reference too.
func TestExecutorPassesTheBtCases(t *testing.T) {
	testBtCases(t, func(t *testing.T, root *refNode, script *btScript) (btEngine, error) {
		h, err := newCrowd(root, nil, crowdOptions{seed: 1, keeps: true})
		if err != nil {
			return nil, err
		}
		const start = 5e9
		e := &btExecutor{t: t, h: h, start: start, results: map[string]result{}}
		e.member = h.join(components.Entity{Index: 1}, script, start, nil)
		for i := range uint32(20) {
			e.others = append(e.others, h.join(components.Entity{Index: 2 + i}, newRandomScript(uint64(i)), start-1e9,
				nil))
		}
		return e, nil
	})
}

// A btExecutor runs a case on the block executor.
type btExecutor struct {
	t *testing.T
	h *crowd
	*member
	start   components.Timestamp
	others  []*member
	results map[string]result // of leaves
}

func (e *btExecutor) step(clock components.Timestamp, reset bool) refStep {
	members := []*member{e.member}
	for _, m := range e.others {
		if e.h.rng.IntN(2) == 0 {
			members = append(members, m)
		}
	}
	if reset {
		require.NoError(e.t, e.h.reset(e.start+clock, members))
	} else {
		require.NoError(e.t, e.h.tick(e.start+clock, members, nil))
	}
	for _, invocation := range e.agent.log {
		e.results[invocation.leaf.label] = invocation.result
	}
	for _, exit := range slices.Concat(e.observed.exits, e.observed.instant) {
		e.results[exit.leaf.label] = exit.how
	}
	return e.observed
}

// last knows of the leaves, and of another node no more than that it runs when a leaf below it does.
func (e *btExecutor) last(label string) (result, bool, bool) {
	for _, n := range e.h.tree.nodes {
		if n.label != label {
			continue
		}
		runs := slices.ContainsFunc(e.observed.running, func(leaf *refNode) bool {
			return leaf.index >= n.index && leaf.index < e.h.tree.end[n.index]
		})
		return e.results[label], runs, runs || n.kind == refAction
	}
	return 0, false, false
}
