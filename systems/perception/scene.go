package perception

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// scene is the state that all agents share and only read while they sense.
type scene struct {
	grid      *spatial.Grid
	terrain   *space.Map // nil: no walls
	relations *frame.Relations
	now       components.Timestamp
	near      float32 // metres within which hostiles and allies are counted
	// stickiness is how many metres nearer than the target an attacker must be to take its place.
	stickiness float32
	// hostile and allied hold indices of factions, a range for each observing faction: that of index i ends at
	// Ends[i+1].
	hostile, allied         []uint8
	hostileEnds, alliedEnds []int
	// mustForget reports whether an entity that is not in the grid is dead or not hostile to a faction.
	mustForget func(e components.Entity, observer uint8) bool
	health     func(components.Entity) int16 // of a candidate
	attackers  func(components.Entity) uint8 // of a candidate
}

// updateRelations lists the hostile and allied factions of each faction that is present.
func (s *scene) updateRelations() {
	s.hostile, s.allied = s.hostile[:0], s.allied[:0]
	s.hostileEnds, s.alliedEnds = append(s.hostileEnds[:0], 0), append(s.alliedEnds[:0], 0)
	for _, observer := range s.grid.Present {
		for index, other := range s.grid.Present {
			switch s.relations.Between(observer, other) {
			case frame.Hostile:
				s.hostile = append(s.hostile, uint8(index))
			case frame.Ally:
				s.allied = append(s.allied, uint8(index))
			}
		}
		s.hostileEnds, s.alliedEnds = append(s.hostileEnds, len(s.hostile)), append(s.alliedEnds, len(s.allied))
	}
}

// hostiles returns the indices of the factions that are hostile to an observer's faction.
func (s *scene) hostiles(observer uint8) []uint8 {
	if index, ok := s.grid.FactionIndex(observer); ok {
		return s.hostile[s.hostileEnds[index]:s.hostileEnds[index+1]]
	}
	return nil
}

// allies returns the indices of the factions that are allied with an observer's faction.
func (s *scene) allies(observer uint8) []uint8 {
	if index, ok := s.grid.FactionIndex(observer); ok {
		return s.allied[s.alliedEnds[index]:s.alliedEnds[index+1]]
	}
	return nil
}

// castRay reports whether no wall is between the viewer and a point, and counts the ray.
func (s *scene) castRay(v *view, at components.Vec2) bool {
	v.rays++
	return s.terrain == nil || s.terrain.Sees(v.at, at)
}

// countNear counts hostiles and allies in the cells around an agent, in sight or not. Each row of cells takes two
// reads.
func (s *scene) countNear(p *components.Percept, a *agent) {
	g, at := s.grid, a.transform.Position
	left, right := g.Col(at.X-s.near), g.Col(at.X+s.near)
	first, last := g.Row(at.Y-s.near), g.Row(at.Y+s.near)
	hostiles, allies := 0, 0
	for _, faction := range s.hostiles(a.faction) {
		hostiles += g.CountCells(int(faction), first, last, left, right)
	}
	for _, faction := range s.allies(a.faction) {
		allies += g.CountCells(int(faction), first, last, left, right)
	}
	// The agent does not count itself.
	switch s.relations.Between(a.faction, a.faction) {
	case frame.Hostile:
		hostiles--
	case frame.Ally:
		allies--
	}
	p.Hostiles = uint16(min(max(hostiles, 0), math.MaxUint16))
	p.Allies = uint16(min(max(allies, 0), math.MaxUint16))
}

// distance2 returns the squared distance of two points in square metres.
func distance2(a, b components.Vec2) float32 {
	dx, dy := b.X-a.X, b.Y-a.Y
	return float32(dx*dx) + float32(dy*dy)
}

// metres returns the root of a squared distance, at most components.NoDistance.
func metres(dist2 float32) float32 { return min(vec.Sqrt(dist2), components.NoDistance) }
