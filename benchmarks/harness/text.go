package harness

import (
	"fmt"
	"io"
)

// Printer writes lines of text.
type Printer struct {
	w   io.Writer
	err error // the first one
}

// Print calls write with a printer that writes to w. It returns the first error of w.
func Print(w io.Writer, write func(*Printer)) error {
	p := &Printer{w: w}
	write(p)
	return p.err
}

// Line writes a line; its arguments are those of [fmt.Sprintf]. After an error it does nothing.
func (p *Printer) Line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}
