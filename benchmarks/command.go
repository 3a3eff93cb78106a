package benchmarks

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// Command is the main function of a command that prints a comparison, with the flags -quick and -json.
func Command(name string, compare func(agents, repetitions, ticks int) *Comparison) {
	quick := flag.Bool("quick", false, "fewer ticks in a repetition: about 10 seconds")
	asJSON := flag.Bool("json", false, "print one JSON object")
	flag.Parse()
	ticks := 40
	if *quick {
		ticks = 10
	}
	c := compare(10_240, 15, ticks)
	var err error
	if *asJSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(c)
	} else {
		err = c.WriteText(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}
