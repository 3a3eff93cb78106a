package parallel_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/internal/parallel"
)

func ExampleWorkers() {
	workers := parallel.NewWorkers(4)
	defer workers.Close()
	squares := make([]int, 10)
	square := func(worker, task int) { squares[task] = task * task } // made once
	workers.Run(len(squares), square)
	fmt.Println(squares)
	// Output: [0 1 4 9 16 25 36 49 64 81]
}
