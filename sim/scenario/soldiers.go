package scenario

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/space"
	"github.com/flockwork-ai/flockwork/utility"
)

const (
	squadSize     = 10   // soldiers that share a patrol route
	soldierRounds = 12   // of ammunition
	soldierDamage = 20   // points of health that a strike or a hit takes
	stripShare    = 0.25 // of the map's width, along its edge, in which a side begins
	stripDraws    = 256  // points that are drawn until one lies in a strip
)

// addSoldiers puts soldiers along the western and the eastern edge of the map and returns the prefab of each side.
func addSoldiers(s *sim.Simulation, count [2]int, faction [2]uint8, definition *utility.Definition) (
	prefabs [2]*ecs.Prefab, err error,
) {
	evaluator, err := utility.Build("soldier", definition)
	if err != nil {
		return prefabs, err
	}
	tree, err := s.AddTree("soldier", soldierTree(evaluator))
	if err != nil {
		return prefabs, err
	}
	for side := range prefabs {
		prefabs[side] = s.Prefab(tree, fighter(faction[side], soldierKind),
			// The tree reads no noise. Hearing is 0 because a noise that is heard wakes the agent.
			components.Senses{Sight: 14, Lose: 18, Cone: 0, Hearing: 0, Memory: 5}, components.NewCandidates(),
			components.Route{}, components.Attack{}, components.Attacked{}, components.NewAmmo(soldierRounds))
		if err := placeSide(s, side, count[side], prefabs[side]); err != nil {
			return prefabs, err
		}
	}
	return prefabs, nil
}

// placeSide spawns the soldiers of a side along its edge of the map, in squads of neighbours. Each squad patrols
// between the enemy's strip and its own, so that the last survivors of both sides find each other.
func placeSide(s *sim.Simulation, side, soldiers int, prefab *ecs.Prefab) error {
	key := random.Mix(random.Mix(s.Config.Seed, random.String("skirmish")), uint64(side))
	positions := make([]components.Vec2, soldiers)
	for i := range positions {
		at, ok := pointInStrip(s.Map, side, random.Mix(key, uint64(i)))
		if !ok {
			return errNoGround
		}
		positions[i] = at
	}
	order := town.ZOrder(soldiers, func(i int) components.Vec2 { return positions[i] })
	first := int32(s.Routes.Len())
	for squad := range (soldiers + squadSize - 1) / squadSize {
		draw := random.Mix(key, ^uint64(squad))
		far, _ := pointInStrip(s.Map, 1-side, random.Mix(draw, 0))
		middle, _ := s.Map.RandomPoint(random.Mix(draw, 1), space.MaxClearance)
		farAgain, _ := pointInStrip(s.Map, 1-side, random.Mix(draw, 2))
		near, _ := pointInStrip(s.Map, side, random.Mix(draw, 3))
		s.Routes.Add([]components.Vec2{far, middle, farAgain, near})
	}
	heading := components.Vec2{X: float32(1 - 2*side)} // towards the enemy
	prefab.SpawnNow(s.World(), soldiers, func(i int, e components.Entity) {
		*ecs.Get[components.Transform](s.World(), e) = components.Transform{
			Position: positions[order[i]], Heading: heading,
		}
		ecs.Get[components.Route](s.World(), e).ID = first + int32(i/squadSize)
	})
	return nil
}

// pointInStrip draws a passable point in the strip along a side's edge of the map. When no draw lies in the strip, it
// returns the drawn point that is nearest to the edge. It returns false when the map has no passable tile.
func pointInStrip(m *space.Map, side int, key uint64) (best components.Vec2, ok bool) {
	width := float32(m.Width)
	nearest := width
	for draw := range uint64(stripDraws) {
		at, found := m.RandomPoint(random.Mix(key, draw), space.MaxClearance)
		if !found {
			return best, false
		}
		fromEdge := at.X
		if side == 1 {
			fromEdge = width - at.X
		}
		if fromEdge < nearest || draw == 0 {
			best, nearest = at, fromEdge
		}
		if fromEdge <= float32(width*stripShare) {
			return at, true
		}
	}
	return best, true
}
