package main

import (
	"math"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementary emits the kernels of package elementary. Except exp, they leave rare inputs unchanged and return their
// lanes.
func elementary(c *build.Context) {
	for _, wide := range []bool{false, true} {
		e := kernel(c, wide, "exp", "func(out, in *[64]float32, n int)", "is the kernel of ExpLanes.")
		out, in := e.pointer("out"), e.pointer("in")
		constants := e.exponential()
		e.loop(func(i reg.Register) { e.store(e.exp(constants, e.load(at(in, i))), at(out, i)) })
		logarithm(c, wide)
		power(c, wide)
		sine(c, wide)
	}
}

const rareDoc = "but for the elements that it returns: there it is in[i]."

func logarithm(c *build.Context, wide bool) {
	const minNormal, infinity, sqrtHalf, one = 0x00800000, 0x7f800000, 0x3f3504f3, 0x3f800000
	e := kernel(c, wide, "log", "func(out, in *[64]float32, n int) (rare uint64)", "is the kernel of LogLanes "+rareDoc)
	out, in := e.pointer("out"), e.pointer("in")
	k := struct {
		least, most, move, exponent, bias, mantissa, sqrtHalf, one, two, r0, r1, r2, half, high, low, zero,
		inf, minusInf *scalar
	}{
		e.data(minNormal), e.data(infinity - minNormal - 1), e.data(one - sqrtHalf), e.data(0x4b000000),
		e.float(0x1p23 + 127),
		e.data(0x007fffff), e.data(sqrtHalf), e.float(1), e.float(2),
		e.float(0x1.55557ap-1), e.float(0x1.995ed8p-2), e.float(0x1.31e03ap-2), e.float(0.5), e.float(ln2High),
		e.float(ln2Low),
		e.float(0), e.data(infinity), e.data(infinity | signBit),
	}
	if wide {
		e.keepIn(k.least, k.most, k.move, k.exponent, k.bias, k.mantissa, k.sqrtHalf, k.one, k.two, k.r0, k.r1, k.r2,
			k.half, k.high,
			k.low, k.zero, k.inf, k.minusInf)
	}
	e.loopBits(e.bytes()/4, func(i reg.Register) reg.GPVirtual {
		x := e.load(at(in, i))
		moved := e.addInt(x, e.all(k.move))
		exponent := e.sub(e.or(e.right(moved, 23), e.all(k.exponent)), e.all(k.bias))
		f := e.sub(e.addInt(e.and(moved, e.all(k.mantissa)), e.all(k.sqrtHalf)), e.all(k.one))

		s := e.div(f, e.add(e.all(k.two), f))
		z := e.mul(s, s)
		r := e.add(e.mul(z, e.all(k.r2)), e.all(k.r1))
		r = e.add(e.mul(z, r), e.all(k.r0))
		half := e.mul(e.all(k.half), e.mul(f, f))
		tail := e.add(e.mul(s, e.add(half, e.mul(z, r))), e.mul(exponent, e.all(k.low)))
		y := e.sub(e.mul(exponent, e.all(k.high)), e.sub(e.sub(half, tail), f))

		nothing, infinite := e.compare(x, equal, e.all(k.zero)), e.compare(x, equal, e.all(k.inf))
		over := e.subInt(x, e.all(k.least))
		y = e.choose(nothing, e.all(k.minusInf), e.choose(infinite, e.all(k.inf), y))
		if wide {
			rare, special := e.K(), e.K()
			e.VPCMPUD(operand.U8(6), e.all(k.most), over, rare)
			e.KORW(nothing.k, infinite.k, special)
			e.KANDNW(rare, special, rare)
			e.store(e.choose(mask{k: rare}, x, y), at(out, i))
			return e.bitsOf(mask{k: rare}, 4)
		}
		common := e.YMM()
		e.VPCMPEQD(over, e.leastUint(over, e.all(k.most)), common)
		common = e.or(common, e.or(nothing.v, infinite.v))
		e.store(e.choose(mask{v: common}, y, x), at(out, i))
		return e.bitsOf(mask{v: e.xor(common, e.all(e.data(math.MaxUint32)))}, 4)
	})
}

// loadWide returns the next floats as float64s, as many as a vector has.
func (e *emitter) loadWide(m operand.Mem) vector {
	r := e.new()
	e.VCVTPS2PD(m, r)
	return r
}

// storeNarrow rounds float64s.
func (e *emitter) storeNarrow(v vector, m operand.Mem) {
	if e.wide {
		y := e.YMM()
		e.VCVTPD2PS(v, y)
		e.VMOVUPS(y, m)
		return
	}
	x := e.XMM()
	e.VCVTPD2PSY(v, x)
	e.VMOVUPS(x, m)
}

// keepWide keeps float64s in registers in AVX-512; AVX2 has too few registers.
func (e *emitter) keepWide(scalars ...*scalar) {
	if e.wide {
		e.keep64(scalars...)
	}
}

// pair returns a pair of a polynomial of z, even + odd·z, as Estrin's scheme takes them.
func (e *emitter) pair(even, odd *scalar, z vector) vector {
	return e.add64(e.all64(even), e.mul64(z, e.all64(odd)))
}

func power(c *build.Context, wide bool) {
	const sqrtHalf, one, mantissa = 0x3fe6a09e00000000, 0x3ff0000000000000, 0x000fffffffffffff
	e := kernel(c, wide, "pow", "func(out, in *[64]float32, n int, y, zero float64) (rare uint64)",
		"is the kernel of PowLanes "+rareDoc)
	out, in := e.pointer("out"), e.pointer("in")
	y, zero := e.argument("y"), e.argument("zero")
	e.keep64(y)
	k := struct {
		move, exponent, bias, mantissa, sqrtHalf, one, q0, q1, q2, q3, q4 *scalar
		sign, limit, round, e0, e1, e2, e3, e4, e5                        *scalar
	}{
		e.data64((1023-127)<<52 + one - sqrtHalf), e.data64(0x4330000000000000), e.float64(0x1p52 + 1023),
		e.data64(mantissa), e.data64(sqrtHalf), e.float64(1),
		e.float64(0x1.71547652bee6dp+1), e.float64(0x1.ec709d12506edp-1), e.float64(0x1.2777803ac7caep-1),
		e.float64(0x1.a58d66c05d597p-2), e.float64(0x1.5cea86e458c22p-2),
		e.data64(1 << 63), e.float64(192), e.float64(0x1.8p52),
		e.float64(0x1.62e4311736bd7p-1), e.float64(0x1.ebfbe2c456ca1p-3), e.float64(0x1.c6ae72da13978p-5),
		e.float64(0x1.3b270f2704148p-7), e.float64(0x1.5f7279be63edcp-10), e.float64(0x1.470ab6c53c277p-13),
	}
	nothing, least, most := e.data64(0), e.data64(0x00800000), e.data64(0x7f800000-1)
	e.keepWide(k.move, k.exponent, k.bias, k.mantissa, k.sqrtHalf, k.one, k.q0, k.q1, k.q2, k.q3, k.q4, k.round, k.e0,
		k.e1, k.e2,
		k.e3, k.e4, k.e5)
	e.loopBits(e.bytes()/8, func(i reg.Register) reg.GPVirtual {
		bits := e.new()
		e.VPMOVZXDQ(at(in, i), bits)

		moved := e.addInt64(e.left64(bits, 29), e.all64(k.move))
		exponent := e.sub64(e.or64(e.right64(moved, 52), e.all64(k.exponent)), e.all64(k.bias))
		m := e.addInt64(e.and64(moved, e.all64(k.mantissa)), e.all64(k.sqrtHalf))

		s := e.div64(e.sub64(m, e.all64(k.one)), e.add64(m, e.all64(k.one)))
		z := e.mul64(s, s)
		z2 := e.mul64(z, z)
		q := e.add64(e.mul64(z2, e.all64(k.q4)), e.pair(k.q2, k.q3, z))
		q = e.add64(e.mul64(z2, q), e.pair(k.q0, k.q1, z))
		t := e.mul64(e.all64(y), e.add64(exponent, e.mul64(s, q)))

		sign := e.and64(t, e.all64(k.sign))
		t = e.or64(e.lesser64(e.xor64(t, sign), e.all64(k.limit)), sign)
		n := e.add64(t, e.all64(k.round))
		r := e.sub64(t, e.sub64(n, e.all64(k.round)))

		r2 := e.mul64(r, r)
		p := e.add64(e.mul64(r2, e.pair(k.e4, k.e5, r)), e.pair(k.e2, k.e3, r))
		p = e.add64(e.mul64(r2, p), e.pair(k.e0, k.e1, r))
		result := e.addInt64(e.add64(e.all64(k.one), e.mul64(r, p)), e.left64(n, 52))

		positive := e.above(bits, e.all64(nothing))
		result = e.choose64(positive, result, e.all64(zero))
		rare := e.either(e.above(bits, e.all64(most)), e.both(positive, e.above(e.all64(least), bits)))
		e.storeNarrow(e.choose64(rare, e.loadWide(at(in, i)), result), at(out, i))
		return e.bitsOf(rare, 8)
	})
}

func sine(c *build.Context, wide bool) {
	e := kernel(c, wide, "sin", "func(out, in *[64]float32, n int) (rare uint64)", "is the kernel of SinLanes "+rareDoc)
	out, in := e.pointer("out"), e.pointer("in")
	k := struct{ magnitude, limit, invPi, round, high, low, p0, p1, p2, p3, p4, one *scalar }{
		e.data64(1<<63 - 1), e.float64(1 << 21), e.float64(0x1.45f306dc9c883p-2), e.float64(0x1.8p52),
		e.float64(0x1.921fb544p+1), e.float64(0x1.0b4611a626331p-33),
		e.float64(-0x1.555555476921fp-3), e.float64(0x1.11110c49eb9b5p-7), e.float64(-0x1.a017d9986c0c8p-13),
		e.float64(0x1.71707f0c19b77p-19), e.float64(-0x1.9a686d6e12597p-26), e.float64(1),
	}
	e.keepWide(k.magnitude, k.limit, k.invPi, k.round, k.high, k.low, k.p0, k.p1, k.p2, k.p3, k.p4, k.one)
	e.loopBits(e.bytes()/8, func(i reg.Register) reg.GPVirtual {
		x := e.loadWide(at(in, i))
		rare := e.compare64(e.and64(x, e.all64(k.magnitude)), notLessEqual, e.all64(k.limit))
		n := e.add64(e.mul64(x, e.all64(k.invPi)), e.all64(k.round))
		w := e.sub64(n, e.all64(k.round))
		r := e.sub64(e.sub64(x, e.mul64(w, e.all64(k.high))), e.mul64(w, e.all64(k.low)))

		z := e.mul64(r, r)
		z2 := e.mul64(z, z)
		p := e.add64(e.mul64(z2, e.all64(k.p4)), e.pair(k.p2, k.p3, z))
		p = e.add64(e.mul64(z2, p), e.pair(k.p0, k.p1, z))
		y := e.mul64(r, e.add64(e.all64(k.one), e.mul64(z, p)))
		y = e.xor64(y, e.left64(n, 63))
		e.storeNarrow(e.choose64(rare, x, y), at(out, i))
		return e.bitsOf(rare, 8)
	})
}
