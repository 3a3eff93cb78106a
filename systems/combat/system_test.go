package combat

import (
	"math"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/movement"
)

func TestInitializeNamesAMissingResource(t *testing.T) {
	for name, system := range map[string]ecs.System{"movement.System": &movement.System{}, "combat.System": &System{}} {
		w := arche.NewWorld()
		assert.PanicsWithValue(t, "ecs: the world has no *frame.Clock; call systems.Install, or add a resource of "+
			"your own with arche's AddResource", func() { system.Initialize(&w) }, name)
	}
}

func TestSettingsThatAreNotFiniteAreRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for field, c := range map[string]*System{
		"Reach": {Reach: nan}, "StrikeNoise": {StrikeNoise: -inf}, "ShoutNoise": {ShoutNoise: inf},
	} {
		assert.Contains(t, testworld.PanicOf(func() { c.Initialize(nil) }), "combat.System: "+field+" is ")
	}
}

func TestZeroSettingsStandForTheDefaultsAndNegativeOnesForNone(t *testing.T) {
	assert.Equal(t, settings{
		damage: 10, reach: 1.5, strikeNoise: 15, shoutNoise: 30, alertTime: 5e9, respawnDelay: 10e9,
		maxAttackers: 4, strikeInterval: 800e6, patience: 3e9, shots: DefaultShots(),
	}, (&System{}).readSettings("test"))
	assert.Equal(t, settings{maxAttackers: 4, shots: DefaultShots()}, (&System{
		Damage: -1, Reach: -1, StrikeNoise: -1, ShoutNoise: -1, AlertTime: -1, RespawnDelay: -1,
		StrikeInterval: -1, Patience: -1,
	}).readSettings("test"))
}

func TestNegativeSettingsAreNone(t *testing.T) {
	s := arena(t, func(c *System) { c.Damage, c.StrikeNoise, c.ShoutNoise, c.AlertTime = -1, -1, -1, -1 })
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(one, components.Trigger{Action: s.Do.Strike, Target: two})
	s.fire(one, components.Trigger{Action: s.Do.Shout})
	s.Frames(1)
	assert.EqualValues(t, 100, s.health(two).Current, "no damage")
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Strike), "but a strike")
	assert.Empty(t, s.Events.Noises(), "silent")
	s.fire(one, components.Trigger{Action: s.Do.Strike, Target: two, Number: 5})
	s.Frames(2)
	assert.EqualValues(t, 95, s.health(two).Current, "a number of its own")
	assert.EqualValues(t, 2, ecs.Get[components.LOD](s.W, two).Importance, "the fight is over at once")
}

// brawl is a crowd in which everyone keeps striking at its neighbour, dies and comes back.
func brawl(t testing.TB, agents, workers int, seed uint64) *stage {
	s := newCrowd(t, agents, workers, seed)
	s.Combat.RespawnDelay = 500 * time.Millisecond
	s.Combat.Reach = 4
	s.Combat.Initialize(s.W)
	values := []any{
		components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.35, Speed: 1.4},
		components.Intent{}, components.Steering{},
		components.Faction{}, components.Route{}, components.Health{Current: 30, Max: 30},
		components.Fighter{}, components.NewLOD(),
	}
	for kind := range uint8(2) {
		values[4] = components.Faction{ID: kind + 1}
		values[7] = components.Fighter{Kind: kind}
		p := ecs.NewPrefab(s.W, values...)
		s.Combat.SetRespawn(kind, p)
		p.SpawnNow(s.W, agents/2, func(i int, e components.Entity) {
			ecs.Get[components.Transform](s.W, e).Position, _ = s.M.RandomPoint(random.Mix(seed, uint64(i)), 0)
		})
	}
	return s
}

// fight makes each fighter strike at the next one in the order of the grid, four times in five frames.
func (s *stage) fight(c *ecs.Columns) {
	g := ecs.Resource[spatial.Grid](s.W)
	chunks := c.Open()
	for i := range chunks {
		for _, e := range chunks[i].Entities() {
			slot, ok := g.Find(e)
			if (e.Index+s.Clock.Frame)%5 == 0 || !ok || slot+1 >= len(g.Entities) {
				continue
			}
			near := g.NearFaction(nil, 3-g.Factions[slot], g.Positions[slot], 3)
			if len(near) > 0 {
				s.fire(e, components.Trigger{Action: s.Do.Strike, Target: g.Entities[near[0].Start]})
			}
		}
	}
	c.Close()
}

func TestABrawlIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int, seed uint64) (uint64, [eventlist.Kinds]int64) {
		s := brawl(t, 1000, workers, seed)
		c := ecs.NewColumns(s.W, ecs.Need[components.Fighter]())
		for range 120 {
			s.fight(c)
			s.Frames(1)
		}
		var counts [eventlist.Kinds]int64
		for kind := range eventlist.Kind(eventlist.Kinds) {
			counts[kind] = s.Events.Total(kind)
		}
		return s.Hash(), counts
	}
	want, counts := run(1, 4)
	assert.Greater(t, counts[eventlist.Strike], int64(500))
	assert.Greater(t, counts[eventlist.Death], int64(100))
	assert.Greater(t, counts[eventlist.Respawn], int64(100))
	for _, workers := range []int{1, 2, 4} {
		hash, again := run(workers, 4)
		assert.Equal(t, want, hash, "%d workers", workers)
		assert.Equal(t, counts, again)
	}
	other, _ := run(1, 5)
	assert.NotEqual(t, want, other)
}

func TestDyingAndRespawningDoesNotAllocate(t *testing.T) {
	s := brawl(t, 400, 2, 6)
	c := ecs.NewColumns(s.W, ecs.Need[components.Health]())
	kill := func() {
		chunks := c.Open()
		for i := range chunks {
			for _, e := range chunks[i].Entities() {
				if (e.Index+s.Clock.Frame)%50 == 0 {
					s.Events.Hurt(0, components.Entity{}, e, 1000)
				}
			}
		}
		c.Close()
		s.Frames(1)
	}
	for range 300 {
		kill()
	}
	before := s.Events.Total(eventlist.Respawn)
	allocs.None(t, 200, kill)
	assert.Greater(t, s.Events.Total(eventlist.Respawn)-before, int64(200))
}

func TestNoisesDoNotPileUpWithoutListeners(t *testing.T) {
	s := arena(t, nil)
	guard := s.fighter(1, components.Vec2{X: 10, Y: 10})
	for range 10 {
		s.fire(guard, components.Trigger{Action: s.Do.Shout})
		s.Frames(1)
	}
	assert.Len(t, s.Events.Noises(), 1, "those of the last frame")
}

func TestWakesDoNotPileUpWithoutALODSystem(t *testing.T) {
	s := arena(t, nil)
	victim := s.fighter(2, components.Vec2{X: 11, Y: 10})
	for range 9 {
		s.Events.Wake(0, victim)
		s.Commands.Update(s.W) // in one frame it counts once
		s.Frames(1)
	}
	assert.Less(t, s.Events.Unread(), 3)
}

func BenchmarkCombat(b *testing.B) {
	s := brawl(b, 10_000, 1, 6)
	s.Frames(1)
	for b.Loop() {
		s.Clock.Advance()
		s.Combat.Update(s.W)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/agent")
}
