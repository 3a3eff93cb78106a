package aitree_test

import (
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
)

// A performer is an agent that plays a case from a moment of its own, among others.
type performer struct {
	*member
	tree  *refTree
	steps []caseStep
	at    int                  // the next step
	due   components.Timestamp // when it is, if it is a tick
	total map[string]int
}

// TestExecutorPassesTheTreeCases runs every case through the block executor. Several agents play the
// case, each begun at a moment of its own, in blocks that they share with others: agents of the same
// program with random scripts, other clocks and phases, which are held to the reference in every step.
// Others skip ticks, are reset, leave and are replaced. Of a case with subtrees the uses are real.
func TestExecutorPassesTheTreeCases(t *testing.T) {
	for _, c := range treeCases(t) {
		t.Run(c.ID, func(t *testing.T) { performCase(t, &c) })
	}
}

func performCase(t *testing.T, c *treeCase) {
	root, subtrees := c.read(t)
	hash := fnv.New64()
	hash.Write([]byte(c.ID))
	seed := hash.Sum64()
	h, err := newCrowd(root, subtrees, crowdOptions{seed: seed, hooked: seed%3 == 0, keeps: len(subtrees) == 0})
	require.NoError(t, err, c.Tree)

	// Phases are multiples of 1/64 s, as the cases' times are; some straddle the wraps of the clock's low
	// 32 and 31 bits in microseconds.
	const sixtyFourth = components.Timestamp(1e9 / 64)
	start := []components.Timestamp{1, 1e9, 2147e9, 4294e9, 86400e9 * 300}[seed>>8%5]
	moment := func(n int) components.Timestamp { return start + components.Timestamp(h.rng.IntN(n))*sixtyFourth }
	index := uint32(0)
	entity := func() components.Entity {
		index++
		return components.Entity{Index: index, Generation: uint32(h.rng.IntN(3))}
	}
	var performers []*performer
	for i := range 6 {
		since := moment(200)
		if i == 0 {
			since = 0 // an agent as old as the clock
		}
		p := &performer{
			member: h.join(entity(), newCaseScript(c.Leaves), since, nil),
			tree:   h.tree, steps: c.Steps, total: map[string]int{},
		}
		p.due = since + nanos(p.steps[0].Dt)
		performers = append(performers, p)
	}
	var others []*member
	for len(others) < 34 {
		others = append(others, h.join(entity(), newRandomScript(h.rng.Uint64()), moment(100), nil))
	}

	for {
		// The next moment at which a performer is due, or, now and then, one before it.
		now := components.Timestamp(-1)
		for _, p := range performers {
			if p.at < len(p.steps) && (now < 0 || p.due < now) {
				now = p.due
			}
		}
		if now < 0 {
			return
		}
		latest := components.Timestamp(0)
		for _, m := range h.members {
			latest = max(latest, m.last)
		}
		alone := h.rng.IntN(4) == 0 && latest < now
		if alone {
			now = latest + (now-latest)/2
		}

		var due []*member
		var playing []*performer
		reports := map[*member]map[*refNode]result{}
		for _, p := range performers {
			if p.at < len(p.steps) && p.due == now && p.steps[p.at].Op == "" && !alone {
				playing = append(playing, p)
				due = append(due, p.member)
				reports[p.member] = reportsOf(t, h.tree, p.steps[p.at].Report)
			}
		}
		for _, m := range others {
			if h.rng.IntN(2) == 0 && m.last <= now {
				due = append(due, m)
				reports[m] = randomReports(m, h.rng)
			}
		}
		require.NoError(t, h.tick(now, due, reports), c.Tree)
		for _, p := range playing {
			p.check(t, c)
		}

		// Resets and removals: those that a performer's script has for this moment, and others'.
		for {
			var out []*member
			var acting []*performer
			for _, p := range performers {
				if p.at < len(p.steps) && p.due <= now && p.steps[p.at].Op != "" {
					acting = append(acting, p)
					out = append(out, p.member)
				}
			}
			if len(acting) == 0 && h.rng.IntN(3) != 0 {
				break
			}
			var leaving []int
			for i, m := range others {
				switch h.rng.IntN(12) {
				case 0:
					out = append(out, m)
				case 1:
					out = append(out, m)
					leaving = append(leaving, i)
				}
			}
			if len(out) == 0 {
				break
			}
			require.NoError(t, h.reset(now, out), c.Tree)
			for _, p := range acting {
				op := p.steps[p.at].Op
				p.check(t, c)
				if op == "remove" {
					require.Equal(t, len(p.steps), p.at)
					h.leave(p.member)
				}
			}
			for _, i := range leaving { // another takes over the mind, and the entity's index
				who := others[i].entity
				who.Generation++
				mind := h.leave(others[i])
				others[i] = h.join(who, newRandomScript(h.rng.Uint64()), now, mind)
			}
		}
	}
}

// check compares the step that was done with the one of the case, and goes on to the next.
func (p *performer) check(t *testing.T, c *treeCase) {
	t.Helper()
	step := &p.steps[p.at]
	require.Equal(t, step.Expect.seen(), p.observed.seen(p.total), "%s, step %d (%s)", c.Tree, p.at, c.Purpose)
	if p.at++; p.at < len(p.steps) {
		p.due += nanos(p.steps[p.at].Dt)
	}
}
