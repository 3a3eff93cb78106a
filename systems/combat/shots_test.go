package combat

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestAWallBlocksAShot(t *testing.T) {
	m := testworld.Plain()
	m.Set(13, 10, space.Wall)
	m.Set(13, 20, space.Water)
	s := newStage(t, m, 10, 1, 1)
	alwaysHit(s.Combat)
	s.Combat.Initialize(s.W)
	one, two := s.soldier(1, components.Vec2{X: 10, Y: 10.5}), s.soldier(2, components.Vec2{X: 16, Y: 10.5})
	three, four := s.soldier(1, components.Vec2{X: 10, Y: 20.5}), s.soldier(2, components.Vec2{X: 16, Y: 20.5})
	hidden := s.shoot(one, two)
	s.shoot(three, four)
	s.Frames(10)
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.EqualValues(t, 20, ecs.Get[components.Ammo](s.W, one).Left)
	assert.EqualValues(t, 90, s.health(four).Current, "water is shot across")
	ecs.Get[components.Transform](s.W, two).Position.Y = 14
	s.Frames(1)
	assert.EqualValues(t, 90, s.health(two).Current, "it stepped out")
	assert.Equal(t, components.Pending, hidden.Outcome)
}

func TestEveryShotTakesARound(t *testing.T) {
	s := arena(t, alwaysHit)
	one, two := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 20, Y: 10})
	ammo := ecs.Get[components.Ammo](s.W, one)
	*ammo = components.NewAmmo(4)
	assert.Equal(t, components.Ammo{Left: 4, Max: 4, Fraction: 1}, *ammo)
	order := s.attack(one, components.Order{Action: s.Do.Shoot, Target: two, Numbers: [2]float32{3, 0.2}})
	s.Frames(2)
	assert.Equal(t, components.Ammo{Left: 3, Max: 4, Fraction: 0.75}, *ammo)
	assert.EqualValues(t, 97, s.health(two).Current)
	s.Frames(7)
	assert.Equal(t, components.Ammo{Left: 0, Max: 4, Fraction: 0}, *ammo)
	assert.EqualValues(t, 88, s.health(two).Current)
	assert.Equal(t, components.Failed, order.Outcome, "there is none left")
	assert.Equal(t, Stats{Shots: 4, Hits: 4, Granted: 1, MostAttackers: 1}, s.Combat.Stats())
	assert.Zero(t, s.Events.Total(eventlist.Strike))

	s.shoot(one, two)
	s.Frames(1)
	assert.Equal(t, components.Failed, order.Outcome)
	ammo.Set(9)
	assert.Equal(t, components.Ammo{Left: 4, Max: 4, Fraction: 1}, *ammo, "no more than it holds")
	s.melee(two, one)
	s.Frames(1)
	unarmed := s.fighter(1, components.Vec2{X: 10, Y: 12}, components.Intent{}, components.Attack{})
	order = s.shoot(unarmed, two)
	s.Frames(1)
	assert.Equal(t, components.Failed, order.Outcome)
	assert.Equal(t, components.Ammo{}, components.NewAmmo(0))
}

func TestTheChanceToHitFallsWithTheDistance(t *testing.T) {
	const shooters, rounds = 400, 50
	for _, c := range []struct{ distance, chance float64 }{{0, 0.8}, {5, 0.5}, {10, 0.2}} {
		s := newStage(t, nil, 10, 1, 3)
		s.Combat.MaxAttackers, s.Combat.StrikeNoise = 255, -1
		s.Combat.Shots = Shots{Damage: 1, Range: 10, Interval: 100 * time.Millisecond, ChanceNear: 0.8, ChanceFar: 0.2}
		s.Combat.Initialize(s.W)
		targets := make([]components.Entity, 8)
		for i := range targets {
			targets[i] = s.soldier(2, components.Vec2{X: float32(c.distance)})
			s.health(targets[i]).Current = math.MaxInt32
		}
		for i := range shooters {
			e := s.soldier(1, components.Vec2{})
			*ecs.Get[components.Ammo](s.W, e) = components.NewAmmo(1000)
			s.shoot(e, targets[i%8])
		}
		for range 1 + rounds { // without movement, which would separate them
			s.Clock.Advance()
			s.Combat.Update(s.W)
		}
		counts := s.Combat.Stats()
		require.EqualValues(t, shooters*rounds, counts.Shots)
		deviation := math.Sqrt(c.chance * (1 - c.chance) / (shooters * rounds))
		assert.InDelta(t, c.chance, float64(counts.Hits)/(shooters*rounds), 4*deviation, "at %v m", c.distance)
		lost := int64(0)
		for _, e := range targets {
			lost += math.MaxInt32 - int64(s.health(e).Current)
		}
		assert.Equal(t, counts.Hits, lost)
		assert.Empty(t, s.Events.Noises(), "these shots are silent")
	}
}

func TestAShotIsHeardAndRaisesTheImportance(t *testing.T) {
	s := arena(t, func(c *System) { c.Shots = DefaultShots(); c.Shots.ChanceNear, c.Shots.ChanceFar = 0, 0 })
	one, two := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 20, Y: 10})
	s.shoot(one, two)
	s.Frames(1)
	s.Clock.Advance()
	s.Combat.Update(s.W)
	assert.Equal(t, []eventlist.Noise{{Source: one, At: components.Vec2{X: 10, Y: 10}, Loudness: 30}},
		s.Events.Noises())
	assert.EqualValues(t, 0, ecs.Get[components.LOD](s.W, one).Importance)
	assert.EqualValues(t, 2, ecs.Get[components.LOD](s.W, two).Importance, "it was missed")
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.Equal(t, Stats{Shots: 1, Granted: 1, MostAttackers: 1}, s.Combat.Stats())
}

func TestSettingsOfShotsOutOfRangeAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	for want, change := range map[string]func(c *System){
		"Shots.Damage is -1":            func(c *System) { c.Shots.Damage = -1 },
		"Shots.Range is NaN":            func(c *System) { c.Shots.Range = nan },
		"Shots.Interval is -2s":         func(c *System) { c.Shots.Interval = -2 * time.Second },
		"Shots.Noise is NaN":            func(c *System) { c.Shots.Noise = nan },
		"Shots of range 0":              func(c *System) { c.Shots.Range = 0 },
		"Shots.ChanceNear is 1.5":       func(c *System) { c.Shots.ChanceNear = 1.5 },
		"Shots.ChanceNear is 0.9 and S": func(c *System) { c.Shots.ChanceFar = nan },
	} {
		c := &System{Shots: DefaultShots()}
		change(c)
		assert.Contains(t, testworld.PanicOf(func() { c.Initialize(nil) }), "combat.System: "+want)
	}
}
