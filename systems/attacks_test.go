package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// soldier makes an agent with 100 points of health and 20 rounds that attacks and can be attacked.
func (s *stage) soldier(side uint8, at vec2, more ...any) components.Entity {
	return s.fighter(side, at, append([]any{
		components.Intent{}, components.Attack{}, components.Attacked{}, components.NewAmmo(20),
	}, more...)...)
}

// attack posts an act order.
func (s *stage) attack(e components.Entity, o components.Order) *components.Order {
	order := s.hands(e)
	o.Serial = order.Serial + 1
	*order = o
	return order
}

func (s *stage) hands(e components.Entity) *components.Order {
	return &ecs.Get[components.Intent](s.w, e).Orders[components.Act]
}

func (s *stage) melee(e, target components.Entity) *components.Order {
	return s.attack(e, components.Order{Action: s.do.Melee, Target: target})
}

func (s *stage) shoot(e, target components.Entity) *components.Order {
	return s.attack(e, components.Order{Action: s.do.Shoot, Target: target})
}

func (s *stage) claim(e components.Entity) components.Entity {
	return ecs.Get[components.Attack](s.w, e).Target
}

func (s *stage) attackers(e components.Entity) int {
	return int(ecs.Get[components.Attacked](s.w, e).Count)
}

// surely hits with every shot.
func surely(c *Combat) {
	c.Shots = DefaultShots()
	c.Shots.Near, c.Shots.Far = 1, 1
}

func TestAMeleeStrikesByTheClockUntilTheTargetIsDead(t *testing.T) {
	for _, fps := range []int{5, 10, 60, 250} {
		s := newStage(t, plain(), fps, 1, 1)
		s.combat.Initialize(s.w)
		one, two := s.soldier(1, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 11, Y: 10})
		order := s.attack(one, components.Order{Action: s.do.Melee, Target: two, Numbers: [2]float32{25, 0.4}})
		s.frames(1)
		assert.Equal(t, two, s.claim(one))
		assert.EqualValues(t, 100, s.health(two).Current, "it strikes from the next frame on")
		s.frames(1)
		assert.EqualValues(t, 75, s.health(two).Current)
		s.frames(fps * 2 / 5)
		assert.EqualValues(t, 50, s.health(two).Current, "0.4 s later, at %d frames per second", fps)
		s.frames(fps * 2 / 5)
		assert.EqualValues(t, 25, s.health(two).Current)
		assert.Equal(t, components.Pending, order.Outcome)
		s.frames(fps * 2 / 5)
		assert.False(t, ecs.Alive(s.w, two))
		s.frames(1)
		assert.Equal(t, components.Succeeded, order.Outcome)
		assert.Zero(t, s.claim(one))
		assert.EqualValues(t, 4, s.combat.Counts().Strikes)
		assert.EqualValues(t, 4, s.events.Count(Strike))
		shortest, ok := s.combat.ShortestInterval()
		assert.True(t, ok)
		assert.EqualValues(t, 400e6, shortest)
	}
}

func TestAMeleeHasCombatsOwnNumbersWhereItHasNone(t *testing.T) {
	s := arena(t, func(c *Combat) { c.Damage, c.Interval = 7, 0.5 })
	one, two := s.soldier(1, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 11, Y: 10})
	s.attack(one, components.Order{Action: s.do.Melee, Target: two, Numbers: [2]float32{-1, float32(math.Inf(1))}})
	s.frames(2)
	assert.EqualValues(t, 93, s.health(two).Current)
	s.frames(4)
	assert.EqualValues(t, 93, s.health(two).Current)
	s.frames(1)
	assert.EqualValues(t, 86, s.health(two).Current)
	assert.Equal(t, one, s.health(two).HurtBy)
}

func TestAnAttackThatCannotBeMadeFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		target func(s *stage, attacker components.Entity) components.Entity
	}{
		{"nobody", func(*stage, components.Entity) components.Entity { return components.Entity{} }},
		{"oneself", func(_ *stage, attacker components.Entity) components.Entity { return attacker }},
		{"an ally", func(s *stage, _ components.Entity) components.Entity { return s.soldier(1, vec2{X: 11, Y: 10}) }},
		{"one without health", func(s *stage, _ components.Entity) components.Entity { return s.spawn(vec2{X: 11, Y: 10}) }},
		{"one who is dead", func(s *stage, _ components.Entity) components.Entity {
			e := s.soldier(2, vec2{X: 11, Y: 10})
			s.health(e).Current = 0
			return e
		}},
		{"one who was removed", func(s *stage, _ components.Entity) components.Entity {
			e := s.soldier(2, vec2{X: 11, Y: 10})
			s.w.RemoveEntity(ecs.ToArche(e))
			return e
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := arena(t, nil)
			attacker := s.soldier(1, vec2{X: 10, Y: 10})
			target := c.target(s, attacker)
			for _, order := range []*components.Order{s.melee(attacker, target), s.shoot(attacker, target)} {
				s.frames(1)
				assert.Equal(t, components.Failed, order.Outcome)
				assert.Zero(t, s.claim(attacker))
			}
		})
	}
}

func TestAnAttackWaitsForItsTargetAndGivesUp(t *testing.T) {
	s := arena(t, func(c *Combat) { surely(c); c.Patience = 2 })
	one, two, three := s.soldier(1, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 13, Y: 10}), s.soldier(2, vec2{X: 10, Y: 24.5})
	melee, shoot := s.melee(one, two), s.shoot(two, one)
	s.frames(15)
	assert.Equal(t, components.Pending, melee.Outcome, "out of reach")
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.EqualValues(t, 90, s.health(one).Current, "in range")
	assert.Equal(t, components.Pending, shoot.Outcome)
	ecs.Get[components.Transform](s.w, two).Position.X = 11.5
	s.frames(1)
	assert.EqualValues(t, 90, s.health(two).Current)
	ecs.Get[components.Transform](s.w, two).Position.X = 11.75
	s.frames(27)
	assert.Equal(t, components.Pending, melee.Outcome, "it was ready 0.8 s after the strike; that was 1.9 s ago")
	s.frames(1)
	assert.Equal(t, components.Failed, melee.Outcome)
	assert.Zero(t, s.claim(one))
	assert.Zero(t, s.attackers(two))

	shoot = s.shoot(three, one)
	s.frames(20)
	assert.Equal(t, components.Pending, shoot.Outcome, "14.5 m")
	s.frames(1)
	assert.Equal(t, components.Failed, shoot.Outcome)
	assert.EqualValues(t, 20, ecs.Get[components.Ammo](s.w, three).Left)
}

func TestAWallIsInTheWayOfAShot(t *testing.T) {
	m := plain()
	m.Set(13, 10, Wall)
	m.Set(13, 20, Water)
	s := newStage(t, m, 10, 1, 1)
	surely(s.combat)
	s.combat.Initialize(s.w)
	one, two := s.soldier(1, vec2{X: 10, Y: 10.5}), s.soldier(2, vec2{X: 16, Y: 10.5})
	three, four := s.soldier(1, vec2{X: 10, Y: 20.5}), s.soldier(2, vec2{X: 16, Y: 20.5})
	behind := s.shoot(one, two)
	s.shoot(three, four)
	s.frames(10)
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.EqualValues(t, 20, ecs.Get[components.Ammo](s.w, one).Left)
	assert.EqualValues(t, 90, s.health(four).Current, "water is shot across")
	ecs.Get[components.Transform](s.w, two).Position.Y = 14
	s.frames(1)
	assert.EqualValues(t, 90, s.health(two).Current, "it stepped out")
	assert.Equal(t, components.Pending, behind.Outcome)
}

func TestEveryShotTakesARound(t *testing.T) {
	s := arena(t, surely)
	one, two := s.soldier(1, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 20, Y: 10})
	ammo := ecs.Get[components.Ammo](s.w, one)
	*ammo = components.NewAmmo(4)
	assert.Equal(t, components.Ammo{Left: 4, Max: 4, Fraction: 1}, *ammo)
	order := s.attack(one, components.Order{Action: s.do.Shoot, Target: two, Numbers: [2]float32{3, 0.2}})
	s.frames(2)
	assert.Equal(t, components.Ammo{Left: 3, Max: 4, Fraction: 0.75}, *ammo)
	assert.EqualValues(t, 97, s.health(two).Current)
	s.frames(7)
	assert.Equal(t, components.Ammo{Left: 0, Max: 4, Fraction: 0}, *ammo)
	assert.EqualValues(t, 88, s.health(two).Current)
	assert.Equal(t, components.Failed, order.Outcome, "there is none left")
	assert.Equal(t, CombatCounts{Shots: 4, Hits: 4, Granted: 1, MostAttackers: 1}, s.combat.Counts())
	assert.Zero(t, s.events.Count(Strike))

	s.shoot(one, two)
	s.frames(1)
	assert.Equal(t, components.Failed, order.Outcome)
	ammo.Set(9)
	assert.Equal(t, components.Ammo{Left: 4, Max: 4, Fraction: 1}, *ammo, "no more than it holds")
	s.melee(two, one)
	s.frames(1)
	unarmed := s.fighter(1, vec2{X: 10, Y: 12}, components.Intent{}, components.Attack{})
	order = s.shoot(unarmed, two)
	s.frames(1)
	assert.Equal(t, components.Failed, order.Outcome)
	assert.Equal(t, components.Ammo{}, components.NewAmmo(0))
}

func TestTheChanceToHitFallsWithTheDistance(t *testing.T) {
	const shooters, rounds = 400, 50
	for _, c := range []struct{ distance, chance float64 }{{0, 0.8}, {5, 0.5}, {10, 0.2}} {
		s := newStage(t, nil, 10, 1, 3)
		s.combat.MaxAttackers, s.combat.Clash = 255, -1
		s.combat.Shots = Shots{Damage: 1, Range: 10, Interval: 0.1, Near: 0.8, Far: 0.2}
		s.combat.Initialize(s.w)
		targets := make([]components.Entity, 8)
		for i := range targets {
			targets[i] = s.soldier(2, vec2{X: float32(c.distance)})
			s.health(targets[i]).Current = math.MaxInt32
		}
		for i := range shooters {
			e := s.soldier(1, vec2{})
			*ecs.Get[components.Ammo](s.w, e) = components.NewAmmo(1000)
			s.shoot(e, targets[i%8])
		}
		for range 1 + rounds { // without locomotion, which would push them apart
			s.clock.Advance()
			s.combat.Update(s.w)
		}
		counts := s.combat.Counts()
		require.EqualValues(t, shooters*rounds, counts.Shots)
		deviation := math.Sqrt(c.chance * (1 - c.chance) / (shooters * rounds))
		assert.InDelta(t, c.chance, float64(counts.Hits)/(shooters*rounds), 4*deviation, "at %v m", c.distance)
		lost := int64(0)
		for _, e := range targets {
			lost += math.MaxInt32 - int64(s.health(e).Current)
		}
		assert.Equal(t, counts.Hits, lost)
		assert.Empty(t, s.events.MergeNoises(), "these shots are silent")
	}
}

func TestClaimsAreGrantedInTheOrderOfAttackers(t *testing.T) {
	s := arena(t, func(c *Combat) { c.MaxAttackers = 3 })
	target := s.soldier(2, vec2{X: 10, Y: 10})
	var gang []components.Entity
	for i := range 6 {
		at := vec2{X: 10 + float32(i)*0.1, Y: 11}
		if i%2 == 0 { // every other one is stored elsewhere
			gang = append(gang, s.soldier(1, at))
		} else {
			gang = append(gang, s.soldier(1, at, components.Route{}))
		}
	}
	orders := make([]*components.Order, len(gang))
	for _, i := range []int{5, 1, 3, 0, 4, 2} {
		orders[i] = s.melee(gang[i], target)
	}
	s.frames(1)
	for i, e := range gang {
		if i < 3 {
			assert.Equal(t, components.Pending, orders[i].Outcome)
			assert.Equal(t, target, s.claim(e))
		} else {
			assert.Equal(t, components.Failed, orders[i].Outcome, "there are three places")
			assert.Zero(t, s.claim(e))
		}
	}
	assert.Equal(t, 3, s.attackers(target))
	assert.Equal(t, CombatCounts{Granted: 3, Refused: 3, MostAttackers: 3}, s.combat.Counts())

	s.melee(gang[5], target)
	s.frames(1)
	assert.Equal(t, components.Failed, orders[5].Outcome, "those who hold a place keep it")
	for _, e := range gang[3:] {
		s.shoot(e, target)
	}
	s.frames(1)
	assert.Equal(t, components.Failed, orders[3].Outcome, "shots take places too")

	// Who goes over to another attack keeps the place, even from those who come first in the order.
	s.attack(gang[0], components.Order{})
	s.shoot(gang[2], target)
	s.melee(gang[3], target)
	s.frames(1)
	s.melee(gang[0], target)
	s.melee(gang[2], target)
	s.frames(1)
	assert.Equal(t, components.Failed, orders[0].Outcome, "its place was free and is taken")
	for _, i := range []int{1, 2, 3} {
		assert.Equal(t, target, s.claim(gang[i]))
	}
	assert.Equal(t, 3, s.combat.Counts().MostAttackers)
}

func TestAPlaceBecomesFreeHoweverItsHolderGoes(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(t *testing.T, s *stage, holder, other components.Entity)
		late int // frames until it is known
	}{
		{"the order ends", func(_ *testing.T, s *stage, holder, _ components.Entity) { s.attack(holder, components.Order{}) }, 1},
		{"the order's target changes", func(_ *testing.T, s *stage, holder, other components.Entity) {
			s.hands(holder).Target = other
		}, 1},
		{"another action takes the hands", func(_ *testing.T, s *stage, holder, other components.Entity) {
			s.attack(holder, components.Order{Action: 99, Target: other})
		}, 1},
		{"it dies", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			s.events.Hurt(0, components.Entity{}, holder, 1000)
		}, 1},
		{"it is used up", func(_ *testing.T, s *stage, holder, _ components.Entity) { s.health(holder).Current = 0 }, 1},
		{"it is removed by a command", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Resource[ecs.Commands](s.w, "test").Queue(0).Remove(holder, holder)
			s.commands.Update(s.w)
		}, 0},
		{"it is removed", func(_ *testing.T, s *stage, holder, _ components.Entity) { s.w.RemoveEntity(ecs.ToArche(holder)) }, 1},
		{"it is removed after it has lost what an attacker needs", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			queue := ecs.Resource[ecs.Commands](s.w, "test").Queue(0)
			ecs.Drop[components.Intent](queue, holder, holder)
			s.commands.Update(s.w)
			s.frames(1)
			queue.Remove(holder, holder)
			s.commands.Update(s.w)
		}, 0},
		{"its tree is swapped", func(t *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Resource[ecs.Commands](s.w, "test").Queue(0).SetTree(holder, holder, 0, 128)
			s.commands.Update(s.w)
			assert.Equal(t, 1, s.attackers(s.hands(holder).Target), "at once")
			s.attack(holder, components.Order{}) // as the AI does at a swap
		}, 0},
		{"it changes sides", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Get[components.Faction](s.w, holder).ID = 2
		}, 1},
		{"it lays down its arms", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Drop[components.Attack](ecs.Resource[ecs.Commands](s.w, "test").Queue(0), holder, holder)
			s.commands.Update(s.w)
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := arena(t, func(c *Combat) { c.MaxAttackers = 2; c.Damage = 1 })
			target, other := s.soldier(2, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 11, Y: 10})
			one, three := s.soldier(1, vec2{X: 10, Y: 11}), s.soldier(1, vec2{X: 9, Y: 10})
			two := s.soldier(1, vec2{X: 10, Y: 9}, components.NewMind64(0))
			s.melee(one, target)
			s.melee(two, target)
			s.frames(2)
			require.Equal(t, 2, s.attackers(target))
			require.Zero(t, s.attackers(other))
			c.end(t, s, two, other)
			s.frames(c.late)
			assert.Equal(t, 1, s.attackers(target))
			order := s.melee(three, target)
			s.frames(1)
			assert.Equal(t, components.Pending, order.Outcome)
			assert.Equal(t, target, s.claim(three))
		})
	}
}

func TestAnAttackFollowsItsOrdersTarget(t *testing.T) {
	s := arena(t, func(c *Combat) { c.MaxAttackers = 1; c.Damage = 100 })
	one, two, three := s.soldier(2, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 11, Y: 10}), s.soldier(2, vec2{X: 10, Y: 9})
	hunter, rival := s.soldier(1, vec2{X: 10, Y: 10.5}), s.soldier(1, vec2{X: 10, Y: 9.5})
	s.attack(rival, components.Order{Action: s.do.Melee, Target: three, Numbers: [2]float32{1, 9}})
	s.melee(hunter, one)
	s.frames(2)
	require.False(t, ecs.Alive(s.w, one))
	order := s.hands(hunter)
	order.Target = two // before the outcome was reported: the attack goes on with another
	s.frames(1)
	assert.Equal(t, components.Pending, order.Outcome)
	assert.Equal(t, two, s.claim(hunter))
	assert.Equal(t, 1, s.attackers(two))
	order.Target = three
	s.frames(1)
	assert.Equal(t, components.Failed, order.Outcome, "it has no place")
	assert.Zero(t, s.attackers(two))

	s.melee(hunter, two)
	s.frames(8) // it was not ready before
	require.False(t, ecs.Alive(s.w, two))
	order = s.hands(hunter)
	order.Target = components.Entity{} // as the fact reads of one that died
	s.frames(1)
	assert.Equal(t, components.Succeeded, order.Outcome)
	order = s.melee(hunter, two)
	s.frames(1)
	assert.Equal(t, components.Failed, order.Outcome, "it was dead already")
}

func TestTurningFromOneTargetOrAttackToAnotherIsNoFaster(t *testing.T) {
	s := arena(t, surely)
	one, two := s.soldier(2, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 11, Y: 10})
	hunter := s.soldier(1, vec2{X: 10.5, Y: 10.5})
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
		s.frames(1)
		s.frames(1)
	}
	shortest, ok := s.combat.ShortestInterval()
	assert.True(t, ok)
	assert.GreaterOrEqual(t, int64(shortest), int64(800e6))
	counts := s.combat.Counts()
	assert.Positive(t, counts.Strikes)
	assert.Positive(t, counts.Shots)
}

func TestAShotIsHeardAndRaisesTheAlarm(t *testing.T) {
	s := arena(t, func(c *Combat) { c.Shots = DefaultShots(); c.Shots.Near, c.Shots.Far = 0, 0 })
	one, two := s.soldier(1, vec2{X: 10, Y: 10}), s.soldier(2, vec2{X: 20, Y: 10})
	s.shoot(one, two)
	s.frames(1)
	s.clock.Advance()
	s.combat.Update(s.w)
	assert.Equal(t, []Noise{{Source: one, At: vec2{X: 10, Y: 10}, Loudness: 30}}, s.events.MergeNoises())
	assert.EqualValues(t, 0, ecs.Get[components.LOD](s.w, one).Importance)
	assert.EqualValues(t, 2, ecs.Get[components.LOD](s.w, two).Importance, "it was missed")
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.Equal(t, CombatCounts{Shots: 1, Granted: 1, MostAttackers: 1}, s.combat.Counts())
}

func TestMostAttackersIsAtMost255(t *testing.T) {
	s := arena(t, func(c *Combat) { c.MaxAttackers = 255 })
	target := s.soldier(2, vec2{X: 10, Y: 10})
	for range 300 {
		s.melee(s.soldier(1, vec2{X: 10, Y: 20}), target)
	}
	s.frames(2)
	assert.Equal(t, 255, s.attackers(target))
	assert.EqualValues(t, 45, s.combat.Counts().Refused)
}

func TestSettingsOfShotsThatAreNoUsefulNumbersAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	for want, change := range map[string]func(c *Combat){
		"Interval is NaN":         func(c *Combat) { c.Interval = nan },
		"Patience is -1":          func(c *Combat) { c.Patience = -1 },
		"Shots.Damage is -1":      func(c *Combat) { c.Shots.Damage = -1 },
		"Shots.Range is NaN":      func(c *Combat) { c.Shots.Range = nan },
		"Shots.Interval is -2":    func(c *Combat) { c.Shots.Interval = -2 },
		"Shots.Noise is NaN":      func(c *Combat) { c.Shots.Noise = nan },
		"Shots of range 0":        func(c *Combat) { c.Shots.Range = 0 },
		"Shots.Near is 1.5":       func(c *Combat) { c.Shots.Near = 1.5 },
		"Shots.Near is 0.9 and S": func(c *Combat) { c.Shots.Far = nan },
	} {
		c := &Combat{Shots: DefaultShots()}
		change(c)
		assert.Contains(t, panicOf(func() { c.Initialize(nil) }), "systems.Combat: "+want)
	}
}

// battle is a crowd in which everyone attacks whoever of the other side is near.
func battle(t testing.TB, agents, workers int) *stage {
	s := newStage(t, plain(), 10, workers, 5)
	s.combat.ReviveTime, s.combat.Reach, s.combat.MaxAttackers = 0.5, 3, 2
	s.combat.Initialize(s.w)
	for kind := range uint8(2) {
		p := ecs.NewPrefab(s.w,
			components.Transform{Heading: vec2{X: 1}}, components.Body{Radius: 0.35, Speed: 1.4}, components.Intent{},
			components.Steering{}, components.Faction{ID: kind + 1}, components.Health{Current: 30, Max: 30},
			components.Fighter{Kind: kind}, components.NewLOD(), components.Attack{}, components.Attacked{}, components.NewAmmo(5))
		s.combat.Revive(kind, p)
		p.SpawnNow(s.w, agents/2, func(i int, e components.Entity) {
			ecs.Get[components.Transform](s.w, e).Position, _ = s.m.RandomPoint(random.Mix(5, uint64(i)))
		})
	}
	return s
}

// engage makes everyone who has no attack begin one.
func (s *stage) engage(c *ecs.Columns) {
	g := s.locomotion.grid
	chunks := c.Open()
	for i := range chunks {
		intents := ecs.Column[components.Intent](&chunks[i], 0)
		for row, e := range chunks[i].Entities() {
			order := &intents[row].Orders[components.Act]
			slot, ok := g.Find(e)
			if !ok || order.Action != 0 && order.Outcome == components.Pending {
				continue
			}
			action, radius := s.do.Melee, float32(2)
			if (e.Index+s.clock.Frame)%2 == 0 {
				action, radius = s.do.Shoot, 12 // at one whom many others are near too
			}
			if near := g.NearFaction(nil, 3-g.Factions[slot], g.Positions[slot], radius); len(near) > 0 {
				*order = components.Order{Action: action, Target: g.Entities[near[0].Start], Serial: order.Serial + 1}
			}
		}
	}
	c.Close()
}

func TestABattleIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int) (uint64, CombatCounts) {
		s := battle(t, 1000, workers)
		c := ecs.NewColumns(s.w, ecs.Need[components.Intent]())
		for range 120 {
			s.engage(c)
			s.frames(1)
		}
		return ecs.Hash(s.w), s.combat.Counts()
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
	c := ecs.NewColumns(s.w, ecs.Need[components.Intent]())
	posted := 0
	frame := func() {
		chunks := c.Open()
		for i := range chunks {
			orders := ecs.Column[components.Intent](&chunks[i], 0)
			entities := chunks[i].Entities()
			for row := range entities { // at somebody, of whichever side
				order := &orders[row].Orders[components.Act]
				if order.Outcome != components.Pending || order.Action == 0 {
					posted++
					target := entities[posted%len(entities)]
					*order = components.Order{Action: s.do.Shoot, Target: target, Serial: order.Serial + 1}
				}
			}
		}
		c.Close()
		s.frames(1)
	}
	for range 100 {
		frame()
	}
	before := s.combat.Counts()
	allocs.None(t, 200, frame)
	assert.Greater(t, s.combat.Counts().Granted-before.Granted, int64(200))
	assert.Greater(t, s.combat.Counts().Shots-before.Shots, int64(50))
}

func BenchmarkBattle(b *testing.B) {
	s := battle(b, 10_000, 1)
	c := ecs.NewColumns(s.w, ecs.Need[components.Intent]())
	s.frames(1)
	s.engage(c)
	for b.Loop() {
		s.clock.Advance()
		s.combat.Update(s.w)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/agent")
}
