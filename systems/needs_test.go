package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// hamlet is a world in which the needs are tested: orders are posted by hand.
type hamlet struct {
	w     *arche.World
	clock *Clock
	do    Standard
	needs *Needs
}

func newHamlet(t testing.TB, fps, workers int, configure func(*Needs)) *hamlet {
	t.Helper()
	world := arche.NewWorld()
	h := &hamlet{w: &world, needs: &Needs{}}
	Install(h.w, Options{FPS: fps, Seed: 1, Workers: workers, Map: plain()})
	h.clock = ecs.Resource[Clock](h.w, "test")
	t.Cleanup(ecs.Resource[Workers](h.w, "test").Close)
	var err error
	h.do, err = StandardActions(ecs.Resource[aitree.Actions](h.w, "test"))
	require.NoError(t, err)
	if configure != nil {
		configure(h.needs)
	}
	h.needs.Initialize(h.w)
	return h
}

func (h *hamlet) spawn(values ...any) components.Entity {
	var made components.Entity
	ecs.NewPrefab(h.w, values...).SpawnNow(h.w, 1, func(_ int, e components.Entity) { made = e })
	return made
}

func (h *hamlet) villager(at vec2, n components.Needs, more ...any) components.Entity {
	return h.spawn(append([]any{
		components.Transform{Position: at, Heading: vec2{X: 1}}, components.Faction{ID: 1}, components.Intent{},
		n, components.Engagement{},
	}, more...)...)
}

func (h *hamlet) place(at vec2, p components.Place) components.Entity {
	return h.spawn(components.Transform{Position: at}, p)
}

func (h *hamlet) at(e components.Entity) *components.Place { return ecs.Get[components.Place](h.w, e) }

func (h *hamlet) of(e components.Entity) *components.Needs { return ecs.Get[components.Needs](h.w, e) }

func (h *hamlet) doing(e components.Entity) components.Activity {
	return ecs.Get[components.Engagement](h.w, e).Activity
}

// post gives an agent an act order, as the AI does: action 0 takes the order back.
func (h *hamlet) post(e components.Entity, o components.Order) {
	order := h.order(e)
	o.Serial = order.Serial + 1
	*order = o
}

func (h *hamlet) order(e components.Entity) *components.Order {
	return &ecs.Get[components.Intent](h.w, e).Orders[components.Act]
}

func (h *hamlet) frames(n int) {
	for range n {
		h.clock.Advance()
		h.needs.Update(h.w)
	}
}

func (h *hamlet) seconds(s int) { h.frames(s * h.clock.FPS) }

func TestNeedsComeAndGoByTheHour(t *testing.T) {
	h := newHamlet(t, 1, 1, func(s *Needs) {
		s.Rates = NeedRates{
			Hunger: 0.1, SleepHunger: 0.05, Fatigue: 0.2, WorkFatigue: 0.3, Loneliness: 0.08,
			Sleep: 0.25, Camp: 0.15, Rest: 0.04, Company: 0.5, Overheard: 0.2,
			Meal: 0.5, MealTime: 0.5, Harvest: 1, Plenty: 1, Friends: 1, StarveAfter: 2,
		}
	})
	half := components.Needs{Hunger: 0.5, Fatigue: 0.5, Loneliness: 0.5}
	far := func(i int) vec2 { return vec2{X: float32(1 + 9*i), Y: 60} }
	bed := h.place(far(1), components.Place{Kind: components.Bed, Capacity: 1})
	store := h.place(far(2), components.Place{Kind: components.Store, Capacity: 1, Stock: 1})
	field := h.place(far(3), components.Place{Kind: components.Workplace, Capacity: 1})
	idle, sleeper := h.villager(far(0), half), h.villager(far(1), half)
	eater, worker := h.villager(far(2), half), h.villager(far(3), half)
	rester, camper := h.villager(far(4), half), h.villager(far(5), half)
	talker, friend := h.villager(far(6), half), h.villager(far(6), half)
	h.frames(1)
	h.post(sleeper, components.Order{Action: h.do.Sleep, Target: bed})
	h.post(eater, components.Order{Action: h.do.Eat, Target: store})
	h.post(worker, components.Order{Action: h.do.Work, Target: field})
	h.post(rester, components.Order{Action: h.do.Rest})
	h.post(camper, components.Order{Action: h.do.Sleep})
	h.post(talker, components.Order{Action: h.do.Socialise, Numbers: [2]float32{1: 0.01}})
	h.frames(1)
	before := map[components.Entity]components.Needs{}
	for _, e := range []components.Entity{idle, sleeper, eater, worker, rester, camper, talker, friend} {
		before[e] = *h.of(e)
	}
	h.seconds(1440) // 0.4 hours
	for _, c := range []struct {
		who                         string
		e                           components.Entity
		hunger, fatigue, loneliness float32 // in 0.4 hours
	}{
		{"idle", idle, 0.04, 0.08, 0.032},
		{"asleep", sleeper, 0.02, -0.1, 0},
		{"at a meal of 0.5 in half an hour", eater, -0.4, 0.08, 0.032},
		{"at work", worker, 0.04, 0.12, 0.032},
		{"at rest", rester, 0.04, -0.016, 0.032},
		{"asleep without a bed", camper, 0.02, -0.06, 0},
		{"in company", talker, 0.04, 0.08, -0.2},
		{"near one who talks", friend, 0.04, 0.08, -0.08},
	} {
		was, is := before[c.e], h.of(c.e)
		assert.InDelta(t, was.Hunger+c.hunger, is.Hunger, 1e-3, "hunger of one %s", c.who)
		assert.InDelta(t, was.Fatigue+c.fatigue, is.Fatigue, 1e-3, "fatigue of one %s", c.who)
		assert.InDelta(t, was.Loneliness+c.loneliness, is.Loneliness, 1e-3, "loneliness of one %s", c.who)
	}
}

func TestNeedsDependOnTimeAndNotOnFrames(t *testing.T) {
	type life struct{ hunger, fatigue, loneliness, stock float32 }
	live := func(fps int) (life, NeedsStats) {
		h := newHamlet(t, fps, 1, nil)
		store := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Store, Capacity: 2, Stock: 3, MaxStock: 9})
		field := h.place(vec2{X: 11, Y: 10}, components.Place{Kind: components.Workplace, Capacity: 2, Supplies: store})
		bed := h.place(vec2{X: 12, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
		e := h.villager(vec2{X: 10.5, Y: 10}, components.Needs{Hunger: 0.6, Fatigue: 0.3, Loneliness: 0.2})
		for _, o := range []struct {
			seconds int
			order   components.Order
		}{
			{600, components.Order{Action: h.do.Rest}},
			{2000, components.Order{Action: h.do.Eat, Target: store}}, // a meal takes 1440
			{6000, components.Order{Action: h.do.Work, Target: field}},
			{3000, components.Order{Action: h.do.Sleep, Target: bed}},
			{333, components.Order{}},
		} {
			h.post(e, o.order)
			h.seconds(o.seconds)
		}
		n := h.of(e)
		return life{n.Hunger, n.Fatigue, n.Loneliness, float32(h.at(store).Stock)}, h.needs.Stats()
	}
	slow, counted := live(1)
	for _, fps := range []int{2, 7, 60} {
		fast, of := live(fps)
		assert.InDelta(t, slow.hunger, fast.hunger, 1e-3, "hunger at %d frames per second", fps)
		assert.InDelta(t, slow.fatigue, fast.fatigue, 1e-3)
		assert.InDelta(t, slow.loneliness, fast.loneliness, 1e-3)
		assert.Equal(t, slow.stock, fast.stock, "one meal eaten, one harvested")
		assert.Equal(t, counted.Begun, of.Begun)
		for a := range counted.Time {
			assert.InDelta(t, float64(counted.Time[a])/1e9, float64(of.Time[a])/1e9, 3, "%v", components.Activity(a))
		}
	}
	assert.Equal(t, float32(3), slow.stock)
}

// steps lets a time pass in steps of a given length, the last of which may be shorter.
func (h *hamlet) steps(time, step components.Timestamp) {
	for end := h.clock.Now + time; h.clock.Now < end; {
		h.clock.Set(min(h.clock.Now+step, end))
		h.needs.Update(h.w)
	}
}

func TestAnActivityCountsUntilItsEndWhateverTheStep(t *testing.T) {
	const worked = 1799.25 // seconds of each of two times: three meals, and 598.5 seconds for the next
	for _, step := range []components.Timestamp{second, second / 60, 3 * second / 10, 10 * second, 700 * second} {
		h := newHamlet(t, 1, 1, func(s *Needs) {
			s.Rates = DefaultNeedRates()
			s.Rates.Harvest = 3.6 // a meal in 1000 seconds of work
		})
		at := vec2{X: 10, Y: 10}
		store := h.place(at, components.Place{Kind: components.Store, Capacity: 3, Stock: 1, MaxStock: 9})
		field := h.place(at, components.Place{Kind: components.Workplace, Capacity: 3, Supplies: store})
		worker := h.villager(at, components.Needs{Hunger: 0.2, Fatigue: 0.1})
		eater := h.villager(at, components.Needs{Hunger: 0.7})
		nibbler := h.villager(at, components.Needs{Hunger: 0.1})
		sleeper := h.villager(vec2{X: 50, Y: 50}, components.Needs{Fatigue: 0.06}) // to 0.05 at 0.07 an hour
		h.steps(step, step)
		start := h.clock.Now
		for range 2 {
			h.post(worker, components.Order{Action: h.do.Work, Target: field, Numbers: [2]float32{worked}})
			h.steps(2800*second, step)
			require.Equal(t, components.Succeeded, h.order(worker).Outcome)
		}
		n := h.needs.Stats()
		assert.Equal(t, 2*seconds(worked), n.Time[components.Working], "steps of %d ns", step)
		assert.Equal(t, int32(4), h.at(store).Stock, "steps of %d ns", step)
		assert.Equal(t, seconds(2*worked-3000), h.at(field).WorkDone, "steps of %d ns", step)
		idle := inSeconds(h.of(worker).UpdatedAt-start) - 2*worked
		assert.InDelta(t, 0.1+(2*worked*0.05+idle*0.04)/3600, h.of(worker).Fatigue, 1e-4, "steps of %d ns", step)

		hunger := h.of(eater).Hunger
		since := h.of(eater).UpdatedAt
		h.post(eater, components.Order{Action: h.do.Eat, Target: store})
		h.post(nibbler, components.Order{Action: h.do.Eat, Target: store})
		h.post(sleeper, components.Order{Action: h.do.Sleep, Numbers: [2]float32{0, 0.05}})
		*h.of(nibbler) = components.Needs{Hunger: 0.1}
		*h.of(sleeper) = components.Needs{Fatigue: 0.06}
		h.steps(2800*second, step)
		n = h.needs.Stats()
		assert.Equal(t, components.Succeeded, h.order(eater).Outcome)
		idle = inSeconds(h.of(eater).UpdatedAt-since) - 1440
		assert.InDelta(t, hunger-0.5+idle*0.085/3600, h.of(eater).Hunger, 1e-4, "steps of %d ns", step)
		assert.InDelta(t, 1440+0.1/0.5*1440, inSeconds(n.Time[components.Eating]), 0.1, "steps of %d ns", step)
		assert.InDelta(t, 0.01/0.07*3600, inSeconds(n.Time[components.Camping]), 0.1, "steps of %d ns", step)
	}
}

func TestWhoComesToFullHungerWithinAStepStarvesFromThenOn(t *testing.T) {
	h := newHamlet(t, 1, 1, nil)
	e := h.villager(vec2{X: 10, Y: 10}, components.Needs{Hunger: 1 - 0.085})
	h.steps(second, second)
	h.steps(2*3600*second, 2*3600*second)
	assert.InDelta(t, 3600, h.of(e).Starving, 0.1, "hunger is full after an hour")
}

func TestSmallStepsDoNotStall(t *testing.T) {
	h := newHamlet(t, 1000, 1, nil) // a frame's hunger is less than a float32 near 1 can hold
	e := h.villager(vec2{X: 5, Y: 5}, components.Needs{Hunger: 0.9})
	h.seconds(100)
	assert.InDelta(t, 0.9+99*0.085/3600, h.of(e).Hunger, 3e-5)
}

func TestABedHasOneSleeperAndTheFirstEntityGetsIt(t *testing.T) {
	h := newHamlet(t, 1, 1, nil)
	bed := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
	tired := components.Needs{Fatigue: 0.9}
	a, b, c := h.villager(vec2{X: 10, Y: 11}, tired), h.villager(vec2{X: 10, Y: 9}, tired), h.villager(vec2{X: 11, Y: 10}, tired)
	sleep := components.Order{Action: h.do.Sleep, Target: bed}
	h.post(c, sleep)
	h.post(b, sleep)
	h.frames(1)
	assert.Equal(t, components.Sleeping, h.doing(b))
	assert.Equal(t, components.Idle, h.doing(c))
	assert.Equal(t, components.Failed, h.order(c).Outcome)
	assert.Equal(t, int32(1), h.at(bed).Occupied)

	h.post(a, sleep) // an earlier entity comes too late
	h.frames(1)
	assert.Equal(t, components.Failed, h.order(a).Outcome)

	h.post(b, components.Order{}) // who leaves makes room in the same frame
	h.post(c, sleep)
	h.frames(1)
	assert.Equal(t, components.Idle, h.doing(b))
	assert.Equal(t, components.Sleeping, h.doing(c))
	assert.Equal(t, int32(1), h.at(bed).Occupied)
	assert.Equal(t, int64(2), h.needs.Stats().Refused)
}

func TestWhoIsRemovedLeavesTheBedAndABedThatIsRemovedItsSleeper(t *testing.T) {
	h := newHamlet(t, 60, 1, nil)
	bed := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
	tired := components.Needs{Fatigue: 0.9}
	a, b := h.villager(vec2{X: 10, Y: 11}, tired), h.villager(vec2{X: 10, Y: 9}, tired)
	sleep := components.Order{Action: h.do.Sleep, Target: bed}
	h.post(a, sleep)
	h.frames(1)
	require.Equal(t, components.Sleeping, h.doing(a))
	h.w.RemoveEntity(ecs.ToArche(a))
	h.post(b, sleep)
	h.frames(1)
	assert.Equal(t, components.Sleeping, h.doing(b), "nothing is left of the one who was removed")

	h.w.RemoveEntity(ecs.ToArche(bed))
	other := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
	require.Equal(t, bed.Index, other.Index, "the new bed has the old one's slot")
	h.frames(1)
	assert.Equal(t, components.Failed, h.order(b).Outcome)
	assert.Equal(t, components.Idle, h.doing(b))
	assert.Zero(t, h.at(other).Occupied)
	assert.Equal(t, []components.Entity{b}, ecs.Resource[Events](h.w, "test").MergeWakes(), "who has lost its bed is woken")
}

func TestAPlaceThatIsNoneAnyMoreIsLeft(t *testing.T) {
	for name, become := range map[string]func(h *hamlet, bed components.Entity){
		"another kind": func(h *hamlet, bed components.Entity) {
			*h.at(bed) = components.Place{Kind: components.Store, Capacity: 1, Stock: 5}
		},
		"no place": func(h *hamlet, bed components.Entity) {
			h.w.Remove(ecs.ToArche(bed), arche.ComponentID[components.Place](h.w))
		},
	} {
		h := newHamlet(t, 1, 1, nil)
		bed := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
		who := h.villager(vec2{X: 10, Y: 11}, components.Needs{Fatigue: 0.9})
		h.post(who, components.Order{Action: h.do.Sleep, Target: bed})
		h.frames(1)
		require.Equal(t, components.Sleeping, h.doing(who))
		become(h, bed)
		h.frames(1)
		assert.Equal(t, components.Failed, h.order(who).Outcome, name)
		assert.Equal(t, components.Idle, h.doing(who), name)
		if place := ecs.Get[components.Place](h.w, bed); place != nil {
			assert.Zero(t, place.Occupied, name)
		}
	}
}

func TestAPlaceMustBeThereAndOfTheRightKind(t *testing.T) {
	h := newHamlet(t, 1, 1, nil)
	bed := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 9})
	nowhere := h.spawn(components.Place{Kind: components.Bed, Capacity: 9})
	for name, c := range map[string]struct {
		at     vec2
		action components.Action
		target components.Entity
	}{
		"another kind":   {vec2{X: 10, Y: 10}, h.do.Eat, bed},
		"out of reach":   {vec2{X: 10, Y: 13.1}, h.do.Sleep, bed},
		"dead":           {vec2{X: 10, Y: 10}, h.do.Sleep, components.Entity{Index: 9999}},
		"no place":       {vec2{X: 10, Y: 10}, h.do.Work, components.Entity{}},
		"no position":    {vec2{X: 10, Y: 10}, h.do.Sleep, nowhere},
		"nobody near":    {vec2{X: 50, Y: 50}, h.do.Socialise, components.Entity{}},
		"not of a place": {vec2{X: float32(math.NaN()), Y: 10}, h.do.Sleep, bed},
	} {
		e := h.villager(c.at, components.Needs{Fatigue: 0.9, Loneliness: 1})
		h.post(e, components.Order{Action: c.action, Target: c.target})
		h.frames(1)
		assert.Equal(t, components.Failed, h.order(e).Outcome, name)
		assert.Equal(t, components.Idle, h.doing(e), name)
		h.w.RemoveEntity(ecs.ToArche(e))
	}
	near := h.villager(vec2{X: 10, Y: 12.9}, components.Needs{Fatigue: 0.9})
	h.post(near, components.Order{Action: h.do.Sleep, Target: bed})
	h.frames(1)
	assert.Equal(t, components.Sleeping, h.doing(near))
}

func TestMealsAreUsedUpAndWorkBringsThem(t *testing.T) {
	h := newHamlet(t, 1, 1, func(s *Needs) {
		s.Rates = DefaultNeedRates()
		s.Rates.Harvest, s.Rates.MealTime, s.Rates.Plenty = 2, 0.1, 4 // a meal in half an hour's work
	})
	store := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Store, Capacity: 3, Stock: 4, MaxStock: 5})
	field := h.place(vec2{X: 20, Y: 20}, components.Place{Kind: components.Workplace, Capacity: 3, Supplies: store})
	home := components.Home{Store: store}
	var eaters, workers []components.Entity
	for range 5 {
		eaters = append(eaters, h.villager(vec2{X: 10, Y: 10}, components.Needs{Hunger: 1}, home))
	}
	for range 3 {
		workers = append(workers, h.villager(vec2{X: 20, Y: 20}, components.Needs{}))
	}
	h.frames(1)
	assert.Equal(t, float32(1), h.of(eaters[0]).Food, "4 meals are plenty")
	for _, e := range eaters {
		h.post(e, components.Order{Action: h.do.Eat, Target: store})
	}
	h.frames(1)
	assert.Equal(t, int32(1), h.at(store).Stock, "three seats, three meals")
	assert.Equal(t, float32(0.25), h.of(eaters[0]).Food)
	h.seconds(361)
	assert.Equal(t, components.Succeeded, h.order(eaters[2]).Outcome, "the meal is eaten in 0.1 hours")
	assert.InDelta(t, 0.5, h.of(eaters[2]).Hunger, 2e-3)
	for _, e := range eaters[3:] {
		assert.Equal(t, components.Failed, h.order(e).Outcome)
		h.post(e, components.Order{Action: h.do.Eat, Target: store})
	}
	h.frames(1)
	assert.Zero(t, h.at(store).Stock)
	assert.Equal(t, components.Eating, h.doing(eaters[3]))
	assert.Equal(t, components.Failed, h.order(eaters[4]).Outcome, "a seat, but nothing to eat")
	assert.Zero(t, h.of(eaters[0]).Food)

	for _, e := range workers {
		h.post(e, components.Order{Action: h.do.Work, Target: field})
	}
	h.seconds(602)
	assert.Equal(t, int32(1), h.at(store).Stock, "three at work for ten minutes")
	h.seconds(3 * 3600)
	assert.Equal(t, int32(5), h.at(store).Stock, "18 more, but it is full")
}

func TestCompanyIsWhoIsNearAndAwake(t *testing.T) {
	h := newHamlet(t, 1, 1, nil)
	a := h.villager(vec2{X: 10, Y: 10}, components.Needs{Loneliness: 0.5})
	sleeper := h.villager(vec2{X: 11, Y: 10}, components.Needs{Fatigue: 0.9})
	far := h.villager(vec2{X: 17, Y: 10}, components.Needs{})
	h.spawn(components.Transform{Position: vec2{X: 10, Y: 11}}, components.Faction{ID: 1}) // no villager
	h.post(sleeper, components.Order{Action: h.do.Sleep})
	h.frames(1)
	assert.Zero(t, h.of(a).Friends)
	assert.True(t, h.of(a).Companion.IsZero())
	ecs.Get[components.Transform](h.w, far).Position.X = 13.5
	h.frames(1)
	assert.Equal(t, float32(1)/3, h.of(a).Friends, "one of three")
	assert.Equal(t, far, h.of(a).Companion)
	nearer := h.villager(vec2{X: 10, Y: 12}, components.Needs{})
	h.frames(1)
	assert.Equal(t, nearer, h.of(a).Companion)
	h.post(far, components.Order{Action: h.do.Socialise})
	h.frames(1)
	assert.Equal(t, far, h.of(a).Companion, "one who talks, before one who is nearer")
	assert.True(t, h.of(a).SocialisingNearby)
	assert.Zero(t, h.of(sleeper).Friends, "who sleeps sees nobody")

	h.post(a, components.Order{Action: h.do.Socialise, Numbers: [2]float32{1: 0.3}})
	h.seconds(1450) // at 0.5 an hour, from 0.5
	assert.Equal(t, components.Succeeded, h.order(a).Outcome)
	assert.InDelta(t, 0.3, h.of(a).Loneliness, 2e-3)
}

func TestAnActivityEndsWhenItsTimeIsUpOrTheNeedIsStilled(t *testing.T) {
	h := newHamlet(t, 1, 1, nil)
	field := h.place(vec2{X: 10, Y: 10}, components.Place{Kind: components.Workplace, Capacity: 1})
	e := h.villager(vec2{X: 10, Y: 10}, components.Needs{})
	h.post(e, components.Order{Action: h.do.Work, Target: field, Numbers: [2]float32{60}})
	h.seconds(60)
	assert.Equal(t, components.Working, h.doing(e))
	h.seconds(1)
	assert.Equal(t, components.Succeeded, h.order(e).Outcome)
	sleeper := h.villager(vec2{X: 30, Y: 30}, components.Needs{Fatigue: 0.12})
	h.post(sleeper, components.Order{Action: h.do.Sleep})
	h.seconds(3599)
	assert.Equal(t, components.Camping, h.doing(sleeper))
	h.seconds(3)
	assert.Equal(t, components.Succeeded, h.order(sleeper).Outcome, "0.07 in an hour, to the 0.05 that are none")
}

func TestWhoIsHungryForHoursStarvesOnce(t *testing.T) {
	h := newHamlet(t, 1, 1, nil)
	e := h.villager(vec2{X: 10, Y: 10}, components.Needs{Hunger: 1})
	h.seconds(6 * 3600)
	assert.Zero(t, h.needs.Stats().Starved)
	h.seconds(2)
	assert.Equal(t, int64(1), h.needs.Stats().Starved)
	h.seconds(6 * 3600)
	assert.Equal(t, int64(1), h.needs.Stats().Starved)
	assert.Equal(t, float32(1), h.of(e).Hunger)
}

func TestDayAndNightShadeIntoEachOther(t *testing.T) {
	sun := Sun{Dawn: 6, Morning: 8, Evening: 18, Nightfall: 22}
	for at, day := range map[float32]float32{
		0: 0, 5.99: 0, 6: 0, 7: 0.5, 7.5: 0.75, 8: 1, 12: 1, 18: 1, 19: 0.75, 21: 0.25, 22: 0, 23.9: 0,
	} {
		assert.InDelta(t, day, sun.day(seconds(at*hour), 0), 1e-5, "at %v", at)
		assert.InDelta(t, day, sun.day(seconds(at*hour)+16*hour*second, 8), 1e-5, "a day on, from 8 o'clock")
	}
}

func TestWrongNeedSettingsAreNamed(t *testing.T) {
	for message, s := range map[string]*Needs{
		"systems.Needs: Near is -1; use a finite number that is not negative":         {Near: -1},
		"systems.Needs: Rates.Hunger is -1; use a finite number that is not negative": {Rates: NeedRates{Hunger: -1}},
		"systems.Needs: Rates.MealTime is 0; use a number of hours above 0":           {Rates: NeedRates{Hunger: 1}},
		"systems.Needs: Rates.Plenty is 0; use 1 or more":                             {Rates: NeedRates{MealTime: 1}},
		"systems.Needs: Sun is {Dawn:8 Morning:7 Evening:18 Nightfall:20}; use hours that ascend from 0 to 24": {
			Sun: Sun{Dawn: 8, Morning: 7, Evening: 18, Nightfall: 20}},
	} {
		h := newHamlet(t, 1, 1, nil)
		assert.PanicsWithValue(t, message, func() { s.Initialize(h.w) })
	}
	empty := arche.NewWorld()
	assert.PanicsWithValue(t, "systems.Needs: the world has no *systems.Clock; call systems.Install", func() {
		(&Needs{}).Initialize(&empty)
	})
}

// A crowd that is told to do anything anywhere, and loses people and places, never overfills a place, never owes a meal,
// and comes out the same whatever its storage order and the number of workers.
func TestClaimsDependNeitherOnStorageNorOnWorkers(t *testing.T) {
	const people, sites = 90, 12
	run := func(workers int, shuffle uint64) uint64 {
		h := newHamlet(t, 2, workers, nil)
		rng := rand.New(rand.NewPCG(1, 2))
		var all []components.Entity
		for range people + sites {
			all = append(all, ecs.FromArche(h.w.NewEntity()))
		}
		q := ecs.Resource[ecs.Commands](h.w, "test").Queue(0)
		values := make([]func(), len(all))
		for i, e := range all {
			at := components.Transform{Position: vec2{X: 10 + 4*rng.Float32(), Y: 10 + 4*rng.Float32()}}
			place := components.Place{
				Kind: components.PlaceKind(1 + i%3), Capacity: int32(1 + i%4), Stock: int32(i % 5), MaxStock: 5, Supplies: all[people],
			}
			n := components.Needs{Hunger: rng.Float32(), Fatigue: rng.Float32(), Loneliness: rng.Float32()}
			values[i] = func() {
				ecs.Assign(q, e, e, at)
				if i >= people {
					ecs.Assign(q, e, e, place)
					return
				}
				ecs.Assign(q, e, e, n)
				ecs.Assign(q, e, e, components.Engagement{})
				ecs.Assign(q, e, e, components.Intent{})
				ecs.Assign(q, e, e, components.Faction{ID: 1})
				if i%3 == 0 {
					ecs.Assign(q, e, e, components.Home{Store: all[people+i%sites]})
				}
			}
		}
		order := rand.New(rand.NewPCG(shuffle, 0)).Perm(len(all))
		for _, i := range order {
			values[i]()
			ecs.Resource[ecs.Commands](h.w, "test").Apply(h.w)
		}
		actions := []components.Action{h.do.Eat, h.do.Sleep, h.do.Work, h.do.Socialise, h.do.Rest, 0}
		for frame := range 400 {
			for i, e := range all {
				switch draw := rng.IntN(1000); {
				case !ecs.Alive(h.w, e):
				case draw == 0 && frame > 100:
					h.w.RemoveEntity(ecs.ToArche(e))
				case i < people && draw < 100:
					action, at, left := rng.IntN(len(actions)), rng.IntN(sites), float32(rng.IntN(20))
					h.post(e, components.Order{Action: actions[action], Target: all[people+at], Numbers: [2]float32{left}})
				}
			}
			h.frames(1)
			used := map[components.Entity]int32{}
			for _, e := range all[:people] {
				if a := ecs.Get[components.Engagement](h.w, e); a != nil && !a.Place.IsZero() {
					used[a.Place]++
				}
			}
			for _, e := range all[people:] {
				if p := h.at(e); p != nil {
					require.Equal(t, used[e], p.Occupied, "frame %d", frame)
					require.LessOrEqual(t, p.Occupied, p.Capacity)
					require.GreaterOrEqual(t, p.Stock, int32(0))
					require.LessOrEqual(t, p.Stock, p.MaxStock)
					delete(used, e)
				}
			}
			require.Empty(t, used, "nobody is at a place that is gone")
		}
		stats := h.needs.Stats()
		for a := components.Eating; a < components.Activities; a++ {
			if a != components.Camping {
				require.Positive(t, stats.Begun[a], fmt.Sprint(a))
			}
		}
		require.Positive(t, stats.Refused)
		return ecs.Hash(h.w)
	}
	one := run(1, 1)
	assert.Equal(t, one, run(2, 1), "2 workers")
	assert.Equal(t, one, run(5, 2), "5 workers, another storage order")
}

func TestEachInstantOfASecondComesOnceInASecond(t *testing.T) {
	for _, fps := range []int{1, 7, 60, 144} {
		clock, err := NewClock(fps)
		require.NoError(t, err)
		var times [lookPhases]int
		for range 5 * fps {
			clock.Advance()
			for i, phases := 0, tickingNow(clock.Now, clock.Now-clock.Step); i < lookPhases; i++ {
				times[i] += int(phases >> i & 1)
			}
		}
		for i, n := range times {
			assert.Equal(t, 5, n, "instant %d at %d frames a second", i, fps)
		}
	}
	assert.Equal(t, ^uint64(0), tickingNow(5*second, 2*second), "once in a longer frame too")
	assert.Zero(t, tickingNow(5*second, 5*second), "no time passes")
}
