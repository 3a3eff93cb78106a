package sim

// Report is the outcome and the cost of a run. The command prints its JSON form with -json.
type Report struct {
	Scenario       string            `json:"scenario"`            // its name
	Agents         int               `json:"agents"`              // at the start
	Seed           uint64            `json:"seed"`                // of all random draws
	FPS            int               `json:"fps"`                 // frames per simulated second
	SimSeconds     float64           `json:"sim_seconds"`         // simulated time
	Frames         int               `json:"frames"`              // that were run
	Workers        int               `json:"workers"`             // goroutines that served a frame
	LOD            bool              `json:"lod"`                 // whether agents decided at the rate of their tier
	Kernel         string            `json:"kernel"`              // lane kernels: go, avx2 or avx512
	Interrupted    bool              `json:"interrupted"`         // the run was cancelled before its last frame
	RSSPeakBytes   int64             `json:"rss_peak_bytes"`      // peak memory of the process
	Tiers          Counts            `json:"tiers"`               // agents by LOD tier, after the last frame
	FrameNS        FrameNS           `json:"frame_ns"`            // time of a frame
	StageNS        StageNS           `json:"stage_ns_per_frame"`  // mean time of each stage
	Decisions      int64             `json:"decisions"`           // ticks of agents: scheduled and woken
	Wakeups        int64             `json:"wakeups"`             // decisions because of a wake
	PerFrame       PerFrame          `json:"decisions_per_frame"` // scheduled decisions
	NSPerDecision  float64           `json:"ns_per_decision"`     // time of the AI stage per decision
	AllocsPerFrame float64           `json:"allocs_per_frame"`    // mallocs, after the first simulated second
	Transitions    int64             `json:"transitions"`         // leaves entered
	Actions        map[string]Action `json:"actions"`             // by name; those that were started
	Events         Counts            `json:"events"`              // by name, see EventNames; a scenario can add some
	OverdueMaxMS   float64           `json:"overdue_max_ms"`      // longest delay of a decision beyond its period
	Nonfinite      int64             `json:"nonfinite_facts"`     // facts read that were NaN or infinite
	Utility        Utility           `json:"utility"`             // choices by utility
	Village        *Village          `json:"village,omitempty"`   // of scenarios with villagers
	Skirmish       *Skirmish         `json:"skirmish,omitempty"`  // of scenarios with two sides
	Attacks        *Attacks          `json:"attacks,omitempty"`   // of the siege
	Explained      string            `json:"explained,omitempty"` // what the tree of agent Config.Explain would do
	WorldHash      string            `json:"world_hash"`          // 16 hex digits over the fields of every component

	tierOrder []string
	stages    []stageLine
}

// stageLine is the time of one stage of a frame, in nanoseconds.
type stageLine struct {
	name     string
	p50, p99 int64
}

// Counts are numbers of events or things, by name.
type Counts map[string]int64

// FrameNS are quantiles of the time of a whole frame, in nanoseconds.
type FrameNS struct {
	P50 int64 `json:"p50"` // the median
	P99 int64 `json:"p99"` // exceeded by one frame in 100
	Max int64 `json:"max"` // the longest
}

// StageNS are mean times of the stages of a frame, in nanoseconds.
type StageNS struct {
	LOD        int64 `json:"lod"`        // of systems.LODStage
	Perception int64 `json:"perception"` // of systems.PerceptionStage
	AI         int64 `json:"ai"`         // of systems.AIStage
	Actions    int64 `json:"actions"`    // of systems.ActionStage
	Commands   int64 `json:"commands"`   // of systems.CommandStage
}

// PerFrame describes how evenly scheduled decisions are spread over frames. Woken decisions are not counted.
type PerFrame struct {
	Mean     float64 `json:"mean"`     // of all frames
	Max      int64   `json:"max"`      // of a frame
	Flatness float64 `json:"flatness"` // largest ratio of a frame to an even spread, after the first second
}

// Utility counts the utility choices of agents.
type Utility struct {
	Scored   int64 `json:"scored"`   // choices for which scores were computed
	Skipped  int64 `json:"spared"`   // running choices that were kept without scoring, as no fact had changed enough
	Switches int64 `json:"switches"` // running choices that were replaced by another
}

// Action is the use of one action by agents.
type Action struct {
	Starts       int64   `json:"starts"`        // of all agents
	AgentSeconds float64 `json:"agent_seconds"` // simulated seconds, summed over agents; 0 for triggers
}
