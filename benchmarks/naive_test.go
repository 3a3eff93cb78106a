package benchmarks

import (
	"fmt"
	"testing"

	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
)

// The naive siege must be the same siege, or comparing what it costs means nothing: with the library's, in which all
// think in every frame as well, it is compared agent by agent and frame by frame, to the bit, through the fights.
func TestTheNaiveSiegeDecidesAsTheLibraryDoes(t *testing.T) {
	frames := 15 * 60
	if testing.Short() {
		frames = 240
	}
	for _, dictionary := range []bool{false, true} {
		t.Run(fmt.Sprintf("dictionary %v", dictionary), func(t *testing.T) {
			c := siegeConfig(600)
			c.LOD = false
			library, err := sim.NewSimulation(c)
			require.NoError(t, err)
			defer library.Close()
			naive, err := newNaiveSiege(c.Agents, dictionary)
			require.NoError(t, err)
			defer naive.Close()
			for frame := range frames {
				library.Step()
				naive.Step()
				require.Empty(t, sameSiege(library, naive), "in frame %d", frame)
			}
			assert.Equal(t, library.Combat.Counts(), naive.Combat.Counts())
			if counts := naive.Combat.Counts(); !testing.Short() {
				assert.Positive(t, counts.Strikes, "they fought")
				assert.Positive(t, counts.Hits, "they shot")
			}
		})
	}
}

// sameSiege returns how the first agent for which two sieges differ does, or "".
func sameSiege(a, b *sim.Simulation) string {
	filter := generic.NewFilter8[
		components.Intent, components.Transform, components.LOD, components.Percept, components.Candidates,
		components.Health, components.Needs, components.Ammo,
	]().Optional(
		generic.T[components.Percept](), generic.T[components.Candidates](), generic.T[components.Health](),
		generic.T[components.Needs](), generic.T[components.Ammo](),
	)
	x, y := filter.Query(a.World), filter.Query(b.World)
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

// uncounted drops what the naive senses count by a circle instead of a square.
func uncounted(p *components.Percept) *components.Percept {
	if p == nil {
		return nil
	}
	q := *p
	q.Hostiles, q.Allies = 0, 0
	return &q
}

func difference[T comparable](a, b *T) string {
	if a == nil && b == nil || a != nil && b != nil && *a == *b {
		return ""
	}
	return fmt.Sprintf("%+v\n%+v", a, b)
}
