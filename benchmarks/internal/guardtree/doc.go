// Package guardtree has what contestants need from the guard's tree of package scenario to decide exactly as it does:
// its actions, its random waits, and the compiled [Program]. It also has the same tree as node objects, [NewNodes],
// with [Readings] of a struct or of a dictionary as blackboard, which [FactWriter] fills.
package guardtree
