package allocs

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// recorder is a test that only notes that it has failed.
type recorder struct {
	testing.TB
	failed []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { r.failed = append(r.failed, format) }

var kept []*int

func TestOneAllocationInAThousandRunsIsFound(t *testing.T) {
	runs := 0
	rarely := func() {
		if runs++; runs == 500 {
			kept = append(kept[:0:1], new(int))
		}
	}
	kept = make([]*int, 0, 1)
	var r recorder
	None(&r, 1000, rarely)
	assert.Len(t, r.failed, 1)
	assert.Zero(t, testing.AllocsPerRun(1000, func() { runs %= 1000; rarely() }), "which rounds")

	r.failed = nil
	None(&r, 400, func() { kept = kept[:0] })
	assert.Empty(t, r.failed)
}
