package harness

import (
	"fmt"
	"io"
)

// Printer writes lines and remembers the first error.
type Printer struct {
	W   io.Writer
	Err error
}

func (p *Printer) Line(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.W, format+"\n", args...)
	}
}
