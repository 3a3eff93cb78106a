package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows emits the kernels of package rows.
func rows(c *build.Context) {
	for _, wide := range []bool{false, true} {
		words(c, wide)
		e := kernel(c, wide, "differ", "func(l *[64]uint32, c, b uint32) uint64", "is the kernel of Differ.")
		l, constant, bits := e.pointer("l"), e.argument("c"), e.argument("b")
		e.keepIn(constant, bits)
		none := e.YMM()
		if !wide {
			e.VPXOR(none, none, none)
		}
		e.floatMask(func(i int) mask {
			d := e.and(e.xor(e.load(operand.Mem{Base: l, Disp: i * e.bytes()}), constant.in), bits.in)
			if wide {
				k := e.K()
				e.VPTESTMD(d, d, k)
				return mask{k: k}
			}
			v := e.YMM()
			e.VPCMPEQD(none, d, v)
			e.VPCMPEQD(none, v, v)
			return mask{v: v}
		})

		e = kernel(c, wide, "intLess", "func(l *[64]uint32, c int32) uint64", "is the kernel of IntLess.")
		l, constant = e.pointer("l"), e.argument("c")
		e.keepIn(constant)
		e.floatMask(func(i int) mask {
			return e.aboveInt(constant.in, e.load(operand.Mem{Base: l, Disp: i * e.bytes()}))
		})

		e = kernel(c, wide, "longLess", "func(low, high *[64]uint32, below uint32, above int32) uint64",
			"is the kernel of LongLess.")
		low, high := e.pointer("low"), e.pointer("high")
		below, above := e.argument("below"), e.argument("above")
		sign := e.data(0x80000000)
		e.keepIn(below, above, sign)
		// lower halves are unsigned: with the top bit flipped they compare as signed numbers
		unsigned := e.xor(below.in, sign.in)
		e.floatMask(func(i int) mask {
			h := e.load(operand.Mem{Base: high, Disp: i * e.bytes()})
			w := e.xor(e.load(operand.Mem{Base: low, Disp: i * e.bytes()}), sign.in)
			less, equal := e.aboveInt(above.in, h), e.equalInt(above.in, h)
			under := e.aboveInt(unsigned, w)
			if wide {
				k := e.K()
				e.KANDW(equal.k, under.k, k)
				e.KORW(less.k, k, k)
				return mask{k: k}
			}
			return mask{v: e.or(less.v, e.and(equal.v, under.v))}
		})
	}
}

// aboveInt compares whole numbers of 4 bytes with their signs: a > b.
func (e *emitter) aboveInt(a, b vector) mask {
	if e.wide {
		k := e.K()
		e.VPCMPGTD(b, a, k)
		return mask{k: k}
	}
	v := e.YMM()
	e.VPCMPGTD(b, a, v)
	return mask{v: v}
}

func (e *emitter) equalInt(a, b vector) mask {
	if e.wide {
		k := e.K()
		e.VPCMPEQD(b, a, k)
		return mask{k: k}
	}
	v := e.YMM()
	e.VPCMPEQD(b, a, v)
	return mask{v: v}
}

// words emits the transposition of four words of as many rows as a vector has elements, repeatedly. Each load takes the
// four words of a row into a quarter (or half) of a vector; rows 4 apart share one, so that after two rounds of
// interleaving within the quarters every word has its lane in order.
func words(c *build.Context, wide bool) {
	e := kernel(c, wide, "words", "func(out *[4][64]uint32, p *uint32, stride uintptr, n int) (odd uint64)",
		"is the loop of Words for a positive n that is a multiple of the elements of a vector.")
	out, p, stride, n := e.pointer("out"), e.pointer("p"), e.pointer("stride"), e.pointer("n")
	three, far := e.GP64(), e.GP64()
	e.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	exponent := e.data(0x7f800000)
	e.keepIn(exponent)
	odd := e.YMM()
	var odds reg.GPVirtual
	if wide {
		odds = e.GP64()
		e.XORQ(odds, odds)
	} else {
		e.VPXOR(odd, odd, odd)
	}
	again := e.label("again")
	e.Label(again)
	var quarter [4]vector
	parts := e.bytes() / 16
	e.MOVQ(p, far)
	for part := range parts {
		for i := range quarter {
			m := operand.Mem{Base: far}
			switch i {
			case 1, 2:
				m = operand.Mem{Base: far, Index: stride, Scale: uint8(i)}
			case 3:
				m = operand.Mem{Base: far, Index: three, Scale: 1}
			}
			switch {
			case part == 0:
				quarter[i] = e.new()
				e.VMOVUPS(m, quarter[i].AsX())
			case e.wide:
				e.VINSERTF32X4(operand.U8(part), m, quarter[i], quarter[i])
			default:
				e.VINSERTF128(operand.U8(part), m, quarter[i], quarter[i])
			}
		}
		e.LEAQ(operand.Mem{Base: far, Index: stride, Scale: 4}, far)
	}
	lower01, upper01 := e.two(e.VUNPCKLPS, quarter[0], quarter[1]), e.two(e.VUNPCKHPS, quarter[0], quarter[1])
	lower23, upper23 := e.two(e.VUNPCKLPS, quarter[2], quarter[3]), e.two(e.VUNPCKHPS, quarter[2], quarter[3])
	for k, v := range []vector{
		e.two(e.VUNPCKLPD, lower01, lower23), e.two(e.VUNPCKHPD, lower01, lower23),
		e.two(e.VUNPCKLPD, upper01, upper23), e.two(e.VUNPCKHPD, upper01, upper23),
	} {
		e.store(v, operand.Mem{Base: out, Disp: 256 * k})
		m := e.equalInt(exponent.in, e.and(v, exponent.in))
		if wide {
			r := e.GP64()
			e.KMOVW(m.k, r.As32())
			e.ORQ(r, odds)
		} else {
			e.VPOR(m.v, odd, odd)
		}
	}
	e.ADDQ(operand.I32(e.bytes()), out)
	e.MOVQ(far, p)
	e.SUBQ(operand.I32(e.bytes()/4), n)
	e.JG(operand.LabelRef(again))
	if !wide {
		odds = e.GP64()
		e.VMOVMSKPS(odd, odds.As32())
	}
	e.Store(odds, e.Return("odd"))
	e.end()
}
