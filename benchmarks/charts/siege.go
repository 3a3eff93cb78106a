package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
	"github.com/flockwork-ai/flockwork/systems"
)

// drawSiege draws the stages of the siege's frames by each contestant.
func drawSiege(h *report.Herd) (*figure, error) {
	p := newPlot()
	p.Y.Label.Text = "ms, median of each stage"
	var names []string
	for _, c := range h.Siege.Costs {
		names = append(names, c.Name)
	}
	var stack []*plotter.BarChart
	for i, stage := range systems.Stages() {
		var values plotter.Values
		for _, c := range h.Siege.Costs {
			values = append(values, c.Stages[stage.String()]/1e6)
		}
		bars, err := plotter.NewBarChart(values, 0.6*vg.Inch)
		if err != nil {
			return nil, err
		}
		bars.Color = plotutil.Color(i)
		bars.LineStyle.Width = 0
		if i > 0 {
			bars.StackOn(stack[i-1])
		}
		stack = append(stack, bars)
		p.Add(bars)
	}
	for i, stage := range slices.Backward(systems.Stages()) { // as the bars lie, the last stage on top
		p.Legend.Add(stage.String(), stack[i])
	}
	p.NominalX(names...)
	p.Y.Max *= 1.05
	return &figure{
		title:    fmt.Sprintf("The siege's frame, %s agents", thousands(h.Siege.Agents)),
		subtitle: h.Machine.String(), plots: []*plot.Plot{p},
	}, nil
}
