package siege

import (
	"math"
	"slices"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// naivePerception runs the senses of every agent in every frame by a query of a grid: the plain way to do what
// [perception.System] does. The grid has a bucket of entities for each square of terrain, filled again in each frame. A
// query walks all buckets that the radius touches and tests the faction, the distance, the cone and last the ray. It
// casts no ray where enough nearer hostiles are found.
type naivePerception struct {
	world     *arche.World
	clock     *frame.Clock
	events    *eventlist.Lists
	relations *frame.Relations
	terrain   *space.Map

	cols, rows int
	buckets    [][]neighbour
	loud       []float32 // by entity index: loudness of the loudest noise heard in this frame
	found      [components.MaxCandidates]sight

	living    *generic.Filter3[components.Transform, components.Faction, components.Health]
	sensing   *sensingFilter
	transform ecs.Lookup[components.Transform]
	faction   ecs.Lookup[components.Faction]
	senses    ecs.Lookup[components.Senses]
	percepts  ecs.Lookup[components.Percept]
	healths   ecs.Lookup[components.Health]
	attacked  ecs.Lookup[components.Attacked]
}

type sensingFilter = generic.Filter7[
	components.Transform, components.Faction, components.Senses, components.Percept, components.Health,
	components.Candidates, components.Attack,
]

// neighbour is an agent in a bucket.
type neighbour struct {
	entity  components.Entity
	at      components.Vec2
	faction uint8
}

// sight is a hostile in sight.
type sight struct {
	entity components.Entity
	at     components.Vec2
	dist2  float32 // square metres
}

const (
	// bucketSide is the side of a bucket in metres, about the radius of sight: the fastest of 4, 8 and 14.
	bucketSide = 14
	// bestHearing is the greatest hearing of an agent in a siege.
	bestHearing = 1
)

// Initialize implements [ecs.System].
func (s *naivePerception) Initialize(w *arche.World) {
	s.world = w
	s.clock = ecs.Resource[frame.Clock](w)
	s.events = ecs.Resource[eventlist.Lists](w)
	s.relations = ecs.Resource[frame.Relations](w)
	s.terrain = ecs.Resource[space.Map](w)
	s.cols = (s.terrain.Width + bucketSide - 1) / bucketSide
	s.rows = (s.terrain.Height + bucketSide - 1) / bucketSide
	s.buckets = make([][]neighbour, s.cols*s.rows)
	s.living = generic.NewFilter3[components.Transform, components.Faction, components.Health]().
		Optional(generic.T[components.Health]())
	s.living.Register(w)
	s.sensing = generic.NewFilter7[
		components.Transform, components.Faction, components.Senses, components.Percept, components.Health,
		components.Candidates, components.Attack,
	]().Optional(generic.T[components.Candidates](), generic.T[components.Attack]())
	s.sensing.Register(w)
	s.transform, s.faction = ecs.NewLookup[components.Transform](w), ecs.NewLookup[components.Faction](w)
	s.senses, s.percepts = ecs.NewLookup[components.Senses](w), ecs.NewLookup[components.Percept](w)
	s.healths, s.attacked = ecs.NewLookup[components.Health](w), ecs.NewLookup[components.Attacked](w)
}

// Finalize implements [ecs.System].
func (s *naivePerception) Finalize(*arche.World) {}

// Update implements [ecs.System].
func (s *naivePerception) Update(*arche.World) {
	s.fill()
	s.hear()
	query := s.sensing.Query(s.world)
	for query.Next() {
		transform, faction, senses, percept, health, candidates, attack := query.Get()
		if health.Current <= 0 {
			continue
		}
		against := components.Entity{}
		if attack != nil {
			against = attack.Target
		}
		s.sense(transform, faction.ID, senses, percept, candidates, against, health)
	}
}

// fill puts all living agents into buckets.
func (s *naivePerception) fill() {
	for i := range s.buckets {
		s.buckets[i] = s.buckets[i][:0]
	}
	query := s.living.Query(s.world)
	for query.Next() {
		transform, faction, health := query.Get()
		if health != nil && health.Current <= 0 {
			continue
		}
		e, at := ecs.FromArche(query.Entity()), transform.Position
		b := &s.buckets[bucketAt(at.Y, s.rows)*s.cols+bucketAt(at.X, s.cols)]
		*b = append(*b, neighbour{e, at, faction.ID})
		for len(s.loud) <= int(e.Index) {
			s.loud = append(s.loud, 0)
		}
	}
}

func bucketAt(x float32, count int) int { return min(max(int(x/bucketSide), 0), count-1) }

// hear writes the noises of the last frame into the percepts of the agents that hear them; of several the loudest.
func (s *naivePerception) hear() {
	noises := s.events.Noises()
	if len(noises) == 0 {
		return
	}
	clear(s.loud)
	for i := range noises {
		noise := &noises[i]
		reach := noise.Loudness * bestHearing
		s.forBuckets(noise.At, reach, func(bucket []neighbour) {
			for k := range bucket {
				s.hearBy(noise, &bucket[k])
			}
		})
	}
}

// forBuckets calls f for each bucket that a circle may touch.
func (s *naivePerception) forBuckets(at components.Vec2, radius float32, f func([]neighbour)) {
	left, right := bucketAt(at.X-radius, s.cols), bucketAt(at.X+radius, s.cols)
	for row := bucketAt(at.Y-radius, s.rows); row <= bucketAt(at.Y+radius, s.rows); row++ {
		for _, bucket := range s.buckets[row*s.cols+left : row*s.cols+right+1] {
			f(bucket)
		}
	}
}

func (s *naivePerception) hearBy(noise *eventlist.Noise, n *neighbour) {
	if n.entity == noise.Source {
		return
	}
	d2 := squared(n.at, noise.At)
	loud := noise.Loudness * noise.Loudness / max(d2, 1e-6)
	if loud <= s.loud[n.entity.Index] {
		return
	}
	senses, percept := s.senses.Get(n.entity), s.percepts.Get(n.entity)
	if senses == nil || percept == nil {
		return
	}
	if radius := noise.Loudness * senses.Hearing; !(radius > 0 && d2 <= radius*radius) {
		return
	}
	s.loud[n.entity.Index] = loud
	percept.Noise, percept.NoiseAt = noise.At, s.clock.Now
}

// sense updates an agent's percept and its candidates, where it has them. The target is the former one as long as it is
// in sight, else the nearest hostile in sight, else the memory of the former one.
func (s *naivePerception) sense(
	self *components.Transform, faction uint8, senses *components.Senses, p *components.Percept,
	candidates *components.Candidates, against components.Entity, health *components.Health,
) {
	had, wasVisible := p.Target, p.Visible
	p.Visible = false
	found := s.found[:0]
	if !had.IsZero() {
		transform, health, other := s.transform.Get(had), s.healths.Get(had), s.faction.Get(had)
		switch {
		case transform == nil || health == nil || health.Current <= 0,
			s.relations.Between(faction, other.ID) != frame.Hostile:
			forgetTarget(p)
		default:
			at := transform.Position
			d2 := squared(self.Position, at)
			near := d2 <= senses.Lose*senses.Lose
			if near && (wasVisible || inCone(self, senses.Cone, at)) && s.terrain.Sees(self.Position, at) {
				p.Visible, p.Distance, p.LastKnown = true, vec.Sqrt(d2), at
				found = append(found, sight{had, at, d2})
			}
		}
	}
	keep := 1
	if candidates != nil {
		keep = components.MaxCandidates
	}
	if candidates != nil || !p.Visible {
		found = s.search(self, faction, senses, found, keep)
	}
	if health != nil && s.clock.Now-health.HurtAt <= 2e9 {
		found = s.noticeAttacker(self, faction, senses, p, found, keep, health.HurtBy)
	}
	switch {
	case p.Visible:
		p.SeenAt, p.Belief = s.clock.Now, 1
	case len(found) > 0:
		p.Target, p.Visible, p.LastKnown, p.Distance = found[0].entity, true, found[0].at, vec.Sqrt(found[0].dist2)
		p.SeenAt, p.Belief = s.clock.Now, 1
	case !p.Target.IsZero():
		age := float32(float64(s.clock.Now-p.SeenAt) / 1e9)
		if age >= senses.Memory {
			forgetTarget(p)
			break
		}
		p.Belief = 1 - age/senses.Memory
		p.Distance = vec.Sqrt(squared(self.Position, p.LastKnown))
	default:
		p.Distance = components.NoDistance
	}
	if candidates != nil {
		s.writeCandidates(p, candidates, found, against)
	}
}

// noticeAttacker adds the hostile that hurt an agent to those found. It takes the place of a target in sight that is
// farther away by more than half a metre, the default of perception.System.
func (s *naivePerception) noticeAttacker(
	self *components.Transform, faction uint8, senses *components.Senses, p *components.Percept, found []sight,
	keep int, by components.Entity,
) []sight {
	transform, health, other := s.transform.Get(by), s.healths.Get(by), s.faction.Get(by)
	if transform == nil || health == nil || health.Current <= 0 || p.Visible && by == p.Target ||
		s.relations.Between(faction, other.ID) != frame.Hostile {
		return found
	}
	at := transform.Position
	d2, reach := squared(self.Position, at), max(senses.Lose, senses.Sight)
	if d2 > reach*reach || !s.terrain.Sees(self.Position, at) {
		return found
	}
	if !slices.ContainsFunc(found, func(f sight) bool { return f.entity == by }) {
		found = insert(found, sight{by, at, d2}, keep)
	}
	if p.Visible && vec.Sqrt(d2)+0.5 < p.Distance {
		p.Target, p.Distance, p.LastKnown = by, vec.Sqrt(d2), at
	}
	return found
}

// insert adds a hostile to those found, nearest first, of which the farthest is dropped if they are too many.
func insert(found []sight, f sight, keep int) []sight {
	at := len(found)
	for at > 0 && (f.dist2 < found[at-1].dist2 || f.dist2 == found[at-1].dist2 && f.entity.Less(found[at-1].entity)) {
		at--
	}
	return slices.Insert(found, at, f)[:min(len(found)+1, keep)]
}

// search adds the nearest hostiles in sight to those that are found already, nearest first.
func (s *naivePerception) search(
	self *components.Transform, faction uint8, senses *components.Senses, found []sight, keep int,
) []sight {
	known := components.Entity{}
	if len(found) > 0 {
		known = found[0].entity
	}
	sight2 := senses.Sight * senses.Sight
	s.forBuckets(self.Position, senses.Sight, func(bucket []neighbour) {
		for i := range bucket {
			n := &bucket[i]
			if s.relations.Between(faction, n.faction) != frame.Hostile {
				continue
			}
			d2 := squared(self.Position, n.at)
			if d2 > sight2 || n.entity == known || !inCone(self, senses.Cone, n.at) {
				continue
			}
			at := len(found)
			for at > 0 && (d2 < found[at-1].dist2 || d2 == found[at-1].dist2 && n.entity.Less(found[at-1].entity)) {
				at--
			}
			if at == keep || !s.terrain.Sees(self.Position, n.at) {
				continue
			}
			if len(found) < keep {
				found = found[:len(found)+1]
			}
			copy(found[at+1:], found[at:])
			found[at] = sight{n.entity, n.at, d2}
		}
	})
	return found
}

// writeCandidates writes the candidates: the hostiles in sight, else the remembered target.
func (s *naivePerception) writeCandidates(
	p *components.Percept, c *components.Candidates, found []sight, against components.Entity,
) {
	*c = components.NewCandidates()
	add := func(e components.Entity, distance float32, visible bool) {
		candidate := components.Candidate{Entity: e, Distance: distance, Visible: visible}
		if h := s.healths.Get(e); h != nil {
			candidate.Health = int16(min(max(h.Current, math.MinInt16), math.MaxInt16))
		}
		if a := s.attacked.Get(e); a != nil {
			candidate.Attackers = a.Count
			if e == against && candidate.Attackers > 0 {
				candidate.Attackers-- // only those of other agents count
			}
		}
		c.List[c.Count] = candidate
		c.Count++
	}
	for _, f := range found {
		add(f.entity, vec.Sqrt(f.dist2), true)
	}
	if len(found) == 0 && !p.Target.IsZero() {
		add(p.Target, p.Distance, false)
	}
}

func forgetTarget(p *components.Percept) {
	p.Target, p.Visible, p.Belief, p.Distance = components.Entity{}, false, 0, components.NoDistance
}

// inCone reports whether a point is within an agent's field of view. cone is the cosine of half its angle.
func inCone(self *components.Transform, cone float32, at components.Vec2) bool {
	x, y := at.X-self.Position.X, at.Y-self.Position.Y
	ahead := float32(self.Heading.X*x) + float32(self.Heading.Y*y)
	return ahead >= cone*vec.Sqrt(float32(x*x)+float32(y*y))
}

func squared(a, b components.Vec2) float32 {
	x, y := b.X-a.X, b.Y-a.Y
	return float32(x*x) + float32(y*y)
}
