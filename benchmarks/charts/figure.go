package main

import (
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

const (
	width      = 9 * vg.Inch
	height     = 5 * vg.Inch
	margin     = 0.2 * vg.Inch // on each side of a figure
	gap        = 0.2 * vg.Inch // between plots
	resolution = 144           // dots per inch
)

var grey = color.Gray{Y: 0x66}

// figure is a title, a line about how it was measured, and plots, the first of them on top.
type figure struct {
	title, subtitle string
	plots           []*plot.Plot
}

// newPlot returns an empty plot. Its legend is at the top left.
func newPlot() *plot.Plot {
	p := plot.New()
	p.Title.TextStyle.Font = sansSerif(11)
	p.Title.Padding = vg.Points(4)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sansSerif(10)
		axis.Tick.Label.Font = sansSerif(9)
	}
	p.X.Label.Padding = vg.Points(4)
	p.Y.Label.Padding = vg.Points(4)
	p.Legend.TextStyle.Font = sansSerif(10)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs, p.Legend.Padding = vg.Points(12), vg.Points(3)
	return p
}

func sansSerif(points float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(points)}
}

// save draws the figure into a PNG file.
func (f *figure) save(path string) error {
	image := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(resolution), vgimg.UseBackgroundColor(color.White))
	c := draw.Crop(draw.New(image), margin, -margin, margin, -margin)
	f.heading(&c, f.title, sansSerif(13), color.Black)
	f.heading(&c, f.subtitle, sansSerif(9), grey)
	c.Max.Y -= vg.Points(8)
	column := make([][]*plot.Plot, len(f.plots))
	for i, p := range f.plots {
		column[i] = []*plot.Plot{p}
	}
	for i, row := range plot.Align(column, draw.Tiles{Rows: len(f.plots), Cols: 1, PadY: gap}, c) {
		f.plots[i].Draw(row[0])
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: image}).WriteTo(file); err != nil {
		_ = file.Close() // the first error says more
		return err
	}
	return file.Close()
}

// heading writes a line at the top of a canvas, and takes its height off the canvas.
func (f *figure) heading(c *draw.Canvas, line string, face font.Font, shade color.Color) {
	style := text.Style{
		Color: shade, Font: face, XAlign: draw.XCenter, YAlign: draw.YTop, Handler: plot.DefaultTextHandler,
	}
	c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y}, line)
	c.Max.Y -= style.FontExtents().Height
}
