package systems

import (
	"fmt"
	"reflect"
	"runtime"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/ecs"
)

// Seed is the root of all random draws of a world.
type Seed uint64

// Options say what [Install] puts into a world.
type Options struct {
	FPS     int    // frames per second, 1…1000000
	Seed    uint64 // same seed, same run
	Map     *Map   // the ground; nil is open country without walls
	Workers int    // goroutines that serve a frame, the caller included; 0 stands for GOMAXPROCS

	Routes  *Routes         // that agents patrol; nil is none
	Actions *aitree.Actions // that the trees are built with; nil is a new register, the world's resource
}

// Install puts the resources that systems need into a world: [Clock], [Seed], [Workers], [Events], [Relations],
// [Programs], [Grid], [Routes], [ecs.Commands], [aitree.Actions] with the standard actions and, where there is one, the
// [Map]. No result depends on the number of workers. Close the Workers after the last frame.
//
// Panics when an option is out of range or the world has one of the resources already.
func Install(w *arche.World, o Options) {
	clock, err := NewClock(o.FPS)
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
		o.Routes = &Routes{}
	}
	if o.Actions == nil {
		o.Actions = aitree.NewActions()
	}
	if _, err := StandardActions(o.Actions); err != nil {
		panic(err.Error())
	}
	seed := Seed(o.Seed)
	install(w, clock)
	install(w, &seed)
	install(w, NewEvents(o.Workers))
	install(w, &Relations{})
	install(w, ecs.NewCommands(o.Workers))
	install(w, NewGrid(0))
	install(w, o.Routes)
	install(w, o.Actions)
	if o.Map != nil {
		install(w, o.Map)
	}
	install(w, NewWorkers(o.Workers))
	install(w, &Programs{actions: o.Actions})
}

func install[T any](w *arche.World, resource *T) {
	if w.Resources().Has(arche.ResourceID[T](w)) {
		panic(fmt.Sprintf("systems: Install: the world already has a %v", reflect.TypeFor[*T]()))
	}
	arche.AddResource(w, resource)
}
