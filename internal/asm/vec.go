package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitter writes one kernel in vectors of 32 bytes, of AVX2, or of 64 bytes, of AVX-512. Its operations are named by
// what they compute, operands in the order of the formula, and return a new register.
//
// Operations of floats are those of the Go compiler, each rounded once; none multiplies and adds in one step.
type emitter struct {
	*build.Context
	wide   bool // AVX-512
	labels int
}

// vector is a register of floats or of whole numbers.
type vector = reg.VecVirtual

// mask is which elements of a vector something holds for: a mask register, or all ones in the elements.
type mask struct {
	k reg.OpmaskVirtual
	v vector
}

// scalar is a number for all elements of a vector: its place in memory, or the register that already holds it.
type scalar struct {
	at operand.Mem
	in vector
}

// kernel begins a function. Its name gets the instructions' name as a suffix.
func kernel(c *build.Context, wide bool, name, signature, doc string) *emitter {
	if wide {
		name += "AVX512"
	} else {
		name += "AVX2"
	}
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.Pragma("noescape")
	c.SignatureExpr(signature)
	c.Doc(name + " " + doc)
	return &emitter{Context: c, wide: wide}
}

// end returns from the function. It clears the upper halves of the registers, which would slow down float operations of
// compiled Go code.
func (e *emitter) end() {
	e.VZEROUPPER()
	e.RET()
}

func (e *emitter) new() vector {
	if e.wide {
		return e.ZMM()
	}
	return e.YMM()
}

// bytes returns the size of a vector.
func (e *emitter) bytes() int {
	if e.wide {
		return 64
	}
	return 32
}

// label returns a label that the function has not used.
func (e *emitter) label(name string) string {
	e.labels++
	return fmt.Sprintf("%s%d", name, e.labels)
}

// pointer loads a pointer or number that is an argument.
func (e *emitter) pointer(name string) reg.GPVirtual {
	r := e.GP64()
	e.Load(e.Param(name), r)
	return r
}

// argument returns a float that is an argument.
func (e *emitter) argument(name string) *scalar {
	basic, err := e.Param(name).Resolve()
	if err != nil {
		fail(err)
	}
	return &scalar{at: basic.Addr}
}

// data returns the place of a constant of 4 bytes.
func (e *emitter) data(bits uint32) *scalar {
	name := fmt.Sprintf("c%08x", bits)
	if _, have := known[name]; !have {
		known[name] = e.ConstData(name, operand.U32(bits))
	}
	return &scalar{at: known[name]}
}

// data64 returns the place of a constant of 8 bytes.
func (e *emitter) data64(bits uint64) *scalar {
	name := fmt.Sprintf("c%016x", bits)
	if _, have := known[name]; !have {
		known[name] = e.ConstData(name, operand.U64(bits))
	}
	return &scalar{at: known[name]}
}

// bytesOf returns the place of a constant of any multiple of 8 bytes.
func (e *emitter) bytesOf(name string, words ...uint64) operand.Mem {
	if _, have := known[name]; !have {
		m := e.StaticGlobal(name)
		e.DataAttributes(attr.RODATA | attr.NOPTR)
		for _, w := range words {
			e.AppendDatum(operand.U64(w))
		}
		known[name] = m
	}
	return known[name]
}

// known are the constants of the file.
var known map[string]operand.Mem

func (e *emitter) float(x float32) *scalar { return e.data(math.Float32bits(x)) }

func (e *emitter) float64(x float64) *scalar { return e.data64(math.Float64bits(x)) }

// all returns a vector in which every element is the given float.
func (e *emitter) all(s *scalar) vector {
	if s.in != nil {
		return s.in
	}
	r := e.new()
	e.VBROADCASTSS(s.at, r)
	return r
}

// all64 is all for float64s.
func (e *emitter) all64(s *scalar) vector {
	if s.in != nil {
		return s.in
	}
	r := e.new()
	e.VBROADCASTSD(s.at, r)
	return r
}

// keepIn loads scalars once, before a loop.
func (e *emitter) keepIn(scalars ...*scalar) {
	for _, s := range scalars {
		s.in = e.all(s)
	}
}

// keep64 is keepIn for float64s.
func (e *emitter) keep64(scalars ...*scalar) {
	for _, s := range scalars {
		s.in = e.all64(s)
	}
}

func (e *emitter) load(m operand.Mem) vector {
	r := e.new()
	e.VMOVUPS(m, r)
	return r
}

func (e *emitter) store(v vector, m operand.Mem) { e.VMOVUPS(v, m) }

// The operations.

func (e *emitter) two(op func(...operand.Op), a, b vector) vector {
	r := e.new()
	op(b, a, r)
	return r
}

func (e *emitter) add(a, b vector) vector { return e.two(e.VADDPS, a, b) }
func (e *emitter) sub(a, b vector) vector { return e.two(e.VSUBPS, a, b) }
func (e *emitter) mul(a, b vector) vector { return e.two(e.VMULPS, a, b) }
func (e *emitter) div(a, b vector) vector { return e.two(e.VDIVPS, a, b) }

func (e *emitter) add64(a, b vector) vector { return e.two(e.VADDPD, a, b) }
func (e *emitter) sub64(a, b vector) vector { return e.two(e.VSUBPD, a, b) }
func (e *emitter) mul64(a, b vector) vector { return e.two(e.VMULPD, a, b) }
func (e *emitter) div64(a, b vector) vector { return e.two(e.VDIVPD, a, b) }

// greater returns a > b ? a : b; if one is not a number, or both are zero, b.
func (e *emitter) greater(a, b vector) vector { return e.two(e.VMAXPS, a, b) }

// lesser returns a < b ? a : b; if one is not a number, or both are zero, b.
func (e *emitter) lesser(a, b vector) vector { return e.two(e.VMINPS, a, b) }

func (e *emitter) and(a, b vector) vector { return e.two(e.VANDPS, a, b) }
func (e *emitter) or(a, b vector) vector  { return e.two(e.VORPS, a, b) }
func (e *emitter) xor(a, b vector) vector { return e.two(e.VXORPS, a, b) }

func (e *emitter) lesser64(a, b vector) vector { return e.two(e.VMINPD, a, b) }
func (e *emitter) and64(a, b vector) vector    { return e.two(e.VANDPD, a, b) }
func (e *emitter) or64(a, b vector) vector     { return e.two(e.VORPD, a, b) }
func (e *emitter) xor64(a, b vector) vector    { return e.two(e.VXORPD, a, b) }

// Of whole numbers.

func (e *emitter) addInt(a, b vector) vector   { return e.two(e.VPADDD, a, b) }
func (e *emitter) subInt(a, b vector) vector   { return e.two(e.VPSUBD, a, b) }
func (e *emitter) addInt64(a, b vector) vector { return e.two(e.VPADDQ, a, b) }
func (e *emitter) leastUint(a, b vector) vector {
	return e.two(e.VPMINUD, a, b)
}

func (e *emitter) shift(op func(...operand.Op), v vector, by uint8) vector {
	r := e.new()
	op(operand.U8(by), v, r)
	return r
}

func (e *emitter) left(v vector, by uint8) vector        { return e.shift(e.VPSLLD, v, by) }
func (e *emitter) right(v vector, by uint8) vector       { return e.shift(e.VPSRLD, v, by) }
func (e *emitter) rightSigned(v vector, by uint8) vector { return e.shift(e.VPSRAD, v, by) }
func (e *emitter) left64(v vector, by uint8) vector      { return e.shift(e.VPSLLQ, v, by) }
func (e *emitter) right64(v vector, by uint8) vector     { return e.shift(e.VPSRLQ, v, by) }

// Comparisons. With a NaN they are false, except unordered and notLessEqual.
const (
	equal        = 0x00
	unordered    = 0x03
	ordered      = 0x07
	less         = 0x11
	lessEqual    = 0x12
	greaterEqual = 0x1d
	greater      = 0x1e
	notLessEqual = 0x16 // true if one is not a number
)

func (e *emitter) compare(a vector, predicate uint8, b vector) mask {
	if e.wide {
		k := e.K()
		e.VCMPPS(operand.U8(predicate), b, a, k)
		return mask{k: k}
	}
	v := e.YMM()
	e.VCMPPS(operand.U8(predicate), b, a, v)
	return mask{v: v}
}

// choose returns a where the mask has the element, else b.
func (e *emitter) choose(m mask, a, b vector) vector {
	r := e.new()
	if e.wide {
		e.VBLENDMPS(a, b, m.k, r)
	} else {
		e.VBLENDVPS(m.v, a, b, r)
	}
	return r
}

// compare64 is compare for float64s.
func (e *emitter) compare64(a vector, predicate uint8, b vector) mask {
	if e.wide {
		k := e.K()
		e.VCMPPD(operand.U8(predicate), b, a, k)
		return mask{k: k}
	}
	v := e.YMM()
	e.VCMPPD(operand.U8(predicate), b, a, v)
	return mask{v: v}
}

// above compares whole numbers of 8 bytes with their signs: a > b.
func (e *emitter) above(a, b vector) mask {
	if e.wide {
		k := e.K()
		e.VPCMPGTQ(b, a, k)
		return mask{k: k}
	}
	v := e.YMM()
	e.VPCMPGTQ(b, a, v)
	return mask{v: v}
}

// either returns the union of two masks of elements of 8 bytes.
func (e *emitter) either(a, b mask) mask {
	if e.wide {
		k := e.K()
		e.KORB(a.k, b.k, k)
		return mask{k: k}
	}
	return mask{v: e.or64(a.v, b.v)}
}

// both returns the intersection of two masks of elements of 8 bytes.
func (e *emitter) both(a, b mask) mask {
	if e.wide {
		k := e.K()
		e.KANDB(a.k, b.k, k)
		return mask{k: k}
	}
	return mask{v: e.and64(a.v, b.v)}
}

// choose64 is choose for elements of 8 bytes.
func (e *emitter) choose64(m mask, a, b vector) vector {
	r := e.new()
	if e.wide {
		e.VBLENDMPD(a, b, m.k, r)
	} else {
		e.VBLENDVPD(m.v, a, b, r)
	}
	return r
}

// where returns a where the mask has the element, else 0.
func (e *emitter) where(m mask, a vector) vector {
	r := e.new()
	if e.wide {
		e.VMOVAPS_Z(a, m.k, r)
	} else {
		e.VANDPS(a, m.v, r)
	}
	return r
}

// jumpIfAny jumps if the mask has an element.
func (e *emitter) jumpIfAny(m mask, label string) {
	if e.wide {
		e.KORTESTW(m.k, m.k)
	} else {
		r := e.GP32()
		e.VMOVMSKPS(m.v, r)
		e.TESTL(r, r)
	}
	e.JNE(operand.LabelRef(label))
}

// loop emits a loop over the first n elements of 4 bytes, n being an argument of at most 64, and the function's end: as
// many vectors as have one of them. The body gets the first element's place after that of the lane, in bytes.
func (e *emitter) loop(body func(offset reg.Register)) {
	e.loopBy(e.bytes()/4, body)
	e.end()
}

// loopBy is loop for so many elements at a time, without the end. It returns the place after the last.
func (e *emitter) loopBy(elements int, body func(offset reg.Register)) reg.Register {
	n := e.pointer("n")
	offset := e.GP64()
	again, done := e.label("again"), e.label("done")
	e.XORQ(offset, offset)
	e.TESTQ(n, n)
	e.JLE(operand.LabelRef(done))
	e.Label(again)
	body(offset)
	e.ADDQ(operand.I32(4*elements), offset)
	e.SUBQ(operand.I32(elements), n)
	e.JG(operand.LabelRef(again))
	e.Label(done)
	return offset
}

// loopBits is loopBy and the end for a function that returns a bit for each element, of which the body returns so many.
func (e *emitter) loopBits(elements int, body func(offset reg.Register) reg.GPVirtual) {
	all := e.GP64()
	e.XORQ(all, all)
	offset := e.loopBy(elements, func(offset reg.Register) {
		e.ORQ(body(offset), all)
		e.RORQ(operand.U8(elements), all)
	})
	// The bits have been rotated by the number of elements.
	e.MOVQ(offset, reg.RCX)
	e.SHRQ(operand.U8(2), reg.RCX)
	e.ROLQ(reg.CL, all)
	e.Store(all, e.ReturnIndex(0))
	e.end()
}

// bitsOf returns the bits of a mask for elements of 4 or 8 bytes.
func (e *emitter) bitsOf(m mask, size int) reg.GPVirtual {
	r := e.GP64()
	switch {
	case e.wide && size == 4:
		e.KMOVW(m.k, r.As32())
	case e.wide:
		e.KMOVB(m.k, r.As32())
	case size == 4:
		e.VMOVMSKPS(m.v, r.As32())
	default:
		e.VMOVMSKPD(m.v, r.As32())
	}
	return r
}

// at returns the place of an element.
func at(base, offset reg.Register) operand.Mem {
	return operand.Mem{Base: base, Index: offset, Scale: 1}
}
