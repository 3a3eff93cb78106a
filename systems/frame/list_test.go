package frame_test

import (
	"fmt"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Posts come in the order of their issuers, whatever the number of workers and whichever of them posted.
func TestPostsAreMergedByIssuerWhateverTheWorkers(t *testing.T) {
	run := func(workers int) (all []frame.Post[int]) {
		world := arche.NewWorld()
		herd, err := systems.Install(&world, systems.Options{Workers: workers})
		require.NoError(t, err)
		defer herd.Close()
		list := frame.NewList[int](&world)
		for range 20 {
			herd.Step()
			for stage := range 2 {
				herd.Parallel(50, func(worker, task int) {
					issuer := components.Entity{Index: uint32(random.Below(random.Mix(uint64(task), 9), 1000)*50 + uint32(task))}
					for k := range 1 + task%3 {
						list.Post(worker, issuer, stage*10+k)
					}
				})
			}
			all = append(all, list.Take()...)
		}
		return all
	}
	one := run(1)
	require.NotEmpty(t, one)
	for i := 1; i < len(one)/20; i++ {
		order := one[i-1].Issuer.Compare(one[i].Issuer)
		assert.True(t, order < 0 || order == 0 && one[i-1].Value < one[i].Value, "%v before %v", one[i-1], one[i])
	}
	for _, workers := range []int{2, 5} {
		assert.Equal(t, one, run(workers))
	}
}

func TestPostsThatNobodyTakesAreForgotten(t *testing.T) {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	require.NoError(t, err)
	defer herd.Close()
	list := frame.NewList[string](&world)
	issuer := components.Entity{Index: 3}
	herd.Step()
	list.Post(0, issuer, "old")
	for range 5 {
		herd.Step()
	}
	list.Post(0, issuer, "new")
	assert.Equal(t, []frame.Post[string]{{Issuer: issuer, Value: "new"}}, list.Take())
	assert.Empty(t, list.Take(), "taken once")
}

// A theft is an event of the host's own: the thief posts it, and the victim is woken.
func ExampleList() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	thefts := frame.NewList[int](&world) // the coins that were stolen
	thief, other, victim := components.Entity{Index: 5}, components.Entity{Index: 4}, components.Entity{Index: 9}
	thefts.PostTo(0, thief, victim, 20)
	thefts.PostTo(0, thief, victim, 5)
	thefts.PostTo(0, other, victim, 1)
	for _, p := range thefts.Take() {
		fmt.Println(p.Issuer.Index, "stole", p.Value, "of", p.Target.Index)
	}
	// Output:
	// 4 stole 1 of 9
	// 5 stole 20 of 9
	// 5 stole 5 of 9
}
