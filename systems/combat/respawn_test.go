package combat

import (
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestADeadAgentRespawnsOnItsRoute(t *testing.T) {
	s := arena(t, func(c *System) { c.RespawnDelay = 3 * time.Second })
	loop := []components.Vec2{{X: 40, Y: 40}, {X: 50, Y: 40}}
	s.Routes.Add([]components.Vec2{{X: 1, Y: 1}})
	route := s.Routes.Add(loop)
	prefab := ecs.NewPrefab(s.W,
		components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.3, Speed: 2},
		components.Faction{ID: 2},
		components.Health{Current: 100, Max: 100}, components.Fighter{Kind: 5},
		components.NewLOD(), components.Route{})
	s.Combat.SetRespawn(5, prefab)
	guard := s.fighter(1, components.Vec2{X: 10, Y: 10})
	thief := s.fighter(2, components.Vec2{X: 11, Y: 10}, components.Route{ID: route, Next: 1})
	ecs.Get[components.Fighter](s.W, thief).Kind = 5
	var born []components.Entity
	ecs.Resource[ecs.Commands](s.W).OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) {
		born = append(born, e)
	})

	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: 100})
	s.Frames(1)
	require.False(t, ecs.Alive(s.W, thief))
	s.Frames(29)
	require.Empty(t, born, "2.9 s later")
	s.Frames(1)
	require.Len(t, born, 1)
	e := born[0]
	assert.Equal(t, thief.Index, e.Index, "the slot is reused")
	assert.NotEqual(t, thief, e, "by another entity")
	assert.Contains(t, loop, s.At(e))
	assert.Equal(t, components.Route{ID: route, Next: 1}, *ecs.Get[components.Route](s.W, e))
	assert.EqualValues(t, 100, s.health(e).Current)
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Respawn))
	assert.EqualValues(t, 5, ecs.Get[components.Fighter](s.W, e).Kind)
}

func TestWithoutARouteADeadAgentRespawnsOnTheMap(t *testing.T) {
	m := testworld.MapOf("@@@@@@", "@@@..@", "@@@@@@")
	s := newStage(t, m, 10, 1, 1)
	s.Combat.Initialize(s.W)
	prefab := ecs.NewPrefab(s.W, components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.3},
		components.Fighter{}, components.Health{Current: 1, Max: 1})
	s.Combat.SetRespawn(0, prefab)
	var at []components.Vec2
	ecs.Resource[ecs.Commands](s.W).OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) {
		at = append(at, s.At(e))
	})
	for range 20 {
		s.fighter(1, components.Vec2{X: 3.5, Y: 1.5})
	}
	c := ecs.NewColumns(s.W, ecs.Need[components.Health]())
	chunks := c.Open()
	for i := range chunks {
		for _, e := range chunks[i].Entities() {
			s.Events.Hurt(0, components.Entity{}, e, 1000)
		}
	}
	c.Close()
	s.Frames(102)
	require.Len(t, at, 20)
	spots := map[components.Vec2]bool{}
	for _, p := range at {
		assert.True(t, space.Standable(m, p))
		spots[p] = true
	}
	assert.Greater(t, len(spots), 15, "not all in one place")
}

func TestInOpenCountryADeadAgentRespawnsWhereItDied(t *testing.T) {
	s := newStage(t, nil, 10, 1, 1)
	s.Combat.RespawnDelay = time.Second
	s.Combat.Initialize(s.W)
	s.Combat.SetRespawn(0,
		ecs.NewPrefab(s.W, components.Transform{Heading: components.Vec2{X: 1}}, components.Fighter{},
			components.Health{Current: 1, Max: 1}))
	victim := s.fighter(2, components.Vec2{X: -7, Y: 4})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	var at []components.Vec2
	ecs.Resource[ecs.Commands](s.W).OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) {
		at = append(at, s.At(e))
	})
	s.Frames(20)
	assert.Equal(t, []components.Vec2{{X: -7, Y: 4}}, at)
}

func TestWithoutAPrefabADeadAgentDoesNotRespawn(t *testing.T) {
	s := arena(t, func(c *System) { c.RespawnDelay = time.Second })
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	s.Frames(30)
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Death))
	assert.Zero(t, s.Events.Total(eventlist.Respawn))
	assert.Empty(t, ecs.Resource[RespawnQueue](s.W).Pending)
}

func TestWithoutARespawnDelayADeadAgentIsReplacedInTheSameFrame(t *testing.T) {
	s := arena(t, func(c *System) { c.RespawnDelay = -1 })
	s.Combat.SetRespawn(0,
		ecs.NewPrefab(s.W, components.Transform{}, components.Fighter{}, components.Health{Current: 1, Max: 1}))
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	s.Frames(1)
	assert.False(t, ecs.Alive(s.W, victim))
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Respawn))
}

func TestASpawnAtTheSamePlaceIsNotTakenForARespawn(t *testing.T) {
	s := newStage(t, nil, 10, 1, 1)
	s.Combat.RespawnDelay = time.Second
	s.Combat.Initialize(s.W)
	s.Combat.Initialize(s.W) // a second time changes nothing
	prefab := ecs.NewPrefab(s.W, components.Transform{Heading: components.Vec2{X: 1}}, components.Fighter{Kind: 9},
		components.Health{Current: 1, Max: 1})
	s.Combat.SetRespawn(0, prefab)
	commands := ecs.Resource[ecs.Commands](s.W)
	var kinds []uint8
	commands.OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) {
		kinds = append(kinds, ecs.Get[components.Fighter](s.W, e).Kind)
	})
	victim := s.fighter(2, components.Vec2{X: -7, Y: 4})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	s.Frames(10)
	commands.Queue(0).Spawn(components.Entity{}, prefab, components.Vec2{X: -7, Y: 4})
	s.Frames(10)
	assert.Equal(t, []uint8{9, 0}, kinds, "the other spawn first, then the respawn")
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Respawn))
	s.Combat.Finalize(s.W)
	s.Combat.Finalize(s.W)
}

func TestSetRespawnRefusesAPrefabWithoutATransform(t *testing.T) {
	s := newStage(t, nil, 10, 1, 1)
	assert.PanicsWithValue(t, "combat: System.SetRespawn of kind 3: the prefab has no components.Transform; add one",
		func() { s.Combat.SetRespawn(3, ecs.NewPrefab(s.W, components.Health{})) })
}

// spawns lists the entities that are spawned from now on.
func (s *stage) spawns() *[]components.Entity {
	var born []components.Entity
	ecs.Resource[ecs.Commands](s.W).OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab, _ uint64) {
		born = append(born, e)
	})
	return &born
}

func TestARespawnAfterOneThatWasDroppedIsRecognised(t *testing.T) {
	s := newStage(t, nil, 10, 1, 1)
	s.Combat.RespawnDelay = time.Second
	s.Combat.Initialize(s.W)
	prefab := ecs.NewPrefab(s.W, components.Transform{}, components.Fighter{Kind: 9})
	s.Combat.SetRespawn(1, prefab)
	s.Combat.SetRespawn(2, prefab)
	for kind := range uint8(2) { // the second dies a frame later
		victim := s.fighter(2, components.Vec2{X: 5})
		ecs.Get[components.Fighter](s.W, victim).Kind = kind + 1
		s.Events.Hurt(0, components.Entity{}, victim, 1000)
		s.Frames(1)
	}
	s.Frames(8)
	born := s.spawns()
	elsewhere := arche.NewWorld()
	ecs.Resource[ecs.Commands](s.W).Queue(0).Spawn(components.Entity{}, ecs.NewPrefab(&elsewhere), components.Vec2{})
	assert.Panics(t, func() { s.Frames(1) }, "a prefab of another world; what comes after it is dropped")
	require.Empty(t, *born)
	s.Frames(1)
	require.Len(t, *born, 1)
	assert.EqualValues(t, 2, ecs.Get[components.Fighter](s.W, (*born)[0]).Kind)
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Respawn))
}

func TestWhatTheDeadOrThePrefabLacksIsLeftOut(t *testing.T) {
	patrol := components.Route{ID: 1, Next: 1}
	fighter, health := components.Fighter{}, components.Health{Current: 1, Max: 1}
	place := components.Transform{Position: components.Vec2{X: 7, Y: 7}}
	for name, c := range map[string]struct {
		dead, prefab []any
		at           components.Vec2
		route        *components.Route
	}{
		"the dead had no place": {[]any{fighter, health}, []any{place}, components.Vec2{}, nil},
		"the dead had no route": {
			[]any{fighter, health, place}, []any{place, fighter, patrol}, place.Position, &patrol,
		},
		"the prefab has neither kind nor route": {[]any{fighter, health, place, patrol}, []any{place},
			components.Vec2{X: 3, Y: 3}, nil},
		"there is no such route": {[]any{fighter, health, place, components.Route{ID: 99}}, []any{place},
			place.Position, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, nil, 10, 1, 1)
			s.Combat.RespawnDelay = time.Second
			s.Combat.Initialize(s.W)
			for range 2 {
				s.Routes.Add([]components.Vec2{{X: 3, Y: 3}})
			}
			s.Combat.SetRespawn(0, ecs.NewPrefab(s.W, c.prefab...))
			var victim components.Entity
			ecs.NewPrefab(s.W, c.dead...).SpawnNow(s.W, 1, func(_ int, e components.Entity) { victim = e })
			s.Events.Hurt(0, components.Entity{}, victim, 1)
			born := s.spawns()
			s.Frames(12)
			require.Len(t, *born, 1)
			assert.Equal(t, c.at, s.At((*born)[0]))
			assert.Equal(t, c.route, ecs.Get[components.Route](s.W, (*born)[0]))
		})
	}
}

func TestNobodyRespawnsFromAPrefabThatWasTakenBack(t *testing.T) {
	s := arena(t, func(c *System) { c.RespawnDelay = time.Second })
	s.Combat.SetRespawn(0, ecs.NewPrefab(s.W, components.Transform{}))
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	s.Frames(2)
	require.Len(t, ecs.Resource[RespawnQueue](s.W).Pending, 1)
	s.Combat.SetRespawn(0, nil)
	born := s.spawns()
	s.Frames(12)
	assert.Empty(t, *born)
	assert.Empty(t, ecs.Resource[RespawnQueue](s.W).Pending)
}

func TestNobodyRespawnsAtAWaypointInAWall(t *testing.T) {
	m := testworld.MapOf("@@@@@@", "@@@..@", "@@@@@@")
	s := newStage(t, m, 10, 1, 1)
	s.Combat.RespawnDelay = time.Second
	s.Combat.Initialize(s.W)
	route := s.Routes.Add([]components.Vec2{{X: 1.5, Y: 1.5}})
	s.Combat.SetRespawn(0, ecs.NewPrefab(s.W, components.Transform{}))
	victim := s.fighter(2, components.Vec2{X: 3.5, Y: 1.5}, components.Route{ID: route})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	born := s.spawns()
	s.Frames(12)
	require.Len(t, *born, 1)
	assert.True(t, space.Standable(m, s.At((*born)[0])), "%v", s.At((*born)[0]))
}

func TestASpawnInAFrameWithoutRespawnsIsNone(t *testing.T) {
	s := arena(t, nil)
	born := s.spawns()
	for range 2 {
		ecs.Resource[ecs.Commands](s.W).Queue(0).Spawn(components.Entity{},
			ecs.NewPrefab(s.W, components.Fighter{Kind: 4}), components.Vec2{})
		s.Frames(1)
	}
	require.Len(t, *born, 2)
	assert.EqualValues(t, 4, ecs.Get[components.Fighter](s.W, (*born)[1]).Kind)
	assert.Zero(t, s.Events.Total(eventlist.Respawn))
}

func TestWhereNobodyCanStandTheDeadRespawnWhereTheyDied(t *testing.T) {
	s := newStage(t, testworld.MapOf("@@@", "@@@", "@@@"), 10, 1, 1)
	s.Combat.RespawnDelay = time.Second
	s.Combat.Initialize(s.W)
	s.Combat.SetRespawn(0, ecs.NewPrefab(s.W, components.Transform{}))
	victim := s.fighter(2, components.Vec2{X: 1.25, Y: 1.5})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	born := s.spawns()
	s.Frames(12)
	require.Len(t, *born, 1)
	assert.Equal(t, components.Vec2{X: 1.25, Y: 1.5}, s.At((*born)[0]))
}
