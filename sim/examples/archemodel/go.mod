module github.com/flockwork-ai/flockwork/sim/examples/archemodel

go 1.26

replace github.com/flockwork-ai/flockwork => ../../..
