package ai

import (
	"cmp"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

// hookEvent is an enter or an exit of a leaf with hooks, or a failure of a choice with a hook.
type hookEvent struct {
	entity  components.Entity
	program *executor.Program
	event   executor.Event
}

// compare orders events as their hooks are called: by entity, then failures of choices before exits and these before
// enters, then by leaf.
func (e hookEvent) compare(o hookEvent) int {
	return cmp.Or(e.entity.Compare(o.entity), e.event.Compare(o.event))
}

// Reset aborts the leaves that run in an agent's mind, calls their exit hooks and clears the mind, cooldowns included.
// It is for an agent that is pooled or respawned. Removal and tree swaps through the command queue reset a mind
// themselves.
//
// Call it on the goroutine that owns the world, between the systems of a frame or in a hook. A reset that a hook asks
// for takes effect after the hooks that are due, so that none is called out of order.
func (s *System) Reset(e components.Entity) {
	if s.classes == nil {
		return // no frame has run, so nothing runs in the mind; or the system was finalised
	}
	if s.callingHooks {
		s.resetRequests = append(s.resetRequests, e)
		return
	}
	s.resetNow(e)
}

// resetNow resets an agent. Its exits are those of the open leaves, whatever its mind has become.
func (s *System) resetNow(e components.Entity) {
	// A mind that names no tree, or is too small for it, has never been ticked, so nothing runs in it. Update panics
	// about such a mind; an agent that leaves may have it.
	words := s.open.mind(e)
	if p := s.programOf(words); p != nil && p.MindBytes() <= len(words)*4 {
		b := &s.resetBlock
		b.Mask, b.Now = 1, s.clock.Now
		b.Entities[0], b.Minds[0] = e, words
		b.Intents[0] = s.open.intents.Get(e)
		if b.Intents[0] == nil {
			b.Intents[0] = &s.noIntent
		}
		s.workers[0].executor.Reset(p, b)
		b.Minds[0], b.Intents[0] = nil, nil
	}
	start := len(s.resetEvents)
	s.resetEvents = s.open.exitsOf(e, s.resetEvents)
	exits := s.resetEvents[start:]
	slices.SortFunc(exits, hookEvent.compare)
	s.callHooks(exits)
	s.resetEvents = s.resetEvents[:start]
}

// programOf returns the program of the tree that a mind names, or nil.
func (s *System) programOf(words []uint32) *executor.Program {
	if words == nil {
		return nil
	}
	return s.trees.compiled(Tree(mindlayout.Program(words)))
}

// callHooks calls the hooks of events in order: the exits of open leaves, and the enters of leaves that still run,
// since an earlier hook may have ended them. Then it does the resets that hooks asked for.
func (s *System) callHooks(events []hookEvent) {
	outermost := !s.callingHooks
	if outermost {
		s.callingHooks = true
		defer s.hooksCalled() // after a panic, too
	}
	for _, e := range events {
		if s.open.update(e) {
			e.program.CallHook(e.event, e.entity)
		}
	}
	if outermost {
		for i := 0; i < len(s.resetRequests); i++ {
			s.resetNow(s.resetRequests[i])
		}
	}
}

func (s *System) hooksCalled() { s.resetRequests, s.callingHooks = s.resetRequests[:0], false }

// callLostExits calls the exit hooks of agents that were removed, or whose minds were replaced, without the command
// queue. It reports whether there were any, since their hooks may have done the same to other agents.
func (s *System) callLostExits() bool {
	s.events = s.open.lostExits(s.events[:0])
	slices.SortFunc(s.events, hookEvent.compare)
	s.callHooks(s.events)
	return len(s.events) > 0
}
