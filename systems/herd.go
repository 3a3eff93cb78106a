package systems

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/combat"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/needs"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Options say what [Install] puts into a world. The zero value is a world of open country at 60 frames per second.
type Options struct {
	FPS     int    // frames per second, 1…65535; 0 stands for 60; nominal with HostClock. LOD.Config bounds it, too
	Seed    uint64 // root of all random draws: the same seed gives the same run
	Workers int    // goroutines that serve a frame, the caller included, 1…1024; 0 stands for one per processor

	Map     *space.Map      // the ground; nil is open country without walls
	Routes  *space.Routes   // patrol routes; nil is an empty list, to which routes can be added
	Actions *aitree.Actions // the register of actions; nil is a new one. The standard actions are added to it

	// HostPosition names where agents without a Transform are, for hosts that keep positions in components of their
	// own; nil: an agent without a Transform has no position.
	HostPosition *frame.HostPosition

	// HostClock tells that the host moves time: by [Herd.StepTo], or by Clock.Set before each Update. Otherwise every
	// frame takes 1/FPS seconds.
	HostClock bool
}

// Herd is the handle of a world's agents, made by [Install]. It belongs to the goroutine that owns the world.
//
// A Herd is a system of arche-model, too: an app that has it as a system runs the whole frame in it.
type Herd struct {
	// Resources of the world. They are also found in the world by their types.
	Clock     *frame.Clock     // simulated time
	Events    *frame.Events    // what agents do to each other in a frame; wakes agents
	Triggers  *frame.Triggers  // the instant actions that agents have fired
	Relations *frame.Relations // which faction is hostile to which
	Commands  *ecs.Commands    // structural changes, applied at the end of the frame
	Actions   *aitree.Actions  // the register of actions
	Trees     *ai.Trees        // the registry of trees
	Map       *space.Map       // nil: open country
	Routes    *space.Routes    // patrol routes

	// The steps of the frame, with their settings. Settings are read when the first frame begins. A step that is set to
	// nil before that is left out; systems that read its results behave as its documentation says.
	LOD        *lod.System        // which agents decide in a frame
	Perception *perception.System // what agents see, hear and remember
	Needs      *needs.System      // hunger, fatigue and company
	AI         *ai.System         // trees and their hooks
	Movement   *movement.System   // carries out the orders of the move channel
	Combat     *combat.System     // strikes, attacks, damage, death and respawns

	world     *arche.World
	workers   *parallel.Workers
	hostClock bool
	before    [stages][]ecs.System
	after     [stages][]ecs.System
	replace   func(Stage, ecs.System) ecs.System
	observe   func(Stage, time.Duration)
	schedule  []scheduled // empty until the first frame
	running   bool        // a frame runs
	frame     uint32      // the clock's, of the last frame
	finalized bool
	pauses    []pauseRequest // of this frame
}

// Install puts the resources that the systems need into a world and returns the handle of its agents. Call
// [Herd.Close] after the last frame.
//
// An option that is out of range, or a register in which a standard action's name has another meaning, is an error, and
// nothing has been installed. Install panics when the world is nil or has one of the resources already.
func Install(w *arche.World, o Options) (*Herd, error) {
	if w == nil {
		panic("systems: Install: the world is nil; pass a pointer to the result of arche's NewWorld")
	}
	if o.FPS == 0 {
		o.FPS = 60
	}
	if err := resources.Install(w, resources.Options{
		FPS: o.FPS, Seed: o.Seed, Workers: o.Workers, Map: o.Map, Routes: o.Routes, Actions: o.Actions,
		HostPosition: o.HostPosition,
	}); err != nil {
		return nil, fmt.Errorf("systems: Install: %w", err)
	}
	return &Herd{
		Clock:     ecs.Resource[frame.Clock](w),
		Events:    ecs.Resource[frame.Events](w),
		Triggers:  ecs.Resource[frame.Triggers](w),
		Relations: ecs.Resource[frame.Relations](w),
		Commands:  ecs.Resource[ecs.Commands](w),
		Actions:   ecs.Resource[aitree.Actions](w),
		Trees:     ecs.Resource[ai.Trees](w),
		Map:       o.Map,
		Routes:    ecs.Resource[space.Routes](w),

		LOD: &lod.System{}, Perception: &perception.System{}, Needs: &needs.System{}, AI: &ai.System{},
		Movement: &movement.System{}, Combat: &combat.System{},

		world:     w,
		workers:   ecs.Resource[parallel.Workers](w),
		hostClock: o.HostClock,
	}, nil
}

// World returns the world that the herd was installed in.
func (h *Herd) World() *arche.World { return h.world }

// SetObservers places the observers, cameras or players, in metres: agents near one of them decide more often. Without
// observers every agent is near. Call it between frames, as often as they move.
func (h *Herd) SetObservers(points ...components.Vec2) {
	id := arche.ResourceID[lod.Observers](h.world)
	if !h.world.Resources().Has(id) {
		arche.AddResource(h.world, &lod.Observers{})
	}
	observers := h.world.Resources().Get(id).(*lod.Observers)
	*observers = append((*observers)[:0], points...)
}

// Close finalises the systems and ends the workers. Leaves that run exit as aborted, as far as their hooks are
// concerned: each leaf that was entered exits. It may be called more than once; no frame may follow. Close a herd
// before or after its world is reset.
//
// Panics inside a frame.
func (h *Herd) Close() {
	h.requireMade("Close")
	h.Finalize(h.world)
	h.workers.Close()
}

// Parallel calls f for each task in 0…tasks-1, spread over the herd's workers, and returns when all are done: for a
// system of the host that serves many agents. Which worker serves a task is not determined, so the result must not
// depend on it; the worker's number picks its own lists, such as Events.Hurt's and Commands.Queue's.
//
// A panic of a task is raised again as a [*TaskPanic]. Panics when called by a task or after [Herd.Close].
func (h *Herd) Parallel(tasks int, f func(worker, task int)) {
	h.requireMade("Parallel")
	if f == nil {
		panic("systems: Herd.Parallel of a nil function")
	}
	h.workers.Run(tasks, f)
}

// TaskPanic is what a frame panics with when code that a worker ran did, such as a custom leaf: it holds the number of
// the task, the value it panicked with, and its stack. It is the same whatever the number of workers.
type TaskPanic = parallel.TaskPanic

// requireMade panics for a Herd that Install did not make.
func (h *Herd) requireMade(method string) {
	if h == nil || h.world == nil {
		panic(fmt.Sprintf("systems: Herd.%s of a Herd that was not made by Install", method))
	}
}
