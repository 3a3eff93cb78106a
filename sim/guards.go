package sim

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
)

// Factions. Besiegers share the intruders'; villagers are neutral to all.
const (
	villagerFaction = 0
	guardFaction    = 1
	intruderFaction = 2
)

// Kinds of fighters, by which combat knows what replaces the dead.
const (
	guardKind = iota
	intruderKind
	soldierKind
)

// guardsPerIntruder is how many guards there are for one intruder.
const guardsPerIntruder = 39

// guardsPerRoute is how many guards share a patrol route.
const guardsPerRoute = 3

func setUpGuards(s *Simulation) error {
	if _, err := systems.StandardActions(s.actions); err != nil {
		return err
	}
	s.Combat = &systems.Combat{Clash: 6}
	intruders := s.Config.Agents / (guardsPerIntruder + 1)
	if err := s.addGuards(s.Config.Agents - intruders); err != nil {
		return err
	}
	if err := s.addIntruders(intruders); err != nil {
		return err
	}
	s.schedule.Add(stageLOD, s.LOD)
	s.schedule.Add(stagePerception, &systems.GridSystem{})
	s.schedule.Add(stagePerception, &systems.Perception{})
	s.schedule.Add(stagePerception, &posts{})
	s.schedule.Add(stageAI, s.AI)
	s.schedule.Add(stageActions, &systems.Locomotion{})
	s.schedule.Add(stageActions, s.Combat)
	s.schedule.Add(stageCommands, &systems.CommandSystem{})
	return nil
}

// addGuards puts guards onto routes of their own, guardsPerRoute on each. Who falls comes back.
func (s *Simulation) addGuards(guards int) error {
	programs := ecs.Resource[systems.Programs](s.World, "sim")
	routes := ecs.Resource[systems.Routes](s.World, "sim")
	tally := func(kind systems.EventKind) func(components.Entity) {
		return func(components.Entity) { s.Events.Tally(0, kind, 1) }
	}
	guard, err := addTree(programs, s.actions, "guard", GuardTree(GuardHooks{
		Chase: tally(systems.Chase), Search: tally(systems.Search), Return: tally(systems.Return),
	}))
	if err != nil {
		return err
	}
	first := int32(routes.Len())
	loops := systems.GenerateRoutes(s.Map, (guards+guardsPerRoute-1)/guardsPerRoute, s.Config.Seed)
	for i := range loops.Len() {
		routes.Add(loops.Waypoints(int32(i)))
	}
	prefab := ecs.NewPrefab(s.World, append(fighter(guardFaction, guardKind, programs.Mind(guard)),
		components.Senses{Sight: 12, Lose: 16, Cone: 0.4, Hearing: 1, Memory: 8}, components.Route{}, Post{})...)
	s.Combat.Revive(guardKind, prefab)
	byPlace := zOrder(loops.Len(), func(i int) components.Vec2 { return loops.Waypoints(int32(i))[0] })
	prefab.SpawnNow(s.World, guards, func(i int, e components.Entity) {
		route := first + byPlace[i/guardsPerRoute]
		points := routes.Waypoints(route)
		next := i % guardsPerRoute % len(points)
		*ecs.Get[components.Route](s.World, e) = components.Route{ID: route, Next: int32((next + 1) % len(points))}
		ecs.Get[components.Transform](s.World, e).Position = points[next]
	})
	return nil
}

// addIntruders scatters intruders over the map. Who falls comes back.
func (s *Simulation) addIntruders(intruders int) error {
	programs := ecs.Resource[systems.Programs](s.World, "sim")
	intruder, err := addTree(programs, s.actions, "intruder", intruderTree())
	if err != nil {
		return err
	}
	prefab := ecs.NewPrefab(s.World, append(fighter(intruderFaction, intruderKind, programs.Mind(intruder)),
		components.Senses{Sight: 12, Lose: 16, Cone: 0, Hearing: 1, Memory: 5})...)
	s.Combat.Revive(intruderKind, prefab)
	places := make([]components.Vec2, intruders)
	for i := range places {
		at, ok := s.Map.RandomPoint(random.Mix(random.Mix(s.Config.Seed, random.String("intruders")), uint64(i)))
		if !ok {
			return fmt.Errorf("the map has no passable tile")
		}
		places[i] = at
	}
	byPlace := zOrder(intruders, func(i int) components.Vec2 { return places[i] })
	prefab.SpawnNow(s.World, intruders, func(i int, e components.Entity) {
		ecs.Get[components.Transform](s.World, e).Position = places[byPlace[i]]
	})
	return nil
}

// addTree builds a tree and registers it.
func addTree(
	programs *systems.Programs, actions *aitree.Actions, name string, root *aitree.Node, subtrees ...aitree.Definition,
) (uint16, error) {
	program, err := aitree.Build(name, actions, root, subtrees...)
	if err != nil {
		return 0, err
	}
	return programs.Add(program)
}

// fighter returns the components that guards and intruders share.
func fighter(faction, kind uint8, mind any) []any {
	return []any{
		components.Transform{Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 3},
		components.Steering{},
		components.Faction{ID: faction},
		components.Percept{},
		components.Health{Current: 100, Max: 100},
		components.Fighter{Kind: kind, Importance: components.NoImportance},
		components.NewLOD(),
		components.Intent{},
		components.Triggers{},
		mind,
	}
}

// intruderTree describes an intruder: flee when hurt; meet a visible guard by fighting or by running;
// wander.
func intruderTree() *aitree.Node {
	target := aitree.Target(systems.Facts.Target)
	flee := func(name string, far float64) *aitree.Node {
		return aitree.Do(systems.FleeAction, target, aitree.NumberOf(0, 2)).
			Until(aitree.GreaterEqual(systems.Facts.Distance, far)).Named(name)
	}
	fight := aitree.Timeout(6*time.Second, aitree.Sequence(
		aitree.Selector(
			aitree.Check(aitree.LessEqual(systems.Facts.Distance, GuardReach)),
			aitree.Do(systems.SeekAction, target, aitree.NumberOf(0, 1.5)).
				Until(aitree.LessEqual(systems.Facts.Distance, GuardClosesTo)).Named("attack"),
		),
		aitree.Selector(
			aitree.Cooldown(1200*time.Millisecond, aitree.Fire(systems.StrikeAction, target)),
			aitree.Wait(200*time.Millisecond).Named("recover"),
		),
	))
	return aitree.ReactiveSelector(
		aitree.Guard(aitree.Less(systems.Facts.Health, 50),
			aitree.Guard(targetKnown, aitree.Timeout(12*time.Second, flee("flee", 25)))),
		aitree.Guard(targetVisible, aitree.WeightedChoice(
			aitree.Weight(2, fight),
			aitree.Weight(1, aitree.Timeout(6*time.Second, flee("run away", 20))),
		)),
		aitree.Timeout(8*time.Second, aitree.Do(systems.WanderAction).Named("wander")),
	)
}

// posts keeps the Post of guards, for those that decide in this frame.
type posts struct {
	routes  *systems.Routes
	columns *ecs.Columns
}

func (p *posts) Initialize(w *arche.World) {
	p.routes = ecs.Resource[systems.Routes](w, "sim.posts")
	p.columns = ecs.NewColumns(w, ecs.Need[Post](), ecs.Need[components.LOD](), ecs.Need[components.Route](),
		ecs.Need[components.Transform]())
}

func (p *posts) Update(*arche.World) {
	chunks := p.columns.Open()
	for i := range chunks {
		k := &chunks[i]
		posts, lods := ecs.Column[Post](k, 0), ecs.Column[components.LOD](k, 1)
		routes, transforms := ecs.Column[components.Route](k, 2), ecs.Column[components.Transform](k, 3)
		for row := range posts {
			if !lods[row].Due() {
				continue
			}
			points := p.routes.Waypoints(routes[row].ID)
			if len(points) == 0 {
				continue
			}
			next := int(routes[row].Next) % len(points)
			last := (next + len(points) - 1) % len(points)
			posts[row] = Post{
				Position: points[next], Distance: offLeg(transforms[row].Position, points[last], points[next]),
			}
		}
	}
	p.columns.Close()
}

func (p *posts) Finalize(*arche.World) { p.columns.Release() }
