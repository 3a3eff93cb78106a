package aitree_test

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// node turns a written tree into a description of the package.
func (h *crowd) node(n *refNode) *aitree.Node {
	kids := make([]*aitree.Node, len(n.children))
	for i, child := range n.children {
		kids[i] = h.node(child)
	}
	var made *aitree.Node
	switch n.kind {
	case refAction:
		made = h.leaf(n)
	case refCondition:
		return aitree.Check(h.condition(n.cond))
	case refDo:
		name := "do " + n.label
		h.register(name, n.channel)
		made = aitree.Do(name, orderBindings(n)...)
		if n.until != "" {
			made = made.Until(h.condition(n.until))
		}
		if n.limited {
			made = made.For(duration(n.seconds))
		}
	case refFire:
		name := "fire " + n.label
		if _, err := h.actions.RegisterTrigger(name); err != nil {
			panic(err)
		}
		return aitree.Fire(name, triggerBindings(n)...)
	case refWait:
		switch {
		case n.of != "":
			made = aitree.WaitFact(h.pause(n.of))
		case n.most != n.seconds:
			made = aitree.WaitBetween(duration(n.seconds), duration(n.most))
		default:
			made = aitree.Wait(duration(n.seconds))
		}
	case refUtility:
		made = utilitySelector(n, h.evaluator(n.evaluator), kids)
	case refUse:
		made = aitree.Subtree(n.subtree)
	default:
		made = innerNode(n, kids, h.condition)
	}
	if n.label != "" {
		made = made.Named(n.label)
	}
	if h.hooked && n.canRun() {
		made = made.OnEnter(func(e components.Entity) {
			h.hooks = append(h.hooks, hookCall{e, n, "enter"})
		}).OnExit(func(e components.Entity, how aitree.Exit) {
			h.hooks = append(h.hooks, hookCall{e, n, how.String()})
		})
	}
	return made
}

// innerNode makes a composite, a decorator or a plain leaf of a written one.
func innerNode(n *refNode, kids []*aitree.Node, condition func(string) *aitree.Condition) *aitree.Node {
	policy := func(threshold int) aitree.Policy {
		switch threshold {
		case 0:
			return aitree.All
		case 1:
			return aitree.One
		}
		return aitree.AtLeast(threshold)
	}
	var child *aitree.Node
	if len(kids) > 0 {
		child = kids[0]
	}
	switch n.kind {
	case refSucceed:
		return aitree.Succeed()
	case refFail:
		return aitree.Fail()
	case refRun:
		return aitree.Run()
	case refRoundRobin:
		return aitree.RoundRobin(kids...)
	case refRecovery:
		return aitree.Recovery(n.times, child, kids[1])
	case refEvery:
		return aitree.Every(duration(n.seconds), child)
	case refSequence:
		return aitree.Sequence(kids...)
	case refSelector:
		return aitree.Selector(kids...)
	case refReactiveSequence:
		return aitree.ReactiveSequence(kids...)
	case refReactiveSelector:
		return aitree.ReactiveSelector(kids...)
	case refRandomSequence:
		return aitree.RandomSequence(kids...)
	case refRandomSelector:
		return aitree.RandomSelector(kids...)
	case refWeightedChoice:
		choices := make([]aitree.Choice, len(kids))
		for i := range kids {
			choices[i] = aitree.Weight(n.weights[i], kids[i])
		}
		return aitree.WeightedChoice(choices...)
	case refParallel:
		made := aitree.Parallel(policy(n.success), policy(n.failure), kids...)
		if n.latched {
			made.Latched()
		}
		return made
	case refInverter:
		return aitree.Inverter(child)
	case refForceSuccess:
		return aitree.ForceSuccess(child)
	case refForceFailure:
		return aitree.ForceFailure(child)
	case refRepeat:
		return aitree.Repeat(n.times, child)
	case refRetry:
		return aitree.Retry(n.times, child)
	case refUntilSuccess:
		return aitree.UntilSuccess(child)
	case refUntilFailure:
		return aitree.UntilFailure(child)
	case refCooldown:
		made := aitree.Cooldown(duration(n.seconds), child)
		if n.resets {
			made.ClearedByAbort()
		}
		if n.completed {
			made.StartedByCompletion()
		}
		return made
	case refTimeout:
		return aitree.Timeout(duration(n.seconds), child)
	case refGuard:
		return aitree.Guard(condition(n.cond), child)
	}
	panic("a kind of node that this does not know")
}

// evaluator returns that of a description, the same one every time.
func (h *crowd) evaluator(b *refEvaluator) *utility.Evaluator {
	if h.evaluators[b] == nil {
		e, err := b.build(h.custom, h.condition)
		if err != nil {
			panic(err)
		}
		h.evaluators[b] = e
	}
	return h.evaluators[b]
}

// utilitySelector makes the node of a written one.
func utilitySelector(n *refNode, evaluator *utility.Evaluator, kids []*aitree.Node) *aitree.Node {
	var branches []aitree.Branch
	for i, kid := range kids {
		branches = append(branches, aitree.On(n.evaluator.action(n.branches[i]), kid))
	}
	made := aitree.UtilitySelector(evaluator, branches...)
	if n.hold {
		made = made.HoldUntilDone()
	}
	if n.remember {
		made = made.RememberChoice()
	}
	if n.nextBest {
		made = made.NextBest()
	}
	if n.backOff > 0 {
		made = made.BackOff(duration(n.backOff))
	}
	return made
}

func (h *crowd) register(name string, channel components.Channel) {
	if _, err := h.actions.Register(name, channel); err != nil {
		panic(err)
	}
}

// labelNumber is the number that a Do or Fire binds.
func labelNumber(label string) float32 {
	hash := fnv.New32()
	hash.Write([]byte(label[strings.LastIndexByte(label, '.')+1:]))
	return float32(hash.Sum32()%1000) / 8
}

// secondSort reports whether the bindings of a leaf are those of the second sort: constants where the first has facts.
func secondSort(label string) bool { return int(labelNumber(label)*8)%2 == 1 }

// stillSort is the sort of orders that bind a chosen target and no fact, so that nothing of them is followed.
func stillSort(n *refNode) bool { return n.chosen && int(labelNumber(n.label)*8)%3 == 1 }

func orderBindings(n *refNode) (list []aitree.Binding) {
	c := labelNumber(n.label)
	switch {
	case stillSort(n):
		list = []aitree.Binding{aitree.NumberOf(0, c)}
	case secondSort(n.label):
		list = []aitree.Binding{aitree.Number(0, pulseFact), aitree.NumberOf(1, c), aitree.Point(pulseFact, driftFact)}
	default:
		list = []aitree.Binding{aitree.NumberOf(0, c), aitree.Number(1, pulseFact), aitree.PointAt(c, -c)}
		if !n.chosen {
			list = append(list, aitree.Target(selfFact))
		}
	}
	if n.chosen {
		list = append(list, aitree.ChosenTarget())
	}
	return list
}

// order is what a running Do has posted, but for action and serial.
func (m *member) order(leaf *refNode) (o components.Order) {
	c := labelNumber(leaf.label)
	switch {
	case stillSort(leaf):
		o = components.Order{Numbers: [2]float32{c}}
	case secondSort(leaf.label):
		o = components.Order{Numbers: [2]float32{m.pulse, c}, Point: components.Vec2{X: m.pulse, Y: -m.pulse}}
	default:
		o = components.Order{Numbers: [2]float32{c, m.pulse}, Point: components.Vec2{X: c, Y: -c}, Target: m.entity}
	}
	if leaf.chosen {
		o.Target = m.agent.state[leaf.index].aim
	}
	return o
}

func triggerBindings(n *refNode) []aitree.Binding {
	target := aitree.Target(selfFact)
	if n.chosen {
		target = aitree.ChosenTarget()
	}
	switch {
	case secondSort(n.label):
		return []aitree.Binding{target, aitree.Number(0, pulseFact)}
	case n.chosen:
		return []aitree.Binding{target, aitree.NumberOf(0, labelNumber(n.label))}
	}
	return []aitree.Binding{aitree.NumberOf(0, labelNumber(n.label))}
}

// trigger returns what a leaf posts when it fires once more in a tick in which it has fired so often.
func (m *member) trigger(leaf *refNode, before int) (t components.Trigger) {
	t.Number = labelNumber(leaf.label)
	if secondSort(leaf.label) {
		t = components.Trigger{Target: m.entity, Number: m.pulse}
	}
	for i, fired := range m.expected.fired {
		if !leaf.chosen || fired != leaf {
			continue
		}
		if before == 0 {
			t.Target = m.agent.targets[i]
			break
		}
		before--
	}
	return t
}

// leaf makes an action leaf. It plays back what the reference has invoked in this tick, and complains
// when it is invoked otherwise.
func (h *crowd) leaf(n *refNode) *aitree.Node {
	tick := func(ctx *blackboard.Context, lane int) result {
		m := h.members[ctx.Entities[lane]]
		entering := ctx.Entering>>lane&1 != 0
		if h.keeps {
			h.useState(m, n, ctx.State(lane), entering)
		}
		i := slices.IndexFunc(m.pending, func(p refInvocation) bool { return p.leaf.origin == n })
		if i < 0 {
			h.fault("%v: leaf %s is invoked where the reference does not", m.entity, n.label)
			return failed
		}
		p := m.pending[i]
		m.pending = slices.Delete(m.pending, i, i+1)
		if p.entering != entering {
			h.fault("%v: leaf %s is shown entering %v", m.entity, n.label, entering)
		}
		return p.result
	}
	words := 0
	if h.keeps {
		words = 1
	}
	var reads []blackboard.Fact
	kind := uint32(labelNumber(n.label)*8) / 4 % 4
	if kind < 2 { // so a fact is gathered for the lanes of one leaf first, and then for another's
		reads = []blackboard.Fact{pulseFact, evenFact, indexFact, sinceFact, selfFact}
	}
	if kind%2 == 0 {
		return aitree.AgentLeaf(n.label, func(a aitree.Agent) aitree.Status {
			if e := a.Entity(); a.Context().Mask>>a.Lane&1 == 0 ||
				a.Entering() != (a.Context().Entering>>a.Lane&1 != 0) ||
				int64(a.Since()) != h.members[e].since || a.Now() != h.block.Now {
				h.fault("agent %v of lane %d", e, a.Lane)
			}
			if reads != nil {
				h.checkFacts(h.members[a.Entity()], a.Float(0), a.Bool(1), a.Int(2), int64(a.Age(3)), a.EntityFact(4))
			}
			switch tick(a.Context(), a.Lane) {
			case succeeded:
				return aitree.Success
			case running:
				return aitree.Running
			}
			return aitree.Failure
		}).Keeps(words).Reads(reads...)
	}
	return aitree.Leaf(n.label, func(ctx *blackboard.Context) (success, runs uint64) {
		if ctx.Entering&^ctx.Mask != 0 {
			h.fault("leaf %s: entering %x of %x", n.label, ctx.Entering, ctx.Mask)
		}
		// What is answered for other lanes means nothing.
		success, runs = h.rng.Uint64()&^ctx.Mask, h.rng.Uint64()&^ctx.Mask
		for _, lane := range h.lanesOf(ctx) {
			if reads != nil {
				h.checkFacts(h.members[ctx.Entities[lane]], ctx.Float(0)[lane], ctx.Bool(1)>>lane&1 != 0,
					ctx.Int(2)[lane], ctx.Age(3)[lane], ctx.Entity(4)[lane])
			}
			switch tick(ctx, lane) {
			case succeeded:
				success |= 1 << lane
			case running:
				runs |= 1 << lane
			}
		}
		return success, runs
	}).Keeps(words).Reads(reads...)
}

// useState checks the word that a leaf keeps: zero when it is entered, else what it wrote there last.
// The uses of a subtree share a leaf here, so its tokens are not told apart.
func (h *crowd) useState(m *member, n *refNode, state []uint32, entering bool) {
	want := m.tokens[n]
	if entering {
		want = 0
	}
	if len(state) != 1 || state[0] != want {
		h.fault("%v: leaf %s has state %v, want %d", m.entity, n.label, state, want)
		return
	}
	m.token++
	state[0] = m.token
	m.tokens[n] = m.token
}
