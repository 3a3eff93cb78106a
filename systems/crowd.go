package systems

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

const (
	maxGirth  = 2    // metres; bodies push with no larger radius
	pushSpeed = 6    // metres per second at which an overlap is undone at most
	yielding  = 0.5  // of the speed lost to whoever stands in the way that goes into stepping aside
	tooClose  = 1e-3 // metres between centres below which they have no direction
)

// girth returns the radius with which a body pushes, in metres.
func girth(radius float32) float32 {
	if !(radius > 0) { // or NaN
		return 0
	}
	return min(radius, maxGirth)
}

// widest returns the largest radius with which anyone in a grid pushes.
func widest(g *Grid) float32 {
	most := float32(0)
	for _, r := range g.Radii {
		if r > most { // no NaN is
			most = r
		}
	}
	return min(most, maxGirth)
}

// crowd returns how far an agent at p should move so as to stand in nobody, if all those it overlaps do
// the same: half of each overlap. The others are where they were when the frame began, and a grid has them in
// the same order in every run, so the sum is the same to the bit.
func crowd(g *Grid, self components.Entity, p vec2, radius, widest float32) vec2 {
	push := vec2{}
	reach := radius + widest
	reach2 := float32(reach * reach)
	left, width := g.col(p.X-reach), 0
	width = g.col(p.X+reach) + 1 - left
	bottom := g.row(p.Y + reach)
	for row := g.row(p.Y - reach); row <= bottom; row++ {
		at := row*len(g.present)*g.cols + left
		for range g.present {
			start, end := g.starts[at], g.starts[at+width]
			at += g.cols
			if start >= end {
				continue
			}
			for i, other := range g.Positions[start:end] {
				away := sub(p, other)
				d2 := dot(away, away)
				if d2 >= reach2 {
					continue
				}
				slot := int(start) + i
				if g.Entities[slot] == self {
					continue
				}
				push = add(push, shove(self, away, sqrt(d2), radius, girth(g.Radii[slot])))
			}
		}
	}
	return push
}

// shove returns how far an agent should give way to one whose centre is d metres away.
func shove(self components.Entity, away vec2, d, radius, other float32) vec2 {
	overlap := radius + other - d
	if overlap <= 0 || other == 0 {
		return vec2{}
	}
	if d < tooClose { // no way is out: each takes one of its own
		return scale(ownDirection(self), overlap/2)
	}
	return scale(away, overlap/(d+d))
}

// ownDirection returns a unit vector that differs from entity to entity.
func ownDirection(e components.Entity) vec2 {
	hash := random.Mix(uint64(e.Generation), uint64(e.Index))
	u, d := direction(vec2{X: random.Unit(hash)*2 - 1, Y: random.Unit(hash<<24)*2 - 1})
	if d == 0 {
		return vec2{X: 1}
	}
	return u
}

// yield returns the velocity of one who wants to go at v and is pushed by others: what of it goes into them is
// lost, and part of that is turned to the side, the same side for all, so that two who meet pass each
// other.
func yield(v, push vec2) vec2 {
	n, d := direction(push)
	into := -dot(v, n)
	if d == 0 || into <= 0 {
		return v
	}
	v = add(v, scale(n, into))
	return add(v, scale(quarter(n), float32(yielding*into)))
}
