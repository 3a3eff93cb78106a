// Command charts draws the charts of a result of the command herd: cost.png, siege.png and deciding.png of herd.json.
//
//	cd benchmarks/charts && go run . ../results
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

const (
	width  = 9 * vg.Inch
	height = 5 * vg.Inch
	bar    = 0.4 * vg.Inch
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
		draw func(*report.Herd) (*plot.Plot, error)
	}{{"cost.png", drawCost}, {"siege.png", drawSiege}, {"deciding.png", drawDecisions}} {
		p, err := chart.draw(&h)
		if err != nil {
			return fmt.Errorf("%s: %w", chart.name, err)
		}
		if err := p.Save(width, height, filepath.Join(args[0], chart.name)); err != nil {
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

// drawCost draws the cost per agent of each scenario by the number of agents.
func drawCost(h *report.Herd) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Herd cost per frame and agent, one worker; dashed: LOD off\n" + h.Machine.String()
	p.X.Label.Text = "agents"
	p.Y.Label.Text = "ns per agent, median frame"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	for i, chosen := range scenario.All() {
		for _, lod := range []bool{true, false} {
			var points plotter.XYs
			for _, c := range h.Costs {
				if c.Scenario == chosen.Name && c.LOD == lod {
					points = append(points, plotter.XY{X: float64(c.Agents), Y: c.PerAgent})
				}
			}
			line, marks, err := plotter.NewLinePoints(points)
			if err != nil {
				return nil, err
			}
			line.Color, marks.Color = plotutil.Color(i), plotutil.Color(i)
			marks.Shape = plotutil.Shape(i)
			if !lod {
				line.Dashes = []vg.Length{vg.Points(4), vg.Points(4)}
			} else {
				p.Legend.Add(chosen.Name, line, marks)
			}
			p.Add(line, marks)
		}
	}
	p.Add(plotter.NewGrid())
	p.Y.Min, p.Y.Max = 0, 1.3*p.Y.Max // the legend is on top
	return p, nil
}

// drawSiege draws the stages of the siege's frames by each contestant.
func drawSiege(h *report.Herd) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("The siege's frame, %d agents\n%s", h.Siege.Agents, h.Machine)
	p.Y.Label.Text = "ms, median of each stage"
	p.Legend.Top, p.Legend.Left = true, true
	var names []string
	for _, c := range h.Siege.Costs {
		names = append(names, c.Name)
	}
	var below *plotter.BarChart
	for i, stage := range systems.Stages() {
		var values plotter.Values
		for _, c := range h.Siege.Costs {
			values = append(values, c.Stages[stage.String()]/1e6)
		}
		bars, err := plotter.NewBarChart(values, bar)
		if err != nil {
			return nil, err
		}
		bars.Color = plotutil.Color(i)
		if below != nil {
			bars.StackOn(below)
		}
		below = bars
		p.Add(bars)
		p.Legend.Add(stage, bars)
	}
	p.NominalX(names...)
	p.X.Tick.Label.Font.Size = vg.Points(8)
	return p, nil
}

// drawDecisions draws what a decision costs by each contestant: bars from 1 ns on.
func drawDecisions(h *report.Herd) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "ns per agent and decision, all due\n" + h.Machine.String()
	p.X.Label.Text = "ns, median, on a logarithmic scale"
	var ticks plot.ConstantTicks
	for power := range 5 {
		ticks = append(ticks, plot.Tick{Value: float64(power), Label: fmt.Sprint(math.Pow10(power))})
	}
	p.X.Tick.Marker = ticks
	var names []string
	for i, c := range []*harness.Comparison{h.Utility, h.Tree} {
		values := make(plotter.Values, len(names)) // no bars where those of the comparison before are
		for _, cost := range c.Costs {
			values = append(values, max(math.Log10(cost.Median), 0))
			names = append(names, cost.Name)
		}
		bars, err := plotter.NewBarChart(values, bar/2)
		if err != nil {
			return nil, err
		}
		bars.Horizontal, bars.Color = true, plotutil.Color(i)
		bars.LineStyle.Width = 0
		p.Add(bars)
		p.Legend.Add(c.Subject, bars)
	}
	p.NominalY(names...)
	p.X.Max += 0.7 // the legend is beside
	return p, nil
}
