package components

// Attack is what combat remembers of an agent's attack: its claim on a target. The durative attacks need it. Only
// combat writes it; its zero value attacks nobody.
type Attack struct {
	Target  Entity    // on whom it holds a claim; zero: on nobody
	Since   Timestamp // when the claim was granted, or the posting came that it serves now
	ReadyAt Timestamp // it neither strikes nor shoots before
	Serial  uint16    // posting of the act order that the claim serves
}

// Attacked is how many agents hold a claim on one that can be attacked. The component is optional: combat keeps it
// for those that have it, and nobody else writes it.
type Attacked struct{ Count uint8 }

// Ammo is what an agent has to shoot with. Make it with [NewAmmo]; only combat writes it, and who hands out
// more, with [Ammo.Set].
type Ammo struct {
	Fraction float32 // Left over Max, for considerations; 0 when Max is
	Left     uint16  // rounds
	Max      uint16  // rounds
}

// NewAmmo returns a full store of rounds.
func NewAmmo(rounds uint16) Ammo {
	a := Ammo{Max: rounds}
	a.Set(rounds)
	return a
}

// Set changes how many rounds are left, at most Max.
func (a *Ammo) Set(left uint16) {
	a.Left, a.Fraction = min(left, a.Max), 0
	if a.Max > 0 {
		a.Fraction = float32(a.Left) / float32(a.Max)
	}
}
