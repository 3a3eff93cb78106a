// Package resources adds the resources that systems share to an arche world.
package resources

import (
	"fmt"
	"reflect"
	"runtime"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Options are the settings of [Install].
type Options struct {
	FPS     int        // frames per second, 1…65535
	Seed    uint64     // same seed, same run
	Map     *space.Map // the ground; nil is open country without walls
	Workers int        // goroutines that serve a frame, the caller included; 0 means GOMAXPROCS

	Routes  *space.Routes   // patrol routes; nil is none
	Actions *aitree.Actions // registry with which the trees are built; nil makes a new one

	HostPosition *frame.HostPosition // nil: an agent without a Transform has no position
}

// Install adds the resources that systems need to a world: [frame.Clock], [frame.Seed], [parallel.Workers],
// [frame.Events], [frame.Triggers], [frame.Relations], [ai.Trees], [spatial.Grid], [space.Routes], [ecs.Commands],
// [aitree.Actions] with the standard actions and, where there is one, the [space.Map]. No result depends on the number
// of workers. The caller closes the Workers after the last frame.
//
// It returns an error, and installs nothing, when an option is out of range. It panics when the world already has one
// of the resources.
func Install(w *arche.World, o Options) error {
	if o.FPS < 1 || o.FPS > maxFPS {
		return fmt.Errorf("%d frames per second; use 1 to %d", o.FPS, maxFPS)
	}
	clock, err := frame.NewClock(o.FPS)
	if err != nil {
		return err
	}
	if o.Workers < 0 || o.Workers > ecs.MaxWorkers {
		return fmt.Errorf("%d workers; use 1 to %d, or 0 for one per processor", o.Workers, ecs.MaxWorkers)
	}
	if o.Workers == 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), ecs.MaxWorkers)
	}
	if o.Routes == nil {
		o.Routes = &space.Routes{}
	}
	if o.Actions == nil {
		o.Actions = aitree.NewActions()
	}
	if o.HostPosition != nil {
		if err := o.HostPosition.Check(); err != nil {
			return err
		}
	}
	if _, err := action.Register(o.Actions); err != nil {
		return err
	}
	for _, check := range []func(*arche.World){
		requireFree[frame.Clock], requireFree[frame.Seed], requireFree[eventlist.Lists], requireFree[frame.Events],
		requireFree[frame.Triggers], requireFree[frame.Relations],
		requireFree[ecs.Commands], requireFree[spatial.Grid], requireFree[space.Routes], requireFree[aitree.Actions],
		requireFree[parallel.Workers], requireFree[ai.Trees],
	} {
		check(w)
	}
	if o.Map != nil {
		requireFree[space.Map](w)
	}
	if o.HostPosition != nil {
		requireFree[frame.HostPosition](w)
	}
	seed := frame.Seed(o.Seed)
	arche.AddResource(w, clock)
	arche.AddResource(w, &seed)
	lists := eventlist.New(o.Workers)
	arche.AddResource(w, lists)
	arche.AddResource(w, (*frame.Events)(lists.Handle()))
	arche.AddResource(w, &frame.Relations{})
	arche.AddResource(w, ecs.NewCommands(o.Workers))
	arche.AddResource(w, spatial.NewGrid(0))
	arche.AddResource(w, o.Routes)
	arche.AddResource(w, o.Actions)
	if o.Map != nil {
		arche.AddResource(w, o.Map)
	}
	if o.HostPosition != nil {
		arche.AddResource(w, o.HostPosition)
	}
	arche.AddResource(w, parallel.NewWorkers(o.Workers))
	arche.AddResource(w, frame.NewTriggers(w))
	arche.AddResource(w, &ai.Trees{Actions: o.Actions})
	return nil
}

// maxFPS is the greatest rate at which the default configuration of the LOD system, with a tier of one decision a
// second, is valid: its periods have up to 65,535 frames.
const maxFPS = 1<<16 - 1

// requireFree panics when the world has a resource already.
func requireFree[T any](w *arche.World) {
	if w.Resources().Has(arche.ResourceID[T](w)) {
		panic(fmt.Sprintf("systems: Install: the world already has a %v", reflect.TypeFor[*T]()))
	}
}
