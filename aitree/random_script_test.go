package aitree_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// A randomScript plays the leaves of an agent: pure functions of its seed.
type randomScript struct {
	seed          uint64
	succeed, fail uint32 // in 256; the rest runs
	flip          uint32 // in 256, how often a condition holds
	counts        map[string]uint64
	treeTick      uint64
}

func newRandomScript(seed uint64) *randomScript {
	return &randomScript{seed: seed, succeed: 90, fail: 60, flip: 128, counts: map[string]uint64{}}
}

func (s *randomScript) roll(name string, i uint64) uint32 {
	hash := fnv.New64a()
	fmt.Fprint(hash, name)
	h := (hash.Sum64() ^ s.seed + i*0x9e3779b97f4a7c15) * 0xd1342543de82ef95
	return uint32((h ^ h>>31) * 0xbf58476d1ce4e5b9 >> 56)
}

func (s *randomScript) invoke(leaf *refNode, _ bool) result {
	i := s.counts[leaf.label]
	s.counts[leaf.label]++
	switch roll := s.roll(leaf.label, i); {
	case roll < s.succeed:
		return succeeded
	case roll < s.succeed+s.fail:
		return failed
	}
	return running
}

func (s *randomScript) next() { s.treeTick++ }

// holds changes its mind every other tick at most, so that what a condition allows can get somewhere.
func (s *randomScript) holds(name string) bool { return s.roll(name, s.treeTick/2) < s.flip }

// randomReports lets each running Do report now and then.
func randomReports(m *member, lot *rand.Rand) map[*refNode]result {
	var reports map[*refNode]result
	for _, leaf := range m.expected.intents {
		if leaf == nil || lot.IntN(3) != 0 {
			continue
		}
		if reports == nil {
			reports = map[*refNode]result{}
		}
		reports[leaf] = resultIf(lot.IntN(2) == 0)
	}
	return reports
}
