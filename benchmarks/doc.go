// Package benchmarks measures what a herd costs per frame, and compares.
package benchmarks
