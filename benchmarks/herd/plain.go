package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
)

// kernelVariable chooses how lanes are computed; see package internal/cpu.
const kernelVariable = "FLOCKWORK_KERNEL"

func treeArgument(agents, repetitions, ticks int) string {
	return fmt.Sprintf("%d,%d,%d", agents, repetitions, ticks)
}

// plainTree compares in a process of its own, in which lanes are computed by the loops that the compiler makes.
func plainTree(agents, repetitions, ticks int) (*harness.Comparison, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("to measure plain kernels: %w", err)
	}
	command := exec.Command(self, "-tree", treeArgument(agents, repetitions, ticks))
	command.Env = append(os.Environ(), kernelVariable+"=go")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("to measure plain kernels: %w", err)
	}
	c := &harness.Comparison{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("to measure plain kernels: %w", err)
	}
	return c, nil
}
