package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A components.Choice is six words of 4 bytes: two of the target, two of the time, one of action and commitment, one of
// padding.
const (
	choiceWords  = 6
	choiceAction = 4
)

// choiceKernels emits the kernels that read the choices of a full block.
func choiceKernels(c *build.Context) {
	for _, wide := range []bool{false, true} {
		e := kernel(c, wide, "readColumn",
			"func(rows *uint32, action *[64]uint8, actions uint32) (held, committed uint64, targets uint32)",
			"is the loop of Scorer.readColumn for 64 rows.")
		rows, action, actions := e.pointer("rows"), e.pointer("action"), e.argument("actions")
		none, least, word, flag := e.new(), e.data(1), e.data(0xffff), e.data(0xff0000)
		e.keepIn(actions, least, word, flag)
		e.VPXOR(none.AsY(), none.AsY(), none.AsY())
		targets := e.new()
		e.VMOVAPS(none, targets)
		var held, committed reg.GPVirtual
		if wide {
			held, committed = e.readWide(rows, action, actions.in, least.in, word.in, flag.in, targets)
		} else {
			held, committed = e.readNarrow(rows, action, actions.in, least.in, word.in, flag.in, targets)
		}
		e.Store(held, e.Return("held"))
		e.Store(committed, e.Return("committed"))
		any := e.GP32()
		if wide {
			k := e.K()
			e.VPTESTMD(targets, targets, k)
			e.KMOVW(k, any)
		} else {
			zero := e.YMM()
			e.VPCMPEQD(none, targets, zero)
			e.VMOVMSKPS(zero, any)
			e.XORL(operand.U8(0xff), any)
		}
		e.Store(any, e.Return("targets"))
		e.end()
	}
}

// readWide takes eight rows from three vectors.
func (e *emitter) readWide(
	rows, action reg.Register, actions, least, word, flag, targets vector,
) (held, committed reg.GPVirtual) {
	// The words of rows 0 to 4 are in the first two vectors, those of the others, for which bit 4 counts too, in the
	// third.
	first := e.load(e.bytesOf("rowsFirst", 10<<32|4, 22<<32|16, 28, 0, 0, 0, 0, 0))
	second := e.load(e.bytesOf("rowsSecond", 1<<32, 3<<32|2, (16+2)<<32|4, (16+14)<<32|(16+8), 0, 0, 0, 0))
	var ofTarget [3]reg.OpmaskVirtual
	for i := range ofTarget {
		bits := 0
		for j := range 16 {
			if (16*i+j)%choiceWords < 2 {
				bits |= 1 << j
			}
		}
		r := e.GP32()
		e.MOVL(operand.U32(bits), r)
		ofTarget[i] = e.K()
		e.KMOVW(r, ofTarget[i])
	}
	eight := func(row int) vector {
		var v [3]vector
		for i := range v {
			v[i] = e.load(operand.Mem{Base: rows, Disp: 4*choiceWords*row + 64*i})
			e.VPORD(v[i], targets, ofTarget[i], targets)
		}
		e.VPERMT2D(v[1], first, v[0])
		e.VPERMT2D(v[2], second, v[0])
		return v[0]
	}
	var h, c [4]reg.OpmaskVirtual
	for i := range h {
		w := e.ZMM()
		lower := eight(16 * i)
		e.VINSERTI64X4(operand.U8(1), eight(16*i+8).AsY(), lower, w)
		number := e.subInt(e.and(w, word), least)
		h[i], c[i] = e.K(), e.K()
		e.VPCMPUD(operand.U8(1), actions, number, h[i])
		e.VPTESTMD(flag, w, c[i])
		e.VPMOVDB(number, operand.Mem{Base: action, Disp: 16 * i})
		if i%2 == 1 {
			e.KUNPCKWD(h[i-1], h[i], h[i-1])
			e.KUNPCKWD(c[i-1], c[i], c[i-1])
		}
	}
	e.KUNPCKDQ(h[0], h[2], h[0])
	e.KUNPCKDQ(c[0], c[2], c[0])
	held, committed = e.GP64(), e.GP64()
	e.KMOVQ(h[0], held)
	e.KMOVQ(c[0], committed)
	return held, committed
}

// readNarrow takes four rows from three vectors.
func (e *emitter) readNarrow(
	rows, action reg.Register, actions, least, word, flag, targets vector,
) (held, committed reg.GPVirtual) {
	most := e.subInt(actions, least)
	order := e.load(e.bytesOf("rowsOrder", 2<<32|4, 6<<32, 0, 0))
	low := e.load(e.bytesOf("lowBytes", 0x0c080400, 0, 0x0c080400, 0))
	none := e.YMM()
	e.VPXOR(none, none, none)
	four := func(row int) vector {
		var v [3]vector
		for i := range v {
			v[i] = e.load(operand.Mem{Base: rows, Disp: 4*choiceWords*row + 32*i})
			ofTarget := 0
			for j := range 8 {
				if (8*i+j)%choiceWords < 2 {
					ofTarget |= 1 << j
				}
			}
			t := e.YMM()
			e.VPBLENDD(operand.U8(ofTarget), v[i], none, t)
			e.VPOR(t, targets, targets)
		}
		// Words 4, 10, 16 and 22 are elements 4, 2, 0 and 6 of their vectors.
		w := e.YMM()
		e.VPBLENDD(operand.U8(1<<2), v[1], v[0], w)
		e.VPBLENDD(operand.U8(1<<0|1<<6), v[2], w, w)
		e.VPERMD(w, order, w)
		return w
	}
	held, committed = e.GP64(), e.GP64()
	e.XORQ(held, held)
	e.XORQ(committed, committed)
	for i := range 8 {
		w := e.YMM()
		lower := four(8 * i)
		e.VINSERTI128(operand.U8(1), four(8*i+4).AsX(), lower, w)
		number := e.subInt(e.and(w, word), least)
		is, not := e.YMM(), e.YMM()
		e.VPCMPEQD(number, e.leastUint(number, most), is)
		e.VPCMPEQD(none, e.and(w, flag), not)
		h, c := e.GP64(), e.GP64()
		e.VMOVMSKPS(is, h.As32())
		e.VMOVMSKPS(not, c.As32())
		e.ORQ(h, held)
		e.ORQ(c, committed)
		e.RORQ(operand.U8(8), held)
		e.RORQ(operand.U8(8), committed)
		bytes, upper := e.YMM(), e.XMM()
		e.VPSHUFB(low, number, bytes)
		e.VEXTRACTI128(operand.U8(1), bytes, upper)
		e.VPUNPCKLDQ(upper, bytes.AsX(), upper)
		e.VMOVQ(upper, operand.Mem{Base: action, Disp: 8 * i})
	}
	e.NOTQ(committed)
	return held, committed
}
