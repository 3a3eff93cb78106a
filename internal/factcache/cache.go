// Package factcache keeps the facts of one block that have been read from a source. Each fact is read at most once for
// each agent and tick, by trees and evaluators together.
package factcache

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// Cache holds what has been read. Lanes that were not requested have no meaning. The zero Cache is ready for Begin.
type Cache struct {
	source blackboard.Source
	now    components.Timestamp
	have   []uint64 // by fact: the lanes that have been read
	bools  []uint64
	floats [][64]float32
	given  []*[64]float32 // by fact: its floats, in floats or in the source
	ints   [][64]int64    // of an Age, the readings
	ages   [][64]int64
	refs   [][64]components.Entity
	asked  []uint64 // by fact: the lanes in which alive is known
	alive  []uint64
}

// Begin forgets the last block and makes room for the facts of the next. The source is read later, when lanes are
// requested.
func (c *Cache) Begin(source blackboard.Source, facts int, now components.Timestamp) {
	c.source, c.now = source, now
	if cap(c.have) < facts {
		c.have, c.bools = make([]uint64, facts), make([]uint64, facts)
		c.asked, c.alive = make([]uint64, facts), make([]uint64, facts)
		c.floats, c.refs = make([][64]float32, facts), make([][64]components.Entity, facts)
		c.given = make([]*[64]float32, facts)
		c.ints, c.ages = make([][64]int64, facts), make([][64]int64, facts)
	}
	c.have, c.bools = c.have[:facts], c.bools[:facts]
	c.asked, c.alive = c.asked[:facts], c.alive[:facts]
	c.floats, c.refs, c.given = c.floats[:facts], c.refs[:facts], c.given[:facts]
	c.ints, c.ages = c.ints[:facts], c.ages[:facts]
	clear(c.have)
	clear(c.asked)
}

// Clear drops the source, so that the cache does not keep it alive.
func (c *Cache) Clear() { c.source = nil }

// Floats returns the lane of a Float, filled for the lanes of a mask, as the other methods do.
func (c *Cache) Floats(fact int32, mask uint64) *[64]float32 {
	if missing := mask &^ c.have[fact]; missing != 0 {
		c.have[fact] |= missing
		c.given[fact] = c.source.Floats(int(fact), missing, &c.floats[fact])
	}
	return c.given[fact]
}

// Ints returns the lane of an Int, or of the readings of an Age.
func (c *Cache) Ints(fact int32, mask uint64) *[64]int64 {
	l := &c.ints[fact]
	if missing := mask &^ c.have[fact]; missing != 0 {
		c.have[fact] |= missing
		c.source.Ints(int(fact), missing, l)
	}
	return l
}

// Ages returns the lane of an Age, in nanoseconds since the reading.
func (c *Cache) Ages(fact int32, mask uint64) *[64]int64 {
	read, l := c.Ints(fact, mask), &c.ages[fact]
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		l[i] = int64(c.now) - read[i]
		if read[i] == 0 {
			l[i] = blackboard.NeverAge
		}
	}
	return l
}

// Bools returns the lanes in which a Bool is true; it is valid for the lanes of the mask.
func (c *Cache) Bools(fact int32, mask uint64) uint64 {
	if missing := mask &^ c.have[fact]; missing != 0 {
		c.have[fact] |= missing
		v := c.source.Bools(int(fact), missing) & missing
		c.bools[fact] = c.bools[fact]&^missing | v
	}
	return c.bools[fact]
}

// Entities returns the lane of an EntityRef.
func (c *Cache) Entities(fact int32, mask uint64) *[64]components.Entity {
	l := &c.refs[fact]
	if missing := mask &^ c.have[fact]; missing != 0 {
		c.have[fact] |= missing
		c.source.Entities(int(fact), missing, l)
	}
	return l
}

// Alive returns the lanes of a mask in which an EntityRef refers to an entity that is alive.
func (c *Cache) Alive(fact int32, mask uint64) uint64 {
	if missing := mask &^ c.asked[fact]; missing != 0 {
		c.asked[fact] |= missing
		v := c.source.Alive(int(fact), missing) & missing
		c.alive[fact] = c.alive[fact]&^missing | v
	}
	return c.alive[fact] & mask
}
