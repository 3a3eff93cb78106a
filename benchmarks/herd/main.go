// Command herd measures the cost of a frame of a herd, and compares it with other ways to do the same.
//
//	go run ./benchmarks/herd [-quick] [-json] [-write benchmarks/results]
//
// It runs the comparisons of packages guards, villagers and siege and the measurements of package scenarios (plan.go),
// and writes the result, which is in package report, as text or as JSON (command.go).
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "herd:", err)
		os.Exit(1)
	}
}
