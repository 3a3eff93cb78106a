package main

import (
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes emits the kernels of package lane. Kernels of a few instructions have no form in AVX-512: it would save a
// nanosecond of five.
func lanes(c *build.Context) {
	comparisons(c)
	for _, wide := range []bool{false, true} {
		curves(c, wide)
		combinations(c, wide)
		choices(c, wide)
	}
}

// The comparisons of a lane with a constant have the lane in memory, which the processor takes as the second operand:
// they are turned round.
var relations = []struct {
	name       string
	is, turned uint8 // of floats
}{
	{"Less", less, greater},
	{"LessEqual", lessEqual, greaterEqual},
	{"Equal", equal, equal},
}

func comparisons(c *build.Context) {
	for _, r := range relations {
		e := kernel(c, false, "float"+r.name, "func(l *[64]float32, c float32) uint64",
			"is the kernel of Float"+r.name+".")
		l, constant := e.pointer("l"), e.argument("c")
		e.keepIn(constant)
		e.floatMask(func(i int) mask { return e.compareAt(constant.in, r.turned, l, i) })

		e = kernel(c, false, "float"+r.name+"Lane", "func(a, b *[64]float32) uint64",
			"is the kernel of Float"+r.name+"Lane.")
		a, b := e.pointer("a"), e.pointer("b")
		e.floatMask(func(i int) mask { return e.compareAt(e.load(part(a, i)), r.is, b, i) })

		// a <= b is the complement of a > b.
		inverted := r.name == "LessEqual"
		e = kernel(c, false, "int"+r.name, "func(l *[64]int64, c int64) uint64", "is the kernel of Int"+r.name+".")
		l, constant = e.pointer("l"), e.argument("c")
		e.keep64(constant)
		e.intMask(inverted, func(i int) vector {
			switch m := part(l, i); r.name {
			case "Less":
				return e.compareInt(e.VPCMPGTQ, constant.in, m)
			case "LessEqual":
				return e.compareInt(e.VPCMPGTQ, e.load(m), constant.in)
			default:
				return e.compareInt(e.VPCMPEQQ, constant.in, m)
			}
		})

		e = kernel(c, false, "int"+r.name+"Lane", "func(a, b *[64]int64) uint64", "is the kernel of Int"+r.name+"Lane.")
		a, b = e.pointer("a"), e.pointer("b")
		e.intMask(inverted, func(i int) vector {
			switch x, y := part(a, i), part(b, i); r.name {
			case "Less":
				return e.compareInt(e.VPCMPGTQ, e.load(y), x)
			case "LessEqual":
				return e.compareInt(e.VPCMPGTQ, e.load(x), y)
			default:
				return e.compareInt(e.VPCMPEQQ, e.load(x), y)
			}
		})
	}

	e := kernel(c, false, "byteEqual", "func(l *[64]uint8, c uint8) uint64", "is the kernel of ByteEqual.")
	l, constant := e.pointer("l"), e.argument("c")
	v := e.new()
	e.VPBROADCASTB(constant.at, v)
	e.returnBytes(func(half int) vector { return e.compareInt(e.VPCMPEQB, v, part(l, half)) }, false, false)

	e = kernel(c, false, "byteEqualLane", "func(a, b *[64]uint8) uint64", "is the kernel of ByteEqualLane.")
	a, b := e.pointer("a"), e.pointer("b")
	e.returnBytes(func(half int) vector {
		return e.compareInt(e.VPCMPEQB, e.load(part(a, half)), part(b, half))
	}, false, false)

	e = kernel(c, false, "bestAbove", "func(best *[64]uint64, top uint64) uint64",
		"is the kernel of BestAbove: bit i is best[i] > top, both below 2^63.")
	best, top := e.pointer("best"), e.argument("top")
	e.keep64(top)
	e.intMask(false, func(i int) vector { return e.compareInt(e.VPCMPGTQ, e.load(part(best, i)), top.in) })
}

// part returns the place of the i-th vector of 32 bytes.
func part(base reg.Register, i int) operand.Mem { return operand.Mem{Base: base, Disp: 32 * i} }

func (e *emitter) compareAt(a vector, predicate uint8, b reg.Register, i int) mask {
	v := e.YMM()
	e.VCMPPS(operand.U8(predicate), part(b, i), a, v)
	return mask{v: v}
}

func (e *emitter) compareInt(op func(...operand.Op), a vector, b operand.Op) vector {
	v := e.YMM()
	op(b, a, v)
	return v
}

// floatMask returns the bits of 64 comparisons, a vector at a time, as the function's result.
func (e *emitter) floatMask(of func(i int) mask) {
	if e.wide {
		r, k := e.GP64(), e.join(e.KUNPCKDQ, func(i int) mask {
			return e.join(e.KUNPCKWD, func(j int) mask { return of(2*i + j) })
		}).k
		e.KMOVQ(k, r)
		e.Store(r, e.ReturnIndex(0))
		e.end()
		return
	}
	e.returnBytes(func(half int) vector {
		return e.pack(func(i int) vector { return of(4*half + i).v })
	}, false, false)
}

// join puts the bits of a second mask above those of a first.
func (e *emitter) join(op func(k, k1, k2 operand.Op), of func(i int) mask) mask {
	lower, upper, k := of(0), of(1), e.K()
	op(lower.k, upper.k, k)
	return mask{k: k}
}

// intMask is floatMask for 4 whole numbers at a time. inverted: the bits are those of what does not hold.
func (e *emitter) intMask(inverted bool, of func(i int) vector) {
	e.returnBytes(func(half int) vector {
		return e.pack(func(i int) vector {
			// Of 8 elements, 0, 1, 4, 5 go to the lower half of the vector and 2, 3, 6, 7 to the upper.
			return e.two(e.VPACKSSDW, of(8*half+2*i), of(8*half+2*i+1))
		})
	}, true, inverted)
}

// pack makes bytes from four vectors of elements that are all ones or all zeros.
func (e *emitter) pack(of func(i int) vector) vector {
	var pairs [2]vector
	for i := range pairs {
		pairs[i] = e.two(e.VPACKSSDW, of(2*i), of(2*i+1))
	}
	r, ordered := e.two(e.VPACKSSWB, pairs[0], pairs[1]), e.YMM()
	// Packing works in each half of a vector apart: four bytes at a time, all lower halves come before the upper ones.
	e.VPERMD(r, e.load(e.bytesOf("halves", 4<<32, 5<<32|1, 6<<32|2, 7<<32|3)), ordered)
	return ordered
}

// returnBytes returns the bits of two vectors of bytes as the function's result.
func (e *emitter) returnBytes(of func(half int) vector, ofInts, inverted bool) {
	var r [2]reg.GPVirtual
	for half := range r {
		v := of(half)
		if ofInts {
			ordered := e.YMM()
			const swap = 0x0706030205040100 // bytes 0 1 4 5 2 3 6 7
			e.VPSHUFB(e.bytesOf("quarters", swap, swap+0x0808080808080808, swap, swap+0x0808080808080808), v, ordered)
			v = ordered
		}
		r[half] = e.GP64()
		e.VPMOVMSKB(v, r[half].As32())
	}
	e.SHLQ(operand.U8(32), r[1])
	e.ORQ(r[1], r[0])
	if inverted {
		e.NOTQ(r[0])
	}
	e.Store(r[0], e.ReturnIndex(0))
	e.end()
}

// The curves.

// shape is the data of the kernels of curves: the fields at the pointer c, which is the slope of a Curve, and
// constants.
type shape struct {
	slope, left, shift, base, sign *scalar
	p                              [4]*scalar
	zero, one                      *scalar
}

func (e *emitter) shape() *shape {
	c := e.pointer("c")
	field := func(i int) *scalar { return &scalar{at: operand.Mem{Base: c, Disp: 4 * i}} }
	s := &shape{slope: field(0), left: field(1), shift: field(2), base: field(3), sign: field(4), one: e.float(1)}
	for i := range s.p {
		s.p[i] = field(5 + i)
	}
	zero := e.new()
	e.VXORPS(zero, zero, zero)
	s.zero = &scalar{in: zero}
	return s
}

// clamp returns the nearest number of 0..1; NaN stays NaN.
func (e *emitter) clamp(s *shape, x vector) vector {
	// The sum turns -0 into 0.
	return e.add(e.lesser(e.all(s.one), e.greater(e.all(s.zero), x)), e.all(s.zero))
}

// clampAll is clamp, and 0 for NaN.
func (e *emitter) clampAll(s *shape, x vector) vector {
	return e.lesser(e.greater(x, e.all(s.zero)), e.all(s.one))
}

// finish turns the value of a shape into that of the curve.
func (e *emitter) finish(s *shape, f vector) vector {
	y := e.add(e.mul(e.all(s.slope), f), e.all(s.shift))
	is := e.compare(y, ordered, y)
	return e.where(is, e.add(e.mul(e.all(s.sign), e.clampAll(s, y)), e.all(s.base)))
}

// upright finishes a curve without slope and shifts, whose shape is in 0..1.
func (e *emitter) upright(s *shape, x, f vector) vector {
	return e.where(e.compare(x, ordered, x), e.add(e.mul(e.all(s.sign), f), e.all(s.base)))
}

const curveSignature = "func(out, in *[64]float32, n int, c *float32)"

// curve emits the kernel of a shape. few are the scalars that it keeps in registers in both forms.
func curve(
	c *build.Context, wide bool, name string, prepare func(*emitter, *shape), f func(*emitter, *shape, vector) vector,
) {
	e := kernel(c, wide, name, curveSignature, "sets out to the curve of which c is the slope.")
	out, in := e.pointer("out"), e.pointer("in")
	s := e.shape()
	e.keepIn(s.one)
	prepare(e, s)
	if wide {
		e.keepIn(s.slope, s.left, s.shift, s.base, s.sign)
	}
	e.loop(func(i reg.Register) { e.store(f(e, s, e.load(at(in, i))), at(out, i)) })
}

func curves(c *build.Context, wide bool) {
	// narrow keeps scalars for which AVX2 has registers, too.
	narrow := func(e *emitter, s *shape) { e.keepIn(s.slope, s.left, s.shift, s.base, s.sign) }
	simple := func(name string, f func(e *emitter, s *shape, x vector) vector) { curve(c, wide, name, narrow, f) }
	// input is the input of most shapes.
	input := func(e *emitter, s *shape, x vector) vector { return e.sub(e.clamp(s, x), e.all(s.left)) }
	twice := func(e *emitter, s *shape, x vector) vector { return e.clamp(s, input(e, s, x)) }
	square := func(e *emitter, u vector) vector { return e.mul(u, u) }
	smoothstep := func(e *emitter, u vector) vector {
		return e.mul(e.mul(u, u), e.sub(e.all(e.float(3)), e.mul(e.all(e.float(2)), u)))
	}

	simple("plainLinear", func(e *emitter, s *shape, x vector) vector { return e.upright(s, x, e.clampAll(s, x)) })
	simple("plainQuadratic", func(e *emitter, s *shape, x vector) vector {
		return e.upright(s, x, square(e, e.clampAll(s, x)))
	})
	simple("plainSmoothstep", func(e *emitter, s *shape, x vector) vector {
		return e.upright(s, x, smoothstep(e, e.clampAll(s, x)))
	})
	simple("linear", func(e *emitter, s *shape, x vector) vector { return e.finish(s, e.sub(x, e.all(s.left))) })
	simple("clampedLinear", func(e *emitter, s *shape, x vector) vector { return e.finish(s, input(e, s, x)) })
	simple("quadratic", func(e *emitter, s *shape, x vector) vector { return e.finish(s, square(e, input(e, s, x))) })
	simple("inverseQuadratic", func(e *emitter, s *shape, x vector) vector {
		return e.finish(s, e.sub(e.all(s.one), square(e, e.sub(e.all(s.one), input(e, s, x)))))
	})
	simple("smoothstep", func(e *emitter, s *shape, x vector) vector {
		return e.finish(s, smoothstep(e, twice(e, s, x)))
	})
	simple("smootherstep", func(e *emitter, s *shape, x vector) vector {
		u := twice(e, s, x)
		cubic := e.mul(e.mul(u, u), u)
		rest := e.add(e.mul(u, e.sub(e.mul(e.all(e.float(6)), u), e.all(e.float(15)))), e.all(e.float(10)))
		return e.finish(s, e.mul(cubic, rest))
	})
	simple("step", func(e *emitter, s *shape, x vector) vector {
		u := input(e, s, x)
		return e.finish(s, e.add(e.where(e.compare(u, greaterEqual, e.all(s.p[0])), e.all(s.one)), e.sub(u, u)))
	})
	simple("gentle", func(e *emitter, s *shape, x vector) vector {
		z := e.mul(e.all(s.p[0]), input(e, s, x))
		sum := e.add(e.mul(z, e.all(e.float(1.0/5))), e.all(s.one))
		for _, part := range []float32{1.0 / 4, 1.0 / 3, 1.0 / 2} {
			sum = e.add(e.mul(e.mul(z, e.all(e.float(part))), sum), e.all(s.one))
		}
		return e.finish(s, e.div(e.mul(z, sum), e.all(s.p[3])))
	})
	simple("gentleLogistic", func(e *emitter, s *shape, x vector) vector {
		z := e.mul(e.all(s.p[0]), e.sub(input(e, s, x), e.all(s.p[1])))
		q := e.mul(z, z)
		sum := e.sub(e.all(e.float(1.0/48)), e.mul(q, e.all(e.float(1.0/480))))
		sum = e.sub(e.all(e.float(1.0/4)), e.mul(q, sum))
		return e.finish(s, e.div(e.sub(e.mul(z, sum), e.all(s.p[2])), e.all(s.p[3])))
	})

	// With an exponential.
	var constants *expConstants
	exponential := func(name string, f func(e *emitter, s *shape, x vector) vector) {
		curve(c, wide, name, func(e *emitter, s *shape) {
			constants = e.exponential()
			if e.wide {
				e.keepIn(s.p[:]...)
			}
		}, f)
	}
	logistic := func(e *emitter, s *shape, x vector) vector {
		steepness := e.xor(e.all(s.p[0]), e.all(e.data(signBit)))
		power := e.exp(constants, e.mul(steepness, e.sub(input(e, s, x), e.all(s.p[1]))))
		return e.div(e.all(s.one), e.add(e.all(s.one), power))
	}
	exponential("exponential", func(e *emitter, s *shape, x vector) vector {
		power := e.exp(constants, e.mul(e.all(s.p[0]), e.sub(input(e, s, x), e.all(s.p[1]))))
		return e.finish(s, e.div(e.sub(power, e.all(s.p[2])), e.all(s.p[3])))
	})
	exponential("plainLogistic", func(e *emitter, s *shape, x vector) vector {
		return e.upright(s, x, logistic(e, s, x))
	})
	exponential("logistic", func(e *emitter, s *shape, x vector) vector { return e.finish(s, logistic(e, s, x)) })
	exponential("logisticExact", func(e *emitter, s *shape, x vector) vector {
		return e.finish(s, e.div(e.sub(logistic(e, s, x), e.all(s.p[2])), e.all(s.p[3])))
	})
	exponential("bell", func(e *emitter, s *shape, x vector) vector {
		d := e.div(e.sub(input(e, s, x), e.all(s.p[0])), e.all(s.p[1]))
		half := e.mul(e.mul(d, d), e.all(e.float(0.5)))
		return e.finish(s, e.exp(constants, e.xor(half, e.all(e.data(signBit)))))
	})

	// The operations before and after the functions of package elementary.
	simple("shifted", input)
	simple("odds", func(e *emitter, s *shape, x vector) vector {
		u := twice(e, s, x)
		return e.div(u, e.sub(e.all(s.one), u))
	})
	simple("turns", func(e *emitter, s *shape, x vector) vector {
		turns, whole := e.mul(e.all(s.p[0]), input(e, s, x)), e.new()
		if wide {
			e.VRNDSCALEPS(operand.U8(8), turns, whole)
		} else {
			e.VROUNDPS(operand.U8(8), turns, whole)
		}
		return e.mul(e.all(e.data(0x40c90fdb)), e.sub(turns, whole)) // 2 pi
	})
	e := kernel(c, wide, "finish", "func(acc *[64]float32, n int, divisor float32, c *float32)",
		"finishes acc over divisor, for the curve of which c is the slope.")
	acc, divisor := e.pointer("acc"), e.argument("divisor")
	s := e.shape()
	e.keepIn(s.one, divisor, s.slope, s.shift, s.base, s.sign)
	e.loop(func(i reg.Register) { e.store(e.finish(s, e.div(e.load(at(acc, i)), e.all(divisor))), at(acc, i)) })

	piecewise(c, wide)
}

// piecewise finds, for each element, the last point that is not right of it. Where that is neither none nor the last
// point of all, the line to the next point goes on from there.
func piecewise(c *build.Context, wide bool) {
	e := kernel(c, wide, "piecewise", "func(out, in *[64]float32, n int, c, x, y *float32, points int)",
		"sets out to the curve of which c is the slope, through points, of which there is one at least.")
	out, in := e.pointer("out"), e.pointer("in")
	s := e.shape()
	e.keepIn(s.one, s.left)
	xs, ys, last := e.pointer("x"), e.pointer("y"), e.pointer("points")
	e.DECQ(last)
	point := func(base, i reg.Register) operand.Mem { return operand.Mem{Base: base, Index: i, Scale: 4} }
	e.loop(func(offset reg.Register) {
		u := e.sub(e.load(at(in, offset)), e.all(s.left))
		i, next := e.GP64(), e.GP64()
		e.XORQ(i, i)
		from, to := [2]vector{e.new(), e.new()}, [2]vector{e.new(), e.new()}
		for k, base := range []reg.Register{xs, ys} {
			e.VBROADCASTSS(operand.Mem{Base: base}, from[k])
			e.VBROADCASTSS(operand.Mem{Base: base}, to[k])
		}
		again, none := e.label("point"), e.label("end")
		e.Label(again)
		here := e.compare(u, greaterEqual, e.all(&scalar{at: point(xs, i)}))
		e.MOVQ(i, next)
		e.INCQ(next)
		e.CMPQ(next, last)
		e.CMOVQGT(last, next)
		for k, base := range []reg.Register{xs, ys} {
			for _, side := range []struct {
				of vector
				at operand.Mem
			}{{from[k], point(base, i)}, {to[k], point(base, next)}} {
				if wide {
					e.VBROADCASTSS(side.at, here.k, side.of)
				} else {
					e.VBLENDVPS(here.v, e.all(&scalar{at: side.at}), side.of, side.of)
				}
			}
		}
		e.INCQ(i)
		e.CMPQ(i, last)
		e.JLE(operand.LabelRef(again))
		e.Label(none)
		// Before the first and from the last point on there is no line.
		rise := e.mul(e.sub(to[1], from[1]), e.div(e.sub(u, from[0]), e.sub(to[0], from[0])))
		line := e.add(from[1], rise)
		left := e.compare(u, greaterEqual, e.all(&scalar{at: operand.Mem{Base: xs}}))
		right := e.compare(u, less, e.all(&scalar{at: point(xs, last)}))
		y := e.choose(right, e.choose(left, line, from[1]), from[1])
		y = e.choose(e.compare(u, unordered, u), u, y)
		e.store(e.finish(s, y), at(out, offset))
	})
}

// The combinations.

// paying are the combinations of a few instructions for which a form in AVX-512 is nevertheless faster.
var paying = map[string]bool{"compensateProduct": true}

func combinations(c *build.Context, wide bool) {
	// clampOne clamps; NaN becomes the NaN of package elementary.
	clampOne := func(e *emitter, s *shape, x vector) vector {
		return e.choose(e.compare(x, unordered, x), e.all(e.data(nanBits)), e.clamp(s, x))
	}
	bounds := func(e *emitter) *shape {
		s := &shape{one: e.float(1), zero: e.float(0)}
		e.keepIn(s.one, s.zero)
		return s
	}
	compensate := func(e *emitter, s *shape, p vector, compensation *scalar) vector {
		return e.add(p, e.mul(e.mul(e.sub(e.all(s.one), p), e.all(compensation)), p))
	}

	// of emits a kernel that sets the lane of the first name to a function of the lanes of the others.
	type formula = func(e *emitter, s *shape, x []vector, k []*scalar) vector
	of := func(name, signature string, lanes, scalars string, f formula) {
		if wide && !paying[name] {
			return
		}
		e := kernel(c, wide, name, signature, "is the kernel of "+strings.ToUpper(name[:1])+name[1:]+".")
		var pointers []reg.GPVirtual
		var arguments []*scalar
		for _, name := range strings.Fields(lanes) {
			pointers = append(pointers, e.pointer(name))
		}
		for _, name := range strings.Fields(scalars) {
			arguments = append(arguments, e.argument(name))
		}
		e.keepIn(arguments...)
		s := bounds(e)
		e.loop(func(i reg.Register) {
			var x []vector
			for _, p := range pointers[1:] {
				x = append(x, e.load(at(p, i)))
			}
			e.store(f(e, s, x, arguments), at(pointers[0], i))
		})
	}
	const two = "func(acc, s *[64]float32, n int)"
	of("multiply", two, "acc acc s", "", func(e *emitter, _ *shape, x []vector,
		_ []*scalar) vector {
		return e.mul(x[0], x[1])
	})
	of("product", "func(out, a, b *[64]float32, n int)", "out a b", "",
		func(e *emitter, _ *shape, x []vector, _ []*scalar) vector { return e.mul(x[0], x[1]) })
	of("multiplyCompensated", "func(acc, s *[64]float32, n int, compensation float32)", "acc acc s", "compensation",
		func(e *emitter, s *shape, x []vector, k []*scalar) vector {
			return e.mul(x[0], compensate(e, s, x[1], k[0]))
		})
	of("addWeighted", "func(acc, s *[64]float32, n int, w float32)", "acc acc s", "w",
		func(e *emitter, _ *shape, x []vector, k []*scalar) vector {
			return e.add(x[0], e.mul(e.all(k[0]), x[1]))
		})
	of("lower", two, "acc acc s", "", func(e *emitter, _ *shape, x []vector, _ []*scalar) vector {
		// Of zeros the bits are those of both, so that -0 is the lesser; so are those of NaN, which stays so.
		return e.or(e.lesser(x[0], x[1]), e.lesser(x[1], x[0]))
	})
	of("raise", two, "acc acc s", "", func(e *emitter, _ *shape, x []vector, _ []*scalar) vector {
		most := e.and(e.greater(x[0], x[1]), e.greater(x[1], x[0]))
		return e.choose(e.compare(x[0], unordered, x[1]), e.all(e.data(nanBits)), most)
	})
	of("compensate", "func(acc *[64]float32, n int, compensation, weight float32)", "acc acc", "compensation weight",
		func(e *emitter, s *shape, x []vector, k []*scalar) vector {
			return e.mul(e.all(k[1]), clampOne(e, s, compensate(e, s, x[0], k[0])))
		})
	of("compensateProduct", "func(acc, a, b *[64]float32, n int, compensation, weight float32)", "acc a b",
		"compensation weight",
		func(e *emitter, s *shape, x []vector, k []*scalar) vector {
			return e.mul(e.all(k[1]), clampOne(e, s, compensate(e, s, e.mul(x[0], x[1]), k[0])))
		})
	of("mean", "func(acc *[64]float32, n int, sum, weight float32)", "acc acc", "sum weight",
		func(e *emitter, s *shape, x []vector, k []*scalar) vector {
			return e.mul(e.all(k[1]), clampOne(e, s, e.div(x[0], e.all(k[0]))))
		})
	of("weigh", "func(acc *[64]float32, n int, weight float32)", "acc acc", "weight",
		func(e *emitter, s *shape, x []vector, k []*scalar) vector {
			return e.mul(e.all(k[0]), clampOne(e, s, x[0]))
		})
	of("normalise", "func(out, in *[64]float32, n int, a, span float32)", "out in", "a span",
		func(e *emitter, s *shape, x []vector, k []*scalar) vector {
			return clampOne(e, s, e.div(e.sub(x[0], e.all(k[0])), e.all(k[1])))
		})
	of("normaliseStep", "func(out, in *[64]float32, n int, b float32)", "out in", "b",
		func(e *emitter, s *shape, x []vector, k []*scalar) vector {
			return e.where(e.compare(x[0], greaterEqual, e.all(k[0])), e.all(s.one))
		})

	var constants *expConstants
	softmax := kernel(c, wide, "softmaxWeights", "func(score, greatest *[64]float32, n int, temperature float32)",
		"is the kernel of SoftmaxWeights.")
	score, greatest := softmax.pointer("score"), softmax.pointer("greatest")
	temperature := softmax.argument("temperature")
	softmax.keepIn(temperature)
	constants = softmax.exponential()
	softmax.loop(func(i reg.Register) {
		e := softmax
		x := e.load(at(score, i))
		power := e.exp(constants, e.div(e.sub(x, e.load(at(greatest, i))), e.all(temperature)))
		e.store(e.where(e.compare(x, greaterEqual, e.all(e.float(0))), power), at(score, i))
	})
}

// bit returns the mask of the next elements, of the lowest bits of a register, and shifts them out.
func (e *emitter) bit(bits reg.GPVirtual) mask {
	if e.wide {
		k := e.K()
		e.KMOVW(bits.As32(), k)
		e.SHRQ(operand.U8(16), bits)
		return mask{k: k}
	}
	x, v, r := e.XMM(), e.YMM(), e.YMM()
	e.VMOVD(bits.As32(), x)
	e.VPBROADCASTD(x, v)
	e.SHRQ(operand.U8(8), bits)
	each := e.load(e.bytesOf("bits", 2<<32|1, 8<<32|4, 32<<32|16, 128<<32|64))
	e.VPCMPEQD(each, e.and(v, each), r)
	return mask{v: r}
}

func pick(c *build.Context) {
	e := kernel(c, false, "select", "func(out, s *[64]float32, n int, mask uint64, other float32)",
		"is the kernel of Select.")
	out, in, bits, other := e.pointer("out"), e.pointer("s"), e.pointer("mask"), e.argument("other")
	e.keepIn(other)
	e.loop(func(i reg.Register) { e.store(e.choose(e.bit(bits), e.load(at(in, i)), other.in), at(out, i)) })
}

func choices(c *build.Context, wide bool) {
	if !wide {
		pick(c)
	}
	better(c, wide, "better",
		"func(best *[64]uint64, score *[64]float32, n int, mask, favoured uint64, bonus float32, least, low uint32)",
		"is the kernel of Better, of scores whose bits are at least those of least, with the lower halves low.")
	better(c, wide, "betterProduct",
		"func(best *[64]uint64, a, b *[64]float32, n int, mask, favoured uint64, "+
			"compensation, weight, bonus float32, least, low uint32, top uint64) uint64",
		"is the kernel of BetterProduct: that of Better, and what bestAbove returns then.")

	e := kernel(c, wide, "indices", "func(out *[64]uint8, best *[64]uint64, shift uint64)", "is the kernel of Indices.")
	e.indices()
}

// offers are the arguments of the kernels of the best, in registers.
type offers struct {
	best, score, a, b                            reg.Register
	mask, favoured                               reg.GPVirtual
	compensation, weight, bonus, least, low, top *scalar
	counting                                     vector
	product                                      bool
}

// better emits the kernels that find the best.
func better(c *build.Context, wide bool, name, signature, doc string) {
	e := kernel(c, wide, name, signature, doc)
	o := &offers{best: e.pointer("best"), product: name == "betterProduct"}
	if o.product {
		o.a, o.b = e.pointer("a"), e.pointer("b")
		o.compensation, o.weight, o.top = e.argument("compensation"), e.argument("weight"), e.argument("top")
		e.keepIn(o.compensation, o.weight)
		e.keep64(o.top)
	} else {
		o.score = e.pointer("score")
	}
	o.mask, o.favoured = e.pointer("mask"), e.pointer("favoured")
	o.bonus, o.least, o.low = e.argument("bonus"), e.argument("least"), e.argument("low")
	e.keepIn(o.bonus, o.least, o.low)
	o.counting = e.new()
	e.VPSUBD(o.least.in, e.all(e.data(0x7f800000)), o.counting)
	body := e.betterNarrow
	if wide {
		body = e.betterWide
	}
	if step := body(o); o.product {
		e.loopBits(e.bytes()/4, step)
	} else {
		e.loop(func(i reg.Register) { step(i) })
	}
}

// scores returns the scores of the next lanes. A score that is -0 or not a number counts no more than one of 0, so it
// can stay so.
func (e *emitter) scores(o *offers, i reg.Register) vector {
	if !o.product {
		return e.load(at(o.score, i))
	}
	one, zero := e.all(e.float(1)), e.all(e.float(0))
	p := e.mul(e.load(at(o.a, i)), e.load(at(o.b, i)))
	p = e.add(p, e.mul(e.mul(e.sub(one, p), o.compensation.in), p))
	return e.mul(o.weight.in, e.lesser(one, e.greater(zero, p)))
}

func (e *emitter) betterWide(o *offers) func(i reg.Register) reg.GPVirtual {
	lower := e.load(e.bytesOf("lower",
		0<<32|16, 1<<32|17, 2<<32|18, 3<<32|19, 4<<32|20, 5<<32|21, 6<<32|22, 7<<32|23))
	upper := e.load(e.bytesOf("upper",
		8<<32|24, 9<<32|25, 10<<32|26, 11<<32|27, 12<<32|28, 13<<32|29, 14<<32|30, 15<<32|31))
	counts := func(s vector) reg.OpmaskVirtual {
		k := e.K()
		e.VPCMPUD(operand.U8(2), o.counting, e.subInt(s, o.least.in), k)
		return k
	}
	return func(i reg.Register) (above reg.GPVirtual) {
		here, raised, second := e.bit(o.mask).k, e.bit(o.favoured).k, e.K()
		s := e.scores(o, i)
		counting := counts(s)
		e.VADDPS(o.bonus.in, s, raised, s)
		v := e.where(mask{k: counting}, s)
		w := e.new()
		e.VMOVAPS(v, w)
		e.VPERMT2D(o.low.in, lower, v)
		e.VPERMT2D(o.low.in, upper, w)
		e.KSHIFTRW(operand.U8(8), here, second)
		var k [2]reg.OpmaskVirtual
		for half, x := range []vector{v, w} {
			m := operand.Mem{Base: o.best, Index: i, Scale: 2, Disp: 64 * half}
			old := e.load(m)
			e.VPMAXUQ(x, old, []reg.OpmaskVirtual{here, second}[half], old)
			e.store(old, m)
			if o.product {
				k[half] = e.above(old, o.top.in).k
			}
		}
		if o.product {
			e.KUNPCKBW(k[0], k[1], k[0])
			above = e.bitsOf(mask{k: k[0]}, 4)
		}
		return above
	}
}

func (e *emitter) betterNarrow(o *offers) func(i reg.Register) reg.GPVirtual {
	counts := func(s vector) vector {
		over, r := e.subInt(s, o.least.in), e.YMM()
		e.VPCMPEQD(over, e.leastUint(over, o.counting), r)
		return r
	}
	low := e.right64(o.low.in, 32) // in the lower halves alone
	return func(i reg.Register) (above reg.GPVirtual) {
		here, raised := e.bit(o.mask).v, e.bit(o.favoured).v
		s := e.scores(o, i)
		counting := counts(s)
		v := e.and(counting, e.choose(mask{v: raised}, e.add(s, o.bonus.in), s))
		for k := range 2 {
			half, on := v.AsX(), here.AsX()
			if k == 1 {
				upper, upperOn := e.XMM(), e.XMM()
				e.VEXTRACTI128(operand.U8(1), v, upper)
				e.VEXTRACTI128(operand.U8(1), here, upperOn)
				half, on = upper, upperOn
			}
			x, m := e.YMM(), e.YMM()
			e.VPMOVZXDQ(half, x)
			e.VPMOVSXDQ(on, m)
			x = e.and(m, e.or(e.left64(x, 32), low))
			place := operand.Mem{Base: o.best, Index: i, Scale: 2, Disp: 32 * k}
			old := e.load(place)
			most := e.choose64(e.above(x, old), x, old)
			e.store(most, place)
			if !o.product {
				continue
			}
			bits := e.bitsOf(e.above(most, o.top.in), 8)
			if k == 0 {
				above = bits
			} else {
				e.SHLQ(operand.U8(4), bits)
				e.ORQ(bits, above)
			}
		}
		return above
	}
}

// indices takes the complements of the lower halves, shifted right, as bytes.
func (e *emitter) indices() {
	out, best := e.pointer("out"), e.pointer("best")
	shift, ones := e.XMM(), e.new()
	basic, err := e.Param("shift").Resolve()
	if err != nil {
		fail(err)
	}
	e.VMOVQ(basic.Addr, shift)
	if e.wide {
		e.VPTERNLOGD(operand.U8(0xff), ones, ones, ones)
		for i := range 8 {
			v := e.xor(e.load(operand.Mem{Base: best, Disp: 64 * i}), ones)
			e.VPSRLQ(shift, v, v)
			e.VPMOVQB(v, operand.Mem{Base: out, Disp: 8 * i})
		}
		e.end()
		return
	}
	e.VPCMPEQD(ones, ones, ones)
	bytes := e.load(e.bytesOf("lowBytes", 0x0800, 0, 0x0800, 0))
	for i := range 16 {
		v, upper, r := e.xor(e.load(operand.Mem{Base: best, Disp: 32 * i}), ones), e.XMM(), e.YMM()
		e.VPSRLQ(shift, v, v)
		e.VPSHUFB(bytes, v, r)
		e.VEXTRACTI128(operand.U8(1), r, upper)
		e.VPUNPCKLWD(upper, r.AsX(), upper)
		e.VMOVD(upper, operand.Mem{Base: out, Disp: 4 * i})
	}
	e.end()
}
