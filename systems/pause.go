package systems

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/internal/waker"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// Pause stops one agent, while the others go on: it does not decide, sense, move, attack or tire, and what it waits for
// (waits, timeouts, cooldowns, commitments, its cadence) stands still. Its leaves go on running, its orders stand, and
// so does its claim on a target. Others perceive it, walk round it and can hurt it, and it can die or be removed. An
// agent that is paused already, and an entity that is gone, are left alone.
//
// Call it on the goroutine that owns the world. In a frame, from a hook or a system, it has its effect at the end of
// the frame.
func (h *Herd) Pause(e components.Entity) { h.requestPause(e, true) }

// Resume lets an agent go on where it was when it was paused. All times of its components that lie before the pause
// move by its length: what it has seen and heard, when it attacked and was hurt. Times in components of the host stay.
// An agent that is not paused is left alone. See [Herd.Pause] for where to call it.
func (h *Herd) Resume(e components.Entity) { h.requestPause(e, false) }

// Paused reports whether an agent is paused.
func (h *Herd) Paused(e components.Entity) bool {
	h.requireMade("Paused")
	return ecs.Get[components.Paused](h.world, e) != nil
}

// pauseRequest is a call of Pause or Resume in a frame.
type pauseRequest struct {
	entity components.Entity
	pause  bool
}

func (h *Herd) requestPause(e components.Entity, pause bool) {
	h.requireMade("Pause")
	if h.running {
		h.pauses = append(h.pauses, pauseRequest{e, pause})
		return
	}
	h.setPaused(e, pause)
}

// servePauses carries out what was requested in the frame, in the order of the requests.
func (h *Herd) servePauses() {
	for _, r := range h.pauses {
		h.setPaused(r.entity, r.pause)
	}
	h.pauses = h.pauses[:0]
}

func (h *Herd) setPaused(e components.Entity, pause bool) {
	paused := ecs.Get[components.Paused](h.world, e)
	if !ecs.Alive(h.world, e) || pause == (paused != nil) {
		return
	}
	id := arche.ComponentID[components.Paused](h.world)
	if pause {
		// It closes the decision of the frame, as the LOD pass of the next one would.
		if l := ecs.Get[components.LOD](h.world, e); l != nil && l.Due() {
			l.Last, l.WaitingSince = h.Clock.Now, h.lodFrame()
			l.Flags &^= lodflag.Due | lodflag.Fresh | lodflag.Promoted
		}
		h.world.Add(ecs.ToArche(e), id)
		*ecs.Get[components.Paused](h.world, e) = components.Paused{Since: h.Clock.Now, Frame: h.lodFrame()}
		return
	}
	h.moveTimes(e, *paused)
	h.world.Remove(ecs.ToArche(e), id)
}

// lodFrame returns the LOD system's number of the last frame, 0 without one.
func (h *Herd) lodFrame() uint32 {
	if w := ecs.FindResource[waker.Waker](h.world); w != nil {
		return w.Frame()
	}
	return 0
}

// moveTimes moves the times of an agent's components by the length of a pause.
func (h *Herd) moveTimes(e components.Entity, pause components.Paused) {
	w, now := h.world, h.Clock.Now
	move := func(t *components.Timestamp) {
		if *t != 0 && *t <= pause.Since { // what happened during the pause stays
			*t += now - pause.Since
		}
	}
	if words := h.mindOf(e); words != nil {
		// A mind that names no tree, or is too small for it, has no timers. The AI panics about it and names the agent.
		tree := h.Trees.Get(ai.Tree(mindlayout.Program(words)))
		if tree != nil && tree.Compiled().MindBytes() <= len(words)*4 {
			tree.Compiled().Shift(words, int64(pause.Since)/1000, int64(now)/1000)
		}
	}
	if l := ecs.Get[components.LOD](w, e); l != nil {
		move(&l.Last)
		l.WaitingSince += h.lodFrame() - pause.Frame
	}
	if a := ecs.Get[components.Attack](w, e); a != nil {
		left := a.ReadyAt - pause.Since
		move(&a.Since)
		move(&a.ReadyAt)
		if left > 0 { // the end of a cooldown lies ahead
			a.ReadyAt = now + left
		}
	}
	if c := ecs.Get[components.Choice](w, e); c != nil {
		move(&c.Since)
	}
	if f := ecs.Get[components.Fighter](w, e); f != nil {
		move(&f.LastAttackAt)
	}
	if n := ecs.Get[components.Needs](w, e); n != nil {
		move(&n.UpdatedAt)
	}
	if p := ecs.Get[components.Percept](w, e); p != nil {
		move(&p.SeenAt)
		move(&p.NoiseAt)
	}
	if p := ecs.Get[components.Health](w, e); p != nil {
		move(&p.HurtAt)
	}
}

// mindOf returns the words of an agent's mind, nil without one.
func (h *Herd) mindOf(e components.Entity) []uint32 {
	if m := ecs.Get[components.Mind64](h.world, e); m != nil {
		return m.Words[:]
	}
	if m := ecs.Get[components.Mind128](h.world, e); m != nil {
		return m.Words[:]
	}
	if m := ecs.Get[components.Mind256](h.world, e); m != nil {
		return m.Words[:]
	}
	return nil
}
