package testworld

import (
	"fmt"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// ActionWorld is a world for tests of movement and combat.
type ActionWorld struct {
	W        *arche.World
	M        *space.Map // nil: open country
	Clock    *frame.Clock
	Events   *eventlist.Lists
	Routes   *space.Routes
	Do       action.Handles
	Commands *frame.CommandSystem
}

// NewActionWorld makes a world without agents.
func NewActionWorld(t testing.TB, m *space.Map, fps, workers int, seed uint64) *ActionWorld {
	t.Helper()
	world := arche.NewWorld()
	w := &world
	Install(w, resources.Options{FPS: fps, Seed: seed, Workers: workers, Map: m})
	s := &ActionWorld{
		W: w, M: m,
		Clock:    ecs.Resource[frame.Clock](w),
		Events:   ecs.Resource[eventlist.Lists](w),
		Routes:   ecs.Resource[space.Routes](w),
		Commands: &frame.CommandSystem{},
	}
	var err error
	s.Do, err = action.Register(ecs.Resource[aitree.Actions](w))
	require.NoError(t, err)
	s.Commands.Initialize(w)
	t.Cleanup(ecs.Resource[parallel.Workers](w).Close)
	return s
}

// Spawn makes a walker of radius 0.3 m and 2 m/s that faces +X.
func (s *ActionWorld) Spawn(at components.Vec2, more ...any) components.Entity {
	values := append([]any{
		components.Transform{Position: at, Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 2},
		components.Intent{},
		components.Steering{},
		components.Faction{},
	}, more...)
	var made components.Entity
	ecs.NewPrefab(s.W, values...).SpawnNow(s.W, 1, func(_ int, e components.Entity) { made = e })
	return made
}

// Post gives an agent a move order.
func (s *ActionWorld) Post(e components.Entity, o components.Order) {
	order := s.Order(e)
	o.Serial = order.Serial + 1
	*order = o
}

// Order returns the move order of an agent.
func (s *ActionWorld) Order(e components.Entity) *components.Order {
	return &ecs.Get[components.Intent](s.W, e).Orders[components.Move]
}

// At returns the position of an agent.
func (s *ActionWorld) At(e components.Entity) components.Vec2 {
	return ecs.Get[components.Transform](s.W, e).Position
}

// Plain returns a map of 64 × 64 tiles without walls.
func Plain() *space.Map { return space.NewMap(64, 64) }

// Hash returns a hash of the components that movement and combat write. It is a sum over agents, so that it does not
// depend on their order.
func (s *ActionWorld) Hash() uint64 {
	c := ecs.NewColumns(s.W, ecs.Need[components.Transform](), ecs.Need[components.Body](),
		ecs.Optional[components.Intent](), ecs.Optional[components.Steering](), ecs.Optional[components.Route](),
		ecs.Optional[components.Health](),
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

// PanicOf returns what f panics with.
func PanicOf(f func()) (reason any) {
	defer func() { reason = recover() }()
	f()
	return nil
}
