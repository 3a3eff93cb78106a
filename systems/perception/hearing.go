package perception

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// hearing carries the noises of the last frame to those who hear them.
//
// An agent hears a noise within loudness × [components.Senses] Hearing metres of it, through walls. Of several it
// notes the loudest: the one whose loudness is the most for its distance; of equal ones that of the first
// source in the order of entities. It does not hear itself.
type hearing struct {
	scene      *scene
	noises     []frame.Noise
	maxHearing [256]float32 // by faction: the sharpest hearing of its agents, which bounds how far noises are carried
	bands      int          // of hearingBandRows rows of cells, each served by one worker
	// By slot: squared loudness over squared distance of the noise that is noted, 0 for none; Perception sizes it.
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

const hearingBandRows = 8

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

// carryNoises writes the noises into percepts and returns who heard any, in the order of entities. The slice holds
// until the next call.
func (h *hearing) carryNoises(noises []frame.Noise, workers *parallel.Workers) []components.Entity {
	g := h.scene.grid
	h.hearers, h.noises = h.hearers[:0], noises
	h.bands = (g.Rows + hearingBandRows - 1) / hearingBandRows
	clear(h.loudness)
	workers.Run(h.bands, h.bandTask)
	h.hearers = scratch.Merged(h.hearers, h.workers,
		func(w *hearingWorker) *[]components.Entity { return &w.hearers }, components.Entity.Compare)
	return h.hearers
}

// carryToBand takes all noises to the agents of one band, so that each agent is written by one worker.
func (h *hearing) carryToBand(worker, band int) {
	w := &h.workers[worker]
	g := h.scene.grid
	first, last := band*hearingBandRows, min((band+1)*hearingBandRows, g.Rows)-1
	for i := range h.noises {
		noise := &h.noises[i]
		if !vec.FiniteVec(noise.At) {
			continue
		}
		for place, faction := range g.Present {
			radius := float32(noise.Loudness * h.maxHearing[faction])
			if !(radius > 0) {
				continue
			}
			reach := spatial.PaddedRadius(radius)
			from, to := max(g.Row(noise.At.Y-reach), first), min(g.Row(noise.At.Y+reach), last)
			left, right := g.Col(noise.At.X-reach), g.Col(noise.At.X+reach)
			for row := from; row <= to; row++ {
				start, end := g.RowSlots(row, place, left, right)
				for slot := start; slot < end; slot++ {
					if d2 := distance2(g.Positions[slot], noise.At); d2 <= float32(radius*radius) {
						h.deliver(w, slot, noise, d2)
					}
				}
			}
		}
	}
}

// deliver lets an agent hear a noise, if it can.
func (h *hearing) deliver(w *hearingWorker, slot int, noise *frame.Noise, dist2 float32) {
	// A noise upon the ear is louder than any other; no two can be told apart there.
	loud := float32(noise.Loudness*noise.Loudness) / max(dist2, 1e-6)
	entity := h.scene.grid.Entities[slot]
	if loud <= h.loudness[slot] || entity == noise.Source {
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
	h.loudness[slot] = loud
	percept.Noise, percept.NoiseAt = noise.At, h.scene.now
}
