package components

// Activity is what an agent with [Needs] is doing.
type Activity uint8

// The activities.
const (
	Idle        Activity = iota // none of the others: walking, standing
	Eating                      // at a store
	Sleeping                    // in a bed
	Camping                     // asleep without a bed
	Socialising                 // with other agents nearby
	Working                     // at a workplace
	Resting                     // awake, anywhere
	Activities  = iota          // how many activities there are
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

// Needs are the needs of an agent, and what it perceives that can satisfy them. Numbers are from 0 to 1 unless their
// comment says otherwise, and 0 is none.
//
// Only the needs system writes it; the user may set the initial values. Hunger, Fatigue and Loneliness are at most one
// second old. The other fields are as of the agent's last decision.
type Needs struct {
	UpdatedAt         Timestamp // time that Hunger, Fatigue and Loneliness are of; zero: not computed yet
	Companion         Entity    // nearest agent nearby that is awake, one that socialises first; zero: none
	Hunger            float32   // 1 is the most
	Fatigue           float32   // 1 is the most
	Loneliness        float32   // 1 is the most
	Starving          float32   // seconds for which Hunger has been 1
	Food              float32   // meals in its store; 1: as many as it needs or more; 0: none, or it has no store
	Friends           float32   // agents nearby that are awake; 1: as many as it needs or more
	Day               float32   // 1 by day, 0 by night, between them at dawn and dusk
	SocialisingNearby bool      // whether an agent nearby is socialising
}

// Engagement is an agent's activity and the place that it occupies meanwhile. Only the needs system writes it; the zero
// value is idle.
type Engagement struct {
	Place     Entity    // where it has a bed, a post or a seat; zero: none
	Remaining Timestamp // nanoseconds until the activity ends by itself; 0 when it does not
	Serial    uint16    // Order.Serial of the act order that the activity belongs to
	Activity  Activity  // Idle: none
}

// Home names the places of an agent, which it may share with others. The user writes it. A zero field is no place.
type Home struct {
	Bed    Entity // where it sleeps
	Store  Entity // where it eats
	Work   Entity // where it works
	Square Entity // where it goes when it has nothing to do
}
