package components

// Activity is what somebody with [Needs] is at.
type Activity uint8

// The activities.
const (
	Idle        Activity = iota // none of the others: walking, standing
	Eating                      // at a store
	Sleeping                    // in a bed
	Camping                     // asleep without a bed
	Socialising                 // with whoever is near
	Working                     // at a workplace
	Resting                     // awake, wherever it is
	Activities  = iota          // how many there are
)

var activityNames = [Activities]string{"idle", "eating", "sleeping", "camping", "socialising", "working", "resting"}

// String returns the activity's name.
func (a Activity) String() string {
	if int(a) < len(activityNames) {
		return activityNames[a]
	}
	return "unknown"
}

// Asleep reports whether an activity is sleep, in a bed or not.
func (a Activity) Asleep() bool { return a == Sleeping || a == Camping }

// Needs is what an agent wants for, and what it sees of the means. Numbers are from 0 to 1, and 0 is none. Only
// systems.Needs writes it; a scenario may begin with needs other than none.
//
// Hunger, Fatigue and Loneliness are at most a second old. The rest is as of the agent's last decision.
type Needs struct {
	UpdatedAt         Timestamp // instant that hunger, fatigue and loneliness are of; zero: not known yet
	Companion         Entity    // whom to turn to for company: the nearest who is awake, one who talks before others; or zero
	Hunger            float32
	Fatigue           float32
	Loneliness        float32
	Starving          float32 // seconds for which Hunger has been 1
	Food              float32 // 1: its store has all that one could wish for; 0: there is none, or no store
	Friends           float32 // how many are near and awake, 1 standing for as many as one could wish for
	Day               float32 // 1 by day, 0 by night, with a dawn and a dusk between
	SocialisingNearby bool    // whether somebody near is socialising
}

// Engagement is what an agent is at, and the place that it takes up meanwhile. Only systems.Needs writes it; its zero
// value is at nothing.
type Engagement struct {
	Place     Entity    // where it has a bed, a post or a seat; or zero
	Remaining Timestamp // nanoseconds until the activity ends by itself; 0 where it does not
	Serial    uint16    // posting of the act order that this belongs to
	Activity  Activity
}

// Home is where a villager belongs: places of its own or shared ones, any of them zero. It is the user's.
type Home struct {
	Bed    Entity
	Store  Entity // where it eats
	Work   Entity
	Square Entity // where it goes when it has nothing to do
}

// PlaceKind is what a [Place] is for.
type PlaceKind uint8

// The kinds.
const (
	Store      PlaceKind = iota + 1 // has food
	Bed                             // is slept in
	Workplace                       // is worked at
	Square                          // is met at; nobody takes it up
	PlaceKinds = iota               // how many there are
)

var placeKindNames = [PlaceKinds]string{"store", "bed", "workplace", "square"}

// String returns the kind's name.
func (k PlaceKind) String() string {
	if i := int(k) - 1; uint(i) < uint(len(placeKindNames)) {
		return placeKindNames[i]
	}
	return "unknown"
}

// Place is a place in the world, which also has a [Transform]. Kind, Capacity, Full and Supplies are the user's, and
// what Stock begins with; only systems.Needs writes Stock, Used and Worked from then on.
type Place struct {
	Supplies Entity    // of a workplace: the store that gets what is produced; or zero
	WorkDone Timestamp // of a workplace: time worked here that no meal has come of yet
	Capacity int32     // how many it takes at once
	Occupied int32     // how many are there now
	Stock    int32     // of a store: meals
	MaxStock int32     // of a store: the most meals that work fills it to
	Kind     PlaceKind
}
