package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
)

// run runs the command. The result is written to out, progress to messages.
func run(args []string, out, messages io.Writer) error {
	flags := flag.NewFlagSet("herd", flag.ExitOnError)
	quick := flags.Bool("quick", false, "fewer repetitions, and scenarios up to 10,000 agents: within 50 seconds;\n"+
		"one siege of a million agents is measured too and takes 1 GB")
	asJSON := flags.Bool("json", false, "print one JSON object")
	dir := flags.String("write", "", "write herd.txt, herd.json and charts into this directory;\n"+
		"run the command at the root of the repository")
	tree := flags.String("tree", "", "`agents,repetitions,ticks`: compare the guard's tree\n"+
		"with the hand-written loop alone and print JSON; the command runs itself with this flag")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown argument %q; there are only flags", flags.Arg(0))
	}
	if *tree != "" {
		var agents, repetitions, ticks int
		_, err := fmt.Sscanf(*tree, "%d,%d,%d", &agents, &repetitions, &ticks)
		if err != nil || min(agents, repetitions, ticks) < 1 || treeArgument(agents, repetitions, ticks) != *tree {
			return fmt.Errorf("-tree %q; use three positive numbers: agents,repetitions,ticks", *tree)
		}
		return harness.WriteJSON(out, guards.CompareWithHandwritten(agents, repetitions, ticks))
	}
	if *dir != "" {
		if _, err := os.Stat(chartsDir); err != nil {
			return fmt.Errorf("-write draws charts by %s: %w; run it at the repository's root", chartsDir, err)
		}
		if err := harness.PrepareDirectory(*dir); err != nil { // not after minutes of measuring
			return err
		}
	}
	plan := fullPlan()
	if *quick {
		plan = quickPlan()
	}
	start := time.Now()
	h, err := plan.run(plainTree, func(what string) {
		fmt.Fprintf(messages, "%5.1f s: %s\n", time.Since(start).Seconds(), what)
	})
	if err != nil {
		return err
	}
	h.Quick = *quick
	var written error
	if *dir != "" {
		written = writeFiles(h, *dir)
	}
	print := h.WriteText
	if *asJSON {
		print = func(w io.Writer) error { return harness.WriteJSON(w, h) }
	}
	return errors.Join(written, print(out)) // a result that took minutes is printed even where writing it failed
}

// chartsDir is the directory of the module that draws charts. It is a separate module because of its dependencies.
var chartsDir = filepath.Join("benchmarks", "charts")

// writeFiles writes the result into a directory and runs the module charts, which draws the charts there.
func writeFiles(h *report.Herd, dir string) error {
	if err := harness.WriteFiles(dir, "herd", h); err != nil {
		return err
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	charts := exec.Command("go", "run", ".", path)
	charts.Dir = chartsDir
	charts.Stdout, charts.Stderr = os.Stderr, os.Stderr
	if err := charts.Run(); err != nil {
		return fmt.Errorf("charts: %w", err)
	}
	return nil
}
