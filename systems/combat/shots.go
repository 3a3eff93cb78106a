package combat

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/setting"
)

// Shots are the settings of ranged attacks. Begin with [DefaultShots]: in a value that is not entirely zero, a zero
// field means 0.
type Shots struct {
	Damage     int32         // hit points of a hit without a number; 0 or more
	Range      float32       // metres, above 0
	Interval   time.Duration // between two shots of an order without a number; above 0
	ChanceNear float32       // chance of a hit at no distance, 0…1
	ChanceFar  float32       // chance of a hit at Range, 0…1; linear between the two
	Noise      float32       // metres that a shot is heard, 0 or more; 0 is silent
}

// DefaultShots returns shots of 10 hit points with a range of 14 metres, one in 1.5 seconds. Their chance of a hit
// falls from 0.9 at no distance to 0.3 at the range, and they are heard for 30 metres.
func DefaultShots() Shots {
	return Shots{Damage: 10, Range: 14, Interval: 1500 * time.Millisecond, ChanceNear: 0.9, ChanceFar: 0.3, Noise: 30}
}

// require panics, naming the field, when a setting is out of range.
func (s *Shots) require(name string) {
	if s.Damage < 0 {
		panic(fmt.Sprintf("%s: Shots.Damage is %d; it must not be negative", name, s.Damage))
	}
	setting.RequireNonNegative(name, "Shots.Range", s.Range)
	setting.RequireNonNegative(name, "Shots.Noise", s.Noise)
	if s.Interval < 0 {
		panic(fmt.Sprintf("%s: Shots.Interval is %v; it must not be negative", name, s.Interval))
	}
	if s.Range == 0 || s.Interval == 0 {
		panic(fmt.Sprintf("%s: Shots of range %v and interval %v; both must be above 0; begin with DefaultShots",
			name, s.Range, s.Interval))
	}
	if !(s.ChanceNear >= 0 && s.ChanceNear <= 1 && s.ChanceFar >= 0 && s.ChanceFar <= 1) {
		panic(fmt.Sprintf("%s: Shots.ChanceNear is %v and Shots.ChanceFar %v; use chances of 0 to 1",
			name, s.ChanceNear, s.ChanceFar))
	}
}

// shoot fires a round at the order's target, from a distance in metres.
func (a *attacks) shoot(worker int, agent *attacker, distance float32) {
	c, w, shots := a.combat, &a.perWorker[worker], &a.combat.settings.shots
	agent.ammo.Set(agent.ammo.Left - 1)
	w.shots++
	chance := shots.ChanceNear + float32((shots.ChanceFar-shots.ChanceNear)*(distance/shots.Range))
	draw := random.Mix(random.Mix(a.seed, agent.entity.Key()), uint64(c.clock.Now))
	if random.Unit(draw) < chance {
		w.hits++
		c.events.Hurt(worker, agent.entity, agent.order.Target, damageOf(agent.order.Numbers[0], shots.Damage))
	}
	c.recordAttack(worker, agent.entity, agent.at, shots.Noise, agent.fighter, agent.lod)
}
