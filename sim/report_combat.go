package sim

// Attacks are the counters of melee and shoot orders in a run.
type Attacks struct {
	Strikes       int64 `json:"melee_strikes"`  // strikes in melees that landed
	Shots         int64 `json:"shots"`          // each takes a round of ammunition
	Hits          int64 `json:"hits"`           // shots that hit
	Granted       int64 `json:"claims_granted"` // claims on targets that were granted
	Refused       int64 `json:"claims_refused"` // claims on targets that had MaxAttackers already
	MostAttackers int   `json:"most_attackers"` // of one target at a time
	MaxAttackers  int   `json:"max_attackers"`  // the bound of MostAttackers
}

// Skirmish is the outcome of a run with two sides.
type Skirmish struct {
	Ahead      string         `json:"ahead"`       // the side with more soldiers alive; "none" when both have as many
	Winner     string         `json:"winner"`      // the side ahead once the other has lost half, or "none"
	Sides      []SkirmishSide `json:"sides"`       // two
	RoundsLeft int64          `json:"rounds_left"` // ammunition of the soldiers alive
	Attacks
}

// SkirmishSide is one side of a [Skirmish].
type SkirmishSide struct {
	Name   string `json:"name"`   // used in Ahead and Winner
	Agents int    `json:"agents"` // at the start
	Alive  int    `json:"alive"`  // at the end
}

// noSide is the name of the side ahead or the winner where there is none.
const noSide = "none"

// SetOutcome sets Ahead and Winner by the two Sides. There is no winner while both sides have more than half of their
// soldiers.
//
// Panics when there are fewer than two sides.
func (s *Skirmish) SetOutcome() {
	s.Ahead, s.Winner = noSide, noSide
	more, fewer := s.Sides[0], s.Sides[1]
	if more.Alive == fewer.Alive {
		return
	}
	if fewer.Alive > more.Alive {
		more, fewer = fewer, more
	}
	s.Ahead = more.Name
	if 2*fewer.Alive <= fewer.Agents {
		s.Winner = more.Name
	}
}

// write adds the section to a report's text.
func (s *Skirmish) write(p *printer) {
	p.line("How it went")
	for _, side := range s.Sides {
		p.line("  %-12s %12s of %s alive", side.Name, group(int64(side.Alive)), group(int64(side.Agents)))
	}
	if s.Winner != noSide {
		p.line("  %-12s %12s", "winner", s.Winner)
	} else {
		p.line("  %-12s %12s, and not decided", "ahead", s.Ahead)
	}
	p.line("  %s rounds left", group(s.RoundsLeft))
	s.Attacks.write(p)
	p.line("")
}

func (a *Attacks) write(p *printer) {
	p.line("  %s strikes in melees; %s shots, %s hit", group(a.Strikes), group(a.Shots), group(a.Hits))
	p.line("  at most %d attackers of one target, of %d allowed; %s claims granted, %s refused",
		a.MostAttackers, a.MaxAttackers, group(a.Granted), group(a.Refused))
}
