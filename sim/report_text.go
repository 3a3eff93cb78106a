package sim

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText writes the report as text. It returns the first error of the writer.
func (r *Report) WriteText(w io.Writer) error {
	p := &printer{w: w}
	p.line("%s: %s agents for %s, %d frames of 1/%d s, seed %d, LOD %s, %s, %s kernels",
		r.Scenario, group(int64(r.Agents)), duration(r.SimSeconds), r.Frames, r.FPS, r.Seed, onOff(r.LOD),
		plural(r.Workers, "worker"), r.Kernel)
	if r.Interrupted {
		p.line("interrupted: this is the report up to there")
	}
	p.line("")
	if r.Skirmish != nil {
		r.Skirmish.write(p)
	}
	p.line("What happened")
	happened := false // a scenario has some of the events only
	for _, name := range r.eventOrder() {
		if n := r.Events[name]; n > 0 {
			p.line("  %-12s %12s", name, group(n))
			happened = true
		}
	}
	if !happened {
		p.line("  nothing of note")
	}
	p.line("")
	if r.Attacks != nil {
		p.line("How they fought")
		r.Attacks.write(p)
		p.line("")
	}
	if r.Village != nil {
		r.Village.write(p)
	}
	p.line("What they did                starts   agent-seconds")
	for _, name := range sortedKeys(r.Actions) {
		a := r.Actions[name]
		p.line("  %-18s %14s %15s", name, group(a.Starts), group(int64(a.AgentSeconds+0.5)))
	}
	p.line("")
	p.line("Herd cost per frame          p50 %10s   p99 %10s   max %s",
		nanoseconds(r.FrameNS.P50), nanoseconds(r.FrameNS.P99), nanoseconds(r.FrameNS.Max))
	for _, s := range r.stages {
		p.line("  %-26s p50 %10s   p99 %10s   %8.1f ns per agent", s.name, nanoseconds(s.p50), nanoseconds(s.p99),
			float64(s.p50)/float64(r.Agents))
	}
	perSecond := 0.0
	if r.SimSeconds > 0 {
		perSecond = float64(r.Decisions) / r.SimSeconds
	}
	p.line("  %s decisions per simulated second, %.1f ns each in the AI stage; %s woken", group(int64(perSecond+0.5)),
		r.NSPerDecision, group(r.Wakeups))
	p.line("  scheduled per frame: mean %.1f, max %d, flatness %.3f; longest overdue %.0f ms", r.PerFrame.Mean,
		r.PerFrame.Max, r.PerFrame.Flatness, r.OverdueMaxMS)
	p.line("  %.2f allocations per frame, %s peak memory (%.0f bytes per agent)", r.AllocsPerFrame,
		megabytes(r.RSSPeakBytes), float64(r.RSSPeakBytes)/float64(r.Agents))
	p.line("")
	p.line("LOD tiers")
	for _, name := range r.tierOrder {
		p.line("  %-12s %12s agents", name, group(r.Tiers[name]))
	}
	p.line("")
	if u := r.Utility; u.Scored > 0 {
		p.line("%s choices scored, %s spared because nothing had moved, %s exchanged while they ran", group(u.Scored),
			group(u.Skipped), group(u.Switches))
	}
	if r.Explained != "" {
		p.line("%s", r.Explained)
	}
	p.line("%s leaves entered, %d facts not finite, world hash %s", group(r.Transitions), r.Nonfinite, r.WorldHash)
	return p.err
}

// eventOrder returns the names of the report's events: those of [EventNames] and then those that its scenario added.
func (r *Report) eventOrder() []string {
	names := EventNames()
	for _, name := range sortedKeys(r.Events) {
		if !slices.Contains(eventNames, name) {
			names = append(names, name)
		}
	}
	return names
}

// printer writes lines and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// group renders a number with commas between thousands.
func group(n int64) string {
	s := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	var parts []string
	for len(s) > 3 {
		parts = append(parts, s[len(s)-3:])
		s = s[:len(s)-3]
	}
	parts = append(parts, s)
	slices.Reverse(parts)
	return sign + strings.Join(parts, ",")
}

func nanoseconds(ns int64) string {
	switch {
	case ns < 10_000:
		return fmt.Sprintf("%d ns", ns)
	case ns < 10_000_000:
		return fmt.Sprintf("%.1f µs", float64(ns)/1e3)
	}
	return fmt.Sprintf("%.1f ms", float64(ns)/1e6)
}

func duration(seconds float64) string {
	switch {
	case seconds < 600:
		return fmt.Sprintf("%.4g s", seconds)
	case seconds < 2*86400:
		return fmt.Sprintf("%.4g h", seconds/3600)
	}
	return fmt.Sprintf("%.4g days", seconds/86400)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
