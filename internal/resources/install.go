package resources

import (
	"fmt"
	"reflect"
	"runtime"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Options say what [Install] puts into a world.
type Options struct {
	FPS     int        // frames per second, 1…1000000
	Seed    uint64     // same seed, same run
	Map     *space.Map // the ground; nil is open country without walls
	Workers int        // goroutines that serve a frame, the caller included; 0 stands for GOMAXPROCS

	Routes  *space.Routes   // that agents patrol; nil is none
	Actions *aitree.Actions // that the trees are built with; nil is a new register, the world's resource
}

// Install puts the resources that systems need into a world: [frame.Clock], [Seed], [parallel.Workers], [frame.Events], [frame.Relations],
// [ai.Programs], [spatial.Grid], [space.Routes], [ecs.Commands], [aitree.Actions] with the standard actions and, where there is one, the
// [space.Map]. No result depends on the number of workers. Close the Workers after the last frame.
//
// Panics when an option is out of range or the world has one of the resources already.
func Install(w *arche.World, o Options) {
	clock, err := frame.NewClock(o.FPS)
	if err != nil {
		panic(err.Error())
	}
	if o.Workers < 0 {
		panic(fmt.Sprintf("systems: Install with %d workers; use 0 for one per processor", o.Workers))
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Routes == nil {
		o.Routes = &space.Routes{}
	}
	if o.Actions == nil {
		o.Actions = aitree.NewActions()
	}
	if _, err := action.Register(o.Actions); err != nil {
		panic(err.Error())
	}
	seed := frame.Seed(o.Seed)
	install(w, clock)
	install(w, &seed)
	install(w, frame.NewEvents(o.Workers))
	install(w, &frame.Relations{})
	install(w, ecs.NewCommands(o.Workers))
	install(w, spatial.NewGrid(0))
	install(w, o.Routes)
	install(w, o.Actions)
	if o.Map != nil {
		install(w, o.Map)
	}
	install(w, parallel.NewWorkers(o.Workers))
	install(w, &ai.Programs{Actions: o.Actions})
}

func install[T any](w *arche.World, resource *T) {
	if w.Resources().Has(arche.ResourceID[T](w)) {
		panic(fmt.Sprintf("systems: Install: the world already has a %v", reflect.TypeFor[*T]()))
	}
	arche.AddResource(w, resource)
}
