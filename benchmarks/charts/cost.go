package main

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// drawCost draws the cost per agent of each scenario by the number of agents.
func drawCost(h *report.Herd) (*figure, error) {
	p := newPlot()
	p.X.Label.Text = "agents"
	p.Y.Label.Text = "ns per agent, median frame"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(agentTicks)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{Y: 0xe4}, color.Gray{Y: 0xe4}
	p.Add(grid)
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
			line.Width = vg.Points(1.5)
			marks.Shape = plotutil.Shape(i)
			if lod {
				p.Legend.Add(chosen.Name, line, marks)
			} else {
				line.Dashes = []vg.Length{vg.Points(4), vg.Points(4)}
			}
			p.Add(line, marks)
		}
	}
	p.Y.Min, p.Y.Max = 0, 1.3*p.Y.Max // space for the legend
	return &figure{
		title:    "Cost of a frame per agent, one worker (solid: with LOD, dashed: without)",
		subtitle: h.Machine.String(), plots: []*plot.Plot{p},
	}, nil
}

// agentTicks marks the powers of ten as whole numbers with separators.
func agentTicks(low, high float64) []plot.Tick {
	ticks := plot.LogTicks{Prec: -1}.Ticks(low, high)
	for i, t := range ticks {
		if t.Label != "" {
			ticks[i].Label = thousands(int(t.Value + 0.5))
		}
	}
	return ticks
}

// thousands writes a number with a comma before each three digits.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
