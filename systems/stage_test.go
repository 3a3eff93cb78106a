package systems

import (
	"fmt"
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// stage is a world in which the action systems are tested.
type stage struct {
	w          *arche.World
	m          *Map
	clock      *Clock
	events     *Events
	routes     *Routes
	do         Standard
	locomotion *Locomotion
	combat     *Combat
	commands   *CommandSystem
}

func newStage(t testing.TB, m *Map, fps, workers int, seed uint64) *stage {
	t.Helper()
	world := arche.NewWorld()
	w := &world
	Install(w, Options{FPS: fps, Seed: seed, Workers: workers, Map: m})
	s := &stage{
		w: w, m: m,
		clock:      ecs.Resource[Clock](w, "test"),
		events:     ecs.Resource[Events](w, "test"),
		routes:     ecs.Resource[Routes](w, "test"),
		locomotion: &Locomotion{},
		combat:     &Combat{},
		commands:   &CommandSystem{},
	}
	var err error
	s.do, err = StandardActions(ecs.Resource[aitree.Actions](w, "test"))
	require.NoError(t, err)
	s.locomotion.Initialize(w)
	s.commands.Initialize(w)
	t.Cleanup(ecs.Resource[Workers](w, "test").Close)
	return s
}

// spawn makes a walker of radius 0.3 m and 2 m/s that faces +X.
func (s *stage) spawn(at vec2, more ...any) components.Entity {
	values := append([]any{
		components.Transform{Position: at, Heading: vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 2},
		components.Intent{},
		components.Steering{},
		components.Faction{},
	}, more...)
	var made components.Entity
	ecs.NewPrefab(s.w, values...).SpawnNow(s.w, 1, func(_ int, e components.Entity) { made = e })
	return made
}

// post gives an agent a move order.
func (s *stage) post(e components.Entity, o components.Order) {
	order := s.order(e)
	o.Serial = order.Serial + 1
	*order = o
}

func (s *stage) order(e components.Entity) *components.Order {
	return &ecs.Get[components.Intent](s.w, e).Orders[components.Move]
}

func (s *stage) at(e components.Entity) vec2 { return ecs.Get[components.Transform](s.w, e).Position }

// walkFor runs locomotion for some seconds and calls each, if given, after every frame. It stops early when
// each returns false.
func (s *stage) walkFor(seconds float64, each func() bool) {
	for range int(math.Round(seconds * float64(s.clock.FPS))) {
		s.clock.Advance()
		s.locomotion.Update(s.w)
		if each != nil && !each() {
			return
		}
	}
}

// frames runs all action systems for a number of frames.
func (s *stage) frames(n int) {
	for range n {
		s.clock.Advance()
		s.locomotion.Update(s.w)
		s.combat.Update(s.w)
		s.commands.Update(s.w)
	}
}

// plain is open ground.
func plain() *Map { return NewMap(64, 64) }

// hash folds what the action systems write. It sums over agents, so it needs no order.
func (s *stage) hash() uint64 {
	c := ecs.NewColumns(s.w, ecs.Need[components.Transform](), ecs.Need[components.Body](), ecs.Optional[components.Intent](),
		ecs.Optional[components.Steering](), ecs.Optional[components.Route](), ecs.Optional[components.Health](),
		ecs.Optional[components.Fighter](), ecs.Optional[components.LOD]())
	sum := uint64(0)
	chunks := c.Open()
	defer c.Close()
	for i := range chunks {
		k := &chunks[i]
		for row, e := range k.Entities() {
			h := random.Mix(uint64(e.Index), uint64(e.Generation))
			h = fold(h, k, 0, row, ecs.Column[components.Transform])
			h = fold(h, k, 1, row, ecs.Column[components.Body])
			h = fold(h, k, 2, row, ecs.Column[components.Intent])
			h = fold(h, k, 3, row, ecs.Column[components.Steering])
			h = fold(h, k, 4, row, ecs.Column[components.Route])
			h = fold(h, k, 5, row, ecs.Column[components.Health])
			h = fold(h, k, 6, row, ecs.Column[components.Fighter])
			h = fold(h, k, 7, row, ecs.Column[components.LOD])
			sum += h
		}
	}
	return sum
}

// fold mixes one component of a row into a hash.
func fold[T any](h uint64, k *ecs.Chunk, term, row int, column func(*ecs.Chunk, int) []T) uint64 {
	if values := column(k, term); values != nil {
		return random.Mix(h, random.String(fmt.Sprint(values[row])))
	}
	return h
}
