// Package curves has response curves as plain functions: the way utility AI is commonly written. The contestants of
// several subjects share them. They are independent of package utility on purpose, and take their exponential from
// package math.
package curves
