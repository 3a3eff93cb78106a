module github.com/flockwork-ai/flockwork/sim/examples/archemodel

go 1.26

replace github.com/flockwork-ai/flockwork => ../../..

require (
	github.com/flockwork-ai/flockwork v0.0.0-00010101000000-000000000000
	github.com/mlange-42/arche v0.15.3
	github.com/mlange-42/arche-model v0.10.0
)

require golang.org/x/exp v0.0.0-20230418202329-0354be287a23 // indirect
