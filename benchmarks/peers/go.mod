module github.com/flockwork-ai/flockwork/benchmarks/peers

go 1.26

require (
	github.com/flockwork-ai/flockwork v0.0.0
	github.com/joeycumines/go-behaviortree v1.11.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/joeycumines/go-bigbuff v1.21.0 // indirect
	github.com/mlange-42/arche v0.15.3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/flockwork-ai/flockwork => ../..
