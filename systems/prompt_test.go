package systems_test

import (
	"fmt"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// digging ends each order of the act channel after a given time, and counts agents that have no order.
type digging struct {
	herd    *systems.Herd
	action  components.Action
	takes   time.Duration
	agents  []components.Entity
	serials map[components.Entity]uint16
	posted  map[components.Entity]components.Timestamp

	idle, total, ended int // agents × frames without an order, and all of them; orders that ended
}

func (d *digging) Initialize(*arche.World) {
	d.serials, d.posted = map[components.Entity]uint16{}, map[components.Entity]components.Timestamp{}
}

func (d *digging) Update(w *arche.World) {
	now := d.herd.Clock.Now
	for _, e := range d.agents {
		o := &ecs.Get[components.Intent](w, e).Orders[components.Act]
		d.total++
		if o.Action != d.action {
			d.idle++
			continue
		}
		if d.serials[e] != o.Serial {
			d.serials[e], d.posted[e] = o.Serial, now
		}
		if o.Outcome == components.Pending && now >= d.posted[e]+components.Timestamp(d.takes) {
			o.Outcome = components.Succeeded
			d.ended++
		}
	}
}

func (d *digging) Finalize(*arche.World) {}

// newDigging returns a herd at 60 frames a second, in a tier of a decision rate, whose agents run a tree.
func newDigging(t *testing.T, rate float32, takes time.Duration, root func() *aitree.Node) (*systems.Herd, *digging) {
	h := newHerd(t, systems.Options{FPS: 60, Seed: 3})
	h.LOD.Config = lod.Config{Tiers: []lod.Tier{{Radius: 100, Rate: rate}}}
	action, err := h.Actions.Register("dig", components.Act)
	require.NoError(t, err)
	d := &digging{herd: h, action: action, takes: takes}
	h.After(systems.ActionStage, d)
	// The agents join one after the other, so that they decide in different frames.
	prefab := h.Prefab(addTree(t, h, "dig", root()))
	for range 60 {
		d.agents = append(d.agents, spawn(h, 1, prefab)...)
		h.Step()
	}
	for range 180 { // until all have decided
		h.Step()
	}
	d.idle, d.total, d.ended = 0, 0, 0
	return h, d
}

func dig() *aitree.Node { return aitree.Do("dig") }

// The action takes 30 frames. After it the tree begins again, or its loop goes on, one frame later: an agent is idle
// for one frame for each time that this happens, whatever its tier. Of a single action that is at most 1/31; where two
// actions stand in a sequence there is one such frame in 60 and more.
func TestATierLosesOneFrameWhenATreeBeginsAgain(t *testing.T) {
	const half = 500 * time.Millisecond
	for _, c := range []struct {
		name  string
		root  func() *aitree.Node
		each  int     // actions from one beginning to the next
		limit float64 // of the idle share
	}{
		{"one action", dig, 1, 1. / 31},
		{"one action in a loop", func() *aitree.Node { return aitree.Repeat(0, dig()) }, 1, 1. / 31},
		{"two actions", func() *aitree.Node { return aitree.Sequence(dig(), dig()) }, 2, 0.02},
		{"two actions in a loop",
			func() *aitree.Node { return aitree.Repeat(0, aitree.Sequence(dig(), dig())) }, 2, 0.02},
	} {
		for _, rate := range []float32{10, 5, 1} {
			t.Run(fmt.Sprintf("%s at %v Hz", c.name, rate), func(t *testing.T) {
				h, d := newDigging(t, rate, half, c.root)
				for range 60 * 60 {
					h.Step()
				}
				share := float64(d.idle) / float64(d.total)
				t.Logf("%s at %v Hz: idle share %.2f %%, %d actions", c.name, rate, 100*share, d.ended)
				assert.Greater(t, d.ended, len(d.agents)*50)
				assert.InDelta(t, d.ended/c.each, d.idle, float64(len(d.agents)), "one frame each time")
				assert.LessOrEqual(t, share, c.limit)
			})
		}
	}
}

// An action that ends in the frame of its posting is noticed one period later, and the next one begins after one frame:
// at 1 Hz an agent acts in all frames but one in 61, and not in every second period only.
func TestAnUnconditionalActionIsPostedAgainAfterOneFrame(t *testing.T) {
	h, d := newDigging(t, 1, 0, dig)
	before := h.LOD.Stats()
	for range 61 * 10 {
		h.Step()
	}
	assert.InDelta(t, 10*len(d.agents), d.idle, float64(len(d.agents)))
	after := h.LOD.Stats()
	woken := after.TotalWoken - before.TotalWoken
	assert.InDelta(t, 10*len(d.agents), woken, float64(len(d.agents)), "counted as woken, beside the quota")
}

// A tree that begins and completes within one tick would be ticked in every frame.
func TestATreeThatCompletesAtOnceIsNotDueInTheNextFrame(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 60})
	h.LOD.Config = lod.Config{Tiers: []lod.Tier{{Radius: 100, Rate: 1}}}
	_, err := h.Actions.RegisterTrigger("bark")
	require.NoError(t, err)
	spawn(h, 1, h.Prefab(addTree(t, h, "bark", aitree.Fire("bark"))))
	for range 600 {
		h.Step()
	}
	assert.EqualValues(t, 10, h.AI.Stats().Decisions)
	assert.Zero(t, h.LOD.Stats().TotalWoken)
}

// A round that completes in a tick is followed by the next one in the next frame, so a loop of three rounds takes as
// long as its actions and two frames, and not two periods more.
func TestTheRoundsOfALoopFollowOneAnotherFrameByFrame(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 60})
	h.LOD.Config = lod.Config{Tiers: []lod.Tier{{Radius: 100, Rate: 1}}}
	var ticks []uint32
	leaf := aitree.Leaf("leaf", func(c *blackboard.Context) (success, running uint64) {
		ticks = append(ticks, h.Clock.Frame)
		return c.Mask &^ c.Entering, c.Entering // succeeds on its second tick
	})
	spawn(h, 1, h.Prefab(addTree(t, h, "three", aitree.Repeat(3, leaf))))
	for range 125 {
		h.Step()
	}
	// Entered at the first decision, completed one period later, then a new round in the next frame; and after the last
	// round the root begins again.
	assert.Equal(t, []uint32{1, 61, 62, 122, 123}, ticks)
}

func TestPromptAgentsCostNoAllocation(t *testing.T) {
	h, _ := newDigging(t, 5, 100*time.Millisecond, dig)
	for range 120 {
		h.Step()
	}
	allocs.None(t, 60, h.Step)
}
