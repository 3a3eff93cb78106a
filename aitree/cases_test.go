package aitree_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
)

// The conformance cases of the behaviour-tree semantics; the notation is explained in the files.

type treeCase struct {
	ID, Purpose, Tree string
	Subtrees          map[string]string
	Leaves            []leafScript
	Steps             []caseStep
}

type leafScript struct{ Leaf, Returns, Index string }

type caseStep struct {
	Dt     float64
	Op     string
	Report map[string]string
	Expect caseExpect
}

type caseExpect struct {
	Status  string
	Exits   [][2]string
	Enters  []string
	Instant [][2]string
	Running []string
	Ticks   map[string]int
}

// loadCases reads a file of testdata, refusing keys that this runner does not know.
func loadCases(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into), name)
}

func treeCases(t testing.TB) []treeCase {
	t.Helper()
	var all []treeCase
	for _, name := range []string{"trees_handmade.json", "trees_generated.json"} {
		var file struct{ Cases []treeCase }
		loadCases(t, name, &file)
		all = append(all, file.Cases...)
	}
	require.Len(t, all, 155+301)
	return all
}

// expanded reads the case's tree with its subtrees.
func (c *treeCase) expanded(t testing.TB) *refTree {
	t.Helper()
	root, subtrees := c.read(t)
	tree, err := expand(root, subtrees)
	require.NoError(t, err)
	return tree
}

func (c *treeCase) read(t testing.TB) (*refNode, map[string]*refNode) {
	t.Helper()
	root, err := readTree(c.Tree)
	require.NoError(t, err)
	subtrees := map[string]*refNode{}
	for name, text := range c.Subtrees {
		subtrees[name], err = readTree(text)
		require.NoError(t, err)
	}
	return root, subtrees
}

// nanos is a time of the cases, exactly.
func nanos(seconds float64) components.Timestamp {
	return components.Timestamp(math.Round(seconds * 1e9))
}

// duration is a duration of the cases, to the nanosecond.
func duration(seconds float64) time.Duration { return time.Duration(nanos(seconds)) }

// A caseScript plays the leaves of a case for one agent. Invocations and tree ticks are not set back by
// a reset.
type caseScript struct {
	leaves      map[string]leafScript
	invocations map[string]int
	treeTick    int
}

func newCaseScript(leaves []leafScript) *caseScript {
	s := &caseScript{leaves: map[string]leafScript{}, invocations: map[string]int{}}
	for _, leaf := range leaves {
		s.leaves[leaf.Leaf] = leaf
	}
	return s
}

func (s *caseScript) invoke(leaf *refNode, _ bool) result {
	i := s.invocations[leaf.label]
	s.invocations[leaf.label]++
	return s.at(leaf.label, i)
}

func (s *caseScript) next() { s.treeTick++ }

func (s *caseScript) holds(name string) bool { return s.at(name, s.treeTick) == succeeded }

func (s *caseScript) at(name string, invocation int) result {
	leaf, known := s.leaves[name]
	if !known {
		panic("no script for leaf " + name)
	}
	if leaf.Index == "tree_tick" {
		invocation = s.treeTick
	}
	return result(leaf.Returns[min(invocation, len(leaf.Returns)-1)])
}

// seen is what happened in a step in the form of a case's expectation, so that the two compare.
type seen struct {
	Status  string
	Exits   []string
	Enters  []string
	Running []string
	Ticks   map[string]int
}

func (e *caseExpect) seen() seen {
	s := seen{Status: e.Status, Enters: e.Enters, Running: e.Running, Ticks: e.Ticks}
	for _, exit := range e.Exits {
		s.Exits = append(s.Exits, exit[0]+" "+exit[1])
	}
	if s.Ticks == nil {
		s.Ticks = map[string]int{}
	}
	return s
}

// seen puts a step of the reference into the form of an expectation; total counts the ticks of leaves.
func (r *refStep) seen(total map[string]int) seen {
	s := seen{Ticks: map[string]int{}}
	if r.status != 0 {
		s.Status = r.status.String()
	}
	for _, exit := range r.exits {
		s.Exits = append(s.Exits, exit.String())
	}
	s.Enters = names(r.enters)
	s.Running = names(r.running)
	for _, leaf := range r.ticked {
		total[leaf.label]++
		s.Ticks[leaf.label] = total[leaf.label]
	}
	return s
}

func (e refExit) String() string { return fmt.Sprintf("%s %v", e.leaf.label, e.how) }

func names(leaves []*refNode) []string {
	var list []string
	for _, leaf := range leaves {
		list = append(list, leaf.label)
	}
	return list
}

// reportsOf finds the leaves that a step's reports are for.
func reportsOf(t testing.TB, tree *refTree, report map[string]string) map[*refNode]result {
	t.Helper()
	reports := map[*refNode]result{}
	for name, r := range report {
		for _, leaf := range tree.leaves {
			if leaf.kind == refDo && leaf.label == name {
				reports[leaf] = result(r[0])
			}
		}
	}
	require.Len(t, reports, len(report), "reports of %v", report)
	return reports
}

func TestReferencePassesTheTreeCases(t *testing.T) {
	for _, c := range treeCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			tree := c.expanded(t)
			script := newCaseScript(c.Leaves)
			agent := newRefAgent(tree, components.Entity{Index: 1}, script, noDraws)
			total := map[string]int{}
			var clock components.Timestamp
			for i, step := range c.Steps {
				var did refStep
				switch step.Op {
				case "":
					clock += nanos(step.Dt)
					did = agent.tick(clock, reportsOf(t, tree, step.Report))
					script.next()
				case "reset", "remove":
					did = agent.resetAgent()
				default:
					require.Fail(t, "unknown op", step.Op)
				}
				var instant, wanted []string
				for _, exit := range did.instant {
					instant = append(instant, exit.String())
				}
				for _, exit := range step.Expect.Instant {
					wanted = append(wanted, exit[0]+" "+exit[1])
				}
				where := fmt.Sprintf("%s, step %d (%s)", c.Tree, i, c.Purpose)
				require.Equal(t, step.Expect.seen(), did.seen(total), where)
				require.Equal(t, wanted, instant, where)
			}
		})
	}
}

// noDraws is for trees that draw nothing.
func noDraws(_ components.Entity, _ components.Timestamp, n *refNode, _ int) uint64 {
	panic("a draw of " + n.String())
}

func TestNotationIsReadAndWritten(t *testing.T) {
	for _, c := range treeCases(t) {
		root, _ := c.read(t)
		again, err := readTree(root.String())
		require.NoError(t, err)
		require.Equal(t, root, again)
	}
	for _, text := range []string{
		"(rndsel A (rndseq B C) (choice (0.5 D) (2 (wait#w 1 2.5))))",
		"(guard !C (seq (cond !D) A))",
		"(rr A (recovery 2 B (every 1.5 (succeed))) (fail) (run#r) (wait#w :of 3) (do#D m :until C :for 2))",
		"(guard (all A (any !B (not (chance 2)))) (do#D m :until (not (all A B))))",
	} {
		root, err := readTree(text)
		require.NoError(t, err)
		require.Equal(t, text, root.String())
	}
	for text, wrong := range map[string]string{
		"(seq A":             "a ) is missing",
		"(seq A))":           `")" follows the tree`,
		"(sequence A)":       "unknown head sequence",
		"(par :s 0 :f 1 A)":  "option :s is one, all or a number",
		"(do#D x)":           `channel "x"`,
		"(seq :memory no A)": "unknown option :memory",
		"(wait#w soon)":      `"soon" is not a number`,
		"(choice A)":         "A is not (weight child)",
	} {
		_, err := readTree(text)
		require.Error(t, err, text)
		require.Contains(t, err.Error(), wrong)
	}
}
