package gather

import (
	"math"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
)

// FloatLookup reads a Float of single entities. Make it with [NewFloatLookup].
type FloatLookup struct {
	world *arche.World
	id    arche.ID
	field blackboard.Field
}

// NewFloatLookup returns a lookup of a Float that is a field of the entity's own component. Call it after columns with
// the fact have been made, which register its component.
func NewFloatLookup(w *arche.World, f blackboard.Fact) FloatLookup {
	return FloatLookup{world: w, id: arche.TypeID(w, f.Component()), field: f.Field()}
}

// Get returns the value, or the fact's default where it is not finite. It returns false if the entity is not alive or
// lacks the component.
func (l *FloatLookup) Get(e components.Entity) (float32, bool) {
	if !ecs.Alive(l.world, e) {
		return 0, false
	}
	p := l.world.GetUnchecked(ecs.ToArche(e), l.id)
	if p == nil {
		return 0, false
	}
	p = unsafe.Add(p, l.field.Offset) // a fact's offset lies in its component
	value := float32(0)
	if l.field.Size == 8 {
		value = float32(*(*float64)(p))
	} else {
		value = *(*float32)(p)
	}
	if math.Float32bits(value)&exponent == exponent {
		value = l.field.DefaultFloat
	}
	return value, true
}
