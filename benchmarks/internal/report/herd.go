package report

import (
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/benchmarks/siege"
)

// Herd is the result of the command herd: the cost of a frame of each scenario, and comparisons with other ways to do
// the same.
type Herd struct {
	Machine  harness.Machine     `json:"machine"`
	Kernel   string              `json:"kernel"`   // the implementation of the 64-lane kernels
	Versions map[string]string   `json:"versions"` // of Go and of modules
	Quick    bool                `json:"quick"`    // measured with fewer repetitions and sizes
	Spin     harness.Calibration `json:"spin_calibration"`
	// Ratios are the first named divided by the second. Limits are the greatest values that meet the project's goals.
	Ratios map[string]float64 `json:"ratios"`
	Limits map[string]float64 `json:"limits"`

	Tree      *harness.Comparison  `json:"tree,omitempty"`
	PlainTree *harness.Comparison  `json:"tree_plain,omitempty"` // with kernels in plain Go
	Utility   *harness.Comparison  `json:"utility,omitempty"`
	Siege     *siege.Comparison    `json:"siege,omitempty"`
	Sizes     *siege.Scaling       `json:"sizes,omitempty"`
	Decisions *scenarios.Decisions `json:"decisions,omitempty"`
	Bytes     []siege.AgentBytes   `json:"bytes,omitempty"`
	RSS       float64              `json:"rss_bytes_per_agent"` // of the process that holds the largest siege
	Costs     []scenarios.Cost     `json:"herd,omitempty"`
}

// Limits are the project's goals for a quiet machine with AVX-512, by ratio: the greatest value that meets the goal.
var Limits = map[string]float64{
	"tree_vs_handwritten": 0.55, "tree_vs_interpreter": 1.0 / 6, "tree_vs_pointer_struct": 1.0 / 5,
	"tree_vs_iteration": 4, "tree_plain_vs_handwritten": 0.9, "utility_vs_closures": 0.04,
	"utility_vs_scalar": 0.15, "siege_vs_naive": 1.0 / 10, "siege_without_lod_vs_naive_struct": 0.35,
	"siege_p99_over_p50": 2, "million_over_ten_thousand": 2, "ai_million_over_ten_thousand": 1.4,
	"decision_lod_vs_all_due": 2.5, "bytes_per_agent": 176,
}
