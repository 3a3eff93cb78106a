package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// doLeaf is the channel and the path of a Do, for the error about channels.
type doLeaf struct {
	channel components.Channel
	path    string
}

// collectChannels gathers the Do leaves below a node from its children. It returns an error when two branches of a
// Parallel hold one channel.
func (b *builder) collectChannels(self int32) error {
	p := b.program
	n := &p.Nodes[self]
	var seen [components.Channels]*doLeaf
	for _, c := range n.Children {
		for i := range b.channels[c] {
			at := &b.channels[c][i]
			if n.Op == executor.OpParallel && seen[at.channel] != nil {
				return b.errorf("two Do leaves of one channel in different branches of a Parallel would both hold it: "+
					"%s and %s; use different channels, or one branch",
					seen[at.channel].path, at.path)
			}
		}
		for i := range b.channels[c] {
			at := &b.channels[c][i]
			seen[at.channel] = at
		}
		b.channels[self] = append(b.channels[self], b.channels[c]...)
		b.channels[c] = nil
	}
	return nil
}
