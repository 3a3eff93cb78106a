package perception_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// reference is a second, simple implementation of perception: it compares all pairs of agents, with distances in
// float64. Coordinates in its tests are whole sixteenths of a metre, for which squared distances are exact
// in a float32 too, so that the two must agree to the bit.
type reference struct {
	ground    *space.Map
	relations *frame.Relations
	entities  []components.Entity
	people    []testworld.Agent
	removed   []bool
	percepts  []components.Percept
	now       components.Timestamp
	sticky    float32 // metres
	sightings int
	doubtful  bool // a point lay on the edge of a cone but for rounding
}

func (r *reference) finite(i int) bool {
	at := r.people[i].At
	return !math.IsNaN(float64(at.X+at.Y)) && !math.IsInf(float64(at.X), 0) && !math.IsInf(float64(at.Y), 0)
}

func (r *reference) present(i int) bool {
	return !r.removed[i] && r.people[i].IsAlive() && r.finite(i)
}

func (r *reference) distance2(i, j int) float64 {
	dx, dy := float64(r.people[j].At.X)-float64(r.people[i].At.X), float64(r.people[j].At.Y)-float64(r.people[i].At.Y)
	return dx*dx + dy*dy
}

func (r *reference) inCone(i, j int) bool {
	p := &r.people[i]
	dx, dy := float64(r.people[j].At.X-p.At.X), float64(r.people[j].At.Y-p.At.Y)
	hx, hy := float64(p.Heading.X), float64(p.Heading.Y)
	length := math.Hypot(hx, hy)
	if length == 0 || p.Senses.Cone <= -1 {
		return true
	}
	dot, edge := (dx*hx+dy*hy)/length, float64(p.Senses.Cone)*math.Hypot(dx, dy)
	exact := hx*hy == 0 && float64(p.Senses.Cone)*2 == math.Trunc(float64(p.Senses.Cone)*2)
	if !exact && math.Abs(dot-edge) < 1e-4 {
		r.doubtful = true
	}
	return dot >= edge
}

func (r *reference) clear(i, j int) bool {
	return r.ground == nil || testworld.SeesReference(r.ground, r.people[i].At, r.people[j].At)
}

func (r *reference) index(e components.Entity) int { return slices.Index(r.entities, e) }

// inSight returns the hostiles that i sees of itself, nearest first.
func (r *reference) inSight(i int) []int {
	p := &r.people[i]
	var seen []int
	for j := range r.people {
		if j != i && r.present(j) && r.relations.Between(p.Faction, r.people[j].Faction) == frame.Hostile &&
			r.distance2(i, j) <= float64(p.Senses.Sight)*float64(p.Senses.Sight) && r.inCone(i, j) && r.clear(i, j) {
			seen = append(seen, j)
		}
	}
	r.sort(i, seen)
	return seen
}

func (r *reference) sort(i int, others []int) {
	slices.SortFunc(others, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.distance2(i, a), r.distance2(i, b)), r.entities[a].Compare(r.entities[b]))
	})
}

func (r *reference) metres(i, j int) float32 { return float32(math.Sqrt(r.distance2(i, j))) }

// sense updates the percept of one agent and returns its candidates.
func (r *reference) sense(i int) []components.Candidate {
	p, me := &r.percepts[i], &r.people[i]
	sees := me.Senses.Sight > 0 && r.finite(i)
	was := p.Visible
	p.Visible = false
	target := r.index(p.Target)
	forget := func() {
		p.Target, p.Belief, p.Distance = components.Entity{}, 0, components.NoDistance
		target = -1
	}
	if target >= 0 {
		lose := float64(max(me.Senses.Lose, me.Senses.Sight))
		switch {
		case r.removed[target] || !r.people[target].IsAlive() ||
			r.relations.Between(me.Faction, r.people[target].Faction) != frame.Hostile:
			forget()
		case sees && r.present(target) && r.distance2(i, target) <= lose*lose && (was || r.inCone(i, target)) &&
			r.clear(i, target):
			p.Visible = true
		}
	}
	var seen []int
	if sees {
		seen = r.inSight(i)
	}
	if attacker := r.attacker(i); sees && attacker >= 0 && !(p.Visible && attacker == target) {
		if !slices.Contains(seen, attacker) {
			seen = append(seen, attacker)
			r.sort(i, seen)
		}
		if p.Visible && r.metres(i, attacker)+r.sticky < r.metres(i, target) {
			if !slices.Contains(seen, target) {
				seen = append(seen, target)
				r.sort(i, seen)
			}
			target = attacker
			p.Target = r.entities[target]
			r.sightings++
		}
	}
	if !p.Visible && len(seen) > 0 {
		if target != seen[0] {
			r.sightings++
		}
		target = seen[0]
		p.Target, p.Visible = r.entities[target], true
	}
	switch {
	case p.Visible:
		p.LastKnown, p.SeenAt, p.Belief, p.Distance = r.people[target].At, r.now, 1, r.metres(i, target)
	case target >= 0:
		age := float32(float64(r.now-p.SeenAt) / 1e9)
		if age >= me.Senses.Memory {
			forget()
			break
		}
		p.Belief = 1 - age/me.Senses.Memory
		if r.finite(i) {
			dx, dy := float64(p.LastKnown.X-me.At.X), float64(p.LastKnown.Y-me.At.Y)
			p.Distance = float32(math.Sqrt(dx*dx + dy*dy))
		}
	default:
		p.Distance = components.NoDistance
	}
	p.Hostiles, p.Allies = 0, 0
	if sees {
		r.count(i)
	}

	// Candidates: all in sight and the target, visible ones by distance and entity.
	if target >= 0 && p.Visible && !slices.Contains(seen, target) {
		seen = append(seen, target)
		r.sort(i, seen)
	}
	var candidates []components.Candidate
	add := func(j int, distance float32, visible bool) {
		c := components.Candidate{Entity: r.entities[j], Distance: distance, Visible: visible}
		if health := r.people[j].Health; health != nil && !r.removed[j] {
			c.Health = int16(health.Current)
		}
		candidates = append(candidates, c)
	}
	for _, j := range seen {
		add(j, r.metres(i, j), true)
	}
	if target >= 0 && !p.Visible { // so nobody is in sight
		add(target, p.Distance, false)
	}
	return candidates[:min(len(candidates), components.MaxCandidates)]
}

// attacker returns the hostile that hurt i in the last two seconds, if it is in sight in any direction; else -1.
func (r *reference) attacker(i int) int {
	me := &r.people[i]
	if me.Health == nil || r.now-me.Health.HurtAt > 2e9 {
		return -1
	}
	j := r.index(me.Health.HurtBy)
	reach := float64(max(me.Senses.Lose, me.Senses.Sight))
	if j < 0 || !r.present(j) || r.relations.Between(me.Faction, r.people[j].Faction) != frame.Hostile ||
		r.distance2(i, j) > reach*reach || !r.clear(i, j) {
		return -1
	}
	return j
}

// count counts hostiles and allies in the cells of 4 m that the square of 8 m around i touches.
func (r *reference) count(i int) {
	cell := func(x float32, side int) int {
		return min(max(int(math.Floor(float64(x)/4)), 0), (side+3)/4-1)
	}
	at := r.people[i].At
	for j := range r.people {
		if j == i || !r.present(j) {
			continue
		}
		x, y := cell(r.people[j].At.X, r.ground.Width), cell(r.people[j].At.Y, r.ground.Height)
		if x < cell(at.X-8, r.ground.Width) || x > cell(at.X+8, r.ground.Width) || y < cell(at.Y-8, r.ground.Height) ||
			y > cell(at.Y+8, r.ground.Height) {
			continue
		}
		switch r.relations.Between(r.people[i].Faction, r.people[j].Faction) {
		case frame.Hostile:
			r.percepts[i].Hostiles++
		case frame.Ally:
			r.percepts[i].Allies++
		}
	}
}

// drawPeople draws people who perceive, on and around the map, on whole sixteenths of a metre.
func drawPeople(t *rapid.T, m *space.Map) []testworld.Agent {
	people := make([]testworld.Agent, rapid.IntRange(1, 90).Draw(t, "people"))
	seed := rapid.Uint64().Draw(t, "seed")
	for i := range people {
		draw := random.Mix(seed, uint64(i))
		pick := func(k uint64, n int) int { return int(random.Below(random.Mix(draw, k), uint32(n))) }
		choose := func(k uint64, of ...float32) float32 { return of[pick(k, len(of))] }
		p := &people[i]
		p.At = components.Vec2{X: float32(pick(0, 16*(m.Width+4))-32) / 16,
			Y: float32(pick(1, 16*(m.Height+4))-32) / 16}
		p.Heading = [5]components.Vec2{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {}}[pick(2, 5)]
		if pick(3, 3) > 0 {
			angle := 2 * math.Pi * float64(random.Unit(random.Mix(draw, 4)))
			p.Heading = components.Vec2{X: float32(math.Cos(angle)), Y: float32(math.Sin(angle))}
		}
		p.Faction = uint8(pick(5, 4))
		p.Marked = pick(6, 2) == 0
		p.Senses = &components.Senses{
			Sight: choose(7, 0, 3, 5, 8, 15, 60), Lose: choose(8, 0, 6, 20),
			Cone: choose(9, -1, -0.5, 0, 0.5, 0.5, 0.8, 1), Memory: choose(10, 0, 0.25, 1, 30),
		}
		if pick(11, 2) == 0 {
			p.Health = &components.Health{Current: int32(pick(12, 20))}
		}
		if pick(13, 3) == 0 {
			p.Candidates = &components.Candidates{}
		}
	}
	return people
}

// drawRelations draws the default or a few exceptions to it.
func drawRelations(t *rapid.T) (r frame.Relations) {
	for range rapid.IntRange(0, 4).Draw(t, "exceptions") {
		r.Set(rapid.Uint8Range(0, 3).Draw(t, "observer"), rapid.Uint8Range(0, 3).Draw(t, "other"),
			rapid.SampledFrom([]frame.Relation{frame.Neutral, frame.Ally, frame.Hostile}).Draw(t, "relation"))
	}
	return r
}

// change lets some people move, turn up nowhere, be hurt, change sides or be removed.
func change(seed uint64, r *reference) {
	people, removed := r.people, r.removed
	for i := range people {
		draw := random.Mix(seed, uint64(i))
		pick := func(k uint64, n int) int { return int(random.Below(random.Mix(draw, k), uint32(n))) }
		p := &people[i]
		if pick(0, 2) == 0 && p.At.X == p.At.X {
			p.At.X += float32(pick(1, 65)-32) / 16
			p.At.Y += float32(pick(2, 65)-32) / 16
		}
		switch pick(3, 30) {
		case 0:
			p.At.X = float32(math.NaN())
		case 1:
			p.At = components.Vec2{X: 5, Y: 5}
		case 2:
			if p.Health != nil {
				p.Health.Current = 0
			}
		case 3:
			p.Faction = uint8(pick(4, 4))
		case 4:
			removed[i] = true
		}
		if p.Health != nil && pick(5, 2) == 0 {
			by := pick(6, len(people))
			for k := range uint64(8) { // by someone near, mostly
				if j := pick(7+k, len(people)); j != i && !(r.distance2(i, j) >= r.distance2(i, by)) {
					by = j
				}
			}
			p.Health.HurtBy = r.entities[by]
			p.Health.HurtAt = max(r.now-components.Timestamp(pick(20, 6))*5e8, 0)
		}
	}
}

// apply writes the people's state into a village.
func apply(h *testworld.SensingWorld, people []testworld.Agent, removed []bool) {
	for i := range people {
		e := h.Entities[i]
		if removed[i] {
			if ecs.Alive(h.World, e) {
				h.World.RemoveEntity(ecs.ToArche(e))
			}
			continue
		}
		ecs.Get[components.Transform](h.World, e).Position = people[i].At
		ecs.Get[components.Faction](h.World, e).ID = people[i].Faction
		if people[i].Health != nil {
			*ecs.Get[components.Health](h.World, e) = *people[i].Health
		}
	}
}

func TestPerceptionEqualsComparingAllPairs(t *testing.T) {
	sighted, remembered := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := space.NewMap(rapid.IntRange(1, 50).Draw(t, "width"), rapid.IntRange(1, 50).Draw(t, "height"))
		seed := rapid.Uint64().Draw(t, "walls")
		walls := rapid.SampledFrom([]float32{0, 0.05, 0.2}).Draw(t, "share of walls")
		for i := range m.Width * m.Height {
			if random.Unit(random.Mix(seed, uint64(i))) < walls {
				m.Set(i%m.Width, i/m.Width, space.Wall)
			}
		}
		people := drawPeople(t, m)
		relations := drawRelations(t)
		order := rapid.Permutation(testworld.Reversed(len(people))).Draw(t, "order")
		villages := []*testworld.SensingWorld{testworld.NewSensingWorld(t, m, 1, people, nil),
			testworld.NewSensingWorld(t, m, 3, people, order), testworld.NewSensingWorld(t, m, 2, people, order)}
		r := &reference{ground: m, relations: &relations, entities: villages[0].Entities, people: people}
		sticky := rapid.SampledFrom([]float32{0, -1, 2.25, 1e6}).Draw(t, "stickiness")
		if r.sticky = max(sticky, 0); sticky == 0 {
			r.sticky = 0.5
		}
		r.removed, r.percepts = make([]bool, len(people)), make([]components.Percept, len(people))
		var frames []func()
		for i, h := range villages {
			*ecs.Resource[frame.Relations](h.World) = relations
			p := &perception.System{Stickiness: sticky}
			if i == 2 {
				p.RayBudget = math.MaxInt // the way of a budget, but for its limit
			}
			frames = append(frames, testworld.Run(h, p))
		}
		for range rapid.IntRange(2, 8).Draw(t, "frames") {
			change(rapid.Uint64().Draw(t, "change"), r)
			for i, h := range villages {
				apply(h, people, r.removed)
				frames[i]()
			}
			r.now = villages[0].Clock.Now
			for i := range people {
				if r.removed[i] || !people[i].IsAlive() {
					continue
				}
				candidates := r.sense(i)
				if r.doubtful {
					t.Skip("an edge of a cone within rounding")
				}
				for _, h := range villages {
					require.Equal(t, r.percepts[i], *testworld.Get[components.Percept](t, h, i),
						"person %d of %d workers", i, len(h.Entities))
					if people[i].Candidates != nil {
						c := testworld.Get[components.Candidates](t, h, i)
						require.Equal(t, candidates, append([]components.Candidate(nil), c.List[:c.Count]...))
						for _, rest := range c.List[c.Count:] {
							require.Equal(t, components.Candidate{Distance: components.NoDistance}, rest)
						}
					}
				}
				if r.percepts[i].Visible {
					sighted++
				} else if r.percepts[i].Target != (components.Entity{}) {
					remembered++
				}
			}
			for _, h := range villages {
				require.EqualValues(t, r.sightings, h.Events.Total(eventlist.Sighting))
			}
		}
	})
	if !testing.Short() { // the totals follow rapid's number of cases
		require.Greater(t, sighted, 10, "the cases must show something")
		require.Positive(t, remembered)
	}
}
