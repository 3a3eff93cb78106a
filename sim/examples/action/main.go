// Command action adds a custom action: villagers choose when to drink, and a system carries it out.
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
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/utility"
)

// Thirst is the program's component: two facts, and what Drinking remembers of the drink under way.
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
// It runs in the action stage, so it takes up an order in the frame that posts it. It touches nothing that moves, so it
// may run before or after movement. A system that depends on where agents are now, as strikes do, runs after
// movement; a system that writes what movement reads, such as a Body's Speed, runs before it.
type Drinking struct {
	herd                          *systems.Herd
	drink, cheer                  components.Action
	agents                        *generic.Filter3[Thirst, components.Intent, components.Triggers]
	begun, ended, dropped, cheers int
	latest                        uint32 // frames from the end of a drink to the decision that followed
}

// Initialize makes the filter once.
func (s *Drinking) Initialize(*arche.World) {
	s.agents = generic.NewFilter3[Thirst, components.Intent, components.Triggers]()
}

// Finalize does nothing.
func (s *Drinking) Finalize(*arche.World) {}

// Update serves all agents.
func (s *Drinking) Update(w *arche.World) {
	for q := s.agents.Query(w); q.Next(); {
		t, intent, triggers := q.Get()
		s.carryOut(ecs.FromArche(q.Entity()), t, &intent.Orders[components.Act])
		for _, fired := triggers.Take(s.cheer); fired; _, fired = triggers.Take(s.cheer) {
			s.cheers++
			s.latest = max(s.latest, s.herd.Clock.Frame-t.Ended)
		}
	}
}

func (s *Drinking) carryOut(e components.Entity, t *Thirst, order *components.Order) {
	t.Level = min(t.Level+float32(0.03*s.herd.Clock.Delta), 1)
	// Act while the order is of this action and Pending. An order with an outcome stays until the next decision.
	ours := order.Action == s.drink && order.Outcome == components.Pending
	if t.Drinking && !(ours && order.Serial == t.Serial) {
		// Aborted. There is no call for it: the order's Action is 0, or it is another posting, which has another Serial
		// even where it is of the same action. Undo here what was begun.
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
	t.Level = max(t.Level-float32(0.3*s.herd.Clock.Delta), 0)
	if t.Left -= s.herd.Clock.Delta; t.Left <= 0 {
		order.Outcome = components.Succeeded // or Failed, if the well is dry
		t.Drinking, t.Ended = false, s.herd.Clock.Frame
		s.herd.Events.Wake(0, e) // it decides in the next frame and does not wait for its turn
		s.ended++
	}
}

// villager describes an agent that drinks when that is worth more than a stroll. Drinking lowers the thirst that chose
// it: unless the choice is held, it is dropped for the stroll long before the cup is empty.
func villager(hold bool) *aitree.Node {
	evaluator := must(utility.Build("villager", utility.Choose(
		utility.NewAction("drink", utility.Consider(thirst, utility.Linear())),
		utility.NewAction("stroll").Weight(0.5),
	).Inertia(0.05)))
	choice := aitree.UtilitySelector(evaluator,
		aitree.On("drink", aitree.Sequence(aitree.Do("drink", aitree.NumberOf(0, 3)), aitree.Fire("cheer"))),
		aitree.On("stroll", aitree.ForceSuccess(aitree.Timeout(2*time.Second, aitree.Do(action.Wander)))))
	if hold {
		choice.HoldUntilDone() // so every branch has to come to its end
	}
	return aitree.ReactiveSelector(aitree.Guard(aitree.True(alarmed), aitree.Do(action.Stand)), choice)
}

// run lets a hundred villagers live for a minute, with an alarm after 20 seconds.
func run(hold bool) *Drinking {
	world := arche.NewWorld()
	herd := must(systems.Install(&world, systems.Options{FPS: 30, Seed: 1, Workers: 1}))
	defer herd.Close()
	drinking := &Drinking{
		herd:  herd,
		drink: must(herd.Actions.Register("drink", components.Act)), // before the trees that name it
		cheer: must(herd.Actions.RegisterTrigger("cheer")),
	}
	tree := must(herd.AddTree("villager", villager(hold)))
	herd.Prefab(tree, Thirst{}, systems.Walker(0.3, 1)).SpawnNow(&world, 100,
		func(i int, e components.Entity) { ecs.Get[Thirst](&world, e).Level = float32(i) / 100 })
	herd.After(systems.ActionStage, drinking)

	thirsts := generic.NewFilter1[Thirst]()
	for i := range 60 * 30 {
		for q := thirsts.Query(&world); q.Next(); {
			q.Get().Alarmed = i >= 20*30 && i < 22*30
		}
		herd.Step()
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
