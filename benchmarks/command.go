package benchmarks

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	quick := flags.Bool("quick", false, "fewer repetitions, and scenarios up to 10,000 agents: within 50 seconds")
	asJSON := flags.Bool("json", false, "print one JSON object")
	dir := flags.String("write", "", "write herd.txt, herd.json and charts into this directory; needs the repository")
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
		if err != nil || min(agents, repetitions, ticks) < 1 {
			return fmt.Errorf("-tree %q; use three positive numbers: agents,repetitions,ticks", *tree)
		}
		return writeJSON(out, CompareGuardsByHand(agents, repetitions, ticks))
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
	if *dir != "" {
		if err := h.writeFiles(*dir); err != nil {
			return err
		}
	}
	if *asJSON {
		return writeJSON(out, h)
	}
	return h.WriteText(out)
}

// plainTree compares in a process of its own, in which lanes are computed by the loops that the compiler makes.
func plainTree(agents, repetitions, ticks int) (*Comparison, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to measure plain kernels: %w", err)
	}
	command := exec.Command(self, "-tree", strconv.Itoa(agents)+","+strconv.Itoa(repetitions)+","+strconv.Itoa(ticks))
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

// writeFiles writes the result into a directory, and has the charts drawn there.
func (h *Herd) writeFiles(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer) error{
		"herd.txt": h.WriteText, "herd.json": func(w io.Writer) error { return writeJSON(w, h) },
	} {
		if err := writeFile(filepath.Join(dir, name), write); err != nil {
			return err
		}
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	// Drawing has dependencies that the library shall not have, so it is a module of its own.
	charts := exec.Command("go", "run", ".", path)
	charts.Dir = filepath.Join("benchmarks", "charts")
	charts.Stdout, charts.Stderr = os.Stderr, os.Stderr
	if err := charts.Run(); err != nil {
		return fmt.Errorf("charts: %w; -write draws them in benchmarks/charts, from the repository's root", err)
	}
	return nil
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

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
