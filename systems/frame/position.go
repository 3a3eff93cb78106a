package frame

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// HostPosition names where agents without a components.Transform are: fields of the host's own components. LOD, the
// grid and perception read it; systems that move, fight or carry out needs require a Transform. It is a resource of
// the world, see the option HostPosition of systems.Install.
//
// All facts are Floats of the agent itself, in metres. HeadingX and HeadingY are the direction that the agent faces, of
// any length; with both left out (zero facts), or with a length of 0, an agent faces +X, so it sees all around only if
// its Senses say so.
type HostPosition struct {
	X blackboard.Fact // metres east
	Y blackboard.Fact // metres north

	HeadingX blackboard.Fact // component of the heading to the east
	HeadingY blackboard.Fact // component of the heading to the north
}

// HasHeading reports whether the heading is named.
func (p *HostPosition) HasHeading() bool { return p.HeadingX.Kind() != blackboard.Invalid }

// Check returns an error if a fact is missing or cannot be used.
func (p *HostPosition) Check() error {
	facts := []blackboard.Fact{p.X, p.Y}
	if p.HasHeading() || p.HeadingY.Kind() != blackboard.Invalid {
		facts = append(facts, p.HeadingX, p.HeadingY)
	}
	for _, f := range facts {
		if err := f.Err(); err != nil {
			return fmt.Errorf("the host's position: %w", err)
		}
		if field := f.Field(); f.Kind() != blackboard.Float || field.Resource || field.Entity != nil {
			return fmt.Errorf("the host's position: fact %q is no float of the agent's own component; make it with "+
				"FloatFact, without Of or OfResource", f.Name())
		}
	}
	return nil
}
