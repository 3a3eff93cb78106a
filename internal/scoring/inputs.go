package scoring

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// fact returns the index of a fact in the host's cache.
func (s *Scorer) fact(f int32) int32 {
	if s.host.Index == nil {
		return f
	}
	return s.host.Index[f]
}

// input returns the lane of an input, filled for the lanes of a mask.
func (s *Scorer) input(i int32, mask uint64) *[64]float32 {
	in := &s.e.Inputs[i]
	if in.Plain {
		return s.host.Facts.Floats(s.fact(in.Fact), mask)
	}
	l := &s.raws[i]
	missing := mask &^ s.read[i]
	if missing == 0 {
		return l
	}
	s.read[i] |= missing
	if in.Fill != nil {
		s.fill(in, missing, l)
		return l
	}
	if in.Condition > 0 {
		bitmask.Floats(l, missing, s.host.Conditions.Holds(in.Condition-1, missing))
		return l
	}
	f := s.fact(in.Fact)
	switch in.Kind {
	case blackboard.Int:
		v := s.host.Facts.Ints(f, missing)
		for m := missing; m != 0; m &= m - 1 {
			k := bitmask.Lowest(m)
			l[k] = float32(v[k])
		}
	case blackboard.Age:
		v := s.host.Facts.Ages(f, missing)
		for m := missing; m != 0; m &= m - 1 {
			k := bitmask.Lowest(m)
			l[k] = float32(float64(v[k]) / 1e9)
		}
	case blackboard.Bool:
		bitmask.Floats(l, missing, s.host.Facts.Bools(f, missing))
	case blackboard.EntityRef:
		bitmask.Floats(l, missing, s.host.Facts.Alive(f, missing))
	}
	return l
}

// fill calls a custom input.
func (s *Scorer) fill(in *Input, mask uint64, l *[64]float32) {
	h := &s.host
	s.reader = inputReader{scorer: s, input: in, mask: mask}
	s.context = blackboard.Context{
		Mask: mask, Entities: h.Entities, Now: h.Now, Worker: h.Worker, User: h.User, Reader: &s.reader,
	}
	// The function fills a lane of scratch: if it filled the input's lane, it could overwrite lanes that are read
	// already, and one that fills too few would leave the values of another block.
	clear(s.scratch[:])
	in.Fill(&s.context, &s.scratch)
	for m := mask; m != 0; m &= m - 1 {
		k := bitmask.Lowest(m)
		l[k] = s.scratch[k]
		if !elementary.IsFinite(l[k]) {
			l[k] = 0
		}
	}
}

// inputReader gives a custom input the facts that it declared. It implements blackboard.Reader.
type inputReader struct {
	scorer *Scorer
	input  *Input
	mask   uint64
}

// fact returns the index of the i-th declared fact in the host's cache.
func (r *inputReader) fact(i int, kind blackboard.Kind) int32 {
	reads := r.input.Reads
	if i < 0 || i >= len(reads) {
		panic(fmt.Sprintf("utility: input %q reads fact %d of %d that Reads declares", r.input.Name, i, len(reads)))
	}
	if f := &r.scorer.e.Facts[reads[i]]; f.Kind() != kind {
		panic(fmt.Sprintf("utility: fact %q of kind %v read as %v", f.Name(), f.Kind(), kind))
	}
	return r.scorer.fact(reads[i])
}

func (r *inputReader) Float(i int) *[64]float32 {
	return r.scorer.host.Facts.Floats(r.fact(i, blackboard.Float), r.mask)
}

func (r *inputReader) Int(i int) *[64]int64 {
	return r.scorer.host.Facts.Ints(r.fact(i, blackboard.Int), r.mask)
}

func (r *inputReader) Age(i int) *[64]int64 {
	return r.scorer.host.Facts.Ages(r.fact(i, blackboard.Age), r.mask)
}

func (r *inputReader) Bool(i int) uint64 {
	return r.scorer.host.Facts.Bools(r.fact(i, blackboard.Bool), r.mask) & r.mask
}

func (r *inputReader) Entity(i int) *[64]components.Entity {
	return r.scorer.host.Facts.Entities(r.fact(i, blackboard.EntityRef), r.mask)
}

func (r *inputReader) State(int) []uint32 {
	panic(fmt.Sprintf("utility: input %q asks for State, but inputs have none; keep it in a component", r.input.Name))
}
