package frame_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

func ExampleClock() {
	clock, err := frame.NewClock(60)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		clock.Advance()
		fmt.Println(clock.Frame, clock.Now)
	}
	// Output:
	// 1 16666666
	// 2 33333333
	// 3 50000000
}

func ExampleEvents() {
	wolf, bear, deer := components.Entity{Index: 1}, components.Entity{Index: 2}, components.Entity{Index: 3}
	events := eventlist.New(2)
	events.Hurt(1, bear, deer, 10) // by worker 1
	events.Hurt(0, wolf, deer, 5)
	for _, wound := range events.Wounds() {
		fmt.Println(wound.Target.Index, "lost", wound.Amount, "and blames", wound.By.Index)
	}
	// Output: 3 lost 15 and blames 2
}
