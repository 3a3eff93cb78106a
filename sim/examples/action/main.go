// Command action adds an action of one's own: villagers choose when to drink, and a system lets them.
package main

import (
	"fmt"
	"log"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/utility"
)

// Thirst is a component of one's own: two facts, and what Drinking remembers of the drink under way.
type Thirst struct {
	Level    float32 // 0 is none, 1 all there is
	Left     float32 // seconds
	Ended    uint32  // frame in which the last drink ended
	Serial   uint16  // posting of the order that is carried out
	Drinking bool
	Alarmed  bool
}

var (
	thirst  = blackboard.FloatFact("thirst", func(t *Thirst) *float32 { return &t.Level }, 0)
	alarmed = blackboard.BoolFact("alarmed", func(t *Thirst) *bool { return &t.Alarmed }, false)
)

// Drinking carries out "drink" orders and takes "cheer" triggers.
//
// It stands behind the AI, so that it takes up an order in the frame that posts it. It touches nothing that moves,
// so Locomotion may come before or after it. A system that goes by where agents are now, as blows do, stands
// behind Locomotion; one that writes what Locomotion reads, such as a Body's Speed, before it.
type Drinking struct {
	clock                         *systems.Clock
	events                        *systems.Events
	drink, cheer                  components.Action
	agents                        *generic.Filter3[Thirst, components.Intent, components.Triggers]
	begun, ended, dropped, cheers int
	latest                        uint32 // frames from the end of a drink to the decision that followed
}

func (s *Drinking) Initialize(w *arche.World) {
	s.clock, s.events = ecs.Resource[systems.Clock](w, "Drinking"), ecs.Resource[systems.Events](w, "Drinking")
	actions := ecs.Resource[aitree.Actions](w, "Drinking")
	s.drink, _ = actions.Lookup("drink")
	s.cheer, _ = actions.Lookup("cheer")
	s.agents = generic.NewFilter3[Thirst, components.Intent, components.Triggers]()
}
func (s *Drinking) Finalize(*arche.World) {}
func (s *Drinking) Update(w *arche.World) {
	for q := s.agents.Query(w); q.Next(); {
		t, intent, triggers := q.Get()
		s.carryOut(ecs.FromArche(q.Entity()), t, &intent.Orders[components.Act])
		for _, fired := triggers.Take(s.cheer); fired; _, fired = triggers.Take(s.cheer) {
			s.cheers++
			s.latest = max(s.latest, s.clock.Frame-t.Ended)
		}
	}
}

func (s *Drinking) carryOut(e components.Entity, t *Thirst, order *components.Order) {
	t.Level = min(t.Level+0.03*s.clock.Delta, 1)
	// Act while the order is of this action and Pending: one that has been reported on stands until the next decision.
	ours := order.Action == s.drink && order.Outcome == components.Pending
	if t.Drinking && !(ours && order.Serial == t.Serial) {
		// Aborted. Nobody calls: the order's Action is 0, or it is another posting, which has another Serial even where
		// it is of the same action. What was begun is undone here.
		t.Drinking = false
		s.dropped++
	}
	if !ours {
		return
	}
	if !t.Drinking { // a new posting
		t.Drinking, t.Serial, t.Left = true, order.Serial, order.Numbers[0]
		s.begun++
	}
	t.Level = max(t.Level-0.3*s.clock.Delta, 0)
	if t.Left -= s.clock.Delta; t.Left <= 0 {
		order.Outcome = components.Succeeded // or Failed, where the well is dry
		t.Drinking, t.Ended = false, s.clock.Frame
		s.events.Wake(0, e) // so that it decides in the next frame, and not when its turn comes
		s.ended++
	}
}

// villager describes who drinks when that is worth more than to stroll. Drinking lowers the thirst that chose it:
// unless the choice is held it is dropped for the stroll long before the cup is empty.
func villager(actions *aitree.Actions, hold bool) *aitree.Program {
	brain := must(utility.Build("villager", utility.Choose(
		utility.NewAction("drink", utility.Consider(thirst, utility.Linear())),
		utility.NewAction("stroll").Weight(0.5),
	).Inertia(0.05)))
	choice := aitree.UtilitySelector(brain,
		aitree.On("drink", aitree.Sequence(aitree.Do("drink", aitree.NumberOf(0, 3)), aitree.Fire("cheer"))),
		aitree.On("stroll", aitree.ForceSuccess(aitree.Timeout(2*time.Second, aitree.Do(systems.WanderAction)))))
	if hold {
		choice.HoldUntilDone() // and so every branch has to come to its end
	}
	return must(aitree.Build("villager", actions, aitree.ReactiveSelector(
		aitree.Guard(aitree.True(alarmed), aitree.Do(systems.StandAction)), choice)))
}

// run lets a hundred villagers live for a minute, with an alarm after 20 seconds.
func run(hold bool) *Drinking {
	world, actions := arche.NewWorld(), aitree.NewActions()
	systems.Install(&world, systems.Options{FPS: 30, Seed: 1, Workers: 1, Actions: actions})
	defer ecs.Resource[systems.Workers](&world, "action").Close()
	must(actions.Register("drink", components.Act)) // before the trees that name it
	must(actions.RegisterTrigger("cheer"))
	programs := ecs.Resource[systems.Programs](&world, "action")
	number := must(programs.Add(villager(actions, hold)))
	ecs.NewPrefab(&world, Thirst{}, components.Transform{}, components.Body{Radius: 0.3, Speed: 1}, components.Intent{},
		components.Triggers{}, components.NewLOD(), programs.Mind(number)).SpawnNow(&world, 100,
		func(i int, e components.Entity) { ecs.Get[Thirst](&world, e).Level = float32(i) / 100 })

	drinking := &Drinking{}
	frame := ecs.NewSchedule(&systems.ClockSystem{}, &systems.LOD{}, &systems.AI{}, &systems.Locomotion{}, drinking,
		&systems.CommandSystem{})
	frame.Initialize(&world)
	defer frame.Finalize(&world)
	thirsts := generic.NewFilter1[Thirst]()
	for i := range 60 * 30 {
		for q := thirsts.Query(&world); q.Next(); {
			q.Get().Alarmed = i >= 20*30 && i < 22*30
		}
		frame.Update(&world)
	}
	return drinking
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	for _, hold := range []bool{true, false} {
		d := run(hold)
		fmt.Printf("held %v: %d drinks begun, %d ended, %d dropped; %d cheers, at most %d frame after the end\n",
			hold, d.begun, d.ended, d.dropped, d.cheers, d.latest)
	}
}
