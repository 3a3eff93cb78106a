package systems

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// Needs lets hunger, fatigue and loneliness come and go, carries out eat, sleep, socialise, work and rest (see
// [SeekAction]) and tells agents what they need to know to choose among them. It writes components.Needs, Engagement,
// Place and the outcomes of these orders.
//
// It runs before the AI, so that the facts of who decides are fresh; what the AI posts, it takes up in the next
// frame. Who has come to an end is woken.
//
// A place takes as many as its Capacity. Those who leave make room for those who come in the same frame, and of those
// who come the first in the order of entities are taken. Use is counted anew in each frame, so that somebody who is
// removed leaves nothing behind, whoever removes it. A meal is taken from the stock when its eater sits down.
//
// Needs go by the time that has passed, in steps of about a second whatever the frame rate, and none is lost when an
// activity changes between. An activity that comes to its end within a step counts until then; what is left of the step
// is idle.
//
// An agent needs [components.Needs], [components.Engagement], [components.Intent] and [components.Transform]; without
// a [components.Home] it sees no food. Company is found among those who have a [components.Faction]. The zero value is
// ready to be initialized. It needs a world set up by [Install].
type Needs struct {
	Rates NeedRates // zero stands for DefaultNeedRates
	Sun   Sun       // zero stands for DefaultSun
	Start float32   // hours after midnight at which the clock begins
	Reach float32   // metres within which a place can be used; 0 stands for 3
	Near  float32   // metres within which others are company; 0 stands for 4

	world    *arche.World
	clock    *Clock
	workers  *Workers
	events   *Events
	grid     *Grid
	actions  Standard
	kinds    [components.Activities]components.PlaceKind // that an activity takes up; 0: none
	flows    [components.Activities]flow
	rates    perSecond
	agents   *ecs.Columns
	sites    *ecs.Columns
	places   ecs.Lookup[components.Place]
	position ecs.Lookup[components.Transform]

	// Within a frame.
	chunks  []ecs.Chunk
	spans   []ecs.Span
	doing   []uint8      // by entity index: 1 + activity; 0: nobody with needs
	claims  []placeClaim // of all workers
	indices int          // one more than the largest entity index of a place
	day     float32      // of this frame
	ticking uint64       // by the last bits of an entity index: whether it is time for needs to move on
	livings []living     // by worker
	live    func(worker, task int)
	look    func(worker, task int)
}

// NeedsStats are counts since the system was initialised.
type NeedsStats struct {
	Time    [components.Activities]components.Timestamp // that agents were at something, summed over them
	Walking components.Timestamp                        // part of the idle time: with an order to go somewhere
	Begun   [components.Activities]int64                // how often something was begun
	Refused int64                                       // places that were taken, of another kind or out of reach
	Starved int64                                       // how often somebody came to starve
}

// living is what a worker keeps.
type living struct {
	claims []placeClaim
	used   []int32                // by entity index of a place: agents
	worked []components.Timestamp // by entity index of a place: time worked in this frame
	stats  NeedsStats
	_      [64]byte // no two workers write to one cache line
}

// placeClaim is somebody's wish to take up a place.
type placeClaim struct {
	entity components.Entity
	chunk  int32
	row    int32
	doing  components.Activity
}

func (c placeClaim) compare(o placeClaim) int { return c.entity.Compare(o.entity) }

// Terms of the columns.
const (
	needsNeeds = iota
	needsEngagement
	needsIntent
	needsTransform
	needsHome
	needsLOD
)

const (
	needsRows = 1024    // agents of a task
	claimRoom = 1 << 16 // claims of a frame that there is room for from the start, or as many as there are agents

	second components.Timestamp = 1e9
)

// Initialize prepares the system. It panics, naming it, when the world lacks one of its resources and when a setting is
// out of range.
func (s *Needs) Initialize(w *arche.World) {
	const who = "systems.Needs"
	setDefault(&s.Rates, DefaultNeedRates())
	setDefault(&s.Sun, DefaultSun())
	s.Rates.require(who)
	s.Sun.require(who)
	requireSetting(who, "Start", s.Start)
	requireSetting(who, "Reach", s.Reach)
	requireSetting(who, "Near", s.Near)
	setDefault(&s.Reach, 3)
	setDefault(&s.Near, 4)
	s.Finalize(w) // of the world before, if nobody did
	s.world = w
	s.clock = ecs.Resource[Clock](w, who)
	s.workers = ecs.Resource[Workers](w, who)
	s.events = ecs.Resource[Events](w, who)
	s.grid = attachGrid(w, who)
	actions, err := StandardActions(ecs.Resource[aitree.Actions](w, who))
	if err != nil {
		panic(who + ": " + err.Error())
	}
	s.actions = actions
	s.kinds[components.Eating] = components.Store
	s.kinds[components.Sleeping] = components.Bed
	s.kinds[components.Working] = components.Workplace
	s.flows, s.rates = s.Rates.flows(), s.Rates.perSecond()
	s.agents = ecs.NewColumns(w, ecs.Need[components.Needs](), ecs.Need[components.Engagement](),
		ecs.Need[components.Intent](), ecs.Need[components.Transform](),
		ecs.Optional[components.Home](), ecs.Optional[components.LOD]())
	s.sites = ecs.NewColumns(w, ecs.Need[components.Place]())
	s.places = ecs.NewLookup[components.Place](w)
	s.position = ecs.NewLookup[components.Transform](w)
	s.livings = make([]living, s.workers.Count())
	s.live, s.look = s.liveSpan, s.lookSpan
}

// Update lets a frame's time pass, and looks around for those who are due to decide.
func (s *Needs) Update(*arche.World) {
	s.grid.Refresh()
	s.ticking = tickingNow(s.clock.Now, s.clock.Now-s.clock.Step)
	s.day = s.Sun.day(s.clock.Now, s.Start)
	s.chunks = s.agents.Open()
	s.spans = s.agents.Spans(needsRows)
	sites := s.sites.Open()
	s.begin(sites)
	s.workers.Run(len(s.spans), s.live)
	s.countUse(sites)
	s.admit()
	s.workers.Run(len(s.spans), s.look)
	s.sites.Close()
	s.agents.Close()
	s.chunks, s.spans = nil, nil
}

// Finalize releases what the system holds of the world. The counts can still be asked.
func (s *Needs) Finalize(*arche.World) {
	release(&s.agents)
	release(&s.sites)
}

// Stats returns the counts so far.
func (s *Needs) Stats() NeedsStats {
	var sum NeedsStats
	for i := range s.livings {
		w := &s.livings[i].stats
		for a := range w.Time {
			sum.Time[a] += w.Time[a]
			sum.Begun[a] += w.Begun[a]
		}
		sum.Walking += w.Walking
		sum.Refused += w.Refused
		sum.Starved += w.Starved
	}
	return sum
}

// begin makes the scratch space fit.
func (s *Needs) begin(sites []ecs.Chunk) {
	s.indices = 0
	for i := range sites {
		for _, e := range sites[i].Entities() {
			s.indices = max(s.indices, int(e.Index)+1)
		}
	}
	agents := 0
	for i := range s.chunks {
		agents += s.chunks[i].Len()
	}
	s.events.reserve(agents)
	room := min(agents, claimRoom)
	for i := range s.livings {
		l := &s.livings[i]
		l.used, l.worked = sized(l.used, s.indices), sized(l.worked, s.indices)
		clear(l.used)
		clear(l.worked)
		l.claims = sized(l.claims, room)[:0]
	}
	s.claims = sized(s.claims, room)[:0]
	s.doing = sized(s.doing, len(s.grid.slots))
	clear(s.doing)
}

// activity returns what an order asks for: an activity while it stands and is one of these actions.
func (s *Needs) activity(o *components.Order) components.Activity {
	if o.Outcome != components.Pending {
		return components.Idle
	}
	switch o.Action {
	case s.actions.Eat:
		return components.Eating
	case s.actions.Sleep:
		if o.Target.IsZero() {
			return components.Camping
		}
		return components.Sleeping
	case s.actions.Socialise:
		return components.Socialising
	case s.actions.Work:
		return components.Working
	case s.actions.Rest:
		return components.Resting
	}
	return components.Idle
}

// liveSpan lets the frame's time pass for the agents of a task. They write to themselves alone; what they want of
// places they ask for.
func (s *Needs) liveSpan(worker, task int) {
	span := s.spans[task]
	k := &s.chunks[span.Chunk]
	entities := k.Entities()
	engagements := ecs.Column[components.Engagement](k, needsEngagement)
	intents := ecs.Column[components.Intent](k, needsIntent)
	l := &s.livings[worker]
	for i := span.Start; i < span.End; i++ {
		e, a, order := entities[i], &engagements[i], &intents[i].Orders[components.Act]
		wanted := s.activity(order)
		// In most frames nothing changes for most agents, and their time passes in one of the next.
		goes := (wanted == components.Idle) == (a.Activity == components.Idle) &&
			(wanted == components.Idle || a.Serial == order.Serial && (a.Place.IsZero() || s.serves(a)))
		if !goes || s.ticks(e) {
			s.liveOn(worker, span.Chunk, i, wanted, goes)
		}
		if !a.Place.IsZero() && int(a.Place.Index) < len(l.used) {
			l.used[a.Place.Index]++
		}
		if int(e.Index) < len(s.doing) {
			s.doing[e.Index] = 1 + uint8(a.Activity)
		}
	}
}

// liveOn lets the time pass for an agent that wants to do something, and which either goes on with that, or idly, or
// does not.
func (s *Needs) liveOn(worker, chunk, row int, wanted components.Activity, goes bool) {
	k, l := &s.chunks[chunk], &s.livings[worker]
	a := &ecs.Column[components.Engagement](k, needsEngagement)[row]
	intent := &ecs.Column[components.Intent](k, needsIntent)[row]
	v := villager{
		entity: k.Entities()[row],
		needs:  &ecs.Column[components.Needs](k, needsNeeds)[row],
		at:     a,
		order:  &intent.Orders[components.Act],
	}
	v.walks = a.Activity == components.Idle && s.walks(&intent.Orders[components.Move])
	outcome := s.pass(l, &v)
	switch {
	case goes:
		if outcome != components.Pending && wanted != components.Idle {
			s.end(worker, &v, outcome)
		}
	case wanted == components.Idle:
		*a = components.Engagement{Serial: v.order.Serial}
	case a.Activity == components.Idle || a.Serial != v.order.Serial:
		*a = components.Engagement{Serial: v.order.Serial}
		switch {
		case s.kinds[wanted] != 0:
			l.claims = append(l.claims,
				placeClaim{entity: v.entity, chunk: int32(chunk), row: int32(row), doing: wanted})
		case wanted == components.Socialising && v.needs.Friends == 0:
			v.order.Outcome = components.Failed
		default:
			s.engage(l, &v, wanted)
		}
	default: // its place is no longer one for that
		s.end(worker, &v, components.Failed)
	}
}

// walks reports whether a move order takes its agent somewhere.
func (s *Needs) walks(o *components.Order) bool {
	return o.Action != 0 && o.Action != s.actions.Stand && o.Outcome == components.Pending
}

// ticks reports whether it is time for an agent's needs to move on, which it is once a second, at an instant of its
// own.
func (s *Needs) ticks(e components.Entity) bool { return s.ticking>>(e.Index%lookPhases)&1 != 0 }

// tickingNow returns for which of the instants within a second, by their bits, it is time.
func tickingNow(now, before components.Timestamp) (phases uint64) {
	for i := range lookPhases {
		phase := components.Timestamp(i) * (second / lookPhases)
		if (now+phase)/second != (before+phase)/second {
			phases |= 1 << i
		}
	}
	return phases
}

// engage begins an activity.
func (s *Needs) engage(l *living, v *villager, doing components.Activity) {
	v.at.Activity = doing
	if left := v.order.Numbers[0]; left > 0 && isFinite(left) {
		v.at.Remaining = max(seconds(left), 1)
	}
	if doing == components.Eating && (v.at.Remaining == 0 || v.at.Remaining > s.rates.meal) {
		v.at.Remaining = s.rates.meal
	}
	l.stats.Begun[doing]++
}

// end ends an activity that goes on.
func (s *Needs) end(worker int, v *villager, outcome components.Outcome) {
	v.order.Outcome = outcome
	*v.at = components.Engagement{Serial: v.order.Serial}
	s.events.Wake(worker, v.entity)
}

// serves reports whether the place that an agent takes up is still one for what it does there.
func (s *Needs) serves(a *components.Engagement) bool {
	p := s.places.Get(a.Place)
	return p != nil && p.Kind == s.kinds[a.Activity]
}

// countUse notes how many take up each place, and what work has brought.
func (s *Needs) countUse(sites []ecs.Chunk) {
	for i := range sites {
		entities := sites[i].Entities()
		places := ecs.Column[components.Place](&sites[i], 0)
		for row := range places {
			p, index := &places[row], entities[row].Index
			p.Occupied = 0
			worked := components.Timestamp(0)
			for j := range s.livings {
				p.Occupied += s.livings[j].used[index]
				worked += s.livings[j].worked[index]
			}
			if worked > 0 {
				s.harvest(p, worked)
			}
		}
	}
}

// harvest turns time that was worked at a place into meals of the store that it supplies.
func (s *Needs) harvest(p *components.Place, worked components.Timestamp) {
	if s.rates.harvest == 0 {
		return
	}
	p.WorkDone += worked
	meals := p.WorkDone / s.rates.harvest
	p.WorkDone -= meals * s.rates.harvest
	if store := s.places.Get(p.Supplies); store != nil && meals > 0 {
		room := max(int64(store.MaxStock)-int64(store.Stock), 0)
		store.Stock += int32(min(int64(meals), room))
	}
}

// admit grants the claims, in the order of entities, as long as there is room.
func (s *Needs) admit() {
	s.claims = merged(s.claims, s.livings, func(l *living) *[]placeClaim { return &l.claims }, placeClaim.compare)
	l := &s.livings[0]
	for _, c := range s.claims {
		k := &s.chunks[c.chunk]
		v := villager{
			entity: c.entity,
			at:     &ecs.Column[components.Engagement](k, needsEngagement)[c.row],
			order:  &ecs.Column[components.Intent](k, needsIntent)[c.row].Orders[components.Act],
		}
		at := ecs.Column[components.Transform](k, needsTransform)[c.row].Position
		if !s.take(v.order.Target, s.kinds[c.doing], at) {
			v.order.Outcome = components.Failed
			l.stats.Refused++
			s.events.Wake(0, c.entity)
			continue
		}
		v.at.Place = v.order.Target
		s.engage(l, &v, c.doing)
		if int(c.entity.Index) < len(s.doing) {
			s.doing[c.entity.Index] = 1 + uint8(c.doing)
		}
	}
}

// take takes up a place for one who stands at a point, and a meal where there are any; false when it cannot be had.
func (s *Needs) take(place components.Entity, kind components.PlaceKind, at vec2) bool {
	p, t := s.places.Get(place), s.position.Get(place)
	if p == nil || t == nil || p.Kind != kind || p.Occupied >= p.Capacity || kind == components.Store && p.Stock <= 0 {
		return false
	}
	if away := sub(t.Position, at); !(dot(away, away) <= float32(s.Reach*s.Reach)) { // or no number
		return false
	}
	p.Occupied++
	if kind == components.Store {
		p.Stock--
	}
	return true
}
