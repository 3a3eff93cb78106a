// Command charts draws the charts of a result of the command herd: cost.png, siege.png and deciding.png of herd.json.
//
//	go -C benchmarks/charts run . ../results
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "charts:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments; name the directory with herd.json, where the charts will be written",
			len(args))
	}
	path := filepath.Join(args[0], "herd.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var h report.Herd
	if err := json.Unmarshal(text, &h); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if h.Tree == nil || h.Utility == nil || h.Siege == nil {
		return fmt.Errorf("%s: it lacks tree, utility or siege; write it with `go run ./benchmarks/herd -write`", path)
	}
	if err := check(&h); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, chart := range []struct {
		name string
		draw func(*report.Herd) (*figure, error)
	}{{"cost.png", drawCost}, {"siege.png", drawSiege}, {"deciding.png", drawDecisions}} {
		f, err := chart.draw(&h)
		if err != nil {
			return fmt.Errorf("%s: %w", chart.name, err)
		}
		if err := f.save(filepath.Join(args[0], chart.name)); err != nil {
			return fmt.Errorf("%s: %w", chart.name, err)
		}
	}
	return nil
}

// check returns an error unless a result has what the charts show.
func check(h *report.Herd) error {
	for _, chosen := range scenario.All() {
		for _, lod := range []bool{true, false} {
			if !slices.ContainsFunc(h.Costs, func(c scenarios.Cost) bool {
				return c.Scenario == chosen.Name && c.LOD == lod
			}) {
				return fmt.Errorf("herd: it lacks costs of %s with LOD %v", chosen.Name, lod)
			}
		}
	}
	for i, c := range h.Costs {
		if c.Agents < 1 || !(c.PerAgent > 0) {
			return fmt.Errorf("herd[%d]: %d agents of %v ns each; both should be positive", i, c.Agents, c.PerAgent)
		}
	}
	if len(h.Tree.Costs) == 0 || len(h.Utility.Costs) == 0 || len(h.Siege.Costs) == 0 {
		return errors.New("tree, utility or siege is without contestants")
	}
	return nil
}
