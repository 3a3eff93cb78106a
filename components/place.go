package components

// PlaceKind is what a [Place] is for. The zero value is no kind.
type PlaceKind uint8

// The kinds.
const (
	Store      PlaceKind = iota + 1 // agents eat there
	Bed                             // one sleeps in it
	Workplace                       // agents work there
	Square                          // agents meet there; it is not occupied
	PlaceKinds = iota               // how many kinds there are
)

var placeKindNames = [PlaceKinds]string{"store", "bed", "workplace", "square"}

// String returns the kind's name.
func (k PlaceKind) String() string {
	if i := int(k) - 1; uint(i) < uint(len(placeKindNames)) {
		return placeKindNames[i]
	}
	return "unknown"
}

// Place is a place that agents with [Needs] use. It also has a [Transform]. The user sets Kind, Capacity, MaxStock,
// Supplies and the initial Stock. After that only the needs system writes Stock, Occupied and WorkDone.
type Place struct {
	Supplies Entity    // of a workplace: the store that gets what is produced; zero: none
	WorkDone Timestamp // of a workplace: nanoseconds of work that have not yet made a meal
	Capacity int32     // agents that it has room for at once
	Occupied int32     // agents that use it now
	Stock    int32     // of a store: meals
	MaxStock int32     // of a store: meals up to which work fills it
	Kind     PlaceKind // what the place is for
}
