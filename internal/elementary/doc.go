// Package elementary has the elementary functions Exp, Log, Pow and Sin for float32, each for one number and for a lane
// of 64. They return the same bits on every platform, which those of package math do not promise. They allocate nothing
// and may be called from any goroutine.
//
//	       domain                             error, at most   computed in
//	Exp    all numbers                        0.91 ulp         float32
//	Log    all numbers, subnormal ones too    0.84 ulp         float32
//	Pow    all numbers                        0.55 ulp         float64
//	Sin    all numbers                        0.501 ulp        float64, by integers beyond 2^21
//
// An ulp is the distance of neighbouring float32 numbers at the exact result; that of a subnormal result is 2^-149. The
// errors of Exp, Log and Sin were measured over all inputs. That of Pow was measured over a million and a half, and is
// near its bound: the error of the float64 value before the only rounding is at most 0.05 ulp. A NaN that is returned
// is always the one with bits 0x7fc00000.
//
// # Same bits
//
// Additions, subtractions, multiplications, divisions and conversions are rounded by IEEE 754 and so the same
// everywhere. What differs is whether a product is rounded before it goes into a sum: every product here is inside a
// conversion, which by the language's specification forbids to fuse the two.
//
// The lane forms are the same operations for every element, apart from rare inputs. A form in vector instructions
// returns the same bits because it does the same operations in the same order; the scalar functions compute the rare
// inputs.
//
// # Method
//
// An argument is brought to a small interval: for Exp and Sin by whole multiples of ln 2 and of pi, subtracted in two
// parts of which the first has few enough bits for an exact product (Cody and Waite, "Software Manual for the
// Elementary Functions", 1980); for Log and Pow by removing the exponent, so that the rest lies between sqrt(1/2) and
// sqrt(2). Logarithms are the odd series in s = f/(2+f), since log(1+f) = log((1+s)/(1-s)). Pow is 2^(y * log2(x)).
//
// On the interval, a polynomial approximates the function with the least relative error (minimax). Its coefficients
// come from the Remez exchange with 60 decimal digits, weighted by the effect of the error on the result. They were
// rounded one by one from the lowest power up; after each, the higher ones were fitted again. Longer polynomials are
// evaluated by Estrin's scheme, in pairs of coefficients, which has shorter chains of dependent operations than
// Horner's.
package elementary
