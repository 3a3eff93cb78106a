package perception

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
)

// hearing carries the noises of the last frame to the agents that hear them.
//
// An agent hears a noise within loudness × [components.Senses] Hearing metres, through walls. Of several noises it
// records the loudest at its position: the one with the greatest loudness for its distance, and among equals that of
// the first source in the order of entities. An agent does not hear its own noise.
type hearing struct {
	scene      *scene
	noises     []eventlist.Noise
	maxHearing [256]float32 // by faction, the greatest Hearing of its agents, which bounds how far noises carry
	bands      int          // bands of hearingBandRows rows of cells, each processed by one worker
	// loudness holds, by slot, squared loudness over squared distance of the recorded noise; 0 for none.
	loudness []float32

	workers  []hearingWorker
	hearers  []components.Entity
	bandTask func(worker, task int)

	senses   ecs.Lookup[components.Senses]
	percepts ecs.Lookup[components.Percept]
}

// hearingWorker is the memory of one worker.
type hearingWorker struct {
	hearers []components.Entity
	_       [64]byte // no cache line shared with another worker
}

// hearingBandRows is the rows of cells in a band.
const hearingBandRows = 8

// newHearing returns the hearing of a world for a number of workers.
func newHearing(w *arche.World, s *scene, workers int) *hearing {
	h := &hearing{
		scene:    s,
		workers:  make([]hearingWorker, workers),
		senses:   ecs.NewLookup[components.Senses](w),
		percepts: ecs.NewLookup[components.Percept](w),
	}
	h.bandTask = h.carryToBand
	return h
}

// hear carries the noises to the agents and wakes the agents that heard one.
func (s *System) hear() {
	noises := s.events.Noises()
	if len(noises) == 0 {
		return
	}
	s.workers.Run(len(s.spans), s.hearingTask)
	s.hearing.maxHearing = [256]float32{}
	for i := range s.perWorker {
		for faction, hearing := range s.perWorker[i].hearing {
			s.hearing.maxHearing[faction] = max(s.hearing.maxHearing[faction], hearing)
		}
		s.perWorker[i].hearing = [256]float32{}
	}
	hearers := s.hearing.carryNoises(noises, s.workers)
	s.stats.Heard = len(hearers)
	s.events.Count(0, eventlist.NoiseHeard, len(hearers))
	s.wake(hearers)
}

// maxHearingOfSpan finds the greatest hearing of the agents in a span, by faction.
func (s *System) maxHearingOfSpan(worker, task int) {
	span := s.spans[task]
	chunk := &s.chunks[span.Chunk]
	senses, factions := chunk.senses[span.Start:span.End], chunk.factions[span.Start:span.End]
	maxHearing := &s.perWorker[worker].hearing
	for i := range senses {
		if hearing := senses[i].Hearing; hearing > maxHearing[factions[i].ID] {
			maxHearing[factions[i].ID] = hearing
		}
	}
}

// carryNoises writes the noises into percepts and returns the agents that heard one, in the order of entities. The
// slice is valid until the next call.
func (h *hearing) carryNoises(noises []eventlist.Noise, workers *parallel.Workers) []components.Entity {
	g := h.scene.grid
	h.hearers, h.noises = h.hearers[:0], noises
	h.bands = (g.Rows + hearingBandRows - 1) / hearingBandRows
	clear(h.loudness)
	workers.Run(h.bands, h.bandTask)
	h.hearers = scratch.Merge(h.hearers, h.workers,
		func(w *hearingWorker) *[]components.Entity { return &w.hearers }, components.Entity.Compare)
	return h.hearers
}

// carryToBand delivers all noises to the agents in one band of rows, so that each agent is written by one worker.
func (h *hearing) carryToBand(worker, band int) {
	w := &h.workers[worker]
	g := h.scene.grid
	first, last := band*hearingBandRows, min((band+1)*hearingBandRows, g.Rows)-1
	for i := range h.noises {
		noise := &h.noises[i]
		if !vec.FiniteVec(noise.At) {
			continue
		}
		for index, faction := range g.Present {
			radius := float32(noise.Loudness * h.maxHearing[faction])
			if !(radius > 0) {
				continue
			}
			reach := spatial.PaddedRadius(radius)
			from, to := max(g.Row(noise.At.Y-reach), first), min(g.Row(noise.At.Y+reach), last)
			left, right := g.Col(noise.At.X-reach), g.Col(noise.At.X+reach)
			for row := from; row <= to; row++ {
				start, end := g.RowSlots(row, index, left, right)
				for slot := start; slot < end; slot++ {
					if d2 := distance2(g.Positions[slot], noise.At); d2 <= float32(radius*radius) {
						h.deliver(w, slot, noise, d2)
					}
				}
			}
		}
	}
}

// deliver writes a noise into the percept of an agent that can hear it, unless the agent heard a louder one.
func (h *hearing) deliver(w *hearingWorker, slot int, noise *eventlist.Noise, dist2 float32) {
	// Distances below a millimetre count as a millimetre, so that the loudness stays finite.
	loudness := float32(noise.Loudness*noise.Loudness) / max(dist2, 1e-6)
	entity := h.scene.grid.Entities[slot]
	if loudness <= h.loudness[slot] || entity == noise.Source {
		return
	}
	senses := h.senses.Get(entity)
	if senses == nil {
		return
	}
	if radius := float32(noise.Loudness * senses.Hearing); !(dist2 <= float32(radius*radius) && radius > 0) {
		return
	}
	percept := h.percepts.Get(entity)
	if percept == nil {
		return
	}
	if h.loudness[slot] == 0 {
		w.hearers = append(w.hearers, entity)
	}
	h.loudness[slot] = loudness
	percept.Noise, percept.NoiseAt = noise.At, h.scene.now
}
