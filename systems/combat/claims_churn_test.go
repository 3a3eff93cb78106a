package combat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

// churnTest is a battle in which agents are spawned and removed, die, and change targets, factions, trees and
// archetypes, by the command queue and without it.
type churnTest struct {
	*stage
	ai       *ai.System
	commands *ecs.Commands
	prefabs  []*ecs.Prefab
	rng      *rand.Rand
	soldiers []components.Entity // some of them are dead
}

const (
	churnSoldiers  = 120
	churnAttackers = 3
)

// newChurnTest begins a battle. The agents of a mixed one are stored in several archetypes.
func newChurnTest(t *testing.T, seed uint64, workers int, mixed bool) *churnTest {
	s := newStage(t, testworld.Plain(), 10, workers, 1)
	s.Combat.MaxAttackers, s.Combat.Patience, s.Combat.Reach = churnAttackers, time.Second, 6
	s.Combat.Initialize(s.W)
	x := &churnTest{
		stage: s, ai: &ai.System{}, commands: ecs.Resource[ecs.Commands](s.W),
		rng: rand.New(rand.NewPCG(seed, 1)),
	}
	programs, actions := ecs.Resource[ai.Trees](s.W), ecs.Resource[aitree.Actions](s.W)
	target := aitree.Target(fact.Target)
	for name, root := range []*aitree.Node{
		aitree.Selector(aitree.Do(action.Melee, target), aitree.Do(action.Shoot, target),
			aitree.Wait(300*time.Millisecond)),
		aitree.Sequence(aitree.Do(action.Shoot, target), aitree.Do(action.Melee, target)),
	} {
		program, err := aitree.Build(fmt.Sprint(name), actions, root)
		require.NoError(t, err)
		_, err = programs.Add(program)
		require.NoError(t, err)
	}
	x.ai.Initialize(s.W)
	for i := range 4 {
		values := []any{
			components.Transform{Heading: components.Vec2{X: 1}}, components.Faction{ID: uint8(1 + i%2)},
			components.Health{Current: 100, Max: 100}, components.Percept{}, components.Intent{}, components.Attack{},
			components.Attacked{}, components.NewAmmo(3), mindlayout.NewMind64(uint16(1 + i/2)),
		}
		if mixed && i > 0 {
			values = append(values, components.Route{})
		}
		x.prefabs = append(x.prefabs, ecs.NewPrefab(s.W, values...))
	}
	return x
}

// someone returns a soldier, which can be dead.
func (x *churnTest) someone() components.Entity { return x.soldiers[x.rng.IntN(len(x.soldiers))] }

// recruit fills the ranks.
func (x *churnTest) recruit() {
	living := 0
	for _, e := range x.soldiers {
		if ecs.Alive(x.W, e) {
			living++
		}
	}
	for ; living < churnSoldiers; living++ {
		at := components.Vec2{X: 20 + 8*x.rng.Float32(), Y: 20 + 8*x.rng.Float32()}
		x.prefabs[x.rng.IntN(len(x.prefabs))].SpawnNow(x.W, 1, func(_ int, e components.Entity) {
			ecs.Get[components.Transform](x.W, e).Position = at
			x.soldiers = append(x.soldiers, e)
		})
	}
}

// churn makes the changes of a frame. What it queues is carried out at the end of the frame, after combat.
func (x *churnTest) churn() {
	q := x.commands.Queue(0)
	for range 4 {
		e := x.someone()
		if x.rng.IntN(2) == 0 {
			ecs.Drop[components.Attack](q, e, e)
		} else if ecs.Get[components.Attack](x.W, e) == nil {
			ecs.Assign(q, e, e, components.Attack{})
		}
	}
	x.commands.Apply(x.W)
	for range 20 {
		if p := ecs.Get[components.Percept](x.W, x.someone()); p != nil {
			p.Target = x.soldiers[x.rng.IntN(min(len(x.soldiers), 12))]
		}
	}
	for range 2 {
		if f := ecs.Get[components.Faction](x.W, x.someone()); f != nil {
			f.ID = 3 - f.ID
		}
		if m := ecs.Get[components.Mind64](x.W, x.someone()); m != nil {
			*m = mindlayout.NewMind64(1)
		}
		if e := x.someone(); ecs.Alive(x.W, e) {
			x.W.RemoveEntity(ecs.ToArche(e))
		}
		x.Events.Hurt(0, components.Entity{}, x.someone(), 1000)
		e := x.someone()
		q.Remove(e, e)
		e = x.someone()
		ecs.Assign(q, e, e, mindlayout.NewMind64(uint16(1+x.rng.IntN(2))))
	}
	if h := ecs.Get[components.Health](x.W, x.someone()); h != nil {
		h.Current = 0
	}
}

// frame runs a frame and returns a hash of what combat wrote.
func (x *churnTest) frame(t *testing.T) uint64 {
	x.soldiers = slices.DeleteFunc(x.soldiers, func(e components.Entity) bool {
		return !ecs.Alive(x.W, e) && x.rng.IntN(20) == 0
	})
	x.recruit()
	x.churn()
	x.Clock.Advance()
	x.ai.Update(x.W)
	x.Combat.Update(x.W)
	x.requireExact(t, false)
	x.ActionWorld.Commands.Update(x.W)
	x.requireExact(t, true)
	hash := uint64(0)
	for _, e := range x.soldiers {
		if ecs.Alive(x.W, e) {
			values := fmt.Sprint(e, ecs.Get[components.Attack](x.W, e), ecs.Get[components.Attacked](x.W, e),
				*x.health(e), ecs.Get[components.Ammo](x.W, e), x.actOrder(e))
			hash = random.Mix(hash, random.String(values))
		}
	}
	return hash
}

// requireExact counts the claims on everyone one by one.
func (x *churnTest) requireExact(t *testing.T, swapped bool) {
	claims := map[components.Entity]int{}
	for _, e := range x.soldiers {
		attack := ecs.Get[components.Attack](x.W, e)
		if attack == nil {
			continue
		}
		order := x.actOrder(e)
		attacks := (order.Action == x.Do.Melee || order.Action == x.Do.Shoot) && order.Outcome == components.Pending
		if !attack.Target.IsZero() {
			claims[attack.Target]++
			require.True(t, attacks && order.Target == attack.Target, "frame %d: the claim of %v is its order's",
				x.Clock.Frame, e)
		} else if !swapped && x.health(e).Current > 0 {
			require.False(t, attacks, "frame %d: %v attacks without a claim", x.Clock.Frame, e)
		}
	}
	for _, e := range x.soldiers {
		if ecs.Alive(x.W, e) {
			require.Equal(t, claims[e], x.attackers(e), "frame %d: claims on %v", x.Clock.Frame, e)
			require.LessOrEqual(t, claims[e], churnAttackers)
		}
	}
}

func TestClaimsAreCountedExactlyWhateverBecomesOfTheirHolders(t *testing.T) {
	frames := 300
	if testing.Short() {
		frames = 100
	}
	for seed := range uint64(3) {
		wars := []*churnTest{newChurnTest(t, seed, 1, false), newChurnTest(t, seed, 2, false),
			newChurnTest(t, seed, 2, true)}
		for range frames {
			want := wars[0].frame(t)
			require.Equal(t, want, wars[1].frame(t), "frame %d: 2 workers", wars[0].Clock.Frame)
			require.Equal(t, want, wars[2].frame(t), "frame %d: another storage order", wars[0].Clock.Frame)
		}
		counts := wars[0].Combat.Stats()
		require.Greater(t, counts.Strikes, int64(frames/10))
		require.Greater(t, counts.Hits, int64(frames/10))
		require.Greater(t, counts.Granted, int64(frames/2))
		require.Greater(t, counts.Refused, int64(frames/10))
		require.Equal(t, churnAttackers, counts.MostAttackers)
	}
}
