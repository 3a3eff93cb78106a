// Package needs lets the hunger, fatigue and loneliness of agents grow, and carries out the activities that satisfy
// them.
//
//   - [System] is the step of the frame that does both.
//   - [Rates] say how fast needs grow and are satisfied; [DefaultRates] are those of an ordinary day.
//   - [Sun] says when it is day; [DefaultSun] is a summer's day.
//   - [Stats] counts what agents did with their time.
//
// # Activities
//
// The orders eat, sleep, socialise, work and rest in the act channel start an activity; [action.Seek] has a table of
// their parameters. Their outcome is Pending while the activity lasts, Succeeded when its time is up or its need is
// satisfied, and Failed when it cannot begin or go on: the place is full, out of reach, removed or of another kind,
// there is no meal, or no other agent is near to talk to. The agent is woken in either case. An agent without such an
// order is idle.
//
// # Places
//
// A place takes as many agents as its Capacity. Agents that leave make room for agents that arrive in the same frame.
// Arriving agents are admitted in the order of entities. The use of a place is counted anew in each frame,
// so an agent that dies or is removed frees its place, and a place that is removed ends the activity in it. A meal is
// taken from the stock when the agent begins to eat. Work adds meals to the stock of the store that the workplace
// supplies.
//
// # Time
//
// Needs change by the time that has passed, in steps of about a second at any frame rate. No time is lost when the
// activity changes within a step. An activity that ends within a step counts until its end; the rest of the step
// is idle.
//
// # Frame order
//
// The system runs before the AI, so that the facts of an agent that decides are fresh: the time of day, food at home,
// company. Orders that the AI posts take effect in the next frame.
//
// # Memory layout
//
// The system works on columns in place. Beside them it holds one byte per entity index, the activity, and for each
// worker a list of claims and 16 bytes per entity index of a place. A frame allocates nothing once these have grown.
//
// # Determinism
//
// Claims on places are merged in the order of entities, sums are integers, and company is found in the order of the
// grid. So results depend neither on the storage order nor on the number of workers.
//
// # Concurrency
//
// The methods of System belong to the goroutine that owns the world. Update hands ranges of agents to the pool of
// workers and returns when all of them are done.
package needs
