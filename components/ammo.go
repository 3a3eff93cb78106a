package components

// Ammo is an agent's rounds for shooting. Make it with [NewAmmo]. Combat writes it; the user may resupply an agent with
// [Ammo.Set]. The zero value has no rounds and a Max of 0.
type Ammo struct {
	Fraction float32 // Left divided by Max, 0…1, for considerations; 0 when Max is 0
	Left     uint16  // rounds
	Max      uint16  // rounds
}

// NewAmmo returns a full store of rounds.
func NewAmmo(rounds uint16) Ammo {
	a := Ammo{Max: rounds}
	a.Set(rounds)
	return a
}

// Set changes how many rounds are left. More than Max count as Max.
func (a *Ammo) Set(left uint16) {
	a.Left, a.Fraction = min(left, a.Max), 0
	if a.Max > 0 {
		a.Fraction = float32(a.Left) / float32(a.Max)
	}
}
