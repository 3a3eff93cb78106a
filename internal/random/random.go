// Package random draws numbers from counter-based streams: a draw is a pure function of its keys, so it does not depend
// on the order of draws, the number of workers or the platform.
package random

// Mix folds one more key into a hash. The finaliser is SplitMix64's (Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014).
func Mix(hash, key uint64) uint64 {
	z := hash + 0x9e3779b97f4a7c15 + key*0xd1342543de82ef95
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Unit maps a hash to [0, 1) with 24 bits, exactly representable in a float32.
func Unit(hash uint64) float32 { return float32(float32(hash>>40) * (1.0 / (1 << 24))) }

// Below maps a hash to [0, n), n > 0, by the high half of a product.
func Below(hash uint64, n uint32) uint32 { return uint32((hash >> 32) * uint64(n) >> 32) }

// String hashes a name (FNV-1a, 64 bits).
func String(s string) uint64 {
	hash := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		hash = (hash ^ uint64(s[i])) * 0x100000001b3
	}
	return hash
}
