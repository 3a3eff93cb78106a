package elementary

import (
	"math"
	"math/bits"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
)

const (
	sign32 = 0x80000000 // the sign bit of a float32
	inf32  = 0x7f800000 // the bits of +Inf
	nan32  = 0x7fc00000 // the bits of the one NaN that is returned

	// Added to a small number and subtracted again, these round it to the nearest whole number, ties to even; before
	// the subtraction that number is in the low bits.
	round32 = 0x1.8p23
	round64 = 0x1.8p52
)

// The constants of Exp. q is the minimax polynomial of (e^r - 1 - r)/r² on |r| <= ln2/2 with the weight r²/e^r. The
// relative error of e^r is at most 2^-28.2.
const (
	expNear   = 0x42ae999a // the bits of 87.3: up to here e^x is normal
	expLimit  = 0x42d00000 // the bits of 104: beyond, e^x is infinite or rounds to 0
	log2E     = float32(0x1.715476p+0)
	ln2High   = float32(0x1.62e4p-1) // 16 bits, so that its products with exponents are exact
	ln2Low    = float32(0x1.7f7d1cp-20)
	round32At = 0x4b400000 // the bits of round32
	expQ0     = float32(0x1.fffffcp-2)
	expQ1     = float32(0x1.55548cp-3)
	expQ2     = float32(0x1.555858p-5)
	expQ3     = float32(0x1.123de2p-7)
	expQ4     = float32(0x1.6ac778p-10)
)

// expSplit returns k, in the low bits beside those of round32, and high - low, at most ln2/2 but for roundings, with x
// = k*ln2 + high - low, for |x| up to the limit.
func expSplit(x float32) (k uint32, high, low float32) {
	t := float32(x*log2E) + round32
	n := t - round32
	return math.Float32bits(t), x - float32(n*ln2High), float32(n * ln2Low)
}

// expSmall returns e^(high-low). The difference is rounded only before it is squared.
func expSmall(high, low float32) float32 {
	r := high - low
	r2 := float32(r * r)
	q := float32(r2*expQ4) + (expQ2 + float32(r*expQ3))
	q = float32(r2*q) + (expQ0 + float32(r*expQ1))
	return 1 + (high + (float32(r2*q) - low))
}

// expFar returns e^x for all x. The power of two goes in by two factors, because it need not be a float32; the first
// product is exact and the second rounds once, to a subnormal number or to infinity.
func expFar(x float32) float32 {
	bits := math.Float32bits(x)
	if bits&^sign32 > inf32 {
		return math.Float32frombits(nan32)
	}
	t, high, low := expSplit(math.Float32frombits(min(bits&^sign32, expLimit) | bits&sign32))
	k := int32(t) - round32At
	half := k >> 1
	first, second := math.Float32frombits(uint32(half+127)<<23), math.Float32frombits(uint32(k-half+127)<<23)
	return float32(float32(expSmall(high, low)*first) * second)
}

// Exp returns e^x with an error of at most 0.91 ulp. It is monotonic: 1 for 0, +Inf above 88.72, subnormal numbers
// below -87.33 and 0 below -103.97.
func Exp(x float32) float32 {
	if math.Float32bits(x)&^sign32 > expNear {
		return expFar(x)
	}
	k, high, low := expSplit(x)
	return math.Float32frombits(math.Float32bits(expSmall(high, low)) + k<<23)
}

// ExpLanes sets out[i] to Exp(in[i]) for the first n lanes; out may be in.
func ExpLanes(out, in *[64]float32, n int) {
	switch o, x := out[:n], in[:n]; cpu.Level {
	case cpu.AVX512:
		expAVX512(out, in, n)
	case cpu.AVX2:
		expAVX2(out, in, n)
	default:
		for i := range o {
			x := x[i]
			if math.Float32bits(x)&^sign32 > expNear {
				o[i] = expFar(x)
				continue
			}
			k, high, low := expSplit(x)
			o[i] = math.Float32frombits(math.Float32bits(expSmall(high, low)) + k<<23)
		}
	}
}

// The constants of Log. r is the minimax polynomial of log((1+s)/(1-s))/s - 2 in z = s², divided by z, for 1+f in
// [sqrt(1/2), sqrt(2)), where s = f/(2+f). The relative error of log(1+f) is at most 2^-30.2.
const (
	minNormal  = 0x00800000 // the bits of the smallest normal float32
	sqrtHalf32 = 0x3f3504f3 // the bits of sqrt(1/2)
	one32      = 0x3f800000
	mantissa32 = 0x007fffff
	logBias    = 0x1p23 + 127
	logR0      = float32(0x1.55557ap-1)
	logR1      = float32(0x1.995ed8p-2)
	logR2      = float32(0x1.31e03ap-2)
)

// logSplit returns k and f with 2^k * (1+f) for 2^(logBias-bias) times the positive normal number with these bits. The
// exponent becomes a float32 as the low bits of a number above 2^23, not by a conversion, which on amd64 waits for the
// previous value of its register.
func logSplit(bits uint32, bias float32) (k, f float32) {
	bits += one32 - sqrtHalf32
	return math.Float32frombits(0x4b000000|bits>>23) - bias, math.Float32frombits(bits&mantissa32+sqrtHalf32) - 1
}

// logJoin returns log(2^k * (1+f)), as k*ln2 + (f - (f²/2 - s*(f²/2 + r))), the small terms first.
func logJoin(k, f float32) float32 {
	s := f / (2 + f)
	z := float32(s * s)
	r := float32(z*logR2) + logR1
	r = float32(z*r) + logR0
	half := float32(0.5 * float32(f*f))
	tail := float32(s*(half+float32(z*r))) + float32(k*ln2Low)
	return float32(k*ln2High) - ((half - tail) - f)
}

// logOther returns the logarithm of numbers that are not positive and normal.
func logOther(x float32) float32 {
	switch bits := math.Float32bits(x); {
	case x == 0:
		return math.Float32frombits(sign32 | inf32)
	case bits < minNormal:
		return logJoin(logSplit(math.Float32bits(float32(x*0x1p23)), logBias+23))
	case bits == inf32:
		return x
	default:
		return math.Float32frombits(nan32)
	}
}

// Log returns the natural logarithm of x with an error of at most 0.84 ulp: 0 for 1, -Inf for 0 and -0, +Inf for +Inf,
// NaN for negative numbers.
func Log(x float32) float32 {
	bits := math.Float32bits(x)
	if bits-minNormal >= inf32-minNormal {
		return logOther(x)
	}
	return logJoin(logSplit(bits, logBias))
}

// LogLanes sets out[i] to Log(in[i]) for the first n lanes; out may be in.
func LogLanes(out, in *[64]float32, n int) {
	o, x := out[:n], in[:n]
	if cpu.Level != cpu.Go {
		var rare uint64
		if cpu.Level == cpu.AVX512 {
			rare = logAVX512(out, in, n)
		} else {
			rare = logAVX2(out, in, n)
		}
		for rare &= 1<<n - 1; rare != 0; rare &= rare - 1 {
			i := bitmask.Lowest(rare)
			out[i] = logOther(out[i])
		}
		return
	}
	for i := range o {
		bits := math.Float32bits(x[i])
		if bits-minNormal >= inf32-minNormal {
			o[i] = logOther(x[i])
			continue
		}
		o[i] = logJoin(logSplit(bits, logBias))
	}
}

// The constants of Pow. q is the minimax polynomial of log2((1+s)/(1-s))/s in z = s², for m in [sqrt(1/2), sqrt(2)),
// where s = (m-1)/(m+1): the relative error of log2(m) is at most 2^-37.7. e is the minimax polynomial of (2^r - 1)/r
// on |r| <= 1/2 with the weight r/2^r: the relative error of 2^r is at most 2^-28.5.
const (
	sqrtHalf64 = 0x3fe6a09e00000000 // the bits of a number near sqrt(1/2)
	one64      = 0x3ff0000000000000
	mantissa64 = 0x000fffffffffffff
	sign64     = 0x8000000000000000
	log2Bias   = 0x1p52 + 1023
	powLimit   = 0x4068000000000000 // the bits of 192: beyond, 2^t is no float32
	powQ0      = 0x1.71547652bee6dp+1
	powQ1      = 0x1.ec709d12506edp-1
	powQ2      = 0x1.2777803ac7caep-1
	powQ3      = 0x1.a58d66c05d597p-2
	powQ4      = 0x1.5cea86e458c22p-2
	powE0      = 0x1.62e4311736bd7p-1
	powE1      = 0x1.ebfbe2c456ca1p-3
	powE2      = 0x1.c6ae72da13978p-5
	powE3      = 0x1.3b270f2704148p-7
	powE4      = 0x1.5f7279be63edcp-10
	powE5      = 0x1.470ab6c53c277p-13
)

// log2Split returns k and m, in about [sqrt(1/2), sqrt(2)), with 2^k * m for the positive normal float32 with these
// bits, and some finite numbers for bits 0. The bits are moved to a float64's place, not converted, for the same reason
// as in logSplit.
func log2Split(bits uint32) (k, m float64) {
	wide := uint64(bits)<<29 + ((1023-127)<<52 + one64 - sqrtHalf64)
	k = math.Float64frombits(0x4330000000000000|wide>>52) - log2Bias
	return k, math.Float64frombits(wide&mantissa64 + sqrtHalf64)
}

// log2Join returns log2(2^k * m).
func log2Join(k, m float64) float64 {
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	z2 := float64(z * z)
	q := float64(z2*powQ4) + (powQ2 + float64(z*powQ3))
	q = float64(z2*q) + (powQ0 + float64(z*powQ1))
	return k + float64(s*q)
}

// exp2Split returns n, in the low bits, and r, at most 1/2, with t = n + r. Magnitudes are clamped to the limit.
func exp2Split(t float64) (n uint64, r float64) {
	bits := math.Float64bits(t)
	t = math.Float64frombits(min(bits&^sign64, powLimit) | bits&sign64)
	u := t + round64
	return math.Float64bits(u), t - (u - round64)
}

// exp2Join returns 2^(n+r).
func exp2Join(n uint64, r float64) float64 {
	r2 := float64(r * r)
	e := float64(r2*(powE4+float64(r*powE5))) + (powE2 + float64(r*powE3))
	e = float64(r2*e) + (powE0 + float64(r*powE1))
	return math.Float64frombits(math.Float64bits(1+float64(r*e)) + n<<52)
}

// powOther returns x^y for any x and y, with the rules for special values.
func powOther(x, y float32) float32 {
	infinity := math.Float32frombits(inf32)
	size, power := math.Float32frombits(math.Float32bits(x)&^sign32), math.Float32frombits(math.Float32bits(y)&^sign32)
	whole, odd := true, false // from 2^24 on all are even
	if power < 1<<24 {
		i := int32(y)
		whole = float32(i) == y
		odd = whole && i&1 != 0
	}
	var r float32
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.Float32frombits(nan32)
	case power == infinity && size == 1:
		return 1
	case power == infinity:
		if (size > 1) == (y > 0) {
			return infinity
		}
		return 0
	case size == 0 || size == infinity:
		if (size == 0) == (y < 0) {
			r = infinity
		}
	case x < 0 && !whole:
		return math.Float32frombits(nan32)
	default:
		bits, scale := math.Float32bits(size), 0.0
		if bits < minNormal {
			bits, scale = math.Float32bits(float32(size*0x1p23)), 23
		}
		k, m := log2Split(bits)
		r = float32(exp2Join(exp2Split(float64(float64(y) * log2Join(k-scale, m)))))
	}
	if odd && math.Float32bits(x)&sign32 != 0 {
		r = -r
	}
	return r
}

// Pow returns x^y with an error of at most 0.55 ulp for any y: x for y = 1, 1 for y = 0 and for x = 1. Special values
// are as with math.Pow: a negative x has powers if y is whole, NaN otherwise; 0^y is 0 for y > 0 and infinite for y <
// 0.
func Pow(x, y float32) float32 {
	bits := math.Float32bits(x)
	if bits-minNormal >= inf32-minNormal || math.Float32bits(y)&^sign32-1 >= inf32-1 {
		return powOther(x, y)
	}
	return float32(exp2Join(exp2Split(float64(float64(y) * log2Join(log2Split(bits))))))
}

// PowLanes sets out[i] to Pow(in[i], y) for the first n lanes; out may be in.
func PowLanes(out, in *[64]float32, n int, y float32) {
	o, x := out[:n], in[:n]
	if math.Float32bits(y)&^sign32-1 >= inf32-1 {
		for i := range o {
			o[i] = powOther(x[i], y)
		}
		return
	}
	// Zeros are common and unpredictable, so they are selected without a branch.
	zero := math.Float32bits(powOther(0, y))
	power := float64(y)
	if cpu.Level != cpu.Go {
		var rare uint64
		if cpu.Level == cpu.AVX512 {
			rare = powAVX512(out, in, n, power, float64(math.Float32frombits(zero)))
		} else {
			rare = powAVX2(out, in, n, power, float64(math.Float32frombits(zero)))
		}
		for rare &= 1<<n - 1; rare != 0; rare &= rare - 1 {
			i := bitmask.Lowest(rare)
			out[i] = powOther(out[i], y)
		}
		return
	}
	for i := range o {
		bits := math.Float32bits(x[i])
		if bits >= inf32 || bits-1 < minNormal-1 {
			o[i] = powOther(x[i], y)
			continue
		}
		r := math.Float32bits(float32(exp2Join(exp2Split(float64(power * log2Join(log2Split(bits)))))))
		if bits == 0 {
			r = zero
		}
		o[i] = math.Float32frombits(r)
	}
}

// The constants of Sin. p is the minimax polynomial of (sin(r)/r - 1)/r² in z = r² for |r| <= pi/2; the relative error
// of sin(r) is at most 2^-35.3.
const (
	sinLimit = 0x4a000000 // the bits of 2^21
	invPi    = 0x1.45f306dc9c883p-2
	piHigh   = 0x1.921fb544p+1 // 33 bits, so that its products with whole numbers below 2^20 are exact
	piLow    = 0x1.0b4611a626331p-33
	piPart   = math.Pi / (1 << 64)
	sinP0    = -0x1.555555476921fp-3
	sinP1    = 0x1.11110c49eb9b5p-7
	sinP2    = -0x1.a017d9986c0c8p-13
	sinP3    = 0x1.71707f0c19b77p-19
	sinP4    = -0x1.9a686d6e12597p-26
)

// sinSplit returns n, in the low bits, and r, at most pi/2, with x = n*pi + r, for |x| up to the limit.
func sinSplit(x float64) (n uint64, r float64) {
	u := float64(x*invPi) + round64
	w := u - round64
	return math.Float64bits(u), (x - float64(w*piHigh)) - float64(w*piLow)
}

// sinJoin returns sin(n*pi + r).
func sinJoin(n uint64, r float64) float64 {
	z := float64(r * r)
	z2 := float64(z * z)
	p := float64(z2*sinP4) + (sinP2 + float64(z*sinP3))
	p = float64(z2*p) + (sinP0 + float64(z*sinP1))
	return math.Float64frombits(math.Float64bits(float64(r*(1+float64(z*p)))) ^ n<<63)
}

// invPiBits are the first 256 bits of 1/pi after the point, after a word of zeros for the bits before it.
var invPiBits = [5]uint64{0, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820, 0xff28b1d5ef5de2b0}

// sinFar returns the sine of the number with these bits, beyond the limit of sinSplit. It is m * 2^e with whole m below
// 2^24, and 2^e/pi matters modulo 2 alone: m times its 128 bits from the units on is x/pi modulo 2 (Payne and Hanek,
// "Radian Reduction for Trigonometric Functions", SIGNUM Newsletter 18, 1983).
func sinFar(b uint32) float32 {
	if b&^sign32 >= inf32 {
		return math.Float32frombits(nan32)
	}
	m := uint64(b&mantissa32 | minNormal)
	at := b&^sign32>>23 - (127 + 23) + 63 // the place of the units of 2^e/pi
	w, shift := invPiBits[at>>6:], at&63
	high, low := w[0]<<shift|w[1]>>(64-shift), w[1]<<shift|w[2]>>(64-shift)
	carry, low := bits.Mul64(low, m)
	high = uint64(high*m) + carry
	part := int64(high<<1 | low>>63) // the difference to the nearest whole number, in units of 2^-64
	n := high>>63 ^ uint64(part)>>63 ^ uint64(b>>31)
	return float32(sinJoin(n, float64(float64(part)*piPart)))
}

// Sin returns the sine of x, in radians, with an error of at most 0.501 ulp and within [-1, 1] for all finite x: 0 for
// 0, -0 for -0, NaN for infinities. It is fast up to 2^21.
func Sin(x float32) float32 {
	b := math.Float32bits(x)
	if b&^sign32 > sinLimit {
		return sinFar(b)
	}
	return float32(sinJoin(sinSplit(float64(x))))
}

// SinLanes sets out[i] to Sin(in[i]) for the first n lanes; out may be in.
func SinLanes(out, in *[64]float32, n int) {
	o, x := out[:n], in[:n]
	if cpu.Level != cpu.Go {
		var rare uint64
		if cpu.Level == cpu.AVX512 {
			rare = sinAVX512(out, in, n)
		} else {
			rare = sinAVX2(out, in, n)
		}
		for rare &= 1<<n - 1; rare != 0; rare &= rare - 1 {
			i := bitmask.Lowest(rare)
			out[i] = sinFar(math.Float32bits(out[i]))
		}
		return
	}
	for i := range o {
		b := math.Float32bits(x[i])
		if b&^sign32 > sinLimit {
			o[i] = sinFar(b)
			continue
		}
		o[i] = float32(sinJoin(sinSplit(float64(x[i]))))
	}
}
