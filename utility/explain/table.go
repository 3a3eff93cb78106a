package explain

import (
	"fmt"
	"strings"
)

// String returns the explanation as a table, a line for each option, in their order, and below it a line for each of
// its considerations: the input, what the range makes of it, and the output. ">" marks the choice and "2" the
// runner-up.
func (c *Choice) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v", c.Evaluator, c.Reason)
	if c.Chosen >= 0 {
		fmt.Fprintf(&b, ": %s", c.Options[c.Chosen].title())
	}
	b.WriteByte('\n')
	for i := range c.Options {
		mark := "  "
		switch i {
		case c.Chosen:
			mark = "> "
		case c.RunnerUp:
			mark = "2 "
		}
		b.WriteString(mark)
		c.Options[i].write(&b, i == c.Current)
	}
	for _, name := range c.NoTarget {
		fmt.Fprintf(&b, "  %-24s no targets\n", name)
	}
	return b.String()
}

func (o *Option) write(b *strings.Builder, inForce bool) {
	fmt.Fprintf(b, "%-24s score %.4f", o.title(), o.Score)
	if o.Bonus > 0 {
		fmt.Fprintf(b, " + %.4f", o.Bonus)
	}
	switch {
	case o.Failed && o.Out > 0:
		fmt.Fprintf(b, ", failed, out for %.3g s", o.Out.Seconds())
	case o.Failed:
		b.WriteString(", failed")
	}
	for _, flag := range []struct {
		on   bool
		text string
	}{
		{o.Vetoed, "vetoed"}, {o.BelowMinimum, "below the minimum"}, {o.Outranked, "outranked"},
		{o.Skipped, "not needed"}, {inForce, "in force"},
	} {
		if flag.on {
			fmt.Fprintf(b, ", %s", flag.text)
		}
	}
	if o.Probability > 0 && o.Probability < 1 {
		fmt.Fprintf(b, ", probability %.3f", o.Probability)
	}
	b.WriteByte('\n')
	for i := range o.Considerations {
		o.Considerations[i].write(b)
	}
}

func (c *Consideration) write(b *strings.Builder) {
	fmt.Fprintf(b, "      %-24s %12.4f -> %.4f -> %.4f", c.Name, c.Raw, c.Normalised, c.Output)
	if c.Gate {
		b.WriteString(" gate")
	}
	if c.Skipped {
		b.WriteString(" not needed")
	}
	b.WriteByte('\n')
}

// title returns the action and its target.
func (o *Option) title() string {
	if o.Target.IsZero() {
		return o.Action
	}
	return fmt.Sprintf("%s %v", o.Action, o.Target)
}
