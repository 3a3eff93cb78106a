package scenario

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/combat"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	guardsPerIntruder = 39
	guardsPerRoute    = 3
)

func setUpGuards(s *sim.Simulation) error {
	s.Needs = nil
	s.Combat = &combat.System{StrikeNoise: strikeNoise}
	intruders := s.Config.Agents / (guardsPerIntruder + 1)
	if err := addGuards(s, s.Config.Agents-intruders); err != nil {
		return err
	}
	if err := addIntruders(s, intruders); err != nil {
		return err
	}
	s.After(systems.PerceptionStage, &sim.PostSystem{})
	return nil
}

// addGuards adds guards with patrol routes, guardsPerRoute on each route. A dead guard respawns. It adds the guards'
// events to the report.
func addGuards(s *sim.Simulation, guards int) error {
	tree, err := s.AddTree("guard", GuardTree(countGuardEvents(s)))
	if err != nil {
		return err
	}
	first := int32(s.Routes.Len())
	loops := town.Routes(s.Map, (guards+guardsPerRoute-1)/guardsPerRoute, s.Config.Seed)
	for i := range loops.Len() {
		s.Routes.Add(loops.Waypoints(int32(i)))
	}
	prefab := s.Prefab(tree, fighter(guardFaction, guardKind),
		components.Senses{Sight: 12, Lose: 16, Cone: 0.4, Hearing: 1, Memory: 8}, components.Route{}, sim.Post{})
	s.Combat.SetRespawn(guardKind, prefab)
	order := town.ZOrder(loops.Len(), func(i int) components.Vec2 { return loops.Waypoints(int32(i))[0] })
	prefab.SpawnNow(s.World(), guards, func(i int, e components.Entity) {
		route := first + order[i/guardsPerRoute]
		points := s.Routes.Waypoints(route)
		next := i % guardsPerRoute % len(points)
		*ecs.Get[components.Route](s.World(), e) = components.Route{ID: route, Next: int32((next + 1) % len(points))}
		ecs.Get[components.Transform](s.World(), e).Position = points[next]
	})
	return nil
}

// countGuardEvents returns hooks that count the chases, searches and returns of guards, and adds the counts to the
// report. Hooks run on the goroutine of the world, whatever the number of workers.
func countGuardEvents(s *sim.Simulation) GuardHooks {
	var chases, searches, returns int64
	s.OnReport(func(r *sim.Report) {
		r.Events[sim.EventChase], r.Events[sim.EventSearch], r.Events[sim.EventReturn] = chases, searches, returns
	})
	return GuardHooks{
		Chase:  func(components.Entity) { chases++ },
		Search: func(components.Entity) { searches++ },
		Return: func(components.Entity) { returns++ },
	}
}

// addIntruders scatters intruders over the map. A dead intruder respawns.
func addIntruders(s *sim.Simulation, intruders int) error {
	tree, err := s.AddTree("intruder", intruderTree())
	if err != nil {
		return err
	}
	prefab := s.Prefab(tree, fighter(intruderFaction, intruderKind),
		components.Senses{Sight: 12, Lose: 16, Cone: 0, Hearing: 1, Memory: 5})
	s.Combat.SetRespawn(intruderKind, prefab)
	key := random.Mix(s.Config.Seed, random.String("intruders"))
	positions := make([]components.Vec2, intruders)
	for i := range positions {
		at, ok := s.Map.RandomPoint(random.Mix(key, uint64(i)), space.MaxClearance)
		if !ok {
			return errNoGround
		}
		positions[i] = at
	}
	order := town.ZOrder(intruders, func(i int) components.Vec2 { return positions[i] })
	prefab.SpawnNow(s.World(), intruders, func(i int, e components.Entity) {
		ecs.Get[components.Transform](s.World(), e).Position = positions[order[i]]
	})
	return nil
}
