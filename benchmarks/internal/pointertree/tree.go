package pointertree

// Tree is the nodes and the blackboard of one agent.
type Tree struct {
	Root  Node
	Board Blackboard
}
