package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
)

// drawDecisions draws what a decision costs by each contestant: a plot for each comparison, with one scale.
func drawDecisions(h *report.Herd) (*figure, error) {
	f := &figure{
		title:    "Cost of a decision, ns per agent, median; logarithmic scale (coloured: the library)",
		subtitle: h.Machine.String(),
	}
	greatest := 1.0
	for _, c := range []*harness.Comparison{h.Tree, h.Utility} {
		p, err := drawComparison(c)
		if err != nil {
			return nil, err
		}
		greatest = max(greatest, math.Ceil(p.X.Max))
		f.plots = append(f.plots, p)
	}
	for _, p := range f.plots {
		p.X.Min, p.X.Max = 0, greatest
	}
	return f, nil
}

// drawComparison draws the contestants of a comparison as bars from 1 ns on, the cheapest one on top.
func drawComparison(c *harness.Comparison) (*plot.Plot, error) {
	costs := slices.Clone(c.Costs)
	slices.SortFunc(costs, func(a, b harness.Cost) int { return cmp.Compare(b.Median, a.Median) })
	p := newPlot()
	p.Title.Text = strings.ToUpper(c.Subject[:1]) + c.Subject[1:]
	p.X.Tick.Marker = plot.TickerFunc(decimalTicks)
	names := make([]string, len(costs))
	figures := plotter.XYLabels{}
	library, others := make(plotter.Values, len(costs)), make(plotter.Values, len(costs))
	for i, cost := range costs {
		names[i] = cost.Name
		length := max(math.Log10(cost.Median), 0)
		if ofLibrary(cost.Name) {
			library[i] = length
		} else {
			others[i] = length
		}
		figures.XYs = append(figures.XYs, plotter.XY{X: length, Y: float64(i)})
		figures.Labels = append(figures.Labels, nanoseconds(cost.Median))
	}
	for _, group := range []struct {
		values plotter.Values
		colour color.Color
	}{{library, plotutil.Color(2)}, {others, color.Gray{Y: 0xb0}}} {
		bars, err := plotter.NewBarChart(group.values, 0.17*vg.Inch)
		if err != nil {
			return nil, err
		}
		bars.Horizontal, bars.Color = true, group.colour
		bars.LineStyle.Width = 0
		p.Add(bars)
	}
	labels, err := plotter.NewLabels(figures)
	if err != nil {
		return nil, err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i] = text.Style{
			Font: sansSerif(9), YAlign: draw.YCenter, Handler: plot.DefaultTextHandler, Color: color.Black,
		}
	}
	labels.Offset = vg.Point{X: vg.Points(4), Y: vg.Points(1.5)} // beside the bar, digits at its centre
	p.Add(labels)
	p.NominalY(names...)
	return p, nil
}

// ofLibrary reports whether a contestant is the library's own way to decide.
func ofLibrary(contestant string) bool {
	return strings.HasPrefix(contestant, "block executor") || contestant == "batch scorer"
}

// nanoseconds writes a time with two significant digits or more.
func nanoseconds(ns float64) string {
	if ns < 10 {
		return fmt.Sprintf("%.1f ns", ns)
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// decimalTicks marks the powers of ten on an axis of decimal logarithms.
func decimalTicks(low, high float64) (ticks []plot.Tick) {
	for power := math.Ceil(low); power <= high; power++ {
		ticks = append(ticks, plot.Tick{Value: power, Label: thousands(int(math.Pow10(int(power)))) + " ns"})
	}
	return ticks
}
