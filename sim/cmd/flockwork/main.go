// Command flockwork runs the scenarios of sim/scenario and prints what happened and what the frames cost.
//
//	flockwork                      the siege scenario, with a report to read
//	flockwork list                 the scenarios
//	flockwork run SCENARIO [flags] one of them; -h lists the flags
//
// Interrupting a run ends it with the report so far; interrupting its set-up ends it without one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/schollz/progressbar/v3"

	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr, isTerminal(os.Stderr)))
}

// command runs a command line and returns the exit status: 0 for success, 1 for a failed run, 2 for a wrong command
// line.
func command(ctx context.Context, args []string, out, errs io.Writer, showProgress bool) int {
	if len(args) == 0 {
		return run(ctx, sim.DefaultConfig(scenario.Siege()), false, out, errs, showProgress)
	}
	switch args[0] {
	case "list":
		if len(args) > 1 {
			return usage(errs, "list takes no arguments, got %q", args[1])
		}
		var list strings.Builder
		for _, s := range scenario.All() {
			fmt.Fprintf(&list, "%-12s %s\n", s.Name, s.Summary)
		}
		return write(out, errs, list.String())
	case "run":
		c, asJSON, err := parseRun(args[1:], errs)
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		if err != nil {
			return usage(errs, "%v", err)
		}
		return run(ctx, c, asJSON, out, errs, showProgress && !asJSON)
	case "help", "-h", "-help", "--help":
		return write(out, errs, usageText)
	}
	return usage(errs, "unknown command %q", args[0])
}

// write writes a text to the output and returns the exit status.
func write(out, errs io.Writer, text string) int {
	if _, err := io.WriteString(out, text); err != nil {
		fmt.Fprintf(errs, "flockwork: %v\n", err)
		return 1
	}
	return 0
}

const usageText = `flockwork runs crowds of agents and reports what they did and what they cost.

  flockwork                       run the siege scenario
  flockwork list                  list the scenarios
  flockwork run SCENARIO [flags]  run one; "flockwork run guards -h" lists the flags
`

func usage(errs io.Writer, format string, args ...any) int {
	fmt.Fprintf(errs, "flockwork: "+format+"\n\n%s", append(args, usageText)...)
	return 2
}

const lodUsage = "`on|off`: whether agents decide by the cadence of their distance (default on)"

// parseRun reads the arguments of run: a scenario and flags, in any order.
func parseRun(args []string, errs io.Writer) (c sim.Config, asJSON bool, err error) {
	c = sim.DefaultConfig(sim.Scenario{})
	name := ""
	flags := flag.NewFlagSet("flockwork run SCENARIO", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.IntVar(&c.Agents, "agents", c.Agents, "how many agents, `n`")
	flags.Float64Var(&c.Seconds, "seconds", c.Seconds, "simulated time to run, `s` seconds")
	flags.IntVar(&c.FPS, "fps", c.FPS, "frames per simulated second, `n`")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "seed of all random draws, `n`")
	flags.StringVar(&c.Map, "map", c.Map, "`file` of a map in MovingAI's octile format; none generates one")
	flags.IntVar(&c.Workers, "workers", c.Workers,
		"goroutines that serve a frame, `n`; changes no result;\nmore than processors cost time")
	flags.Func("lod", lodUsage, func(v string) error {
		switch v {
		case "on":
			c.LOD = true
		case "off":
			c.LOD = false
		default:
			return fmt.Errorf("use on or off")
		}
		return nil
	})
	flags.IntVar(&c.Explain, "explain", c.Explain,
		"explain what the tree of agent `n`, from 1 on, would do after the last frame")
	flags.BoolVar(&asJSON, "json", false, "print the report as one JSON object")
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return c, false, err
		}
		args = flags.Args()
		if len(args) > 0 {
			if name != "" {
				return c, false, fmt.Errorf("run takes one scenario, got %q and %q", name, args[0])
			}
			name, args = args[0], args[1:]
		}
	}
	if name == "" {
		return c, false, fmt.Errorf("run needs a scenario; known are: %s", strings.Join(scenario.Names(), ", "))
	}
	if c.Scenario, err = scenario.Named(name); err != nil {
		return c, false, err
	}
	return c, asJSON, c.Validate()
}

func run(ctx context.Context, c sim.Config, asJSON bool, out, errs io.Writer, showProgress bool) int {
	var bar *progressbar.ProgressBar
	var progress func(frame, frames int)
	if showProgress {
		progress = func(frame, frames int) {
			if bar == nil {
				bar = progressbar.NewOptions(frames,
					progressbar.OptionSetWriter(errs), progressbar.OptionClearOnFinish(),
					progressbar.OptionSetDescription(c.Scenario.Name), progressbar.OptionShowCount(),
					progressbar.OptionSetItsString("frames"))
			}
			_ = bar.Set(frame) // a lost terminal does not stop the run
		}
	}
	report, err := sim.Run(ctx, c, progress)
	if bar != nil {
		_ = bar.Clear() // before the report, which begins on its line
	}
	if err == nil {
		if asJSON {
			encoder := json.NewEncoder(out)
			encoder.SetIndent("", "  ")
			err = encoder.Encode(report)
		} else {
			err = report.WriteText(out)
		}
	}
	if err != nil {
		fmt.Fprintf(errs, "flockwork: %v\n", err)
		return 1
	}
	return 0
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
