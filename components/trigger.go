package components

// Trigger is an instant action, such as a shout or a single strike, that an agent has fired. Unlike an [Order] it is
// no component and has no outcome: it goes to the system that carries it out. The zero value is none.
type Trigger struct {
	Agent  Entity  // who fired it
	Target Entity  // target of the action; zero for an action without a target
	Number float32 // meaning and unit depend on the action
	Action Action  // 0: none
}
