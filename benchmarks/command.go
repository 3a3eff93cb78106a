package benchmarks

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// kernelVariable chooses how lanes are computed; see package internal/cpu.
const kernelVariable = "FLOCKWORK_KERNEL"

// HerdCommand is the main function of the command herd.
func HerdCommand() {
	if err := herdCommand(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "herd:", err)
		os.Exit(1)
	}
}

func herdCommand(args []string, out, messages io.Writer) error {
	flags := flag.NewFlagSet("herd", flag.ExitOnError)
	quick := flags.Bool("quick", false, "fewer repetitions, and scenarios up to 10,000 agents: within 50 seconds;\n"+
		"one siege of a million is measured all the same and takes 1 GB")
	asJSON := flags.Bool("json", false, "print one JSON object")
	dir := flags.String("write", "", "write herd.txt, herd.json and charts into this directory;\n"+
		"needs the repository, at whose root it is to be run")
	tree := flags.String("tree", "", "`agents,repetitions,ticks`: compare the guard's tree\n"+
		"with the hand-written loop alone and print JSON; the command asks it of a process of its own")
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
		return WriteJSON(out, CompareGuardsByHand(agents, repetitions, ticks))
	}
	if *dir != "" {
		if _, err := os.Stat(chartsDir); err != nil {
			return fmt.Errorf("-write draws charts by %s: %w; run it at the repository's root", chartsDir, err)
		}
		if err := PrepareDirectory(*dir); err != nil { // now, and not after minutes
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
		written = h.writeFiles(*dir)
	}
	print := h.WriteText
	if *asJSON {
		print = func(w io.Writer) error { return WriteJSON(w, h) }
	}
	return errors.Join(written, print(out)) // minutes of measuring are not lost for want of a file
}

func treeArgument(agents, repetitions, ticks int) string {
	return fmt.Sprintf("%d,%d,%d", agents, repetitions, ticks)
}

// plainTree compares in a process of its own, in which lanes are computed by the loops that the compiler makes.
func plainTree(agents, repetitions, ticks int) (*Comparison, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to measure plain kernels: %w", err)
	}
	command := exec.Command(self, "-tree", treeArgument(agents, repetitions, ticks))
	command.Env = append(os.Environ(), kernelVariable+"=go")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("to measure plain kernels: %w", err)
	}
	c := &Comparison{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("to measure plain kernels: %w", err)
	}
	c.decided = guardsDecide
	return c, nil
}

// chartsDir is the module that draws charts, which has dependencies that the library shall not have.
var chartsDir = filepath.Join("benchmarks", "charts")

// writeFiles writes the result into a directory, and has the charts drawn there.
func (h *Herd) writeFiles(dir string) error {
	if err := WriteFiles(dir, "herd", h); err != nil {
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

// PrepareDirectory makes a directory, if need be, and tries whether a file can be written there.
func PrepareDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".probe")
	if err != nil {
		return err
	}
	if err := probe.Close(); err != nil {
		return err
	}
	return os.Remove(probe.Name())
}

// Result is what a command has measured.
type Result interface {
	WriteText(w io.Writer) error
}

// WriteFiles writes a result into a directory as a text, name.txt, and as JSON, name.json.
func WriteFiles(dir, name string, r Result) error {
	if err := writeFile(filepath.Join(dir, name+".txt"), r.WriteText); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, name+".json"), func(w io.Writer) error { return WriteJSON(w, r) })
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		_ = file.Close() // the first error says more
		return err
	}
	return file.Close()
}

// WriteJSON writes a result, or part of one, as one JSON object.
func WriteJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
