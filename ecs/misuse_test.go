package ecs

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
)

func TestMisuseSaysWhatIsWrongAndWhatIsRight(t *testing.T) {
	world := arche.NewWorld()
	var none components.Entity
	released := NewColumns(&world, Need[components.Transform]())
	released.Release()
	open := NewColumns(&world, Need[components.Transform]())
	open.Open()
	const unmade = "ecs: a Prefab that was not made; make one with NewPrefab"
	for _, misuse := range []struct {
		want string
		use  func()
	}{
		{"ecs: Commands.Queue of worker 99; there are 2, numbered from 0", func() { NewCommands(2).Queue(99) }},
		{"ecs: Commands.Queue of worker -1; there are 2, numbered from 0", func() { NewCommands(2).Queue(-1) }},
		{"ecs: Commands that were not made; use NewCommands or the herd's", func() { new(Commands).Queue(0) }},
		{"ecs: a Queue that was not made; use Commands.Queue", func() { new(Queue).Remove(none, none) }},
		{"ecs: a Queue that was not made; use Commands.Queue", func() {
			Assign(new(Queue), none, none, components.Health{})
		}},
		{unmade, func() { new(Prefab).SpawnNow(&world, 1, nil) }},
		{unmade, func() { new(Prefab).Complete(none) }},
		{unmade, func() { (*Prefab)(nil).HasTransform() }},
		{
			"ecs: Columns.Open of Columns that were not made, or were released; make them with NewColumns",
			func() { new(Columns).Open() },
		},
		{
			"ecs: Columns.Open of Columns that were not made, or were released; make them with NewColumns",
			func() { released.Open() },
		},
		{"ecs: Columns.Release while they are open; Close them first", func() { open.Release() }},
		{
			"ecs: NewColumns of a nil world; pass a pointer to the result of arche's NewWorld",
			func() { NewColumns(nil, Need[components.Transform]()) },
		},
		{nilWorld("NewPrefab"), func() { NewPrefab(nil) }},
		{nilWorld("NewLookup"), func() { NewLookup[components.Health](nil) }},
		{nilWorld("Resource"), func() { Resource[components.Health](nil) }},
		{nilWorld("FindResource"), func() { FindResource[components.Health](nil) }},
		{nilWorld("Schedule.Initialize"), func() { NewSchedule().Initialize(nil) }},
		{nilWorld("Commands.Apply"), func() { NewCommands(1).Apply(nil) }},
		{"ecs: a Queue that was not made; use Commands.Queue", func() {
			(*Queue)(nil).Spawn(none, NewPrefab(&world), components.Vec2{})
		}},
		{
			"ecs: Columns.Release of Columns that were not made, or were released; make them with NewColumns",
			func() { released.Release() },
		},
		{
			"ecs: Prefab.Complete of an entity that is not alive",
			func() { NewPrefab(&world).Complete(components.Entity{Index: 7}) },
		},
		{"ecs: int is no component; use a struct of your own", func() { NewPrefab(&world, 5) }},
		{"ecs: NewCommands for 70000 workers; use 1 to 1024", func() { NewCommands(70000) }},
	} {
		assert.PanicsWithValue(t, misuse.want, misuse.use)
	}
	assert.Len(t, NewCommands(MaxWorkers).queues, 1024, "as many as there may be")
}

func nilWorld(function string) string {
	return "ecs: " + function + " of a nil world; pass a pointer to the result of arche's NewWorld"
}
