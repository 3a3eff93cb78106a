package sim

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/combat"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
	"github.com/flockwork-ai/flockwork/utility"
)

// skirmishSides are the sides of the skirmish scenario, by the edge of the map along which they begin; a side's faction
// is its place here plus one.
var skirmishSides = [2]string{"west", "east"}

// What a skirmish is made of.
const (
	squadSize       = 10   // soldiers that share a patrol route
	soldierRounds   = 12   // of ammunition
	skirmishStrip   = 0.25 // of the map's width, along its edge, in which a side begins
	skirmishDraws   = 256  // points that are drawn until one lies in a strip
	skirmishStrikes = 20   // points of a strike
)

func setUpSkirmish(s *Simulation) error {
	if _, err := action.Register(s.actions); err != nil {
		return err
	}
	s.Combat = skirmishCombat()
	var started [2]int
	var factions [2]uint8
	for side := range skirmishSides {
		started[side], factions[side] = (s.Config.Agents+1-side)/2, uint8(side)+1
	}
	// They remember what they have seen, which takes room that the larger crowd of a siege would rather save.
	if _, err := s.addSoldiers(started, factions, SoldierBrain().RescoreBeyond(SoldierRescores)); err != nil {
		return err
	}
	s.conclude = append(s.conclude, func(r *Report) { r.Skirmish = skirmishReport(s, started) })
	s.schedule.Add(stageLOD, s.LOD)
	s.schedule.Add(stagePerception, &spatial.GridSystem{})
	s.schedule.Add(stagePerception, &perception.System{})
	s.schedule.Add(stageAI, s.AI)
	s.schedule.Add(stageActions, &movement.System{})
	s.schedule.Add(stageActions, s.Combat)
	s.schedule.Add(stageCommands, &frame.CommandSystem{})
	return nil
}

func skirmishCombat() *combat.System {
	return &combat.System{Damage: skirmishStrikes, MaxAttackers: SoldierAttackers}
}

// addSoldiers musters soldiers along the two edges of the map and returns the prefab of each side.
func (s *Simulation) addSoldiers(count [2]int, faction [2]uint8, definition *utility.Definition) (
	prefabs [2]*ecs.Prefab, err error,
) {
	programs := ecs.Resource[ai.Programs](s.World, "sim")
	routes := ecs.Resource[space.Routes](s.World, "sim")
	brain, err := utility.Build("soldier", definition)
	if err != nil {
		return prefabs, err
	}
	soldier, err := addTree(programs, s.actions, "soldier", SoldierTree(brain))
	if err != nil {
		return prefabs, err
	}
	for side := range skirmishSides {
		prefabs[side] = ecs.NewPrefab(s.World, append(fighter(faction[side], soldierKind, programs.Mind(soldier)),
			// The tree heeds no noise, so they hear none: it would only wake them.
			components.Senses{Sight: 14, Lose: 18, Cone: 0, Hearing: 0, Memory: 5}, components.Candidates{},
			components.Route{}, components.Attack{}, components.Attacked{}, components.NewAmmo(soldierRounds))...)
		if err := musterSide(s, side, count[side], prefabs[side], routes); err != nil {
			return prefabs, err
		}
	}
	return prefabs, nil
}

// musterSide puts a side's soldiers along their edge of the map, in squads of neighbours. The patrol of a squad leads
// into the enemy's strip, and then to and fro, so that in the end those who are left find each other.
func musterSide(s *Simulation, side, soldiers int, prefab *ecs.Prefab, routes *space.Routes) error {
	key := random.Mix(random.Mix(s.Config.Seed, random.String("skirmish")), uint64(side))
	places := make([]components.Vec2, soldiers)
	for i := range places {
		at, ok := pointInStrip(s.Map, side, random.Mix(key, uint64(i)))
		if !ok {
			return fmt.Errorf("the map has no passable tile")
		}
		places[i] = at
	}
	byPlace := zOrder(soldiers, func(i int) components.Vec2 { return places[i] })
	first := int32(routes.Len())
	for squad := range (soldiers + squadSize - 1) / squadSize {
		draw := random.Mix(key, ^uint64(squad))
		far, _ := pointInStrip(s.Map, 1-side, random.Mix(draw, 0))
		middle, _ := s.Map.RandomPoint(random.Mix(draw, 1))
		again, _ := pointInStrip(s.Map, 1-side, random.Mix(draw, 2))
		near, _ := pointInStrip(s.Map, side, random.Mix(draw, 3))
		routes.Add([]components.Vec2{far, middle, again, near})
	}
	heading := components.Vec2{X: float32(1 - 2*side)} // towards the enemy
	prefab.SpawnNow(s.World, soldiers, func(i int, e components.Entity) {
		*ecs.Get[components.Transform](s.World, e) = components.Transform{
			Position: places[byPlace[i]], Heading: heading,
		}
		ecs.Get[components.Route](s.World, e).ID = first + int32(i/squadSize)
	})
	return nil
}

// pointInStrip draws a point that can be stood on along a side's edge of the map; where that is hard to find, the
// nearest to the edge of those drawn.
func pointInStrip(m *space.Map, side int, key uint64) (best components.Vec2, ok bool) {
	width := float32(m.Width)
	nearest := width
	for draw := range uint64(skirmishDraws) {
		at, found := m.RandomPoint(random.Mix(key, draw))
		if !found {
			return best, false
		}
		away := at.X
		if side == 1 {
			away = width - at.X
		}
		if away < nearest || draw == 0 {
			best, nearest = at, away
		}
		if away <= float32(width*skirmishStrip) {
			return at, true
		}
	}
	return best, true
}

// Skirmish is how the two sides of a run fared.
type Skirmish struct {
	Ahead      string         `json:"ahead"`  // the side with more alive; "none" when both have as many
	Winner     string         `json:"winner"` // the side ahead, once the other has lost half its soldiers; or "none"
	Sides      []SkirmishSide `json:"sides"`
	RoundsLeft int64          `json:"rounds_left"` // of those alive
	Attacks
}

// Attacks are the melees and shots of a run.
type Attacks struct {
	Strikes       int64 `json:"melee_strikes"` // that landed
	Shots         int64 `json:"shots"`         // each a round of ammunition
	Hits          int64 `json:"hits"`          // shots that hit
	Granted       int64 `json:"claims_granted"`
	Refused       int64 `json:"claims_refused"`
	MostAttackers int   `json:"most_attackers"` // on one target at a time
	MaxAttackers  int   `json:"max_attackers"`  // the bound
}

// attacks counts those of a simulation.
func attacks(s *Simulation) Attacks {
	counts := s.Combat.Stats()
	return Attacks{
		Strikes: counts.Strikes, Shots: counts.Shots, Hits: counts.Hits,
		Granted: counts.Granted, Refused: counts.Refused,
		MostAttackers: counts.MostAttackers, MaxAttackers: int(s.Combat.MaxAttackers),
	}
}

// SkirmishSide is one side of a [Skirmish].
type SkirmishSide struct {
	Name   string `json:"name"`
	Agents int    `json:"agents"` // at the start
	Alive  int    `json:"alive"`  // at the end
}

// skirmishReport counts who is left.
func skirmishReport(s *Simulation, started [2]int) *Skirmish {
	r := &Skirmish{Attacks: attacks(s)}
	for side, name := range skirmishSides {
		r.Sides = append(r.Sides, SkirmishSide{Name: name, Agents: started[side]})
	}
	columns := ecs.NewColumns(s.World,
		ecs.Need[components.Faction](), ecs.Need[components.Health](), ecs.Need[components.Ammo]())
	defer columns.Release()
	chunks := columns.Open()
	defer columns.Close()
	for i := range chunks {
		healths, ammo := ecs.Column[components.Health](&chunks[i], 1), ecs.Column[components.Ammo](&chunks[i], 2)
		for row, faction := range ecs.Column[components.Faction](&chunks[i], 0) {
			if healths[row].Current > 0 {
				r.Sides[faction.ID-1].Alive++
				r.RoundsLeft += int64(ammo[row].Left)
			}
		}
	}
	r.Ahead, r.Winner = standing(r.Sides[0], r.Sides[1])
	return r
}

const nobody = "none"

// standing returns which of two sides is ahead and which has won. A few more alive than the others decide nothing:
// while both have more than half of their soldiers nobody has won.
func standing(a, b SkirmishSide) (ahead, winner string) {
	if a.Alive == b.Alive {
		return nobody, nobody
	}
	if b.Alive > a.Alive {
		a, b = b, a
	}
	if 2*b.Alive > b.Agents {
		return a.Name, nobody
	}
	return a.Name, a.Name
}

// write renders the report for a person.
func (r *Skirmish) write(p *printer) {
	p.line("How it went")
	for _, side := range r.Sides {
		p.line("  %-12s %12s of %s alive", side.Name, group(int64(side.Alive)), group(int64(side.Agents)))
	}
	if r.Winner != nobody {
		p.line("  %-12s %12s", "winner", r.Winner)
	} else {
		p.line("  %-12s %12s, and not decided", "ahead", r.Ahead)
	}
	p.line("  %s rounds left", group(r.RoundsLeft))
	r.Attacks.write(p)
	p.line("")
}

func (a *Attacks) write(p *printer) {
	p.line("  %s strikes in melees; %s shots, %s hit", group(a.Strikes), group(a.Shots), group(a.Hits))
	p.line("  at most %d attackers of one target, of %d allowed; %s claims granted, %s refused",
		a.MostAttackers, a.MaxAttackers, group(a.Granted), group(a.Refused))
}
