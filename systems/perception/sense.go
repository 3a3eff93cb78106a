package perception

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// NoDistance is the distance in a percept without a target: farther than anything, and safe to calculate with.
const NoDistance = 1e6

// scene is what everyone's senses share in a frame. It is only read while agents sense.
type scene struct {
	grid      *spatial.Grid
	terrain   *space.Map // nil: nothing is in the way
	relations *frame.Relations
	now       components.Timestamp
	near      float32 // metres within which hostiles and allies are counted
	// hostile and allied hold places in the grid's factions, a run for each observing faction's place.
	hostile, allied         []uint8
	hostileEnds, alliedEnds []int
	// gone reports whether an entity that the grid does not show is dead or of no concern to a faction.
	mustForget func(e components.Entity, observer uint8) bool
	health     func(components.Entity) int16
	attackers  func(components.Entity) uint8
}

// updateRelations finds out who looks for whom among the factions that are present.
func (s *scene) updateRelations() {
	s.hostile, s.allied = s.hostile[:0], s.allied[:0]
	s.hostileEnds, s.alliedEnds = append(s.hostileEnds[:0], 0), append(s.alliedEnds[:0], 0)
	for _, observer := range s.grid.Present {
		for place, other := range s.grid.Present {
			switch s.relations.Between(observer, other) {
			case frame.Hostile:
				s.hostile = append(s.hostile, uint8(place))
			case frame.Ally:
				s.allied = append(s.allied, uint8(place))
			}
		}
		s.hostileEnds, s.alliedEnds = append(s.hostileEnds, len(s.hostile)), append(s.alliedEnds, len(s.allied))
	}
}

// agent is one who senses.
type agent struct {
	entity       components.Entity
	transform    *components.Transform
	senses       *components.Senses
	faction      uint8
	candidates   *components.Candidates // nil: does not keep any
	attackTarget components.Entity      // on whom it holds a claim; zero: on nobody
}

// outcome is what a sensing led to, beyond the percept.
type outcome struct {
	rays       int
	newTarget  bool // a new target came into sight
	lostTarget bool // the target of before went out of sight, was forgotten or gave way to another
}

// senseScratch is the memory in which one worker senses.
type senseScratch struct {
	view  view
	slots [viewBatch]uint32
	dist2 [viewBatch]float32
}

// view is a look around: where from, which way, and the nearest hostiles in sight so far.
type view struct {
	at       components.Vec2
	heading  components.Vec2
	cone     float32           // square of its cosine, with the cosine's sign
	reach2   float32           // squared metres beyond which nothing counts: of the radius, later of the last one kept
	entity   components.Entity // who looks
	skipSlot int               // slot that was tested before; -1: none
	limit    int               // how many of the nearest to find
	rays     int
	found    [components.MaxCandidates]sighting
	count    int
}

type sighting struct {
	dist2 float32 // square metres
	slot  uint32
}

// viewBatch is how many entities are sifted at once.
const viewBatch = 64

// sense updates a percept.
//
// The target of before is tested first. While it is in sight it stays in sight up to the lose radius, whatever the
// way the agent looks: heads turn. One that was lost has to be found within the cone again. Only when it is
// not in sight, or candidates are asked for, does the agent look around for the nearest hostile in sight.
func (s *scene) sense(w *senseScratch, a *agent, p *components.Percept) (n outcome) {
	v := &w.view
	sees := s.setUpView(v, a)
	wasVisible, had := p.Visible, p.Target
	p.Visible = false

	targetSlot, targetDist2 := -1, float32(0)
	if had != (components.Entity{}) {
		slot, known := s.grid.Find(had)
		switch {
		case !known:
			if s.mustForget(had, a.faction) {
				forget(p)
			}
		case s.relations.Between(a.faction, s.grid.Factions[slot]) != frame.Hostile:
			forget(p)
		case sees:
			targetSlot = slot
			lose := max(a.senses.Lose, a.senses.Sight)
			at := s.grid.Positions[slot]
			targetDist2 = distance2(v.at, at)
			if targetDist2 <= float32(lose*lose) && (wasVisible || v.inCone(at)) && s.castRay(v, at) {
				p.Visible = true
			}
		}
	}

	v.skipSlot, v.count = targetSlot, 0
	if sees && (!p.Visible || a.candidates != nil) {
		v.limit = 1
		if a.candidates != nil {
			v.limit = components.MaxCandidates
		}
		s.search(w, a.faction)
	}
	n.rays = v.rays

	switch {
	case p.Visible:
		s.recordSight(p, targetSlot, targetDist2)
	case v.count > 0:
		slot := int(v.found[0].slot)
		p.Target = s.grid.Entities[slot]
		n.newTarget = true
		s.recordSight(p, slot, v.found[0].dist2)
	case p.Target != (components.Entity{}):
		s.fadeMemory(p, a)
	default:
		p.Distance = NoDistance
	}
	n.lostTarget = had != p.Target && had != (components.Entity{}) || wasVisible && !p.Visible
	if sees {
		s.countNear(p, a)
	} else {
		p.Hostiles, p.Allies = 0, 0
	}
	if a.candidates != nil {
		s.listCandidates(v, p, a, targetDist2)
	}
	return n
}

// setUpView sets up the view of an agent. It reports false when the agent cannot see at all.
func (s *scene) setUpView(v *view, a *agent) bool {
	// No map is wider than NoDistance; a sight without bounds would make NaN of the bounds of what it reaches.
	at, sight := a.transform.Position, min(a.senses.Sight, NoDistance)
	v.rays, v.count = 0, 0
	if !(sight > 0) || !vec.FiniteVec(at) {
		return false
	}
	v.at, v.entity, v.reach2 = at, a.entity, float32(sight*sight)
	v.heading, v.cone = a.transform.Heading, a.senses.Cone
	length2 := float32(v.heading.X*v.heading.X) + float32(v.heading.Y*v.heading.Y)
	switch {
	case length2 > 0.999 && length2 < 1.001 && v.cone > -1:
	case length2 > 0 && length2 <= math.MaxFloat32 && v.cone > -1:
		length := float32(math.Sqrt(float64(length2)))
		v.heading = components.Vec2{X: v.heading.X / length, Y: v.heading.Y / length}
	default: // all around; so does who looks nowhere
		v.heading, v.cone = components.Vec2{}, -1
	}
	v.cone = signedSquare(v.cone)
	return true
}

// recordSight writes a target that is in sight into a percept.
func (s *scene) recordSight(p *components.Percept, slot int, dist2 float32) {
	p.Visible = true
	p.LastKnown = s.grid.Positions[slot]
	p.SeenAt = s.now
	p.Distance = metres(dist2)
	p.Belief = 1
}

// fadeMemory updates a percept whose target is out of sight.
func (s *scene) fadeMemory(p *components.Percept, a *agent) {
	age := float32(float64(s.now-p.SeenAt) / 1e9) // seconds
	if !(age < a.senses.Memory) {
		forget(p)
		return
	}
	p.Belief = 1 - age/a.senses.Memory
	if at := a.transform.Position; vec.FiniteVec(at) {
		p.Distance = metres(distance2(at, p.LastKnown))
	}
}

// forget leaves where and when the target was seen last, and no target.
func forget(p *components.Percept) {
	p.Target, p.Visible, p.Belief, p.Distance = components.Entity{}, false, 0, NoDistance
}

// hostiles returns the places of the factions that an observer's faction looks for.
func (s *scene) hostiles(observer uint8) []uint8 {
	if place, ok := s.grid.FactionIndex(observer); ok {
		return s.hostile[s.hostileEnds[place]:s.hostileEnds[place+1]]
	}
	return nil
}

// allies returns the places of the factions that an observer's faction is allied with.
func (s *scene) allies(observer uint8) []uint8 {
	if place, ok := s.grid.FactionIndex(observer); ok {
		return s.allied[s.alliedEnds[place]:s.alliedEnds[place+1]]
	}
	return nil
}

// castRay reports whether nothing is in the way of a look.
func (s *scene) castRay(v *view, at components.Vec2) bool {
	v.rays++
	return s.terrain == nil || s.terrain.Sees(v.at, at)
}

// inCone reports whether a point is within the cone of the view: whether the cosine of the angle to it is at least
// that of the cone. Both sides are squared with their signs, which keeps their order and saves the root.
func (v *view) inCone(at components.Vec2) bool {
	dx, dy := at.X-v.at.X, at.Y-v.at.Y
	d2 := float32(dx*dx) + float32(dy*dy)
	return signedSquare(float32(v.heading.X*dx)+float32(v.heading.Y*dy)) >= float32(v.cone*d2)
}

// search looks for the nearest hostiles in sight: in the rows of cells that the view's sector touches, from
// the agent's own outwards, until the next row is farther than what has been found. In order of cost it
// asks for the faction, the distance, the cone and last the ray.
func (s *scene) search(w *senseScratch, faction uint8) {
	g, v := s.grid, &w.view
	low, high := v.bounds()
	left, right := g.Col(v.at.X+low.X), g.Col(v.at.X+high.X)
	first, last := g.Row(v.at.Y+low.Y), g.Row(v.at.Y+high.Y)
	hostile := s.hostiles(faction)
	own := min(max(g.Row(v.at.Y), first), last)
	// Metres to the nearer edges of the next rows. Edges are subject to rounding, see reachOf.
	cell := 1 / g.PerMetre
	toSouth := v.at.Y - (g.Origin.Y + float32(cell*float32(own))) - 1.0/64
	toNorth := cell - toSouth - 2.0/64
	south, north := own-1, own+1
	row, gap := own, float32(0)
	for {
		if gap > 0 && float32(gap*gap) > v.reach2 {
			return
		}
		for _, place := range hostile {
			for start, end := g.RowSlots(row, int(place), left, right); start < end; start += viewBatch {
				s.testBatch(w, start, min(end, start+viewBatch))
			}
		}
		switch {
		case south >= first && (north > last || toSouth < toNorth):
			row, gap = south, toSouth
			south, toSouth = south-1, toSouth+cell
		case north <= last:
			row, gap = north, toNorth
			north, toNorth = north+1, toNorth+cell
		default:
			return
		}
	}
}

// bounds returns the corners of a rectangle around the sector that the view covers, relative to its point.
func (v *view) bounds() (low, high components.Vec2) {
	reach := spatial.PaddedRadius(sqrt(v.reach2))
	if v.cone <= 0 {
		return components.Vec2{X: -reach, Y: -reach}, components.Vec2{X: reach, Y: reach}
	}
	// The sector is spanned by its point, the ends of its two edges, and the axes that lie within it.
	cos := sqrt(v.cone)
	sin := sqrt(max(0, 1-v.cone))
	h := v.heading
	ax, ay := float32(h.X*cos)-float32(h.Y*sin), float32(h.X*sin)+float32(h.Y*cos)
	bx, by := float32(h.X*cos)+float32(h.Y*sin), float32(h.Y*cos)-float32(h.X*sin)
	low = components.Vec2{X: min(0, ax, bx), Y: min(0, ay, by)}
	high = components.Vec2{X: max(0, ax, bx), Y: max(0, ay, by)}
	if -h.X >= cos {
		low.X = -1
	}
	if h.X >= cos {
		high.X = 1
	}
	if -h.Y >= cos {
		low.Y = -1
	}
	if h.Y >= cos {
		high.Y = 1
	}
	const margin = 1.0 / 64
	low = components.Vec2{X: float32(reach*low.X) - margin, Y: float32(reach*low.Y) - margin}
	high = components.Vec2{X: float32(reach*high.X) + margin, Y: float32(reach*high.Y) + margin}
	return low, high
}

// testBatch tests up to viewBatch slots: all of them for distance and cone, without a branch, then those that are left.
func (s *scene) testBatch(w *senseScratch, start, end int) {
	v := &w.view
	positions := s.grid.Positions[start:end]
	reach := int64(math.Float32bits(v.reach2))
	n := uint(0)
	for i := range positions {
		dx, dy := positions[i].X-v.at.X, positions[i].Y-v.at.Y
		d2 := float32(dx*dx) + float32(dy*dy)
		w.slots[n%viewBatch] = uint32(start + i)
		w.dist2[n%viewBatch] = d2
		// The bits of floats that are not negative are ordered as the floats are.
		within := uint(^(reach-int64(math.Float32bits(d2)))>>63) & 1
		ahead := signedSquare(float32(v.heading.X*dx)+float32(v.heading.Y*dy)) - float32(v.cone*d2)
		n += within &^ (uint(math.Float32bits(ahead+0)) >> 31) // +0 drops the sign of a zero
	}
	for i := range n {
		slot, d2 := w.slots[i%viewBatch], w.dist2[i%viewBatch]
		if d2 > v.reach2 || int(slot) == v.skipSlot {
			continue
		}
		entity := s.grid.Entities[slot]
		at := v.count
		for at > 0 && s.nearer(d2, entity, v.found[at-1]) {
			at--
		}
		if at == v.limit || entity == v.entity || !s.castRay(v, s.grid.Positions[slot]) {
			continue
		}
		v.count = min(v.count+1, v.limit)
		copy(v.found[at+1:v.count], v.found[at:])
		v.found[at] = sighting{dist2: d2, slot: slot}
		if v.count == v.limit {
			v.reach2 = v.found[v.count-1].dist2
		}
	}
}

// nearer orders by distance, then entity.
func (s *scene) nearer(dist2 float32, entity components.Entity, than sighting) bool {
	if dist2 != than.dist2 {
		return dist2 < than.dist2
	}
	return entity.Less(s.grid.Entities[than.slot])
}

// countNear counts who stands in the cells around an agent. No one is looked at: a row of cells is two
// numbers.
func (s *scene) countNear(p *components.Percept, a *agent) {
	g, at := s.grid, a.transform.Position
	left, right := g.Col(at.X-s.near), g.Col(at.X+s.near)
	first, last := g.Row(at.Y-s.near), g.Row(at.Y+s.near)
	hostiles, allies := 0, 0
	for _, place := range s.hostiles(a.faction) {
		hostiles += g.CountCells(int(place), first, last, left, right)
	}
	for _, place := range s.allies(a.faction) {
		allies += g.CountCells(int(place), first, last, left, right)
	}
	// The agent itself is no company.
	switch s.relations.Between(a.faction, a.faction) {
	case frame.Hostile:
		hostiles--
	case frame.Ally:
		allies--
	}
	p.Hostiles = uint16(min(max(hostiles, 0), math.MaxUint16))
	p.Allies = uint16(min(max(allies, 0), math.MaxUint16))
}

// listCandidates writes the candidates: the hostiles in sight, nearest first, or while there are none the target that is
// remembered.
func (s *scene) listCandidates(v *view, p *components.Percept, a *agent, targetDist2 float32) {
	*a.candidates = components.Candidates{}
	target := components.Candidate{Entity: p.Target, Distance: p.Distance, Visible: p.Visible}
	listed := p.Target == (components.Entity{})
	for _, f := range v.found[:v.count] {
		entity := s.grid.Entities[f.slot]
		listed = listed || entity == p.Target
		if !listed && s.nearer(targetDist2, p.Target, f) {
			s.addCandidate(a, target)
			listed = true
		}
		s.addCandidate(a, components.Candidate{Entity: entity, Distance: metres(f.dist2), Visible: true})
	}
	if !listed {
		s.addCandidate(a, target)
	}
}

// addCandidate appends a candidate while there is room.
func (s *scene) addCandidate(a *agent, candidate components.Candidate) {
	c := a.candidates
	if c.Count == components.MaxCandidates {
		return
	}
	candidate.Health = s.health(candidate.Entity)
	candidate.Attackers = s.attackers(candidate.Entity)
	if candidate.Entity == a.attackTarget && candidate.Attackers > 0 {
		candidate.Attackers-- // the others
	}
	c.List[c.Count] = candidate
	c.Count++
}

// distance2 returns the square of the metres between two points.
func distance2(a, b components.Vec2) float32 {
	dx, dy := b.X-a.X, b.Y-a.Y
	return float32(dx*dx) + float32(dy*dy)
}

// metres returns the root of a squared distance, at most NoDistance.
func metres(dist2 float32) float32 { return min(sqrt(dist2), NoDistance) }

// sqrt returns the square root, correctly rounded on every processor.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// signedSquare squares a number and keeps its sign.
func signedSquare(x float32) float32 {
	return float32(x * math.Float32frombits(math.Float32bits(x)&^(1<<31)))
}
