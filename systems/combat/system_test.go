package combat

import (
	"math"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// arena is a stage with combat, 10 frames per second.
func arena(t testing.TB, configure func(c *System)) *stage {
	s := newStage(t, testworld.Plain(), 10, 1, 1)
	if configure != nil {
		configure(s.Combat)
	}
	s.Combat.Initialize(s.W)
	return s
}

// fighter makes an agent with 100 points of health.
func (s *stage) fighter(side uint8, at components.Vec2, more ...any) components.Entity {
	values := append([]any{
		components.Transform{Position: at, Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 2},
		components.Faction{ID: side},
		components.Health{Current: 100, Max: 100},
		components.Triggers{},
		components.Fighter{},
		components.LOD{Importance: 2},
	}, more...)
	var made components.Entity
	ecs.NewPrefab(s.W, values...).SpawnNow(s.W, 1, func(_ int, e components.Entity) { made = e })
	return made
}

// fire adds a trigger to an agent's.
func (s *stage) fire(e components.Entity, trigger components.Trigger) {
	list := &ecs.Get[components.Triggers](s.W, e).List
	for i := range list {
		if list[i].Action == 0 {
			list[i] = trigger
			return
		}
	}
}

func (s *stage) health(e components.Entity) *components.Health {
	return ecs.Get[components.Health](s.W, e)
}

func TestAStrikeTakesHealthAndIsRemembered(t *testing.T) {
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief})
	s.Frames(1)
	h := s.health(thief)
	assert.Equal(t, components.Health{Current: 90, Max: 100, HurtBy: guard, HurtAt: 100e6}, *h)
	assert.EqualValues(t, 1, s.Events.Count(frame.Strike))
	s.Frames(5)
	assert.EqualValues(t, 90, h.Current, "a trigger is consumed")
	assert.Zero(t, *ecs.Get[components.Triggers](s.W, guard))

	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: 25})
	s.Frames(1)
	assert.EqualValues(t, 65, s.health(thief).Current, "the number is the damage")
}

func TestAStrikeLandsOnlyOnAHostileInReachThatIsAlive(t *testing.T) {
	for _, c := range []struct {
		name   string
		target func(s *stage, striker components.Entity) components.Entity
		lands  bool
	}{
		{"a hostile in reach", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(2, components.Vec2{X: 11.5, Y: 10})
		}, true},
		{"out of reach", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(2, components.Vec2{X: 11.6, Y: 10})
		}, false},
		{"an ally", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(1, components.Vec2{X: 11, Y: 10})
		}, false},
		{"a neutral", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(0, components.Vec2{X: 11, Y: 10})
		}, false},
		{"oneself", func(_ *stage, striker components.Entity) components.Entity { return striker }, false},
		{"nobody", func(*stage, components.Entity) components.Entity { return components.Entity{} }, false},
		{"one who is used up", func(s *stage, _ components.Entity) components.Entity {
			e := s.fighter(2, components.Vec2{X: 11, Y: 10})
			s.health(e).Current = 0
			return e
		}, false},
		{"one who is gone", func(s *stage, _ components.Entity) components.Entity {
			e := s.fighter(2, components.Vec2{X: 11, Y: 10})
			s.W.RemoveEntity(ecs.ToArche(e))
			return e
		}, false},
		{"one who is nowhere", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(2, components.Vec2{X: float32(math.NaN()), Y: 10})
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := arena(t, nil)
			striker := s.fighter(1, components.Vec2{X: 10, Y: 10})
			target := c.target(s, striker)
			s.fire(striker, components.Trigger{Action: s.Do.Strike, Target: target})
			s.Frames(1)
			want := int64(0)
			if c.lands {
				want = 1
			}
			assert.Equal(t, want, s.Events.Count(frame.Strike))
			assert.Zero(t, *ecs.Get[components.Triggers](s.W, striker), "consumed all the same")
		})
	}
}

func TestRelationsSayWhoCanBeStruck(t *testing.T) {
	s := arena(t, nil)
	ecs.Resource[frame.Relations](s.W, "test").Set(1, 2, frame.Ally)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(one, components.Trigger{Action: s.Do.Strike, Target: two})
	s.fire(two, components.Trigger{Action: s.Do.Strike, Target: one})
	s.Frames(1)
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.EqualValues(t, 90, s.health(one).Current, "the truce is one-sided")
}

func TestBlowsOfAFrameFallAtOnce(t *testing.T) {
	s := arena(t, nil)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(one, components.Trigger{Action: s.Do.Strike, Target: two, Number: 100})
	s.fire(two, components.Trigger{Action: s.Do.Strike, Target: one, Number: 100})
	var deaths [][2]components.Entity
	s.Combat.OnDeath(func(victim, killer components.Entity) { deaths = append(deaths, [2]components.Entity{victim, killer}) })
	s.Frames(1)
	assert.Equal(t, [][2]components.Entity{{one, two}, {two, one}}, deaths, "in the order of victims")
	assert.False(t, ecs.Alive(s.W, one) || ecs.Alive(s.W, two))
	assert.EqualValues(t, 2, s.Events.Count(frame.Death))
}

func TestOfSeveralWhoStrikeTheLastInOrderIsRemembered(t *testing.T) {
	s := arena(t, nil)
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	var gang []components.Entity
	for i := range 5 {
		e := s.fighter(1, components.Vec2{X: 10 + 0.2*float32(i), Y: 11})
		gang = append(gang, e)
	}
	for _, i := range []int{3, 0, 4, 2, 1} {
		s.fire(gang[i], components.Trigger{Action: s.Do.Strike, Target: victim, Number: 30})
	}
	killer := components.Entity{}
	s.Combat.OnDeath(func(_, k components.Entity) { killer = k })
	s.Frames(1)
	assert.Equal(t, gang[4], killer)
	assert.EqualValues(t, 1, s.Events.Count(frame.Death), "dead once, however many blows")
	assert.EqualValues(t, 5, s.Events.Count(frame.Strike))
}

func TestTheHurtAreWokenAndRankedUntilTheFightIsOver(t *testing.T) {
	s := arena(t, func(c *System) { c.AlertTime = 2 * time.Second })
	guard, thief, bystander := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10}), s.fighter(2, components.Vec2{X: 12, Y: 10})
	lod := func(e components.Entity) *components.LOD { return ecs.Get[components.LOD](s.W, e) }
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief})
	s.Frames(1)
	assert.Equal(t, []components.Entity{thief}, s.Events.MergeWakes(), "for the LOD system; the striker is awake")
	assert.EqualValues(t, 0, lod(thief).Importance)
	assert.EqualValues(t, 0, lod(guard).Importance)
	assert.EqualValues(t, 2, lod(bystander).Importance)
	s.Frames(10)
	s.fire(thief, components.Trigger{Action: s.Do.Strike, Target: guard})
	s.Frames(19)
	assert.EqualValues(t, 0, lod(thief).Importance, "1.9 s after the last blow")
	s.Frames(3)
	assert.EqualValues(t, 2, lod(thief).Importance)
	assert.EqualValues(t, 2, lod(guard).Importance)
}

func TestShoutsAndStrikesAreHeardAsFarAsTheyCarry(t *testing.T) {
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(guard, components.Trigger{Action: s.Do.Shout, Number: 12})
	s.fire(guard, components.Trigger{Action: s.Do.Shout})
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief})
	s.fire(thief, components.Trigger{Action: s.Do.Strike, Target: thief}) // is lost
	s.Clock.Advance()
	s.Combat.Update(s.W)
	assert.ElementsMatch(t, []frame.Noise{
		{Source: guard, At: components.Vec2{X: 10, Y: 10}, Loudness: 12},
		{Source: guard, At: components.Vec2{X: 10, Y: 10}, Loudness: 30},
		{Source: guard, At: components.Vec2{X: 10, Y: 10}, Loudness: 15},
	}, s.Events.MergeNoises())
}

func TestNoisesDoNotPileUpWhereNobodyHears(t *testing.T) {
	s := arena(t, nil)
	guard := s.fighter(1, components.Vec2{X: 10, Y: 10})
	for range 10 {
		s.fire(guard, components.Trigger{Action: s.Do.Shout})
		s.Frames(1)
	}
	assert.Len(t, s.Events.MergeNoises(), 1, "those of the last frame")
}

func TestTriggersOfOtherActionsAreLeftToTheirSystems(t *testing.T) {
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	first, last := components.Trigger{Action: 77, Number: 1}, components.Trigger{Action: 78, Target: thief}
	for _, trigger := range []components.Trigger{first, {Action: s.Do.Strike, Target: thief}, {Action: s.Do.Shout}, last} {
		s.fire(guard, trigger)
	}
	s.Frames(2)
	assert.Equal(t, components.Triggers{List: [components.MaxTriggers]components.Trigger{first, last}}, *ecs.Get[components.Triggers](s.W, guard))
	assert.EqualValues(t, 90, s.health(thief).Current)
}

func TestDamageThatIsNoSensibleNumberIsTheDefault(t *testing.T) {
	for _, c := range []struct{ number, want float32 }{
		{float32(math.NaN()), 10}, {float32(math.Inf(-1)), 10}, {-5, 10}, {0.5, 10}, {12.75, 12},
	} {
		s := arena(t, nil)
		guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
		s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: c.number})
		s.Frames(1)
		assert.EqualValues(t, 100-c.want, s.health(thief).Current, "%v", c.number)
	}
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: float32(math.Inf(1))})
	s.Frames(1)
	assert.False(t, ecs.Alive(s.W, thief), "more than anyone has")
}

func TestBlowsOfOtherSystemsCount(t *testing.T) {
	s := arena(t, nil)
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	s.Events.Hurt(0, components.Entity{}, victim, 40) // a trap
	s.Events.Hurt(0, components.Entity{}, victim, 40)
	s.Frames(1)
	assert.EqualValues(t, 20, s.health(victim).Current)
	s.Events.Hurt(0, components.Entity{}, victim, -40)
	s.Frames(1)
	assert.EqualValues(t, 20, s.health(victim).Current, "a blow does not heal")
	assert.EqualValues(t, 0, s.Events.Count(frame.Strike))
}

func TestTheDeadComeBackOnTheirRoute(t *testing.T) {
	s := arena(t, func(c *System) { c.RespawnDelay = 3 * time.Second })
	loop := []components.Vec2{{X: 40, Y: 40}, {X: 50, Y: 40}}
	s.Routes.Add([]components.Vec2{{X: 1, Y: 1}})
	route := s.Routes.Add(loop)
	prefab := ecs.NewPrefab(s.W,
		components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.3, Speed: 2}, components.Faction{ID: 2},
		components.Health{Current: 100, Max: 100}, components.Triggers{}, components.Fighter{Kind: 5}, components.NewLOD(), components.Route{})
	s.Combat.SetRespawn(5, prefab)
	guard := s.fighter(1, components.Vec2{X: 10, Y: 10})
	thief := s.fighter(2, components.Vec2{X: 11, Y: 10}, components.Route{ID: route, Next: 1})
	ecs.Get[components.Fighter](s.W, thief).Kind = 5
	var born []components.Entity
	ecs.Resource[ecs.Commands](s.W, "test").OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab) { born = append(born, e) })

	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: 100})
	s.Frames(1)
	require.False(t, ecs.Alive(s.W, thief))
	s.Frames(29)
	require.Empty(t, born, "2.9 s later")
	s.Frames(1)
	require.Len(t, born, 1)
	e := born[0]
	assert.Equal(t, thief.Index, e.Index, "the slot is reused")
	assert.NotEqual(t, thief, e, "by somebody else")
	assert.Contains(t, loop, s.At(e))
	assert.Equal(t, components.Route{ID: route, Next: 1}, *ecs.Get[components.Route](s.W, e))
	assert.EqualValues(t, 100, s.health(e).Current)
	assert.EqualValues(t, 1, s.Events.Count(frame.Respawn))
	assert.EqualValues(t, 5, ecs.Get[components.Fighter](s.W, e).Kind)
}

func TestTheDeadWithoutARouteComeBackOnTheGround(t *testing.T) {
	m := testworld.Drawn("@@@@@@", "@@@..@", "@@@@@@")
	s := newStage(t, m, 10, 1, 1)
	s.Combat.Initialize(s.W)
	prefab := ecs.NewPrefab(s.W, components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.3}, components.Fighter{}, components.Health{Current: 1, Max: 1})
	s.Combat.SetRespawn(0, prefab)
	var at []components.Vec2
	ecs.Resource[ecs.Commands](s.W, "test").OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab) { at = append(at, s.At(e)) })
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

func TestInOpenCountryTheDeadComeBackWhereTheyFell(t *testing.T) {
	s := newStage(t, nil, 10, 1, 1)
	s.Combat.RespawnDelay = time.Second
	s.Combat.Initialize(s.W)
	s.Combat.SetRespawn(0, ecs.NewPrefab(s.W, components.Transform{Heading: components.Vec2{X: 1}}, components.Fighter{}, components.Health{Current: 1, Max: 1}))
	victim := s.fighter(2, components.Vec2{X: -7, Y: 4})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	var at []components.Vec2
	ecs.Resource[ecs.Commands](s.W, "test").OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab) { at = append(at, s.At(e)) })
	s.Frames(20)
	assert.Equal(t, []components.Vec2{{X: -7, Y: 4}}, at)
}

func TestWhoHasNoPrefabDoesNotComeBack(t *testing.T) {
	s := arena(t, func(c *System) { c.RespawnDelay = time.Second })
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	s.Frames(30)
	assert.EqualValues(t, 1, s.Events.Count(frame.Death))
	assert.Zero(t, s.Events.Count(frame.Respawn))
	assert.Empty(t, ecs.Resource[RespawnQueue](s.W, "test").Pending)
}

func TestTheShortestTimeBetweenTwoStrikesOfOneAgentIsKnown(t *testing.T) {
	s := arena(t, nil)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	strike := func(e, target components.Entity) {
		s.fire(e, components.Trigger{Action: s.Do.Strike, Target: target, Number: 1})
	}
	strike(one, two)
	s.Frames(1)
	strike(two, one) // another's strike in between does not count
	s.Frames(1)
	_, ok := s.Combat.ShortestInterval()
	assert.False(t, ok)
	s.Frames(8)
	strike(one, two)
	s.Frames(20)
	strike(one, two)
	s.Frames(1)
	shortest, ok := s.Combat.ShortestInterval()
	assert.True(t, ok)
	assert.EqualValues(t, 1000e6, shortest)
}

// brawl is a crowd in which everyone keeps striking at its neighbour, dies and comes back.
func brawl(t testing.TB, agents, workers int, seed uint64) *stage {
	s := newCrowd(t, agents, workers, seed)
	s.Combat.RespawnDelay = 500 * time.Millisecond
	s.Combat.Reach = 4
	s.Combat.Initialize(s.W)
	values := []any{
		components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.35, Speed: 1.4}, components.Intent{}, components.Steering{},
		components.Faction{}, components.Route{}, components.Health{Current: 30, Max: 30}, components.Triggers{}, components.Fighter{}, components.NewLOD(),
	}
	for kind := range uint8(2) {
		values[4] = components.Faction{ID: kind + 1}
		values[8] = components.Fighter{Kind: kind}
		p := ecs.NewPrefab(s.W, values...)
		s.Combat.SetRespawn(kind, p)
		p.SpawnNow(s.W, agents/2, func(i int, e components.Entity) {
			ecs.Get[components.Transform](s.W, e).Position, _ = s.M.RandomPoint(random.Mix(seed, uint64(i)))
		})
	}
	return s
}

// fight makes each fighter strike at the next one in the order of the grid, four times in five frames.
func (s *stage) fight(c *ecs.Columns) {
	g := ecs.Resource[spatial.Grid](s.W, "test")
	chunks := c.Open()
	for i := range chunks {
		triggers := ecs.Column[components.Triggers](&chunks[i], 0)
		for row, e := range chunks[i].Entities() {
			slot, ok := g.Find(e)
			if (e.Index+s.Clock.Frame)%5 == 0 || !ok || slot+1 >= len(g.Entities) {
				continue
			}
			near := g.NearFaction(nil, 3-g.Factions[slot], g.Positions[slot], 3)
			if len(near) > 0 {
				triggers[row].List[0] = components.Trigger{Action: s.Do.Strike, Target: g.Entities[near[0].Start]}
			}
		}
	}
	c.Close()
}

func TestABrawlIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int, seed uint64) (uint64, [frame.EventKinds]int64) {
		s := brawl(t, 1000, workers, seed)
		c := ecs.NewColumns(s.W, ecs.Need[components.Triggers]())
		for range 120 {
			s.fight(c)
			s.Frames(1)
		}
		var counts [frame.EventKinds]int64
		for kind := range frame.EventKind(frame.EventKinds) {
			counts[kind] = s.Events.Count(kind)
		}
		return s.Hash(), counts
	}
	want, counts := run(1, 4)
	assert.Greater(t, counts[frame.Strike], int64(500))
	assert.Greater(t, counts[frame.Death], int64(100))
	assert.Greater(t, counts[frame.Respawn], int64(100))
	for _, workers := range []int{1, 2, 4} {
		hash, again := run(workers, 4)
		assert.Equal(t, want, hash, "%d workers", workers)
		assert.Equal(t, counts, again)
	}
	other, _ := run(1, 5)
	assert.NotEqual(t, want, other)
}

func TestDyingAndComingBackDoesNotAllocate(t *testing.T) {
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
	before := s.Events.Count(frame.Respawn)
	allocs.None(t, 200, kill)
	assert.Greater(t, s.Events.Count(frame.Respawn)-before, int64(200))
}

func TestActionSystemsNameWhatIsMissing(t *testing.T) {
	for name, system := range map[string]ecs.System{"movement.System": &movement.System{}, "combat.System": &System{}} {
		w := arche.NewWorld()
		assert.PanicsWithValue(t, name+": the world has no *frame.Clock; call systems.Install", func() { system.Initialize(&w) })
	}
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

func TestASpawnAtTheSamePlaceIsNotTakenForAReturn(t *testing.T) {
	s := newStage(t, nil, 10, 1, 1)
	s.Combat.RespawnDelay = time.Second
	s.Combat.Initialize(s.W)
	s.Combat.Initialize(s.W) // a second time changes nothing
	prefab := ecs.NewPrefab(s.W, components.Transform{Heading: components.Vec2{X: 1}}, components.Fighter{Kind: 9}, components.Health{Current: 1, Max: 1})
	s.Combat.SetRespawn(0, prefab)
	commands := ecs.Resource[ecs.Commands](s.W, "test")
	var kinds []uint8
	commands.OnSpawn(func(_ *arche.World, e components.Entity, _ *ecs.Prefab) {
		kinds = append(kinds, ecs.Get[components.Fighter](s.W, e).Kind)
	})
	victim := s.fighter(2, components.Vec2{X: -7, Y: 4})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	s.Frames(10)
	commands.Queue(0).Spawn(components.Entity{}, prefab, components.Vec2{X: -7, Y: 4})
	s.Frames(10)
	assert.Equal(t, []uint8{9, 0}, kinds, "the stranger first, then who came back")
	assert.EqualValues(t, 1, s.Events.Count(frame.Respawn))
	s.Combat.Finalize(s.W)
	s.Combat.Finalize(s.W)
}

func TestReviveNeedsAPlace(t *testing.T) {
	s := newStage(t, nil, 10, 1, 1)
	assert.PanicsWithValue(t, "combat: System.SetRespawn of kind 3: the prefab has no components.Transform; add one",
		func() { s.Combat.SetRespawn(3, ecs.NewPrefab(s.W, components.Health{})) })
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
	assert.EqualValues(t, 1, s.Events.Count(frame.Strike), "but a strike")
	assert.Empty(t, s.Events.MergeNoises(), "silent")
	s.fire(one, components.Trigger{Action: s.Do.Strike, Target: two, Number: 5})
	s.Frames(2)
	assert.EqualValues(t, 95, s.health(two).Current, "a number of its own")
	assert.EqualValues(t, 2, ecs.Get[components.LOD](s.W, two).Importance, "the fight is over at once")
}

func TestWithoutARespawnDelayADeadAgentIsReplacedInTheSameFrame(t *testing.T) {
	s := arena(t, func(c *System) { c.RespawnDelay = -1 })
	s.Combat.SetRespawn(0, ecs.NewPrefab(s.W, components.Transform{}, components.Fighter{}, components.Health{Current: 1, Max: 1}))
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	s.Events.Hurt(0, components.Entity{}, victim, 1000)
	s.Frames(1)
	assert.False(t, ecs.Alive(s.W, victim))
	assert.EqualValues(t, 1, s.Events.Count(frame.Respawn))
}

func TestWakesDoNotPileUpWithoutALODSystem(t *testing.T) {
	s := arena(t, nil)
	victim := s.fighter(2, components.Vec2{X: 11, Y: 10})
	for range 9 {
		s.Events.Wake(0, victim)
		s.Commands.Update(s.W) // in one frame it counts once
		s.Frames(1)
	}
	assert.Less(t, len(s.Events.Workers[0].Wakes), 3)
}
