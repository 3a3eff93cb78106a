package frame

import "fmt"

// Relation is how one faction takes another.
type Relation uint8

// The relations.
const (
	Neutral Relation = iota // passes by
	Ally                    // counted as a friend
	Hostile                 // looked for
)

// Relations say which faction is hostile to which: a resource of the world, which perception and combat share. Change
// them between frames only. By default, which is the zero value, a faction is allied with itself and hostile to all
// others. Faction 0 is neutral to all factions, and all are neutral to it, itself included.
type Relations struct {
	set [256][256]uint8 // 0: by default; else the relation + 1
}

// Set fixes how observer takes other. The reverse is a setting of its own.
//
// Panics when there is no such relation.
func (r *Relations) Set(observer, other uint8, relation Relation) {
	if relation > Hostile {
		panic(fmt.Sprintf("frame: Relations.Set to relation %d; use Neutral, Ally or Hostile", relation))
	}
	r.set[observer][other] = uint8(relation) + 1
}

// Between returns how observer takes other.
func (r *Relations) Between(observer, other uint8) Relation {
	switch set := r.set[observer][other]; {
	case set != 0:
		return Relation(set - 1)
	case observer == 0 || other == 0:
		return Neutral
	case observer == other:
		return Ally
	}
	return Hostile
}
