package harness

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/flockwork-ai/flockwork/internal/process"
)

// Machine is the machine and the program with which a figure was measured.
type Machine struct {
	CPU    string            `json:"cpu"`     // model name
	CPUs   int               `json:"cpus"`    // logical processors
	Kernel string            `json:"kernel"`  // of the operating system
	GOOS   string            `json:"goos"`    // operating system, as Go names it
	GOARCH string            `json:"goarch"`  // architecture, as Go names it
	Go     string            `json:"go"`      // version
	Date   string            `json:"date"`    // UTC, year-month-day
	Deps   map[string]string `json:"modules"` // version by module path
}

// ThisMachine describes this machine and this program. What the system does not tell is left empty.
func ThisMachine() Machine {
	m := Machine{
		CPU: process.CPUModel(), Kernel: process.KernelRelease(),
		CPUs: runtime.NumCPU(), GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, Go: runtime.Version(),
		Date: time.Now().UTC().Format("2006-01-02"), Deps: map[string]string{},
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			m.Deps[d.Path] = d.Version
		}
	}
	return m
}

// String returns the machine on one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d CPUs, %s/%s, kernel %s, %s, arche %s, %s",
		m.CPU, m.CPUs, m.GOOS, m.GOARCH, m.Kernel, m.Go, m.Deps["github.com/mlange-42/arche"], m.Date)
}
