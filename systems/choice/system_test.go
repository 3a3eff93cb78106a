package choice_test

import (
	"fmt"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/choice"
	"github.com/flockwork-ai/flockwork/utility"
)

type (
	animal struct{ Hunger, Fear float32 }
	tame   struct{ Owner int32 }
)

var (
	hunger = blackboard.FloatFact("hunger", func(a *animal) *float32 { return &a.Hunger }, 0)
	fear   = blackboard.FloatFact("fear", func(a *animal) *float32 { return &a.Fear }, 0)
)

// newEvaluator chooses to graze when hungry, to flee when afraid, and else to rest.
func newEvaluator(t testing.TB, name string, change func(*utility.Definition)) *utility.Evaluator {
	t.Helper()
	d := utility.Choose(
		utility.NewAction("graze", utility.Consider(hunger, utility.Linear())),
		utility.NewAction("flee", utility.Consider(fear, utility.Quadratic())).Weight(1.2),
		utility.NewAction("rest").Weight(0.3),
	)
	if change != nil {
		change(d)
	}
	e, err := utility.Build(name, d)
	require.NoError(t, err)
	return e
}

// meadow is a world of animals, of which every third is tame and every second has a LOD.
type meadow struct {
	herd    *systems.Herd
	animals []components.Entity
}

func newMeadow(t testing.TB, workers, n int, insert ...ecs.System) *meadow {
	t.Helper()
	w := arche.NewWorld()
	herd, err := systems.Install(&w, systems.Options{FPS: 60, Seed: 7, Workers: workers})
	require.NoError(t, err)
	t.Cleanup(herd.Close)
	for _, s := range insert {
		herd.After(systems.AIStage, s)
	}
	m := &meadow{herd: herd}
	for i := range n {
		values := []any{animal{
			Hunger: random.Unit(random.Mix(1, uint64(i))), Fear: random.Unit(random.Mix(2, uint64(i))),
		}, components.Choice{}}
		if i%3 == 0 {
			values = append(values, tame{})
		}
		if i%2 == 0 {
			values = append(values, components.NewLOD())
		}
		ecs.NewPrefab(&w, values...).SpawnNow(&w, 1, func(_ int, e components.Entity) {
			m.animals = append(m.animals, e)
		})
	}
	return m
}

// Every agent chooses what the plain scorer of package utility chooses for it, whatever the workers.
func TestChoicesEqualThoseOfThePlainScorer(t *testing.T) {
	for name, change := range map[string]func(*utility.Definition){
		"the best": nil, "weighted draws": func(d *utility.Definition) { d.WeightedRandom() },
		"a commitment": func(d *utility.Definition) { d.Commit(time.Second) },
	} {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
				e := newEvaluator(t, "animal", change)
				s := &choice.System{Evaluator: e}
				m := newMeadow(t, workers, 200, s)
				plain := make([]*utility.Scorer, len(m.animals))
				for i, entity := range m.animals {
					plain[i] = utility.NewScorer(e, 1)
					plain[i].Seed, plain[i].Entities[0] = 7, entity
				}
				decided := int64(0)
				for range 30 {
					m.herd.Step()
					for i, entity := range m.animals {
						a := ecs.Get[animal](m.herd.World(), entity)
						if l := ecs.Get[components.LOD](m.herd.World(), entity); l == nil || l.Due() {
							decided++
							plain[i].Now = m.herd.Clock.Now
							plain[i].Facts.SetFloat(hunger, 0, a.Hunger)
							plain[i].Facts.SetFloat(fear, 0, a.Fear)
							plain[i].Decide()
						}
						require.Equal(t, plain[i].Choices[0], *ecs.Get[components.Choice](m.herd.World(), entity))
						a.Hunger, a.Fear = a.Fear, 1-a.Hunger // for the next frame
					}
				}
				assert.Equal(t, decided, s.Stats().Decisions)
				assert.Less(t, decided, int64(30*len(m.animals)), "those with a LOD do not decide in every frame")
			})
		}
	}
}

func TestTermsTellTheAgentsOfEvaluatorsApart(t *testing.T) {
	wild := newEvaluator(t, "wild", nil)
	calm := newEvaluator(t, "tame", func(d *utility.Definition) { d.Minimum(2) }) // chooses nothing
	m := newMeadow(t, 1, 30,
		&choice.System{Evaluator: wild, Terms: []ecs.Term{ecs.Without[tame]()}},
		&choice.System{Evaluator: calm, Terms: []ecs.Term{ecs.Need[tame]()}})
	for range 7 {
		m.herd.Step()
	}
	for i, entity := range m.animals {
		assert.Equal(t, i%3 != 0, ecs.Get[components.Choice](m.herd.World(), entity).Action != 0, "animal %d", i)
	}
}

// condition stands for a condition of a tree.
type condition struct{}

func (*condition) String() string { return "hungry" }

func TestASystemThatLacksAnEvaluatorOrAResourceSaysSo(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "choice.System: no Evaluator; make one with utility.Build",
		func() { (&choice.System{}).Initialize(&w) })
	e, err := utility.Build("e", utility.Choose(utility.NewAction("a", utility.ConsiderCondition(&condition{}))))
	require.NoError(t, err)
	assert.PanicsWithValue(t, `choice.System: evaluator "e" considers the condition hungry of a tree; use it in a `+
		`UtilitySelector, or consider facts`, func() { (&choice.System{Evaluator: e}).Initialize(&w) })
	assert.PanicsWithValue(t, "ecs: the world has no *frame.Clock; call systems.Install, or add a resource of "+
		"your own with arche's AddResource",
		func() { (&choice.System{Evaluator: newEvaluator(t, "e", nil)}).Initialize(&w) })
}

func TestNonfiniteFactsReadAsTheirDefault(t *testing.T) {
	s := &choice.System{Evaluator: newEvaluator(t, "e", nil)}
	m := newMeadow(t, 1, 2, s)
	inf := float32(1)
	for range 10 {
		inf *= 1e30
	}
	ecs.Get[animal](m.herd.World(), m.animals[1]).Hunger = inf
	m.herd.Step()
	assert.EqualValues(t, 1, s.Stats().Nonfinite)
	ecs.Get[animal](m.herd.World(), m.animals[1]).Hunger = 0.5
	m.herd.Step()
	assert.EqualValues(t, 1, s.Stats().Nonfinite, "it is counted once")
}

func TestNobodyChoosesWhileTheClockIsPaused(t *testing.T) {
	s := &choice.System{Evaluator: newEvaluator(t, "e", nil)}
	m := newMeadow(t, 1, 1, s)
	m.herd.Step()
	require.EqualValues(t, 1, s.Stats().Decisions)
	m.herd.Clock.Set(m.herd.Clock.Now)
	s.Update(m.herd.World())
	assert.EqualValues(t, 1, s.Stats().Decisions)
}

func TestUpdateAllocatesNothing(t *testing.T) {
	m := newMeadow(t, 1, 500, &choice.System{Evaluator: newEvaluator(t, "e", nil)})
	for range 10 {
		m.herd.Step()
	}
	allocs.None(t, 50, m.herd.Step)
}

func TestAPanicOfACustomInputLeavesTheWorldUnlocked(t *testing.T) {
	explode := true
	input := utility.NewInput("fuse", func(_ *blackboard.Context, lane *[64]float32) {
		if explode {
			panic("fuse")
		}
		*lane = [64]float32{}
	})
	e, err := utility.Build("e", utility.Choose(utility.NewAction("a", utility.ConsiderInput(input, utility.Linear()))))
	require.NoError(t, err)
	m := newMeadow(t, 2, 10, &choice.System{Evaluator: e})
	assert.Panics(t, m.herd.Step)
	assert.False(t, m.herd.World().IsLocked())
	explode = false
	assert.NotPanics(t, m.herd.Step)
}
