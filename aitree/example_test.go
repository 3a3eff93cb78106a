package aitree_test

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// guardSenses is a custom component. Its fields are facts.
type guardSenses struct {
	SeesFoe  bool
	Foe      components.Entity
	Distance float32 // metres
}

var (
	seesFoe  = blackboard.BoolFact("sees foe", func(s *guardSenses) *bool { return &s.SeesFoe }, false)
	theFoe   = blackboard.EntityFact("foe", func(s *guardSenses) *components.Entity { return &s.Foe })
	distance = blackboard.FloatFact("distance", func(s *guardSenses) *float32 { return &s.Distance }, 1000)
)

// A guard is ticked without a world.
func Example() {
	actions := aitree.NewActions()
	for _, name := range []string{"patrol", "chase"} {
		if _, err := actions.Register(name, components.Move); err != nil {
			fmt.Println(err)
			return
		}
	}
	if _, err := actions.RegisterTrigger("strike"); err != nil {
		fmt.Println(err)
		return
	}
	guard, err := aitree.Build("guard", actions, aitree.ReactiveSelector(
		aitree.Guard(aitree.True(seesFoe), aitree.ReactiveSelector(
			aitree.Guard(aitree.Less(distance, 1.5), aitree.Cooldown(800*time.Millisecond,
				aitree.Fire("strike", aitree.Target(theFoe)))),
			aitree.Do("chase", aitree.Target(theFoe)),
		)),
		aitree.Do("patrol"),
	))
	if err != nil {
		fmt.Println(err)
		return
	}

	block := aitree.NewBlock(guard, 1) // one agent, in lane 0
	facts := block.Facts
	tick := func(second float64) {
		block.Tick(components.Timestamp(second * 1e9))
		fmt.Printf("%.1f s: %s", second, actions.Name(block.Order(0, components.Move).Action))
		for _, fired := range block.Triggers(0) {
			fmt.Printf(", %s at %d", actions.Name(fired.Action), fired.Target.Index)
		}
		fmt.Println()
	}
	tick(1.0)
	facts.SetBool(seesFoe, 0, true)
	facts.SetEntity(theFoe, 0, components.Entity{Index: 7})
	facts.SetFloat(distance, 0, 9)
	tick(1.1)
	facts.SetFloat(distance, 0, 1)
	tick(1.2) // strikes, which ends the chase
	tick(1.3) // cannot strike again yet
	tick(2.0)
	// Output:
	// 1.0 s: patrol
	// 1.1 s: chase
	// 1.2 s: , strike at 7
	// 1.3 s: chase
	// 2.0 s: , strike at 7
}

// foeSeen is one of the foes that an archer knows of.
type foeSeen struct {
	Who      components.Entity
	Distance float32 // metres
}

// archerSenses is a custom component. Its array is a list of targets.
type archerSenses struct {
	Foes   [4]foeSeen
	Count  uint8
	Arrows int16
}

var (
	foes = blackboard.ListOf("foes", func(s *archerSenses) []foeSeen { return s.Foes[:] },
		func(s *archerSenses) *uint8 { return &s.Count }, func(f *foeSeen) *components.Entity { return &f.Who })
	foeDistance = blackboard.FloatFact("foe distance", func(f *foeSeen) *float32 { return &f.Distance }, 1000)
	arrows      = blackboard.IntFact("arrows", func(s *archerSenses) *int16 { return &s.Arrows }, 0)
)

// An archer shoots or draws the sword, at the foe for which that scores best: shooting needs arrows and some distance,
// the sword is for a near foe. The branch of the chosen action gets the chosen foe as its target.
func ExampleUtilitySelector() {
	near := utility.Consider(foeDistance, utility.Linear().Inverted()).Range(0, 10) // 1 at 0 m, 0 from 10 m on
	inRange := utility.Consider(foeDistance, utility.Piecewise(
		utility.Point{X: 3, Y: 0}, utility.Point{X: 8, Y: 1}, utility.Point{X: 30, Y: 0.5}, utility.Point{X: 40, Y: 0}))
	hasArrows := utility.Consider(arrows, utility.Step(1)).Gate()
	fight, err := utility.Build("fight", utility.Choose(
		utility.NewAction("melee", near).Weight(1.25).For(foes),
		utility.NewAction("shoot", inRange, hasArrows).For(foes),
		utility.NewAction("look around").Weight(0.01), // when there is no foe
	).Inertia(0.1)) // so that a foe at the edge of both is not taken on and left again
	if err != nil {
		fmt.Println(err)
		return
	}

	actions := aitree.NewActions()
	for _, name := range []string{"strike", "loose", "look"} {
		if _, err := actions.Register(name, components.Act); err != nil {
			fmt.Println(err)
			return
		}
	}
	archer, err := aitree.Build("archer", actions, aitree.UtilitySelector(fight,
		aitree.On("melee", aitree.Do("strike", aitree.ChosenTarget())),
		aitree.On("shoot", aitree.Do("loose", aitree.ChosenTarget())),
		aitree.On("look around", aitree.Do("look")),
	))
	if err != nil {
		fmt.Println(err)
		return
	}

	block := aitree.NewBlock(archer, 1)
	facts := block.Facts
	seconds := 0
	tick := func(distances ...float32) { // of foes 1, 2, …
		facts.SetInt(foes.Count(), 0, int64(len(distances)))
		for i, d := range distances {
			facts.SetEntity(foes.Entity(i), 0, components.Entity{Index: uint32(i + 1)})
			facts.SetFloat(foes.Field(i, foeDistance), 0, d)
		}
		seconds++
		block.Tick(components.Timestamp(seconds * 1e9))
		order := block.Order(0, components.Act)
		fmt.Printf("foes at %v m: %s", distances, actions.Name(order.Action))
		if order.Target.Index != 0 {
			fmt.Printf(" at foe %d", order.Target.Index)
		}
		fmt.Println()
	}
	facts.SetInt(arrows, 0, 20)
	tick()
	tick(25)
	tick(20, 9)
	tick(9, 9.5) // foe 1 is a better target now, but not by as much as the inertia
	tick(1, 9.5)
	tick(9, 7)
	facts.SetInt(arrows, 0, 0)
	tick(9, 7)
	// Output:
	// foes at [] m: look
	// foes at [25] m: loose at foe 1
	// foes at [20 9] m: loose at foe 2
	// foes at [9 9.5] m: loose at foe 2
	// foes at [1 9.5] m: strike at foe 1
	// foes at [9 7] m: loose at foe 1
	// foes at [9 7] m: strike at foe 2
}

// A custom leaf counts down from a fact. Its word in the mind is zero when it is entered.
func ExampleAgentLeaf() {
	type oven struct{ Minutes int16 }
	minutes := blackboard.IntFact("minutes", func(o *oven) *int16 { return &o.Minutes }, 0)
	bake := aitree.AgentLeaf("bake", func(a aitree.Agent) aitree.Status {
		if a.Entering() {
			a.State()[0] = uint32(a.Int(0)) // the first fact of Reads
		}
		if a.State()[0] == 0 {
			return aitree.Success
		}
		a.State()[0]--
		return aitree.Running
	}).Reads(minutes).Keeps(1)

	program, err := aitree.Build("baker", nil, bake)
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 2) // two bakers
	for lane := range 2 {
		block.Facts.SetInt(minutes, lane, int64(lane+1))
	}
	for minute := range 3 {
		block.Tick(components.Timestamp(minute) * 60e9)
		fmt.Printf("minute %d: baking %02b, done %02b\n", minute, block.Running(), block.Succeeded())
	}
	// Output:
	// minute 0: baking 11, done 00
	// minute 1: baking 10, done 01
	// minute 2: baking 01, done 10
}

// A predicate tests a whole block at once: bit i of its answer is the agent of lane i.
func ExamplePredicate() {
	type purse struct{ Gold, Price float32 }
	gold := blackboard.FloatFact("gold", func(p *purse) *float32 { return &p.Gold }, 0)
	price := blackboard.FloatFact("price", func(p *purse) *float32 { return &p.Price }, 0)
	canPayTwice := aitree.Predicate("can pay twice", func(c *blackboard.Context) (holds uint64) {
		gold, price := c.Float(0), c.Float(1)
		for lane := range 64 { // lanes beyond c.Mask are not asked about
			if gold[lane] >= 2*price[lane] {
				holds |= 1 << lane
			}
		}
		return holds
	}).Reads(gold, price)

	program, err := aitree.Build("buyer", nil, aitree.Check(canPayTwice))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 3)
	for lane, have := range []float32{5, 6, 7} {
		block.Facts.SetFloat(gold, lane, have)
		block.Facts.SetFloat(price, lane, 3)
	}
	block.Tick(0)
	fmt.Printf("%03b\n", block.Succeeded())
	// Output: 110
}

// A porter carries a crate for as long as it takes, then rests. The action system reports the outcome of the order.
func ExampleBlock() {
	actions := aitree.NewActions()
	if _, err := actions.Register("carry", components.Move); err != nil {
		fmt.Println(err)
		return
	}
	porter, err := aitree.Build("porter", actions, aitree.Sequence(
		aitree.Do("carry", aitree.PointAt(10, 0)),
		aitree.Wait(2*time.Second),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(porter, 2)
	for second := range 4 {
		if second == 1 {
			block.Report(0, components.Move, components.Succeeded) // the porter in lane 0 has arrived
		}
		block.Tick(components.Timestamp(second * 1e9))
		for lane := range 2 {
			order := block.Order(lane, components.Move)
			fmt.Printf("second %d, porter %d: %q, succeeded: %t\n",
				second, lane, actions.Name(order.Action), block.Succeeded()>>lane&1 != 0)
		}
	}
	// Output:
	// second 0, porter 0: "carry", succeeded: false
	// second 0, porter 1: "carry", succeeded: false
	// second 1, porter 0: "", succeeded: false
	// second 1, porter 1: "carry", succeeded: false
	// second 2, porter 0: "", succeeded: false
	// second 2, porter 1: "carry", succeeded: false
	// second 3, porter 0: "", succeeded: true
	// second 3, porter 1: "carry", succeeded: false
}

// A program as text.
func ExampleProgram_String() {
	hunger := blackboard.FloatFact("hunger", func(s *struct{ Hunger float32 }) *float32 { return &s.Hunger }, 0)
	program, err := aitree.Build("villager", nil, aitree.Selector(
		aitree.Guard(aitree.Greater(hunger, 0.5),
			aitree.Cooldown(time.Minute, aitree.Wait(5*time.Second).Named("eat"))),
		aitree.Run().Named("idle"),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(program)
	// Output:
	// Selector
	//   Guard hunger > 0.5
	//     Cooldown 1m0s
	//       Wait "eat" 5s
	//   Run "idle"
}

// An explanation says what the tree would do, and how its evaluators score the actions, without a tick.
func ExampleBlock_Explain() {
	hunger := blackboard.FloatFact("hunger", func(s *struct{ Hunger float32 }) *float32 { return &s.Hunger }, 0)
	needs, err := utility.Build("needs", utility.Choose(
		utility.NewAction("eat", utility.Consider(hunger, utility.Linear())),
		utility.NewAction("rest").Weight(0.5),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := aitree.Build("villager", nil, aitree.UtilitySelector(needs,
		aitree.On("eat", aitree.Wait(time.Second)), aitree.On("rest", aitree.Wait(time.Second))))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 1)
	block.Facts.SetFloat(hunger, 0, 0.75)
	e := block.Explain(0)
	fmt.Println(e.Status, e.Nodes[1].State, e.Nodes[2].State)
	for _, o := range e.Choices()[0].Options {
		fmt.Printf("%s %.2f\n", o.Action, o.Score)
	}
	// Output:
	// running running not reached
	// eat 0.75
	// rest 0.50
}

// Errors of Build name the path to the node, the fault and the remedy.
func ExampleBuild() {
	hurt := blackboard.AgeFact("last hurt",
		func(s *struct{ Hurt components.Timestamp }) *components.Timestamp { return &s.Hurt })
	_, err := aitree.Build("deer", nil, aitree.Selector(
		aitree.Guard(aitree.Less(hurt, 5), aitree.Wait(time.Second)),
		aitree.Wait(2*time.Second),
	))
	fmt.Println(err)
	_, err = aitree.Build("deer", nil, aitree.Selector(
		aitree.Guard(aitree.Less(hurt, 5*time.Second), aitree.Wait(time.Second)),
		aitree.Wait(2*time.Second),
	))
	fmt.Println(err)
	// Output:
	// aitree: tree "deer" > Selector > Guard[0]: age "last hurt" compared with the number 5; use a time.Duration
	// <nil>
}

// A custom leaf ticks a whole block at once: bit i of its answers is the agent in lane i.
func ExampleLeaf() {
	fuel := blackboard.FloatFact("fuel", func(s *struct{ Fuel float32 }) *float32 { return &s.Fuel }, 0)
	burn := aitree.Leaf("burn", func(c *blackboard.Context) (success, running uint64) {
		fuel := c.Float(0)
		for lane := range 64 { // lanes outside of c.Mask are ignored
			if fuel[lane] > 0 {
				running |= 1 << lane
			}
		}
		return c.Mask &^ running, running & c.Mask
	}).Reads(fuel)
	program, err := aitree.Build("stove", nil, burn)
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 3)
	block.Facts.SetFloat(fuel, 1, 0.5)
	block.Tick(0)
	fmt.Printf("burning %03b, done %03b\n", block.Running(), block.Succeeded())
	// Output: burning 010, done 101
}

// A subtree is defined once. Each use has its own state and a name before the names of its leaves.
func ExampleDefine() {
	pause := aitree.Define("pause", aitree.Wait(time.Second).Named("wait"))
	program, err := aitree.Build("guard", nil, aitree.Sequence(
		aitree.Subtree("pause").Named("first"),
		aitree.Subtree("pause").Named("second"),
	), pause)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, leaf := range program.Leaves() {
		fmt.Println(leaf.Name)
	}
	// Output:
	// first.wait
	// second.wait
}
