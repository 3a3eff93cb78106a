package siege

import (
	"fmt"

	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
)

// sameSiege compares two sieges agent by agent. It returns how the first agent differs, or "".
func sameSiege(a, b *sim.Simulation) string {
	filter := generic.NewFilter8[
		components.Intent, components.Transform, components.LOD, components.Percept, components.Candidates,
		components.Health, components.Needs, components.Ammo,
	]().Optional(
		generic.T[components.Percept](), generic.T[components.Candidates](), generic.T[components.Health](),
		generic.T[components.Needs](), generic.T[components.Ammo](),
	)
	x, y := filter.Query(a.World()), filter.Query(b.World())
	defer x.Close()
	defer y.Close()
	if x.Count() != y.Count() {
		return fmt.Sprintf("%d agents and %d", x.Count(), y.Count())
	}
	for range x.Count() {
		x.Next()
		y.Next()
		xi, xt, _, xp, xc, xh, xn, xa := x.Get()
		yi, yt, _, yp, yc, yh, yn, ya := y.Get()
		if x.Entity() != y.Entity() {
			return fmt.Sprintf("agent %v and %v", x.Entity(), y.Entity())
		}
		for _, d := range []string{
			difference(xi, yi), difference(xt, yt), difference(uncounted(xp), uncounted(yp)), difference(xc, yc),
			difference(xh, yh), difference(xn, yn), difference(xa, ya),
		} {
			if d != "" {
				return fmt.Sprintf("agent %v: %s", ecs.FromArche(x.Entity()), d)
			}
		}
	}
	return ""
}

// uncounted returns a percept without the numbers of hostiles and allies near: the naive perception does not count
// them, since no tree of the siege reads them.
func uncounted(p *components.Percept) *components.Percept {
	if p == nil {
		return nil
	}
	q := *p
	q.Hostiles, q.Allies = 0, 0
	return &q
}

// difference returns both components where they differ, or "".
func difference[T comparable](a, b *T) string {
	if a == nil && b == nil || a != nil && b != nil && *a == *b {
		return ""
	}
	return fmt.Sprintf("%+v\n%+v", a, b)
}
