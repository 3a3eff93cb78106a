// Package guardtree has what contestants must know of the guard's tree of package sim to decide exactly as it does: its
// actions, its random waits, and the compiled [Program]. It has the same tree as node objects too, [NewNodes], with
// [Readings] of a struct or of a dictionary as blackboard, which [FactWriter] fills.
package guardtree
