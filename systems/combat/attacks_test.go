package combat

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestAMeleeStrikesByTheClockUntilTheTargetIsDead(t *testing.T) {
	for _, fps := range []int{5, 10, 60, 250} {
		s := newStage(t, testworld.Plain(), fps, 1, 1)
		s.Combat.Initialize(s.W)
		one, two := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 11, Y: 10})
		order := s.attack(one, components.Order{Action: s.Do.Melee, Target: two, Numbers: [2]float32{25, 0.4}})
		s.Frames(1)
		assert.Equal(t, two, s.claim(one))
		assert.EqualValues(t, 100, s.health(two).Current, "it strikes from the next frame on")
		s.Frames(1)
		assert.EqualValues(t, 75, s.health(two).Current)
		s.Frames(fps * 2 / 5)
		assert.EqualValues(t, 50, s.health(two).Current, "0.4 s later, at %d frames per second", fps)
		s.Frames(fps * 2 / 5)
		assert.EqualValues(t, 25, s.health(two).Current)
		assert.Equal(t, components.Pending, order.Outcome)
		s.Frames(fps * 2 / 5)
		assert.False(t, ecs.Alive(s.W, two))
		s.Frames(1)
		assert.Equal(t, components.Succeeded, order.Outcome)
		assert.Zero(t, s.claim(one))
		assert.EqualValues(t, 4, s.Combat.Stats().Strikes)
		assert.EqualValues(t, 4, s.Events.Total(eventlist.Strike))
		shortest, ok := s.Combat.ShortestInterval()
		assert.True(t, ok)
		assert.EqualValues(t, 400e6, shortest)
	}
}

func TestAMeleeWithoutNumbersUsesTheSettings(t *testing.T) {
	s := arena(t, func(c *System) { c.Damage, c.StrikeInterval = 7, 500*time.Millisecond })
	one, two := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 11, Y: 10})
	s.attack(one, components.Order{Action: s.Do.Melee, Target: two, Numbers: [2]float32{-1, float32(math.Inf(1))}})
	s.Frames(2)
	assert.EqualValues(t, 93, s.health(two).Current)
	s.Frames(4)
	assert.EqualValues(t, 93, s.health(two).Current)
	s.Frames(1)
	assert.EqualValues(t, 86, s.health(two).Current)
	assert.Equal(t, one, s.health(two).HurtBy)
}

func TestAnAttackThatCannotBeMadeFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		target func(s *stage, attacker components.Entity) components.Entity
	}{
		{"no target", func(*stage, components.Entity) components.Entity { return components.Entity{} }},
		{"oneself", func(_ *stage, attacker components.Entity) components.Entity { return attacker }},
		{"an ally", func(s *stage, _ components.Entity) components.Entity {
			return s.soldier(1, components.Vec2{X: 11, Y: 10})
		}},
		{"one without health", func(s *stage, _ components.Entity) components.Entity {
			return s.Spawn(components.Vec2{X: 11, Y: 10})
		}},
		{"a dead target", func(s *stage, _ components.Entity) components.Entity {
			e := s.soldier(2, components.Vec2{X: 11, Y: 10})
			s.health(e).Current = 0
			return e
		}},
		{"a removed target", func(s *stage, _ components.Entity) components.Entity {
			e := s.soldier(2, components.Vec2{X: 11, Y: 10})
			s.W.RemoveEntity(ecs.ToArche(e))
			return e
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := arena(t, nil)
			attacker := s.soldier(1, components.Vec2{X: 10, Y: 10})
			target := c.target(s, attacker)
			for _, order := range []*components.Order{s.melee(attacker, target), s.shoot(attacker, target)} {
				s.Frames(1)
				assert.Equal(t, components.Failed, order.Outcome)
				assert.Zero(t, s.claim(attacker))
			}
		})
	}
}

func TestAnAttackWaitsForItsTargetAndGivesUp(t *testing.T) {
	s := arena(t, func(c *System) { alwaysHit(c); c.Patience = 2 * time.Second })
	one, two, three := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 13, Y: 10}),
		s.soldier(2, components.Vec2{X: 10, Y: 24.5})
	melee, shoot := s.melee(one, two), s.shoot(two, one)
	s.Frames(15)
	assert.Equal(t, components.Pending, melee.Outcome, "out of reach")
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.EqualValues(t, 90, s.health(one).Current, "in range")
	assert.Equal(t, components.Pending, shoot.Outcome)
	ecs.Get[components.Transform](s.W, two).Position.X = 11.5
	s.Frames(1)
	assert.EqualValues(t, 90, s.health(two).Current)
	ecs.Get[components.Transform](s.W, two).Position.X = 11.75
	s.Frames(27)
	assert.Equal(t, components.Pending, melee.Outcome, "it was ready 0.8 s after the strike; that was 1.9 s ago")
	s.Frames(1)
	assert.Equal(t, components.Failed, melee.Outcome)
	assert.Zero(t, s.claim(one))
	assert.Zero(t, s.attackers(two))

	shoot = s.shoot(three, one)
	s.Frames(20)
	assert.Equal(t, components.Pending, shoot.Outcome, "14.5 m")
	s.Frames(1)
	assert.Equal(t, components.Failed, shoot.Outcome)
	assert.EqualValues(t, 20, ecs.Get[components.Ammo](s.W, three).Left)
}

func TestAnotherOrderOnTheSameTargetBeginsAnew(t *testing.T) {
	s := arena(t, func(c *System) { c.Patience = 2 * time.Second })
	hunter, target := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 20, Y: 10})
	s.melee(hunter, target)
	s.Frames(16)
	order := s.melee(hunter, target)
	s.Frames(20)
	assert.Equal(t, components.Pending, order.Outcome, "1.9 s after the second order, 3.5 s after the first")
	s.Frames(1)
	assert.Equal(t, components.Failed, order.Outcome, "2 s after the second")

	s.melee(hunter, target)
	s.Frames(2)
	order = s.melee(hunter, target)
	s.Frames(1)
	s.health(target).Current = 0
	s.Frames(1)
	assert.Equal(t, components.Succeeded, order.Outcome, "the claim is that of the second order")
}

func TestAnAttackFollowsItsOrdersTarget(t *testing.T) {
	s := arena(t, func(c *System) { c.MaxAttackers = 1; c.Damage = 100 })
	one, two, three := s.soldier(2, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 11, Y: 10}),
		s.soldier(2, components.Vec2{X: 10, Y: 9})
	hunter, rival := s.soldier(1, components.Vec2{X: 10, Y: 10.5}), s.soldier(1, components.Vec2{X: 10, Y: 9.5})
	s.attack(rival, components.Order{Action: s.Do.Melee, Target: three, Numbers: [2]float32{1, 9}})
	s.melee(hunter, one)
	s.Frames(2)
	require.False(t, ecs.Alive(s.W, one))
	order := s.actOrder(hunter)
	order.Target = two // before the outcome was reported: the attack goes on with another
	s.Frames(1)
	assert.Equal(t, components.Pending, order.Outcome)
	assert.Equal(t, two, s.claim(hunter))
	assert.Equal(t, 1, s.attackers(two))
	order.Target = three
	s.Frames(1)
	assert.Equal(t, components.Failed, order.Outcome, "it has no place")
	assert.Zero(t, s.attackers(two))

	s.melee(hunter, two)
	s.Frames(8) // it was not ready before
	require.False(t, ecs.Alive(s.W, two))
	order = s.actOrder(hunter)
	order.Target = components.Entity{} // as the fact reads of one that died
	s.Frames(1)
	assert.Equal(t, components.Succeeded, order.Outcome)
	order = s.melee(hunter, two)
	s.Frames(1)
	assert.Equal(t, components.Failed, order.Outcome, "it was dead already")
}

func TestChangingTheTargetOrTheAttackIsNoFaster(t *testing.T) {
	s := arena(t, alwaysHit)
	one, two := s.soldier(2, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 11, Y: 10})
	hunter := s.soldier(1, components.Vec2{X: 10.5, Y: 10.5})
	for frame := range 120 { // 12 s
		target := one
		if frame%2 == 0 {
			target = two
		}
		if frame%3 == 0 {
			s.melee(hunter, target)
		} else {
			s.shoot(hunter, target)
		}
		s.Frames(1)
		s.Frames(1)
	}
	shortest, ok := s.Combat.ShortestInterval()
	assert.True(t, ok)
	assert.GreaterOrEqual(t, int64(shortest), int64(800e6))
	counts := s.Combat.Stats()
	assert.Positive(t, counts.Strikes)
	assert.Positive(t, counts.Shots)
}

// battle is a crowd in which every agent attacks a near agent of the other faction.
func battle(t testing.TB, agents, workers int) *stage {
	s := newStage(t, testworld.Plain(), 10, workers, 5)
	s.Combat.RespawnDelay, s.Combat.Reach, s.Combat.MaxAttackers = 500*time.Millisecond, 3, 2
	s.Combat.Initialize(s.W)
	for kind := range uint8(2) {
		p := ecs.NewPrefab(s.W,
			components.Transform{Heading: components.Vec2{X: 1}}, components.Body{Radius: 0.35, Speed: 1.4},
			components.Intent{},
			components.Steering{}, components.Faction{ID: kind + 1}, components.Health{Current: 30, Max: 30},
			components.Fighter{Kind: kind}, components.NewLOD(), components.Attack{}, components.Attacked{},
			components.NewAmmo(5))
		s.Combat.SetRespawn(kind, p)
		p.SpawnNow(s.W, agents/2, func(i int, e components.Entity) {
			ecs.Get[components.Transform](s.W, e).Position, _ = s.M.RandomPoint(random.Mix(5, uint64(i)), 0)
		})
	}
	return s
}

// engage makes every agent without an attack begin one.
func (s *stage) engage(c *ecs.Columns) {
	g := ecs.Resource[spatial.Grid](s.W)
	chunks := c.Open()
	for i := range chunks {
		intents := ecs.Column[components.Intent](&chunks[i], 0)
		for row, e := range chunks[i].Entities() {
			order := &intents[row].Orders[components.Act]
			slot, ok := g.Find(e)
			if !ok || order.Action != 0 && order.Outcome == components.Pending {
				continue
			}
			action, radius := s.Do.Melee, float32(2)
			if (e.Index+s.Clock.Frame)%2 == 0 {
				action, radius = s.Do.Shoot, 12 // at a target that others attack as well
			}
			if near := g.NearFaction(nil, 3-g.Factions[slot], g.Positions[slot], radius); len(near) > 0 {
				*order = components.Order{Action: action, Target: g.Entities[near[0].Start], Serial: order.Serial + 1}
			}
		}
	}
	c.Close()
}

func TestABattleIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int) (uint64, Stats) {
		s := battle(t, 1000, workers)
		c := ecs.NewColumns(s.W, ecs.Need[components.Intent]())
		for range 120 {
			s.engage(c)
			s.Frames(1)
		}
		return ecs.Hash(s.W), s.Combat.Stats()
	}
	want, counts := run(1)
	assert.Greater(t, counts.Strikes, int64(100))
	assert.Greater(t, counts.Shots, counts.Hits)
	assert.Greater(t, counts.Hits, int64(100))
	assert.Greater(t, counts.Refused, int64(100))
	assert.Equal(t, 2, counts.MostAttackers)
	for _, workers := range []int{1, 2, 4} {
		hash, again := run(workers)
		assert.Equal(t, want, hash, "%d workers", workers)
		assert.Equal(t, counts, again)
	}
}

func TestABattleDoesNotAllocate(t *testing.T) {
	s := battle(t, 400, 2)
	c := ecs.NewColumns(s.W, ecs.Need[components.Intent]())
	posted := 0
	frame := func() {
		chunks := c.Open()
		for i := range chunks {
			orders := ecs.Column[components.Intent](&chunks[i], 0)
			entities := chunks[i].Entities()
			for row := range entities { // at any agent, of either faction
				order := &orders[row].Orders[components.Act]
				if order.Outcome != components.Pending || order.Action == 0 {
					posted++
					target := entities[posted%len(entities)]
					*order = components.Order{Action: s.Do.Shoot, Target: target, Serial: order.Serial + 1}
				}
			}
		}
		c.Close()
		s.Frames(1)
	}
	for range 100 {
		frame()
	}
	before := s.Combat.Stats()
	allocs.None(t, 200, frame)
	assert.Greater(t, s.Combat.Stats().Granted-before.Granted, int64(200))
	assert.Greater(t, s.Combat.Stats().Shots-before.Shots, int64(50))
}

func BenchmarkBattle(b *testing.B) {
	s := battle(b, 10_000, 1)
	c := ecs.NewColumns(s.W, ecs.Need[components.Intent]())
	s.Frames(1)
	s.engage(c)
	for b.Loop() {
		s.Clock.Advance()
		s.Combat.Update(s.W)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/agent")
}
