package systems

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
	"github.com/flockwork-ai/flockwork/internal/random"
)

// A war is a melee of trees in which agents come, go, die, change targets, sides, trees and archetypes, by the command
// queue and behind its back.
type war struct {
	*stage
	ai       *AI
	commands *ecs.Commands
	prefabs  []*ecs.Prefab
	rng      *rand.Rand
	soldiers []components.Entity // some of them are dead
}

const (
	warSoldiers = 120
	warPlaces   = 3
)

// newWar begins a war. Those of a mixed one are stored in several archetypes.
func newWar(t *testing.T, seed uint64, workers int, mixed bool) *war {
	s := newStage(t, plain(), 10, workers, 1)
	s.combat.MaxAttackers, s.combat.Patience, s.combat.Reach = warPlaces, 1, 6
	s.combat.Initialize(s.w)
	x := &war{
		stage: s, ai: &AI{}, commands: ecs.Resource[ecs.Commands](s.w, "test"), rng: rand.New(rand.NewPCG(seed, 1)),
	}
	programs, actions := ecs.Resource[Programs](s.w, "test"), ecs.Resource[aitree.Actions](s.w, "test")
	target := aitree.Target(Facts.Target)
	for name, root := range []*aitree.Node{
		aitree.Selector(aitree.Do(MeleeAction, target), aitree.Do(ShootAction, target), aitree.Wait(300*time.Millisecond)),
		aitree.Sequence(aitree.Do(ShootAction, target), aitree.Do(MeleeAction, target)),
	} {
		program, err := aitree.Build(fmt.Sprint(name), actions, root)
		require.NoError(t, err)
		_, err = programs.Add(program)
		require.NoError(t, err)
	}
	x.ai.Initialize(s.w)
	for i := range 4 {
		values := []any{
			components.Transform{Heading: vec2{X: 1}}, components.Faction{ID: uint8(1 + i%2)},
			components.Health{Current: 100, Max: 100}, components.Percept{}, components.Intent{}, components.Attack{},
			components.Attacked{}, components.NewAmmo(3), components.NewMind64(uint16(1 + i/2)),
		}
		if mixed && i > 0 {
			values = append(values, components.Route{})
		}
		x.prefabs = append(x.prefabs, ecs.NewPrefab(s.w, values...))
	}
	return x
}

// someone returns a soldier, who may be dead.
func (x *war) someone() components.Entity { return x.soldiers[x.rng.IntN(len(x.soldiers))] }

// recruit fills the ranks.
func (x *war) recruit() {
	living := 0
	for _, e := range x.soldiers {
		if ecs.Alive(x.w, e) {
			living++
		}
	}
	for ; living < warSoldiers; living++ {
		at := vec2{X: 20 + 8*x.rng.Float32(), Y: 20 + 8*x.rng.Float32()}
		x.prefabs[x.rng.IntN(len(x.prefabs))].SpawnNow(x.w, 1, func(_ int, e components.Entity) {
			ecs.Get[components.Transform](x.w, e).Position = at
			x.soldiers = append(x.soldiers, e)
		})
	}
}

// churn makes the changes of a frame. What it queues is carried out at the frame's end, behind combat.
func (x *war) churn() {
	q := x.commands.Queue(0)
	for range 4 {
		e := x.someone()
		if x.rng.IntN(2) == 0 {
			ecs.Drop[components.Attack](q, e, e)
		} else if ecs.Get[components.Attack](x.w, e) == nil {
			ecs.Assign(q, e, e, components.Attack{})
		}
	}
	x.commands.Apply(x.w)
	for range 20 {
		if p := ecs.Get[components.Percept](x.w, x.someone()); p != nil {
			p.Target = x.soldiers[x.rng.IntN(min(len(x.soldiers), 12))]
		}
	}
	for range 2 {
		if f := ecs.Get[components.Faction](x.w, x.someone()); f != nil {
			f.ID = 3 - f.ID
		}
		if m := ecs.Get[components.Mind64](x.w, x.someone()); m != nil {
			*m = components.NewMind64(1)
		}
		if e := x.someone(); ecs.Alive(x.w, e) {
			x.w.RemoveEntity(ecs.ToArche(e))
		}
		x.events.Hurt(0, components.Entity{}, x.someone(), 1000)
		e := x.someone()
		q.Remove(e, e)
		e = x.someone()
		q.SetTree(e, e, uint16(1+x.rng.IntN(2)), ecs.Mind64)
	}
	if h := ecs.Get[components.Health](x.w, x.someone()); h != nil {
		h.Current = 0
	}
}

// frame runs a frame and returns a hash of what combat wrote.
func (x *war) frame(t *testing.T) uint64 {
	x.soldiers = slices.DeleteFunc(x.soldiers, func(e components.Entity) bool {
		return !ecs.Alive(x.w, e) && x.rng.IntN(20) == 0
	})
	x.recruit()
	x.churn()
	x.clock.Advance()
	x.ai.Update(x.w)
	x.combat.Update(x.w)
	x.requireExact(t, false)
	x.stage.commands.Update(x.w)
	x.requireExact(t, true)
	hash := uint64(0)
	for _, e := range x.soldiers {
		if ecs.Alive(x.w, e) {
			values := fmt.Sprint(e, ecs.Get[components.Attack](x.w, e), ecs.Get[components.Attacked](x.w, e),
				*x.health(e), ecs.Get[components.Ammo](x.w, e), x.hands(e))
			hash = random.Mix(hash, random.String(values))
		}
	}
	return hash
}

// requireExact counts the claims on everyone one by one.
func (x *war) requireExact(t *testing.T, swapped bool) {
	claims := map[components.Entity]int{}
	for _, e := range x.soldiers {
		attack := ecs.Get[components.Attack](x.w, e)
		if attack == nil {
			continue
		}
		order := x.hands(e)
		attacks := (order.Action == x.do.Melee || order.Action == x.do.Shoot) && order.Outcome == components.Pending
		if !attack.Target.IsZero() {
			claims[attack.Target]++
			require.True(t, attacks && order.Target == attack.Target, "frame %d: the claim of %v is its order's", x.clock.Frame, e)
		} else if !swapped && x.health(e).Current > 0 {
			require.False(t, attacks, "frame %d: %v attacks without a claim", x.clock.Frame, e)
		}
	}
	for _, e := range x.soldiers {
		if ecs.Alive(x.w, e) {
			require.Equal(t, claims[e], x.attackers(e), "frame %d: claims on %v", x.clock.Frame, e)
			require.LessOrEqual(t, claims[e], warPlaces)
		}
	}
}

func TestClaimsAreCountedExactlyWhateverBecomesOfTheirHolders(t *testing.T) {
	frames := 300
	if testing.Short() {
		frames = 100
	}
	for seed := range uint64(3) {
		wars := []*war{newWar(t, seed, 1, false), newWar(t, seed, 2, false), newWar(t, seed, 2, true)}
		for range frames {
			want := wars[0].frame(t)
			require.Equal(t, want, wars[1].frame(t), "frame %d: 2 workers", wars[0].clock.Frame)
			require.Equal(t, want, wars[2].frame(t), "frame %d: another storage order", wars[0].clock.Frame)
		}
		counts := wars[0].combat.Counts()
		require.Greater(t, counts.Strikes, int64(frames/10))
		require.Greater(t, counts.Hits, int64(frames/10))
		require.Greater(t, counts.Granted, int64(frames/2))
		require.Greater(t, counts.Refused, int64(frames/10))
		require.Equal(t, warPlaces, counts.MostAttackers)
	}
}
