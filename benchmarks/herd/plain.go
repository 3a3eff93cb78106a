package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
)

// kernelVariable is the environment variable that selects the implementation of the 64-lane kernels; see package
// internal/cpu.
const kernelVariable = "FLOCKWORK_KERNEL"

// treeArgument returns the value of the flag -tree.
func treeArgument(agents, repetitions, ticks int) string {
	return fmt.Sprintf("%d,%d,%d", agents, repetitions, ticks)
}

// plainTree compares the guard's tree with the hand-written loop in a separate process, whose kernels are plain Go.
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
