package main

import "github.com/mmcloughlin/avo/operand"

// The constants of the exponential, as package elementary has them.
const (
	signBit   = 0x80000000
	nanBits   = 0x7fc00000
	expNear   = 0x42ae999a
	expLimit  = 0x42d00000
	round32At = 0x4b400000
	log2E     = float32(0x1.715476p+0)
	round32   = float32(0x1.8p23)
	ln2High   = float32(0x1.62e4p-1)
	ln2Low    = float32(0x1.7f7d1cp-20)
	expQ0     = float32(0x1.fffffcp-2)
	expQ1     = float32(0x1.55548cp-3)
	expQ2     = float32(0x1.555858p-5)
	expQ3     = float32(0x1.123de2p-7)
	expQ4     = float32(0x1.6ac778p-10)
)

// expConstants are the constants of an exponential, so that they can be kept in registers.
type expConstants struct {
	magnitude, near, log2E, round, high, low, q0, q1, q2, q3, q4, one *scalar
}

// exponential returns the constants. AVX-512 has enough registers, so they are loaded here.
func (e *emitter) exponential() *expConstants {
	c := &expConstants{
		magnitude: e.data(signBit - 1), near: e.data(expNear), log2E: e.float(log2E), round: e.float(round32),
		high: e.float(ln2High), low: e.float(ln2Low), q0: e.float(expQ0), q1: e.float(expQ1), q2: e.float(expQ2),
		q3: e.float(expQ3),
		q4: e.float(expQ4), one: e.float(1),
	}
	if e.wide {
		e.keepIn(c.magnitude, c.near, c.log2E, c.round, c.high, c.low, c.q0, c.q1, c.q2, c.q3, c.q4, c.one)
	}
	return c
}

// exp returns e^x as elementary.Exp does. If an element is far, all elements are computed as far ones: their results
// are the same on both.
func (e *emitter) exp(c *expConstants, x vector) vector {
	result := e.new()
	far, done := e.label("far"), e.label("joined")
	size := e.and(x, e.all(c.magnitude))
	e.jumpIfAny(e.compare(size, notLessEqual, e.all(c.near)), far)
	k, high, low := e.expSplit(c, x)
	small := e.expSmall(c, high, low)
	e.VPADDD(e.left(k, 23), small, result)
	e.JMP(operand.LabelRef(done))

	e.Label(far)
	clamped := e.or(e.leastUint(size, e.all(e.data(expLimit))), e.and(x, e.all(e.data(signBit))))
	k, high, low = e.expSplit(c, clamped)
	small = e.expSmall(c, high, low)
	k = e.subInt(k, e.all(e.data(round32At)))
	half := e.rightSigned(k, 1)
	bias := e.all(e.data(127))
	first := e.left(e.addInt(half, bias), 23)
	second := e.left(e.addInt(e.subInt(k, half), bias), 23)
	product := e.mul(e.mul(small, first), second)
	chosen := e.choose(e.compare(x, unordered, x), e.all(e.data(nanBits)), product)
	e.VMOVAPS(chosen, result)
	e.Label(done)
	return result
}

func (e *emitter) expSplit(c *expConstants, x vector) (k, high, low vector) {
	t := e.add(e.mul(x, e.all(c.log2E)), e.all(c.round))
	n := e.sub(t, e.all(c.round))
	return t, e.sub(x, e.mul(n, e.all(c.high))), e.mul(n, e.all(c.low))
}

func (e *emitter) expSmall(c *expConstants, high, low vector) vector {
	r := e.sub(high, low)
	r2 := e.mul(r, r)
	q := e.add(e.mul(r2, e.all(c.q4)), e.add(e.all(c.q2), e.mul(r, e.all(c.q3))))
	q = e.add(e.mul(r2, q), e.add(e.all(c.q0), e.mul(r, e.all(c.q1))))
	return e.add(e.all(c.one), e.add(high, e.sub(e.mul(r2, q), low)))
}
