// Command herd measures what a herd costs per frame, and how that compares to other ways to do the same.
//
//	go run ./benchmarks/herd [-quick] [-json] [-write benchmarks/results]
package main

func main() { HerdCommand() }
