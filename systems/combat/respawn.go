package combat

import (
	"fmt"
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// RespawnQueue holds the dead agents that will respawn. It is a resource of the world, so that it can be saved with the
// world. [System.Initialize] adds it to a world that has none.
type RespawnQueue struct {
	Pending []DeadAgent // in the order of their deaths
}

// DeadAgent is the record of a dead agent that its respawn needs.
type DeadAgent struct {
	Due      components.Timestamp // when it respawns
	Entity   components.Entity    // the entity that died; it is removed
	Position components.Vec2      // where it died, metres
	Route    components.Route     // its route, if HasRoute
	HasRoute bool                 // whether it had a Route
	Kind     uint8                // its Fighter.Kind
}

// respawn is a spawn that was queued for a dead agent.
type respawn struct {
	agent  DeadAgent
	number uint64 // of the spawn command
}

// SetRespawn sets the prefab from which dead agents with a Fighter of this kind respawn. With nil, the default, they do
// not respawn. The prefab must have a Transform.
//
// Panics when the prefab has none.
func (s *System) SetRespawn(kind uint8, p *ecs.Prefab) {
	if p != nil && !p.HasTransform() {
		panic(fmt.Sprintf("combat: System.SetRespawn of kind %d: the prefab has no components.Transform; add one",
			kind))
	}
	s.prefabs[kind] = p
}

// queueRespawn adds a dead agent to the respawn queue, if its Fighter names a prefab.
func (s *System) queueRespawn(e components.Entity) {
	fighter := s.fighterOf.Get(e)
	if fighter == nil || s.prefabs[fighter.Kind] == nil {
		return
	}
	dead := DeadAgent{Due: s.clock.Now + s.settings.respawnDelay, Entity: e, Kind: fighter.Kind}
	if transform := s.transforms.Get(e); transform != nil {
		dead.Position = transform.Position
	}
	if route := s.routes.Get(e); route != nil {
		dead.Route, dead.HasRoute = *route, true
	}
	s.respawns.Pending = append(s.respawns.Pending, dead)
}

// respawnDue queues the spawns of the dead agents that are due. The commands have no issuer.
func (s *System) respawnDue() {
	s.issued, s.spawned = slices.Delete(s.issued, 0, s.spawned), 0
	waiting := s.respawns.Pending[:0]
	for _, dead := range s.respawns.Pending {
		if dead.Due > s.clock.Now {
			waiting = append(waiting, dead)
			continue
		}
		if p := s.prefabs[dead.Kind]; p != nil {
			number := s.commands.Queue(0).Spawn(components.Entity{}, p, s.respawnPoint(&dead))
			s.issued = append(s.issued, respawn{agent: dead, number: number})
		}
	}
	s.respawns.Pending = waiting
}

// respawnPoint returns where a dead agent respawns: at a waypoint of its route, at a random point of the map, or in
// open country where it died.
func (s *System) respawnPoint(dead *DeadAgent) components.Vec2 {
	key := random.Mix(random.Mix(s.seed, dead.Entity.Key()), uint64(dead.Due))
	if waypoints := s.paths.Waypoints(dead.Route.ID); dead.HasRoute && waypoints != nil {
		at := waypoints[random.Below(key, uint32(len(waypoints)))]
		if s.world == nil || space.Standable(s.world, at) {
			return at
		}
	}
	if s.world != nil {
		if at, ok := s.world.RandomPoint(key, space.MaxClearance); ok {
			return at
		}
	}
	return dead.Position
}

// onSpawn gives an agent that respawned the kind and the route of the dead one. It is called for every spawn, also
// for spawns of other systems.
func (s *System) onSpawn(_ *arche.World, e components.Entity, _ *ecs.Prefab, number uint64) {
	// Spawns are carried out in the order of issue. Those that a panic in Apply dropped are skipped.
	for s.spawned < len(s.issued) && s.issued[s.spawned].number < number {
		s.spawned++
	}
	if s.spawned == len(s.issued) || s.issued[s.spawned].number != number {
		return
	}
	r := &s.issued[s.spawned]
	s.spawned++
	s.events.Count(0, eventlist.Respawn, 1)
	if fighter := s.fighterOf.Get(e); fighter != nil {
		fighter.Kind = r.agent.Kind
	}
	if route := s.routes.Get(e); route != nil && r.agent.HasRoute {
		*route = r.agent.Route
	}
}
