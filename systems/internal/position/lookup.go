package position

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/gather"
)

// Lookup finds where single agents are. Make it with [NewLookup].
type Lookup struct {
	transforms ecs.Lookup[components.Transform]
	host       []gather.FloatLookup // of the facts of the host's position
}

// NewLookup returns a lookup in a world.
func NewLookup(w *arche.World) Lookup {
	l := Lookup{transforms: ecs.NewLookup[components.Transform](w)}
	for _, f := range factsOf(w) {
		l.host = append(l.host, gather.NewFloatLookup(w, f))
	}
	return l
}

// Get returns the transform of an entity, or false if it is not alive or has no position.
func (l *Lookup) Get(e components.Entity) (components.Transform, bool) {
	if t := l.transforms.Get(e); t != nil {
		return *t, true
	}
	if len(l.host) == 0 {
		return components.Transform{}, false
	}
	var values [4]float32
	for i := range l.host {
		value, ok := l.host[i].Get(e)
		if !ok && i < 2 {
			return components.Transform{}, false
		}
		values[i] = value
	}
	return transform(values[0], values[1], values[2], values[3]), true
}
